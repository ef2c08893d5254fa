#include "tutor/abstraction_file.h"

#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "conpole/error.h"
#include "nn/model_metadata.h"
#include "tutor/policy.h"
#include "util/read_file.h"

namespace conpole {
namespace {

constexpr std::string_view kModelEnding = ".safetensors";
constexpr std::size_t kMaxBytes = 16U << 20;

}  // namespace

std::string ReadAbstractionsOfModel(const std::string& path, const Domain* domain) {
  std::map<std::string, std::string> metadata = ReadModelMetadata(path);
  if (domain != nullptr) metadata = MetadataFor(*domain, metadata);
  const auto found = metadata.find(kAbstractionsKey);
  return found == metadata.end() ? std::string() : found->second;
}

AbstractionSet ReadAbstractionFile(const std::string& path, const Domain* domain) {
  const bool is_model = path.ends_with(kModelEnding);
  const std::string text = is_model ? ReadAbstractionsOfModel(path, domain) : ReadRegularFile(path, kMaxBytes);
  if (is_model && text.empty()) throw Error(fmt::format("{}: the model was trained without abstractions", path));
  try {
    return ParseAbstractions(text);
  } catch (const Error& error) {
    throw Error(fmt::format("{}: {}", path, error.what()));
  }
}

}  // namespace conpole
