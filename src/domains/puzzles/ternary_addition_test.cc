#include "domains/puzzles/ternary_addition.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "conpole/domain.h"
#include "tests/check_text.h"

namespace conpole {
namespace {

using Actions = std::vector<std::pair<std::string, std::string>>;

TEST(TernaryAdditionTest, EachPlaceIsDeletedSwappedAndCombined) {
  const std::unique_ptr<Domain> domain = MakeDomain("ternary-addition");
  EXPECT_EQ(ExpandCopy(*domain, "#(a1 c1 c1)").actions, (Actions{{"del 0, a1", "#(c1 c1)"},
                                                                 {"swap 0, a1 c1", "#(c1 a1 c1)"},
                                                                 {"comb 0, a1 c1", "#(c1 a2 c1)"},
                                                                 {"swap 1, c1 c1", "#(a1 c1 c1)"},
                                                                 {"comb 1, c1 c1", "#(a1 b1 b2)"}}));
  EXPECT_EQ(ExpandCopy(*domain, "#(b2 a0)").actions, (Actions{{"swap 0, b2 a0", "#(a0 b2)"}, {"del 1, a0", "#(b2)"}}));
  EXPECT_EQ(ExpandCopy(*domain, "#(a0)").actions, (Actions{{"del 0, a0", "#()"}}));
}

TEST(TernaryAdditionTest, PowersGoOnAfterNineAndStopAtTheLastCharacter) {
  const std::unique_ptr<Domain> domain = MakeDomain("ternary-addition");
  EXPECT_EQ(Next(*domain, "#(c9 c9)", "comb 0, c9 c9"), "#(b9 b:)");
  EXPECT_EQ(Next(*domain, "#(c} c})", "comb 0, c} c}"), "#(b} b~)");
  EXPECT_EQ(LabelsOf(*domain, "#(c~ c~)", {"comb"}), std::vector<std::string>());
  EXPECT_EQ(ExpandCopy(*domain, "#(b~)").status, Status::kSolved);
}

TEST(TernaryAdditionTest, OtherCharactersAreRefusedWithTheirPosition) {
  const std::unique_ptr<Domain> domain = MakeDomain("ternary-addition");
  struct Case {
    std::string_view text;
    std::size_t position;
    std::string_view what;
  };
  for (const Case& bad : {Case{"", 0, "expected '#('"}, Case{"(b0)", 0, "expected '#('"}, Case{"#(", 2, "found the end"},
                          Case{"#(d0)", 2, "found 'd'"}, Case{"#(b", 3, "found the end"}, Case{"#(b/)", 3, "found '/'"},
                          Case{"#(b0", 4, "found the end"}, Case{"#(b0,c0)", 4, "found ','"}, Case{"#(b0 )", 5, "found ')'"},
                          Case{"#(b0 ", 5, "found the end"}, Case{"#(b0))", 5, "found ')'"}, Case{"#( )", 2, "found ' '"}}) {
    const Parsed parsed = domain->Parse(bad.text);
    ASSERT_TRUE(parsed.error) << bad.text;
    EXPECT_EQ(parsed.error->position, bad.position) << bad.text;
    EXPECT_NE(parsed.error->message.english().find(bad.what), std::string::npos) << bad.text << ": " << parsed.error->message;
  }
}

TEST(TernaryAdditionTest, SizesStayInTheirRange) {
  for (const auto& [spec, digits, power] :
       {std::tuple("ternary-addition", 14, '5'), std::tuple("ternary-addition:max_digits=15,max_power=6", 15, '6'),
        std::tuple("ternary-addition:max_digits=1,max_power=0", 1, '0')}) {
    const std::unique_ptr<Domain> domain = MakeDomain(spec);
    std::size_t longest = 0;
    char highest = '0';
    for (std::uint64_t seed = 0; seed < 500; ++seed) {
      const std::string problem = domain->Generate(seed);
      longest = std::max(longest, problem.size() / 3);
      for (std::size_t at = 3; at < problem.size(); at += 3) highest = std::max(highest, problem[at]);
    }
    EXPECT_EQ(longest, static_cast<std::size_t>(digits)) << spec;
    EXPECT_EQ(highest, power) << spec;
  }
}

}  // namespace
}  // namespace conpole
