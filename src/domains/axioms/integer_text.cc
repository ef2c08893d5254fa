#include "domains/axioms/integer_text.h"

#include <charconv>
#include <system_error>

#include "util/text.h"

namespace conpole {

const char* ReadInteger(const char* at, const char* end, std::int64_t& value, TermError& error) {
  if (at == end || !IsDigit(*at)) {
    error = {at, term_internal::Expected("a digit", at, end)};
    return nullptr;
  }
  const auto [past, failure] = std::from_chars(at, end, value);
  if (failure != std::errc()) {
    error = {at, "the number does not fit into 64 bits"};
    return nullptr;
  }
  return past;
}

}  // namespace conpole
