// conpole practice: exercises in the terminal. The learner writes line after line, and each is judged.
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "cli/any_domain.h"
#include "cli/command.h"
#include "cli/input.h"
#include "cli/numbers.h"
#include "cli/output.h"
#include "cli/tutor_options.h"
#include "tutor/catalogue.h"
#include "tutor/notation.h"
#include "tutor/subject.h"

namespace conpole::cli {
namespace {

struct Options {
  TutorArguments tutor;
  std::string domain;
  std::uint64_t level = 2;
  std::uint64_t seed = 0;
};

// The domain that has exercises of the level asked for.
std::string SpecOf(const Options& options) {
  if (IsPythonSpec(options.domain)) return options.domain;
  const std::uint64_t most = options.level * Tutor::kStepsPerLevel;
  const std::unique_ptr<Domain> domain = MakeDomain(options.domain);
  return SubjectOf(*domain).ExerciseSpec(domain->Spec(), most - Tutor::kStepsPerLevel + 1, most);
}

class Practice {
 public:
  explicit Practice(const Options& options)
      : options_(options), session_(options.tutor, SpecOf(options)), catalogue_(Catalogue::Find(options.tutor.language)) {}

  void Run() {
    Say("practice.welcome", {});
    Begin();
    const bool terminal = isatty(STDIN_FILENO) != 0;
    for (;;) {
      if (terminal) PrintText("> ");
      const std::optional<InputLine> line = ReadInputLine();
      if (!line || line->text == "quit") break;
      if (line->error) {
        PrintLine(line->error->message);
      } else if (!line->text.empty()) {
        Answer(line->text);
      }
    }
    Say("practice.end", {{"solved", std::to_string(solved_)}, {"number", std::to_string(number_)}});
  }

 private:
  void Say(std::string_view id, const Catalogue::Slots& slots) const { PrintLine(catalogue_.Sentence(id, slots)); }

  void Begin() {
    state_ = session_.tutor().Exercise(options_.level, options_.seed + kSeedStride * number_);
    hint_level_ = 0;
    helped_ = false;
    ++number_;
    Say("practice.exercise", {{"number", std::to_string(number_)}, {"problem", WriteNotation(session_.domain(), state_)}});
  }

  void Answer(const std::string& line) {
    if (line == "next") {
      Begin();
    } else if (line == "hint") {
      // Asking again for the same line says more.
      hint_level_ = std::min(hint_level_ + 1, Tutor::kHintLevels);
      PrintLine(session_.tutor().Hint(state_, hint_level_, session_.budget()).text);
    } else if (line == "solve") {
      helped_ = true;
      Say("practice.solution", {});
      PrintLine(FormatSolution(session_.domain(), session_.tutor().Solve(state_, session_.budget()), Format::kText));
    } else {
      Judge(line);
    }
  }

  void Judge(const std::string& line) {
    const StepCheck check = session_.tutor().Check(state_, line, session_.budget());
    PrintLine(check.message);
    if (!check.correct()) return;
    state_ = check.state;
    hint_level_ = 0;
    if (check.kind != StepCheck::Kind::kSolved) return;
    if (!helped_) ++solved_;
    Begin();
  }

  static constexpr std::uint64_t kSeedStride = 1'000;  // seeds that an exercise may look at

  const Options& options_;
  TutorSession session_;
  const Catalogue& catalogue_;
  std::string state_;
  int hint_level_ = 0;
  bool helped_ = false;  // the solution was shown
  std::uint64_t number_ = 0;
  std::uint64_t solved_ = 0;
};

}  // namespace

void AddPractice(CLI::App& program, Action& action) {
  CLI::App* const command = program.add_subcommand("practice", "Practise: solve exercises line by line, with checks and hints");
  const auto options = std::make_shared<Options>();
  command->add_option("domain", options->domain, "A domain, for example equations")->required();
  AddNumber(*command, "--level", options->level,
            fmt::format("Length of the exercises: {} steps per level", Tutor::kStepsPerLevel), {1, 20});
  CLI::Option* const seed =
      AddNumber(*command, "--exercise", options->seed, "Seed of the first exercise; by default others every time")
          ->default_str("");
  options->tutor.AddLanguageTo(*command);
  options->tutor.search.AddScorerTo(*command);
  command->callback([options, seed, &action] {
    if (seed->count() == 0) {
      const auto now = std::chrono::system_clock::now().time_since_epoch();
      options->seed = static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::seconds>(now).count());
    }
    action = [options] {
      Practice(*options).Run();
      return kOk;
    };
  });
}

}  // namespace conpole::cli
