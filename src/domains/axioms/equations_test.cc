#include "domains/axioms/equations.h"

#include <cstdint>
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

class EquationsTest : public testing::Test {
 protected:
  std::optional<std::string> After(std::string_view state, std::string_view label) const {
    return Next(*domain_, state, label);
  }
  std::vector<std::string> Labelled(std::string_view state, const std::vector<std::string>& axioms) const {
    return LabelsOf(*domain_, state, axioms);
  }

  std::unique_ptr<Domain> domain_ = MakeDomain("equations");
};

using Names = std::vector<std::string>;

// The corrections to the authors' program, by their numbers in the specification.

TEST_F(EquationsTest, SubCommDoesNotSwapInsideTheSubtrahend) {
  EXPECT_EQ(Labelled("(1 - (2 - x)) = 3", {"comm", "sub_comm"}), Names());
  EXPECT_EQ(After("((1 - 2) - x) = 3", "sub_comm 1, ((1 - 2) - x)"), "((1 - x) - 2) = 3");
}

TEST_F(EquationsTest, NothingIsDividedByALiteralZero) {
  const Names families{"div_self", "zero_div"};
  EXPECT_EQ(Labelled("(0 / 0) = x", families), Names());
  EXPECT_EQ(Labelled("(0x / 0x) = x", families), Names());
  EXPECT_EQ(Labelled("(0 / 0x) = x", families), Names());
  EXPECT_EQ(After("(x / x) = 1", "div_self 1, (x / x)"), "1 = 1");
  EXPECT_EQ(After("(0 / x) = 1", "zero_div 1, (0 / x)"), "0 = 1");
  EXPECT_EQ(Labelled("(3 / 0) = x", {"eval"}), Names());
  EXPECT_EQ(Labelled("(0 / 0) = x", {"eval"}), Names());
}

TEST_F(EquationsTest, ResultsThatLeave64BitsAreNotOffered) {
  EXPECT_EQ(Labelled("(9223372036854775807 + 1) = x", {"eval"}), Names());
  EXPECT_EQ(Labelled("(3037000500 * 3037000500) = x", {"eval"}), Names());
  EXPECT_EQ(Labelled("([1/9223372036854775807] / 2) = x", {"eval"}), Names());
  EXPECT_EQ(After("(3037000499 * 3037000499) = x", "eval 1, (3037000499 * 3037000499)"), "9223372030926249001 = x");
  // 32 bits were not enough.
  EXPECT_EQ(After("(65536 * 65536) = x", "eval 1, (65536 * 65536)"), "4294967296 = x");
}

TEST_F(EquationsTest, ASecondEqualsSignIsRefusedWithItsPosition) {
  const Parsed parsed = domain_->Parse("x = 3 = 4");
  ASSERT_TRUE(parsed.error);
  EXPECT_EQ(parsed.error->position, 6U);
  Successors out;
  EXPECT_EQ(domain_->Expand("x = 3 = 4", Labels::kOn, out), Status::kMalformed);
  EXPECT_EQ(out.error().position, 6U);
  EXPECT_TRUE(domain_->Parse("x = [1/0]").error);
}

TEST_F(EquationsTest, FamiliesComeInOrderAndThenBothSides) {
  std::vector<std::string> labels;
  for (const auto& [label, next] : ExpandCopy(*domain_, "((1 + 0) - x) = 2").actions) labels.push_back(label);
  EXPECT_EQ(labels, (Names{"refl", "comm 2, (1 + 0)", "assoc 1, ((1 + 0) - x)", "eval 2, (1 + 0)", "add0 2, (1 + 0)", "add 1",
                           "sub 1", "mul 1", "div 1", "add x", "sub x", "mul x", "div x", "add 2", "sub 2", "mul 2", "div 2"}));
}

TEST_F(EquationsTest, AssociationTriesTheRightOperandFirst) {
  EXPECT_EQ(After("((1 + 2) + (3 - x)) = 4", "assoc 1, ((1 + 2) + (3 - x))"), "(((1 + 2) + 3) - x) = 4");
  EXPECT_EQ(After("((1 + 2) - (3 + x)) = 4", "assoc 1, ((1 + 2) - (3 + x))"), "(1 + (2 - (3 + x))) = 4");
  EXPECT_EQ(After("((1 * x) / 2) = 4", "assoc 1, ((1 * x) / 2)"), std::nullopt) << "1 * x is written 1x";
  EXPECT_EQ(After("(1x / 2) = 4", "assoc 1, (1x / 2)"), "(1 * (x / 2)) = 4");
  EXPECT_EQ(Labelled("((1 - 2) + x) = 4", {"assoc"}), Names());
  EXPECT_EQ(Labelled("((1 / 2) * x) = 4", {"assoc"}), Names());
}

TEST_F(EquationsTest, DistributionTriesItsThreeFormsInOrder) {
  EXPECT_EQ(After("((1 + x) * (2 - y)) = 3", "dist 1, ((1 + x) * (2 - y))"), "(((1 + x) * 2) - ((1 + x) * y)) = 3");
  EXPECT_EQ(After("(2x - 5x) = 3", "dist 1, (2x - 5x)"), "((2 - 5) * x) = 3");
  EXPECT_EQ(After("((1 + x) * 2) = 3", "dist 1, ((1 + x) * 2)"), "((1 * 2) + (x * 2)) = 3");
  EXPECT_EQ(After("((1 - x) / x) = 3", "dist 1, ((1 - x) / x)"), "((1 / x) - (x / x)) = 3");
  EXPECT_EQ(Labelled("(2 / (1 + x)) = 3", {"dist"}), Names());
  EXPECT_EQ(Labelled("(2x - 5y) = 3", {"dist"}), Names());
}

