#include "conpole/trained_model.h"

#include <memory>
#include <utility>

#include "conpole/domain.h"
#include "conpole/error.h"
#include "nn/encoder.h"
#include "nn/model.h"
#include "nn/network_scorer.h"
#include "nn/shipped_models.h"
#include "tutor/policy.h"
#include "util/thread_pool.h"

namespace conpole {

struct TrainedModel::Parts {
  Parts(Model read, std::size_t threads) : pool(threads) {
    if (ReadsLayout(read)) {
      // What its states are, only the domain knows that it was trained for.
      const std::string spec = DomainOfModel(read);
      if (spec.empty()) throw Error("the model does not say which domain it is for");
      const std::unique_ptr<Domain> domain = MakeDomain(spec);
      encoder = MakeEncoderFor(*domain, read);
      scorer = MakeModelScorer(*domain, read, pool);
    } else {
      encoder = MakeEncoder(read);
      scorer = std::make_unique<NetworkScorer>(read, pool);
    }
    metadata = std::move(read.metadata);
  }

  mutable ThreadPool pool;
  std::unique_ptr<Encoder> encoder;
  std::unique_ptr<Scorer> scorer;
  std::map<std::string, std::string> metadata;
};

std::optional<std::string> TrainedModel::PathFor(std::string_view domain) { return FindShippedModel(domain); }

TrainedModel::TrainedModel(const std::string& path, std::size_t threads)
    : parts_(std::make_unique<Parts>(ReadModel(path), threads)) {}
TrainedModel::~TrainedModel() = default;
TrainedModel::TrainedModel(TrainedModel&&) noexcept = default;
TrainedModel& TrainedModel::operator=(TrainedModel&&) noexcept = default;

const std::map<std::string, std::string>& TrainedModel::metadata() const { return parts_->metadata; }

std::size_t TrainedModel::vector_size() const { return parts_->encoder->vector_size(); }

std::vector<float> TrainedModel::Embed(std::span<const std::string> states) const {
  const std::vector<std::string_view> texts(states.begin(), states.end());
  std::vector<float> vectors(texts.size() * vector_size());
  parts_->encoder->Encode(texts, vectors, parts_->pool);
  return vectors;
}

Scorer& TrainedModel::scorer() { return *parts_->scorer; }

}  // namespace conpole
