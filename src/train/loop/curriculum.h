// Which problems are tried and how deep they are searched, by what was solved so far. Nothing is known about a problem but its
// text, so a short text counts as an easy problem:
//   - of k drawn problems the shortest is tried. k doubles while few problems are solved and halves while many are, down to 1.
//     Now and then a problem is taken as it comes, and k halves, too, while those are solved as often: then short is not easy;
//   - a parameter of the domain, if one is named, begins small: it grows by one while nearly all problems are solved, up to the
//     value that the domain has, and falls by one while many are not. If it is max_NAME, min_NAME is no more than it;
//   - problems are simplified to a number of characters, if asked for, that grows while many are solved, half of them to any
//     smaller one. Those that are taken as they come are not simplified, and where they are solved as often the number grows,
//     too: then parts of problems are not easy;
//   - a search may take half as many steps again as the longest recent solutions.
// Not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "conpole/domain.h"
#include "train/run/options.h"
#include "util/random.h"

namespace conpole {

class Curriculum {
 public:
  explicit Curriculum(const TrainOptions& options);

  // Each of these ranks draws problems that no other one does. To be called before all else.
  void TakeShare(std::size_t rank, std::size_t ranks);

  // Where a problem comes from. Only the easiest of those drawn tell how much of what is tried is solved.
  enum class Origin : std::uint8_t { kEasiest, kAsItCame };
  struct Task {
    std::string problem;
    Origin origin = Origin::kEasiest;
    bool axioms_alone = false;  // it is to be searched without abstractions
  };

  // What is to be tried next: a problem that is not solved already, unless those may be taken, too.
  Task NextTask(const Domain& domain, bool may_be_solved = false);
  // It was tried. All ranks have to know, each of the tasks of all.
  void Report(Origin origin, bool solved, std::size_t length);
  // Makes problems easier again.
  void StepBack();

  // The same for those that try nothing but the domain's own problems.
  std::string NextProblem(const Domain& domain, bool may_be_solved = false);
  // A number that grows with every problem that is drawn, and that no other rank ever has.
  std::uint64_t drawn() const { return drawn_; }
  // Goes on from there, when it was a rank of another number of ranks before.
  void DrawFrom(std::uint64_t drawn) { drawn_ = drawn; }
  // Steps that a search may take now.
  std::size_t depth_limit() const { return depth_limit_; }
  // k, as above.
  std::size_t easiest_of() const { return easiest_of_; }
  // The characters that problems are simplified to; 0 if they are not.
  std::size_t size_limit() const { return size_limit_; }
  // The value of the parameter that grows; 0 if there is none.
  std::int64_t level() const { return options_.grow.empty() ? 0 : level_; }
  // The share of the latest problems that was solved.
  double solved_rate() const;
  // Whether none of the latest problems was solved, and there were enough of them to tell.
  bool none_solved_lately() const;
  // Steps of the latest solutions, on average.
  double mean_length() const;
  // Steps that nearly all of them need.
  double long_length() const;

  // A problem was tried; `length` is the number of steps of its solution.
  void Report(bool solved, std::size_t length);

  nlohmann::json Save() const;
  // Throws Error if it is not what Save gave.
  void Restore(const nlohmann::json& saved);

 private:
  void UpdateDepth();
  void ChooseEasiestOf(bool few_solved, bool many_solved);
  void AddLength(std::size_t length);
  // The shortest of `of` problems.
  std::string Draw(const Domain& domain, std::size_t of, bool may_be_solved);
  // The domain that problems are drawn from now. Throws Error if it has no such parameter.
  const Domain& SourceOf(const Domain& domain);

  TrainOptions options_;
  std::uint64_t begun_ = 0;  // tasks; also a state of random numbers
  std::size_t size_limit_;
  std::size_t longest_ = 0;  // characters of the problems drawn so far, before they were simplified
  std::uint64_t rank_ = 0;
  std::uint64_t ranks_ = 1;
  std::uint64_t drawn_ = 0;  // problems of all ranks, as far as this one can tell; also the state of the random numbers
  std::size_t easiest_of_;
  std::size_t depth_limit_;
  std::int64_t level_;
  std::int64_t last_level_;
  std::unique_ptr<Domain> source_;  // of source_level_; null for none yet
  std::int64_t source_level_ = 0;
  std::size_t since_change_ = 0;     // problems tried since k was looked at
  std::deque<bool> outcomes_;        // of the latest problems that were the easiest of some
  std::deque<bool> as_they_came_;    // of those that were not
  std::deque<std::size_t> lengths_;  // of the latest solutions
};

}  // namespace conpole
