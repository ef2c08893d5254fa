#include "tests/include_order.h"

#include <algorithm>
#include <fstream>
#include <optional>
#include <sstream>
#include <string_view>

#include <fmt/format.h>

#include "conpole/error.h"

namespace conpole {
namespace {

constexpr std::string_view kEverything = "everything";

std::string Trim(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '/')) text.remove_suffix(1);
  return std::string(text);
}

// What stands between backticks.
std::vector<std::string> CodeWords(std::string_view cell) {
  std::vector<std::string> words;
  for (std::size_t begin = cell.find('`'); begin != std::string_view::npos; begin = cell.find('`', begin)) {
    const std::size_t end = cell.find('`', begin + 1);
    if (end == std::string_view::npos) break;
    words.push_back(Trim(cell.substr(begin + 1, end - begin - 1)));
    begin = end + 1;
  }
  return words;
}

std::vector<std::string> Cells(const std::string& row) {
  std::vector<std::string> cells;
  std::istringstream in(row.substr(1));
  for (std::string cell; std::getline(in, cell, '|');) cells.push_back(cell);
  return cells;
}

// The text between a heading and the next one.
std::string_view Section(std::string_view page, std::string_view heading) {
  const std::size_t begin = page.find(heading);
  if (begin == std::string_view::npos) throw Error(fmt::format("there is no section '{}'", heading));
  return page.substr(begin, page.find("\n## ", begin + heading.size()) - begin);
}

// Headers that come from LibTorch.
bool IsOfTorch(const std::string& header) {
  return header.starts_with("torch/") || header.starts_with("ATen/") || header.starts_with("c10/");
}

bool IsSource(const std::filesystem::path& path) {
  const std::string extension = path.extension();
  return extension == ".h" || extension == ".cc" || extension == ".cu";
}

const Layer* LayerOf(const std::string& path, const std::vector<Layer>& layers) {
  const auto is_of = [&](const Layer& layer) { return path.starts_with(layer.folder + "/"); };
  const auto found = std::find_if(layers.begin(), layers.end(), is_of);
  return found == layers.end() ? nullptr : &*found;
}

bool IsAllowed(const Layer& layer, const std::string& path, const std::string& prefix) {
  const bool is_test = path.ends_with("_test.cc");
  // A test beside the code may try it through what stands above it.
  return is_test || prefix == layer.prefix || layer.allowed.contains(prefix) ||
         layer.allowed.contains(std::string(kEverything));
}

struct Include {
  std::string header;
  bool is_quoted = false;  // "..." instead of <...>
};

// What a line includes; nothing if it is no such line.
std::optional<Include> ReadInclude(std::string_view line) {
  const auto skip = [&](std::string_view word) {
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    if (!line.starts_with(word)) return false;
    line.remove_prefix(word.size());
    return true;
  };
  if (!skip("#") || !skip("include")) return std::nullopt;
  const bool is_quoted = skip("\"");
  if (!is_quoted && !skip("<")) return std::nullopt;
  const std::size_t end = line.find(is_quoted ? '"' : '>');
  if (end == std::string_view::npos) return std::nullopt;
  return Include{std::string(line.substr(0, end)), is_quoted};
}

}  // namespace

std::vector<Layer> ReadLayers(std::string_view architecture) {
  std::vector<Layer> layers;
  std::istringstream in{std::string(Section(architecture, "## Layers"))};
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with("| `")) continue;
    const std::vector<std::string> cells = Cells(line);
    if (cells.size() < 3) throw Error(fmt::format("a row with too few columns: {}", line));
    const std::vector<std::string> allowed = CodeWords(cells[2]);
    for (const std::string& folder : CodeWords(cells[0])) {
      layers.push_back({folder, folder.substr(folder.rfind('/') + 1), {allowed.begin(), allowed.end()}});
      if (cells[2].find(kEverything) != std::string::npos) layers.back().allowed.insert(std::string(kEverything));
    }
  }
  if (layers.empty()) throw Error("there is no table of folders");
  for (const Layer& layer : layers) {
    for (const std::string& prefix : layer.allowed) {
      const auto is_named = [&](const Layer& other) { return other.prefix == prefix; };
      if (prefix != kEverything && std::none_of(layers.begin(), layers.end(), is_named)) {
        throw Error(fmt::format("{} may include {}, which no row is about", layer.folder, prefix));
      }
    }
  }
  return layers;
}

std::vector<std::string> ReadTree(std::string_view readme) {
  std::vector<std::string> folders;
  std::istringstream in{std::string(Section(readme, "## The tree, lowest first"))};
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with("    ")) continue;
    std::istringstream words(line);
    for (std::string word; words >> word && word.ends_with('/');) folders.push_back(Trim(word));
  }
  return folders;
}

std::vector<std::string> FindForbiddenIncludes(const std::filesystem::path& root, const std::vector<Layer>& layers) {
  std::set<std::string> prefixes;
  for (const Layer& layer : layers) prefixes.insert(layer.prefix);
  std::vector<std::string> found;
  for (const char* const top : {"include", "src", "cli", "experiments", "python", "web/engine", "bench", "tests"}) {
    if (!std::filesystem::exists(root / top)) continue;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root / top)) {
      if (!entry.is_regular_file() || !IsSource(entry.path())) continue;
      const std::string path = std::filesystem::relative(entry.path(), root).generic_string();
      const Layer* const layer = LayerOf(path, layers);
      if (layer == nullptr) {
        found.push_back(path + ": no row of the table is about its folder");
        continue;
      }
      std::ifstream in(entry.path());
      std::size_t number = 0;
      for (std::string line; std::getline(in, line);) {
        ++number;
        const std::optional<Include> include = ReadInclude(line);
        if (!include) continue;
        const std::string& header = include->header;
        const std::string prefix = header.substr(0, header.find('/'));
        const bool is_ours = include->is_quoted && header.find('/') != std::string::npos && prefixes.contains(prefix);
        const bool is_forbidden = is_ours             ? !IsAllowed(*layer, path, prefix)
                                  : IsOfTorch(header) ? !IsAllowed(*layer, path, "torch")
                                                      : false;
        if (is_forbidden) found.push_back(fmt::format("{}:{}: includes {}", path, number, header));
      }
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace conpole
