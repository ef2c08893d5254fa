#include "conpole/domain.h"

#include <cstddef>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "conpole/error.h"
#include "conpole/successors.h"
#include "conpole/text_buffer.h"

namespace conpole {
namespace {

const std::vector<Parameter>& Known() {
  static const std::vector<Parameter> known{{"low", "", "2", {{0, 10}}}, {"high", "", "5", {{-3, 10}}}, {"file", "", "", {}}};
  return known;
}

std::string ParametersError(const std::map<std::string, std::string>& given) {
  try {
    const Parameters parameters(Known(), given);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(ParametersTest, DefaultsHoldUnlessGiven) {
  const Parameters parameters(Known(), {{"high", "-3"}, {"file", "a b"}});
  EXPECT_EQ(parameters.Integer("low"), 2);
  EXPECT_EQ(parameters.Integer("high"), -3);
  EXPECT_EQ(parameters.Text("file"), "a b");
  EXPECT_EQ(parameters.values().size(), 3U);
}

TEST(ParametersTest, AnUnknownNameListsTheKnownOnes) {
  EXPECT_EQ(ParametersError({{"middle", "1"}}), "unknown parameter 'middle'; there are: low, high, file");
  EXPECT_THROW(Parameters(Known(), {}).Text("middle"), Error);
}

TEST(ParametersTest, ValuesOutsideTheRangeAreRefused) {
  EXPECT_EQ(ParametersError({{"low", "11"}}), "parameter 'low' must be an integer from 0 to 10, not '11'");
  for (const char* value : {"-1", "", " 3", "3 ", "+3", "3.0", "0x3", "three", "99999999999999999999999"}) {
    EXPECT_EQ(ParametersError({{"low", value}}),
              std::string("parameter 'low' must be an integer from 0 to 10, not '") + value + "'");
  }
  EXPECT_EQ(ParametersError({{"low", "0"}, {"high", "10"}}), "no error");
}

TEST(ParametersTest, OrderIsRequiredWhereADomainAsksForIt) {
  EXPECT_NO_THROW(Parameters(Known(), {{"low", "5"}}).RequireOrdered("low", "high"));
  try {
    Parameters(Known(), {{"low", "6"}}).RequireOrdered("low", "high");
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "parameter 'low' (6) is greater than 'high' (5)");
  }
}

void Append(Successors& out, std::string_view label, std::string_view state) {
  char* const at = out.BeginState(state.size());
  std::memcpy(at, state.data(), state.size());
  out.EndState(at + state.size());
  char* const label_at = out.BeginLabel(label.size());
  std::memcpy(label_at, label.data(), label.size());
  out.EndLabel(label_at + label.size());
}

std::vector<std::pair<std::string, std::string>> Contents(const Successors& out) {
  std::vector<std::pair<std::string, std::string>> contents;
  for (std::size_t i = 0; i < out.size(); ++i) contents.emplace_back(out.label(i), out.state(i));
  return contents;
}

TEST(SuccessorsTest, StatesAndLabelsAreSlicesOfOneText) {
  Successors out;
  EXPECT_TRUE(out.empty());
  EXPECT_EQ(out.text(), "");
  Append(out, "one", "A");
  Append(out, "two 2", "");
  Append(out, "three", "CCC");
  EXPECT_EQ(out.size(), 3U);
  EXPECT_EQ(out.text(), "ACCC");
  EXPECT_EQ(out.offsets(), (std::vector<std::size_t>{0, 1, 1, 4}));
  EXPECT_EQ(Contents(out), (std::vector<std::pair<std::string, std::string>>{{"one", "A"}, {"two 2", ""}, {"three", "CCC"}}));
}

TEST(SuccessorsTest, TextSurvivesGrowth) {
  Successors out;
  std::vector<std::pair<std::string, std::string>> expected;
  for (int i = 0; i < 2000; ++i) {
    expected.emplace_back("label " + std::to_string(i), std::string(static_cast<std::size_t>(i % 97), 'x') + std::to_string(i));
    Append(out, expected.back().first, expected.back().second);
  }
  EXPECT_EQ(Contents(out), expected);
}

TEST(SuccessorsTest, ClearKeepsTheMemory) {
  Successors out;
  for (int i = 0; i < 1000; ++i) Append(out, "label", "some state or other");
  const char* const text = out.text().data();
  const char* const labels = out.label(0).data();
  out.Clear();
  EXPECT_TRUE(out.empty());
  EXPECT_EQ(out.text(), "");
  for (int i = 0; i < 1000; ++i) Append(out, "label", "some state or other");
  EXPECT_EQ(out.text().data(), text);
  EXPECT_EQ(out.label(0).data(), labels);
  EXPECT_EQ(out.size(), 1000U);
}

TEST(SuccessorsTest, KeepAxiomLooksAtTheWholeNameFromAnIndexOn) {
  Successors out;
  for (const auto& [label, state] : std::vector<std::pair<std::string_view, std::string_view>>{
           {"comb 0", "before"}, {"sub 3", "aaa"}, {"sub_comm 4", "bbbb"}, {"refl", "c"}, {"sub x", "dd"}, {"sub", ""}}) {
    Append(out, label, state);
  }
  out.KeepAxiom(1, "sub");
  EXPECT_EQ(Contents(out), (std::vector<std::pair<std::string, std::string>>{
                               {"comb 0", "before"}, {"sub 3", "aaa"}, {"sub x", "dd"}, {"sub", ""}}));
  // What follows is appended after what was kept.
  Append(out, "refl", "e");
  EXPECT_EQ(out.text(), "beforeaaadde");
  out.KeepAxiom(1, "none");
  EXPECT_EQ(Contents(out), (std::vector<std::pair<std::string, std::string>>{{"comb 0", "before"}}));
  out.KeepAxiom(0, "none");
  EXPECT_TRUE(out.empty());
}

TEST(SuccessorsTest, AxiomOfIsTheFirstWord) {
  EXPECT_EQ(AxiomOf("swap 3"), "swap");
  EXPECT_EQ(AxiomOf("refl"), "refl");
  EXPECT_EQ(AxiomOf("eval 5, (1 + 2)"), "eval");
  EXPECT_EQ(AxiomOf(""), "");
}

TEST(DomainTest, ApplyTellsTheFourResultsApart) {
  const std::unique_ptr<Domain> domain = MakeDomain("ternary-addition");
  Successors out;
  EXPECT_EQ(domain->Apply("#(b1 b1)", "comb", out), Status::kOpen);
  EXPECT_EQ(out.size(), 1U);
  EXPECT_EQ(domain->Apply("#(b1 b1)", "del", out), Status::kDeadEnd);
  EXPECT_EQ(domain->Apply("#(b1)", "del", out), Status::kSolved);
  EXPECT_EQ(domain->Apply("#(d1)", "del", out), Status::kMalformed);
  EXPECT_EQ(out.error().position, 2U);
  EXPECT_EQ(out.size(), 1U);
  EXPECT_THROW(domain->Apply("#(b1)", "", out), Error);
}

TEST(TextBufferTest, BlocksCopyAnyLength) {
  std::string pattern;
  for (int i = 0; i < 300; ++i) pattern += static_cast<char>('a' + i % 26);
  TextBuffer from;
  from.Assign(pattern);
  for (std::size_t count = 0; count <= pattern.size(); ++count) {
    TextBuffer to;
    char* const start = to.Reserve(count);
    to.SetEnd(CopyBlocks(start, from.data(), count));
    ASSERT_EQ(to.view(), std::string_view(pattern).substr(0, count));
  }
}

}  // namespace
}  // namespace conpole
