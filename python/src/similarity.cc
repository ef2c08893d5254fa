// Problems that are near one another by their vectors: conpole._native.ProblemIndex.
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include "conpole/error.h"
#include "conpole/stop_token.h"
#include "python/src/bindings.h"
#include "python/src/guide.h"
#include "python/src/loaded_model.h"
#include "python/src/python_domain.h"
#include "python/src/texts.h"
#include "util/thread_pool.h"
#include "vectors/problem_encoder.h"
#include "vectors/problem_index.h"

namespace py = pybind11;

namespace conpole::python {
namespace {

// An index with what it refers to. Threads are started for each call: they would not survive a fork.
class PythonIndex {
 public:
  PythonIndex(std::shared_ptr<Domain> domain, const LoadedModel& model)
      : domain_(std::move(domain)), encoder_(Fitting(*domain_, model), model.model), index_(encoder_) {}
  PythonIndex(const PythonIndex&) = delete;
  PythonIndex& operator=(const PythonIndex&) = delete;

  static std::unique_ptr<PythonIndex> Read(const std::filesystem::path& path, std::shared_ptr<Domain> domain,
                                           const LoadedModel& model) {
    auto read = std::make_unique<PythonIndex>(std::move(domain), model);
    read->Run([&](const StopToken&) { read->index_ = ProblemIndex::Read(path, read->encoder_); });
    return read;
  }

  std::shared_ptr<Domain> domain() const { return domain_; }
  std::size_t size() const { return index_.size(); }
  py::str At(std::ptrdiff_t place) const {
    const auto end = static_cast<std::ptrdiff_t>(index_.size());
    if (place < -end || place >= end) throw py::index_error("there is no such problem in the index");
    return ToStr(index_.state(static_cast<std::size_t>(place < 0 ? place + end : place)));
  }

  void Add(const std::vector<std::string>& states, std::size_t threads) {
    Run([&](const StopToken& stop) {
      ThreadPool pool(Threads(threads));
      index_.Add(states, pool, stop);
    });
  }
  void AddGenerated(std::uint64_t first, std::uint64_t end, std::size_t threads) {
    Run([&](const StopToken& stop) {
      ThreadPool pool(Threads(threads));
      index_.AddGenerated({first, end}, pool, stop);
    });
  }
  std::vector<std::pair<std::string, float>> Similar(const std::string& state, std::size_t count, std::size_t threads) const {
    std::vector<std::pair<std::string, float>> similar;
    Run([&](const StopToken&) {
      ThreadPool pool(Threads(threads));
      for (SimilarProblem& one : index_.Similar(state, count, pool)) similar.emplace_back(std::move(one.state), one.cosine);
    });
    return similar;
  }
  void Write(const std::filesystem::path& path) const {
    Run([&](const StopToken&) { index_.Write(path); });
  }

 private:
  // The domain, if the model is for it; else throws Error.
  static const Domain& Fitting(const Domain& domain, const LoadedModel& model) {
    model.RequireFor(domain);
    return domain;
  }
  // A domain written in Python runs in the caller's thread.
  std::size_t Threads(std::size_t threads) const { return IsPython(*domain_) ? 1 : threads; }
  template <class Work>
  void Run(const Work& work) const {
    std::atomic<bool> stop = false;
    RunUnlocked(IsPython(*domain_), stop, [&] { work(StopToken(&stop)); });
  }

  std::shared_ptr<Domain> domain_;
  ProblemEncoder encoder_;
  ProblemIndex index_;
};

}  // namespace

void BindSimilarity(py::module_& module) {
  py::class_<PythonIndex>(module, "ProblemIndex",
                          "Problems with their vectors. All states that it is given are canonical text.")
      .def(py::init<std::shared_ptr<Domain>, const LoadedModel&>(), py::arg("domain"), py::arg("model"))
      .def_static("read", &PythonIndex::Read, py::arg("path"), py::arg("domain"), py::arg("model"))
      .def_static(
          "domain_of_file", [](const std::filesystem::path& path) { return ProblemIndex::DomainOfFile(path); }, py::arg("path"))
      .def_property_readonly("domain", &PythonIndex::domain)
      .def("__len__", &PythonIndex::size)
      .def("__getitem__", &PythonIndex::At, py::arg("place"))
      .def("add", &PythonIndex::Add, py::arg("states"), py::kw_only(), py::arg("threads"))
      .def("add_generated", &PythonIndex::AddGenerated, py::arg("first"), py::arg("end"), py::kw_only(), py::arg("threads"))
      .def("similar", &PythonIndex::Similar, py::arg("state"), py::arg("count"), py::kw_only(), py::arg("threads"))
      .def("write", &PythonIndex::Write, py::arg("path"));
}

}  // namespace conpole::python
