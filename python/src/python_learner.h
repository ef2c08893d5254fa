// A learner written in Python, as the training loop takes it. The object is an adapter of python/conpole/_training.py with the
// methods begin, score, learn, refresh, weights, save and restore. Each call takes the interpreter's lock; what Python raises
// goes on as pybind11::error_already_set.
#pragma once

#include <memory>
#include <string>

#include <pybind11/pybind11.h>

#include "nn/model.h"
#include "train/loop/learner.h"

namespace conpole::python {

// `object` must outlive the learner. Called without the lock.
std::unique_ptr<Learner> MakePythonLearner(const pybind11::object& object, const Model& model, const LearnerOptions& options,
                                           const std::string& device);

// Weights by name, as NumPy arrays. Requires the lock.
pybind11::dict ArraysOf(const Tensors& tensors);

}  // namespace conpole::python
