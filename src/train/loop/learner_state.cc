#include "train/loop/learner_state.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "conpole/error.h"
#include "nn/safetensors.h"
#include "train/loop/learner.h"
#include "util/read_number.h"

namespace conpole {
namespace {

LearnerState Parse(std::string_view bytes) {
  const auto all = std::as_bytes(std::span(bytes.data(), bytes.size()));
  const auto first = all.first(std::min(all.size(), kSafetensorsLengthBytes));
  const std::size_t header_size = ParseSafetensorsLength(first, all.size());
  const std::size_t values_begin = first.size() + header_size;
  const SafetensorsHeader header = ParseSafetensorsHeader(bytes.substr(first.size(), header_size), all.size() - values_begin);
  LearnerState state;
  const auto steps = header.metadata.find("steps");
  if (steps == header.metadata.end()) throw Error("it lacks the number of steps");
  state.steps = ReadNumber<std::int64_t>(steps->second).value_or(-1);
  if (state.steps < 0) throw Error("its number of steps is none");
  std::span<const std::byte> rest = all.subspan(values_begin);
  for (const SafetensorsEntry& entry : header.tensors) {
    std::vector<float>& values = state.vectors[entry.name];
    values.resize(entry.values());
    DecodeValues(rest.first(entry.bytes()), entry.dtype, values);
    rest = rest.subspan(entry.bytes());
  }
  return state;
}

}  // namespace

const std::vector<float>& LearnerState::At(const std::string& name, std::size_t size) const {
  const auto found = vectors.find(name);
  if (found == vectors.end()) throw Error("the state of the learner has no " + name);
  if (found->second.size() != size) throw Error("the checkpoint is of a network of other sizes");
  CheckFinite(found->second, name.c_str());
  return found->second;
}

std::string FormatLearnerState(std::span<const std::pair<std::string, std::span<const float>>> vectors, std::int64_t steps) {
  SafetensorsHeader header;
  header.metadata["steps"] = std::to_string(steps);
  for (const auto& [name, values] : vectors) header.tensors.push_back({name, Dtype::kFloat32, {values.size()}});
  std::string bytes = FormatSafetensorsHeader(header);
  for (const auto& [name, values] : vectors) {
    const std::size_t at = bytes.size();
    bytes.resize(at + values.size_bytes());
    std::memcpy(bytes.data() + at, values.data(), values.size_bytes());
  }
  return bytes;
}

LearnerState ParseLearnerState(std::string_view bytes) {
  try {
    return Parse(bytes);
  } catch (const Error& error) {
    throw Error(std::string("the state of the learner cannot be read: ") + error.what());
  }
}

void ThrowDiverged(const char* what) {
  throw Diverged(std::string("training has diverged: ") + what + " is not finite any more");
}

void CheckFinite(std::span<const float> values, const char* what) {
  if (!std::all_of(values.begin(), values.end(), [](float value) { return std::isfinite(value); })) ThrowDiverged(what);
}

}  // namespace conpole
