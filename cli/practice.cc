// conpole practice: exercises in the terminal. The learner writes line after line, and each is judged (tutor/practice.h).
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "cli/any_domain.h"
#include "cli/command.h"
#include "cli/input.h"
#include "cli/output.h"
#include "cli/tutor_options.h"
#include "conpole/error.h"
#include "language/catalogue.h"
#include "notation/notation.h"
#include "session/reading.h"
#include "subjects/free_notation.h"
#include "subjects/subject.h"
#include "tutor/policy.h"
#include "tutor/practice.h"
#include "tutor/practice_skills.h"
#include "util/atomic_file.h"
#include "util/interrupt.h"
#include "util/read_number.h"
#include "util/text.h"
#include "util/thread_pool.h"
#include "vectors/likeness.h"
#include "vectors/problem_encoder.h"

namespace conpole::cli {
namespace {

struct PracticeArguments {
  TutorArguments tutor;
  std::string domain;
  std::string skill;
  std::string like;
  bool list_skills = false;
  std::optional<std::uint64_t> level;
  std::optional<std::uint64_t> seed;
  std::string transcript;
};

PracticeWish WishOf(const PracticeArguments& options) {
  return {.domain = options.domain,
          .skill = options.skill,
          .like = options.like,
          .level = options.level,
          .seed = *options.seed,
          .language = options.tutor.language,
          .is_foreign = IsPythonSpec(options.domain)};
}

std::string TitleOf(const Catalogue& catalogue, const Skill& skill) {
  return catalogue.Sentence(fmt::format("skill.{}", skill.name), {});
}

void ListSkills(const Catalogue& catalogue) {
  for (const Skill& skill : Skills()) {
    const std::unique_ptr<Domain> domain = MakeDomain(skill.domain);
    PrintLine(catalogue.Sentence("practice.skill", {{"name", std::string(skill.name)},
                                                    {"skill", TitleOf(catalogue, skill)},
                                                    {"levels", std::to_string(skill.levels.size())},
                                                    {"example", WriteNotation(*domain, MakeExercise(skill, 1, 0))}}));
  }
}

// The first word of a line in lower case, and what follows it. Letters beyond ASCII are left as they are.
std::pair<std::string, std::string> FirstWord(std::string_view line) {
  const std::size_t end = std::min(line.find(' '), line.size());
  std::string word = Lowered(line.substr(0, end));
  line.remove_prefix(end);
  while (!line.empty() && IsBlank(line.front())) line.remove_prefix(1);
  return {std::move(word), std::string(line)};
}

// What tells how much exercises are like a problem.
struct VectorModel {
  VectorModel(const Domain& domain, std::size_t threads)
      : path(VectorModelPath(domain)), encoder(domain, ReadPolicyModel(domain, path)), pool(threads) {}

  std::string path;
  ProblemEncoder encoder;
  ThreadPool pool;
};

class Practice {
 public:
  explicit Practice(const PracticeArguments& options) : Practice(options, PlanPractice(WishOf(options))) {}

  // Returns the exit status.
  int Run() {
    SaveTranscript();
    Say("practice.welcome", {});
    if (vectors_) {
      Say("practice.like", {{"problem", tutor_.tutor().Write(session_.options().like)}, {"model", Printable(vectors_->path)}});
    }
    ShowExercise();
    const bool terminal = isatty(STDIN_FILENO) != 0;
    for (;;) {
      if (terminal) PrintText("> ");
      if (!WaitForInput()) break;
      std::optional<InputLine> line = ReadInputLine();
      if (!line) break;
      if (line->error) {
        PrintLine(SayIn(options_.tutor.language, line->error->message));
        continue;
      }
      while (!line->text.empty() && IsBlank(line->text.back())) line->text.pop_back();
      if (line->text.empty()) continue;
      if (!Answer(line->text)) break;
      SaveTranscript();
    }
    Say("practice.end",
        {{"solved", std::to_string(session_.solved_without_help())}, {"number", std::to_string(session_.exercises())}});
    return InterruptFlag() ? kInterrupted : kOk;
  }

 private:
  Practice(const PracticeArguments& options, PracticePlan plan)
      : options_(options),
        tutor_(options.tutor, plan.domain),
        catalogue_(Catalogue::Find(options.tutor.language)),
        vectors_(options.like.empty() ? nullptr : std::make_unique<VectorModel>(tutor_.domain(), options.tutor.search.threads)),
        session_(tutor_.tutor(), Completed(std::move(plan.practice))) {}

  PracticeOptions Completed(PracticeOptions practice) {
    practice.budget = tutor_.budget();
    if (vectors_) StayLike(practice);
    practice.milliseconds = [start = std::chrono::steady_clock::now()] {
      const auto passed = std::chrono::steady_clock::now() - start;
      return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::milliseconds>(passed).count());
    };
    return practice;
  }

  void StayLike(PracticeOptions& practice) {
    const Domain& domain = tutor_.domain();
    NotationResult read = ReadNotation(domain, options_.like, options_.tutor.language);
    if (read.error) throw NotAProblem(domain, options_.like, *read.error);
    practice.like = std::move(read.state);
    practice.likeness = LikenessByVectors(vectors_->encoder, vectors_->pool);
    BeginLike(tutor_.tutor(), WishOf(options_), practice);
  }

  void Say(std::string_view id, const Catalogue::Slots& slots) const { PrintLine(catalogue_.Sentence(id, slots)); }

  // Whether a word is a command: its English name is understood in every language.
  bool Means(std::string_view word, std::string_view command) const {
    return word == command || word == catalogue_.Sentence(fmt::format("practice.word.{}", command), {});
  }

  void SaveTranscript() const {
    if (!options_.transcript.empty()) WriteFileAtomically(options_.transcript, session_.Transcript());
  }

