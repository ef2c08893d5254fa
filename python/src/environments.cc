// Vector environments: what conpole.VectorEnvironment and the environments of Gymnasium are made of.
#include <cstring>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include "python/src/bindings.h"
#include "python/src/expansion.h"
#include "python/src/python_domain.h"
#include "python/src/shared_pool.h"
#include "python/src/text_column.h"
#include "python/src/texts.h"
#include "python/src/vector_environment.h"

namespace py = pybind11;

namespace conpole::python {
namespace {

// Memory for arrays of one size. What an array had comes back when nobody looks at it any more: fresh memory of this size would
// have to be brought in by the system, page by page, with every step.
class ArrayMemory : public std::enable_shared_from_this<ArrayMemory> {
 public:
  explicit ArrayMemory(std::size_t bytes) : bytes_(bytes) {}

  // Requires the lock.
  template <class Element>
  py::array_t<Element> MakeArray(std::size_t rows, std::size_t columns) {
    auto lease = std::make_unique<Lease>(Lease{shared_from_this(), Take()});
    Element* const elements = reinterpret_cast<Element*>(lease->memory.get());
    const py::capsule owner(lease.release(), [](void* given) { delete static_cast<Lease*>(given); });
    return py::array_t<Element>({rows, columns}, elements, owner);
  }

 private:
  struct Lease {
    std::shared_ptr<ArrayMemory> home;
    std::unique_ptr<char[]> memory;

    ~Lease() {
      if (home) home->Give(std::move(memory));
    }
    Lease(std::shared_ptr<ArrayMemory> from, std::unique_ptr<char[]> taken) : home(std::move(from)), memory(std::move(taken)) {}
    Lease(Lease&&) = default;
    Lease& operator=(Lease&&) = delete;
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
  };

  std::unique_ptr<char[]> Take() {
    const std::lock_guard lock(mutex_);
    if (spare_.empty()) return std::unique_ptr<char[]>(new char[bytes_]);
    std::unique_ptr<char[]> taken = std::move(spare_.back());
    spare_.pop_back();
    return taken;
  }

  void Give(std::unique_ptr<char[]> memory) {
    constexpr std::size_t kMaxSpare = 3;
    const std::lock_guard lock(mutex_);
    if (spare_.size() < kMaxSpare) spare_.push_back(std::move(memory));
  }

  std::size_t bytes_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<char[]>> spare_;
};

Autoreset AutoresetOf(std::string_view name) {
  if (name == "next-step") return Autoreset::kNextStep;
  if (name == "same-step") return Autoreset::kSameStep;
  if (name == "disabled") return Autoreset::kDisabled;
  throw Error(fmt::format("unknown autoreset '{}'; there are: next-step, same-step, disabled", name));
}

template <class Element>
using Column = py::array_t<Element, py::array::c_style>;

// The arrays that a call fills.
struct Arrays {
  py::array_t<std::uint8_t> characters;
  py::array_t<std::int32_t> lengths;
  py::array_t<std::int8_t> action_mask;
  py::array_t<std::int32_t> actions;

  VectorEnvironment::View view() {
    return {characters.mutable_data(), lengths.mutable_data(), action_mask.mutable_data(), actions.mutable_data()};
  }
};

ProblemSeeds SeedsOf(const std::uint64_t* words) {
  return {(Uint128{words[0]} << 64) | words[1], (Uint128{words[2]} << 64) | words[3]};
}

class PythonEnvironments {
 public:
  PythonEnvironments(std::shared_ptr<Domain> domain, std::size_t count, std::uint64_t max_steps, std::size_t max_actions,
                     std::size_t max_length, const std::string& autoreset, std::size_t threads)
      : environment_(std::move(domain), {count, max_steps, max_actions, max_length, AutoresetOf(autoreset), threads}),
        characters_(std::make_shared<ArrayMemory>(count * max_length)),
        masks_(std::make_shared<ArrayMemory>(count * max_actions)) {}

  bool ready() const { return environment_.ready(); }
  bool cut_actions() const { return environment_.cut_actions(); }
  bool cut_characters() const { return environment_.cut_characters(); }

