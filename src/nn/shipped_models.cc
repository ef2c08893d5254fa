#include "nn/shipped_models.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include "conpole/error.h"
#include "util/program_path.h"
#include "util/text.h"

namespace conpole {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kExtension = ".safetensors";

bool HasModels(const fs::path& folder) {
  std::error_code failure;
  const fs::directory_iterator files(folder, failure);
  return !failure &&
         std::any_of(begin(files), end(files), [](const auto& file) { return file.path().extension() == kExtension; });
}

// The folders in which models may be.
std::vector<fs::path> Folders() {
  const char* const given = std::getenv("CONPOLE_MODELS");
  if (given != nullptr && *given != '\0') {
    if (!HasModels(given)) {
      throw Error(fmt::format("CONPOLE_MODELS names {}, which is not a folder with models (*{})", Shown(given), kExtension));
    }
    return {given};
  }
  const std::optional<fs::path> program = ProgramPath();
  if (!program) return {};
  const fs::path above = program->parent_path().parent_path();
  return {above / "models", above / "share" / "conpole" / "models"};
}

}  // namespace

std::optional<std::string> FindShippedModel(std::string_view domain) {
  std::error_code failure;
  for (const fs::path& folder : Folders()) {
    std::string file = folder / domain;
    file += kExtension;
    if (fs::is_regular_file(file, failure)) return file;
  }
  return std::nullopt;
}

}  // namespace conpole
