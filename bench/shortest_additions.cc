// How few steps ternary additions need: the exact number, by a search of all states without any estimate.
//   shortest_additions [--most STEPS] PROBLEM...
//   shortest_additions [--most STEPS] [--digits N] --seeds FIRST:END    those of the problems with at least N nonzero digits
//   shortest_additions --check COUNT                                    compares with breadth-first search on small problems
// Of a problem whose shortest solution is longer than STEPS it prints only that.
//
// Why states without zeros suffice: adding a zero to a digit leaves that digit where it is, with its power, so that nonzero
// digits change only by swaps and additions among themselves. A zero goes only by being deleted; of these additions 1+1 and 1+2
// make one, 2+2 makes none. So a solution has at least
//   the problem's zeros + swaps + (2+2) + 2 * ((1+1) + (1+2))
// steps, counting those among nonzero digits, and just as many if it deletes each zero at once. Only 1+1 and 1+2 make nonzero
// digits fewer, by one, so that the problem and its sum tell how many of them there are. What is left to find is the least of
// swaps + (2+2): a shortest way between states without zeros, where these steps have length 1, and 1+1 and 1+2 length 0.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <boost/unordered/unordered_flat_set.hpp>

#include "conpole/domain.h"
#include "conpole/error.h"
#include "search/breadth_first.h"
#include "util/read_number.h"
#include "util/seed_range.h"
#include "util/stopwatch.h"

namespace conpole::bench {
namespace {

constexpr const char* kUsage =
    "usage: shortest_additions [--most STEPS] [--digits N] [--seeds FIRST:END] [--check COUNT] [PROBLEM...], with numbers";
constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();

// A state's nonzero digits as one number, the first digit lowest: each is 2 * power + digit, to a base above all of these.
// Since none of them is 0, different states have different keys.
using Key = std::uint64_t;

struct Addition {
  std::vector<Key> digits;  // nonzero
  std::uint64_t zeros = 0;
  std::vector<Key> sum;  // the one solved state that can be reached
};

// Requires canonical text.
Addition Read(std::string_view problem) {
  constexpr std::size_t kLast = '~' - '0';  // the power whose digits the domain does not add
  Addition addition;
  std::array<std::uint64_t, kLast + 1> of_power{};
  for (std::size_t at = 2; at + 1 < problem.size(); at += 3) {
    const auto digit = static_cast<Key>(problem[at] - 'a');
    const auto power = static_cast<std::size_t>(problem[at + 1] - '0');
    of_power[power] += digit;
    if (digit == 0) {
      ++addition.zeros;
    } else {
      addition.digits.push_back(2 * power + digit);
    }
  }
  for (std::size_t power = 0; power < kLast; ++power) {
    of_power[power + 1] += of_power[power] / 3;
    if (of_power[power] % 3 != 0) addition.sum.push_back(2 * power + of_power[power] % 3);
  }
  if (of_power[kLast] != 0) throw Error(fmt::format("{}: the sum reaches the last power, ~", problem));
  return addition;
}

// One object per problem. Memory grows with the states that were met: 25 to 40 bytes each.
class ShortestAddition {
 public:
  // Throws Error if keys have too few bits. No digit ever has a higher power than the highest of the sum.
  explicit ShortestAddition(const std::string& problem) {
    const Addition addition = Read(problem);
    if (!addition.sum.empty()) base_ = (addition.sum.back() + 1) / 2 * 2 + 1;
    Key room = std::numeric_limits<Key>::max();
    for (std::size_t i = 0; i < addition.digits.size(); ++i) room /= base_;
    if (room == 0) throw Error(fmt::format("{}: keys of 64 bits are too short for its digits and powers", problem));
    fixed_steps_ = addition.zeros + 2 * (addition.digits.size() - addition.sum.size());
    solved_ = KeyOf(addition.sum);
    Reach(KeyOf(addition.digits), level_);
  }

  std::size_t states() const { return seen_.size(); }

  // Of a shortest solution; nothing if they are more than `most`. May be called once.
  std::optional<std::uint64_t> Steps(std::uint64_t most) {
    if (fixed_steps_ > most) return {};
    for (std::uint64_t steps = fixed_steps_;; ++steps) {
      // First all at this distance: what is a length of 1 away from one may be a length of 0 away from another.
      for (std::size_t done = 0; done < level_.size();) Expand(level_[done++], 0, level_);
      if (seen_.contains(solved_)) return steps;
      if (steps == most) return {};
      std::vector<Key> next;
      for (const Key key : level_) Expand(key, 1, next);
      level_ = std::move(next);
    }
  }

