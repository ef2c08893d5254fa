// A trained network, read from a model file: it gives every state a vector, and scores the candidates of a search. It runs on
// the CPU and needs no LibTorch. One thread at a time may use a model, with its scorer: both run on the same threads.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conpole/scorer.h"

namespace conpole {

class TrainedModel {
 public:
  // The path of the model that comes with conpole for a domain (by its type's name); nothing if there is none. Looked for in
  // the folder that the environment variable CONPOLE_MODELS names or, if that is not set or empty, beside the running program:
  // in ../models and ../share/conpole/models. Throws Error if CONPOLE_MODELS names something without any model.
  static std::optional<std::string> PathFor(std::string_view domain);

  // Reads a model file. 0 threads are one per core. Throws Error, naming the file and what is wrong with it.
  explicit TrainedModel(const std::string& path, std::size_t threads = 0);
  ~TrainedModel();
  TrainedModel(TrainedModel&&) noexcept;
  TrainedModel& operator=(TrainedModel&&) noexcept;

  // What is known about the model: its domain, how it was trained.
  const std::map<std::string, std::string>& metadata() const;

  // The length of a vector.
  std::size_t vector_size() const;
  // The vectors of the states, one after the other. A state's vector depends on its text alone.
  std::vector<float> Embed(std::span<const std::string> states) const;

  // What guides a search by this model. It belongs to the model and moves with it.
  Scorer& scorer();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace conpole
