#include "train/run/run_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include "conpole/error.h"
#include "train/ranks/rank_checkpoints.h"

namespace conpole {
namespace {

constexpr std::string_view kLockFile = "lock";

bool IsOfARun(std::string_view name) {
  return name == "metrics.jsonl" || name.ends_with(".safetensors") || name.starts_with("checkpoint-");
}

// NAME.PROCESS-COUNT.tmp, as AtomicFile calls what it has not finished, where NAME is of a run.
bool IsUnfinished(std::string_view name) {
  constexpr std::string_view kEnding = ".tmp";
  if (!name.ends_with(kEnding)) return false;
  name.remove_suffix(kEnding.size());
  const std::size_t dot = name.rfind('.');
  if (dot == std::string_view::npos || name.find_first_not_of("0123456789-", dot + 1) != std::string_view::npos) return false;
  name = name.substr(0, dot);
  return IsOfARun(name) || name == RunFolder::kConfig;
}

// A part of a checkpoint that was never finished.
bool IsStrayPart(const std::string& folder, std::string_view name) {
  std::string checkpoint;
  std::error_code ignored;
  return IsCheckpointPart(name, checkpoint) && !std::filesystem::exists(fmt::format("{}/{}", folder, checkpoint), ignored);
}

std::vector<std::string> NamesIn(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code failure;
  for (const auto& entry : std::filesystem::directory_iterator(folder, failure)) {
    names.push_back(entry.path().filename().string());
  }
  if (failure) throw Error(fmt::format("{} cannot be read: {}", folder, failure.message()));
  return names;
}

}  // namespace

RunFolder::RunFolder(const std::string& path, bool resume, Ranks& ranks) : path_(path), checkpoints_(path) {
  ranks.Together([&] {
    if (ranks.is_first()) Take(resume);
  });
  ranks.Together([&] {
    std::error_code ignored;
    if (std::filesystem::is_directory(path_, ignored)) return;
    throw Error(fmt::format("{} is not there: the run's folder must be one that all ranks share", path_));
  });
}

void RunFolder::Take(bool resume) {
  std::error_code failure;
  is_new_ = std::filesystem::create_directories(path_, failure);
  if (failure) throw Error(fmt::format("{} cannot be made: {}", path_, failure.message()));
  if (!std::filesystem::is_directory(path_, failure)) throw Error(fmt::format("{} is not a folder", path_));
  Lock();
  try {
    Check(resume);
    RemoveUnfinishedFiles();
  } catch (...) {
    close(lock_);
    lock_ = -1;
    throw;
  }
}

RunFolder::~RunFolder() {
  std::error_code ignored;
  if (is_new_) {
    std::filesystem::remove(PathOf(kLockFile), ignored);
    std::filesystem::remove(path_, ignored);
  }
  if (lock_ >= 0) close(lock_);
}

std::string RunFolder::PathOf(std::string_view name) const { return fmt::format("{}/{}", path_, name); }

// The system lets go of the lock when the process ends, however it does.
void RunFolder::Lock() {
  const std::string file = PathOf(kLockFile);
  lock_ = open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666);
  if (lock_ < 0) throw Error(fmt::format("{} cannot be made: {}", file, std::generic_category().message(errno)));
  if (flock(lock_, LOCK_EX | LOCK_NB) == 0) return;
  const int reason = errno;
  close(lock_);
  is_new_ = false;
  if (reason == EWOULDBLOCK) throw Error(fmt::format("{} is in use: another process trains there", path_));
  throw Error(fmt::format("{} cannot be locked: {}", file, std::generic_category().message(reason)));
}

void RunFolder::Check(bool resume) const {
  if (resume && checkpoints_.HasAny()) return;
  for (const std::string& name : NamesIn(path_)) {
    if (!IsOfARun(name) || IsUnfinished(name) || IsStrayPart(path_, name)) continue;
    if (resume) {
      throw Error(fmt::format("{} has no checkpoint to resume from, but it has {}; choose another folder, or remove that",
                              path_, name));
    }
    throw Error(fmt::format("{} has a run already ({}); go on with --resume, or choose another folder", path_, name));
  }
}

void RunFolder::RemoveUnfinishedFiles() const {
  for (const std::string& name : NamesIn(path_)) {
    std::error_code ignored;  // one that stays does no harm
    if (IsUnfinished(name) || IsStrayPart(path_, name)) std::filesystem::remove(PathOf(name), ignored);
  }
}

}  // namespace conpole