 private:
  Key KeyOf(const std::vector<Key>& digits) const {
    Key key = 0;
    for (std::size_t i = digits.size(); i-- > 0;) key = key * base_ + digits[i];
    return key;
  }

  void Reach(Key key, std::vector<Key>& level) {
    if (seen_.insert(key).second) level.push_back(key);
  }

  // Reaches what steps of this length lead to.
  void Expand(Key key, int length, std::vector<Key>& level) {
    Key before = 0;
    Key place = 1;  // of `first`
    Key first = key % base_;
    for (Key rest = key / base_; rest != 0;) {
      const Key second = rest % base_;
      const Key after = rest / base_;
      const auto pair = [&](Key left, Key right) { return before + place * (left + base_ * (right + base_ * after)); };
      const bool twos = first == second && first % 2 == 0;
      if (length == 1 && twos) Reach(pair(first - 1, first + 1), level);
      if (length == 1 && first != second) Reach(pair(second, first), level);
      if (length == 0 && !twos && (first + 1) / 2 == (second + 1) / 2) {
        // The number after that of a 1 is the 2 of its power, the one after this the 1 of the next power.
        Reach(before + place * (std::max(first, second) + 1 + base_ * after), level);
      }
      before += place * first;
      place *= base_;
      first = second;
      rest = after;
    }
  }

  Key base_ = 1;
  Key solved_ = 0;
  std::uint64_t fixed_steps_ = 0;
  boost::unordered_flat_set<Key> seen_;
  std::vector<Key> level_;  // states at the distance that the search has come to
};

void Print(const std::string& problem, std::uint64_t most) {
  const Stopwatch watch;
  ShortestAddition search(problem);
  const std::optional<std::uint64_t> found = search.Steps(most);
  const std::string steps = found ? std::to_string(*found) : fmt::format("more than {}", most);
  fmt::print("{:>12} {:>11} {:>8.2f}  {}\n", steps, search.states(), watch.Seconds(), problem);
  std::fflush(stdout);
}

int Check(std::uint64_t count) {
  const std::unique_ptr<Domain> domain = MakeDomain("ternary-addition:max_digits=6");
  std::uint64_t agree = 0;
  for (std::uint64_t seed = 0; seed < count; ++seed) {
    const std::string problem = domain->Generate(seed);
    const std::size_t expected = BreadthFirstSearch(*domain, problem, {.max_edges = kNoLimit}).steps();
    const std::uint64_t found = *ShortestAddition(problem).Steps(kNoLimit);
    if (found == expected) ++agree;
    if (found != expected) fmt::print("{}: {} steps, but {} by breadth-first search\n", problem, found, expected);
  }
  fmt::print("{} of {} problems agree with breadth-first search\n", agree, count);
  return agree == count ? 0 : 1;
}

int Run(const std::vector<std::string>& arguments) {
  const std::unique_ptr<Domain> domain = MakeDomain("ternary-addition");
  std::uint64_t most = kNoLimit;
  std::uint64_t digits = 0;
  SeedRange seeds;
  std::vector<std::string> problems;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    if (!argument.starts_with("--")) {
      const Parsed read = domain->Parse(argument);
      if (read.error)
        throw Error(fmt::format("{}: position {}: {}", argument, read.error->position, read.error->message.english()));
      problems.push_back(read.state);
      continue;
    }
    const std::string value = ++i < arguments.size() ? arguments[i] : "";
    const std::optional<std::uint64_t> number = ReadNumber<std::uint64_t>(value);
    if (argument == "--seeds") {
      seeds = ParseSeedRange(argument, value);
    } else if (argument == "--check" && number) {
      return Check(*number);
    } else if ((argument == "--most" || argument == "--digits") && number) {
      (argument == "--most" ? most : digits) = *number;
    } else {
      throw Error(kUsage);
    }
  }
  if (arguments.empty()) throw Error(kUsage);
  for (std::uint64_t seed = seeds.first; seed != seeds.end; ++seed) {
    const std::string problem = domain->Generate(seed);
    if (Read(problem).digits.size() >= digits) problems.push_back(problem);
  }
  fmt::print("{:>12} {:>11} {:>8}  problem\n", "steps", "states", "seconds");
  for (const std::string& problem : problems) Print(problem, most);
  return 0;
}

}  // namespace
}  // namespace conpole::bench

int main(int argc, char** argv) {
  try {
    return conpole::bench::Run({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
