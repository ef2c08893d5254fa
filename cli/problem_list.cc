#include "cli/problem_list.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/output.h"
#include "conpole/error.h"
#include "notation/notation.h"
#include "subjects/free_notation.h"
#include "util/read_file.h"
#include "util/text.h"

namespace conpole::cli {
namespace {

constexpr std::size_t kMaxFileBytes = std::size_t{1} << 28;
constexpr std::string_view kProblem = "problem";

// A problem before it is read. Of a line with a tab it is known only then whether the rest is a label.
struct Entry {
  std::string text;
  std::map<std::string, std::string> labels = {};
  std::string line = {};  // all of it; empty if it is the text
};

// A value of an object as a label; nothing if it is no simple one.
std::optional<std::string> LabelOf(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number() || value.is_boolean()) return value.dump();
  return std::nullopt;
}

Entry EntryOf(const Json& value) {
  if (value.is_string()) return {value.get<std::string>()};
  if (!value.is_object() || !value.contains(kProblem) || !value.at(kProblem).is_string()) {
    throw Error("neither a text nor an object with a text as \"problem\"");
  }
  Entry entry{value.at(kProblem).get<std::string>()};
  for (const auto& [name, content] : value.items()) {
    if (name == kProblem) continue;
    if (std::optional<std::string> label = LabelOf(content)) entry.labels[name] = *std::move(label);
  }
  return entry;
}

std::vector<Entry> EntriesOfJson(const Json& json) {
  std::vector<Entry> entries;
  if (json.is_object() && !json.contains(kProblem)) {
    for (const auto& [key, texts] : json.items()) {
      if (!texts.is_array()) throw Error(fmt::format("what belongs to {} is not a list of texts", Shown(key)));
      for (const Json& text : texts) {
        entries.push_back(EntryOf(text));
        entries.back().labels[std::string(kLabel)] = key;
      }
    }
    return entries;
  }
  if (!json.is_array()) return {EntryOf(json)};
  for (const Json& value : json) entries.push_back(EntryOf(value));
  return entries;
}

std::vector<std::string> LinesOf(const std::string& content) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < content.size();) {
    const std::size_t end = std::min(content.find('\n', begin), content.size());
    std::string line = content.substr(begin, end - begin);
    if (line.ends_with('\r')) line.pop_back();
    if (line.find_first_not_of(" \t") != std::string::npos) lines.push_back(std::move(line));
    begin = end + 1;
  }
  return lines;
}

Entry EntryOfLine(const std::string& line) {
  const std::size_t tab = line.rfind('\t');
  const std::string label = tab == std::string::npos ? "" : line.substr(tab + 1);
  if (label.find_first_not_of(' ') == std::string::npos) return {line};
  return {line.substr(0, tab), {{std::string(kLabel), label}}, line};
}

// A problem may begin as a list does, [3]/[4] or [=|==], or as LaTeX may; it has no quotation marks.
bool BeginsAsJson(const std::string& content, std::size_t first) {
  if (first == std::string::npos || (content[first] != '[' && content[first] != '{')) return false;
  return content.find('"', first) != std::string::npos;
}

std::vector<Entry> EntriesOf(const std::string& path, const std::string& content) {
  std::vector<Entry> entries;
  const std::size_t first = content.find_first_not_of(" \t\r\n");
  if (!BeginsAsJson(content, first)) {
    for (const std::string& line : LinesOf(content)) entries.push_back(EntryOfLine(line));
    return entries;
  }
  try {
    if (Json whole = Json::parse(content, nullptr, false); !whole.is_discarded()) return EntriesOfJson(whole);
    for (const std::string& line : LinesOf(content)) {
      const Json object = Json::parse(line, nullptr, false);
      if (!object.is_object()) throw Error("it is neither one JSON text nor one JSON object per line");
      entries.push_back(EntryOf(object));
    }
  } catch (const Error& error) {
    throw Error(
        fmt::format("{}: begins as JSON, but is not a list of texts: problem {}: {}", path, entries.size() + 1, error.what()));
  }
  return entries;
}

std::vector<ListedProblem> Read(const Domain& domain, const std::string& path, bool labels_of_lines) {
  std::vector<ListedProblem> problems;
  for (Entry& entry : EntriesOf(path, ReadRegularFile(path, kMaxFileBytes))) {
    NotationResult read;
    const bool is_whole_line = !labels_of_lines && !entry.line.empty();
    if (is_whole_line) read = ReadNotation(domain, entry.line);
    if (!is_whole_line || read.error) read = ReadNotation(domain, entry.text);
    if (read.error) {
      throw Error(fmt::format("{}: problem {}: position {}: {}", path, problems.size() + 1, read.error->position,
                              read.error->message.english()));
    }
    problems.push_back({std::move(entry.text), std::move(read.state), std::move(entry.labels)});
  }
  if (problems.empty()) throw Error(fmt::format("{}: there is no problem in it", path));
  return problems;
}

}  // namespace

std::vector<ListedProblem> ReadLabelledProblems(const Domain& domain, const std::string& path) {
  return Read(domain, path, true);
}

std::vector<std::string> ReadProblemList(const Domain& domain, const std::string& path) {
  std::vector<std::string> states;
  for (ListedProblem& problem : Read(domain, path, false)) states.push_back(std::move(problem.state));
  return states;
}

}  // namespace conpole::cli
