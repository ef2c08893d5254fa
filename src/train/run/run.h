// A training run as a whole: its folder, its settings, and everything that is written while it learns. Programs read options
// and show what happens; the rest is here. One thread uses a run, and that thread calls what it is given.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "conpole/domain.h"
#include "domains/axioms/abstractions.h"
#include "train/agents/agent.h"
#include "train/loop/learner.h"
#include "train/loop/packed_learner.h"
#include "train/loop/training_loop.h"
#include "train/ranks/rank_checkpoints.h"
#include "train/ranks/ranks.h"
#include "train/run/metrics.h"
#include "train/run/run_folder.h"
#include "train/run/settings.h"

namespace conpole {

struct RunRequest {
  std::string folder;
  bool resume = false;
  std::string config;    // a file of settings; empty for none
  SettingValues given;   // these win over the file, and both over those of the run that is resumed
  std::string version;   // of the program, for the files that are written
  SettingValues record;  // what else config.toml records about the program and the machine, by name
  std::string build;     // what else must be the same on all ranks, such as LibTorch's version
};

// What a run needs and this library cannot make.
struct RunParts {
  std::function<std::unique_ptr<Domain>(const std::string& spec)> make_domain;
  // The abstractions that a domain of a new run with these settings begins with.
  std::function<AbstractionSet(const RunSettings& settings, const Domain& domain)> read_abstractions = {};
  LearnerFactory make_learner;
  PackedLearnerFactory make_packed_learner = {};
  std::string device = "cpu";  // what a run is on that may choose
  // Changes what no setting says, once all settings are known; for tests and experiments.
  std::function<void(TrainOptions& options)> adapt = {};
  // The others that take part in the run; it must outlive the run. Each of them makes the same run.
  Ranks* ranks = &SingleRank();
  // In place of the agent of the table that the settings name, whose usual settings hold.
  std::function<std::unique_ptr<Agent>(const TrainOptions& options)> make_agent = {};
};

// What happens, as it happens. All may be left out.
struct RunEvents {
  std::function<void(const TrainStatus&)> progress;         // about once a second
  std::function<void(const TrainStatus&)> evaluated;        // after each evaluation
  std::function<void(const std::string& path)> saved;       // a model was written; none is if the learner gives no weights
  std::function<void(const std::string& message)> warning;  // something that one should know
  std::function<void(const TriedProblem&)> tried;           // some of the problems, as they are tried
};

// Of several ranks the first one writes metrics and models and tells what happens; the others take part.
class TrainingRun {
 public:
  // Takes the folder, and goes on from its newest whole checkpoint if asked to. Throws Error, and leaves the folder as it was,
  // if something does not fit.
  TrainingRun(const RunRequest& request, const RunParts& parts, RunEvents events);
  ~TrainingRun();

  const RunSettings& settings() const { return settings_; }
  const TrainStatus& status() const { return trainer_->status(); }
  // Empty while there is none.
  std::string best_model() const;
  std::string last_model() const;

  // Trains until the run is over or `stop` is set. Returns whether all is done. Throws Diverged, which
  // says what is left, and Error if a file cannot be written.
  bool Train(const std::atomic<bool>& stop);

 private:
  std::map<std::string, std::string> ReadCheckpoint();
  // Also makes the domains, which say what suits them.
  void ResolveSettings(const RunRequest& request, const SettingValues& of_checkpoint, const RunParts& parts);
  // Throws Error, which says what differs, unless the run of the checkpoint was of the same domains.
  void RequireSameDomains(const std::map<std::string, std::string>& checkpoint) const;
  // Throws Error, which says what differs, unless all ranks were asked for the same.
  void CompareRanks(const std::string& build) const;
  void MakeTrainer(const RunParts& parts);
  // For those who watch. What cannot be written is left out: it would be old a second later.
  void WriteProgress(const TrainStatus& status, bool is_running) const;
  void SaveModel(const TrainStatus& status, const Tensors& weights, std::string_view name) const;

  Ranks& ranks_;
  RunFolder folder_;
  RunEvents events_;
  std::string version_;
  SettingValues record_;
  RunSettings settings_;
  std::vector<std::unique_ptr<Domain>> domains_;
  std::vector<std::unique_ptr<Domain>> axioms_;  // the same without abstractions, where some problems are searched so
  std::vector<AbstractionSet> abstractions_;     // of the domains
  bool begins_ = true;                           // with the first step, and not with what a checkpoint has
  std::unique_ptr<Agent> agent_;                 // null for what learns over packed states
  Architecture architecture_;
  std::unique_ptr<Learner> learner_;               // of agents that read texts
  std::unique_ptr<PackedLearner> packed_learner_;  // of the others
  std::optional<MetricsLog> metrics_;
  TriedProblem tried_;  // the latest
  std::unique_ptr<TrainingLoop> trainer_;
};

// A status under the names of metrics.jsonl. What is not known yet is left out.
MetricValues MetricsOf(const TrainStatus& status);
// The same with the step, the seconds and the best policy, for programs; what is not known yet is null.
nlohmann::ordered_json StatusJson(const TrainStatus& status);

}  // namespace conpole
