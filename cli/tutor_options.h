// What the commands that ask the tutor have in common: a domain that is named or guessed, a text in free notation, a format, a
// language and a budget.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command.h"
#include "cli/search_options.h"
#include "conpole/domain.h"
#include "conpole/error.h"
#include "conpole/scorer.h"
#include "notation/notation.h"
#include "session/session.h"
#include "tutor/format.h"
#include "tutor/tutor.h"
#include "util/thread_pool.h"

namespace conpole::cli {

inline constexpr std::uint64_t kNoTimeLimit = std::numeric_limits<std::uint64_t>::max();

struct TutorArguments {
  std::vector<std::string> texts;  // the domain, if it is named, and the texts
  std::string format = "text";
  bool json = false;
  std::string language = "en";
  std::string detail = "school";  // only solve has an option for it
  std::string moves = "quarter";  // only solve and hint have one
  std::string method;             // likewise
  std::string color = "auto";     // only commands that draw have one
  TutorBudget budget;
  const Option* milliseconds = nullptr;  // if it is given, all of the time is used for short solutions
  SearchArguments search;

  // Adds the options to a command, which takes `count` texts, described by their names, and may name the domain before them.
  // A single text may come in pieces, as of a command line without quotes. The arguments must outlive its parsing.
  void AddTo(Command& command, std::size_t count, const std::string& names, bool may_be_missing = false);
  // The options alone, for a command that takes no texts.
  void AddOptionsTo(Command& command);
  // --language, which is also called --lang.
  void AddLanguageTo(Command& command);
  // --moves, for domains whose steps are turns.
  void AddMovesTo(Command& command);
  // --method, of equations and systems that books solve in several ways.
  void AddMethodTo(Command& command);
  // --color, of what is drawn in characters.
  void AddColorTo(Command& command);
  Format ChosenFormat() const { return json ? Format::kJson : FormatOf(format); }
};

// A single problem, which may come in pieces, and what stands before it.
struct ProblemArgument {
  std::string domain;  // empty if none is named
  std::string text;    // empty if there is nothing but a domain
};
ProblemArgument SplitDomain(const std::vector<std::string>& texts);

// What to throw for a text that is no problem of the domain.
Error NotAProblem(const Domain& domain, const std::string& text, const NotationError& error);

// A session as the command line asks for it. Throws Error if an option makes no sense.
class TutorSession {
 public:
  // The domain is the one that is named, or guessed from the first text.
  TutorSession(const TutorArguments& arguments, std::size_t count);
  // The domain is given as text.
  TutorSession(const TutorArguments& arguments, const std::string& domain);

  const Domain& domain() const { return session_.domain(); }
  Tutor& tutor() { return session_.tutor(); }
  Format format() const { return format_; }
  bool is_coloured() const { return is_coloured_; }
  const TutorBudget& budget() const { return session_.budget(); }
  const std::string& text(std::size_t index) const { return texts_[index]; }

  // The first text as canonical text. If it cannot be read, throws Error or, as JSON, prints it and returns nothing: the
  // command then ends with kBadInput.
  std::optional<std::string> ReadProblem(bool to_check = false);
  // Any text as canonical text. Throws UnreadableText, and Error if an option makes no sense for it.
  std::string Read(const std::string& text) { return session_.Read(text); }
  // Of an answer to it.
  FormatOptions answer_format() const;
  // Prints an answer to the problem; as text, how it was read comes first, where that matters.
  void PrintAnswer(const std::string& answer) const;

 private:
  std::vector<std::string> texts_;
  Format format_;
  bool is_coloured_;
  Session session_;
};

}  // namespace conpole::cli
