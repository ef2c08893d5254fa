// Requests of the service as JSON objects, and what is said about those that cannot be answered. A request belongs to one call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "conpole/message.h"

namespace conpole {

using ServiceJson = nlohmann::ordered_json;

// Why there is no answer, as RFC 9457 has it ("problem details"). Thrown by whatever finds out, caught where the call ends.
struct RequestProblem : std::exception {
  RequestProblem(int what_status, Message what_detail, std::string what_field = {})
      : status(what_status), detail(std::move(what_detail)), field(std::move(what_field)) {}

  int status;                                        // of HTTP
  Message detail;                                    // a sentence for people
  std::string field;                                 // of the request that is to blame; empty if none is
  std::optional<std::size_t> position = {};          // the byte in the field's text
  std::optional<std::string> understood = {};        // what comes before it
  std::string type = "about:blank";                  // what programs tell problems apart by
  std::string model = {};                            // the file that is missing
  std::optional<unsigned> retry_after_seconds = {};  // when it is worth asking again

  const char* what() const noexcept override { return detail.english().c_str(); }
};

// The problem as JSON, with its sentence in this language.
std::string FormatProblem(const RequestProblem& problem, std::string_view language = "en");
// Longer texts are refused: no problem that people write is that long, and what can be done with a text grows faster than it.
inline constexpr std::size_t kMaxTextBytes = 1'024;
// Of the text of a domain file.
inline constexpr std::size_t kMaxDomainBytes = std::size_t{64} << 10;

// What HTTP calls a status: "Bad Request".
std::string_view StatusTitle(int status);

// The fields of a request. Every operation asks for all of its fields, by their names, and then for RequireNoOthers, before it
// does anything. All methods throw RequestProblem, which names the field.
class RequestFields {
 public:
  // Text that should be a JSON object. Nothing nests deeply in a request.
  explicit RequestFields(std::string_view text);

  std::string Text(std::string_view name);
  std::optional<std::string> OptionalText(std::string_view name, std::size_t most_bytes = kMaxTextBytes);
  // One of a few words; the first is the default.
  std::string Choice(std::string_view name, const std::vector<std::string_view>& words);
  // From low to high, both included.
  std::optional<std::uint64_t> Number(std::string_view name, std::uint64_t low, std::uint64_t high);
  std::optional<bool> Flag(std::string_view name);
  // A list of 1 to `most` texts.
  std::vector<std::string> Texts(std::string_view name, std::size_t most);
  std::optional<std::vector<std::string>> OptionalTexts(std::string_view name, std::size_t most);
  // A list of at least one and at most `most` values.
  const ServiceJson& List(std::string_view name, std::size_t most);
  // An object; null if there is none.
  const ServiceJson* Object(std::string_view name);

  void RequireNoOthers() const;

 private:
  // Null if it is missing; null in JSON is an error.
  const ServiceJson* Find(std::string_view name);

  ServiceJson object_;
  std::set<std::string, std::less<>> known_;
};

}  // namespace conpole
