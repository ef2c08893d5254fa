// Lengths of solutions against optima that are computed here, without the domains.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/repetitions.h"
#include "tests/search_fixtures.h"
#include "util/hash.h"
#include "util/random.h"

namespace conpole {
namespace {

struct Problem {
  std::string text;
  std::size_t optimum;
};

std::string SortingText(const std::vector<int>& bars) {
  std::string text = "[";
  for (const int bar : bars) text.append(text.size() > 1 ? 1U : 0U, '|').append(static_cast<std::size_t>(bar), '=');
  return text + "]";
}

// Swapping neighbours changes the inversions by one; reversing turns them into the other pairs, and is never needed twice.
std::size_t SortingOptimum(const std::vector<int>& bars) {
  std::size_t inversions = 0;
  for (std::size_t i = 0; i < bars.size(); ++i) {
    for (std::size_t j = i + 1; j < bars.size(); ++j) inversions += bars[i] > bars[j] ? 1U : 0U;
  }
  return std::min(inversions, 1 + bars.size() * (bars.size() - 1) / 2 - inversions);
}

std::size_t SortingOptimum(std::string_view text) {
  std::vector<int> bars(1);
  for (const char c : text.substr(1, text.size() - 2)) {
    if (c == '|') {
      bars.push_back(0);
    } else {
      ++bars.back();
    }
  }
  return SortingOptimum(bars);
}

// All permutations of a few bars, and a sample of those of more.
std::vector<Problem> SortingProblems() {
  std::vector<Problem> problems;
  for (std::size_t length = 1; length <= Repetitions(7U, 6U); ++length) {
    std::vector<int> bars(length);
    std::iota(bars.begin(), bars.end(), 1);
    if (length <= Repetitions(5U, 4U)) {
      do {
        problems.push_back({SortingText(bars), SortingOptimum(bars)});
      } while (std::next_permutation(bars.begin(), bars.end()));
      continue;
    }
    Random random(length);
    for (int i = 0; i < Repetitions(15, 5); ++i) {
      random.Shuffle(std::span(bars));
      problems.push_back({SortingText(bars), SortingOptimum(bars)});
    }
  }
  return problems;
}

using Digits = std::vector<std::pair<int, int>>;  // digit, power of three

std::string TernaryText(const Digits& digits) {
  std::string text = "#(";
  for (const auto& [digit, power] : digits) {
    if (text.size() > 2) text += ' ';
    text += static_cast<char>('a' + digit);
    text += static_cast<char>('0' + power);
  }
  return text + ")";
}

std::vector<Digits> TernaryNext(const Digits& digits) {
  std::vector<Digits> all;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (digits[i].first == 0) {
      all.push_back(digits);
      all.back().erase(all.back().begin() + static_cast<std::ptrdiff_t>(i));
    }
    if (i + 1 == digits.size()) break;
    all.push_back(digits);
    std::swap(all.back()[i], all.back()[i + 1]);
    if (digits[i].second != digits[i + 1].second) continue;
    const int sum = digits[i].first + digits[i + 1].first;
    all.push_back(digits);
    all.back()[i].first = sum % 3;
    all.back()[i + 1] = {sum / 3, digits[i].second + 1};
  }
  return all;
}

bool TernarySolved(const Digits& digits) {
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (digits[i].first == 0 || (i > 0 && digits[i].second <= digits[i - 1].second)) return false;
  }
  return true;
}

std::size_t TernaryOptimum(const Digits& digits) {
  std::map<Digits, std::size_t> steps{{digits, 0}};
  for (std::deque<Digits> queue{digits};; queue.pop_front()) {
    if (TernarySolved(queue.front())) return steps[queue.front()];
    for (const Digits& next : TernaryNext(queue.front())) {
      if (steps.try_emplace(next, steps[queue.front()] + 1).second) queue.push_back(next);
    }
  }
}

// All sums of up to two digits with powers 0 to 2, and a sample of longer ones.
std::vector<Problem> TernaryProblems() {
  std::vector<Problem> problems{{"#()", 0}};
  const auto add = [&](const Digits& digits) { problems.push_back({TernaryText(digits), TernaryOptimum(digits)}); };
  for (int first = 0; first < 9; ++first) {
    add({{first / 3, first % 3}});
    for (int second = 0; second < 9; ++second) add({{first / 3, first % 3}, {second / 3, second % 3}});
  }
  Random random(3);
  for (std::size_t length = 3; length <= Repetitions(5U, 4U); ++length) {
    for (int i = 0; i < Repetitions(20, 6); ++i) {
      Digits digits(length);
      for (auto& [digit, power] : digits) {
        digit = random.Int32(0, 3);
        power = random.Int32(0, 4);
      }
      add(digits);
    }
  }
  return problems;
}

