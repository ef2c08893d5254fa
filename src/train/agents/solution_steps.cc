#include "train/agents/solution_steps.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <utility>
#include <vector>

#include "search/best_first.h"
#include "train/agents/known_ways.h"
#include "util/random_fraction.h"

namespace conpole {
namespace {

using Id = StateTable::Id;

// A step of the search: the state that is left, and where it leads.
struct Step {
  Id state;
  Id next;
};

Experience MakeExperience(const StateTable& states, const std::vector<Step>& right, const std::vector<Step>& others,
                          std::size_t steps_to_go) {
  Experience experience;
  std::vector<Id> parents;  // their texts come first
  const auto index_of_parent = [&](Id parent) {
    const auto found = std::find(parents.begin(), parents.end(), parent);
    const auto index = static_cast<std::uint32_t>(std::distance(parents.begin(), found));
    if (found == parents.end()) parents.push_back(parent);
    return index;
  };
  for (const Step& step : right) experience.pairs.push_back({index_of_parent(step.state), 0});
  for (const Step& step : others) experience.pairs.push_back({index_of_parent(step.state), 0});
  for (const Id parent : parents) experience.texts.push_back(states[parent].text());
  const auto add_candidate = [&](ScoreBatch::Pair& pair, Id id) {
    pair.candidate = static_cast<std::uint32_t>(experience.texts.size());
    experience.texts.push_back(states[id].text());
  };
  for (std::size_t i = 0; i < right.size(); ++i) add_candidate(experience.pairs[i], right[i].next);
  for (std::size_t i = 0; i < others.size(); ++i) add_candidate(experience.pairs[right.size() + i], others[i].next);
  experience.learned = experience.pairs.size();
  experience.targets.assign(experience.pairs.size(), 0);
  std::fill_n(experience.targets.begin(), right.size(), 1.0F);
  experience.steps_to_go = static_cast<std::uint16_t>(std::min<std::size_t>(steps_to_go, UINT16_MAX));
  return experience;
}

void Keep(std::size_t kept, std::vector<Step>& steps, Random& random) {
  if (kept >= steps.size()) return;
  SampleToFront(steps, kept, random);
  steps.resize(kept);
}

// What one search teaches.
class Lesson {
 public:
  Lesson(const Domain& domain, const GuidedSearch& search, const SolutionLessons& lessons, Random& random, ReplayBuffer& replay)
      : domain_(domain),
        search_(search),
        states_(search.states()),
        lessons_(lessons),
        random_(random),
        replay_(replay),
        round_begins_(search.round_begins()) {
    for (Id id = search.solved_state(); id != StateTable::kNone; id = states_[id].parent) path_.push_back(id);
    std::reverse(path_.begin(), path_.end());
    round_begins_.push_back(states_.size());
    for (std::size_t step = 1; step < path_.size(); ++step) rounds_.push_back(RoundOf(path_[step]));
    if (lessons.from != LearnFrom::kSolution) steps_to_go_ = KnownStepsToGo(domain, search);
  }

  void KeepSolution() {
    for (std::size_t step = 0; step + 1 < path_.size(); ++step) {
      others_.clear();
      right_.assign(1, {path_[step], path_[step + 1]});
      if (lessons_.from != LearnFrom::kSolution) AddRightSteps(step);
      for (Id id = RoundBegin(step); id < RoundEnd(step); ++id) {
        if (id == path_[step + 1] || IsAsGood(step, id)) continue;
        if (lessons_.negatives == Negatives::kLocal && states_[id].parent != path_[step]) continue;
        others_.push_back({lessons_.negatives == Negatives::kAlgorithm1 ? path_[step] : states_[id].parent, id});
      }
      Add(path_.size() - 1 - step);
    }
  }

