// The folder of a training run: one process at a time, and nothing of another run in it.
//
//   lock                       held while a process works on the run; the file itself stays
//   config.toml                the settings
//   checkpoint-STEPS...        see checkpoint.h and rank_checkpoints.h
//   metrics.jsonl, events...   see metrics.h
//   progress.json              how far it is and a problem that was tried lately, about once a second: for pages that watch it
//   best.safetensors           the policy that did best on the validation problems
//   last.safetensors           the policy at the end
//
// An object holds the lock as long as it lives; of several ranks, which share the folder, the first one does. One thread at a
// time.
#pragma once

#include <string>
#include <string_view>

#include "train/ranks/ranks.h"
#include "train/run/checkpoint.h"

namespace conpole {

class RunFolder {
 public:
  static constexpr std::string_view kConfig = "config.toml";
  static constexpr std::string_view kProgress = "progress.json";
  static constexpr std::string_view kBestModel = "best.safetensors";
  static constexpr std::string_view kLastModel = "last.safetensors";

  // Makes the folder if it is not there, locks it, makes sure that it fits, and removes the unfinished files of processes that
  // were killed. A new run needs a folder without a run; `resume` needs one with a checkpoint, or without anything of a run.
  // Throws Error, which says what is in the way. A folder that was made for nothing is removed again. All ranks make one
  // together.
  RunFolder(const std::string& path, bool resume, Ranks& ranks = SingleRank());
  ~RunFolder();
  RunFolder(const RunFolder&) = delete;
  RunFolder& operator=(const RunFolder&) = delete;

  const std::string& path() const { return path_; }
  std::string PathOf(std::string_view name) const;
  const CheckpointFolder& checkpoints() const { return checkpoints_; }
  // From now on the folder stays, whatever happens.
  void Keep() { is_new_ = false; }

 private:
  void Take(bool resume);
  void Lock();
  void Check(bool resume) const;
  void RemoveUnfinishedFiles() const;

  std::string path_;
  CheckpointFolder checkpoints_;
  bool is_new_ = false;  // made by this object, and empty but for the lock
  int lock_ = -1;
};

}  // namespace conpole
