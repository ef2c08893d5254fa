// The models of a service: each is read once, when it is first needed, and shared by all calls. A source knows where models
// come from: files, or a program that hands them over. Any number of threads may use a shelf.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conpole/domain.h"
#include "conpole/scorer.h"
#include "nn/encoder.h"
#include "nn/model.h"
#include "nn/network_scorer.h"
#include "nn/residual_network.h"
#include "service/batching_scorer.h"
#include "util/thread_pool.h"

namespace conpole {

// Where models come from, by the names of their files: "equations.safetensors". Called by one thread at a time.
class ModelSource {
 public:
  virtual ~ModelSource() = default;

  // Whether there is such a model. It need not be here yet.
  virtual bool Has(const std::string& file) const = 0;
  // Nothing if it is not here yet: the caller is then told that it is needed. Throws Error if it cannot be read.
  virtual std::optional<Model> Read(const std::string& file) = 0;
};

// The files of languages that are handed over: "de.json".
inline constexpr std::string_view kLanguageExtension = ".json";

// Models that are handed over by whoever has fetched them. One comes with conpole for every domain. Any thread may call it.
class HandedModels final : public ModelSource {
 public:
  // The content of a model file, or of the file of a language (Catalogue::HandOver). Throws Error if it is not one.
  void HandOver(const std::string& file, std::span<const std::byte> bytes);

  bool Has(const std::string& file) const override;
  // Each is given away once, since the shelf keeps it.
  std::optional<Model> Read(const std::string& file) override;

 private:
  mutable std::mutex mutex_;
  std::map<std::string, Model, std::less<>> models_;
};

// A model as calls use it; immutable but for what it remembers.
class SharedModel {
 public:
  // `engines` network calls run at a time. Throws Error if the model does not fit the domain.
  SharedModel(std::string file, const Domain& domain, const Model& model, std::size_t engines);

  const std::string& file() const { return file_; }
  const std::map<std::string, std::string>& metadata() const { return metadata_; }
  // The scorer of one call, which this must outlive, and so must the pool.
  std::unique_ptr<Scorer> MakeScorer(const Domain& domain, ThreadPool& pool);
  // The encoder of problems, as an object of its own; it keeps what it needs alive.
  std::unique_ptr<Encoder> MakeEncoder(const Domain& domain) const;
  ScoreBatcher::Counts counts() const;

 private:
  std::string file_;
  std::map<std::string, std::string> metadata_;
  // One of the two.
  std::shared_ptr<const ScoringNetwork> network_;
  std::shared_ptr<const ResidualNetwork> residual_;
  std::vector<std::unique_ptr<ThreadPool>> pools_;  // of the engines
  std::unique_ptr<ScoreBatcher> batcher_;           // null for packed states
};

class ModelShelf {
 public:
  // The source may be null: then there are no models.
  ModelShelf(std::unique_ptr<ModelSource> source, std::size_t engines);

  // The file of a domain's model, whatever its parameters; nothing if there is none.
  std::optional<std::string> FileFor(const DomainType& type) const;
  // Requires that there is one. Throws RequestProblem if it is not here yet.
  std::shared_ptr<SharedModel> For(const Domain& domain);
  // Of all models that are here.
  std::vector<std::shared_ptr<SharedModel>> All() const;

 private:
  mutable std::mutex mutex_;
  std::unique_ptr<ModelSource> source_;
  std::size_t engines_;
  std::map<std::string, std::shared_ptr<SharedModel>, std::less<>> models_;
};

}  // namespace conpole