  // Longer ways: from states that were met on the way to nowhere, mostly back to the solution.
  void KeepDetours() {
    std::vector<std::vector<Id>> met_from(states_.size());
    for (const GuidedSearch::Meeting& meeting : search_.meetings()) met_from[meeting.from].push_back(meeting.to);
    std::vector<Step> detours;                          // only the state counts
    std::vector<std::size_t> steps(states_.size(), 0);  // to each state
    for (Id id = 0; id < states_.size(); ++id) {
      if (id > 0) steps[id] = steps[states_[id].parent] + 1;
      if (steps_to_go_[id] == kNoKnownWay || steps_to_go_[id] + steps[id] + 1 == path_.size()) continue;
      detours.push_back({id, StateTable::kNone});
    }
    Keep(lessons_.ways * (path_.size() - 1), detours, random_);
    for (const Step& detour : detours) {
      right_.clear();
      others_.clear();
      const auto sort = [&](Id next) {
        (steps_to_go_[next] < steps_to_go_[detour.state] ? right_ : others_).push_back({detour.state, next});
      };
      std::vector<Id>& nexts = met_from[detour.state];
      std::sort(nexts.begin(), nexts.end());
      nexts.erase(std::unique(nexts.begin(), nexts.end()), nexts.end());
      for (const Id next : nexts) sort(next);
      // Those that were new stand together.
      const Id first = FirstChildOf(detour.state);
      for (Id next = first; next < states_.size() && states_[next].parent == detour.state; ++next) sort(next);
      Keep(lessons_.ways, right_, random_);
      Add(steps_to_go_[detour.state]);
    }
  }

 private:
  std::size_t RoundOf(Id id) const {
    return static_cast<std::size_t>(std::upper_bound(round_begins_.begin(), round_begins_.end(), id) - round_begins_.begin()) -
           1;
  }
  // The candidates of the round in which a step of the path was listed.
  Id RoundBegin(std::size_t step) const { return round_begins_[rounds_[step]]; }
  Id RoundEnd(std::size_t step) const { return round_begins_[rounds_[step] + 1]; }

  // States are expanded in an order of their own within a step, so children are looked for among those of the next step.
  Id FirstChildOf(Id state) {
    if (first_child_.empty()) {
      first_child_.assign(states_.size(), states_.size());
      for (Id id = states_.size(); id-- > 1;) first_child_[states_[id].parent] = id;
    }
    return first_child_[state];
  }

  bool IsAsGood(std::size_t step, Id next) const {
    // A beam finds the shortest way that it knows of; other searches may learn of a shorter one on the way.
    if (lessons_.from != LearnFrom::kSolution) return steps_to_go_[next] + step + 2 <= path_.size();
    // Another solved state is as good as the one that was found first.
    return step + 2 == path_.size() && domain_.Solved(states_[next].text());
  }

  void AddRightSteps(std::size_t step) {
    further_.clear();
    const bool only_from_path = lessons_.negatives != Negatives::kOwnParent;
    const auto add = [&](Id state, Id next) {
      if (!IsAsGood(step, next) || (only_from_path && state != path_[step])) return;
      if (state == path_[step] && next == path_[step + 1]) return;
      further_.push_back({state, next});
    };
    for (Id id = RoundBegin(step); id < RoundEnd(step); ++id) add(states_[id].parent, id);
    // What is new in a round can be met again in it, from another state.
    for (const GuidedSearch::Meeting& meeting : search_.meetings()) {
      const bool is_of_this_round = meeting.from < RoundBegin(step) && meeting.to >= RoundBegin(step);
      if (is_of_this_round && meeting.to < RoundEnd(step)) add(meeting.from, meeting.to);
    }
    Keep(lessons_.ways - 1, further_, random_);
    right_.insert(right_.end(), further_.begin(), further_.end());
  }

  void Add(std::size_t steps_to_go) {
    if (right_.empty() || others_.empty()) return;
    Keep(lessons_.negatives_kept, others_, random_);
    replay_.Add(MakeExperience(states_, right_, others_, steps_to_go));
  }

