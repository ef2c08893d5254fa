#include "tutor/explain.h"

#include <array>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "conpole/domain.h"
#include "subjects/subject.h"
#include "tests/check_text.h"
#include "util/random.h"

namespace conpole {
namespace {

std::string Explain(const std::string& name, const std::string& before, const std::string& label,
                    const ExplainOptions& options = {}) {
  const std::unique_ptr<Domain> domain = MakeDomain(name);
  const std::optional<std::string> after = Next(*domain, before, label);
  EXPECT_TRUE(after) << before << " has no " << label;
  return after ? ExplainStep(*domain, label, before, *after, options) : "";
}

TEST(ExplainTest, SaysWhatAStepDoes) {
  const std::vector<std::array<std::string, 4>> cases{
      {"equations", "(2x + 3) = 7", "sub 3", "Subtract 3 from both sides."},
      {"equations", "2x = 4", "div 2", "Divide both sides by 2."},
      {"equations", "(2x + 3) = (-7)", "add (-7)", "Add -7 to both sides."},
      {"equations", "([1/2]x + 3) = 7", "mul [1/2]x", "Multiply both sides by (1/2)x."},
      {"equations", "3 = x", "refl", "Swap the two sides."},
      {"equations", "x = (7 - 3)", "eval 2, (7 - 3)", "Compute 7 - 3 = 4."},
      {"equations", "((2x + 3) - 3) = 4", "assoc 1, ((2x + 3) - 3)", "Group differently: 2x + 3 - 3 is 2x + (3 - 3)."},
      {"equations", "(3 * (x - 2)) = 9", "dist 1, (3 * (x - 2))", "Use the distributive law: 3(x - 2) is 3x - 3 · 2."},
      {"equations", "(2x / 2x) = 1", "div_self 1, (2x / 2x)", "What is divided by itself is 1: 2x / (2x) = 1."},
      // The sign and the result become one number, so that the result stands nowhere by itself.
      {"equations", "-(1 + 2) = x", "eval 2, (1 + 2)", "Compute 1 + 2."},
      {"fractions", "[1]/[2] + [6]/[4]", "factorize 5, 6, 2*3", "Write 6 as 2 · 3."},
      {"fractions", "[(2 * 3)]/[(2 * 2)]", "cancel 0, 2", "Cancel the common factor 2."},
      {"fractions", "[1]/[2] + [1]/[3]", "scale 1, 3", "Multiply numerator and denominator by 3."},
      {"fractions", "[1]/[2] + 3", "mfrac 4, 3", "Write 3 as a fraction over 1."},
      {"fractions", "[(2 * 3)]/[4]", "eval 1, 2 * 3", "Compute 2 · 3 = 6."},
      {"fractions", "[6]/[1] + 2", "simpl1 1", "A fraction over 1 is its numerator: 6/1 is 6."},
      {"fractions", "[1]/[2] * [1]/[3]", "mul 0", "Multiply the numerators and the denominators."},
      {"fractions", "[1]/[6] - [5]/[6]", "combine 0", "Bring both fractions onto their common denominator."},
      {"multiplication", "(12e1 * 3e0)", "sdmul 0, (12e1 * 3e0)", "Multiply: 12e1 · 3 = 36e1."},
      {"multiplication", "(12e0 * 34e0)", "split 1, 12e0", "Split off the last digit: 12 is 1e1 + 2."},
      {"ternary-addition", "#(c3 b3 a0)", "comb 0, c3 b3", "Add c3 and b3, which have the same power: a3, b4."},
      {"ternary-addition", "#(c3 b3 a0)", "del 2, a0", "Leave out a0, a zero digit."},
      {"ternary-addition", "#(c3 b3 a0)", "swap 1, b3 a0", "Swap b3 and a0."},
      {"sorting", "[===|=|==]", "swap 0", "Swap the bars in places 1 and 2."},
      {"sorting", "[===|=|==]", "reverse", "Turn the whole list round."}};
  for (const auto& [name, before, label, sentence] : cases) {
    EXPECT_EQ(Explain(name, before, label), sentence);
  }
  const std::unique_ptr<Domain> cube = MakeDomain("rubiks-cube");
  const std::string state = cube->Generate(1);
  EXPECT_EQ(ExplainStep(*cube, "R-1", state, *Next(*cube, state, "R-1")), "R': Turn the right face counter-clockwise.");
}

TEST(ExplainTest, KnowsLanguagesAndLatex) {
  EXPECT_EQ(Explain("equations", "([1/2]x + 3) = 7", "sub 3", {"de", Script::kPlain}), "Subtrahiere 3 auf beiden Seiten.");
  EXPECT_EQ(Explain("equations", "([1/2]x + 3) = 7", "mul [1/2]x", {"en", Script::kLatex}),
            R"(Multiply both sides by $\frac{1}{2}x$.)");
  EXPECT_EQ(Explain("ternary-addition", "#(c3 b3)", "swap 0, c3 b3", {"en", Script::kLatex}),
            R"(Swap $2 \cdot 3^{3}$ and $1 \cdot 3^{3}$.)");
}

TEST(ExplainTest, EveryStepOfRandomWalksHasASentence) {
  std::vector<std::string> specs{"algebra:family=exercises"};
  for (const Subject* const subject : Subjects()) specs.emplace_back(subject->type()->name);
  for (const std::string& spec : specs) {
    const std::unique_ptr<Domain> domain = MakeDomain(spec);
    Random random(3);
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
      std::string state = domain->Generate(seed);
      for (int step = 0; step < 12; ++step) {
        const Expansion expansion = ExpandCopy(*domain, state);
        for (const auto& [label, next] : expansion.actions) {
          const std::string sentence = ExplainStep(*domain, label, state, next, {seed % 2 == 0 ? "en" : "de", Script::kPlain});
          ASSERT_TRUE((sentence.ends_with('.') || sentence.ends_with('?')) && sentence.find('{') == std::string::npos)
              << sentence;
          for (const std::string_view ascii : {"sqrt(", "cbrt(", "!=", "<=", ">=", "*"}) {
            ASSERT_EQ(sentence.find(ascii), std::string::npos) << sentence;
          }
        }
        if (expansion.actions.empty()) break;
        state = expansion.actions[static_cast<std::size_t>(random.Int64(0, std::ssize(expansion.actions)))].second;
      }
    }
  }
}

}  // namespace
}  // namespace conpole
