#include "nn/shipped_models.h"

#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <vector>

namespace conpole {

std::optional<std::string> FindShippedModel(std::string_view domain) {
  std::vector<std::filesystem::path> folders;
  std::error_code failure;
  if (const char* const given = std::getenv("CONPOLE_MODELS")) {
    folders.emplace_back(given);
  } else if (const auto self = std::filesystem::read_symlink("/proc/self/exe", failure); !failure) {
    const std::filesystem::path above = self.parent_path().parent_path();
    folders = {above / "models", above / "share" / "conpole" / "models"};
  }
  for (const std::filesystem::path& folder : folders) {
    std::filesystem::path file = folder / domain;
    file += ".safetensors";
    if (std::filesystem::is_regular_file(file, failure)) return file.string();
  }
  return std::nullopt;
}

}  // namespace conpole
