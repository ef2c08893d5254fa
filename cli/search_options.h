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

  // Adds all options to a command; the arguments must outlive its parsing.
  void AddTo(CLI::App& command);
  // The same for those that say how to score, and for those that say how to search.
  void AddScorerTo(CLI::App& command);
  void AddSearchTo(CLI::App& command);
  // Whether one that says how to search was given.
  static bool AnyGiven(const CLI::App& command);
  // The options as the search takes them. Throws Error if one makes no sense.
  SearchOptions Resolve() const;
  // The scorer that was asked for; by default the domain's heuristic, if it suffices, the shipped model, or a simple scorer
  // where there is none. The pool must outlive it. Throws Error if there is no such scorer or it does not fit the domain.
  std::unique_ptr<Scorer> MakeScorer(const Domain& domain, ThreadPool& pool) const;
  // The domain with the abstractions that were asked for; by default those that the model was trained with. Throws Error if the
  // file has none, or if they are for another domain.
  std::unique_ptr<Domain> WithAbstractionsOfModel(std::unique_ptr<Domain> domain) const;
  // The same in words, for reports; "none" for a search that asks no scorer.
  std::string ScorerName(const Domain& domain) const;

 private:
  PolicyChoice Choice() const { return {model, scorer, seed, policy, any_domain}; }
};

// Adds --any-domain.
void AddAnyDomain(CLI::App& command, bool& any_domain);

// Reads a model, the shipped one if no path is given, and makes sure that it is for this domain, unless it may be one of any.
// Throws Error.
Model ReadModelFor(const Domain& domain, const std::string& given, bool any_domain = false);

}  // namespace conpole::cli
