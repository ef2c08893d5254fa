#include "domains/axioms/fractions.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "conpole/domain.h"
#include "tests/check_text.h"

namespace conpole {
namespace {

class FractionsTest : public testing::Test {
 protected:
  std::optional<std::string> After(std::string_view state, std::string_view label) const {
    return Next(*domain_, state, label);
  }
  std::vector<std::string> Labelled(std::string_view state, const std::vector<std::string>& axioms) const {
    return LabelsOf(*domain_, state, axioms);
  }

  std::unique_ptr<Domain> domain_ = MakeDomain("fractions");
};

using Names = std::vector<std::string>;

TEST_F(FractionsTest, ANegativeFractionInLowestTermsIsSolved) {
  EXPECT_TRUE(domain_->Solved("[-1]/[2]"));
  EXPECT_EQ(ExpandCopy(*domain_, "[-1]/[2]").status, Status::kSolved);
  EXPECT_EQ(ExpandCopy(*domain_, "[-2]/[4]").status, Status::kOpen);
  EXPECT_EQ(ExpandCopy(*domain_, "[1]/[-2]").status, Status::kOpen);
}

TEST_F(FractionsTest, ZeroDenominatorsAreRefusedOnInput) {
  for (const std::string text : {"[1]/[0]", "3 + [1]/[(2 - 2)]", "[1]/[2] * [0]/[(0 * 5)]"}) {
    const Parsed parsed = domain_->Parse(text);
    ASSERT_TRUE(parsed.error) << text;
    EXPECT_EQ(parsed.error->message, "a fraction over 0");
    EXPECT_EQ(parsed.error->position, text.rfind('[', text.rfind('/'))) << text;
    // As a state it can still be worked on.
    EXPECT_EQ(ExpandCopy(*domain_, text).status, Status::kOpen) << text;
  }
  // A product that only 64-bit arithmetic would call 0.
  EXPECT_FALSE(domain_->Parse("[1]/[(4294967296 * 4294967296)]").error);
  EXPECT_TRUE(domain_->Parse("[1]/[((4294967296 * 4294967296) - (4294967296 * 4294967296))]").error);
}

TEST_F(FractionsTest, AFractionOfEqualNumbersCancelsToOne) {
  EXPECT_EQ(After("[7]/[7]", "cancel 0, 7"), "1");
  EXPECT_EQ(Labelled("[1]/[1]", {"cancel"}), Names());
  EXPECT_EQ(Labelled("[0]/[0]", {"cancel"}), Names());
  EXPECT_EQ(Labelled("[-7]/[-7]", {"cancel"}), Names());
}

TEST_F(FractionsTest, CancelListsEveryWayOnce) {
  const auto cancelled = [&](std::string_view state) {
    std::vector<std::string> results;
    for (const auto& [label, next] : ExpandCopy(*domain_, state).actions) {
      if (AxiomOf(label) == "cancel") results.push_back(fmt::format("{}: {}", label, next));
    }
    return results;
  };
  EXPECT_EQ(cancelled("[(2 * 3)]/[(3 * 2)]"), (Names{"cancel 0, 2: [3]/[3]", "cancel 0, 3: [2]/[2]"}));
  EXPECT_EQ(cancelled("[(2 * 2)]/[(2 * 2)]"), Names{"cancel 0, 2: [2]/[2]"});
  EXPECT_EQ(cancelled("[(2 * 3)]/[(2 * 3)]"), (Names{"cancel 0, 2: [3]/[3]", "cancel 0, 3: [2]/[2]"}));
  EXPECT_EQ(cancelled("[(2 * 2)]/[(3 * 2)]"), Names{"cancel 0, 2: [2]/[3]"});
  EXPECT_EQ(cancelled("[(5 * 2)]/[2]"), Names{"cancel 0, 2: 5"});
  EXPECT_EQ(cancelled("[2]/[(5 * 2)]"), Names{"cancel 0, 2: [1]/[5]"});
  EXPECT_EQ(cancelled("[(0 * 2)]/[(0 * 3)]"), Names()) << "0 is no factor to cancel";
  EXPECT_EQ(cancelled("[((1 + 1) * 2)]/[((1 + 1) * 3)]"), Names()) << "only plain numbers cancel";
  EXPECT_EQ(cancelled("[((1 + 1) * 5)]/[5]"), Names{"cancel 0, 5: (1 + 1)"});
  EXPECT_EQ(cancelled("3 + [(2 * 7)]/[2]"), Names{"cancel 2, 2: 3 + 7"});
}

TEST_F(FractionsTest, FactorizeListsDivisorsUpToTheSquareRoot) {
  EXPECT_EQ(Labelled("[36]/[1]", {"factorize"}),
            (Names{"factorize 1, 36, 2*18", "factorize 1, 36, 3*12", "factorize 1, 36, 4*9", "factorize 1, 36, 6*6"}));
  EXPECT_EQ(After("[-6]/[2]", "factorize 1, -6, 2*-3"), "[(2 * -3)]/[2]");
  EXPECT_EQ(Labelled("[7]/[1]", {"factorize"}), Names());
  EXPECT_EQ(Labelled("[0]/[1]", {"factorize"}), Names());
  // The product of the two largest primes below the square root of 2^63, where trial division would take seconds.
  EXPECT_EQ(Labelled("[9223371873002223329]/[1]", {"factorize"}).size(), 1U);
}

TEST_F(FractionsTest, EvaluationStopsAt64Bits) {
  EXPECT_EQ(After("9223372036854775806 + 1", "eval 0, 9223372036854775806 + 1"), std::nullopt)
      << "the root is no number operation";
  EXPECT_EQ(After("(9223372036854775806 + 1)", "eval 0, 9223372036854775806 + 1"), "9223372036854775807");
  EXPECT_EQ(Labelled("(9223372036854775807 + 1)", {"eval"}), Names());
  EXPECT_EQ(Labelled("(-9223372036854775807 - 1)", {"eval"}), Names());
  EXPECT_EQ(Labelled("(4294967296 * 2147483648)", {"eval"}), Names());
  // What these would wrap around to is an ordinary number.
  EXPECT_EQ(Labelled("(9223372036854775807 + 2)", {"eval"}), Names());
  EXPECT_EQ(Labelled("(-9223372036854775807 - 2)", {"eval"}), Names());
  EXPECT_EQ(Labelled("(4294967296 * 4294967297)", {"eval"}), Names());
}

TEST_F(FractionsTest, NumbersBecomeFractionsAndFractionsCombine) {
  EXPECT_EQ(After("5 * [3]/[4]", "mfrac 1, 5"), "[5]/[1] * [3]/[4]");
  EXPECT_EQ(After("[3]/[4] - 5", "mfrac 4, 5"), "[3]/[4] - [5]/[1]");
  EXPECT_EQ(After("[3]/[4] - [1]/[4]", "combine 0"), "[(3 - 1)]/[4]");
  EXPECT_EQ(Labelled("[3]/[4] - [1]/[(2 * 2)]", {"combine"}), Names()) << "equal in value is not enough";
  EXPECT_EQ(After("[3]/[(2 * 2)] + [1]/[(2 * 2)]", "combine 0"), "[(3 + 1)]/[(2 * 2)]");
  EXPECT_EQ(After("[3]/[4] * [1]/[4]", "mul 0"), "[(3 * 1)]/[(4 * 4)]");
  EXPECT_EQ(After("[(1 + 2)]/[1]", "simpl1 0"), "(1 + 2)");
  EXPECT_EQ(Labelled("[1]/[2]", {"scale"}), Names()) << "solved";
  EXPECT_EQ(Labelled("[2]/[2]", {"scale"}), (Names{"scale 0, 2", "scale 0, 3", "scale 0, 5", "scale 0, 7"}));
}

TEST_F(FractionsTest, OverTheCapThereIsNothingToDo) {
  EXPECT_EQ(ExpandCopy(*domain_, "(1 + (1 + (1 + (1 + (1 + (1 + (1 + 1)))))))").status, Status::kOpen);           // 15 nodes
  EXPECT_EQ(ExpandCopy(*domain_, "(1 + (1 + (1 + (1 + (1 + (1 + (1 + (1 + 1))))))))").status, Status::kDeadEnd);  // 17
}

}  // namespace
}  // namespace conpole
