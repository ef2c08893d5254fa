// Searches: the function that conpole.search calls, and conpole.SearchResult.
#include <atomic>
#include <chrono>
#include <cmath>
#include <future>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include "nn/network_scorer.h"
#include "python/src/bindings.h"
#include "python/src/loaded_model.h"
#include "python/src/python_domain.h"
#include "python/src/texts.h"
#include "search/run_search.h"
#include "search/scorers.h"

namespace py = pybind11;

namespace conpole::python {
namespace {

// scorer(parents, candidates) -> scores, in Python.
class CallableScorer final : public Scorer {
 public:
  CallableScorer(const py::object& callable, ScoreMeaning meaning) : callable_(callable), meaning_(meaning) {}

  ScoreMeaning meaning() const override { return meaning_; }

  void Score(const ScoreBatch& batch, std::span<float> scores) override {
    const py::gil_scoped_acquire lock;
    std::vector<py::str> texts;
    texts.reserve(batch.texts.size());
    for (const std::string_view text : batch.texts) texts.push_back(ToStr(text));
    py::list parents(batch.pairs.size());
    py::list candidates(batch.pairs.size());
    for (std::size_t i = 0; i < batch.pairs.size(); ++i) {
      parents[i] = texts[batch.pairs[i].parent];
      candidates[i] = texts[batch.pairs[i].candidate];
    }
    const py::array_t<float, py::array::c_style | py::array::forcecast> array(callable_(parents, candidates));
    if (array.ndim() != 1 || static_cast<std::size_t>(array.size()) != scores.size()) {
      throw Error(fmt::format("the scorer must return a list of {} scores, one per candidate", scores.size()));
    }
    for (std::size_t i = 0; i < scores.size(); ++i) {
      scores[i] = array.data()[i];
      if (std::isnan(scores[i])) {
        throw Error(
            fmt::format("the scorer returned a score that is not a number, for '{}'", batch.texts[batch.pairs[i].candidate]));
      }
    }
  }

 private:
  const py::object& callable_;  // belongs to the caller of the search
  ScoreMeaning meaning_;
};

// Interrupts a search that runs without Python's code in it, so that Ctrl-C works.
template <class Work>
void RunInterruptibly(const Work& work, std::atomic<bool>& stop) {
  std::future<void> done;
  {
    const py::gil_scoped_release release;
    done = std::async(std::launch::async, work);
    constexpr std::chrono::milliseconds kBetweenLooks(50);
    while (done.wait_for(kBetweenLooks) != std::future_status::ready) {
      const py::gil_scoped_acquire lock;
      if (PyErr_CheckSignals() == 0) continue;
      const py::error_already_set interrupted;
      stop = true;
      {
        const py::gil_scoped_release waiting;
        done.wait();
      }
      throw interrupted;
    }
  }
  done.get();
}

ScoreMeaning MeaningOf(const std::string& name) {
  if (name == "preference") return ScoreMeaning::kPreference;
  if (name == "negative cost") return ScoreMeaning::kNegativeCost;
  throw Error(fmt::format("unknown meaning '{}' of scores; there are: preference, negative cost", name));
}

BeamValue BeamValueOf(const std::string& name) {
  if (name == "sum") return BeamValue::kSumOfScores;
  if (name == "last") return BeamValue::kLastScore;
  if (name == "log-probability") return BeamValue::kLogProbability;
  throw Error(fmt::format("unknown beam value '{}'; there are: sum, last, log-probability", name));
}

const char* NameOf(SearchOutcome outcome) {
  switch (outcome) {
    case SearchOutcome::kSolved:
      return "solved";
    case SearchOutcome::kExhausted:
      return "exhausted";
    case SearchOutcome::kOutOfBudget:
      return "out of budget";
    case SearchOutcome::kInterrupted:
      return "interrupted";
  }
  return "";
}

struct SearchArguments {
  std::string algorithm;
  std::string meaning;
  std::uint64_t seed;
  std::size_t max_steps;
  std::size_t beam;
  std::string beam_value;
  std::uint64_t max_edges;
  double weight;
  std::size_t batch;
  std::uint64_t max_expanded;
  std::size_t threads;

