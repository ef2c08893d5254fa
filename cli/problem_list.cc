#include "cli/problem_list.h"

#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "conpole/error.h"
#include "tutor/notation.h"
#include "util/read_file.h"

namespace conpole::cli {
namespace {

constexpr std::size_t kMaxFileBytes = std::size_t{1} << 28;

std::vector<std::string> TextsOf(const std::string& path, const std::string& content) {
  const std::size_t first = content.find_first_not_of(" \t\r\n");
  if (first != std::string::npos && content[first] == '[' && content.find('"', first) != std::string::npos) {
    try {
      return nlohmann::json::parse(content).get<std::vector<std::string>>();
    } catch (const nlohmann::json::exception&) {
      throw Error(fmt::format("{}: begins as JSON, but is not a list of texts", path));
    }
  }
  std::vector<std::string> texts;
  for (std::size_t begin = 0; begin < content.size();) {
    const std::size_t end = std::min(content.find('\n', begin), content.size());
    std::string line = content.substr(begin, end - begin);
    if (line.ends_with('\r')) line.pop_back();
    if (line.find_first_not_of(" \t") != std::string::npos) texts.push_back(std::move(line));
    begin = end + 1;
  }
  return texts;
}

}  // namespace

std::vector<std::string> ReadProblemList(const Domain& domain, const std::string& path) {
  std::vector<std::string> problems;
  for (const std::string& text : TextsOf(path, ReadRegularFile(path, kMaxFileBytes))) {
    NotationResult read = ReadNotation(domain, text);
    if (read.error) {
      throw Error(
          fmt::format("{}: problem {}: position {}: {}", path, problems.size() + 1, read.error->position, read.error->message));
    }
    problems.push_back(std::move(read.state));
  }
  if (problems.empty()) throw Error(fmt::format("{}: there is no problem in it", path));
  return problems;
}

}  // namespace conpole::cli
