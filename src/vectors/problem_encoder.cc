#include "vectors/problem_encoder.h"

#include <string_view>
#include <utility>

#include "tutor/policy.h"
#include "util/checksum.h"
#include "vectors/unit_vectors.h"

namespace conpole {
namespace {

std::uint64_t FingerprintOf(const Model& model) {
  Checksum checksum;
  const auto add_text = [&](std::string_view text) {
    const std::uint64_t size = text.size();
    checksum.Add(std::as_bytes(std::span(&size, 1)));
    checksum.Add(std::as_bytes(std::span(text.data(), text.size())));
  };
  add_text(model.architecture.kind);
  for (const auto& [name, size] : model.architecture.sizes) {
    add_text(name);
    checksum.Add(std::as_bytes(std::span(&size, 1)));
  }
  for (const auto& [name, tensor] : model.tensors) {
    add_text(name);
    checksum.Add(std::as_bytes(std::span(tensor.values)));
  }
  return checksum.value();
}

}  // namespace

std::string VectorModelPath(const Domain& domain, const std::string& given) {
  return ModelPathOf(domain, {.model = given, .learned = given.empty()});
}

ProblemEncoder::ProblemEncoder(const Domain& domain, const Model& model)
    : domain_(domain), encoder_(MakeEncoderFor(domain, model)), fingerprint_(FingerprintOf(model)) {}

ProblemEncoder::ProblemEncoder(const Domain& domain, std::unique_ptr<Encoder> encoder)
    : domain_(domain), encoder_(std::move(encoder)) {}

std::vector<float> ProblemEncoder::Encode(std::span<const std::string> states, ThreadPool& pool) const {
  std::vector<std::string> texts;
  texts.reserve(states.size());
  for (const std::string& state : states) texts.push_back(TextForPolicy(domain_, state).value_or(state));
  const std::vector<std::string_view> views(texts.begin(), texts.end());
  std::vector<float> vectors(states.size() * dimension());
  encoder_->Encode(views, vectors, pool);
  for (std::size_t i = 0; i < states.size(); ++i) Normalise(std::span(vectors).subspan(i * dimension(), dimension()));
  return vectors;
}

}  // namespace conpole
