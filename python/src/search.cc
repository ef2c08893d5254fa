// Searches: the functions that conpole.search calls, conpole.SearchResult and TracedResult.
#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <pybind11/stl.h>

#include "python/src/bindings.h"
#include "python/src/guide.h"
#include "python/src/python_domain.h"
#include "python/src/trace.h"
#include "search/beam_search.h"
#include "search/run_search.h"
#include "search/scorers.h"
#include "session/session.h"

namespace py = pybind11;

namespace conpole::python {
namespace {

struct TracedResult : SearchResult {
  TracedResult(SearchResult result, py::object its_trace) : SearchResult(std::move(result)), trace(std::move(its_trace)) {}

  py::object trace;
};

SearchOptions MakeOptions(const std::string& algorithm, std::size_t max_steps, std::size_t beam,
                          const std::optional<std::string>& beam_value, std::uint64_t max_edges, double weight,
                          std::optional<std::size_t> batch, std::uint64_t max_expanded, std::size_t views, bool endgame) {
  SearchOptions options;
  options.kind = SearchKindOf(algorithm);
  options.greedy.max_steps = max_steps;
  options.beam.max_steps = max_steps;
  options.beam.width = beam;
  if (beam_value) options.beam.value = BeamValueOf(*beam_value);
  options.breadth_first.max_edges = max_edges;
  options.best_first.weight = weight;
  if (batch) options.best_first.batch = options.levin.batch = *batch;
  options.best_first.max_expanded = max_expanded;
  options.levin.max_expanded = max_expanded;
  if (views == 0) throw Error("views must be at least 1");
  options.beam.views = views;
  options.endgame = endgame;
  return options;
}

// All that a result is.
py::tuple StateOf(const SearchResult& result) {
  return py::make_tuple(static_cast<int>(result.outcome), py::tuple(py::cast(result.path)), result.expanded, result.edges);
}

py::list Search(std::shared_ptr<Domain> given, const std::vector<std::string>& problems, py::object scorer,
                SearchOptions options, bool trace, const py::object& choose, const std::string& meaning, std::uint64_t seed,
                const std::string& abstractions, std::size_t threads) {
  const Guide guide(std::move(scorer), meaning, seed);
  const SessionPolicy policy = guide.policy();
  const std::shared_ptr<const Domain> with = WithChosenAbstractions(std::move(given), abstractions, policy);
  const Domain& domain = *with;
  ThreadPool pool(IsPython(domain) ? 1 : threads);
  const std::unique_ptr<Scorer> made = policy.make_scorer(domain, pool);
  if (trace && choose.is_none() && options.kind == SearchKind::kBeam && made->packed() != nullptr &&
      domain.type().layout != nullptr) {
    throw Error("a beam search with this model is over packed states, and leaves no trace; greedy does");
  }
  if (!choose.is_none() && options.kind != SearchKind::kBeam) throw Error("only a beam search is told how to go on");
  const bool runs_python = IsPython(domain) || (guide.is_function() && options.kind != SearchKind::kBreadthFirst);
  std::vector<SearchResult> results;
  std::vector<std::unique_ptr<SearchTrace>> traces(trace ? problems.size() : 0);
  std::atomic<bool> stop = false;
  options.stop = &stop;
  RunUnlocked(runs_python, stop, [&] {
    if (!trace && choose.is_none()) {
      results = RunSearch(domain, *made, problems, options, pool);
    } else {
      const auto ended = [&](std::size_t index, const BeamSearch& search) {
        if (trace) traces[index] = std::make_unique<SearchTrace>(domain, search);
      };
      results = RunTracedSearch(domain, *made, problems, options, pool, ended, ChooseBy(domain, choose));
    }
  });
  py::list all(results.size());
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (!trace) {
      all[i] = std::move(results[i]);
    } else {
      all[i] = std::make_unique<TracedResult>(std::move(results[i]), py::cast(std::move(traces[i])));
    }
  }
  return all;
}

}  // namespace

