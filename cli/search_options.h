// The options that say how to search and how to score, shared by the commands that do. For the main thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cli/command.h"
#include "conpole/domain.h"
#include "conpole/scorer.h"
#include "nn/model.h"
#include "search/run_search.h"
#include "session/session.h"
#include "tutor/policy.h"

namespace conpole::cli {

struct SearchArguments {
  std::string search = "beam";
  std::string scorer;   // empty: what suits the domain
  std::string model;    // the same
  bool policy = false;  // the model that comes with the program
  bool any_domain = false;
  std::string device = "cpu";
  std::string abstractions;  // a file of them, or none; empty: those of the model
  std::string beam_value;    // empty: what suits the scorer
  std::string endgame = "on";
  std::uint64_t max_steps = 30;
  std::uint64_t max_edges = 1'000'000;
  std::size_t batch = 0;  // 0: what is usual for the search
  std::uint64_t seed = 0;
  std::size_t threads = 0;
  SearchOptions options;

  // Add the options that say how to score, and those that say how to search; the arguments must outlive the parsing.
  void AddScorerTo(Command& command);
  // `batch_name`: of the option for the states per round.
  void AddSearchTo(Command& command, const std::string& batch_name = "--batch");
  // Whether one that says how to search was given.
  static bool AnyGiven(const Command& command);
  // The options as the search takes them. Throws Error if one makes no sense.
  SearchOptions Resolve() const;
  // The scorer that was asked for; by default the domain's heuristic, if it suffices, the shipped model, or a simple scorer
  // where there is none. The pool must outlive it. Throws Error if there is no such scorer or it does not fit the domain.
  std::unique_ptr<Scorer> MakeScorer(const Domain& domain, ThreadPool& pool) const;
  // The same for a session, with the abstractions that the model was trained with, if a model ranks the steps: breadth-first
  // search and scorers without a network take axioms alone.
  SessionPolicy PolicyFor(const Domain& domain) const;
  // The domain with the abstractions that were asked for; by default those of PolicyFor. Throws Error if the file has none, or
  // if they are for another domain.
  std::shared_ptr<const Domain> WithAbstractionsOfModel(std::unique_ptr<Domain> domain) const;
  // The same in words, for reports; "none" for a search that asks no scorer.
  std::string ScorerName(const Domain& domain) const;
  // The abstractions of the domain in words: "axioms alone", or how many there are and whose.
  std::string AbstractionsName(const Domain& domain) const;

 private:
  PolicyChoice Choice() const { return {model, scorer, seed, policy, any_domain}; }
};

// What --model means where a command needs a model.
inline constexpr char kModelHelp[] = "The model file; by default the one that comes with conpole for the domain.";
// Adds --any-domain.
void AddAnyDomain(Command& command, bool& any_domain);

// Reads a model, the shipped one if no path is given, and makes sure that it is for this domain, unless it may be one of any.
// Throws Error.
Model ReadModelFor(const Domain& domain, const std::string& given, bool any_domain = false);

}  // namespace conpole::cli
