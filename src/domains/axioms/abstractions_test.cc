#include "domains/axioms/abstractions.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "conpole/error.h"
#include "domains/axioms/equations.h"

namespace conpole {
namespace {

std::string ReadingErrorOf(const std::string& text) {
  try {
    CheckAbstractions(EquationsType(), ParseAbstractions(text));
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(AbstractionsTest, TheTextIsReadBackAsTheSame) {
  const AbstractionSet set{
      "equations",
      {{"sub+assoc", {{"sub", {}, "LR"}, {"assoc", {{0, "L"}}, {}}}, "saves 3 steps: (x + 1) = 2 -> (x + (1 - 1)) = (2 - 1)"},
       {"eval+add0", {{"eval", {}, {}}, {"add0", {{1, ""}}, {}}}, ""}}};
  const std::string text = FormatAbstractions(set);
  EXPECT_EQ(ParseAbstractions(text), set);
  EXPECT_EQ(text,
            "conpole abstractions 1 for equations\n"
            "sub+assoc: sub of LR; assoc @0:L  # saves 3 steps: (x + 1) = 2 -> (x + (1 - 1)) = (2 - 1)\n"
            "eval+add0: eval; add0 @1:\n");
  // People may leave out and add blanks and lines.
  EXPECT_EQ(
      ParseAbstractions("conpole abstractions 1 for equations\r\n\n# mine\n a :eval;add0  @1: \n").abstractions.front().steps,
      set.abstractions[1].steps);
}

TEST(AbstractionsTest, WhatIsWrongIsNamedWithItsLine) {
  const std::string title = "conpole abstractions 1 for equations\n";
  EXPECT_EQ(ReadingErrorOf(title + "a: eval; add0"), "no error");
  EXPECT_EQ(ReadingErrorOf(""), "no abstractions: the first line must be 'conpole abstractions 1 for DOMAIN'");
  EXPECT_EQ(ReadingErrorOf(title + "\neval; add0"), "line 3 of the abstractions: expected NAME: STEP; STEP...");
  EXPECT_EQ(ReadingErrorOf(title + "a: eval"), "line 2 of the abstractions: an abstraction has 2 to 32 steps, not 1");
  EXPECT_EQ(ReadingErrorOf(title + "a b: eval; add0"), "line 2 of the abstractions: the name of an abstraction is one word");
  EXPECT_EQ(ReadingErrorOf(title + "a: eval @0:; add0"),
            "line 2 of the abstractions: the first step may be anywhere: it has no place");
  EXPECT_NE(ReadingErrorOf(title + "a: eval; add0 @x:L").find("a place is @UP:PATH"), std::string::npos);
  EXPECT_NE(ReadingErrorOf(title + "a: eval; add0 @1:U").find("a place is @UP:PATH"), std::string::npos);
  EXPECT_NE(ReadingErrorOf(title + "a: eval; sub of 3").find("a path of L and R"), std::string::npos);
  EXPECT_NE(ReadingErrorOf(title + "a: eval; sub 3").find("found '3'"), std::string::npos);
  EXPECT_EQ(ReadingErrorOf(title + "a: eval; ; add0"), "line 2 of the abstractions: a step without an axiom");
  EXPECT_EQ(ReadingErrorOf(title + "a: eval; guess"), "the abstraction 'a': equations has no axiom 'guess'");
  EXPECT_EQ(ReadingErrorOf(title + "a: eval; add0\na: eval; sub0"), "two abstractions are named 'a'");
  EXPECT_EQ(ReadingErrorOf(title + "a: eval; add0\nb: eval; add0"), "the abstraction 'b' is listed twice");
  EXPECT_EQ(ReadingErrorOf(title + "eval: eval; add0"), "an abstraction has the name of the axiom 'eval'");
  EXPECT_EQ(ReadingErrorOf("conpole abstractions 1 for sorting\n"), "the abstractions are for sorting, not for equations");
}

}  // namespace
}  // namespace conpole
