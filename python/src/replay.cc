// What was learned from searches, to learn from again: conpole.ReplayBuffer, with that of train/loop/replay.h behind it.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <pybind11/stl.h>

#include "conpole/domain.h"
#include "conpole/error.h"
#include "python/src/arrays.h"
#include "python/src/bindings.h"
#include "python/src/pair_batch.h"
#include "python/src/texts.h"
#include "python/src/trace.h"
#include "train/agents/solution_steps.h"
#include "train/loop/replay.h"
#include "train/loop/training_batch.h"
#include "util/hash.h"
#include "util/random.h"
#include "util/text_index.h"

namespace py = pybind11;

namespace conpole::python {
namespace {

// Pairs that may stand against the right one; names as the setting of training has them.
Negatives NegativesOf(const std::string& name) {
  if (name == "own-parent") return Negatives::kOwnParent;
  if (name == "algorithm-1") return Negatives::kAlgorithm1;
  if (name == "local") return Negatives::kLocal;
  throw Error(fmt::format("unknown negatives '{}'; there are: own-parent, algorithm-1, local", name));
}

// Throws Error if the replay buffer cannot hold it.
void CheckExperience(const Experience& experience) {
  if (experience.pairs.empty()) throw Error("an experience has at least one pair");
  if (experience.texts.size() > ReplayBuffer::kMaxTexts || experience.pairs.size() > ReplayBuffer::kMaxTexts) {
    throw Error(fmt::format("an experience has at most {} texts and as many pairs", ReplayBuffer::kMaxTexts));
  }
  for (const std::string_view text : experience.texts) {
    if (text.size() > kMaxStateBytes) throw Error(fmt::format("a text has at most {} bytes", kMaxStateBytes));
  }
}

// Random numbers are functions of the seed and a counter, so that there is little to keep. Not thread-safe, as the buffer.
class Replay {
 public:
  Replay(std::size_t capacity, std::uint64_t seed) : capacity_(capacity), seed_(seed), buffer_(Checked(capacity)) {}

  void Add(const py::object& parents, const py::object& candidates, const py::object& targets) {
    const Texts parent_texts(parents, "parents");
    const Texts candidate_texts(candidates, "candidates");
    const std::size_t count = candidate_texts.size();
    if (parent_texts.size() != count) {
      throw Error(fmt::format("there are {} parents and {} candidates", parent_texts.size(), count));
    }
    Experience experience;
    TextIndex distinct;
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint32_t parent = distinct.Add(parent_texts.views()[i]);
      experience.pairs.push_back({parent, distinct.Add(candidate_texts.views()[i])});
    }
    experience.texts.assign(distinct.texts().begin(), distinct.texts().end());
    if (targets.is_none()) {
      experience.targets.assign(count, 0);
      if (count != 0) experience.targets.front() = 1;
    } else {
      const py::array_t<float> numbers =
          FloatsOf(targets, count, fmt::format("there are {} candidates, and one target for each", count));
      experience.targets.assign(numbers.data(), numbers.data() + count);
    }
    experience.learned = count;
    CheckExperience(experience);
    buffer_.Add(experience);
  }

  // Each step of the solution: the right pair, and at most `kept` of the others.
  std::size_t AddSolution(const SearchTrace& trace, const std::string& negatives_name, std::size_t kept) {
    const Negatives negatives = NegativesOf(negatives_name);
    Random random = NextRandom();
    std::size_t added = 0;
    std::vector<std::size_t> others;
    const auto place = [](std::int64_t number) { return static_cast<std::size_t>(number); };
    for (std::size_t step = 0; step + 1 < trace.solution.size(); ++step) {
      const std::size_t state = place(trace.solution[step]);
      const std::size_t next = place(trace.solution[step + 1]);
      others.clear();
      for (std::size_t id = place(trace.first[step]); id < place(trace.first[step + 1]); ++id) {
        if (id == next || (negatives == Negatives::kLocal && place(trace.parents[id]) != state)) continue;
        // Another solved state is as good as the one that was found first.
        if (trace.solved[id] == 0) others.push_back(id);
      }
      if (others.empty()) continue;
      if (kept < others.size()) {
        SampleToFront(others, kept, random);
        others.resize(kept);
      }
      AddStep(trace, state, next, others, negatives);
      ++added;
    }
    return added;
  }

  std::unique_ptr<PairBatch> Sample(std::size_t examples, std::optional<std::size_t> negatives) {
    if (buffer_.size() == 0) throw Error("there is nothing in the replay buffer yet");
    Random random = NextRandom();
    TrainingBatch batch;
    Experience experience;
    for (std::size_t i = 0; i < examples; ++i) {
      buffer_.Read(random.Uint64(0, buffer_.size()), experience);
      if (negatives && *negatives + 1 < experience.pairs.size()) Thin(experience, *negatives, random);
      for (std::size_t k = 0; k < experience.pairs.size(); ++k) {
        const ScoreBatch::Pair& pair = experience.pairs[k];
        batch.AddPair(experience.texts[pair.parent], experience.texts[pair.candidate], experience.targets[k]);
      }
      batch.EndExample();
    }
    return std::make_unique<PairBatch>(batch);
  }

