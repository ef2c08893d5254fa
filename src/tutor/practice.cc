#include "tutor/practice.h"

#include <algorithm>
#include <memory>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "conpole/error.h"
#include "subjects/free_notation.h"

namespace conpole {
namespace {

using Json = nlohmann::ordered_json;

// Of exercises that a tutor chooses by their length: so far apart that two searches do not meet.
constexpr std::uint64_t kSeedStride = 1'000;
// A level has far more exercises than a session, but some come twice.
constexpr int kMaxRepeats = 1'000;
// Exercises of which the one is taken that is most like a problem: those of a skill are made at once, and those that a domain
// generates are of all lengths.
constexpr std::uint64_t kOfSkill = 64;
constexpr std::uint64_t kGenerated = 256;
// How often kGenerated problems are looked at for one that is new.
constexpr int kMaxLooks = 20;
// Exercises of each level that are compared with a problem, and those that tell its level.
constexpr std::uint64_t kOfLevel = 48;
constexpr std::size_t kVoters = 9;
// As many as the command has.
constexpr std::size_t kMaxLengthLevel = 20;

// The exercise of a skill as canonical text of the domain.
std::string MakeFor(const Domain& domain, const Skill& skill, std::size_t level, std::uint64_t seed) {
  std::string problem = MakeExercise(skill, level, seed);
  if (domain.type().name == skill.domain) return problem;
  // The same problem, for the axioms of another domain.
  const NotationResult read = ReadNotation(domain, WriteNotation(*MakeDomain(skill.domain), problem));
  if (!read.error) return read.state;
  throw Error(fmt::format("the exercises of {} are no problems of {}: '{}': {}", skill.name, domain.type().name, problem,
                          read.error->message.english()));
}

// A network may find a short problem like a long one that begins or ends as it does; a learner does not.
bool IsOfSimilarLength(std::string_view text, std::string_view other) {
  const std::size_t shorter = std::min(text.size(), other.size());
  const std::size_t longer = std::max(text.size(), other.size());
  return 2 * longer <= 3 * shorter + 4;
}

// The level of exercises whose solutions have this number of steps.
std::size_t LengthLevelOf(std::size_t steps) { return (steps + Tutor::kStepsPerLevel - 1) / Tutor::kStepsPerLevel; }

}  // namespace

PracticeStart StartLike(Tutor& tutor, const PracticeOptions& options, std::span<const Skill* const> skills) {
  const Domain& domain = tutor.domain();
  const auto steps = [&] { return tutor.Solve(options.like, options.budget).steps.size(); };
  if (skills.empty()) return {nullptr, std::clamp<std::size_t>(LengthLevelOf(steps()), 1, kMaxLengthLevel)};
  const Skill* const own = SkillOf(domain, options.like);
  const bool is_known = std::find(skills.begin(), skills.end(), own) != skills.end();
  // Levels that it exceeds are too easy to be like it.
  const std::size_t least = is_known ? LevelOf(*own, options.like, steps()) : 1;
  std::vector<PracticeStart> starts;
  std::vector<std::string> exercises;
  std::vector<std::size_t> start_of;  // each exercise
  const auto collect = [&](bool of_any_length) {
    starts.clear();
    for (const Skill* const skill : skills) {
      if (is_known && skill != own) continue;
      for (std::size_t level = least; level <= skill->levels.size(); ++level) {
        for (std::uint64_t i = 0; i < kOfLevel; ++i) {
          std::string exercise = MakeFor(domain, *skill, level, options.seed + i);
          if (!of_any_length && !IsOfSimilarLength(exercise, options.like)) continue;
          exercises.push_back(std::move(exercise));
          start_of.push_back(starts.size());
        }
        starts.push_back({skill, level});
      }
    }
  };
  collect(false);
  if (exercises.empty()) collect(true);
  // The level that has the most of the nearest; of equal ones the first.
  std::vector<std::size_t> votes(starts.size());
  const std::vector<std::size_t> places = options.likeness(options.like, exercises);
  for (std::size_t i = 0; i < std::min(kVoters, places.size()); ++i) ++votes[start_of[places[i]]];
  return starts[static_cast<std::size_t>(std::max_element(votes.begin(), votes.end()) - votes.begin())];
}

PracticeSession::PracticeSession(Tutor& tutor, PracticeOptions options)
    : tutor_(tutor), options_(std::move(options)), next_seed_(options_.seed) {
  const bool skilled = !options_.skills.empty();
  if (skilled && options_.first_skill >= options_.skills.size()) throw Error("there is no such skill to begin with");
  Begin(skilled ? options_.skills[options_.first_skill] : nullptr, options_.level);
}

std::size_t PracticeSession::solved_without_help() const {
  const auto alone = [](const Record& record) { return record.solved && !record.helped; };
  return static_cast<std::size_t>(std::count_if(records_.begin(), records_.end(), alone));
}

SkillProgress PracticeSession::ProgressOf(const Skill& skill) const {
  const auto found = progress_.find(skill.name);
  return found == progress_.end() ? SkillProgress() : found->second;
}

void PracticeSession::MakeNext(PracticeExercise& exercise) {
  if (!options_.like.empty() && MakeNextLike(exercise)) return;
  for (int repeats = 0; repeats < kMaxRepeats; ++repeats) {
    exercise.seed = next_seed_;
    next_seed_ += exercise.skill == nullptr ? kSeedStride : 1;
    exercise.problem = exercise.skill == nullptr ? tutor_.Exercise(exercise.level, exercise.seed)
                                                 : MakeFor(tutor_.domain(), *exercise.skill, exercise.level, exercise.seed);
    if (seen_.insert(exercise.problem).second) return;
  }
}

bool PracticeSession::MakeNextLike(PracticeExercise& exercise) {
  const Domain& domain = tutor_.domain();
  const Skill* const skill = exercise.skill;
  for (int looks = 0; looks < kMaxLooks; ++looks) {
    std::vector<std::string> problems;
    std::vector<std::uint64_t> seeds;
    const std::uint64_t end = next_seed_ + (skill == nullptr ? kGenerated : kOfSkill);
    for (; next_seed_ != end; ++next_seed_) {
      std::string problem =
          skill == nullptr ? domain.Generate(next_seed_) : MakeFor(domain, *skill, exercise.level, next_seed_);
      // What the others should be like is no exercise itself.
      if (problem == options_.like || seen_.contains(problem)) continue;
      problems.push_back(std::move(problem));
      seeds.push_back(next_seed_);
    }
    if (problems.empty()) continue;
    const std::vector<std::size_t> places = options_.likeness(options_.like, problems);
    std::vector<std::string> nearest;
    for (const std::size_t place : places) nearest.push_back(problems[place]);
    // Generated ones are of any length.
    const std::size_t chosen = skill == nullptr ? tutor_.ChooseExercise(exercise.level, nearest) : 0;
    exercise.problem = nearest[chosen];
    exercise.seed = seeds[places[chosen]];
    exercise.like = WriteNotation(domain, options_.like);
    seen_.insert(exercise.problem);
    return true;
  }
  return false;
}

void PracticeSession::Begin(const Skill* skill, std::size_t level) {
  Record record;
  record.exercise.skill = skill;
  record.exercise.level = level;
  MakeNext(record.exercise);
  record.exercise.notation = WriteNotation(tutor_.domain(), record.exercise.problem);
  line_ = record.exercise.problem;
  wrong_.clear();
  hint_level_ = 0;
  records_.push_back(std::move(record));
}

void PracticeSession::Note(Event event) {
  if (options_.milliseconds) event.milliseconds = options_.milliseconds();
  records_.back().events.push_back(std::move(event));
}

// The row of exercises begins anew.
void PracticeSession::Flaw() {
  records_.back().flawless = false;
  if (const Skill* const skill = exercise().skill) progress_[skill->name].in_a_row = 0;
}

PracticeAnswer PracticeSession::Enter(std::string_view line) {
  PracticeAnswer answer;
  answer.check = tutor_.Check(line_, line, options_.budget);
  const StepCheck& check = answer.check;
  Note({.entered = std::string(line), .verdict = check.kind, .text = check.message});
  if (check.kind == StepCheck::Kind::kNotEquivalent) {
    Flaw();
    wrong_ = line;
  }
  if (!check.correct()) return answer;
  line_ = check.state;
  wrong_.clear();
  hint_level_ = 0;
  if (check.kind != StepCheck::Kind::kSolved) return answer;
  Record& record = records_.back();
  record.solved = true;
  answer.solved = true;
  answer.without_help = !record.helped;
  Master(answer);
  return answer;
}

// Counts the exercise that was solved, and begins the one that comes next.
void PracticeSession::Master(PracticeAnswer& answer) {
  const Skill* skill = exercise().skill;
  std::size_t level = exercise().level;
  if (skill != nullptr) {
    const ExerciseCounted counted =
        CountExercise(progress_[skill->name], *skill, level, records_.back().flawless, options_.skills);
    answer.in_a_row = counted.in_a_row;
    answer.known = counted.known;
    answer.level_mastered = counted.level_mastered;
    answer.skill_mastered = counted.skill_mastered;
    skill = counted.next_skill;
    level = counted.next_level;
  }
  Begin(skill, level);
}

TutorHint PracticeSession::Hint() {
  hint_level_ = std::min(hint_level_ + 1, Tutor::kHintLevels);
  TutorHint hint = tutor_.HintAfter(line_, wrong_, hint_level_, options_.budget);
  Flaw();
  if (hint_level_ == Tutor::kHintLevels) records_.back().helped = true;
  Note({.kind = Event::Kind::kHint, .hint_level = hint_level_, .text = hint.text});
  return hint;
}

TutorSolution PracticeSession::Solve() {
  TutorSolution solution = tutor_.Solve(line_, options_.budget);
  Flaw();
  records_.back().helped = true;
  Event event{.kind = Event::Kind::kSolution, .text = solution.message};
  for (const TutorStep& step : solution.steps) event.lines.push_back(step.notation);
  Note(std::move(event));
  return solution;
}

void PracticeSession::Next() {
  // Who leaves what is too hard has not solved it.
  const bool tried = !records_.back().events.empty();
  Flaw();
  if (const Skill* const skill = exercise().skill; skill != nullptr && tried) {
    SkillProgress& progress = progress_[skill->name];
    progress.known = Updated(progress.known, false);
  }
  const PracticeExercise left = exercise();
  Begin(left.skill, left.level);
}

void PracticeSession::More() {
  const bool untouched = records_.back().events.empty();
  const bool after_another = records_.size() > 1 && records_[records_.size() - 2].solved;
  const PracticeExercise like = untouched && after_another ? records_[records_.size() - 2].exercise : exercise();
  Begin(like.skill, like.level);
}

std::optional<NotationError> PracticeSession::MoreLike(std::string_view problem) {
  NotationResult read = ReadNotation(tutor_.domain(), problem);
  if (read.error) return std::move(read.error);
  if (options_.likeness) {
    options_.like = std::move(read.state);
    const PracticeStart start = StartLike(tutor_, options_, options_.skills);
    Begin(start.skill, start.level);
    return std::nullopt;
  }
  // Skills of school algebra are told by what the problem is there.
  const Skill* skill = SkillOf(tutor_.domain(), read.state);
  std::string state = std::move(read.state);
  if (skill == nullptr && !options_.skills.empty()) {
    const std::unique_ptr<Domain> domain = MakeDomain(options_.skills.front()->domain);
    NotationResult there = ReadNotation(*domain, problem);
    if (!there.error) {
      skill = SkillOf(*domain, there.state);
      state = std::move(there.state);
    }
  }
  if (skill == nullptr) return NotationError{NotationError::Kind::kNotExpressible, 0, "there are no exercises like this"};
  const bool own_lines = tutor_.domain().type().name == skill->domain;
  const std::size_t lines = own_lines ? tutor_.Solve(state, options_.budget).steps.size() : 0;
  Begin(skill, LevelOf(*skill, state, lines));
  return std::nullopt;
}

void PracticeSession::Choose(const Skill& skill, std::size_t level) {
  if (!records_.back().solved && skill.name == (exercise().skill == nullptr ? "" : exercise().skill->name)) {
    BeginLevel(progress_[skill.name]);
  }
  Begin(&skill, level);
}

std::string PracticeSession::Transcript() const {
  Json exercises = Json::array();
  for (const Record& record : records_) {
    const PracticeExercise& exercise = record.exercise;
    Json events = Json::array();
    for (const Event& event : record.events) {
      Json object;
      switch (event.kind) {
        case Event::Kind::kLine:
          object = {{"event", "line"}, {"line", event.entered}, {"verdict", NameOf(event.verdict)}, {"text", event.text}};
          break;
        case Event::Kind::kHint:
          object = {{"event", "hint"}, {"level", event.hint_level}, {"text", event.text}};
          break;
        case Event::Kind::kSolution:
          object = {{"event", "solution"}, {"lines", event.lines}, {"text", event.text}};
          break;
      }
      if (event.milliseconds) object["milliseconds"] = *event.milliseconds;
      events.push_back(std::move(object));
    }
    Json shown{{"skill", exercise.skill == nullptr ? Json() : Json(exercise.skill->name)},
               {"level", exercise.level},
               {"seed", exercise.seed},
               {"problem", exercise.problem},
               {"notation", exercise.notation},
               {"solved", record.solved},
               {"helped", record.helped},
               {"flawless", record.solved && record.flawless},
               {"events", std::move(events)}};
    if (!exercise.like.empty()) shown["like"] = exercise.like;
    exercises.push_back(std::move(shown));
  }
  Json skills = Json::array();
  for (const auto& [name, progress] : progress_) {
    skills.push_back({{"skill", name},
                      {"levels", FindSkill(name).levels.size()},
                      {"levels_mastered", progress.levels_mastered},
                      {"in_a_row", progress.in_a_row},
                      {"known", progress.known}});
  }
  const Json transcript{{"domain", tutor_.domain().Spec()},
                        {"language", tutor_.options().explain.language},
                        {"exercises", std::move(exercises)},
                        {"skills", std::move(skills)},
                        {"solved_without_help", solved_without_help()}};
  // Bytes that are not UTF-8 (in what was entered) are replaced.
  return transcript.dump(1, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace conpole
