#include "experiments/markdown.h"

#include <algorithm>
#include <cstddef>

#include <fmt/format.h>

#include "conpole/error.h"

namespace conpole::cli {

std::string MarkdownTable(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths(rows.front().size(), 3);
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    text += '|';
    for (std::size_t i = 0; i < rows[r].size(); ++i) text += fmt::format(" {:<{}} |", rows[r][i], widths[i]);
    text += '\n';
    if (r != 0) continue;
    text += '|';
    for (const std::size_t width : widths) text += std::string(width + 2, '-') + '|';
    text += '\n';
  }
  return text;
}

std::string BeginOfPart(std::string_view name) {
  return fmt::format("<!-- {}: begin, written by conpole reproduce {} -->\n", name, name);
}

std::string EndOfPart(std::string_view name) { return fmt::format("<!-- {}: end -->\n", name); }

std::string PutIntoPage(const std::string& page, std::string_view name, const std::string& text) {
  const std::string begin_line = BeginOfPart(name);
  const std::string end_line = EndOfPart(name);
  const std::size_t begin = page.find(begin_line);
  const std::size_t end = page.find(end_line);
  if (begin == std::string::npos || end == std::string::npos || end < begin) {
    throw Error(fmt::format("the page has no place for the table, which is between the lines {} and {}",
                            begin_line.substr(0, begin_line.size() - 1), end_line.substr(0, end_line.size() - 1)));
  }
  return page.substr(0, begin + begin_line.size()) + text + page.substr(end);
}

}  // namespace conpole::cli
