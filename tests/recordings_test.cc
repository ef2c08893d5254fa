// Exact equality with the authors' program: every recorded problem, and every successor with its label and place. The
// recordings are not part of the repository; without them these tests say so and are skipped.
#include <filesystem>
#include <memory>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "conpole/domain.h"
#include "tests/recordings.h"

namespace conpole {
namespace {

class RecordingsTest : public testing::TestWithParam<Recording> {
 protected:
  // Calls `check` with every line of one recording; skips the test if the file is not there.
  template <class Check>
  void CheckEachLine(const std::string& kind, const Check& check) {
    const std::filesystem::path path = PathOf(GetParam(), kind);
    if (!std::filesystem::exists(path)) GTEST_SKIP() << "skipped: no recording " << path;
    const std::unique_ptr<Domain> domain = MakeDomain(GetParam().spec);
    int lines = 0;
    ForEachLine(path, [&](const nlohmann::json& line) {
      check(*domain, line);
      ++lines;
      return true;
    });
    ASSERT_GT(lines, 0);
    RecordProperty("lines", lines);
  }

  void CheckSteps(const std::string& kind) {
    Successors labelled;
    Successors plain;
    CheckEachLine(kind, [&](const Domain& domain, const nlohmann::json& line) {
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
  CheckEachLine("problems", [](const Domain& domain, const nlohmann::json& line) {
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
