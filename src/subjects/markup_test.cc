#include "subjects/markup.h"

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "conpole/domain.h"
#include "conpole/error.h"
#include "language/catalogue.h"
#include "notation/mathml.h"
#include "notation/notation.h"
#include "notation/speech.h"
#include "subjects/free_notation.h"
#include "subjects/markup_json.h"
#include "subjects/subject.h"
#include "tests/mathml_judge.h"
#include "tests/repetitions.h"
#include "util/random.h"
#include "verify/algebra_meaning.h"
#include "verify/exact.h"

namespace conpole {
namespace {

const Domain& DomainOf(const std::string& name) {
  static std::map<std::string, std::unique_ptr<Domain>> domains;
  std::unique_ptr<Domain>& domain = domains[name];
  if (!domain) domain = MakeDomain(name);
  return *domain;
}

// A line in free notation as canonical text; empty, with a failure, if it cannot be read.
std::string StateOf(const std::string& domain, const std::string& text) {
  const NotationResult read = ReadNotation(DomainOf(domain), text);
  EXPECT_FALSE(read.error) << domain << ": " << text << ": " << read.error->message;
  return read.state;
}

// What is in the <math> element.
std::string MathmlOfLine(const std::string& domain, const std::string& text, std::string_view language = "en") {
  const std::string mathml = MarkupOf(DomainOf(domain), StateOf(domain, text), language).mathml;
  constexpr std::string_view kBegin = R"(<math xmlns="http://www.w3.org/1998/Math/MathML" display="block">)";
  constexpr std::string_view kEnd = "</math>";
  EXPECT_TRUE(mathml.starts_with(kBegin) && mathml.ends_with(kEnd)) << mathml;
  return mathml.substr(kBegin.size(), mathml.size() - kBegin.size() - kEnd.size());
}

std::string SpeechOfLine(const std::string& domain, const std::string& text, std::string_view language = "en") {
  return MarkupOf(DomainOf(domain), StateOf(domain, text), language).speech;
}

// The characters that are shown, with what is marked between { and }.
std::string Marked(std::string_view mathml) {
  std::string text;
  std::vector<bool> marks;
  while (!mathml.empty()) {
    if (mathml.front() != '<') {
      text += mathml.front();
      mathml.remove_prefix(1);
      continue;
    }
    const std::string_view tag = mathml.substr(0, mathml.find('>') + 1);
    mathml.remove_prefix(tag.size());
    if (tag.starts_with("</")) {
      if (marks.back()) text += '}';
      marks.pop_back();
    } else {
      marks.push_back(tag == R"(<mrow class="changed">)");
      if (marks.back()) text += '{';
    }
  }
  return text;
}

TEST(MathmlTest, WritesWhatIsDrawn) {
  EXPECT_EQ(
      MathmlOfLine("algebra", "2x + 3 = 7"),
      "<mrow><mrow><mrow><mn>2</mn><mo>\u2062</mo><mi>x</mi></mrow><mo>+</mo><mn>3</mn></mrow><mo>=</mo><mn>7</mn></mrow>");
  EXPECT_EQ(MathmlOfLine("algebra", "(x - 1)/2 = -3"),
            "<mrow><mfrac><mrow><mi>x</mi><mo>−</mo><mn>1</mn></mrow><mn>2</mn></mfrac><mo>=</mo>"
            "<mrow><mo>−</mo><mn>3</mn></mrow></mrow>");
  EXPECT_EQ(MathmlOfLine("algebra", "(x + 1)^2 = 4"),
            "<mrow><msup><mrow><mo>(</mo><mrow><mi>x</mi><mo>+</mo><mn>1</mn></mrow><mo>)</mo></mrow><mn>2</mn></msup>"
            "<mo>=</mo><mn>4</mn></mrow>");
  EXPECT_EQ(MathmlOfLine("algebra", "1 1/2 * 3"),
            "<mrow><mrow><mn>1</mn><mo>\u2064</mo><mfrac><mn>1</mn><mn>2</mn></mfrac></mrow><mo>⋅</mo><mn>3</mn></mrow>");
  EXPECT_EQ(MathmlOfLine("algebra", "x = sqrt(5) or x = root(3, 7)"),
            "<mrow><mrow><mi>x</mi><mo>=</mo><msqrt><mn>5</mn></msqrt></mrow><mtext>\u00A0or\u00A0</mtext>"
            "<mrow><mi>x</mi><mo>=</mo><mroot><mn>7</mn><mn>3</mn></mroot></mrow></mrow>");
  EXPECT_EQ(MathmlOfLine("algebra", "3 = x; x != 1/2"),
            "<mrow><mrow><mn>3</mn><mo>=</mo><mi>x</mi></mrow><mo>;</mo>"
            "<mrow><mi>x</mi><mo>≠</mo><mrow><mn>1</mn><mo>/</mo><mn>2</mn></mrow></mrow></mrow>");
  EXPECT_EQ(MathmlOfLine("equations", "2 / 3 = x"),
            "<mrow><mrow><mn>2</mn><mo>÷</mo><mn>3</mn></mrow><mo>=</mo><mi>x</mi></mrow>");
  EXPECT_EQ(MathmlOfLine("multiplication", "12e3 * 4"),
            "<mrow><mrow><mn>12</mn><mo>⋅</mo><msup><mn>10</mn><mn>3</mn></msup></mrow><mo>⋅</mo><mn>4</mn></mrow>");
  EXPECT_EQ(MathmlOfLine("sorting", "3, -1"),
            "<mrow><mo>[</mo><mn>3</mn><mo>,</mo><mrow><mo>−</mo><mn>1</mn></mrow><mo>]</mo></mrow>");
  EXPECT_EQ(MathmlOfLine("sorting", "[]"), "<mrow><mo>[</mo><mo>]</mo></mrow>");
  EXPECT_EQ(MathmlOfLine("ternary-addition", "c3"), "<mrow><mn>2</mn><mo>⋅</mo><msup><mn>3</mn><mn>3</mn></msup></mrow>");
  EXPECT_EQ(MathmlOfLine("ternary-addition", "#()"), "<mtext>#()</mtext>");
}

TEST(MathmlTest, HasTheWordsAndTheDecimalSignOfALanguage) {
  EXPECT_EQ(MathmlOfLine("algebra", "no solution", "de"), "<mtext>keine Lösung</mtext>");
  EXPECT_EQ(Marked(MathmlOfLine("algebra", "x = 1.5 or x = 2", "de")), "x=1,5\u00A0oder\u00A0x=2");
  EXPECT_EQ(Marked(MathmlOfLine("sorting", "3, 1.5", "de")), "[3;1,5]");
  EXPECT_EQ(Marked(MathmlOfLine("sorting", "3, 1", "de")), "[3,1]");
  EXPECT_THROW(MathmlOfLine("sorting", "3, 1", "xx"), Error);
}

TEST(MathmlTest, TextsOfAllKindsAreEscaped) {
  const std::string mathml = MathmlOf(TextFormula("a<b & \"c\" > d\x01"), "en");
  EXPECT_EQ(Marked(mathml), "a&lt;b &amp; &quot;c&quot; &gt; d\uFFFD");
  EXPECT_EQ(LatexFromMathml(mathml), "a<b & \"c\" > d\uFFFD");
}

TEST(MathmlTest, TheJudgeRefusesWhatIsNotWellFormed) {
  const auto in_math = [](const std::string& inside) {
    return LatexFromMathml(R"(<math xmlns="http://www.w3.org/1998/Math/MathML" display="block">)" + inside + "</math>");
  };
  EXPECT_EQ(in_math("<mfrac><mn>1</mn><mn>2</mn></mfrac>"), "\\frac{1}{2}");
  for (const char* const bad :
       {"", "1", "<mn>1</mi>", "<mn>1", "<mfrac><mn>1</mn></mfrac>", "<mn>1</mn><mn>2</mn>", "<mn>&x;</mn>", "<mrow></mrow>",
        "<mo>@</mo>", "<mn><mn>1</mn></mn>", "<mrow id=\"a\"><mn>1</mn></mrow>"}) {
    EXPECT_FALSE(in_math(bad)) << bad;
  }
  EXPECT_FALSE(LatexFromMathml("<mn>1</mn>"));
}

// The line is read back from what is drawn.
void ExpectReadBack(const Domain& domain, const std::string& state, const std::string& mathml) {
  const std::optional<std::string> latex = LatexFromMathml(mathml);
  ASSERT_TRUE(latex) << state << ": " << mathml;
  if (latex->size() > kMaxStateBytes) return;
  const NotationResult read = ReadNotation(domain, *latex);
  ASSERT_FALSE(read.error) << state << ": " << *latex << ": " << read.error->message;
  EXPECT_EQ(read.state, state) << *latex;
}

TEST(MathmlTest, EveryLineIsReadBackFromIt) {
  const auto seeds = Repetitions<std::uint64_t>(60, 6);
  constexpr int kSteps = 12;
  for (const Subject* const subject : Subjects()) {
    const Domain& domain = DomainOf(subject->type()->name);
    Random random(11);
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
      std::string state = domain.Generate(seed);
      for (int step = 0; step < kSteps; ++step) {
        for (const std::string& language : Catalogue::Languages()) {
          const Markup markup = MarkupOf(domain, state, language);
          EXPECT_FALSE(markup.speech.empty()) << state;
          if (language == "en") ExpectReadBack(domain, state, markup.mathml);
        }
        Successors successors;
        if (domain.Expand(state, Labels::kOff, successors) != Status::kOpen) break;
        const auto chosen = static_cast<std::size_t>(random.Int64(0, static_cast<std::int64_t>(successors.size())));
        const std::string next(successors.state(chosen));
        const StepMarkup markup = MarkupOfStep(domain, state, next);
        // Marks change nothing else.
        ExpectReadBack(domain, next, markup.mathml);
        ExpectReadBack(domain, state, markup.before_mathml);
        state = next;
      }
    }
  }
}

TEST(MathmlTest, RareLinesAreReadBackToo) {
  for (const char* const line : {"x = (3 + sqrt(5))/2 or x = (3 - sqrt(5))/2", "x = 2cbrt(5)", "x = -root(4, 5)",
                                 "every number; x != 1, x != -1/2", "no solution", "2 = 3(x + 1); x != -1, x^2 - 2 != 0",
                                 "-(x + 1)^2 = -4x^3", "(2x)^2/(x - 1) = 1.25", "2(x + 1)(x - 3) = 0", "1 1/2 - -2", "-(-3)",
                                 "(-2)^3 * (1/2)^2", "2/3 * x = 4", "(1/2)/(3/4)", "3 * (-x) = 1", "x * x^2 * (x + 1) = 2"}) {
    const std::string state = StateOf("algebra", line);
    ExpectReadBack(DomainOf("algebra"), state, MarkupOf(DomainOf("algebra"), state).mathml);
  }
  for (const char* const line :
       {"-(-x) = 1", "-(2x) = (-2)x", "x - (3 - 3) = 2 * (3 * x)", "(2 / 3) / x = 6/3", "2(x + 1) / 3 = -1/2",
        "x / 2 / 3 = 1/2 * x", "2 * (-3) - (-x) = 0", "1 / (x / 2) = (x + 1) * 2"}) {
    const std::string state = StateOf("equations", line);
    ExpectReadBack(DomainOf("equations"), state, MarkupOf(DomainOf("equations"), state).mathml);
  }
}

TEST(SpeechTest, IsMadeFromTheTerm) {
  struct Case {
    const char* domain;
    const char* line;
    const char* english;
    const char* german;
  };
  const std::vector<Case> cases{
      {"algebra", "2x + 3 = 7", "2 x plus 3 equals 7", "2 x plus 3 gleich 7"},
      {"algebra", "-x = -3 - 2x", "negative x equals negative 3 minus 2 x", "minus x gleich minus 3 minus 2 x"},
      {"algebra", "x/2 = 3/4", "x over 2 equals 3 over 4", "x durch 2 gleich 3 durch 4"},
      {"algebra", "(x + 1)/2 = 3", "the quantity x plus 1 end quantity over 2 equals 3",
       "Klammer auf x plus 1 Klammer zu durch 2 gleich 3"},
      {"algebra", "3/4 * x = 3/(4x); x != 0", "3 over 4 times x equals 3 over 4 x, where x is not equal to 0",
       "3 durch 4 mal x gleich 3 durch 4 x, wobei x ungleich 0"},
      {"algebra", "2(x - 3) = 2x - 6", "2 times the quantity x minus 3 end quantity equals 2 x minus 6",
       "2 mal Klammer auf x minus 3 Klammer zu gleich 2 x minus 6"},
      {"algebra", "x^2 - 2x^3 = (2x)^4", "x squared minus 2 x cubed equals the quantity 2 x end quantity to the power 4",
       "x hoch 2 minus 2 x hoch 3 gleich Klammer auf 2 x Klammer zu hoch 4"},
      {"algebra", "x = sqrt(5)/2 or x = 3cbrt(2)",
       "x equals the square root of 5 over 2 or x equals 3 times the cube root of 2",
       "x gleich Wurzel aus 5 durch 2 oder x gleich 3 mal dritte Wurzel aus 2"},
      {"algebra", "x = root(4, 7)", "x equals the root of degree 4 of 7", "x gleich 4. Wurzel aus 7"},
      {"algebra", "every number; x != 1, x != -1", "every number, where x is not equal to negative 1 and x is not equal to 1",
       "jede Zahl, wobei x ungleich minus 1 und x ungleich 1"},
      {"algebra", "no solution", "no solution", "keine Lösung"},
      {"algebra", "1 1/2 * 2.5", "1 and 1 over 2 times 2.5", "1 und 1 durch 2 mal 2,5"},
      {"algebra", "5 - (-3)", "5 minus negative 3", "5 minus minus 3"},
      {"algebra", "5 - (3 - 1)", "5 minus the quantity 3 minus 1 end quantity", "5 minus Klammer auf 3 minus 1 Klammer zu"},
      {"algebra", "(1/2)/(3/4)", "the quantity 1 over 2 end quantity over the quantity 3 over 4 end quantity",
       "Klammer auf 1 durch 2 Klammer zu durch Klammer auf 3 durch 4 Klammer zu"},
      {"equations", "-(2x) = -2x", "negative the quantity 2 x end quantity equals negative 2 x",
       "minus Klammer auf 2 x Klammer zu gleich minus 2 x"},
      {"equations", "2 / 3 = -1/2", "2 divided by 3 equals negative 1 over 2", "2 geteilt durch 3 gleich minus 1 durch 2"},
      {"equations", "2 * (x * 3) = 1", "2 times the quantity x times 3 end quantity equals 1",
       "2 mal Klammer auf x mal 3 Klammer zu gleich 1"},
      {"equations", "2 * 3x = 1", "2 times 3 x equals 1", "2 mal 3 x gleich 1"},
      {"fractions", "1/2 - 2/3", "1 over 2 minus 2 over 3", "1 durch 2 minus 2 durch 3"},
      {"fractions", "(2 * 3)/5", "the quantity 2 times 3 end quantity over 5", "Klammer auf 2 mal 3 Klammer zu durch 5"},
      {"multiplication", "12e4 * 3", "12 times 10 to the power 4 times 3", "12 mal 10 hoch 4 mal 3"},
      {"sorting", "3, -1, 2.5", "the list 3, negative 1, 2.5", "die Liste 3; minus 1; 2,5"},
      {"sorting", "3, 1, 2", "the list 3, 1, 2", "die Liste 3, 1, 2"},
      {"sorting", "[]", "the empty list", "die leere Liste"},
      {"ternary-addition", "c3 b0", "2 times 3 cubed plus 1 times 3 to the power 0", "2 mal 3 hoch 3 plus 1 mal 3 hoch 0"},
      {"ternary-addition", "#()", "no digits", "keine Ziffern"},
      {"rubiks-cube", "R", "a cube with 12 of 54 stickers off their face",
       "ein Würfel, bei dem 12 von 54 Feldern nicht auf ihrer Seite sind"},
      {"rubiks-cube", "R R'", "the solved cube", "der gelöste Würfel"}};
  for (const Case& one : cases) {
    EXPECT_EQ(SpeechOfLine(one.domain, one.line), one.english) << one.line;
    EXPECT_EQ(SpeechOfLine(one.domain, one.line, "de"), one.german) << one.line;
  }
  EXPECT_THROW(SpeechOfLine("rubiks-cube", "R", "xx"), Error);
  EXPECT_THROW(SpeechOf(TextFormula("a"), "xx"), Error);
}

// A random term in all its parentheses, of numbers and, if `unknown` is given, of that.
std::string RandomTerm(Random& random, int depth, const std::string& unknown, bool powers) {
  const auto choose = [&](std::int64_t count) { return random.Int64(0, count); };
  if (depth == 0 || choose(4) == 0) {
    return !unknown.empty() && random.Coin() ? unknown : std::to_string(2 + choose(3));
  }
  const std::string left = RandomTerm(random, depth - 1, unknown, powers);
  const std::int64_t kind = choose(powers ? 7 : 6);
  if (kind == 5) return "(-(" + left + "))";
  if (kind == 6) return "((" + left + ")^" + std::to_string(2 + choose(3)) + ")";
  const std::string right = RandomTerm(random, depth - 1, unknown, powers);
  constexpr std::string_view kSigns = "+-*//";
  return "((" + left + ")" + kSigns[static_cast<std::size_t>(kind)] + "(" + right + "))";
}

// What sounds the same is worth the same.
TEST(SpeechTest, IsNotAmbiguous) {
  const auto tries = Repetitions(20'000, 500);
  Random random(5);
  for (const char* const language : {"en", "de"}) {
    std::map<std::string, std::pair<std::string, Exact>> values;
    for (int i = 0; i < tries; ++i) {
      const Parsed parsed = DomainOf("algebra").Parse(RandomTerm(random, 3, "", /*powers=*/true));
      if (parsed.error) continue;
      const AlgebraMeaning meaning = ReadAlgebra(parsed.state);
      if (meaning.kind != AlgebraMeaning::Kind::kValue) continue;
      const std::string speech = MarkupOf(DomainOf("algebra"), parsed.state, language).speech;
      const auto known = values.try_emplace(speech, parsed.state, meaning.value).first;
      EXPECT_EQ(known->second.second, meaning.value) << speech << ": " << known->second.first << " and " << parsed.state;
    }
    EXPECT_GT(values.size(), static_cast<std::size_t>(tries) / 10);
    std::map<std::string, std::string> terms;
    for (int i = 0; i < tries; ++i) {
      const Parsed parsed = DomainOf("equations").Parse(RandomTerm(random, 3, "x", /*powers=*/false) + " = 7");
      if (parsed.error) continue;
      const std::string speech = MarkupOf(DomainOf("equations"), parsed.state, language).speech;
      const auto [known, fresh] = terms.try_emplace(speech, parsed.state);
      if (fresh || known->second == parsed.state) continue;
      const auto left_side = [](const std::string& state) {
        const Expression equation = *ReadCanonical(state);
        return Subexpression(equation, LeftOperand(equation, equation.size() - 1));
      };
      EXPECT_TRUE(SameFunction(left_side(known->second), left_side(parsed.state)).value_or(true))
          << speech << ": " << known->second << " and " << parsed.state;
    }
    EXPECT_GT(terms.size(), static_cast<std::size_t>(tries) / 10);
  }
}

TEST(ChangesTest, TheSmallestPartsThatDifferAreMarked) {
  struct Case {
    const char* domain;
    const char* before;
    const char* after;
    const char* marked_before;
    const char* marked_after;
  };
  const std::vector<Case> cases{
      {"algebra", "2x + 3 = 7", "2x = 4", "2\u2062x{+3}={7}", "2\u2062x={4}"},
      {"algebra", "2x = 4", "x = 2", "{2}\u2062x={4}", "x={2}"},
      {"algebra", "x + 5 = 7", "x + 6 = 7", "x{+5}=7", "x{+6}=7"},
      {"algebra", "x - 5 = 7", "x - 6 = 7", "x−{5}=7", "x−{6}=7"},
      {"algebra", "3(x - 2) = x + 4", "3x - 6 = x + 4", "{3\u2062(x−2)}=x+4", "{3\u2062x−6}=x+4"},
      {"algebra", "3(x - 2) = 9", "3(x - 1) = 9", "3\u2062(x−{2})=9", "3\u2062(x−{1})=9"},
      {"algebra", "x^2 = 4", "x = 2 or x = -2", "{x2=4}", "{x=2\u00A0or\u00A0x=−2}"},
      {"algebra", "x = 2 or 2x = 6", "x = 2 or x = 3", "x=2\u00A0or\u00A0{2}\u2062x={6}", "x=2\u00A0or\u00A0x={3}"},
      {"algebra", "x = 5; x != 2", "x = 5", "x=5{;x≠2}", "x=5"},
      {"algebra", "1/2 + 1/3", "3/6 + 2/6", "{12+13}", "{36+26}"},
      {"algebra", "1/2 + 3/6 + 2", "1/2 + 1/2 + 2", "12{+36}+2", "12{+12}+2"},
      {"equations", "x + 3 - 3 = 7", "x + (3 - 3) = 7", "x{+3−3}=7", "x{+(3−3)}=7"},
      {"equations", "x + 3 = 7", "x + 3 - 3 = 7 - 3", "x+3=7", "x+3{−3}=7{−3}"},
      {"equations", "x = 4", "x = 4", "x=4", "x=4"},
      {"sorting", "3, 1, 2", "1, 3, 2", "[{3},{1},2]", "[{1},{3},2]"},
      {"sorting", "3, 1", "3, 1, 2", "{[3,1]}", "{[3,1,2]}"}};
  for (const Case& one : cases) {
    const StepMarkup markup =
        MarkupOfStep(DomainOf(one.domain), StateOf(one.domain, one.before), StateOf(one.domain, one.after));
    EXPECT_EQ(Marked(markup.before_mathml), one.marked_before) << one.before;
    EXPECT_EQ(Marked(markup.mathml), one.marked_after) << one.after;
  }
}

TEST(ChangesTest, ASignThatBeginsAMarkStaysBetweenItsTerms) {
  const StepMarkup markup = MarkupOfStep(DomainOf("algebra"), StateOf("algebra", "x - 3 = 1"), StateOf("algebra", "x = 4"));
  EXPECT_NE(markup.before_mathml.find(R"(<mrow class="changed"><mo form="infix">−</mo><mn>3</mn></mrow>)"), std::string::npos);
}

template <class Kind>
Kind PictureOf(const std::string& domain, const std::string& text) {
  const std::optional<Picture> picture = MarkupOf(DomainOf(domain), StateOf(domain, text)).picture;
  EXPECT_TRUE(picture && std::holds_alternative<Kind>(*picture)) << domain << ": " << text;
  return picture ? std::get<Kind>(*picture) : Kind();
}

std::string Shown(const FractionsPicture& picture) {
  std::string text;
  for (const FractionsPicture::Term& term : picture.terms) {
    if (term.sign != 0) text += std::string(" ") + term.sign + " ";
    text += std::to_string(term.numerator) + "/" + std::to_string(term.denominator);
  }
  return text;
}

TEST(PictureTest, EquationsThatCanBeCountedAreBalances) {
  const auto balance = PictureOf<BalancePicture>("algebra", "2x + 3 = 7");
  EXPECT_EQ(balance.left.unknowns, 2);
  EXPECT_EQ(PictureToJson(balance).dump(),
            R"({"kind":"balance","unknown":"x","left":{"unknowns":2,"ones":3},"right":{"unknowns":0,"ones":7}})");
  EXPECT_FALSE(MarkupOf(DomainOf("algebra"), StateOf("algebra", "2x - 3 = 7")).picture);
}

TEST(PictureTest, LinesOfNumbersAreFractions) {
  EXPECT_EQ(Shown(PictureOf<FractionsPicture>("fractions", "1/2 - 2/3")), "1/2 - 2/3");
  EXPECT_EQ(Shown(PictureOf<FractionsPicture>("fractions", "-1/2 * 3")), "-1/2 * 3/1");
  EXPECT_EQ(Shown(PictureOf<FractionsPicture>("fractions", "1/(-4)")), "-1/4");
  EXPECT_EQ(Shown(PictureOf<FractionsPicture>("algebra", "1 1/2 + 1/3 - (-2)")), "3/2 + 1/3 - -2/1");
  EXPECT_EQ(Shown(PictureOf<FractionsPicture>("algebra", "5")), "5/1");
  EXPECT_FALSE(MarkupOf(DomainOf("algebra"), "2 + 3").picture);
  EXPECT_FALSE(MarkupOf(DomainOf("algebra"), StateOf("algebra", "x/2 = 3")).picture);
  EXPECT_FALSE(MarkupOf(DomainOf("algebra"), StateOf("algebra", "1/2 + 3 * 1/4")).picture);
  EXPECT_FALSE(MarkupOf(DomainOf("fractions"), StateOf("fractions", "(2 * 3)/5 + 1")).picture);
  EXPECT_FALSE(MarkupOf(DomainOf("fractions"), StateOf("fractions", "1/1000001")).picture);
}

TEST(PictureTest, ListsAreBarsThatMove) {
  EXPECT_EQ(PictureOf<BarsPicture>("sorting", "3, -1, 2.5").values, (std::vector<double>{3, -1, 2.5}));
  const StepMarkup step = MarkupOfStep(DomainOf("sorting"), StateOf("sorting", "4, 3, 1, 2"), StateOf("sorting", "4, 1, 3, 2"));
  EXPECT_EQ(std::get<BarsPicture>(*step.picture).moved, (std::vector<std::size_t>{1, 2}));
}

TEST(PictureTest, CubesAreStickersThatTurn) {
  const std::string solved = "UUUUUUUUURRRRRRRRRFFFFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB";
  EXPECT_EQ(PictureOf<CubePicture>("rubiks-cube", "R R'").stickers, solved);
  const StepMarkup step = MarkupOfStep(DomainOf("rubiks-cube"), StateOf("rubiks-cube", "R R'"), StateOf("rubiks-cube", "R2"));
  EXPECT_EQ(std::get<CubePicture>(*step.picture).turn, "R2");
  EXPECT_EQ(std::get<CubePicture>(*step.picture).stickers, "UUDUUDUUDRRRRRRRRRFFBFFBFFBDDUDDUDDULLLLLLLLLFBBFBBFBB");
}

TEST(PictureTest, FlatPuzzlesAreRowsOfCells) {
  const std::unique_ptr<Domain> tiles = MakeDomain(CONPOLE_SOURCE "/gallery/eight-puzzle.domain");
  const StepMarkup step = MarkupOfStep(*tiles, "123/456/7_8", "123/4_6/758");
  EXPECT_EQ(PictureToJson(*step.picture).dump(), R"({"kind":"grid","rows":[["1","2","3"],["4","_","6"],["7","5","8"]],)"
                                                 R"("colours":["1","2","3","4","5","6","7","8","_"],"moved":[4,7]})");
  const std::unique_ptr<Domain> cube = MakeDomain(CONPOLE_SOURCE "/gallery/cube-2x2x2.domain");
  const Markup unfolded = MarkupOf(*cube, "WWWW BBRR RRGG YYYY GGOO OOBB");
  EXPECT_EQ(DrawGrid(std::get<GridPicture>(*unfolded.picture), false),
            "    W W\n    W W\nG G R R B B O O\nO O G G R R B B\n    Y Y\n    Y Y");
  const std::unique_ptr<Domain> other = MakeDomain(CONPOLE_SOURCE "/gallery/megaminx.domain");
  EXPECT_FALSE(MarkupOf(*other, other->Generate(1)).picture);
  const GridPicture few{{{"W", "", "_"}}, {"W", "_"}};
  EXPECT_EQ(DrawGrid(few, true), "\x1b[48;5;231;38;5;16m W \x1b[0m    _");
}

TEST(MarkupTest, AnswersAreWrittenAsAnswers) {
  const Markup several = MarkupOfAnswer(DomainOf("equations"), "x = -1/2, x = 2");
  EXPECT_EQ(Marked(several.mathml), "x=−12\u00A0or\u00A0x=2");
  EXPECT_EQ(several.speech, "x equals negative 1 over 2 or x equals 2");
  EXPECT_EQ(MarkupOfAnswer(DomainOf("equations"), "x = [1/2]").speech, "x equals 1 over 2");
  EXPECT_EQ(MarkupOfAnswer(DomainOf("multiplication"), "36e2").speech, "3600");
  EXPECT_EQ(MarkupOfAnswer(DomainOf("multiplication"), "36e2").notation, "3600");
  EXPECT_EQ(MarkupOfAnswer(DomainOf("algebra"), "x = 2 or x = 3", "de").notation, "x = 2 oder x = 3");
  EXPECT_EQ(MarkupOfAnswer(DomainOf("rubiks-cube"), StateOf("rubiks-cube", "R R'")).speech, "the solved cube");
}

// x in as many brackets, with this before each, as there is room for in a state.
std::string Nested(std::string_view opening) {
  constexpr std::size_t kRest = 20;  // for the other side
  std::string text;
  std::string closing;
  while (text.size() + closing.size() + kRest < kMaxStateBytes) {
    text += opening;
    closing += ')';
  }
  return text + 'x' + closing;
}

// As deep as a text is long, in time that grows with it and without recursion.
TEST(MarkupTest, LinesMayBeDeepAndLong) {
  const Domain& domain = DomainOf("equations");
  const std::string deep = Nested("-(");
  const std::string nested = Nested("(1 + ");
  const std::string fractions = Nested("(1 / ");
  std::string sum = "x";
  while (sum.size() < kMaxStateBytes / 4) sum += " + x";
  for (const std::string& side : {deep, nested, fractions, sum}) {
    const Parsed parsed = domain.Parse(side + " = 2");
    ASSERT_FALSE(parsed.error) << parsed.error->message;
    const StepMarkup markup = MarkupOfStep(domain, parsed.state, domain.Parse(side + " = 3").state);
    EXPECT_TRUE(LatexFromMathml(markup.mathml));
    EXPECT_TRUE(markup.mathml.ends_with("<mo>=</mo><mrow class=\"changed\"><mn>3</mn></mrow></mrow></math>"));
    EXPECT_FALSE(markup.speech.empty());
    // Nothing is equal, and nothing can be matched.
    const StepMarkup all = MarkupOfStep(domain, parsed.state, domain.Parse("y = 0").state);
    EXPECT_TRUE(LatexFromMathml(all.before_mathml));
  }
}

}  // namespace
}  // namespace conpole
