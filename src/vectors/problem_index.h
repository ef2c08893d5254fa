// Problems of one domain with the vectors that a model gives them: which are the most similar to another problem? It can be
// kept in a file, which says what model and what domain it is for, and is refused with any other.
//
// Filling it is for one thread. Once it is filled, any number of threads may ask, each with a pool of its own. The encoder must
// outlive it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conpole/stop_token.h"
#include "util/seed_range.h"
#include "util/text_slots.h"
#include "util/thread_pool.h"
#include "vectors/problem_encoder.h"
#include "vectors/unit_vectors.h"

namespace conpole {

struct SimilarProblem {
  std::string state;  // canonical text
  float cosine = 0;   // of the angle between the vectors: 1 for the same direction
};

class ProblemIndex {
 public:
  // Without problems.
  explicit ProblemIndex(const ProblemEncoder& encoder);

  // Reads the file of an index. Nothing in it is taken on trust, and no more memory is used than the file has bytes, and a few
  // times its texts. Throws Error, which begins with the path and says what is wrong: also if it was made for another domain
  // than the encoder's, or with another model.
  static ProblemIndex Read(const std::string& path, const ProblemEncoder& encoder);
  // The domain (its Spec) that the file says it is for. Throws Error in the same way.
  static std::string DomainOfFile(const std::string& path);

  const ProblemEncoder& encoder() const { return *encoder_; }
  std::size_t size() const { return vectors_.size(); }
  std::string_view state(std::size_t index) const;
  const UnitVectors& vectors() const { return vectors_; }

  // Called with how much is done, now and then.
  using Progress = std::function<void(std::size_t)>;
  // Adds problems, which are canonical text. Those that are there already, also among these, are left out. False if it was
  // stopped; what is done then stays.
  bool Add(std::span<const std::string> states, ThreadPool& pool, const StopToken& stop = {}, const Progress& progress = {});
  // Adds the problems that the domain makes of these seeds, in the same way.
  bool AddGenerated(const SeedRange& seeds, ThreadPool& pool, const StopToken& stop = {}, const Progress& progress = {});

  // The problems whose vectors have the greatest cosines to that of a problem, as canonical text; the nearest first, of equal
  // ones the first. The problem itself is not among them. `count` of them, or all if there are fewer.
  // Throws Error if one of them is no problem of the domain, as it may be in a file.
  std::vector<SimilarProblem> Similar(const std::string& state, std::size_t count, ThreadPool& pool) const;

  // Writes the file, whole or not at all. Throws Error, which begins with the path.
  void Write(const std::string& path) const;

 private:
  void IndexTexts();

  const ProblemEncoder* encoder_;
  UnitVectors vectors_;
  std::string texts_;                // all states, one after the other
  std::vector<std::uint64_t> ends_;  // of each in the texts
  // The states by their hashes; made when the first one is added.
  TextSlots slots_;
  std::vector<std::uint64_t> hashes_;
};

}  // namespace conpole