  // `seeds` has the rows of the chosen environments that are seeded: their numbers, and four words each.
  py::tuple Reset(const Column<bool>& chosen, const std::vector<std::size_t>& seeded, const Column<std::uint64_t>& words,
                  const std::vector<std::optional<std::string>>& problems) {
    const std::size_t count = environment_.options().count;
    if (static_cast<std::size_t>(chosen.size()) != count || problems.size() != count ||
        static_cast<std::size_t>(words.size()) != 4 * seeded.size()) {
      throw Error("there must be as many choices, problems and seeds as environments");
    }
    std::vector<std::optional<ProblemSeeds>> seeds(count);
    for (std::size_t k = 0; k < seeded.size(); ++k) seeds.at(seeded[k]) = SeedsOf(words.data() + 4 * k);
    const std::span<const bool> chosen_ones(chosen.data(), count);
    return Call([&](const VectorEnvironment::View& view) { environment_.Reset(chosen_ones, seeds, problems, view); });
  }

  py::tuple Step(const py::array& given) {
    const std::size_t count = environment_.options().count;
    if (given.ndim() != 1 || static_cast<std::size_t>(given.size()) != count ||
        (given.dtype().kind() != 'i' && given.dtype().kind() != 'u')) {
      throw Error(fmt::format("expected {} integers as actions", count));
    }
    const py::array_t<std::int64_t, py::array::c_style | py::array::forcecast> actions(given);
    const std::span<const std::int64_t> chosen(actions.data(), count);
    const auto end = static_cast<std::int64_t>(environment_.options().max_actions);
    for (const std::int64_t action : chosen) {
      if (action < 0 || action >= end) throw Error(fmt::format("actions must be integers from 0 to {}", end - 1));
    }
    const auto size = static_cast<py::ssize_t>(count);
    py::array_t<double> rewards(size);
    py::array_t<bool> terminated(size);
    py::array_t<bool> truncated(size);
    const VectorEnvironment::Outcomes outcomes{rewards.mutable_data(), terminated.mutable_data(), truncated.mutable_data()};
    const py::tuple view = Call([&](const VectorEnvironment::View& filled) { environment_.Step(chosen, filled, outcomes); });
    return py::make_tuple(view, rewards, terminated, truncated);
  }

  // The successors in a column, and of each environment where its own begin.
  py::tuple Expansion() {
    std::vector<std::string_view> texts;
    std::vector<std::int64_t> first;
    environment_.ListSuccessors(texts, first);
    return py::make_tuple(std::make_unique<TextColumn>(texts),
                          py::array_t<std::int64_t>(static_cast<py::ssize_t>(first.size()), first.data()));
  }

  py::list States() const {
    py::list states(environment_.positions().size());
    for (std::size_t i = 0; i < states.size(); ++i) states[i] = ToStr(environment_.positions()[i].state);
    return states;
  }

  // Of the chosen environments, whose episodes ended with the last step, which began the next ones.
  py::list FinalStates(const std::vector<std::size_t>& chosen) const {
    py::list states(chosen.size());
    for (std::size_t k = 0; k < chosen.size(); ++k) states[k] = ToStr(environment_.positions().at(chosen[k]).final_state);
    return states;
  }
  py::array_t<std::uint8_t> FinalCharacters(const std::vector<std::size_t>& chosen) const {
    const std::size_t width = environment_.options().max_length;
    py::array_t<std::uint8_t> rows({chosen.size(), width});
    for (std::size_t k = 0; k < chosen.size(); ++k) {
      const std::string& state = environment_.positions().at(chosen[k]).final_state;
      const std::size_t length = std::min(state.size(), width);
      std::uint8_t* const row = rows.mutable_data() + k * width;
      std::memcpy(row, state.data(), length);
      std::memset(row + length, 0, width - length);
    }
    return rows;
  }

  // All that there is to know of where the environments are.
  py::tuple Save() const {
    const std::vector<VectorEnvironment::Position>& positions = environment_.positions();
    py::array_t<std::uint64_t> words({positions.size(), std::size_t{4}});
    std::vector<std::uint64_t> steps;
    std::vector<bool> ended;
    for (std::size_t i = 0; i < positions.size(); ++i) {
      const ProblemSeeds& seeds = positions[i].seeds;
      std::uint64_t* const row = words.mutable_data() + 4 * i;
      row[0] = static_cast<std::uint64_t>(seeds.state >> 64);
      row[1] = static_cast<std::uint64_t>(seeds.state);
      row[2] = static_cast<std::uint64_t>(seeds.increment >> 64);
      row[3] = static_cast<std::uint64_t>(seeds.increment);
      steps.push_back(positions[i].steps);
      ended.push_back(positions[i].ended);
    }
    return py::make_tuple(States(), words, steps, ended);
  }

