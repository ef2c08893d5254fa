#include "cli/output.h"

#include <iostream>

#include "conpole/error.h"

namespace conpole::cli {

void PrintLine(std::string_view text) {
  std::cout << text << '\n' << std::flush;
  if (!std::cout) throw Error("cannot write to standard output");
}

void PrintJsonLine(const Json& object) { PrintLine(object.dump(-1, ' ', false, Json::error_handler_t::replace)); }

}  // namespace conpole::cli
