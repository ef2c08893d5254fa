// What the commands that ask the tutor have in common: a domain that is named or guessed, a text in free notation, a format, a
// language and a budget.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/search_options.h"
#include "conpole/domain.h"
#include "conpole/scorer.h"
#include "tutor/format.h"
#include "tutor/tutor.h"
#include "util/thread_pool.h"

namespace conpole::cli {

struct TutorArguments {
  std::vector<std::string> texts;  // the domain, if it is named, and the texts
  std::string format = "text";
  bool json = false;
  std::string language = "en";
  TutorBudget budget;
  CLI::Option* milliseconds = nullptr;  // the option: if it is given, all of the time is used for short solutions
  SearchArguments search;

  // Adds the options to a command, which takes `count` texts, described by their names, and may name the domain before them.
  // The arguments must outlive its parsing.
  void AddTo(CLI::App& command, std::size_t count, const std::string& names);
  // The options alone, for a command that takes no texts.
  void AddOptionsTo(CLI::App& command);
  Format ChosenFormat() const { return json ? Format::kJson : FormatOf(format); }
};

// A tutor with all that it needs. Throws Error if an option makes no sense.
class TutorSession {
 public:
  // The domain is the one that is named, or guessed from the first text.
  TutorSession(const TutorArguments& arguments, std::size_t count);
  // The domain is given as text.
  TutorSession(const TutorArguments& arguments, const std::string& domain);

  const Domain& domain() const { return *domain_; }
  Tutor& tutor() { return tutor_; }
  Format format() const { return format_; }
  const TutorBudget& budget() const { return budget_; }
  const std::string& text(std::size_t index) const { return texts_[index]; }

  // The first text as canonical text. If it cannot be read, throws Error or, as JSON, prints it and returns nothing: the
  // command then ends with kBadInput.
  std::optional<std::string> ReadProblem() const;

 private:
  std::vector<std::string> texts_;
  Format format_;
  TutorBudget budget_;
  std::unique_ptr<Domain> domain_;
  ThreadPool pool_;
  std::unique_ptr<Scorer> policy_;
  Tutor tutor_;
};

}  // namespace conpole::cli
