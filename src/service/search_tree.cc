#include "service/search_tree.h"

#include <algorithm>
#include <cmath>
#include <unordered_set>
#include <utility>

#include "tutor/policy.h"

namespace conpole {
namespace {

using Node = SearchTree::Node;

void MarkSolution(SearchTree& tree, std::size_t solved) {
  tree.solved = true;
  for (std::optional<std::size_t> at = solved; at; at = tree.nodes[*at].parent) tree.nodes[*at].on_solution = true;
}

}  // namespace

SearchTree GrowSearchTree(const Domain& domain, Scorer& scorer, const std::string& problem, const SearchTreeOptions& options,
                          const std::atomic<bool>& stop) {
  SearchTree tree;
  tree.nodes.push_back({.state = problem, .chosen = true});
  if (domain.Solved(problem)) {
    MarkSolution(tree, 0);
    return tree;
  }
  const bool adds_up = scorer.meaning() == ScoreMeaning::kLogPreference;
  std::unordered_set<std::string> seen{problem};
  std::vector<std::size_t> beam{0};
  Successors successors;
  for (std::size_t depth = 1; depth <= options.max_steps && !beam.empty(); ++depth) {
    // 1. List and score the candidates of all states of the beam.
    const std::size_t first = tree.nodes.size();
    for (const std::size_t parent : beam) {
      if (stop) {
        tree.cut = true;
        return tree;
      }
      successors.Clear();
      if (domain.Expand(tree.nodes[parent].state, Labels::kOn, successors) != Status::kOpen) continue;
      std::vector<std::string_view> candidates;
      for (std::size_t i = 0; i < successors.size(); ++i) candidates.push_back(successors.state(i));
      const std::vector<float> scores = ScoreCandidates(scorer, tree.nodes[parent].state, candidates);
      const std::vector<double> probabilities = Softmax(scores);
      for (std::size_t i = 0; i < candidates.size(); ++i) {
        if (!seen.emplace(candidates[i]).second) continue;
        if (tree.nodes.size() == options.max_nodes) {
          tree.cut = true;
          return tree;
        }
        const double score =
            adds_up ? tree.nodes[parent].score + std::log(std::max(probabilities[i], 1e-300)) : static_cast<double>(scores[i]);
        tree.nodes.push_back({.parent = parent,
                              .depth = depth,
                              .state = std::string(candidates[i]),
                              .label = std::string(successors.label(i)),
                              .score = score,
                              .probability = probabilities[i]});
      }
    }
    // 2. The best go on, unless one is the solution.
    beam.clear();
    for (std::size_t i = first; i < tree.nodes.size(); ++i) beam.push_back(i);
    std::stable_sort(beam.begin(), beam.end(),
                     [&](std::size_t a, std::size_t b) { return tree.nodes[a].score > tree.nodes[b].score; });
    const auto solved =
        std::find_if(beam.begin(), beam.end(), [&](std::size_t i) { return domain.Solved(tree.nodes[i].state); });
    if (solved != beam.end()) {
      tree.nodes[*solved].chosen = true;
      MarkSolution(tree, *solved);
      return tree;
    }
    if (beam.size() > options.beam) beam.resize(options.beam);
    for (const std::size_t i : beam) tree.nodes[i].chosen = true;
  }
  tree.cut = !beam.empty();
  return tree;
}

}  // namespace conpole