  void ShowExercise() const {
    const PracticeExercise& exercise = session_.exercise();
    Catalogue::Slots slots{{"number", std::to_string(session_.exercises())}, {"problem", exercise.notation}};
    if (exercise.skill == nullptr) {
      Say("practice.exercise", slots);
    } else {
      slots["skill"] = TitleOf(catalogue_, *exercise.skill);
      slots["level"] = std::to_string(exercise.level);
      slots["levels"] = std::to_string(exercise.skill->levels.size());
      Say("practice.exercise_of", slots);
    }
    const Subject& subject = SubjectOf(tutor_.domain());
    const std::string picture = subject.Draw(exercise.problem, tutor_.is_coloured());
    if (!picture.empty()) PrintLine(picture);
  }

  // False if this was the end.
  bool Answer(const std::string& line) {
    const auto [word, rest] = FirstWord(line);
    const bool alone = rest.empty();
    if (alone && Means(word, "quit")) return false;
    if (alone && Means(word, "next")) {
      session_.Next();
      ShowExercise();
    } else if (alone && Means(word, "hint")) {
      PrintLine(session_.Hint().text);
    } else if (alone && Means(word, "solve")) {
      Say("practice.solution", {});
      PrintLine(FormatSolution(tutor_.domain(), session_.Solve(), {.is_coloured = tutor_.is_coloured()}));
    } else if (Means(word, "more")) {
      More(rest);
    } else if (Means(word, "skills")) {
      alone ? ShowSkills() : Choose(rest);
    } else {
      Judge(line);
    }
    return true;
  }

  void More(const std::string& problem) {
    if (problem.empty()) {
      session_.More();
    } else if (const std::optional<NotationError> error = session_.MoreLike(problem)) {
      return Say("practice.none_like_it", {{"reason", SayIn(options_.tutor.language, error->message)}});
    }
    ShowExercise();
  }

  void ShowSkills() const {
    for (const Skill* const skill : session_.options().skills) {
      Say("practice.skill_progress", {{"name", std::string(skill->name)},
                                      {"skill", TitleOf(catalogue_, *skill)},
                                      {"done", std::to_string(session_.ProgressOf(*skill).levels_mastered)},
                                      {"levels", std::to_string(skill->levels.size())}});
    }
    if (session_.options().skills.empty()) Say("practice.no_skills", {});
  }

  // "brackets" or "brackets 2".
  void Choose(const std::string& text) {
    const auto [name, number] = FirstWord(text);
    const std::size_t level = number.empty() ? 1 : conpole::ReadNumber<std::size_t>(number).value_or(0);
    try {
      session_.Choose(FindSkill(name), level);
    } catch (const Error& error) {
      // A word that is no skill, or a level that there is not: the exercise stays.
      return PrintLine(SayIn(options_.tutor.language, error.message()));
    }
    ShowExercise();
  }

  void Judge(const std::string& line) {
    const PracticeExercise exercise = session_.exercise();
    const PracticeAnswer answer = session_.Enter(line);
    PrintLine(answer.check.message);
    if (!answer.solved) return;
    if (!answer.without_help) Say("practice.with_help", {});
    if (exercise.skill != nullptr) {
      const Catalogue::Slots slots{{"count", std::to_string(answer.in_a_row)},
                                   {"needed", std::to_string(PracticeSession::kInARow)},
                                   {"skill", TitleOf(catalogue_, *exercise.skill)},
                                   {"level", std::to_string(exercise.level)},
                                   {"levels", std::to_string(exercise.skill->levels.size())}};
      if (answer.skill_mastered) {
        Say("practice.skill_done", slots);
      } else if (answer.level_mastered) {
        Say("practice.level_done", slots);
      } else if (answer.in_a_row > 0) {
        Say("practice.in_a_row", slots);
      }
    }
    ShowExercise();
  }

  const PracticeArguments& options_;
  TutorSession tutor_;
  const Catalogue& catalogue_;
  std::unique_ptr<VectorModel> vectors_;  // null if exercises need not be like a problem
  PracticeSession session_;
};

}  // namespace

void AddPractice(Command& program) {
  Command& command = program.Add("practice", "Practise: solve exercises line by line, with checks and hints");
  const auto options = std::make_shared<PracticeArguments>();
  command.Takes("domain", options->domain,
                "The domain, for example equations; by default the skills of algebra, one after another.", 0);
  command.Text("--skill", options->skill, "Practise this skill, for example brackets; --skills lists what there is.");
  command.Text("--like", options->like,
               "Practise what is like this problem: its skill and level, and there what is nearest by the vectors of the model "
               "that comes with conpole.");
  command.Flag("--skills", options->list_skills, "List the skills, and end.");
  command.Number("--level", options->level,
                 fmt::format("Begin with this level, by default 1. Without a skill it is the length of the exercises: {} steps "
                             "per level, by default level {}.",
                             Tutor::kStepsPerLevel, kLengthLevel),
                 {1, 20});
  command.Number("--exercise", options->seed, "The seed of the first exercise; by default another one every time.");
  command.Text("--transcript", options->transcript, "Write all that was done to this file, as JSON, after every line.");
  options->tutor.AddLanguageTo(command);
  options->tutor.AddColorTo(command);
  options->tutor.search.AddScorerTo(command);
  command.footer = "Exit status: 0 ended, 2 bad input, 130 interrupted.";
  command.action = [options] {
    if (options->list_skills) {
      ListSkills(Catalogue::Find(options->tutor.language));
      return kOk;
    }
    if (!options->seed) {
      const auto now = std::chrono::system_clock::now().time_since_epoch();
      options->seed = static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::seconds>(now).count());
    }
    return Practice(*options).Run();
  };
}

}  // namespace conpole::cli
