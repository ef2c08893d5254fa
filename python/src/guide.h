// What guides a search that Python asks for, and how such a search is run.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include <pybind11/pybind11.h>

#include "conpole/domain.h"
#include "conpole/scorer.h"
#include "session/session.h"
#include "util/thread_pool.h"

namespace conpole::python {

// The name of a scorer, a Model, a function of (parents, candidates), or an object whose method score_columns takes a
// PairBatch. Made, copied and destroyed with the interpreter's lock.
class Guide {
 public:
  // `meaning` is that of a function's scores: the name of a ScoreMeaning. Throws TypeError or Error.
  Guide(pybind11::object given, const std::string& meaning, std::uint64_t seed);

  bool is_function() const { return is_function_; }
  // What it is to a session. Scorers are made with the lock, and this object must outlive them.
  SessionPolicy policy() const;

 private:
  std::unique_ptr<Scorer> MakeScorer(const Domain& domain, ThreadPool& pool) const;

  pybind11::object given_;
  ScoreMeaning meaning_;
  std::uint64_t seed_;
  bool is_function_;
};

// Releases the lock and does the work. With `runs_python` in the caller's thread, where Python's code is interrupted by itself;
// without, in one of its own, while this one looks out for Ctrl-C, and then sets `stop` and waits for the work to end.
void RunUnlocked(bool runs_python, std::atomic<bool>& stop, const std::function<void()>& work);

}  // namespace conpole::python
