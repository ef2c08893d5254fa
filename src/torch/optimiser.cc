#include "torch/optimiser.h"

#include <dlfcn.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <charconv>
#include <cmath>
#include <cstring>
#include <span>

#include "conpole/error.h"
#include "nn/safetensors.h"
#include "train/loop/learner.h"

namespace conpole {

void AdamW::Step(torch::Tensor& weights, const torch::Tensor& gradient, double learning_rate, double weight_decay) {
  ++steps;
  if (weight_decay != 0) weights.mul_(1 - learning_rate * weight_decay);
  mean.mul_(kBeta1).add_(gradient, 1 - kBeta1);
  square.mul_(kBeta2).addcmul_(gradient, gradient, 1 - kBeta2);
  const double correction = 1 - std::pow(kBeta2, static_cast<double>(steps));
  const torch::Tensor scale = (square.sqrt() / std::sqrt(correction)).add_(kEpsilon);
  weights.addcdiv_(mean, scale, -learning_rate / (1 - std::pow(kBeta1, static_cast<double>(steps))));
}

void UseNoThreadsWithinOperations() {
  torch::set_num_threads(1);
  using SetThreads = void (*)(int);
  if (const auto set_threads = reinterpret_cast<SetThreads>(dlsym(RTLD_DEFAULT, "openblas_set_num_threads"))) set_threads(1);
}

void KeepFreedMemory() {
#ifdef __GLIBC__
  constexpr int kLargestBlockFromHeap = 32 << 20;  // the most that glibc takes
  constexpr int kKeptAtMost = 512 << 20;
  mallopt(M_MMAP_THRESHOLD, kLargestBlockFromHeap);
  mallopt(M_TRIM_THRESHOLD, kKeptAtMost);
#endif
}

std::string FormatVectors(const std::vector<std::pair<std::string, torch::Tensor>>& vectors, std::int64_t steps) {
  SafetensorsHeader header;
  header.metadata["steps"] = std::to_string(steps);
  for (const auto& [name, vector] : vectors) {
    header.tensors.push_back({name, Dtype::kFloat32, {static_cast<std::size_t>(vector.numel())}});
  }
  std::string bytes = FormatSafetensorsHeader(header);
  for (const auto& [name, vector] : vectors) {
    const torch::Tensor values = vector.detach().to(torch::kCPU, torch::kFloat32).contiguous();
    const std::size_t at = bytes.size();
    bytes.resize(at + static_cast<std::size_t>(values.numel()) * sizeof(float));
    std::memcpy(bytes.data() + at, values.data_ptr<float>(), bytes.size() - at);
  }
  return bytes;
}

namespace {

Vectors ParseVectorsFrom(std::string_view bytes) {
  const auto all = std::as_bytes(std::span(bytes));
  const auto first = all.first(std::min(all.size(), kSafetensorsLengthBytes));
  const std::size_t header_size = ParseSafetensorsLength(first, all.size());
  const std::size_t values_begin = first.size() + header_size;
  const SafetensorsHeader header = ParseSafetensorsHeader(bytes.substr(first.size(), header_size), all.size() - values_begin);
  Vectors vectors;
  const auto steps = header.metadata.find("steps");
  if (steps == header.metadata.end()) throw Error("it lacks the number of steps");
  const char* const end = steps->second.data() + steps->second.size();
  const auto [past, failure] = std::from_chars(steps->second.data(), end, vectors.steps);
  if (failure != std::errc() || past != end || vectors.steps < 0) throw Error("its number of steps is none");
  std::span<const std::byte> rest = all.subspan(values_begin);
  for (const SafetensorsEntry& entry : header.tensors) {
    torch::Tensor values = torch::empty({static_cast<std::int64_t>(entry.values())}, torch::kFloat32);
    DecodeValues(rest.first(entry.bytes()), entry.dtype, {values.data_ptr<float>(), entry.values()});
    rest = rest.subspan(entry.bytes());
    vectors.by_name[entry.name] = values;
  }
  return vectors;
}

}  // namespace

Vectors ParseVectors(std::string_view bytes) {
  try {
    return ParseVectorsFrom(bytes);
  } catch (const Error& error) {
    throw Error(std::string("the state of the learner cannot be read: ") + error.what());
  }
}

torch::Tensor Vectors::Take(const std::string& name, const torch::Tensor& like) const {
  const auto found = by_name.find(name);
  if (found == by_name.end()) throw Error("the state of the learner has no " + name);
  if (found->second.sizes() != like.sizes()) throw Error("the checkpoint is of a network of other sizes");
  CheckFinite(found->second, name.c_str());
  return found->second;
}

void ThrowDiverged(const char* what) {
  throw Diverged(std::string("training has diverged: ") + what + " is not finite any more");
}

void CheckFinite(const torch::Tensor& values, const char* what) {
  if (!torch::isfinite(values).all().item<bool>()) ThrowDiverged(what);
}

}  // namespace conpole
