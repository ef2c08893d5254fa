// conpole endgame: lists the states near the solved one of a puzzle once, on the disk, for all searches after.
#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>

#include <fmt/format.h>

#include "cli/any_domain.h"
#include "cli/command.h"
#include "cli/output.h"
#include "conpole/domain.h"
#include "conpole/error.h"
#include "search/endgame.h"

namespace conpole::cli {
namespace {

struct EndgameOptions {
  std::string domain;
  std::size_t megabytes = 128;
  bool remove = false;
};

int MakeEndgame(const EndgameOptions& options) {
  const std::unique_ptr<Domain> domain = MakeAnyDomain(options.domain);
  const std::string name(domain->type().name);
  if (domain->type().layout == nullptr) throw Error(Message("the states of {} have no fixed layout", name));
  const FixedLayout& layout = *domain->type().layout;
  const std::string path = EndgamePath(layout);
  if (path.empty()) throw Error("there is no folder for what can be made again: set HOME or XDG_CACHE_HOME");
  std::error_code error;
  if (options.remove) {
    const bool was_there = std::filesystem::remove(path, error);
    if (error) throw Error(fmt::format("{}: cannot be removed: {}", path, error.message()));
    PrintLine(was_there ? path + " is removed" : "there is no endgame of " + name);
    return kOk;
  }
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), error);
  const Endgame endgame(layout, EndgameStatesFor(options.megabytes << 20));
  endgame.Write(path);
  const Endgame read(layout, path, Lookahead::kTwoSteps);
  PrintLine(fmt::format("{}: {}{} states within {} steps; from {} steps on, searches know the way\n{}, {} MB", name,
                        read.is_complete() ? "all " : "", read.size(), read.radius(), read.reach(), path,
                        (std::filesystem::file_size(path) + (1U << 19U)) >> 20U));
  return kOk;
}

}  // namespace

void AddEndgame(Command& program) {
  Command& command = program.Add("endgame", "List the states near the solved one of a puzzle, once for all searches after");
  const auto options = std::make_shared<EndgameOptions>();
  command.Takes("domain", options->domain, "The puzzle, for example rubiks-cube or gallery/fifteen-puzzle.domain.");
  command.Number("--megabytes", options->megabytes, "The most that the list may take, on the disk and in memory.", {1, 65'536});
  command.Flag("--remove", options->remove, "Remove the list instead.");
  command.footer =
      "Searches know the states that are a few steps from the solved one, and make a list of some 16 MB of them when they "
      "begin. "
      "If there is a file, they read it instead. It is in $XDG_CACHE_HOME/conpole or ~/.cache/conpole.";
  command.action = [options] { return MakeEndgame(*options); };
}

}  // namespace conpole::cli
