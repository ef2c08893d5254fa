// Exercises, the skills that they practise, and how far a learner is.
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "conpole/error.h"
#include "language/catalogue.h"
#include "service/operations.h"
#include "session/reading.h"
#include "tutor/practice.h"
#include "tutor/practice_progress.h"
#include "tutor/practice_skills.h"
#include "util/text.h"
#include "vectors/likeness.h"

namespace conpole {
namespace {

// As many as the command has.
constexpr std::uint64_t kMaxLevel = 20;

const Skill& SkillOfField(const std::string& name, const std::string& field = "skill") {
  try {
    return FindSkill(name);
  } catch (const Error& error) {
    throw RequestProblem(404, error.message(), field);
  }
}

void RequireLevel(const Skill& skill, std::uint64_t level) {
  if (level >= 1 && level <= skill.levels.size()) return;
  throw RequestProblem(400, Message("{} has the levels 1 to {}, not {}", skill.name, skill.levels.size(), level), "level");
}

std::string TitleOf(const Catalogue& catalogue, const Skill& skill) {
  return catalogue.Sentence(fmt::format("skill.{}", skill.name), {});
}

// A learner's progress as JSON: an object per skill. `level` is the one that the row belongs to.
struct KeptProgress {
  SkillProgress progress;
  std::size_t level = 1;
};

std::size_t CountOf(const std::string& skill, const ServiceJson& object, const char* name, std::size_t most) {
  const auto found = object.find(name);
  if (found == object.end()) return 0;
  if (!found->is_number_unsigned() || found->get<std::uint64_t>() > most) {
    throw RequestProblem(400, Message("'{}' of {} must be a whole number from 0 to {}", name, skill, most), "progress");
  }
  return found->get<std::size_t>();
}

// How likely a level is known. Progress that was kept without it has a row of exercises.
double KnownOf(const std::string& skill, const ServiceJson& object) {
  const auto found = object.find("known");
  if (found == object.end()) {
    double known = kKnowledge.known_at_first;
    for (std::size_t i = CountOf(skill, object, "in_a_row", kExercisesInARow - 1); i > 0; --i) known = Updated(known, true);
    return known;
  }
  const double known = found->is_number() ? found->get<double>() : -1;
  if (!(known >= 0 && known <= 1))
    throw RequestProblem(400, Message("'known' of {} must be a number from 0 to 1", skill), "progress");
  return known;
}

KeptProgress ReadProgress(const std::string& name, const ServiceJson& object) {
  const Skill skill = SkillOfField(name, "progress");
  if (!object.is_object()) throw RequestProblem(400, Message("the progress of {} must be an object", name), "progress");
  for (const auto& [key, value] : object.items()) {
    if (key != "levels_mastered" && key != "in_a_row" && key != "level" && key != "known") {
      throw RequestProblem(400, Message("there is no {} in the progress of {}", Shown(key), name), "progress");
    }
  }
  return {.progress = {.levels_mastered = CountOf(name, object, "levels_mastered", skill.levels.size()),
                       .in_a_row = CountOf(name, object, "in_a_row", kExercisesInARow - 1),
                       .known = KnownOf(name, object)},
          .level = CountOf(name, object, "level", skill.levels.size())};
}

ServiceJson ToJson(const KeptProgress& kept) {
  return {{"levels_mastered", kept.progress.levels_mastered},
          {"in_a_row", kept.progress.in_a_row},
          {"level", kept.level},
          {"known", kept.progress.known}};
}

std::string Describe(const Catalogue& catalogue, const ExerciseCounted& counted, const Skill& skill, std::size_t level) {
  const Catalogue::Slots slots{{"count", std::to_string(counted.in_a_row)},
                               {"needed", std::to_string(kExercisesInARow)},
                               {"skill", TitleOf(catalogue, skill)},
                               {"level", std::to_string(level)},
                               {"levels", std::to_string(skill.levels.size())}};
  if (counted.skill_mastered) return catalogue.Sentence("practice.skill_done", slots);
  if (counted.level_mastered) return catalogue.Sentence("practice.level_done", slots);
  return catalogue.Sentence(counted.in_a_row == 0 ? "practice.with_help" : "practice.in_a_row", slots);
}

}  // namespace

ServiceJson AnswerExercise(CallContext& context, RequestFields& fields) {
  const CommonFields common(context, fields);
  PracticeWish wish;
  wish.domain = common.domain.value_or("");
  wish.skill = fields.OptionalText("skill").value_or("");
  wish.like = fields.OptionalText("like").value_or("");
  wish.level = fields.Number("level", 1, kMaxLevel);
  wish.seed = fields.Number("seed", 0, UINT64_MAX).value_or(0);
  wish.language = common.language;
  fields.RequireNoOthers();
  if (!wish.domain.empty()) MakeDomainOfField(wish.domain);
  if (!wish.skill.empty()) SkillOfField(wish.skill);
  PracticePlan plan = PlanPractice(wish);
  PracticeOptions& practice = plan.practice;
  if (!practice.skills.empty() && wish.level) RequireLevel(*practice.skills[practice.first_skill], *wish.level);

  TutorCall call(context, common, {}, {.domain = plan.domain}, common.milliseconds);
  Session& session = call.session();
  practice.budget = session.budget();
  // Looking for an exercise of some length counts its work and not its time; here somebody waits.
  call.watch().ThrowWhenStopped();
  std::optional<ProblemEncoder> encoder;
  if (!wish.like.empty()) {
    practice.like = AskAbout("like", [&] { return session.Read(wish.like); });
    encoder.emplace(MakeProblemEncoder(context, call.domain()));
    practice.likeness = LikenessByVectors(*encoder, session.pool());
    BeginLike(session.tutor(), wish, practice);
  }
  const PracticeSession practised(session.tutor(), std::move(practice));
  const PracticeExercise& exercise = practised.exercise();
  ServiceJson answer{{"domain", call.domain().Spec()},
                     {"problem", exercise.problem},
                     {"notation", session.tutor().Write(exercise.problem)},
                     {"skill", exercise.skill == nullptr ? ServiceJson() : ServiceJson(exercise.skill->name)},
                     {"level", exercise.level},
                     {"seed", exercise.seed}};
  AddMarkupIfAsked(answer, common, call.domain(), exercise.problem);
  return answer;
}

ServiceJson AnswerSkills(CallContext& context, RequestFields& fields) {
  const CommonFields common(context, fields);
  fields.RequireNoOthers();
  const Catalogue& catalogue = Catalogue::Find(common.language);
  ServiceJson skills = ServiceJson::array();
  for (const Skill& skill : Skills()) {
    if (common.domain && skill.domain != *common.domain) continue;
    const std::unique_ptr<Domain> domain = MakeDomain(skill.domain);
    const std::string example = MakeExercise(skill, 1, 0);
    ServiceJson entry{{"name", skill.name},     {"title", TitleOf(catalogue, skill)},
                      {"domain", skill.domain}, {"levels", skill.levels.size()},
                      {"example", example},     {"example_notation", WriteFor(*domain, example, common.language)}};
    AddMarkupIfAsked(entry, common, *domain, example, "example_");
    skills.push_back(std::move(entry));
  }
  return {{"skills", std::move(skills)}};
}

ServiceJson AnswerProgress(CallContext& context, RequestFields& fields) {
  const CommonFields common(context, fields);
  const ServiceJson* const given = fields.Object("progress");
  const Skill skill = SkillOfField(fields.Text("skill"));
  const std::optional<std::uint64_t> level = fields.Number("level", 1, kMaxLevel);
  const std::optional<bool> alone = fields.Flag("solved_without_help");
  fields.RequireNoOthers();
  if (!level) throw RequestProblem(400, "'level' is missing", "level");
  if (!alone) throw RequestProblem(400, "'solved_without_help' is missing", "solved_without_help");
  RequireLevel(skill, *level);

  ServiceJson progress = ServiceJson::object();
  KeptProgress own;
  if (given != nullptr) {
    for (const auto& [name, object] : given->items()) {
      const KeptProgress kept = ReadProgress(name, object);
      progress[name] = ToJson(kept);
      if (name == skill.name) own = kept;
    }
  }
  // A row is of one level.
  if (own.level != *level) BeginLevel(own.progress);
  const auto done = static_cast<std::size_t>(*level);
  const std::vector<const Skill*> course = SkillsOf(skill.domain);
  const ExerciseCounted counted = CountExercise(own.progress, skill, done, *alone, course);
  own.level = counted.next_skill == &skill ? counted.next_level : done;
  progress[std::string(skill.name)] = ToJson(own);
  return {{"progress", std::move(progress)},
          {"in_a_row", counted.in_a_row},
          {"needed", kExercisesInARow},
          {"known", counted.known},
          {"level_mastered", counted.level_mastered},
          {"skill_mastered", counted.skill_mastered},
          {"next", {{"skill", counted.next_skill->name}, {"level", counted.next_level}}},
          {"message", Describe(Catalogue::Find(common.language), counted, skill, done)}};
}

}  // namespace conpole
