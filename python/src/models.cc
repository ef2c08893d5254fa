// Models: conpole.Model.
#include <memory>
#include <numeric>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <fmt/format.h>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include "python/src/bindings.h"
#include "python/src/loaded_model.h"
#include "python/src/shared_pool.h"
#include "python/src/texts.h"

namespace py = pybind11;

namespace conpole::python {
namespace {

py::array_t<float> Embed(const LoadedModel& loaded, const py::object& states, std::size_t threads) {
  const Texts texts(states, "states");
  const std::size_t size = loaded.encoder.vector_size();
  py::array_t<float> vectors({texts.size(), size});
  const std::span<float> out(vectors.mutable_data(), texts.size() * size);
  const py::gil_scoped_release release;
  WithSharedPool(threads, [&](ThreadPool& pool) { loaded.encoder.Encode(texts.views(), out, pool); });
  return vectors;
}

// Each text once, since encoding is what costs.
class DistinctTexts {
 public:
  std::size_t Add(std::string_view text) {
    const auto [at, added] = index_.emplace(text, texts_.size());
    if (added) texts_.push_back(text);
    return at->second;
  }
  const std::vector<std::string_view>& texts() const { return texts_; }

 private:
  std::unordered_map<std::string_view, std::size_t> index_;
  std::vector<std::string_view> texts_;
};

void ScorePairs(const Encoder& encoder, const Texts& parents, const Texts& candidates, std::span<float> scores,
                ThreadPool& pool) {
  const bool by_parent = encoder.architecture().head == Head::kBilinear;
  DistinctTexts distinct;
  std::vector<std::size_t> parent_of;
  std::vector<std::size_t> candidate_of;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    if (by_parent) parent_of.push_back(distinct.Add(parents.views()[i]));
    candidate_of.push_back(distinct.Add(candidates.views()[i]));
  }
  const std::size_t size = encoder.vector_size();
  std::vector<float> vectors(distinct.texts().size() * size);
  encoder.Encode(distinct.texts(), vectors, pool);
  const auto vector = [&](std::size_t text) { return std::span<const float>(vectors).subspan(text * size, size); };
  std::vector<float> projected(size);
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const std::span<const float> candidate = vector(candidate_of[i]);
    if (!by_parent) {
      scores[i] = encoder.Value(candidate);
      continue;
    }
    // Candidates of one parent mostly stand together.
    if (i == 0 || parent_of[i] != parent_of[i - 1]) encoder.Project(vector(parent_of[i]), projected);
    scores[i] = std::inner_product(candidate.begin(), candidate.end(), projected.begin(), 0.0F);
  }
}

py::array_t<float> Score(const LoadedModel& loaded, const py::object& parents, const py::object& candidates,
                         std::size_t threads) {
  const Texts parent_texts(parents, "parents");
  const Texts candidate_texts(candidates, "candidates");
  if (parent_texts.size() != candidate_texts.size()) {
    throw Error(fmt::format("there are {} parents and {} candidates", parent_texts.size(), candidate_texts.size()));
  }
  py::array_t<float> scores(static_cast<py::ssize_t>(candidate_texts.size()));
  const std::span<float> out(scores.mutable_data(), candidate_texts.size());
  const py::gil_scoped_release release;
  WithSharedPool(threads, [&](ThreadPool& pool) { ScorePairs(loaded.encoder, parent_texts, candidate_texts, out, pool); });
  return scores;
}

}  // namespace

void BindModels(py::module_& module) {
  py::class_<LoadedModel, std::shared_ptr<LoadedModel>>(module, "Model",
                                                        "A network that guides searches. Immutable; any thread may use it.")
      .def(py::init([](const std::filesystem::path& path) { return std::make_shared<LoadedModel>(path.string()); }),
           py::arg("path"))
      .def_property_readonly(
          "metadata", [](const LoadedModel& loaded) { return loaded.model.metadata; },
          "What is known about the model: its domain, how it was trained.")
      .def_property_readonly(
          "vector_size", [](const LoadedModel& loaded) { return loaded.encoder.vector_size(); }, "The length of a vector.")
      .def_property_readonly(
          "head",
          [](const LoadedModel& loaded) { return loaded.model.architecture.head == Head::kBilinear ? "bilinear" : "value"; },
          "bilinear: it prefers candidates of a parent; value: it judges a state alone.")
      .def("embed", &Embed, py::arg("states"), py::kw_only(), py::arg("threads") = 0,
           "The vectors of states: float32[states, vector_size].")
      .def("score", &Score, py::arg("parents"), py::arg("candidates"), py::kw_only(), py::arg("threads") = 0,
           "float32[candidates]: how good each candidate is as the next state after its parent; higher is better.")
      .def("__call__", &Score, py::arg("parents"), py::arg("candidates"), py::kw_only(), py::arg("threads") = 0,
           "The same as score: a model is a scorer.");
}

}  // namespace conpole::python