TEST_F(EquationsTest, CoefficientsJoinAndLeaveTheirVariable) {
  EXPECT_EQ(After("2x = 4", "comm 1, 2x"), "(x * 2) = 4");
  EXPECT_EQ(After("(x * (-2)) = 4", "comm 1, (x * (-2))"), "-2x = 4");
  EXPECT_EQ(After("((1 + 2) * x) = 4", "eval 2, (1 + 2)"), "3x = 4");
  EXPECT_EQ(After("((1 / 2) * x) = 4", "eval 2, (1 / 2)"), "[1/2]x = 4");
  EXPECT_EQ(After("(2 * (x + 0)) = 4", "add0 3, (x + 0)"), "2x = 4");
  EXPECT_EQ(After("x = 4", "add 4"), std::nullopt) << "solved";
  EXPECT_EQ(After("4 = x", "mul x"), "4x = (x * x)");
  EXPECT_EQ(After("(x / 4) = ([-1/2])", "mul ([-1/2])"), "((x / 4) * ([-1/2])) = (([-1/2]) * ([-1/2]))");
}

TEST_F(EquationsTest, SubtractionOfNumbersAndMultiplesIsAddition) {
  EXPECT_EQ(After("(x - 3) = 4", "subsub 1, (x - 3)"), "(x + (-3)) = 4");
  EXPECT_EQ(After("(1 - -2x) = 4", "subsub 1, (1 - -2x)"), "(1 + 2x) = 4");
  EXPECT_EQ(After("(1 - (2 * (x + 1))) = 4", "subsub 1, (1 - (2 * (x + 1)))"), "(1 + ((-2) * (x + 1))) = 4");
  // A - A comes first.
  EXPECT_EQ(Labelled("(3 - 3) = x", {"sub_self", "subsub"}), Names{"sub_self 1, (3 - 3)"});
  EXPECT_EQ(After("(x - 0) = 4", "subsub 1, (x - 0)"), "(x + 0) = 4");
}

TEST_F(EquationsTest, BothSidesUseEachTermOnceAndNoZero) {
  EXPECT_EQ(Labelled("(2x + 2) = ((0 + 0x) + 2x)", {"add"}), (Names{"add 2x", "add 2", "add x"}));
}

TEST_F(EquationsTest, OverTheCapsThereIsNothingToDo) {
  // 31 nodes.
  std::string nodes = "x = 1";
  for (int i = 0; i < 14; ++i) nodes += "+1";
  EXPECT_EQ(ExpandCopy(*domain_, nodes).status, Status::kDeadEnd);
  EXPECT_EQ(ExpandCopy(*MakeDomain("equations:max_nodes=31,max_bytes=200"), nodes).status, Status::kOpen);
  const std::string bytes80 = "(x + 1234567890123456789) = (1234567890123456789 + (1234567890123456789 + 12345))";
  ASSERT_EQ(bytes80.size(), 81U);
  EXPECT_EQ(ExpandCopy(*domain_, bytes80).status, Status::kDeadEnd);
  std::string shorter = bytes80;
  shorter.erase(shorter.size() - 3, 1);
  EXPECT_EQ(ExpandCopy(*domain_, shorter).status, Status::kOpen);
}

TEST_F(EquationsTest, ZeroAndLargerConstantsAreDrawnWhereAskedFor) {
  const auto has_zero = [](const Domain& domain) {
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
      const std::string problem = domain.Generate(seed);
      for (std::size_t at = 0; (at = problem.find('0', at)) != std::string::npos; ++at) {
        if (at == 0 || !IsDigit(problem[at - 1])) return true;
      }
    }
    return false;
  };
  EXPECT_FALSE(has_zero(*domain_));
  EXPECT_TRUE(has_zero(*MakeDomain("equations:zero=1")));
}

// Negation is written as a bare minus, so a rewritten operand can change how it has to be written.
TEST_F(EquationsTest, SuccessorsUnderANegationAreCanonical) {
  for (const std::string state : {"-(2x) = 3", "-(3 + 2) = x", "-(3 - 5) = x", "-(x - x) = 1", "-(x / x) = 1", "-(2x + 0) = 1",
                                  "-((3 + 2) * x) = 1", "-(2 * (x + 0)) = 1", "-(-(1 + 2)) = x", "(-(1 + 2) * x) = 1"}) {
    const std::optional<std::string> fault = FindFault(*domain_, state);
    EXPECT_FALSE(fault) << state << ": " << *fault;
  }
  EXPECT_EQ(After("-(2x) = 3", "comm 2, 2x"), "-(x * 2) = 3");
  EXPECT_EQ(After("-(3 + 2) = x", "eval 2, (3 + 2)"), "(-5) = x");
  EXPECT_EQ(After("-(2x + 0) = 1", "add0 2, (2x + 0)"), "-(2x) = 1");
}

// -(-5) may be read as the number 5; if it stays a negation, it is not a number and the equation is not solved.
TEST_F(EquationsTest, OnlyANumberSolvesAnEquation) {
  const std::string state = domain_->Parse("x = -(-5)").state;
  EXPECT_EQ(domain_->Solved(state), state == "x = 5") << state;
  EXPECT_EQ(ExpandCopy(*domain_, state).status == Status::kSolved, state == "x = 5") << state;
}

}  // namespace
}  // namespace conpole
