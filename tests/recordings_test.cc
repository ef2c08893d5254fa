// Equality to the letter with the authors' program: every recorded problem, and every successor with its label and place. The
// recordings are not part of the repository; without them these tests say so and are skipped.
#include <zlib.h>

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "conpole/domain.h"

namespace conpole {
namespace {

struct Recording {
  std::string name;  // as in the file names
  std::string spec;
  friend void PrintTo(const Recording& recording, std::ostream* out) { *out << recording.name; }
};

std::vector<Recording> Recordings() {
  const std::string shared = CONPOLE_SHARED;
  return {{"sorting", "sorting"},
          {"ternary-addition", "ternary-addition"},
          {"multiplication", "multiplication"},
          {"fractions", "fractions"},
          {"equations-ct", "equations:templates=" + shared + "/data/equations-ct.txt"},
          {"rubiks-cube-20", "rubiks-cube"}};
}

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

class RecordingsTest : public testing::TestWithParam<Recording> {
 protected:
  // Calls `check` with every line of one recording; skips the test if the file is not there.
  template <class Check>
  void ForEachLine(const std::string& kind, const Check& check) {
    const std::filesystem::path path =
        std::filesystem::path(CONPOLE_SHARED) / "golden" / (kind + "." + GetParam().name + ".jsonl.gz");
    if (!std::filesystem::exists(path)) GTEST_SKIP() << "skipped: no recording " << path;
    const std::unique_ptr<Domain> domain = MakeDomain(GetParam().spec);
    const std::string text = ReadGzip(path);
    std::size_t lines = 0;
    for (std::size_t begin = 0; begin < text.size(); ++lines) {
      const std::size_t end = text.find('\n', begin);
      check(*domain, nlohmann::json::parse(text.begin() + static_cast<std::ptrdiff_t>(begin),
                                           text.begin() + static_cast<std::ptrdiff_t>(end)));
      begin = end + 1;
    }
    ASSERT_GT(lines, 0U);
    RecordProperty("lines", static_cast<int>(lines));
  }

  void CheckSteps(const std::string& kind) {
    Successors labelled;
    Successors plain;
    ForEachLine(kind, [&](const Domain& domain, const nlohmann::json& line) {
      const auto state = line["state"].get<std::string>();
      SCOPED_TRACE(state);
      labelled.Clear();
      plain.Clear();
      const Status status = domain.Expand(state, Labels::kOn, labelled);
      ASSERT_NE(status, Status::kMalformed) << labelled.error().message << " at " << labelled.error().position;
      ASSERT_EQ(status == Status::kSolved, line["solved"].get<bool>());
      ASSERT_EQ(domain.Solved(state), line["solved"].get<bool>());
      nlohmann::json actions = nlohmann::json::array();
      for (std::size_t i = 0; i < labelled.size(); ++i) actions.push_back({labelled.label(i), labelled.state(i)});
      ASSERT_EQ(actions, line["actions"]);
      ASSERT_EQ(domain.Expand(state, Labels::kOff, plain), status);
      ASSERT_EQ(plain.text(), labelled.text());
    });
  }
};

TEST_P(RecordingsTest, Problems) {
  ForEachLine("problems", [](const Domain& domain, const nlohmann::json& line) {
    ASSERT_EQ(domain.Generate(line["seed"].get<std::uint64_t>()), line["problem"].get<std::string>())
        << "seed " << line["seed"];
  });
}

TEST_P(RecordingsTest, StepsOnRandomWalks) { CheckSteps("steps"); }

TEST_P(RecordingsTest, StepsAtRareRules) { CheckSteps("edge"); }

INSTANTIATE_TEST_SUITE_P(Authors, RecordingsTest, testing::ValuesIn(Recordings()), [](const auto& param_info) {
  std::string name = param_info.param.name;
  std::erase(name, '-');
  return name;
});

}  // namespace
}  // namespace conpole
