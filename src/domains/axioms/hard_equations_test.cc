#include "domains/axioms/hard_equations.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "conpole/domain.h"
#include "conpole/error.h"
#include "domains/axioms/equations.h"

namespace conpole {
namespace {

Term<EquationNotation> ReadTerm(const std::string& text) {
  Term<EquationNotation> term;
  Malformed error;
  EXPECT_TRUE(term.Read(text, error)) << text << ": " << error.message;
  return term;
}

// Operands of sums and sides that are no sums themselves, whatever brackets they stand in.
std::size_t CountTerms(const Term<EquationNotation>& term, std::uint32_t i) {
  const bool is_sum = i == 0 || term.IsOperation(i, '+') || term.IsOperation(i, '-');
  if (is_sum) return CountTerms(term, term.Left(i)) + CountTerms(term, term.Right(i));
  if (!term.IsOperation(i)) return 1;
  const auto is_sum_below = [&](std::uint32_t child) { return term.IsOperation(child) && CountTerms(term, child) > 1; };
  for (const std::uint32_t child : {term.Left(i), term.Right(i)}) {
    if (is_sum_below(child)) return CountTerms(term, child);
  }
  return 1;
}

TEST(HardEquationsTest, ProblemsFitTheirSizeAndTheCaps) {
  for (const std::int64_t size : {kSmallestHardEquation, std::int64_t{5}, std::int64_t{8}, kLargestHardEquation}) {
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
      const std::string text = DrawHardEquation(seed, {.size = size});
      const Term<EquationNotation> term = ReadTerm(text);
      EXPECT_EQ(term.text(), text);
      EXPECT_NE(text.find('x'), std::string::npos) << text;
      EXPECT_LE(term.size(), 22U) << text;
      EXPECT_LE(text.size(), 60U) << text;
      EXPECT_LE(CountTerms(term, 0), static_cast<std::size_t>(size)) << text;
    }
  }
}

TEST(HardEquationsTest, LargerSizesHaveMoreTerms) {
  const auto mean_terms = [](std::int64_t size) {
    double sum = 0;
    for (std::uint64_t seed = 0; seed < 500; ++seed) {
      const std::string text = DrawHardEquation(seed, {.size = size});
      sum += static_cast<double>(CountTerms(ReadTerm(text), 0));
    }
    return sum / 500;
  };
  double before = 0;
  for (std::int64_t size = kSmallestHardEquation; size <= 8; ++size) {
    const double mean = mean_terms(size);
    EXPECT_GT(mean, before) << size;
    before = mean;
  }
}

TEST(HardEquationsTest, EverythingThatIsHardOccurs) {
  std::set<std::string> met;
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    const std::string text = DrawHardEquation(seed, {});
    const Term<EquationNotation> term = ReadTerm(text);
    if (CountTerms(term, 0) == 8) met.insert("eight terms");
    for (std::uint32_t i = 1; i < term.size(); ++i) {
      if (term.IsNumber(i) && !term[i].number.IsInteger()) met.insert("fractions");
      if (!term.IsOperation(i)) continue;
      const std::string right(term.Span(term.Right(i)));
      if (term.IsOperation(i, '/') && right.find('x') != std::string::npos) met.insert("below");
      if (term.IsOperation(i, '*') && CountTerms(term, i) > 1) met.insert("bracket");
      if (term.IsOperation(i, '-') && CountTerms(term, term.Right(i)) > 1) met.insert("subtracted sum");
    }
  }
  EXPECT_EQ(met, (std::set<std::string>{"eight terms", "fractions", "below", "bracket", "subtracted sum"}));
}

// A seed means the same problem everywhere.
TEST(HardEquationsTest, SeedsKeepTheirProblems) {
  const std::unique_ptr<Domain> domain = MakeDomain("equations:source=hard");
  EXPECT_EQ(domain->Generate(0), "(((8 - x) - 7x) + x) = 1");
  EXPECT_EQ(domain->Generate(10'000), "(((-3) + -7x) - 5) = ((-10) + (8x - (-5)))");
  EXPECT_EQ(MakeDomain("equations:source=hard,size=3")->Generate(1), "6 = (4 * (5x + [1/7]x))");
}

TEST(HardEquationsTest, NarrowCapsAndLargeNumbersStillGiveProblems) {
  for (const char* const spec :
       {"equations:source=hard,max_nodes=3", "equations:source=hard,max_bytes=5",
        "equations:source=hard,size=16,max_nodes=200,max_bytes=900", "equations:source=hard,max_constant=1000000",
        "equations:source=hard,max_constant=1", "equations:source=hard,zero=1"}) {
    const std::unique_ptr<Domain> domain = MakeDomain(spec);
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
      const std::string problem = domain->Generate(seed);
      EXPECT_EQ(domain->Parse(problem).state, problem) << spec;
      EXPECT_FALSE(domain->Solved(problem)) << spec << ": " << problem;
    }
  }
}

TEST(HardEquationsTest, AnUnknownSourceIsAnErrorThatListsTheKnownOnes) {
  const auto message = [](const char* spec) -> std::string {
    try {
      MakeDomain(spec);
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_EQ(message("equations:source=easy"), "domain equations: parameter 'source' must be templates or hard, not 'easy'");
  EXPECT_NE(message("equations:source=hard,templates=shapes.txt").find("leave one of the two out"), std::string::npos);
  EXPECT_NE(message("equations:source=hard,size=17").find("from 2 to 16"), std::string::npos);
}

}  // namespace
}  // namespace conpole