const char* OutcomeName(SearchOutcome outcome) {
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

void BindSearch(py::module_& module) {
  py::class_<SearchResult>(module, "SearchResult", "What a search found, and what it spent.")
      .def_property_readonly(
          "outcome", [](const SearchResult& result) { return OutcomeName(result.outcome); },
          "solved, exhausted, out of budget or interrupted.")
      .def_property_readonly("solved", &SearchResult::solved)
      .def_readonly("path", &SearchResult::path, "The states from the problem to the solved one; empty unless solved.")
      .def_property_readonly("steps", &SearchResult::steps, "The number of steps of the path.")
      .def_readonly("expanded", &SearchResult::expanded, "States whose successors were listed.")
      .def_readonly("edges", &SearchResult::edges, "Successors that were listed.")
      .def("__repr__",
           [](const SearchResult& result) {
             return fmt::format("SearchResult({}, steps={}, expanded={}, edges={})", OutcomeName(result.outcome),
                                result.steps(), result.expanded, result.edges);
           })
      .def(
          "__eq__",
          [](const SearchResult& result, const py::object& other) -> py::object {
            if (!py::isinstance<SearchResult>(other)) return py::reinterpret_borrow<py::object>(Py_NotImplemented);
            return py::bool_(StateOf(result).equal(StateOf(py::cast<const SearchResult&>(other))));
          },
          py::arg("other"))
      .def("__hash__", [](const SearchResult& result) { return py::hash(StateOf(result)[1]); })
      .def(py::pickle([](const SearchResult& result) { return StateOf(result); },
                      [](const py::tuple& state) {
                        return SearchResult{static_cast<SearchOutcome>(py::cast<int>(state[0])),
                                            py::cast<std::vector<std::string>>(state[1]), py::cast<std::uint64_t>(state[2]),
                                            py::cast<std::uint64_t>(state[3])};
                      }));

  BindSearchTrace(module);
  py::class_<TracedResult, SearchResult>(module, "TracedResult", "What a search found, and how.")
      .def_readonly("trace", &TracedResult::trace, "All that the search has met, in a SearchTrace.")
      .def(py::pickle(
          [](const TracedResult& result) {
            return py::make_tuple(static_cast<int>(result.outcome), result.path, result.expanded, result.edges, result.trace);
          },
          [](const py::tuple& state) {
            SearchResult result{static_cast<SearchOutcome>(state[0].cast<int>()), state[1].cast<std::vector<std::string>>(),
                                state[2].cast<std::uint64_t>(), state[3].cast<std::uint64_t>()};
            return std::make_unique<TracedResult>(std::move(result), state[4]);
          }));

  py::class_<SearchOptions>(module, "SearchOptions", "Which search, and its limits.")
      .def(py::init(&MakeOptions), py::kw_only(), py::arg("algorithm") = "beam", py::arg("max_steps") = 30,
           py::arg("beam") = 10, py::arg("beam_value") = py::none(), py::arg("max_edges") = 1'000'000, py::arg("weight") = 1.0,
           py::arg("batch") = py::none(), py::arg("max_expanded") = 100'000, py::arg("views") = 1, py::arg("endgame") = true);

  module.def(
      "search", &Search, py::arg("domain"), py::arg("problems"), py::arg("scorer"), py::arg("options"), py::kw_only(),
      py::arg("trace"), py::arg("choose"), py::arg("meaning"), py::arg("seed"), py::arg("abstractions"), py::arg("threads"),
      "Searches problems, which are canonical text; with a trace, for greedy and beam search, the results are TracedResults.");

  module.def(
      "default_scorer", [](const Domain& domain) { return DefaultScorer(domain.type()); }, py::arg("domain"),
      "The name of the scorer for a domain without a model.");
  module.def(
      "heuristic_suffices", [](const Domain& domain) { return HeuristicSuffices(domain.type()); }, py::arg("domain"),
      "Whether the domain's heuristic guides well enough to be used where a model is there too.");

  module.def("labels_of_path", &LabelsOfPath, py::arg("domain"), py::arg("path"), py::call_guard<py::gil_scoped_release>(),
             "The action of each step of a path.");
}

}  // namespace conpole::python
