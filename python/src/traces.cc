// Solutions as data, and many lines judged at a time: the functions that conpole.export and conpole.check_batch call.
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include "python/src/bindings.h"
#include "python/src/guide.h"
#include "python/src/interruption.h"
#include "python/src/python_domain.h"
#include "python/src/shared_pool.h"
#include "python/src/texts.h"
#include "session/session.h"
#include "subjects/free_notation.h"
#include "subjects/subject.h"
#include "tutor/trace_file.h"

namespace py = pybind11;

namespace conpole::python {
namespace {

py::dict WriteTraces(const std::shared_ptr<Domain>& given, py::object scorer, const std::string& path,
                     const std::string& format, std::uint64_t count, std::uint64_t first, const std::string& shard,
                     std::size_t wrong, std::size_t alternatives, std::uint64_t seed, std::size_t beam, std::size_t max_steps,
                     const std::string& language, bool resume, const std::string& scorer_name, const std::string& version,
                     std::size_t threads) {
  TraceFileRequest request;
  request.path = path;
  request.format = TraceFormatOf(format);
  ReadShard(shard, request);
  request.options = {wrong, alternatives, seed, beam, max_steps, language};
  request.first = first;
  request.count = count;
  request.resume = resume;
  request.scorer = scorer_name;
  request.version = version;
  const Guide guide(std::move(scorer), "log-preference", 0);
  const SessionPolicy policy = guide.policy();
  const Domain& domain = *given;
  ThreadPool pool(IsPython(domain) ? 1 : threads);
  const std::unique_ptr<Scorer> made = policy.make_scorer(domain, pool);
  std::atomic<bool> stop = false;
  TraceCounts counts;
  RunUnlocked(IsPython(domain) || guide.is_function(), stop,
              [&] { counts = WriteTraceFile(domain, *made, request, pool, &stop); });
  py::dict result;
  result["problems"] = counts.problems;
  result["solved"] = counts.solved;
  result["traces"] = counts.traces;
  result["steps"] = counts.steps;
  result["right"] = counts.right;
  result["wrong"] = counts.wrong;
  result["not_known"] = counts.not_known;
  result["kinds"] = counts.kinds;
  result["mistakes"] = counts.mistakes;
  return result;
}

// What is known of a line: 1 it is so, 0 it is not, -1 that cannot be told.
py::tuple CheckBatch(const Domain& domain, const py::object& current, const py::object& lines, const std::string& language,
                     std::size_t threads) {
  const Texts before(current, "current");
  const Texts after(lines, "lines");
  if (before.size() != after.size()) {
    throw Error(fmt::format("there are {} current lines and {} lines after them", before.size(), after.size()));
  }
  const auto size = static_cast<py::ssize_t>(after.size());
  py::array_t<std::int8_t> readable(size);
  py::array_t<std::int8_t> is_true(size);
  py::array_t<std::int8_t> follows(size);
  const auto look = [&](std::size_t i, auto* read, auto* same, auto* step) {
    read[i] = 0;
    same[i] = step[i] = -1;
    const NotationResult first = ReadNotation(domain, before.views()[i], language);
    if (first.error) throw Error(fmt::format("current[{}]: {}", i, first.error->message.english()));
    const NotationResult next = ReadNextLine(domain, first.state, after.views()[i], language);
    if (next.error) return;
    read[i] = 1;
    const Subject& subject = SubjectOf(domain);
    const LineJudgement judgement = subject.Judge(domain, subject.Understand(first.state), subject.Understand(next.state));
    if (!judgement.is_true) return;
    same[i] = *judgement.is_true ? 1 : 0;
    step[i] = *judgement.is_true && judgement.follows ? 1 : 0;
  };
  auto* const read = readable.mutable_data();
  auto* const same = is_true.mutable_data();
  auto* const step = follows.mutable_data();
  const py::gil_scoped_release release;
  if (IsPython(domain)) {
    for (std::size_t i = 0; i < after.size(); ++i) look(i, read, same, step);
  } else {
    WithSharedPool(threads, [&](ThreadPool& pool) {
      SignalWatch watch;
      pool.For(after.size(), [&](std::size_t i) {
        constexpr std::size_t kBetweenLooks = 64;
        if (i % kBetweenLooks == 0) watch.Look();
        look(i, read, same, step);
      });
    });
  }
  const py::gil_scoped_acquire lock;
  return py::make_tuple(readable, is_true, follows);
}

}  // namespace

void BindTraces(py::module_& module) {
  module.def("write_traces", &WriteTraces, py::arg("domain"), py::arg("scorer"), py::kw_only(), py::arg("path"),
             py::arg("format"), py::arg("count"), py::arg("first"), py::arg("shard"), py::arg("wrong"), py::arg("alternatives"),
             py::arg("seed"), py::arg("beam"), py::arg("max_steps"), py::arg("language"), py::arg("resume"),
             py::arg("scorer_name"), py::arg("version"), py::arg("threads"),
             "Writes labelled solutions to a file, and returns what is in it.");
  module.def("check_batch", &CheckBatch, py::arg("domain"), py::arg("current"), py::arg("lines"), py::arg("language"),
             py::arg("threads"), "Per line: whether it can be read, whether it is true, whether it follows; -1 for not known.");
}

}  // namespace conpole::python
