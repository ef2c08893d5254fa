#include "tests/recordings.h"

#include <zlib.h>

#include <cstdint>
#include <iostream>
#include <memory>

#include "conpole/domain.h"
#include "util/random.h"

namespace conpole {
namespace {

std::string ReadGzip(const std::filesystem::path& path) {
  std::string text;
  std::vector<char> block(1 << 16);
  gzFile const file = gzopen(path.c_str(), "rb");
  for (int count = 0; (count = gzread(file, block.data(), static_cast<unsigned>(block.size()))) > 0;) {
    text.append(block.data(), static_cast<std::size_t>(count));
  }
  gzclose(file);
  return text;
}

std::vector<std::string> StatesOnRandomWalks(const Domain& domain, std::size_t count) {
  constexpr int kSteps = 10;
  std::vector<std::string> states;
  Random random(11);
  Successors successors;
  for (std::uint64_t seed = 1'000'000; states.size() < count; ++seed) {
    std::string state = domain.Generate(seed);
    for (int step = 0; step < kSteps && states.size() < count; ++step) {
      states.push_back(state);
      successors.Clear();
      if (domain.Expand(state, Labels::kOff, successors) != Status::kOpen) break;
      state = successors.state(random.Uint64(0, successors.size()));
    }
  }
  return states;
}

}  // namespace

std::vector<Recording> Recordings() {
  const std::string shared = CONPOLE_SHARED;
  return {{"sorting", "sorting", "sorting"},
          {"ternary-addition", "ternary-addition", "ternary-addition"},
          {"multiplication", "multiplication", "multiplication"},
          {"fractions", "fractions", "fractions"},
          {"equations-ct", "equations", "equations:templates=" + shared + "/data/equations-ct.txt"},
          {"rubiks-cube-20", "rubiks-cube", "rubiks-cube"}};
}

std::filesystem::path PathOf(const Recording& recording, std::string_view kind) {
  return std::filesystem::path(CONPOLE_SHARED) / "golden" / (std::string(kind) + "." + recording.name + ".jsonl.gz");
}

void ForEachLine(const std::filesystem::path& path, const std::function<bool(const nlohmann::json&)>& use) {
  const std::string text = ReadGzip(path);
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin);
    if (!use(nlohmann::json::parse(text.begin() + static_cast<std::ptrdiff_t>(begin),
                                   text.begin() + static_cast<std::ptrdiff_t>(end)))) {
      return;
    }
    begin = end + 1;
  }
}

std::vector<std::string> StatesOf(const Recording& recording, std::size_t count) {
  const std::filesystem::path path = PathOf(recording, "steps");
  if (!std::filesystem::exists(path)) {
    std::cout << "no recording " << path << ": states on random walks instead\n";
    return StatesOnRandomWalks(*MakeDomain(recording.domain), count);
  }
  std::vector<std::string> states;
  ForEachLine(path, [&](const nlohmann::json& line) {
    states.push_back(line["state"].get<std::string>());
    return states.size() < count;
  });
  return states;
}

}  // namespace conpole