  std::size_t size() const { return buffer_.size(); }
  std::size_t capacity() const { return capacity_; }
  std::uint64_t added() const { return buffer_.added(); }
  std::size_t memory_used() const { return buffer_.MemoryUsed(); }

  py::tuple State() const {
    std::string bytes;
    buffer_.Save([&](std::string_view piece) { bytes += piece; });
    return py::make_tuple(capacity_, seed_, drawn_, py::bytes(bytes));
  }
  static std::unique_ptr<Replay> FromState(const py::tuple& state) {
    auto replay = std::make_unique<Replay>(state[0].cast<std::size_t>(), state[1].cast<std::uint64_t>());
    replay->drawn_ = state[2].cast<std::uint64_t>();
    replay->buffer_.Restore(static_cast<std::string>(state[3].cast<py::bytes>()));
    return replay;
  }

 private:
  static std::size_t Checked(std::size_t capacity) {
    if (capacity == 0) throw Error("the capacity of a replay buffer is at least 1");
    return capacity;
  }

  Random NextRandom() { return Random(MixHash(seed_, drawn_++)); }

  void AddStep(const SearchTrace& trace, std::size_t state, std::size_t next, const std::vector<std::size_t>& others,
               Negatives negatives) {
    Experience experience;
    TextIndex distinct;
    const auto add = [&](std::size_t parent, std::size_t candidate, float target) {
      const std::uint32_t place = distinct.Add(trace.states[parent]);
      experience.pairs.push_back({place, distinct.Add(trace.states[candidate])});
      experience.targets.push_back(target);
    };
    add(state, next, 1);
    for (const std::size_t other : others) {
      add(negatives == Negatives::kAlgorithm1 ? state : static_cast<std::size_t>(trace.parents[other]), other, 0);
    }
    experience.texts.assign(distinct.texts().begin(), distinct.texts().end());
    experience.learned = experience.pairs.size();
    CheckExperience(experience);
    buffer_.Add(experience);
  }

  // Keeps the first pair, and `others` of the others, drawn at random, in a random order.
  static void Thin(Experience& experience, std::size_t others, Random& random) {
    for (std::size_t i = 1; i <= others; ++i) {
      const std::size_t k = random.Uint64(i, experience.pairs.size());
      std::swap(experience.pairs[i], experience.pairs[k]);
      std::swap(experience.targets[i], experience.targets[k]);
    }
    experience.pairs.resize(others + 1);
    experience.targets.resize(others + 1);
  }

  std::size_t capacity_;
  std::uint64_t seed_;
  std::uint64_t drawn_ = 0;
  ReplayBuffer buffer_;
};

}  // namespace

void BindReplay(py::module_& module) {
  py::class_<Replay>(
      module, "ReplayBuffer",
      "The latest experiences, each a list of pairs of texts with a target per pair, in compact memory. One thread "
      "at a time.")
      .def(py::init<std::size_t, std::uint64_t>(), py::arg("capacity") = 200'000, py::kw_only(), py::arg("seed") = 0)
      .def("add", &Replay::Add, py::arg("parents"), py::arg("candidates"), py::arg("targets") = py::none(),
           "Adds one experience: texts or columns of equal length. Without targets the first pair is the right one (1) and the "
           "others are not (0).")
      .def(
          "add_solution", &Replay::AddSolution, py::arg("trace"), py::kw_only(), py::arg("negatives") = "own-parent",
          py::arg("kept") = 255,
          "Adds each step of the solution that a search found, with at most `kept` of what the search could have gone on with, "
          "and returns how many steps that were: none if it found no solution. The right pair comes first. `negatives`: "
          "own-parent, algorithm-1 or local, as in the settings of training.")
      .def("sample", &Replay::Sample, py::arg("examples"), py::kw_only(), py::arg("negatives") = py::none(),
           "`examples` experiences, drawn at random, in a PairBatch. With `negatives`, that number of pairs of each, drawn at "
           "random, "
           "besides its first one.")
      .def_property_readonly("capacity", &Replay::capacity)
      .def_property_readonly("added", &Replay::added, "How many experiences were ever added.")
      .def_property_readonly("memory_used", &Replay::memory_used, "In bytes.")
      .def("__len__", &Replay::size)
      .def("__repr__",
           [](const Replay& replay) { return fmt::format("ReplayBuffer({} of {})", replay.size(), replay.capacity()); })
      .def(py::pickle([](const Replay& replay) { return replay.State(); }, &Replay::FromState));
}

}  // namespace conpole::python
