#pragma once

namespace conpole::python {

extern const char* const kVersion;
extern const char* const kCommit;  // empty if it is not known

}  // namespace conpole::python