  const Domain& domain_;
  const GuidedSearch& search_;
  const StateTable& states_;
  const SolutionLessons& lessons_;
  Random& random_;
  ReplayBuffer& replay_;
  std::vector<Id> round_begins_;  // and the end
  std::vector<Id> path_;
  std::vector<std::size_t> rounds_;         // in which each step of the path was listed
  std::vector<std::uint32_t> steps_to_go_;  // of all states, unless only the solution is learned
  std::vector<Id> first_child_;             // of all states, once it is needed; the end for none
  std::vector<Step> right_;
  std::vector<Step> further_;
  std::vector<Step> others_;
};

// Whether the solution has the best candidate of every step; the solved one is taken whatever its score. The search must have
// kept its trace.
bool IsExpected(const BeamSearch& search) {
  const BeamSearch::Trace& trace = search.trace();
  Id id = search.states()[search.solved_state()].parent;
  for (std::size_t step = trace.ends.size(); step-- > 0; id = search.states()[id].parent) {
    if (trace.chosen[step == 0 ? 0 : trace.ends[step - 1]] != id) return false;
  }
  return true;
}

}  // namespace

std::unique_ptr<GuidedSearch> MakeLessonSearch(const Domain& domain, const std::string& problem, const TrainOptions& options,
                                               BeamValue value, const SearchTerms& terms, StateTable memory) {
  const std::size_t width = terms.WidthOf(options.beam);
  std::unique_ptr<GuidedSearch> search;
  if (options.search == SearchBy::kLevin) {
    // A beam begins with one state.
    const LevinOptions levin{.batch = width, .max_expanded = terms.max_steps == 0 ? 0 : 1 + (terms.max_steps - 1) * width};
    search = std::make_unique<BestFirstSearch>(domain, problem, ScoreMeaning::kLogPreference, levin, std::move(memory));
  } else {
    const BeamOptions options_of_beam{.width = width, .max_steps = terms.max_steps, .value = value};
    auto beam = std::make_unique<BeamSearch>(domain, problem, options_of_beam, std::move(memory));
    if (options.beam_margin > 0) beam->KeepWithin(static_cast<float>(options.beam_margin * terms.effort));
    if (options.keep_expected < 1) beam->KeepTrace();
    search = std::move(beam);
  }
  if (options.learn_from != LearnFrom::kSolution) search->RememberMeetings();
  return search;
}

bool IsWorthLearning(const GuidedSearch& search, const TrainOptions& options, Random& random) {
  if (!search.result().solved()) return false;
  if (options.keep_expected >= 1 || !IsExpected(static_cast<const BeamSearch&>(search))) return true;
  return RandomFraction(random) < options.keep_expected;
}

SolutionLessons SolutionLessonsOf(const TrainOptions& options, Negatives negatives) {
  return {options.learn_from, negatives, options.negatives_kept, options.ways};
}

void KeepSolutionSteps(const Domain& domain, const GuidedSearch& search, const SolutionLessons& lessons, Random& random,
                       ReplayBuffer& replay) {
  Lesson lesson(domain, search, lessons, random, replay);
  lesson.KeepSolution();
  if (lessons.from == LearnFrom::kKnownWays) lesson.KeepDetours();
}

double GradientStepsFor(std::uint64_t experiences, const TrainOptions& options) {
  if (options.example_uses == 0) return options.gradient_steps;
  const double uses = options.example_uses * static_cast<double>(experiences) / static_cast<double>(options.batch);
  return std::min(options.gradient_steps, uses);
}

void AddSolutionStep(const Experience& experience, std::size_t sampled, double value_share, Random& random,
                     TrainingBatch& batch) {
  const bool is_about_value = value_share > 0 && RandomFraction(random) < value_share;
  const auto first_other = static_cast<std::ptrdiff_t>(std::find(experience.targets.begin(), experience.targets.end(), 0.0F) -
                                                       experience.targets.begin());
  std::vector<ScoreBatch::Pair> negatives(experience.pairs.begin() + first_other, experience.pairs.end());
  sampled = std::min(negatives.size(), sampled);
  SampleToFront(negatives, sampled, random);
  const auto add = [&](const ScoreBatch::Pair& pair, float target) {
    batch.AddPair(is_about_value ? std::string_view() : experience.texts[pair.parent], experience.texts[pair.candidate],
                  target);
  };
  for (std::ptrdiff_t right = 0; right < first_other; ++right) {
    add(experience.pairs[static_cast<std::size_t>(right)], 1);
    for (std::size_t i = 0; i < sampled; ++i) add(negatives[i], 0);
    batch.EndExample();
  }
}

}  // namespace conpole
