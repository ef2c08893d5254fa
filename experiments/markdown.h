// Tables in Markdown, and pages of which a part is written by a command. Any thread may call these.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace conpole::cli {

// The first row is the head; all rows have as many cells. Columns are aligned.
std::string MarkdownTable(const std::vector<std::vector<std::string>>& rows);

// The lines between which a page has what `conpole reproduce NAME` writes, each with its end.
std::string BeginOfPart(std::string_view name);
std::string EndOfPart(std::string_view name);
// The page with `text` between these lines. Throws Error if the page has no place for it.
std::string PutIntoPage(const std::string& page, std::string_view name, const std::string& text);

}  // namespace conpole::cli