void ExpectOptimal(const Domain& domain, const std::vector<Problem>& problems, Scorer& scorer, const SearchOptions& options) {
  std::vector<std::string> texts;
  for (const Problem& problem : problems) texts.push_back(problem.text);
  const std::vector<SearchResult> results = SearchAll(domain, scorer, texts, options);
  for (std::size_t i = 0; i < problems.size(); ++i) {
    ASSERT_TRUE(results[i].solved()) << problems[i].text;
    EXPECT_EQ(results[i].steps(), problems[i].optimum) << problems[i].text;
  }
}

FunctionScorer Zero() { return CostScorer({}); }

SearchOptions BreadthFirst() {
  SearchOptions options;
  options.kind = SearchKind::kBreadthFirst;
  return options;
}

// So wide that nothing is ever left out.
SearchOptions WideBeam(BeamValue value) {
  SearchOptions options;
  options.kind = SearchKind::kBeam;
  options.beam.width = 1'000'000;
  options.beam.value = value;
  return options;
}

SearchOptions OptimalBwas(std::size_t batch) {
  SearchOptions options;
  options.kind = SearchKind::kBestFirst;
  options.best_first.batch = batch;
  return options;
}

TEST(OptimalTest, BreadthFirstSearchSorts) {
  FunctionScorer zero = Zero();
  ExpectOptimal(*MakeDomain("sorting"), SortingProblems(), zero, BreadthFirst());
  SearchOptions at_its_turn = BreadthFirst();
  at_its_turn.breadth_first.take_solved_successors = false;
  ExpectOptimal(*MakeDomain("sorting"), SortingProblems(), zero, at_its_turn);
}

TEST(OptimalTest, BreadthFirstSearchAdds) {
  FunctionScorer zero = Zero();
  ExpectOptimal(*MakeDomain("ternary-addition"), TernaryProblems(), zero, BreadthFirst());
}

TEST(OptimalTest, AWideBeamSortsAndAdds) {
  FunctionScorer scorer(ScoreMeaning::kLogPreference, [](std::string_view, std::string_view candidate) {
    return static_cast<float>(HashText(candidate) % 7);
  });
  for (const BeamValue value : {BeamValue::kSumOfScores, BeamValue::kLastScore, BeamValue::kLogProbability}) {
    ExpectOptimal(*MakeDomain("sorting"), SortingProblems(), scorer, WideBeam(value));
    ExpectOptimal(*MakeDomain("ternary-addition"), TernaryProblems(), scorer, WideBeam(value));
  }
}

TEST(OptimalTest, BestFirstSearchSortsWithAnyEstimateThatIsNeverTooHigh) {
  const std::unique_ptr<Domain> domain = MakeDomain("sorting");
  const std::vector<Problem> problems = SortingProblems();
  // The last is right for some states and 0 for others, so that states are opened again.
  const FunctionScorer::Function estimates[] = {
      [](std::string_view, std::string_view) { return 0.0F; },
      [](std::string_view, std::string_view candidate) { return -static_cast<float>(SortingOptimum(candidate)); },
      [](std::string_view, std::string_view candidate) { return -0.5F * static_cast<float>(SortingOptimum(candidate)); },
      [](std::string_view, std::string_view candidate) {
        return HashText(candidate) % 2 == 0 ? 0.0F : -static_cast<float>(SortingOptimum(candidate));
      }};
  for (const FunctionScorer::Function& estimate : estimates) {
    for (const std::size_t batch : {1U, 3U, 100U, 10'000U}) {
      FunctionScorer scorer(ScoreMeaning::kMinusStepsToGo, estimate);
      ExpectOptimal(*domain, problems, scorer, OptimalBwas(batch));
    }
  }
}

TEST(OptimalTest, BestFirstSearchAddsWithAnyEstimateThatIsNeverTooHigh) {
  const std::unique_ptr<Domain> domain = MakeDomain("ternary-addition");
  const std::vector<Problem> problems = TernaryProblems();
  // No step but a deletion lowers the number of zeros, and each deletes one.
  const auto zeros = [](std::string_view text) { return static_cast<float>(std::count(text.begin(), text.end(), 'a')); };
  const FunctionScorer::Function estimates[] = {
      [](std::string_view, std::string_view) { return 0.0F; },
      [zeros](std::string_view, std::string_view candidate) { return -zeros(candidate); },
      [zeros](std::string_view, std::string_view candidate) {
        return HashText(candidate) % 2 == 0 ? 0.0F : -zeros(candidate);
      }};
  for (const FunctionScorer::Function& estimate : estimates) {
    for (const std::size_t batch : {1U, 3U, 100U}) {
      FunctionScorer scorer(ScoreMeaning::kMinusStepsToGo, estimate);
      ExpectOptimal(*domain, problems, scorer, OptimalBwas(batch));
    }
  }
}

}  // namespace
}  // namespace conpole
