#include "domains/files/domain_file.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "domains/files/report.h"
#include "tests/repetitions.h"
#include "util/read_file.h"

namespace conpole {
namespace {

// A file that is right, to which a test adds lines.
std::string Sums(const std::string& more = "") {
  return "domain sums\nstate term\nvar a b : number\nvar u v : term\ngoal a\nrule add a + b -> [a + b]\nproblem \"{n} + {m}\" "
         "with n in 1..9, m in "
         "1..9\nkeeps value\n" +
         more;
}

std::string MessageOf(const std::string& text) {
  try {
    DomainFile("f", text, "f");
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

std::vector<std::pair<std::string, std::string>> StepsOf(const Domain& domain, const std::string& state) {
  Successors out;
  domain.Expand(state, Labels::kOn, out);
  std::vector<std::pair<std::string, std::string>> steps;
  for (std::size_t i = 0; i < out.size(); ++i) steps.emplace_back(out.label(i), out.state(i));
  return steps;
}

using Steps = std::vector<std::pair<std::string, std::string>>;

TEST(DomainFileTest, RulesComeInTheirOrderAndPlacesFromLeftToRight) {
  const auto domain = MakeDomain(Sums("rule swap u + v -> v + u\n"));
  EXPECT_EQ(StepsOf(*domain, "1 + 2 + 3"),
            (Steps{{"add 1, 1 + 2", "3 + 3"}, {"swap 0, 1 + 2 + 3", "3 + (1 + 2)"}, {"swap 1, 1 + 2", "2 + 1 + 3"}}));
  EXPECT_EQ(StepsOf(*domain, "(x)*(1+2)"), (Steps{{"add 2, 1 + 2", "x * 3"}, {"swap 2, 1 + 2", "x * (2 + 1)"}}));
}

// A random term of a file's operators, with all brackets.
std::string RandomTerm(const files::Grammar& grammar, std::mt19937& random, int depth, bool is_whole = true) {
  const auto draw = [&](std::size_t count) { return static_cast<std::size_t>(random() % count); };
  if (depth == 0 || draw(6) == 0) {
    switch (draw(4)) {
      case 0:
        return grammar.numbers == files::NumberNotation::kPlain ? "[-2/3]" : "7";
      case 1:
        return '(' + std::to_string(static_cast<int>(draw(25)) - 12) + ')';
      case 2:
        return "0";
      default:
        return std::string(1, "xyz"[draw(3)]);
    }
  }
  const files::Operator& op = grammar.operators()[draw(grammar.operators().size())];
  const auto below = [&] { return RandomTerm(grammar, random, depth - 1, false); };
  std::string text;
  switch (op.fix) {
    case files::Fix::kConstant:
      return op.symbol;
    case files::Fix::kPrefix:
      text = op.symbol + ' ' + below();
      break;
    case files::Fix::kPostfix:
      text = below() + ' ' + op.symbol;
      break;
    case files::Fix::kInfix:
      text = below() + ' ' + op.symbol + ' ' + below();
      if (is_whole && !op.has_brackets) return text;
      break;
    case files::Fix::kFunction:
      text = op.pieces[0];
      for (std::size_t i = 0; i < op.arity; ++i) text += below() + op.pieces[i + 1];
      return text;
  }
  return '(' + text + ')';
}

TEST(DomainFileTest, WrittenTermsAreReadAsTheSame) {
  const std::vector<std::string> tables = {
      "",
      "infix =\ninfix left bracketed + -\ninfix left *\nprefix -\n",
      "infix =\ninfix left bracketed + -\ninfix left bracketed *\nprefix -\ncoefficient *\nnumbers bracketed\n",
      "infix right implies\nprefix not\ninfix left bracketed and or\ninfix right tight .\npostfix !\n",
      "prefix not -\ninfix left bracketed +\ninfix right bracketed ^\nfunction f(a, b)\nconstant pi ⊤\n",
      "infix =\npostfix ! ?\ninfix right bracketed ^\nprefix -\ninfix left *\nconstant true\n",
      "infix left + -\ninfix left bracketed *\ncoefficient *\nprefix -\ninfix right bracketed ^\npostfix !\n",
      "numbers whole\ninfix left bracketed + -\ninfix left bracketed *\noutermost + - *\nfunction over(a, b) as "
      "\"[{a}]/[{b}]\"\n",
      "infix left tight + -\ninfix left tight *\nprefix - not\npostfix !\ninfix right tight ^\nfunction g(u)\nnumbers "
      "bracketed\n",
  };
  std::mt19937 random(3);
  const auto check = [&](const std::string& table) {
    const auto shape = std::make_shared<DomainFile>(
        "f", "domain d\nstate term\n" + table + "goal 0\nvar u : term\nrule r u -> 0\nproblem \"x\"\nkeeps nothing\n", "f",
        DomainFile::Unchecked{});
    const files::Grammar& grammar = shape->definition().grammar;
    // Below each operator in turn anything is put, and taken out again.
    for (std::size_t id = 0; id < grammar.operators().size(); ++id) {
      const files::Operator& op = grammar.operators()[id];
      const auto is_outermost = [&](std::int32_t one) {
        const files::Operator& known = grammar.op(one);
        return known.fix == files::Fix::kInfix && grammar.Find(known.symbol)->infix != one;
      };
      if (op.fix == files::Fix::kConstant || is_outermost(static_cast<std::int32_t>(id))) continue;
      const auto use = [&](const std::string& first, const std::string& second) {
        if (op.fix == files::Fix::kPrefix) return '(' + op.symbol + ' ' + first + ')';
        if (op.fix == files::Fix::kPostfix) return '(' + first + ' ' + op.symbol + ')';
        if (op.fix == files::Fix::kInfix) return '(' + first + ' ' + op.symbol + ' ' + second + ')';
        return op.symbol + '(' + first + (op.arity > 1 ? ", " + second + ')' : ")");
      };
      const std::string rules = op.arity == 1 ? "rule left u -> " + use("u", "") + "\nrule back " + use("u", "") + " -> u\n"
                                              : "rule left u -> " + use("u", "7") + " ; u -> " + use("7", "u") +
                                                    "\nrule back " + use("u", "7") + " -> u ; " + use("7", "u") + " -> u\n";
      const auto domain =
          MakeDomain("domain d\nstate term\n" + table + "var u : term\ngoal 0\n" + rules + "problem \"x\"\nkeeps nothing\n");
      for (int i = 0; i < Repetitions(150, 20); ++i) {
        const std::string term = RandomTerm(grammar, random, 4);
        files::TermText read;
        files::TermText again;
        Malformed error;
        ASSERT_TRUE(read.Read(grammar, term, error)) << table << term;
        const std::string state(read.text());
        ASSERT_TRUE(again.Read(grammar, state, error)) << table << term << ' ' << state;
        ASSERT_EQ(again.text(), state) << table << term;
        ASSERT_EQ(again.size(), read.size()) << table << term << ' ' << state;
        for (std::size_t k = 0; k < read.size(); ++k) {
          ASSERT_TRUE(read[k].kind == again[k].kind && read[k].id == again[k].id && read[k].number == again[k].number &&
                      read[k].size == again[k].size)
              << table << term << ' ' << state;
        }
        if (read[0].kind == files::PartKind::kOperator && is_outermost(read[0].id)) continue;
        for (const auto& [label, next] : StepsOf(*domain, state)) {
          ASSERT_EQ(domain->Parse(next).state, next) << table << state << ": " << label;
          if (label.starts_with("back") || op.symbol == "-" || next.size() > 300) continue;
          const Steps back = StepsOf(*domain, next);
          EXPECT_TRUE(std::any_of(back.begin(), back.end(), [&](const auto& step) { return step.second == state; }))
              << table << state << ": " << label << ": " << next;
        }
      }
    }
  };
  for (const std::string& table : tables) check(table);
}

TEST(DomainFileTest, SignsAndCoefficientsStayCanonical) {
  const auto domain =
      MakeDomain(Sums("rule sub a - b -> [a - b]\nrule one 1 * u -> u\nrule unfold a * u -> [a - 1] * u + u\n"));
  EXPECT_EQ(domain->Parse("2*x+(-3)").state, "2x + (-3)");
  EXPECT_EQ(domain->Parse("-3^2").state, "-3^2");
  EXPECT_EQ(domain->Parse("(-3)^2").state, "(-3)^2");
  EXPECT_EQ(domain->Parse("1/2x").state, "1 / 2x");
  EXPECT_EQ(domain->Parse("1/2*x").state, "1 / 2 * x");
  EXPECT_EQ(domain->Parse("-(3)").state, "-3");
  EXPECT_EQ(domain->Parse("[4/6]x - -x").state, "[2/3]x - (-x)");
  EXPECT_EQ(StepsOf(*domain, "(1 + 1) * x"), (Steps{{"add 1, 1 + 1", "2x"}}));
  EXPECT_EQ(StepsOf(*domain, "-(1 - 3)"), (Steps{{"sub 1, 1 - 3", "2"}}));
  EXPECT_EQ(StepsOf(*domain, "2x ^ 2"), (Steps{{"unfold 0, 2 * x^2", "1 * x^2 + x^2"}}));
  EXPECT_EQ(StepsOf(*domain, "1x"), (Steps{{"one 0, 1x", "x"}, {"unfold 0, 1x", "0x + x"}}));
}

TEST(DomainFileTest, OnlyTheFirstOfAFamilyApplies) {
  const auto domain = MakeDomain(Sums("first of\n  rule zero u + 0 -> u\n  rule turn u + v -> v + u\n"));
  EXPECT_EQ(StepsOf(*domain, "x + 0"), (Steps{{"zero 0, x + 0", "x"}}));
  EXPECT_EQ(StepsOf(*domain, "0 + x"), (Steps{{"turn 0, 0 + x", "x + 0"}}));
}

TEST(DomainFileTest, ChoicesMakeOneStepEach) {
  const std::string text =
      "domain c\nstate term\nvar n k : integer\nvar u v : term\nvar w : atom\ngoal u if * in u\nrule split n -> k * [n / k] "
      "for k in divisors(n)\n"
      "rule both u = v -> u - w = v - w for w in numbers, letters\nproblem \"12 = x\" \"{a} = x\" with a in 4..9\nkeeps "
      "nothing\n";
  const auto domain = MakeDomain(text);
  EXPECT_EQ(StepsOf(*domain, "6 = x"), (Steps{{"split 1, 6, 2", "2 * 3 = x"},
                                              {"split 1, 6, 3", "3 * 2 = x"},
                                              {"both 0, 6 = x, 6", "6 - 6 = x - 6"},
                                              {"both 0, 6 = x, x", "6 - x = x - x"}}));
}

TEST(DomainFileTest, ListsHaveGapsStretchesAndFunctions) {
  const std::string text =
      "domain l\nstate list \"<\" \", \" \">\"\nvar a b : number\nvar s t : list\ngoal s.. if ascending(s)\nrule swap .. a b "
      ".. -> .. b a .. if a > b\n"
      "rule turn s.. -> reverse(s)\nrule sort s.. -> sort(s) if length(s) < 3\nproblem \"<{l}>\" with l in "
      "shuffle(1..4)\nkeeps multiset\n";
  const auto domain = MakeDomain(text);
  EXPECT_EQ(StepsOf(*domain, "<2, 1>"), (Steps{{"swap 0, 2, 1", "<1, 2>"}, {"turn", "<1, 2>"}, {"sort", "<1, 2>"}}));
  EXPECT_EQ(StepsOf(*domain, "<3,1,2>"), (Steps{{"swap 0, 3, 1", "<1, 3, 2>"}, {"turn", "<2, 1, 3>"}}));
  EXPECT_TRUE(domain->Solved("<>"));
  EXPECT_EQ(domain->Parse("<1 2>").error->position, 3U);
}

TEST(DomainFileTest, RulesAreFoundAmongManyAndOnStatesOfOnePart) {
  std::string text =
      "domain m\nstate term\nletter x\nvar u : term\nvar n k : integer\ngoal x\nrule split n -> k * [n / k] for k in "
      "divisors(n)\n";
  for (int i = 0; i < 150; ++i) text += "rule r" + std::to_string(i) + ' ' + std::to_string(i) + " + u -> u\n";
  const auto domain = MakeDomain(text + "problem \"{a} + x\" with a in 4..9\nkeeps nothing\n");
  EXPECT_EQ(StepsOf(*domain, "9"), (Steps{{"split 0, 9, 3", "3 * 3"}}));
  EXPECT_EQ(StepsOf(*domain, "127 + (64 + (63 + (149 + x)))"),
            (Steps{{"split 3, 64, 2", "127 + (2 * 32 + (63 + (149 + x)))"},
                   {"split 3, 64, 4", "127 + (4 * 16 + (63 + (149 + x)))"},
                   {"split 3, 64, 8", "127 + (8 * 8 + (63 + (149 + x)))"},
                   {"split 3, 64, 16", "127 + (16 * 4 + (63 + (149 + x)))"},
                   {"split 3, 64, 32", "127 + (32 * 2 + (63 + (149 + x)))"},
                   {"split 5, 63, 3", "127 + (64 + (3 * 21 + (149 + x)))"},
                   {"split 5, 63, 7", "127 + (64 + (7 * 9 + (149 + x)))"},
                   {"split 5, 63, 9", "127 + (64 + (9 * 7 + (149 + x)))"},
                   {"split 5, 63, 21", "127 + (64 + (21 * 3 + (149 + x)))"},
                   {"r63 4, 63 + (149 + x)", "127 + (64 + (149 + x))"},
                   {"r64 2, 64 + (63 + (149 + x))", "127 + (63 + (149 + x))"},
                   {"r127 0, 127 + (64 + (63 + (149 + x)))", "64 + (63 + (149 + x))"},
                   {"r149 6, 149 + x", "127 + (64 + (63 + x))"}}));
}

TEST(DomainFileTest, ElementsAreReplacedAndLeftOutAtAnyPlace) {
  const auto domain = MakeDomain(
      "domain l\nstate list \"<\" \", \" \">\"\nvar s t : list\ngoal 9\nrule drop .. 0 .. -> .. ..\nrule first 1 .. -> 2 ..\n"
      "rule last .. 1 -> .. 3\nrule whole 1 2 -> 7\nrule change s.. 4 t.. -> t.. 5 s..\n"
      "problem \"<{l}>\" with l in shuffle(1..4)\nkeeps nothing\n");
  EXPECT_EQ(StepsOf(*domain, "<0>"), (Steps{{"drop 0, 0", "<>"}}));
  EXPECT_EQ(StepsOf(*domain, "<0, 3, 0>"), (Steps{{"drop 0, 0", "<3, 0>"}, {"drop 2, 0", "<0, 3>"}}));
  EXPECT_EQ(StepsOf(*domain, "<1>"), (Steps{{"first 0, 1", "<2>"}, {"last 0, 1", "<3>"}}));
  EXPECT_EQ(StepsOf(*domain, "< 1,2 >"), (Steps{{"first 0, 1", "<2, 2>"}, {"whole 0, 1, 2", "<7>"}}));
  EXPECT_EQ(StepsOf(*domain, "<1, 4, 8>"), (Steps{{"first 0, 1", "<2, 4, 8>"}, {"change 1, 4", "<8, 5, 1>"}}));
  EXPECT_EQ(StepsOf(*domain, "<4>"), (Steps{{"change 0, 4", "<5>"}}));
}

// Every state has thousands of successors: what is looked at is bounded by how much it is, not by how many states it is.
TEST(DomainFileTest, ReportsOnFilesThatExplodeEnd) {
  const files::Report report = files::MakeReport(
      "f",
      "domain d\nstate term\nvar n : number\nvar u v : term\ngoal n\nrule more u -> u + n for n in 1..1000\n"
      "rule times u -> n * u for n in 1..1000\nrule twist u + v -> v + u\nproblem \"x + y\"\nkeeps nothing\n");
  EXPECT_TRUE(std::any_of(report.findings.begin(), report.findings.end(), [](const files::Finding& finding) {
    return finding.message.find("at least 5000 successors, most of them by the rule 'more'") != std::string::npos;
  }));
  EXPECT_EQ(report.found, 0U);
}

TEST(DomainFileTest, ElementsAreComparedWithConstantsAndLetters) {
  const auto domain = MakeDomain(
      "domain d\nstate list\nconstant | -\nletter x y\nvar u v : term\nvar s : list\ngoal s.. if length(s) = 0\n"
      "rule cut .. u v .. -> .. v .. if u != |, v = x\nproblem \"- x\"\nkeeps nothing\n");
  EXPECT_EQ(StepsOf(*domain, "- x | x y"), (Steps{{"cut 0, - x", "x | x y"}}));
  EXPECT_EQ(StepsOf(*domain, "y y | x"), Steps());
}

// A rule that applies in thousands of ways, most of them with one label.
TEST(DomainFileTest, ManyStepsHaveDifferentLabels) {
  const auto domain = MakeDomain(
      "domain d\nstate list\nvar a : number\nvar s t : list\ngoal s.. if length(s) = 0\n"
      "rule r s.. .. t.. -> s.. t..\nproblem \"1 1 1\"\nkeeps nothing\n");
  std::string state = "1";
  for (int i = 0; i < 99; ++i) state += " 1";
  const Steps steps = StepsOf(*domain, state);
  EXPECT_EQ(steps.size(), 5'000U);
  std::set<std::string> labels;
  for (const auto& [label, next] : steps) labels.insert(label);
  EXPECT_EQ(labels.size(), steps.size());
  EXPECT_EQ(steps[0].first, "r");
  EXPECT_EQ(steps[4'999].first, "r, 5000");
}

// Labels are made by the engine that reads terms, and steps without labels by the one that does not.
TEST(DomainFileTest, StepsOfListsAreTheSameWithAndWithoutLabels) {
  const std::string fields =
      "state list \"<\" \"; \" \">\"\nelement card(suit a..d, rank 0..9)\nvar s t r q : integer\nvar u v : term\n";
  const std::string numbers = "state list \"[\" \", \" \"]\"\nvar a b c : number\nvar s : list\n";
  const std::string signs =
      "state list\nconstant | -\nletter x y z\nvar l m : letter\nvar k : constant\nvar u v : term\nvar s : list\n";
  const std::string strokes = "state list \"\" \"/\" \"\"\nnumbers strokes =\nvar a b c : number\nvar s : list\n";
  struct Case {
    std::string rules;
    std::string alphabet;
    std::string problem;
  };
  for (const Case& each :
       {Case{fields + "goal .. card(0, 0) ..\ngoal not card(s, r) ..\n"
                      "rule up .. card(s, r) .. -> .. card([s + 1], [r * 2]) ..\n"
                      "rule both .. card(s, r) card(s, q) .. -> .. card(s, [(r + q) div 2]) ..  if r != q\n"
                      "rule double .. u v .. -> .. v u v ..\n",
             "abcd0123456789<>; ", "<a1; b2; c3>"},
        Case{fields + "goal .. card(3, 9) card(3, 9) ..\nfirst of\n  rule drop .. card(s, 0) .. -> .. ..\n"
                      "  rule turn .. card(s, r) card(t, q) .. -> .. card(r, q) card(t, s) .. where r < q\n"
                      "  rule same .. u u .. -> .. card(1, 5) u ..\n",
             "abcd0123456789<>; ", "<a1; a1; b0>"},
        Case{numbers + "goal s.. if ascending(s)\nrule swap .. a b .. -> .. b a .. if a > b + 1\nrule gone .. a a .. -> .. ..\n"
                       "rule lose .. 7 a .. -> .. 10 ..\nrule turn s.. -> reverse(s)\n",
             "0123456789[], ", "[3, 2, 1]"},
        Case{signs + "goal no rule applies\nrule order .. l | m .. -> .. m | l .. if l != m\nrule cut .. k k .. -> .. x ..\n"
                     "rule end .. - z .. -> .. ..\nrule copy .. l u .. -> .. u y u .. if u != l\n",
             "xyz|- ", "x | y"},
        Case{strokes + "goal s.. if length(s) <= 1\nall of\n  rule swap .. a b .. -> .. b a .. if a != b\n"
                       "  rule three .. a 3 b .. -> .. b 2 ..\n  rule zero .. 0 .. -> .. ..\n",
             "=/", "==/="}}) {
    const auto domain = MakeDomain("domain d\n" + each.rules + "problem \"" + each.problem + "\"\nkeeps nothing\nlimit 25\n");
    std::mt19937_64 random(3);
    std::set<std::string> states{domain->Generate(0)};
    std::size_t compared = 0;
    for (int i = 0; i < 3'000; ++i) {
      auto chosen = states.begin();
      std::advance(chosen, random() % states.size());
      std::string state = *chosen;
      if (i % 3 == 0) {  // also what is no state, or not written as one
        const std::size_t at = random() % (state.size() + 1);
        state.insert(at, 1, each.alphabet[random() % each.alphabet.size()]);
        if (random() % 2 == 0) state.erase(random() % state.size(), 1);
      }
      Successors with;
      Successors without;
      ASSERT_EQ(domain->Expand(state, Labels::kOn, with), domain->Expand(state, Labels::kOff, without)) << state;
      ASSERT_EQ(with.size(), without.size()) << state;
      for (std::size_t k = 0; k < with.size(); ++k) {
        ASSERT_EQ(with.state(k), without.state(k)) << state << ": " << with.label(k);
        ++compared;
        if (states.size() < 300 && with.state(k).size() < 60) states.insert(std::string(with.state(k)));
      }
    }
    EXPECT_GT(compared, 1'000U) << each.rules;
  }
}

TEST(DomainFileTest, NumbersOfTooManyStrokesAreNoState) {
  const auto domain = MakeDomain(
      "domain s\nstate list \"[\" \"|\" \"]\"\nnumbers strokes =\nvar a b : number\nvar s : list\ngoal s.. if ascending(s)\n"
      "rule swap .. a b .. -> .. b a ..\nproblem \"[{l}]\" with l in shuffle(1..4)\nkeeps multiset\n");
  EXPECT_EQ(domain->Parse("[2|||=]").state, "[==|||=]");
  EXPECT_EQ(domain->Parse("[1|9000|9000]").error->message,
            "the text is too long when it is written with all blanks and brackets");
}

TEST(DomainFileTest, MovesFollowTheirCycles) {
  const std::string text = "domain m\nstate layout\ncolours a b c\nsolved \"abc\"\nmove r l (1 2 3)\nproblem scramble 1..3\n";
  const auto domain = MakeDomain(text);
  // The colour of cell 1 goes to cell 2.
  EXPECT_EQ(StepsOf(*domain, "bca"), (Steps{{"r", "abc"}, {"l", "cab"}}));
  ASSERT_NE(domain->type().layout, nullptr);
  EXPECT_EQ(domain->type().layout->inverse, (std::vector<std::uint8_t>{1, 0}));
}

TEST(DomainFileTest, ScramblesOfMovesThatCannotBeTakenBackAreSolvable) {
  const auto domain = MakeDomain(
      "domain p\nstate layout\ncolours o _\nsolved \"__o__\"\nexchange jump o o _ -> _ _ o along rows\nproblem scramble "
      "1..1\n");
  EXPECT_EQ(domain->type().layout, nullptr);
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    EXPECT_FALSE(files::SearchBreadthFirst(*domain, domain->Generate(seed), 100).states.empty());
  }
}

TEST(DomainFileTest, GapFilesBecomeMoves) {
  const auto folder = std::filesystem::temp_directory_path() / "conpole-gap-test";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "moves.gap") << "# a comment (1,2)\nr := (1,2,\n 3);\ns := (1,2);\nG := Group([r, (2,3)]);\n";
  const std::string text =
      "domain g\nstate layout\ncolours a b c\nsolved \"abc\"\nmoves from \"moves.gap\"\nproblem scramble 1..3\n";
  std::ofstream(folder / "g.domain") << text;
  const auto domain = MakeDomain((folder / "g.domain").string());
  std::vector<std::string> names;
  for (const Axiom& axiom : domain->type().axioms) names.push_back(axiom.name);
  EXPECT_EQ(names, (std::vector<std::string>{"r", "r'", "s", "G"}));
  // Its text needs no other file.
  EXPECT_EQ(MakeDomain(domain->type().file->text())->Generate(5), domain->Generate(5));
  EXPECT_NE(MessageOf(text).find("f:5:7: moves can be imported only by a file"), std::string::npos) << MessageOf(text);
  std::filesystem::remove_all(folder);
}

struct Fault {
  std::string text;
  std::string message;
};

TEST(DomainFileTest, EveryFaultIsToldWithItsPlaceAndWhatWouldBeRight) {
  for (const Fault& fault : std::vector<Fault>{
           {"", "f:1:1: the file is empty; expected 'domain NAME'"},
           {"state term\n", "f:1:1: the first statement must be 'domain NAME'"},
           {"  domain x\n", "f:1:3: the first statement is indented"},
           {"domain Sums\n", "f:1:8: 'Sums' is no name of a domain"},
           {"domain x\nstate trem\n", "f:2:7: unknown kind of state 'trem'; did you mean 'term'?"},
           {"domain x\nrule a b -> c\n", "f:2:1: 'rule' needs to know the kind of state"},
           {"domain x\nstate term\n", "f:2:11: there is no 'goal'"},
           {Sums("rul swap u + v -> v + u\n"), "f:9:1: unknown statement 'rul'; did you mean 'rule'?"},
           {Sums("rule swap u + w -> w + u\n"), "f:9:15: 'w' is not known; declare it with 'var w : term'"},
           {"domain x\nstate list\ngoal s..\n", "f:3:6: 's' is not known; declare it with 'var s : list'"},
           {"domain x\nstate list\nvar s : list\nconstant |\ngoal s.. if s = |\n", "a list is no single element"},
           {Sums("rule grow u + 0 -> u + v\n"), "f:9:24: 'v' is not bound here: it does not stand on the left side"},
           {Sums("rule add u + 0 -> u\n"), "f:9:6: there is a rule or error 'add' already; for several forms of one write"},
           {Sums("var a : number\n"), "f:9:5: 'a' is declared twice"},
           {Sums("var n : nubmer\n"), "f:9:9: unknown type 'nubmer'; did you mean 'number'?"},
           {Sums("rule work u + v -> [u + v]\n"), "f:9:20: 'u' is no number here"},
           {Sums("rule work u + v -> u if u > 0\n"), "f:9:25: 'u' is no number here"},
           {Sums("rule part u + 0 -> \n"), "expected a number or a term, found the end"},
           {Sums("rule part u + 0\n"), "expected '->' and what the left side becomes"},
           {Sums("rule part a u + 0 -> u\n"),
            "f:9:13: expected '->' and what the left side becomes, found 'u'; a product has its operator"},
           {Sums("rule say u + 0 -> u en \"{[1 + 2]}\"\n"), "only labels work something out; in a sentence '{to}' is"},
           {Sums("problem \"{[n + 2]}\" with n in 1..9\n"),
            "'{[n + 2]}' has no name; write '{n}', and 'n in n + 2' after 'with'"},
           {"domain x\nstate term\nfunction f(a, b) as \"<{a} {b}>\"\n", "more than a blank stands after each argument"},
           {Sums("rule open (u + 0 -> u\n"), "f:9:18: expected an operator or ')', found '->'"},
           {Sums("rule work a + b -> [gdc(a, b)]\n"), "f:9:21: unknown function 'gdc'; did you mean 'gcd'?"},
           {Sums("rule say u + 0 -> u en \"This is {form}.\"\n"), "unknown slot '{form}'; did you mean 'from'?"},
           {Sums("rule say u + 0 -> u en \"This is\n"), "f:9:24: this string has no end"},
           {Sums("rule say u + 0 -> u of 3\n"),
            "f:9:21: expected 'if', 'where', 'assuming', 'for', 'label', 'hint', a language or the end of the rule, found "
            "'of'"},
           {Sums("rule say u + 0 -> u en Nothing\n"), "found 'en'; a sentence stands in quotes: en \"...\""},
           {Sums("rule say u + 0 -> u english \"Nothing\"\n"), "found 'english'; a language is two letters"},
           {Sums("rule say a + 0 -> a if a > 1 and a < 5\n"),
            "f:9:30: expected 'if', 'where', 'assuming', 'for', 'label', 'hint', a language or the end of the rule, found "
            "'and'; conditions that must all hold are separated by commas"},
           {Sums("rule say a + 0 -> a if 1 < a < 5\n"), "found '<'; of 0 < a < 5 make 0 < a, a < 5"},
           {Sums("rule say a + 0 -> a if a ≥ 5\n"), "f:9:26: expected a comparison (= != < <= > >=)"},
           {Sums("rule say a + 0 -> a label \"drop {a}\"\n"),
            "f:9:27: a label begins with the name of its rule, as in \"say drop {a}\""},
           {Sums("rule say a + 0 -> a label \"{rule}{a}\"\n"), "f:9:27: a label begins with the name of its rule"},
           {Sums("rule u + 0 -> u\n"), "f:9:8: expected the left side, found '+': a rule is NAME LEFT -> RIGHT"},
           {Sums("rule say: u + 0 -> u\n"), "f:9:9: expected the left side, found ':': a rule is NAME LEFT -> RIGHT"},
           {Sums("rule back [a + b] -> a + b\n"), "f:9:11: only the right side has what is worked out"},
           {Sums("rule say u\xC2\xA0+ 0 -> u\n"), "found a blank that must not break a line (U+00A0)"},
           {Sums("  rule say u + 0 -> u\n"), "found 'rule'; a statement begins at the left margin"},
           {Sums("problem {n} with n in 1..9\n"), "f:9:9: expected a template in quotes, found '{'"},
           {Sums("problem \"{n} + 1\" with n in 9..1\n"), "f:9:29: this range is empty"},
           {Sums("problem \"{n} + {m}\" with n in 1..9, m in n + 1..n\n"), "f:9:1: there is nothing to draw: a range such as"},
           {Sums("problem \"{n} + + 2\" with n in 1..9\n"), "f:9:1: a problem that is drawn is no state: '"},
           {"domain x\nstate list \"[\" \", \" \"]\"\nvar a b : number\ngoal 1 2\nrule s [.. a b ..] -> .. b a ..\n",
            "f:5:8: elements stand side by side, without the brackets of the list: .. a b .."},
           {"domain x\nstate list \"[\" \", \" \"]\"\nvar a b : number\ngoal 1, 2\n",
            "f:4:7: elements stand side by side, without what is between them: .. a b .."},
           {"domain x\nstate term\ninfix left + *\nconstant i\nvar u : term\ngoal u\nrule s i * i -> 1\nproblem \"i * i\"\n"
            "keeps value\nmeaning i = sqrt(0 - 1)\n",
            "f:10:13: 'i' has no value: numbers are real here"},
           {"domain x\nstate term\nfunction f(a)\nvar u : term\ngoal u\nmeaning f(u) = sqr(u)\n",
            "f:6:16: meanings have no function 'sqr'; did you mean 'sqrt'?"},
           {Sums("rule part\n"), "f:9:10: expected a number or a term, found the end"},
           {Sums("rule same u -> u\n"), "f:9:11: this rule changes nothing"},
           {Sums("rule same u + v -> u + v\n"), "f:9:11: this rule changes nothing"},
           {Sums("variable n : number\n"), "f:9:1: unknown statement 'variable'; did you mean 'var'?"},
           {Sums("var n : int\n"), "f:9:9: unknown type 'int'; did you mean 'integer'?"},
           {Sums("rule root sqrt(u) -> u\n"), "f:9:11: 'sqrt' is not known; if it is a function of your own, write 'function"},
           {Sums("rule late u + w -> w + u\nvar w : term\n"), "f:9:15: 'w' is declared below"},
           {Sums("rule late a + b -> [n]\nvar m n : number\n"), "f:9:21: 'n' is declared below"},
           {Sums("rule say u + 0 -> u if not u is number\n"), "f:9:24: 'not' stands in the middle: a != b, u is not number"},
           {Sums("problem \"{n} + 1\" with n in 1-9\n"), "found '-'; a range has two points: 1..9"},
           {"domain x\nstate term\ngoal true\nconstant true\n",
            "f:3:6: 'true' is declared below; what a statement uses stands"},
           {"domain x\nstate term\nfunction nand(a, b)\nconstant true false\nvar u : term\ngoal true\nrule a nand(u, false) -> "
            "true\nproblem \"nand(true, false)\"\nkeeps truth\n",
            "f:9:1: '/' has no truth value; it is there since the file names no operators of its own; name one"},
           {Sums("infix left ∘\n"), "operators stand above the first rule"},
           {Sums("keeps value\n"), "f:9:1: a second 'keeps'"},
           {Sums("test \"1\" leads \"2\"\n"), "f:9:10: expected '=>', '->', 'solved'"},
           {Sums("test \"1\" -> \"2\" by ad\n"), "f:9:20: there is no rule 'ad'; did you mean 'add'?"},
           {Sums("problem \"{k}\"\n"), "f:9:9: nothing is drawn for the slot '{k}'"},
           {Sums("draw f \"({f})\"\n"), "f:9:1: 'draw f' never ends"},
           {Sums("limit 1\n"), "f:9:7: the limit must be from 2 to"},
           {Sums("move U (1 2)\n"), "f:9:1: 'move' is for layouts"},
           {Sums("rule wrong u * v -> u + v\n"), "f:9:6: the rule 'wrong' does not keep the value: '"},
           {Sums("rule wrong u / u -> 1\n"), "f:9:6: the rule 'wrong' does not keep the value: '"},
           {"domain ä\n", "f:1:8:"},
           {"domain x\nstate term\ninfix left ->\n",
            "f:3:12: '->' has a meaning in every file; choose another sign or word, for instance 'implies'"},
           {"domain x\nstate term\nconstant 0 1\n", "f:3:10: '0' is a number, which every file has"},
           {"domain x\nstate term\npostfix °C\n", "f:3:9: '°C' is no operator; it is a word, or one or more signs"},
           {"domain x\nstate term\nprefix ¬ ¬\n", "f:3:10: '¬' is declared twice"},
           {"domain x\nstate term\nvar u : term\ngoal u\nrule a u + 0 -> u\nproblem \"1 + 0\"\n",
            "f:6:1: every problem is solved from the start, for instance '1 + 0'"},
           {"domain x\nstate term\nvar u : term\ngoal 7\nrule a u + 0 -> u\nproblem \"1 + 1\"\n",
            "f:6:1: no problem is solved, and no rule applies to any, for instance '1 + 1'"},
           {"domain x\nstate term\nvar u : term\ngoal 7\nrule a u + 0 -> u\nproblem \"1 + + 1\"\n",
            "f:6:1: a problem that is drawn is no state: '1 + + 1', position 4:"},
           {"domain x\nstate term\nfunction d(u)\nvar u : term\ngoal u if d not in u\nrule a d(u) -> u\nproblem "
            "\"d(1)\"\nkeeps value\n",
            "f:8:1: it is not known what 'd' means, so that nothing can be checked; write 'meaning d(a) = ...', or 'keeps "
            "nothing'"},
           {"domain x\nstate list\nvar s : list\ngoal s..\nrule a s.. -> s\n",
            "f:5:15: 's' is a stretch of the list; write 's..'"},
           {"domain x\nstate list\nvar a b : number\nvar s : list\ngoal s.. if ascending(s)\nrule a .. a b .. -> .. b b "
            "..\nproblem \"2 1\"\nkeeps multiset\n",
            "f:6:6: the rule 'a' does not keep the elements"},
           {"domain x\nstate term\nnumbers whol\n", "f:3:9: unknown notation 'whol'; did you mean 'whole'?"},
           {"domain x\nstate term\nnumbers strokes =\n", "f:3:1: 'numbers strokes' is for domains with 'state list'"},
           {"domain x\nstate term\ninfix left +\noutermost +\n", "f:4:11: '+' is no operator with brackets yet"},
           {"domain x\nstate term\ninfix left bracketed + *\noutermost +\nvar u v w : term\ngoal 1\nrule d (u * (v + w)) -> (u "
            "* v) + (u * w)\n",
            "this operator stands around the whole state alone; put the right side in brackets"},
           {"domain x\nstate term\nfunction f(a) as \"[{a}]\"\n", "f:3:18: '[' begins a fraction; write 'numbers whole' above"},
           {"domain x\nstate term\nfunction f(a, b) as \"<{a}>\"\n", "f:3:21: expected a text with the 2 arguments in braces"},
           {"domain x\nstate term\nelement e(a 0..9)\n", "f:3:1: 'element' is for domains with 'state list'"},
           {"domain x\nstate list \"\" \"and\" \"\"\n", "f:2:7: what stands between elements and after the last one begins"},
           {"domain x\nstate list \"[\" \" + \" \"]\"\ninfix left +\n", "f:3:12: '+' stands between elements already"},
           {"domain x\nstate list \"\" \"\" \"\"\nconstant AB\n", "f:3:10: 'AB' is no single character"},
           {"domain x\nstate list \"\" \"\" \"\"\nnumbers plain\n", "f:3:1: elements with nothing between them have digits"},
           {"domain x\nstate list\nelement e(a 0-9)\n", "f:3:13: expected the characters of the field, as in a..c or 0..9"},
           {Sums("all of\n"), "expected rules, indented, below 'all of'"},
           {Sums("for u in terms\n"), "expected rules, indented, below 'for'"},
           {Sums("rule l u + v -> v + u where u like w\n"), "f:9:36: 'w' is not known"},
           {Sums("rule l u + 0 -> u label \"{at w}\"\n"), "'w' is not known"},
           {Sums("rule l u + 0 -> u label \"{[u]}\"\n"), "'u' is no number here"},
           {Sums("problem \"{k}\" with k in 1..9 by int23\n"), "nothing is drawn by 'int23'; did you mean 'int32'?"},
           {Sums("texts a \"1\"\ntexts a \"2\"\n"), "f:10:7: there are two 'texts a'"},
           {"domain x\nstate layout\ncolours r g\nsolved \"rg\"\nmove m (1 3)\n",
            "f:5:11: there is no cell 3; cells are counted from 1 to 2"},
           {"domain x\nstate layout\ncolours r g\nsolved \"rg\"\nmove m (1 2 1)\n", "f:5:13: cell 1 is moved twice"},
           {"domain x\nstate layout\ncolours r g\nsolved \"rg\"\nexchange m r t -> r r along rows\n", "f:5:10: 't' is lost"},
           {"domain x\nstate layout\ncolours r g\nsolved \"rg\"\ngoal count b = 0\n", "f:5:12: 'b' is no colour"},
           {"domain x\nstate layout\ncolours r g\nsolved \"rg\"\nexchange m r g -> g r along knight\n",
            "f:5:29: unknown direction 'knight'; did you mean 'knights'?"},
           {"domain x\nstate layout\ncolours r g\nsolved \"rg\"\nrule m r -> g\n", "f:5:1: 'rule' is for terms and lists"},
           {"domain x\nstate layout\ncolours r g\nsolved \"rg\"\nmove m (1 2\n", "f:5:12: expected a cell or ')'"},
           {"domain x\nstate layout\ncolours r g\nsolved \"rg\"\ndrawn 1 . 1\n", "f:5:11: cell 1 is drawn twice"},
           {"domain x\nstate layout\ncolours r g\nsolved \"rg\"\ndrawn . / 3\n", "f:5:11: there is no cell 3"},
           {"domain x\nstate layout\ncolours r g\nsolved \"rg\"\ndrawn . / .\n", "no cell is drawn"},
           {"domain x\nstate layout\ncolours #\n", "found the end of the statement ('#' begins a comment)"},
           {"domain x\nstate list \"\" \"\" \"|\"\nconstant |\n", "f:3:10: '|' ends the list already"},
           {"domain x\nstate term\ninfix + left\n", "f:3:9: 'left' stands before the operators"},
           {"domain x\nstate term\nnumbers decimal\nprefix -\nvar a : number\ngoal a\n",
            "f:3:1: 'numbers decimal' is not for domains with 'prefix -' or 'coefficient'"},
           {"domain x\nstate term\nfunction euro(a) as \"$ {a}\"\n", "with an argument at an end it is an operator"},
           {Sums("texts a \"{a}{a}\" \"1\"\nproblem \"{a}\"\n"), "f:9:9: 'texts a' never ends: it has a slot '{a}'"},
           {Sums("texts a \"{b}\"\ntexts b \"{a}\"\nproblem \"{b}\"\n"), "f:10:9: 'texts b' never ends"},
           {Sums("title en \"\x01\"\n"), "f:9:11: this is no text: a control character, 1"},
           {"domain x\rstate term\rvar a b\r", "f:3:8: expected the name of a variable"},
           {"domain x\r\nstate term\r\nvar a b\r\n", "f:3:8: expected the name of a variable"},
           {Sums("var " + std::string(50, 'c') + " : number\n"), "f:9:5: a name has at most 40 characters"},
           {Sums("rule turn a + b => b + a\n"), "f:9:17: expected '->', found '=>'"},
           {Sums("rule half a -> [a * 0.5]\n"), "f:9:22: numbers have no decimal point; write 1/2"},
           {Sums("rule half a -> 0.5 * a\n"), "f:9:17: numbers have no decimal point; write [1/2]"},
           {Sums("rule most a + b -> max(a, b)\n"), "f:9:20: what is worked out stands in brackets, as in [max(...)]"},
           {Sums("goal number\n"), "f:9:6: 'number' is a type; declare a variable of it"},
           {Sums("var c' : number\n"), "f:9:6: the name of a variable has letters, digits and '_'"},
           {Sums("problem \"{n}\" where n > 3\n"), "'n' is not drawn before this; write 'with n in 1..9'"},
           {Sums("en \"Add.\"\n"), "f:9:1: unknown statement 'en'; a line that continues a statement is indented"},
           {Sums("var c : number where c > 0 and\n"), "f:9:28: expected ',' or the end of the conditions, found 'and'"},
           {Sums("var c : number\nrule pick u -> u + c for c in 1..2 for c in 1..2\n"),
            "'c' is chosen by 'for', but stands on the left side or is chosen before"},
           {Sums("rule put replace(u, a, b) -> u\n"), "f:9:10: 'replace' stands on the right side of a rule only"},
       }) {
    const std::string message = MessageOf(fault.text);
    EXPECT_NE(message.find(fault.message), std::string::npos)
        << fault.text << "\n  expected " << fault.message << "\n  found    " << message;
  }
  EXPECT_EQ(MessageOf(Sums()), "");
}

TEST(DomainFileTest, ReportsSayWhatIsSuspicious) {
  const auto says = [](const std::string& text, const std::string& message) {
    const files::Report report = files::MakeReport("f", text);
    return std::any_of(report.findings.begin(), report.findings.end(),
                       [&](const files::Finding& finding) { return finding.message.find(message) != std::string::npos; });
  };
  EXPECT_TRUE(files::MakeReport("f", Sums()).has_errors() == false);
  EXPECT_TRUE(says(Sums("var w : term\n"), "the variable 'w' is never used"));
  EXPECT_TRUE(says(Sums("var c d : number where c > 0\nrule two c + d -> d + c\n"), "no condition after 'where' names 'd'"));
  EXPECT_TRUE(says(Sums("rule idle u ^ 7 -> u * u ^ 6\n"), "the rule 'idle' never applies"));
  EXPECT_TRUE(says(Sums("error none u + v -> v + u\n"), "the error 'none' is no mistake"));
  EXPECT_TRUE(
      says(Sums("test \"1 + 2\" => \"4\"\n"),
           "test: no steps were found from '1 + 2' to '4'; steps lead to one other state, and end at '3', which is solved"));
  EXPECT_TRUE(says(Sums("test \"x + 2\" => \"4\"\n"), "no steps were found from 'x + 2' to '4': no rule applies"));
  EXPECT_TRUE(says(Sums("rule turn u + v -> v + u\ntest \"x + 2\" => \"4\"\n"),
                   "steps lead to one other state; the nearest is '2 + x'"));
  EXPECT_TRUE(says(Sums("rule blow u + v -> u + v + 0 * (u + v)\n"), "the rule 'blow' makes states grow most"));
  EXPECT_TRUE(says(Sums("goal no rule applies\nrule turn u + v -> v + u\n"), "'turn' applies to its own result again"));
  EXPECT_TRUE(says(Sums("goal no rule applies\nrule less u + 0 <-> u\n"), "'less' applies to its own result again"));
  EXPECT_FALSE(says(Sums("goal no rule applies\nrule turn a + b -> b + a if a > b\n"), "applies to its own result again"));
  EXPECT_FALSE(says(Sums("rule turn u + v -> v + u\n"), "applies to its own result again"));
  EXPECT_TRUE(says(Sums("rule more u -> u + 0\n"), "states grow to more than 10 times their size; the rule 'more' makes"));
  EXPECT_TRUE(says(Sums("problem 99: \"3\"\nproblem 99: \"4\"\n"), "problems are solved from the start, for instance"));
  EXPECT_TRUE(says(Sums("problem \"x\"\n"), "no rule applies to"));
  EXPECT_TRUE(says(Sums("problem \"x + {n} + {n}\" with n in 1..9\nrule swap u + v -> v + u\n"),
                   "problems cannot be solved by these rules: all states that can be reached were looked at"));
  EXPECT_FALSE(says(Sums("rule swap u + v -> v + u\n"), "cannot be solved"));
  const std::string letters = "domain l\nstate list\nletter A B\ngoal B\nproblem \"A A\" \"A\"\nrule all A A -> B\n";
  EXPECT_TRUE(says(letters, "there is no 'keeps': no rule is tried"));
  EXPECT_FALSE(says(letters + "keeps nothing\n", "there is no 'keeps'"));
  EXPECT_TRUE(says(letters + "rule none A A A -> A\n", "it is about whole lists: write .. where others may stand"));
  EXPECT_FALSE(says(letters + "rule none .. A A A -> .. A\n", "it is about whole lists"));
}

TEST(DomainFileTest, ReportsSayWhereProblemsAreDrawn) {
  const files::Report report = files::MakeReport(
      "f", "domain p\nstate layout\ncolours o _\nsolved \"o_\"\nexchange hop o _ -> _ o along rows\nproblem scramble 0..1\n");
  ASSERT_EQ(report.findings.size(), 1U);
  EXPECT_EQ(report.findings[0].line, 6U) << report.findings[0].message;
}

TEST(DomainFileTest, ConditionsLookForPatternsAnywhere) {
  const auto row = MakeDomain(
      "domain r\nstate list\nelement cell(place 1..3, value 0..3)\nvar p q n : number\nvar s t : list\ngoal s.. if cell(p, 0) "
      "not in s\nrule put s.. cell(p, 0) t.. -> s.. cell(p, n) t.. if cell(q, n) not in s, cell(q, n) not in t for n in 1..3\n"
      "problem \"10 21 30\"\nkeeps nothing\n");
  EXPECT_EQ(StepsOf(*row, "10 21 30"), (Steps{{"put 0, 10, 2", "12 21 30"},
                                              {"put 0, 10, 3", "13 21 30"},
                                              {"put 2, 30, 2", "10 21 32"},
                                              {"put 2, 30, 3", "10 21 33"}}));
  EXPECT_TRUE(row->Solved("12 21 33"));
  const auto term = MakeDomain(
      "domain d\nstate term\ninfix left +\nfunction d(a)\nvar u v w : term\nvar n : number\ngoal 1\nrule drop u + v -> u if "
      "d(w) in u\n"
      "rule same u + v -> v if d(u) in v\nproblem \"d(x) + 1 + 2\"\nkeeps nothing\n");
  EXPECT_EQ(StepsOf(*term, "d(x) + 1 + 2"), (Steps{{"drop 0, d(x) + 1 + 2", "d(x) + 1"}, {"drop 1, d(x) + 1", "d(x) + 2"}}));
  EXPECT_EQ(StepsOf(*term, "x + d(x)"), (Steps{{"same 0, x + d(x)", "d(x)"}}));
}

// A number that is chosen is known in the patterns of conditions, too.
TEST(DomainFileTest, ChosenNumbersAreKnownInPatterns) {
  const auto domain = MakeDomain(
      "domain c\nstate term\nvar u v : term\nvar n : number\ngoal 1\nrule take u -> n if u like n * v for n in 2, 3\n"
      "problem \"3 * (1 + 1)\"\nkeeps nothing\n");
  EXPECT_EQ(StepsOf(*domain, "3 * (1 + 1)"), (Steps{{"take 0, 3 * (1 + 1), 3", "3"}}));
}

TEST(DomainFileTest, LaterChoicesMayDependOnEarlierOnes) {
  const auto domain = MakeDomain(
      "domain c\nstate term\nfunction p(a, b)\nvar a b k l : integer\ngoal 1\nproblem \"p(5, 0)\"\nkeeps nothing\n"
      "rule move p(a, b) -> p([a - k], [b + k * l]) for k in 1, 2 for l in 0..k if k + l > 1\n"
      "for k in 3..4\n  rule far p(a, b) -> p(k, l) for l in 7, 8 if k + l < 12\n");
  EXPECT_EQ(StepsOf(*domain, "p(5, 0)"), (Steps{{"move 0, p(5, 0), 1, 1", "p(4, 1)"},
                                                {"move 0, p(5, 0), 2, 0", "p(3, 0)"},
                                                {"move 0, p(5, 0), 2, 1", "p(3, 2)"},
                                                {"move 0, p(5, 0), 2, 2", "p(3, 4)"},
                                                {"far 0, p(5, 0), 3, 7", "p(3, 7)"},
                                                {"far 0, p(5, 0), 3, 8", "p(3, 8)"},
                                                {"far 0, p(5, 0), 4, 7", "p(4, 7)"}}));
  // However many choices there are, the work is bounded.
  const auto endless = MakeDomain(
      "domain e\nstate term\nvar a b c d e : integer\ngoal 1\nproblem \"2\"\nkeeps nothing\nrule less a -> [a - 1]\n"
      "rule much a -> b for b in 1..1000 for c in 1..1000 for d in 1..1000 for e in 1..1000 if b + c + d + e = 0\n");
  EXPECT_EQ(StepsOf(*endless, "2").size(), 1U);
}

TEST(DomainFileTest, GoalsMayAskThatNoRuleApplies) {
  const auto domain = MakeDomain(Sums("rule plain u + 0 -> u\ngoal u + v if no rule applies, + not in v\n"));
  EXPECT_TRUE(domain->Solved("7"));
  EXPECT_TRUE(domain->Solved("x + 7"));
  EXPECT_FALSE(domain->Solved("x + 0"));
  EXPECT_FALSE(domain->Solved("x + (y + z)"));
  EXPECT_FALSE(domain->Solved("x * y"));
}

// Brackets, signs and coefficients are those of the whole result.
TEST(DomainFileTest, PartsAreReplacedByOthers) {
  const auto domain = MakeDomain(
      "domain r\nstate term\ninfix =\ninfix left + -\ninfix left *\nprefix -\ncoefficient *\nfunction at(u, x, v)\nletter x "
      "y\nvar u v : term\nvar l "
      ": letter\nvar a : number\ngoal 1\nrule put at(u, l, v) -> replace(u, l, v)\nrule up u = a -> replace(u, y, [a + 1]) = "
      "a\n"
      "problem \"at(x, x, 1)\"\nkeeps nothing\n");
  const auto put = [&](const std::string& state) {
    const Steps steps = StepsOf(*domain, state);
    return steps.empty() ? std::string("no step") : steps[0].second;
  };
  EXPECT_EQ(put("at(2x + x * y - x, x, y + 1)"), "2 * (y + 1) + (y + 1) * y - (y + 1)");
  EXPECT_EQ(put("at(2x - x, x, 3)"), "2 * 3 - 3");
  EXPECT_EQ(put("at(-x, x, 3)"), "-3");
  EXPECT_EQ(put("-at(x, x, 3) + y"), "-3 + y");
  EXPECT_EQ(put("2 * at(y, y, x)"), "2x");
  EXPECT_EQ(put("at(x + x, x, x + x) * 2"), "(x + x + (x + x)) * 2");
  EXPECT_EQ(put("at(y, x, 3)"), "no step");  // there is nothing to replace
  EXPECT_EQ(put("2y + y = 4"), "2 * 5 + 5 = 4");
  EXPECT_EQ(put("-y = 4"), "-5 = 4");
  const auto list = MakeDomain(
      "domain e\nstate list \"\" \" ; \" \"\"\ninfix =\ninfix left +\nletter x y z\nvar u v w : term\nvar l : letter\nvar s t "
      ": list\n"
      "goal x\nrule put s.. (l = u) t.. -> replace(s.., l, u) (l = u) replace(t, l, u) if l not in u\n"
      "rule twice u v -> replace(u + u, v, 1) v\n"
      "problem \"x = 1 ; x\"\nkeeps nothing\n");
  EXPECT_EQ(StepsOf(*list, "x + y = 3 ; x = y + 1 ; z + x = x"),
            (Steps{{"put 1, x = y + 1", "y + 1 + y = 3 ; x = y + 1 ; z + (y + 1) = y + 1"}}));
  EXPECT_EQ(StepsOf(*list, "x + y ; y"), (Steps{{"twice 0, x + y ; y", "x + 1 + (x + 1) ; y"}}));
}

TEST(DomainFileTest, NotationsMayBeginInTheSameWay) {
  const auto domain = MakeDomain(
      "domain n\nstate term\nfunction one(a) as \"|{a}|\"\nfunction two(a, b) as \"|{a}, {b}|\"\nfunction up(a, b) as \"|{a}; "
      "{b}|\"\n"
      "function wide(a) as \"||{a}|\"\nvar a b : number\ngoal a\nrule one one(a) -> a\nrule two two(a, b) -> [a + b]\nrule up "
      "up(a, "
      "b) -> [a * b]\nrule wide wide(a) -> [10 * a]\nproblem \"|1|\"\nkeeps nothing\n");
  EXPECT_EQ(StepsOf(*domain, "|3|"), (Steps{{"one 0, |3|", "3"}}));
  EXPECT_EQ(StepsOf(*domain, "|3, 4|"), (Steps{{"two 0, |3, 4|", "7"}}));
  EXPECT_EQ(StepsOf(*domain, "|3; |4, 5||"), (Steps{{"two 2, |4, 5|", "|3; 9|"}}));
  EXPECT_EQ(StepsOf(*domain, "||3|"), (Steps{{"wide 0, ||3|", "30"}}));
  EXPECT_EQ(domain->Parse("|3: 4|").error->message.english(), "expected '|', ', ', '; ', found ':'");
}

TEST(DomainFileTest, SeveralUnknownsAndEquationsInListsKeepTheirSolutions) {
  const std::string begin =
      "domain s\nstate list \"\" \" ; \" \"\"\ninfix =\ninfix left + -\ninfix left *\nprefix -\ncoefficient "
      "*\nletter x y\nvar a b : number\nvar u v w t : term\ngoal (x = a) (y = b)\nkeeps solutions of x y\n"
      "problem \"x = {n} ; x + y = {m}\" with n, m in 1..9\n";
  EXPECT_EQ(MessageOf(begin + "rule add .. (u = v) (w = t) .. -> .. (u = v) (u + w = v + t) ..\n"), "");
  EXPECT_EQ(MessageOf(begin + "rule put (x = a) (v = w) -> (x = a) (replace(v, x, a) = w)\n"), "");
  EXPECT_NE(
      MessageOf(begin + "rule add .. (u = v) (w = t) .. -> .. (u = v) (u + w = v) ..\n").find("does not keep the solutions"),
      std::string::npos);
  EXPECT_NE(MessageOf(begin + "rule drop .. (u = v) (w = t) .. -> .. (u = v) ..\n").find("true after"), std::string::npos);
  // Both have to be right, in terms as well.
  const std::string term =
      "domain t\nstate term\ninfix and\ninfix =\ninfix left + -\nletter x y\nvar u v w : term\nvar a b : "
      "number\ngoal x = a and y = b\nproblem \"y = 1 and x = {n}\" with n in 2..9\nkeeps solutions of x, y\n";
  EXPECT_EQ(MessageOf(term + "rule turn u and v -> v and u\n"), "");
  EXPECT_NE(MessageOf(term + "rule turn x = u and v -> x = u and x = u\n").find("does not keep the solutions"),
            std::string::npos);
}

// Strings: lists with nothing between their elements.
TEST(DomainFileTest, ElementsMayBeCharactersWithNothingBetweenThem) {
  const std::string text =
      "domain s\nstate list \"\" \"\" \"\"\nletter M I U\nvar a b : number\nvar s : list\ngoal M\n"
      "rule double M s.. -> M s.. s..\nrule three .. I I I .. -> .. U ..\nrule add .. a b .. -> .. [a + b] ..\n"
      "rule swap .. 10 .. -> .. 01 ..\nproblem \"MI\" \"MIII\"\nkeeps nothing\n";
  const auto domain = MakeDomain(text);
  EXPECT_EQ(StepsOf(*domain, "MIII"), (Steps{{"double 0, M", "MIIIIII"}, {"three 1, III", "MU"}}));
  EXPECT_EQ(domain->Parse(" M I ").state, "MI");
  // Sums of two digits are none.
  EXPECT_EQ(StepsOf(*domain, "108"), (Steps{{"add 0, 10", "18"}, {"add 1, 08", "18"}, {"swap 0, 10", "018"}}));
  EXPECT_TRUE(StepsOf(*domain, "88").empty());
  EXPECT_TRUE(domain->Parse("M-3").error);
  EXPECT_TRUE(domain->Parse("MX").error);
}

TEST(DomainFileTest, GoalsCountColoursAndScramblesAreNotSolved) {
  const auto domain = MakeDomain(
      "domain k\nstate layout\ncolours N . x\nsolved \"xxxx/xxxx/xNxx\"\ngoal count . = 0 count N = 1\n"
      "exchange jump N . -> x N along knights\nproblem scramble 0..3\n");
  EXPECT_EQ(StepsOf(*domain, "N.../..../...."), (Steps{{"jump 1-7", "x.../..N./...."}, {"jump 1-10", "x.../..../.N.."}}));
  EXPECT_TRUE(domain->Solved("xxxN/xxxx/xxxx"));
  EXPECT_FALSE(domain->Solved("xxNN/xxxx/xxxx"));
  for (std::uint64_t seed = 0; seed < 20; ++seed) EXPECT_FALSE(domain->Solved(domain->Generate(seed))) << seed;
}

// Where only some cells have a goal, the solved state is there for the shape.
TEST(DomainFileTest, BoardsHaveTheColoursOfTheSolvedStateUnlessCellsAreTheGoal) {
  const std::string board = "domain b\nstate layout\ncolours a b .\nsolved \"a../...\"\nexchange hop t . -> . t along rows\n";
  const std::string problem = "problem \".a./bb.\"\n";
  EXPECT_NE(MessageOf(board + problem).find("position 0: there are 2 cells of 'b', but 0 in the solved state"),
            std::string::npos)
      << MessageOf(board + problem);
  EXPECT_EQ(MessageOf(board + "goal cells 1 = a\n" + problem), "");
}

TEST(DomainFileTest, OneOfSeveralConditionsIsEnough) {
  const auto domain =
      MakeDomain(Sums("rule far a * b -> [a * b] if a < 0 or a > 9 or b = 0, a != 20\nvar w : term\n"
                      "rule like u - v -> u + -1 * v if u like 2 * w or v like 3 * w\n"
                      "problem \"{n} + {m}\" with n in 1..9, m in 1..9 where n = 1 or m > n + 6\n"));
  EXPECT_EQ(StepsOf(*domain, "3 * 4"), Steps());
  EXPECT_EQ(StepsOf(*domain, "10 * 4"), (Steps{{"far 0, 10 * 4", "40"}}));
  EXPECT_EQ(StepsOf(*domain, "(-1) * 4"), (Steps{{"far 0, -1 * 4", "-4"}}));
  EXPECT_EQ(StepsOf(*domain, "3 * 0"), (Steps{{"far 0, 3 * 0", "0"}}));
  EXPECT_EQ(StepsOf(*domain, "20 * 4"), Steps());
  EXPECT_EQ(StepsOf(*domain, "2y - x"), (Steps{{"like 0, 2y - x", "2y + (-1x)"}}));
  EXPECT_EQ(StepsOf(*domain, "y - 3x"), (Steps{{"like 0, y - 3x", "y + -1 * 3x"}}));
  EXPECT_EQ(StepsOf(*domain, "x - y"), Steps());
}

TEST(DomainFileTest, WholeNumbersAreSplitIntoTensAndOnes) {
  const auto domain = MakeDomain(Sums("rule split a * b -> a * [tens(b)] + a * [ones(b)] if ones(b) != 0, tens(b) > 0\n"));
  EXPECT_EQ(StepsOf(*domain, "3 * 47"), (Steps{{"split 0, 3 * 47", "3 * 40 + 3 * 7"}}));
  EXPECT_EQ(StepsOf(*domain, "3 * 40"), Steps());
  EXPECT_EQ(StepsOf(*domain, "3 * 7"), Steps());
}

// The functions of the file, too, and powers.
TEST(DomainFileTest, AssumptionsAreWorkedOutWhereRulesAreTried) {
  const std::string trigonometry =
      "domain t\nstate term\ninfix left + -\ninfix left * /\ninfix right ^\nfunction sin(x) cos(x) tan(x)\nconstant true\n"
      "infix =\nvar u v : term\ngoal u = u\n";
  const std::string problem = "problem \"tan(x) * cos(x) = sin(x)\"\nkeeps solutions of x\n";
  EXPECT_NE(MessageOf(trigonometry + "rule part u / (v ^ 2 - 1) * (v ^ 2 - 1) -> u\n" + problem), "");
  EXPECT_EQ(MessageOf(trigonometry + "rule part u / (v ^ 2 - 1) * (v ^ 2 - 1) -> u assuming v ^ 2 != 1\n" +
                      "rule tangent tan(u) -> " + "sin(u) / cos(u) assuming cos(u) != 0\n" + problem),
            "");
  EXPECT_NE(MessageOf(trigonometry + "rule same sin(u) -> 0 assuming cos(u) != 1\n" + problem), "");
}

TEST(DomainFileTest, DrawnNumbersMayBeWorkedOutFromOthers) {
  const auto domain = MakeDomain(
      "domain l\nstate list\nvar s : list\ngoal s.. if length(s) = 0\nrule drop s.. -> reverse(s)\n"
      "problem \"{p} {q} {r} {l}\" with p in 2..9, q in p, r in p * q + 1, l in list(p of 1..3)\nkeeps multiset\n");
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    std::istringstream numbers(domain->Generate(seed));
    int p = 0;
    int q = 0;
    int r = 0;
    int left = 0;
    numbers >> p >> q >> r;
    for (int element = 0; numbers >> element;) ++left;
    EXPECT_EQ(q, p);
    EXPECT_EQ(r, p * q + 1);
    EXPECT_EQ(left, p);
  }
}

// "or" stands between statements; and where numbers are whole, letters stand for whole numbers.
TEST(DomainFileTest, RulesAreTriedWithWhatStatesCanBe) {
  const std::string statements =
      "domain x\nstate term\ninfix left or\ninfix =\ninfix left + -\ninfix left *\nletter x\nvar a : number\nvar u v : term\n"
      "goal x = a\nrule zero u * v = 0 -> u = 0 or v = 0\nrule move x + a = 0 -> x = [-a]\nrule same u or u -> u\n"
      "problem \"(x + 1) * (x + 1) = 0\"\nkeeps solutions of x\n";
  EXPECT_EQ(MessageOf(statements), "");
  EXPECT_NE(MessageOf(statements + "rule first u or v -> u\n").find("does not keep the solutions"), std::string::npos);
  const std::string remainders =
      "domain x\nstate term\nnumbers whole\ninfix left mod\ninfix left + -\nvar a n : integer\nvar u : term\n"
      "goal a\nrule part (a + u) mod n -> ([a mod n] + u) mod n if a >= n, n > 0\nrule all a mod n -> [a mod n]\n"
      "rule add a + n -> [a + n]\nproblem \"(9 + 8) mod 7\"\nkeeps value\n";
  EXPECT_EQ(MessageOf(remainders), "");
  EXPECT_NE(MessageOf(remainders + "rule lose (a + u) mod n -> u mod n if a >= n, n > 0\n").find("does not keep the value"),
            std::string::npos);
  const std::string congruences =
      "domain x\nstate term\nnumbers whole\nfunction congruent(u, v, m) as \"<{u} ≡ {v} mod {m}>\"\nletter x\nvar a m : "
      "integer\nvar u : term\ngoal congruent(u, a, m) if 0 <= a, a < m\nrule reduce congruent(u, a, m) -> "
      "congruent(u, [a mod m], m) if a >= m\nproblem \"<x ≡ 9 mod 7>\"\nkeeps solutions of x\nmeaning congruent(a, b, m) = (a "
      "- b) mod m = 0\n";
  EXPECT_EQ(MessageOf(congruences), "");
  EXPECT_NE(
      MessageOf(congruences + "rule lose congruent(u, a, m) -> congruent(u, [a - 1], m)\n").find("does not keep the solutions"),
      std::string::npos);
  const std::string bars =
      "domain x\nstate list \"[\" \"|\" \"]\"\nnumbers strokes =\nvar a b : number\nvar s : list\ngoal s.. if ascending(s)\n"
      "rule swap .. a b .. -> .. b a ..\nproblem \"[==|=]\"\nkeeps multiset\n";
  EXPECT_EQ(MessageOf(bars), "");
  EXPECT_NE(MessageOf(bars + "rule lose .. a 3 b .. -> .. b a ..\n").find("does not keep the elements"), std::string::npos);
}

// Fields are numbers, also where their variable is a term.
TEST(DomainFileTest, RulesAreTriedWithWhatFieldsCanBe) {
  const auto with = [](const std::string& rule) {
    return MessageOf(
        "domain f\nstate list\nelement digit(value a..c, power 0..9)\nvar a b p : integer\nvar u : term\ngoal .. digit(0, 9) "
        "..\nkeeps sum\nmeaning digit(d, p) = d * 3 ^ p\nproblem \"a0 b0\"\n" +
        rule);
  };
  EXPECT_EQ(
      with("rule comb .. digit(a, p) digit(b, p) .. -> .. digit([(a + b) mod 3], p) digit([(a + b) div 3], [p + 1]) ..\n"), "");
  EXPECT_NE(with("rule comb .. digit(a, u) digit(b, p) .. -> .. digit([(a + b) mod 3], p) digit([(a + b) div 3], [p + 1]) ..\n")
                .find("does not keep the sum"),
            std::string::npos);
}

TEST(DomainFileTest, DecimalNumbersOfArithmeticHaveNoSignsAsOperators) {
  const auto domain = MakeDomain(
      "domain d\nstate term\nnumbers decimal\nvar a b : number\ngoal a\nrule add a + b -> [a + b]\nrule less a - b -> [a - b]\n"
      "problem \"2 + 30\"\nkeeps value\n");
  EXPECT_EQ(StepsOf(*domain, "-3 + (2 - 30)"), (Steps{{"less 2, 2e0 - 30e0", "-3e0 + (-28e0)"}}));
}

TEST(DomainFileTest, FilesThatSayTheSameDoNotDiffer) {
  EXPECT_EQ(DifferenceOf(Sums(), "# a comment\n" + Sums("# another\n")), "");
  EXPECT_EQ(DifferenceOf(Sums(), Sums("limit 20\n")), "statement 9: 'nothing' and 'limit 20'");
}

// Rules with swapped sides, without conditions, and with other operators. Whoever is not refused has to keep what it says.
TEST(DomainFileTest, FilesWithFaultsAreRefusedWithACounterexample) {
  std::vector<std::string> originals;
  for (const auto& entry : std::filesystem::directory_iterator(CONPOLE_SOURCE "/gallery")) {
    if (entry.path().extension() != kDomainFileSuffix) continue;
    std::string text = ReadRegularFile(entry.path().string(), files::Source::kMaxBytes);
    if (text.find("\nkeeps ") == std::string::npos || text.find("\nkeeps nothing") != std::string::npos) continue;
    originals.push_back(std::move(text));
  }
  std::sort(originals.begin(), originals.end());
  ASSERT_GE(originals.size(), 6U);
  std::mt19937_64 random(3);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  std::size_t unreadable = 0;
  std::size_t refused = 0;
  std::size_t kept = 0;
  std::size_t missed = 0;
  const std::size_t copies = Repetitions<std::size_t>(1'000, 60);
  while (unreadable + refused + kept + missed < copies) {
    std::string text = originals[below(originals.size())];
    std::vector<std::size_t> rules;
    for (std::size_t at = text.find("rule "); at != std::string::npos; at = text.find("rule ", at + 1)) {
      if (text[at - 1] == '\n' || text[at - 1] == ' ') rules.push_back(at);
    }
    const std::size_t begin = rules[below(rules.size())];
    const std::size_t end = text.find('\n', begin);
    std::string line = text.substr(begin, end - begin);
    const std::size_t arrow = line.find(" -> ");
    switch (below(3)) {
      case 0: {  // the sides of the first form
        const std::size_t name = line.find(' ', 5);
        if (arrow == std::string::npos || name == std::string::npos) continue;
        const std::size_t stop =
            std::min({line.find(" ;"), line.find(" if "), line.find(" assuming "), line.find(" for "), line.size()});
        if (stop < arrow) continue;
        line = line.substr(0, name + 1) + line.substr(arrow + 4, stop - arrow - 4) + " -> " +
               line.substr(name + 1, arrow - name - 1) + line.substr(stop);
        break;
      }
      case 1: {
        const std::size_t condition = std::min(line.find(" if "), line.find(" assuming "));
        if (condition == std::string::npos) continue;
        line.resize(condition);
        break;
      }
      default: {
        const std::vector<std::string> signs{"+", "-", "*", "/", "^", "∧", "∨", "∩", "∪"};
        std::vector<std::pair<std::size_t, std::string>> places;
        for (const std::string& sign : signs) {
          for (std::size_t at = line.find(' ' + sign + ' '); at != std::string::npos; at = line.find(' ' + sign + ' ', at + 1))
            places.emplace_back(at + 1, sign);
        }
        if (places.empty()) continue;
        const auto& [at, old] = places[below(places.size())];
        const bool is_arithmetic = old.size() == 1;
        std::string other = signs[is_arithmetic ? below(5) : 5 + below(4)];
        line.replace(at, old.size(), other);
      }
    }
    text.replace(begin, end - begin, line);
    std::string message;
    try {
      const DomainFile file("f", text, "f");
      // Looked at much longer: is there a fault after all?
      bool is_wrong = false;
      const std::string name = line.substr(5, line.find(' ', 5) - 5);
      if (const files::Rule* const rule = file.definition().FindRule(name))
        is_wrong = file.judge().FindFault(*rule, 2'000).has_value();
      ++(is_wrong ? missed : kept);
      if (is_wrong) std::cout << "missed: " << line << '\n';
    } catch (const Error& error) {
      message = error.what();
    }
    if (message.empty()) continue;
    ++(message.find(" does not keep ") != std::string::npos ? refused : unreadable);
  }
  std::cout << "refused with a counterexample " << refused << ", unreadable or useless " << unreadable << ", right " << kept
            << ", missed " << missed << '\n';
  EXPECT_GT(refused, copies / 6);
  EXPECT_GE(static_cast<double>(refused), 0.99 * static_cast<double>(refused + missed));
}

}  // namespace
}  // namespace conpole