  SearchOptions Resolve() const {
    SearchOptions options;
    options.kind = SearchKindOf(algorithm);
    options.greedy.max_steps = max_steps;
    options.beam.max_steps = max_steps;
    options.beam.width = beam;
    options.beam.value = BeamValueOf(beam_value);
    options.breadth_first.max_edges = max_edges;
    options.best_first.weight = weight;
    options.best_first.batch = batch;
    options.best_first.max_expanded = max_expanded;
    return options;
  }
};

std::vector<SearchResult> Search(const Domain& domain, const std::vector<std::string>& problems, const py::object& guide,
                                 const SearchArguments& arguments) {
  SearchOptions options = arguments.Resolve();
  const ScoreMeaning meaning = MeaningOf(arguments.meaning);
  const bool native_guide = py::isinstance<py::str>(guide) || py::isinstance<LoadedModel>(guide);
  if (!native_guide && PyCallable_Check(guide.ptr()) == 0) {
    throw py::type_error(fmt::format("the scorer must be a name, a Model or a function of (parents, candidates), not {}",
                                     Py_TYPE(guide.ptr())->tp_name));
  }
  const bool runs_python = IsPython(domain) || (!native_guide && options.kind != SearchKind::kBreadthFirst);
  ThreadPool pool(IsPython(domain) ? 1 : arguments.threads);
  std::unique_ptr<Scorer> scorer;
  if (py::isinstance<py::str>(guide)) {
    scorer = MakeScorer(py::cast<std::string>(guide), domain.type().name, arguments.seed);
  } else if (native_guide) {
    scorer = std::make_unique<NetworkScorer>(py::cast<const LoadedModel&>(guide).model, pool);
  } else {
    scorer = std::make_unique<CallableScorer>(guide, meaning);
  }

  std::vector<SearchResult> results;
  std::atomic<bool> stop = false;
  options.stop = &stop;
  const auto work = [&] { results = RunSearch(domain, *scorer, problems, options, pool); };
  if (runs_python) {
    // In the caller's thread, where Python's code is interrupted by itself.
    const py::gil_scoped_release release;
    work();
  } else {
    RunInterruptibly(work, stop);
  }
  return results;
}

}  // namespace

void BindSearch(py::module_& module) {
  py::class_<SearchResult>(module, "SearchResult", "What a search found, and what it spent.")
      .def_property_readonly(
          "outcome", [](const SearchResult& result) { return NameOf(result.outcome); }, "solved, exhausted or out of budget.")
      .def_property_readonly("solved", &SearchResult::solved)
      .def_readonly("path", &SearchResult::path, "The states from the problem to the solved one; empty unless solved.")
      .def_property_readonly("steps", &SearchResult::steps, "The number of steps of the path.")
      .def_readonly("expanded", &SearchResult::expanded, "States whose successors were listed.")
      .def_readonly("edges", &SearchResult::edges, "Successors that were listed.")
      .def("__repr__", [](const SearchResult& result) {
        return fmt::format("SearchResult({}, steps={}, expanded={}, edges={})", NameOf(result.outcome), result.steps(),
                           result.expanded, result.edges);
      });

  module.def(
      "search",
      [](const Domain& domain, const std::vector<std::string>& problems, const py::object& scorer, std::string algorithm,
         std::string meaning, std::uint64_t seed, std::size_t max_steps, std::size_t beam, std::string beam_value,
         std::uint64_t max_edges, double weight, std::size_t batch, std::uint64_t max_expanded, std::size_t threads) {
        return Search(domain, problems, scorer,
                      {std::move(algorithm), std::move(meaning), seed, max_steps, beam, std::move(beam_value), max_edges,
                       weight, batch, max_expanded, threads});
      },
      py::arg("domain"), py::arg("problems"), py::arg("scorer"), py::kw_only(), py::arg("algorithm"), py::arg("meaning"),
      py::arg("seed"), py::arg("max_steps"), py::arg("beam"), py::arg("beam_value"), py::arg("max_edges"), py::arg("weight"),
      py::arg("batch"), py::arg("max_expanded"), py::arg("threads"), "Searches problems, which are canonical text.");

  module.def("labels_of_path", &LabelsOfPath, py::arg("domain"), py::arg("path"), py::call_guard<py::gil_scoped_release>(),
             "The action of each step of a path.");
}

}  // namespace conpole::python
