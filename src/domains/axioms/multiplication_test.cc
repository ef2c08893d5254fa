#include "domains/axioms/multiplication.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "conpole/domain.h"
#include "tests/check_text.h"

namespace conpole {
namespace {

class MultiplicationTest : public testing::Test {
 protected:
  std::optional<std::string> After(std::string_view state, std::string_view label) const {
    return Next(*domain_, state, label);
  }
  std::vector<std::string> Labelled(std::string_view state, const std::vector<std::string>& axioms) const {
    return LabelsOf(*domain_, state, axioms);
  }

  std::unique_ptr<Domain> domain_ = MakeDomain("multiplication");
};

using Names = std::vector<std::string>;

TEST_F(MultiplicationTest, NumbersBeyond64BitsAreExact) {
  EXPECT_EQ(After("(9223372036854775807e3 * 9e4)", "sdmul 0, (9223372036854775807e3 * 9e4)"), "83010348331692982263e7");
  EXPECT_EQ(After("(99999999999999999999e0 + 1e0)", "add 0, (99999999999999999999e0 + 1e0)"), "100000000000000000000e0");
  EXPECT_EQ(After("(1e30 + 1e0)", "add 0, (1e30 + 1e0)"), "1000000000000000000000000000001e0");
  EXPECT_EQ(After("(1e0 * 123456789012345678901e2)", "split 2, 123456789012345678901e2"),
            "(1e0 * (12345678901234567890e3 + 1e2))");
}

TEST_F(MultiplicationTest, FactorsAreAsLongAsAskedFor) {
  const std::unique_ptr<Domain> domain = MakeDomain("multiplication:min_mantissa=1000,max_mantissa=9999");
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const std::string problem = domain->Generate(seed);
    for (std::size_t e = problem.find('e'); e != std::string::npos; e = problem.find('e', e + 1)) {
      EXPECT_EQ(problem.find_last_not_of("0123456789", e - 1), e - 5) << problem;
    }
  }
}

TEST_F(MultiplicationTest, OneFactorMustBeASingleDigit) {
  EXPECT_EQ(After("(-9e1 * 12e2)", "sdmul 0, (-9e1 * 12e2)"), "-108e3");
  EXPECT_EQ(Labelled("(10e0 * 12e2)", {"sdmul"}), Names());
  EXPECT_EQ(Labelled("(5e0 - 3e0)", {"sdmul", "add"}), Names());
}

TEST_F(MultiplicationTest, DistributionIsOverASumOnTheRightOnly) {
  EXPECT_EQ(After("(2e0 * (3e0 + 4e1))", "dist 0, (2e0 * (3e0 + 4e1))"), "((2e0 * 3e0) + (2e0 * 4e1))");
  EXPECT_EQ(Labelled("((3e0 + 4e1) * 2e0)", {"dist"}), Names());
  EXPECT_EQ(Labelled("(2e0 * (3e0 - 4e1))", {"dist"}), Names());
}

TEST_F(MultiplicationTest, TrivialRulesLookAtTheRight) {
  EXPECT_EQ(After("((2e0 * 3e0) * 0e7)", "mul0 0, ((2e0 * 3e0) * 0e7)"), "0e0");
  EXPECT_EQ(After("((2e0 * 3e0) * 1e0)", "mul1 0, ((2e0 * 3e0) * 1e0)"), "(2e0 * 3e0)");
  EXPECT_EQ(After("((2e0 * 3e0) + 0e7)", "add0 0, ((2e0 * 3e0) + 0e7)"), "(2e0 * 3e0)");
  EXPECT_EQ(Labelled("(0e0 * (2e0 * 3e0))", {"mul0", "mul1", "add0"}), Names());
  EXPECT_EQ(Labelled("((2e0 * 3e0) * 1e1)", {"mul0", "mul1", "add0"}), Names());
}

TEST_F(MultiplicationTest, SplitIsOfferedForEveryNumber) {
  EXPECT_EQ(Labelled("((1e0 + 23e4) * -5e0)", {"split"}), (Names{"split 2, 1e0", "split 3, 23e4", "split 4, -5e0"}));
  EXPECT_EQ(After("(1e0 * -23e4)", "split 2, -23e4"), "(1e0 * (-2e5 + -3e4))");
}

TEST_F(MultiplicationTest, ACapCanBeSet) {
  const std::unique_ptr<Domain> capped = MakeDomain("multiplication:max_nodes=3");
  EXPECT_EQ(ExpandCopy(*capped, "(1e0 * 2e0)").status, Status::kOpen);
  EXPECT_EQ(ExpandCopy(*capped, "((1e0 * 2e0) * 3e0)").status, Status::kDeadEnd);
  EXPECT_EQ(ExpandCopy(*capped, "7e0").status, Status::kSolved);
}

TEST_F(MultiplicationTest, MalformedTextIsRefusedWithItsPosition) {
  for (const auto& [text, position] : std::vector<std::pair<std::string, std::size_t>>{
           {"12", 2}, {"(1e0 * 2)", 8}, {"(1e0 / 2e0)", 5}, {"1e0 2e0", 4}, {"x", 0}, {"-(1e0)", 1}, {"(1e0 + 1e1000)", 7}}) {
    const Parsed parsed = domain_->Parse(text);
    ASSERT_TRUE(parsed.error) << text;
    EXPECT_EQ(parsed.error->position, position) << text << ": " << parsed.error->message;
  }
}

}  // namespace
}  // namespace conpole
