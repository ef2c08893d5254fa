#include "http/shipped_models.h"

#include <filesystem>

#include "nn/shipped_models.h"

namespace conpole {
namespace {

std::optional<std::string> PathOf(const std::string& file) {
  return FindShippedModel(std::filesystem::path(file).stem().string());
}

}  // namespace

bool ShippedModels::Has(const std::string& file) const { return PathOf(file).has_value(); }

std::optional<Model> ShippedModels::Read(const std::string& file) {
  const std::optional<std::string> path = PathOf(file);
  if (!path) return std::nullopt;
  return ReadModel(*path);
}

}  // namespace conpole
