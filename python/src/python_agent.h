// An agent written in Python: it says what a search that has ended teaches, and may say how searches go on. Otherwise they are
// beam searches with the settings of the run. Any thread may use it; each call of Python takes the interpreter's lock.
#pragma once

#include <memory>

#include <pybind11/pybind11.h>

#include "train/agents/agent.h"
#include "train/run/options.h"

namespace conpole::python {

// `object` is an adapter of python/conpole/_training.py with the attributes loss, head and choose, which may be None,
// and the method teach. It must outlive the agent. Called without the lock; throws Error for a loss or a head that there is
// not.
std::unique_ptr<Agent> MakePythonAgent(const pybind11::object& object, const TrainOptions& options);

}  // namespace conpole::python
