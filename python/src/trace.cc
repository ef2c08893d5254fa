#include "python/src/trace.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <span>
#include <string_view>

#include <fmt/format.h>

#include "python/src/arrays.h"
#include "python/src/texts.h"

namespace py = pybind11;

namespace conpole::python {
namespace {

TextColumn TextsOf(const StateTable& table) {
  std::vector<std::string_view> texts(table.size());
  for (StateTable::Id id = 0; id < table.size(); ++id) texts[id] = table[id].text();
  return TextColumn(texts);
}

template <class Number>
py::object ViewOf(const std::vector<Number>& numbers, const py::object& owner) {
  return ViewColumn<Number>(std::span<const Number>(numbers), owner, Access::kWriteable);
}

py::object SolvedColumn(const py::object& self) {
  const SearchTrace& trace = self.cast<const SearchTrace&>();
  return ViewColumn<bool>(std::span<const std::uint8_t>(trace.solved), self, Access::kWriteable);
}

}  // namespace

SearchTrace::SearchTrace(const Domain& domain, const BeamSearch& search) : states(TextsOf(search.states())) {
  const StateTable& table = search.states();
  const BeamSearch::Trace& kept = search.trace();
  parents.resize(table.size());
  solved.resize(table.size());
  for (StateTable::Id id = 0; id < table.size(); ++id) {
    parents[id] = table[id].parent == StateTable::kNone ? -1 : static_cast<std::int64_t>(table[id].parent);
    solved[id] = domain.Solved(table[id].text()) ? 1 : 0;
  }
  scores.assign(table.size(), std::numeric_limits<float>::quiet_NaN());
  // The problem comes first, and is no candidate.
  const std::size_t scored = std::min<std::size_t>(kept.scores.size(), table.size() - 1);
  std::copy_n(kept.scores.begin(), scored, scores.begin() + 1);
  first.assign(search.round_begins().begin(), search.round_begins().end());
  first.push_back(table.size());
  chosen.assign(kept.chosen.begin(), kept.chosen.end());
  first_chosen.push_back(0);
  for (std::size_t step = 0; step < steps(); ++step) {
    first_chosen.push_back(step < kept.ends.size() ? static_cast<std::int64_t>(kept.ends[step]) : first_chosen.back());
  }
  for (StateTable::Id id = search.solved_state(); id != StateTable::kNone; id = table[id].parent) solution.push_back(id);
  std::reverse(solution.begin(), solution.end());
}

BeamSearch::Choose ChooseBy(const Domain& domain, const py::object& choose) {
  if (choose.is_none()) return {};
  return [&domain, &choose](const BeamSearch& search) {
    auto so_far = std::make_unique<SearchTrace>(domain, search);
    const py::gil_scoped_acquire lock;
    const std::vector<std::size_t> places = PlacesOf(choose(std::move(so_far)), search.states().size());
    return std::vector<BeamSearch::Id>(places.begin(), places.end());
  };
}

void BindSearchTrace(py::module_& module) {
  using Self = const py::object&;
  py::class_<SearchTrace>(module, "SearchTrace",
                          "All that a greedy or beam search has met, in columns: what ConPoLe learns from. States are named by "
                          "their place in `states`.")
      .def_property_readonly(
          "states", [](const SearchTrace& trace) -> const TextColumn& { return trace.states; },
          py::return_value_policy::reference_internal,
          "The problem, then the candidates of all steps, each text once, in a TextColumn.")
      .def_property_readonly(
          "parents", [](Self self) { return ViewOf(self.cast<const SearchTrace&>().parents, self); },
          "int64[states]: where each was reached from first; -1 for the problem.")
      .def_property_readonly(
          "scores", [](Self self) { return ViewOf(self.cast<const SearchTrace&>().scores, self); },
          "float32[states]: of each against its parent; NaN where the scorer was not asked.")
      .def_property_readonly("solved", &SolvedColumn, "bool[states]: which are solved.")
      .def_property_readonly(
          "first", [](Self self) { return ViewOf(self.cast<const SearchTrace&>().first, self); },
          "int64[steps + 1]: the candidates of step i are the states from first[i] to first[i + 1].")
      .def_property_readonly(
          "chosen", [](Self self) { return ViewOf(self.cast<const SearchTrace&>().chosen, self); },
          "int64: the states that each step went on with, the best first.")
      .def_property_readonly(
          "first_chosen", [](Self self) { return ViewOf(self.cast<const SearchTrace&>().first_chosen, self); },
          "int64[steps + 1]: step i went on with chosen[first_chosen[i]:first_chosen[i + 1]]; with none if it found a "
          "solution.")
      .def_property_readonly(
          "solution", [](Self self) { return ViewOf(self.cast<const SearchTrace&>().solution, self); },
          "int64: the states from the problem to the solved one; empty unless solved.")
      .def_property_readonly("steps", &SearchTrace::steps, "How many times candidates were listed.")
      .def("__len__", [](const SearchTrace& trace) { return trace.states.size(); })
      .def("__repr__",
           [](const SearchTrace& trace) {
             return fmt::format("SearchTrace({} states in {} steps)", trace.states.size(), trace.steps());
           })
      .def(py::pickle(
          [](Self self) {
            const SearchTrace& trace = self.cast<const SearchTrace&>();
            return py::make_tuple(self.attr("states"), ViewOf(trace.parents, self), ViewOf(trace.scores, self),
                                  ViewOf(trace.solved, self), ViewOf(trace.first, self), ViewOf(trace.chosen, self),
                                  ViewOf(trace.first_chosen, self), ViewOf(trace.solution, self));
          },
          [](const py::tuple& state) {
            auto trace = std::make_unique<SearchTrace>();
            const Texts texts(state[0], "states");
            trace->states = TextColumn(texts.views());
            trace->parents = NumbersOf<std::int64_t>(state[1]);
            trace->scores = NumbersOf<float>(state[2]);
            trace->solved = NumbersOf<std::uint8_t>(state[3]);
            trace->first = NumbersOf<std::int64_t>(state[4]);
            trace->chosen = NumbersOf<std::int64_t>(state[5]);
            trace->first_chosen = NumbersOf<std::int64_t>(state[6]);
            trace->solution = NumbersOf<std::int64_t>(state[7]);
            return trace;
          }));
}

}  // namespace conpole::python
