// The one assembly of a tutor: domain, model, abstractions, language, budget, reading and policy, put together in the same way
// for the command line, the service (HTTP, WebAssembly), C++ (conpole/solver.h) and Python. The same options and the same text
// therefore get the same answer everywhere.
//
// One thread at a time may call the methods of a session. It owns all that it uses but what the options point to.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "conpole/domain.h"
#include "conpole/error.h"
#include "conpole/scorer.h"
#include "notation/notation.h"
#include "subjects/subject.h"
#include "tutor/format.h"
#include "tutor/policy.h"
#include "tutor/tutor.h"
#include "util/thread_pool.h"

namespace conpole {

// A text is no problem of the domain.
struct UnreadableText : Error {
  UnreadableText(std::string_view text, const NotationError& error);

  std::size_t position;    // the byte in the text
  Message reason;          // in the language of the session
  std::string understood;  // what comes before the position
};

// An option makes no sense by itself or with the others.
struct OptionError : Error {
  OptionError(std::string which, Message message) : Error(std::move(message)), option(std::move(which)) {}

  std::string option;  // of SessionOptions
};

// What guides the searches in a domain.
struct SessionPolicy {
  std::string name = {};                             // errors call it so
  std::map<std::string, std::string> metadata = {};  // of its model, which tell the abstractions that it was trained with
  // The pool and this object outlive the scorer.
  std::function<std::unique_ptr<Scorer>(const Domain& domain, ThreadPool& pool)> make_scorer = {};
};

struct SessionOptions {
  std::string domain = {};  // what MakeDomain takes; empty for the one that the text is of
  std::string language = "en";
  Script script = Script::kPlain;  // of sentences and lines
  Detail detail = Detail::kSchool;
  TurnCount turns = TurnCount::kQuarter;
  std::string method = {};        // of algebra, as --method has it; empty for the best one
  bool markup = false;            // whether JSON has lines for browsers and ears, too
  PolicyChoice policy = {};       // by default what suits the domain
  std::string abstractions = {};  // a file of abstractions or a model trained with some; "none"; empty for the policy's own
  TutorBudget budget = {};        // of each question
  std::size_t threads = 0;        // 0 for one per core

  // For shells that have these already.
  std::shared_ptr<const Domain> given_domain = nullptr;                        // instead of `domain`
  std::function<SessionPolicy(const Domain& domain)> choose_policy = nullptr;  // instead of `policy`
};

class Session {
 public:
  // The domain is guessed from the text if the options do not say. Throws Error if there is no such domain, model or file, and
  // OptionError.
  explicit Session(SessionOptions options, std::string_view text = {});

  const SessionOptions& options() const { return options_; }
  const Domain& domain() const { return *domain_; }
  const Subject& subject() const { return SubjectOf(*domain_); }
  Tutor& tutor() { return tutor_; }
  Scorer& policy() { return *policy_; }
  ThreadPool& pool() { return pool_; }
  const TutorBudget& budget() const { return options_.budget; }

  // A text in free notation as canonical text. Throws UnreadableText.
  std::string Read(std::string_view text);
  // The same, also of what lines can be checked against although nobody said what is asked for.
  std::string ReadToCheck(std::string_view text);
  // How the last text was read, if others might read it in another way; else empty.
  const std::string& read_as() const { return read_as_; }
  // What answers to the last text are put into JSON with.
  FormatOptions format() const;

  // The questions. All texts are free notation; these throw UnreadableText.
  TutorSolution Solve(std::string_view text);
  TutorHint Hint(std::string_view text, int level, std::string_view tried = {});
  std::vector<NextStep> NextSteps(std::string_view text);
  StepCheck Check(std::string_view text, std::string_view line);

  // The same as JSON values. The lines of a solution are what LinesOf makes of texts; fewer than two
  // are an OptionError.
  nlohmann::ordered_json SolveToJson(std::string_view text);
  nlohmann::ordered_json HintToJson(std::string_view text, int level, std::string_view tried = {});
  nlohmann::ordered_json NextToJson(std::string_view text);
  nlohmann::ordered_json CheckToJson(std::span<const std::string> lines);

 private:
  std::string Take(std::string_view text, NotationResult read);

  SessionOptions options_;
  SessionPolicy chosen_;
  ThreadPool pool_;
  std::shared_ptr<const Domain> domain_;
  std::unique_ptr<Scorer> policy_;
  Tutor tutor_;
  std::string read_as_;
};

// The domain that a text is a problem of, where nobody named one, as a session guesses it.
std::string DomainOfText(const SessionOptions& options, std::string_view text);

// Throws OptionError if there is no such language.
void RequireLanguage(std::string_view language);

// What a choice means in a domain: a model file with its metadata, or a scorer without one. Throws Error.
SessionPolicy ChoosePolicy(const Domain& domain, const PolicyChoice& choice);

// The domain with abstractions, which are chosen as SessionOptions::abstractions are. Throws Error if a file has none, or if
// they are for another domain.
std::shared_ptr<const Domain> WithChosenAbstractions(std::shared_ptr<const Domain> domain, const std::string& abstractions,
                                                     const SessionPolicy& policy);

// What is known of a text before any step is taken, as a JSON value. No model is needed. Throws UnreadableText.
nlohmann::ordered_json ReadToJson(const Domain& domain, std::string_view text, const std::string& language, bool markup);

}  // namespace conpole
