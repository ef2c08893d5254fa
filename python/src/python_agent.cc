#include "python/src/python_agent.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "conpole/error.h"
#include "python/src/arrays.h"
#include "python/src/trace.h"
#include "search/beam_search.h"
#include "train/agents/solution_steps.h"
#include "util/text_index.h"

namespace py = pybind11;

namespace conpole::python {
namespace {

Loss LossOf(const std::string& name) {
  if (name == "contrastive") return Loss::kContrastive;
  if (name == "binary") return Loss::kBinary;
  if (name == "squared") return Loss::kSquared;
  throw Error(fmt::format("unknown loss '{}' of the agent; there are: contrastive, binary, squared", name));
}

class PythonAgent final : public AgentWith<BeamSearch> {
 public:
  PythonAgent(const py::object& object, TrainOptions options) : object_(object), options_(std::move(options)) {
    const py::gil_scoped_acquire lock;
    loss_ = LossOf(py::cast<std::string>(object_.attr("loss")));
    head_ = HeadOf(py::cast<std::string>(object_.attr("head")));
    choose_ = object_.attr("choose");
  }
  ~PythonAgent() override {
    const py::gil_scoped_acquire lock;
    choose_ = {};
  }
  PythonAgent(const PythonAgent&) = delete;
  PythonAgent& operator=(const PythonAgent&) = delete;

  Head head() const override { return head_; }
  ScoreMeaning meaning() const override { return UsualMeaning(head_); }
  Loss loss() const override { return loss_; }
  std::size_t solved_by_chance() const override { return options_.bootstrap; }

  std::unique_ptr<BeamSearch> Begin(const Domain& domain, const std::string& problem, const SearchTerms& terms,
                                    StateTable memory) const override {
    // As in the settings of training, by the last score.
    const BeamOptions beam{.width = options_.beam, .max_steps = terms.max_steps, .value = BeamValue::kLastScore};
    auto search = std::make_unique<BeamSearch>(domain, problem, beam, std::move(memory));
    search->KeepTrace();
    if (BeamSearch::Choose choose = ChooseBy(domain, choose_)) search->GoOnAs(std::move(choose));
    return search;
  }

  double TeachFrom(const Domain& domain, const BeamSearch& search, Random& /*random*/, ReplayBuffer& replay) const override {
    auto trace = std::make_unique<SearchTrace>(domain, search);
    const py::gil_scoped_acquire lock;
    const py::object its_trace = py::cast(std::move(trace));
    std::size_t added = 0;
    for (const py::handle lesson : py::iterable(object_.attr("teach")(its_trace))) {
      AddLesson(its_trace.cast<const SearchTrace&>(), lesson, replay);
      ++added;
    }
    return added == 0 ? 0 : options_.gradient_steps;
  }

  void AddExample(const Experience& experience, Random& random, TrainingBatch& batch) const override {
    if (loss_ == Loss::kContrastive)
      return AddSolutionStep(experience, options_.negatives_sampled, Parents::kRead, random, batch);
    for (std::size_t i = 0; i < experience.pairs.size(); ++i) {
      const ScoreBatch::Pair& pair = experience.pairs[i];
      batch.AddPair(experience.texts[pair.parent], experience.texts[pair.candidate], experience.targets[i]);
    }
    batch.EndExample();
  }

 private:
  // (parents, candidates, targets): places in the states of the trace, and a number for each pair.
  static void AddLesson(const SearchTrace& trace, py::handle lesson, ReplayBuffer& replay) {
    const auto parts = py::reinterpret_borrow<py::object>(lesson);
    if (!py::isinstance<py::sequence>(parts) || py::len(parts) != 3) {
      throw py::type_error("a lesson is (parents, candidates, targets)");
    }
    const py::sequence lists = parts;
    const std::vector<std::size_t> parents = PlacesOf(lists[0], trace.states.size());
    const std::vector<std::size_t> candidates = PlacesOf(lists[1], trace.states.size());
    const std::size_t count = parents.size();
    if (count == 0 || candidates.size() != count || count > ReplayBuffer::kMaxTexts / 2) {
      throw Error(fmt::format("a lesson has as many parents ({}) as candidates ({}), from 1 to {}", count, candidates.size(),
                              ReplayBuffer::kMaxTexts / 2));
    }
    const py::array_t<float> targets =
        FloatsOf(lists[2], count, fmt::format("a lesson of {} pairs has as many targets", count));
    Experience experience;
    TextIndex distinct;
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint32_t parent = distinct.Add(trace.states[parents[i]]);
      experience.pairs.push_back({parent, distinct.Add(trace.states[candidates[i]])});
    }
    experience.texts.assign(distinct.texts().begin(), distinct.texts().end());
    experience.targets.assign(targets.data(), targets.data() + count);
    experience.learned = count;
    replay.Add(experience);
  }

  const py::object& object_;
  py::object choose_;
  TrainOptions options_;
  Loss loss_ = Loss::kContrastive;
  Head head_ = Head::kBilinear;
};

}  // namespace

std::unique_ptr<Agent> MakePythonAgent(const py::object& object, const TrainOptions& options) {
  return std::make_unique<PythonAgent>(object, options);
}

}  // namespace conpole::python
