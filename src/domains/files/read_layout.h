// The statements of domain files that are about layouts. Any thread may call these.
#pragma once

#include <cstddef>
#include <string>

#include "domains/files/definition.h"
#include "domains/files/statement.h"

namespace conpole::files {

// Reads the rest of a statement that begins with this word. False if it is none of layouts. Throws FileError.
bool ReadLayoutStatement(const std::string& word, StatementReader& reader, Definition& file);

// Throws FileError, at `end`, if something is missing.
void FinishLayout(const Source& source, std::size_t end, const Definition& file);

// The permutations of a text in the notation of GAP, as statements of a domain file.
std::string MovesOfGap(const std::string& text);

}  // namespace conpole::files
