#include "train/ranks/rank_checkpoints.h"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <system_error>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "conpole/error.h"
#include "util/checksum.h"
#include "util/read_number.h"

namespace conpole {
namespace {

constexpr const char* kPartsSection = "parts";
constexpr std::string_view kPartInfix = ".rank-";

// The first rank's own sections are in the checkpoint itself, beside the shared ones.
std::string OwnName(std::string_view name) { return fmt::format("own/{}", name); }

std::string PathOfPart(const std::string& checkpoint, std::string_view name, std::size_t rank) {
  return fmt::format("{}-{}{}{}", checkpoint, name, kPartInfix, rank);
}

struct PartsOf {
  std::size_t ranks = 1;
  std::string name;
};

PartsOf PartsIn(const std::map<std::string, std::string>& sections) {
  const auto found = sections.find(kPartsSection);
  if (found == sections.end()) return {};
  try {
    const nlohmann::json parts = nlohmann::json::parse(found->second);
    return {parts.at("ranks").get<std::size_t>(), parts.at("name").get<std::string>()};
  } catch (const nlohmann::json::exception& error) {
    throw Error(fmt::format("the checkpoint's list of parts is damaged: {}", error.what()));
  }
}

// Removes parts whose checkpoint is not there any more, or is another one.
void RemoveStrayParts(const std::string& folder, const std::string& kept, std::string_view kept_name) {
  std::error_code ignored;  // a part that stays does no harm
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
    std::string checkpoint;
    const std::string name = entry.path().filename().string();
    if (!IsCheckpointPart(name, checkpoint)) continue;
    const std::string path = fmt::format("{}/{}", folder, checkpoint);
    const bool is_of_another = path == kept && !name.starts_with(fmt::format("{}-{}.", checkpoint, kept_name));
    if (is_of_another || !std::filesystem::exists(path, ignored)) std::filesystem::remove(entry.path(), ignored);
  }
}

// The sections of one checkpoint for this rank.
std::map<std::string, std::string> ReadOne(const std::string& path, const Ranks& ranks) {
  std::map<std::string, std::string> sections = ReadCheckpoint(path);
  const PartsOf parts = PartsIn(sections);
  if (parts.ranks == 1 && ranks.is_alone()) return sections;
  sections.erase(kPartsSection);
  std::map<std::string, std::string> own;
  for (auto section = sections.begin(); section != sections.end();) {
    if (section->first.starts_with(OwnName(""))) {
      own[section->first.substr(OwnName("").size())] = std::move(section->second);
      section = sections.erase(section);
    } else {
      ++section;
    }
  }
  const auto own_of = [&](std::size_t rank) { return rank == 0 ? own : ReadCheckpoint(PathOfPart(path, parts.name, rank)); };
  if (parts.ranks == ranks.size()) {
    sections.merge(own_of(ranks.rank()));
    return sections;
  }
  for (std::size_t rank = 0; rank < parts.ranks; ++rank) {
    for (auto& [name, bytes] : own_of(rank)) sections[fmt::format("{}.{}", name, rank)] = std::move(bytes);
  }
  return sections;
}

}  // namespace

bool IsCheckpointPart(std::string_view name, std::string& checkpoint) {
  constexpr std::string_view kPrefix = "checkpoint-";
  const std::size_t infix = name.find(kPartInfix);
  if (!name.starts_with(kPrefix) || infix == std::string_view::npos) return false;
  if (!ReadNumber<std::uint64_t>(name.substr(infix + kPartInfix.size()))) return false;
  const std::size_t dash = name.find('-', kPrefix.size());
  if (dash == std::string_view::npos || dash > infix) return false;
  checkpoint = name.substr(0, dash);
  return true;
}

void WriteRankCheckpoint(const CheckpointFolder& folder, Ranks& ranks, std::uint64_t steps,
                         const std::vector<CheckpointSection>& shared, const std::vector<CheckpointSection>& own) {
  std::vector<CheckpointSection> all = shared;
  if (ranks.is_alone()) {
    all.insert(all.end(), own.begin(), own.end());
    return folder.Write(steps, all);
  }
  // Two checkpoints of as many steps that are not the same have parts of different names.
  Checksum checksum;
  for (const CheckpointSection& section : ranks.is_first() ? shared : std::vector<CheckpointSection>{}) {
    section.save([&](std::string_view piece) { checksum.Add(std::as_bytes(std::span(piece))); });
  }
  std::string name = fmt::format("{:016x}", checksum.value());
  ranks.Broadcast(name, 0);
  const std::string path = folder.PathOf(steps);
  ranks.Together([&] {
    if (!ranks.is_first()) WriteCheckpoint(PathOfPart(path, name, ranks.rank()), own);
  });
  ranks.Together([&] {
    if (!ranks.is_first()) return;
    for (std::size_t rank = 1; rank < ranks.size(); ++rank) {
      const std::string part = PathOfPart(path, name, rank);
      std::error_code ignored;
      if (std::filesystem::exists(part, ignored)) continue;
      throw Error(
          fmt::format("{}, which rank {} wrote, is not there: the run's folder must be one that all ranks share", part, rank));
    }
    const std::string parts = nlohmann::json{{"ranks", ranks.size()}, {"name", name}}.dump();
    for (const CheckpointSection& section : own) all.push_back({OwnName(section.name), section.save});
    all.push_back({kPartsSection, [&](const WriteBytes& write) { write(parts); }});
    folder.Write(steps, all);
    RemoveStrayParts(folder.path(), path, name);
  });
}

std::map<std::string, std::string> ReadRankCheckpoint(const CheckpointFolder& folder, Ranks& ranks,
                                                      const std::function<void(const std::string&)>& complain) {
  // The first rank says what there is: a folder that is shared need not look the same to all at the same time.
  std::vector<std::uint64_t> steps;
  if (ranks.is_first()) steps = folder.Steps();
  std::string listed = nlohmann::json(steps).dump();
  ranks.Broadcast(listed, 0);
  steps = nlohmann::json::parse(listed).get<std::vector<std::uint64_t>>();
  if (steps.empty()) return {};
  for (const std::uint64_t candidate : steps) {
    std::map<std::string, std::string> sections;
    try {
      ranks.Together([&] { sections = ReadOne(folder.PathOf(candidate), ranks); });
      return sections;
    } catch (const Error& error) {
      if (steps.size() == 1) throw;
      complain(error.what());
    }
  }
  throw Error(fmt::format("{} has no whole checkpoint to resume from", folder.path()));
}

}  // namespace conpole