  py::tuple Restore(const py::tuple& saved) {
    const auto states = py::cast<std::vector<std::string>>(saved[0]);
    const auto words = py::cast<Column<std::uint64_t>>(saved[1]);
    const auto steps = py::cast<std::vector<std::uint64_t>>(saved[2]);
    const auto ended = py::cast<std::vector<bool>>(saved[3]);
    if (static_cast<std::size_t>(words.size()) != 4 * states.size() || steps.size() != states.size() ||
        ended.size() != states.size()) {
      throw Error("this is not what environments saved");
    }
    std::vector<VectorEnvironment::Position> positions(states.size());
    for (std::size_t i = 0; i < states.size(); ++i) {
      positions[i].state = states[i];
      positions[i].seeds = SeedsOf(words.data() + 4 * i);
      positions[i].steps = steps[i];
      positions[i].ended = ended[i];
    }
    return Call([&](const VectorEnvironment::View& view) { environment_.Restore(std::move(positions), view); });
  }

 private:
  template <class Work>
  py::tuple Call(const Work& work) {
    const VectorEnvironment::Options& options = environment_.options();
    const auto count = static_cast<py::ssize_t>(options.count);
    Arrays arrays{characters_->MakeArray<std::uint8_t>(options.count, options.max_length), py::array_t<std::int32_t>(count),
                  masks_->MakeArray<std::int8_t>(options.count, options.max_actions), py::array_t<std::int32_t>(count)};
    const VectorEnvironment::View view = arrays.view();
    {
      const py::gil_scoped_release release;
      work(view);
    }
    return py::make_tuple(arrays.characters, arrays.lengths, arrays.action_mask, arrays.actions);
  }

  VectorEnvironment environment_;
  std::shared_ptr<ArrayMemory> characters_;
  std::shared_ptr<ArrayMemory> masks_;
};

}  // namespace

void BindEnvironments(py::module_& module) {
  py::class_<PythonEnvironments>(module, "Environments", "Many problems of a domain at a time.")
      .def(py::init<std::shared_ptr<Domain>, std::size_t, std::uint64_t, std::size_t, std::size_t, const std::string&,
                    std::size_t>(),
           py::arg("domain"), py::kw_only(), py::arg("count"), py::arg("max_steps"), py::arg("max_actions"),
           py::arg("max_length"), py::arg("autoreset"), py::arg("threads"))
      .def_property_readonly("ready", &PythonEnvironments::ready)
      .def_property_readonly("cut_actions", &PythonEnvironments::cut_actions)
      .def_property_readonly("cut_characters", &PythonEnvironments::cut_characters)
      .def("reset", &PythonEnvironments::Reset, py::arg("chosen"), py::arg("seeded"), py::arg("seeds"), py::arg("problems"))
      .def("step", &PythonEnvironments::Step, py::arg("actions"))
      .def("states", &PythonEnvironments::States)
      .def("expansion", &PythonEnvironments::Expansion)
      .def("final_states", &PythonEnvironments::FinalStates, py::arg("chosen"))
      .def("final_characters", &PythonEnvironments::FinalCharacters, py::arg("chosen"))
      .def("save", &PythonEnvironments::Save)
      .def("restore", &PythonEnvironments::Restore, py::arg("saved"));

  module.def(
      "survey_walks",
      [](const Domain& domain, std::uint64_t problems, std::uint64_t steps) {
        WalkSurvey survey;
        {
          const py::gil_scoped_release release;
          survey = SurveyWalks(domain, problems, steps);
        }
        return py::make_tuple(survey.actions, survey.length, survey.always_as_many_actions);
      },
      py::arg("domain"), py::arg("problems"), py::arg("steps"),
      "What random walks meet: the most actions, the longest state, and whether all open states have as many actions.");
}

}  // namespace conpole::python
