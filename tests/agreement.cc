#include "tests/agreement.h"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "util/hash.h"

namespace conpole {
namespace {

// States with their successors, to be scored at once.
struct Round {
  std::vector<std::string> texts;
  std::vector<ScoreBatch::Pair> pairs;
  std::vector<std::size_t> first_pair;  // of every state

  void Add(std::string_view state, const Successors& successors) {
    const auto parent = static_cast<std::uint32_t>(texts.size());
    first_pair.push_back(pairs.size());
    texts.emplace_back(state);
    for (std::size_t i = 0; i < successors.size(); ++i) {
      pairs.push_back({parent, static_cast<std::uint32_t>(texts.size())});
      texts.emplace_back(successors.state(i));
    }
  }

  std::vector<float> Score(const ScoreFunction& score) const {
    const std::vector<std::string_view> views(texts.begin(), texts.end());
    std::vector<std::uint64_t> hashes;
    for (const std::string_view text : views) hashes.push_back(HashText(text));
    std::vector<float> scores(pairs.size());
    score({views, hashes, pairs}, scores);
    return scores;
  }
};

void Compare(std::span<const float> exact, std::span<const float> reduced, double unit, Agreement& agreement) {
  const auto choice = [](std::span<const float> scores) {
    return std::max_element(scores.begin(), scores.end()) - scores.begin();
  };
  const auto [least, greatest] = std::minmax_element(exact.begin(), exact.end());
  const float chosen = exact[static_cast<std::size_t>(choice(reduced))];
  ++agreement.states;
  if (choice(exact) == choice(reduced)) {
    ++agreement.same;
  } else if (static_cast<double>(*greatest - chosen) <= unit * static_cast<double>(*greatest - *least)) {
    ++agreement.ties;
  }
}

}  // namespace

Agreement CompareChoices(const Domain& domain, std::span<const std::string> states, const ScoreFunction& exact,
                         const ScoreFunction& reduced, double unit) {
  constexpr std::size_t kStatesPerRound = 200;
  Agreement agreement;
  Successors successors;
  for (std::size_t begin = 0; begin < states.size(); begin += kStatesPerRound) {
    Round round;
    for (const std::string& state : states.subspan(begin, std::min(kStatesPerRound, states.size() - begin))) {
      successors.Clear();
      if (domain.Expand(state, Labels::kOff, successors) == Status::kOpen) round.Add(state, successors);
    }
    const std::vector<float> exact_scores = round.Score(exact);
    const std::vector<float> reduced_scores = round.Score(reduced);
    round.first_pair.push_back(round.pairs.size());
    for (std::size_t i = 0; i + 1 < round.first_pair.size(); ++i) {
      const std::size_t first = round.first_pair[i];
      const std::size_t count = round.first_pair[i + 1] - first;
      Compare(std::span(exact_scores).subspan(first, count), std::span(reduced_scores).subspan(first, count), unit, agreement);
    }
  }
  return agreement;
}

}  // namespace conpole
