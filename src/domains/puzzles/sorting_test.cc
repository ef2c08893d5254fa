#include "domains/puzzles/sorting.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <set>
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

TEST(SortingTest, SwapsFromTheLeftAndThenReverse) {
  const std::unique_ptr<Domain> domain = MakeDomain("sorting");
  EXPECT_EQ(ExpandCopy(*domain, "[===|=|==]").actions,
            (Actions{{"swap 0", "[=|===|==]"}, {"swap 1", "[===|==|=]"}, {"reverse", "[==|=|===]"}}));
  EXPECT_EQ(ExpandCopy(*domain, "[=|]").actions, (Actions{{"swap 0", "[|=]"}, {"reverse", "[|=]"}}));
  // Equal bars make equal states and self-loops, which stay.
  EXPECT_EQ(ExpandCopy(*domain, "[=|=|]").actions,
            (Actions{{"swap 0", "[=|=|]"}, {"swap 1", "[=||=]"}, {"reverse", "[|=|=]"}}));
}

TEST(SortingTest, EqualBarsAreInOrder) {
  const std::unique_ptr<Domain> domain = MakeDomain("sorting");
  for (const char* const sorted : {"[=|=]", "[||=]", "[=|==|==]"}) {
    EXPECT_TRUE(domain->Solved(sorted)) << sorted;
    EXPECT_EQ(ExpandCopy(*domain, sorted).status, Status::kSolved) << sorted;
  }
}

TEST(SortingTest, OtherCharactersAreRefusedWithTheirPosition) {
  const std::unique_ptr<Domain> domain = MakeDomain("sorting");
  struct Case {
    std::string_view text;
    std::size_t position;
    std::string_view message;
  };
  for (const Case& bad :
       {Case{"", 0, "expected '['"}, Case{"=|=]", 0, "expected '['"}, Case{"[ab|c]", 1, "expected '=', '|' or ']', found 'a'"},
        Case{"[=|==", 5, "expected '=', '|' or ']', found the end"}, Case{"[", 1, "expected '=', '|' or ']', found the end"},
        Case{"[=]]", 3, "expected the end, found ']'"}, Case{"[=| =]", 3, "expected '=', '|' or ']', found ' '"}}) {
    const Parsed parsed = domain->Parse(bad.text);
    ASSERT_TRUE(parsed.error) << bad.text;
    EXPECT_EQ(parsed.error->position, bad.position) << bad.text;
    EXPECT_EQ(parsed.error->message, bad.message) << bad.text;
  }
}

TEST(SortingTest, NumbersThatAreNoBarsAreSortedToo) {
  const std::unique_ptr<Domain> domain = MakeDomain("sorting");
  EXPECT_EQ(ExpandCopy(*domain, "[3|-1|2.5]").actions,
            (Actions{{"swap 0", "[-1|3|2.5]"}, {"swap 1", "[3|2.5|-1]"}, {"reverse", "[2.5|-1|3]"}}));
  for (const char* const sorted : {"[-1|2.5|3]", "[-10.5|-10.25|-9|0|0.09|0.1|1|10]", "[-1]", "[1|99999999999999999999]"}) {
    EXPECT_TRUE(domain->Solved(sorted)) << sorted;
    EXPECT_EQ(ExpandCopy(*domain, sorted).status, Status::kSolved) << sorted;
  }
  for (const char* const open : {"[2.5|-1]", "[-1|-2]", "[0.1|0.09]", "[-0.09|-0.1]", "[10.5|9]"}) {
    EXPECT_FALSE(domain->Solved(open)) << open;
    EXPECT_EQ(domain->Parse(open).state, open);
  }
  // Every list has one text: no zeros that are not needed, and bars where there can be bars.
  for (const char* const bad : {"[1|2]", "[0]", "[01|-1]", "[1.0|2.5]", "[1.|2.5]", "[-0|2.5]", "[-|1]", "[1.5|=]", "[1.5|",
                                "[1.5", "[1.5]]", "[1.5||2]", "[1.5, 2]", "[--1]", "[1..5]", "31.5]", "(1.5]", "--1.5]"}) {
    EXPECT_TRUE(domain->Parse(bad).error) << bad;
    EXPECT_EQ(ExpandCopy(*domain, bad).status, Status::kMalformed) << bad;
  }
}

TEST(SortingTest, LengthsStayInTheirRange) {
  for (const auto& [spec, low, high] : {std::tuple("sorting", 1, 10), std::tuple("sorting:min_length=2,max_length=11", 2, 11),
                                        std::tuple("sorting:min_length=4,max_length=4", 4, 4)}) {
    const std::unique_ptr<Domain> domain = MakeDomain(spec);
    std::set<std::int64_t> lengths;
    for (std::uint64_t seed = 0; seed < 500; ++seed) {
      const std::string problem = domain->Generate(seed);
      lengths.insert(1 + std::count(problem.begin(), problem.end(), '|'));
    }
    EXPECT_EQ(*lengths.begin(), low) << spec;
    EXPECT_EQ(*lengths.rbegin(), high) << spec;
    EXPECT_EQ(lengths.size(), static_cast<std::size_t>(high - low + 1)) << spec;
  }
}

}  // namespace
}  // namespace conpole
