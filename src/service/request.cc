#include "service/request.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "tutor/format.h"
#include "util/text.h"

namespace conpole {
namespace {

// A list in an object in the request is as deep as it gets; progress is one deeper.
constexpr int kMaxDepth = 8;

std::string_view KindOf(const ServiceJson& json) {
  if (json.is_string()) return "a text";
  if (json.is_boolean()) return "true or false";
  if (json.is_number()) return "a number";
  if (json.is_array()) return "a list";
  if (json.is_object()) return "an object";
  return "null";
}

[[noreturn]] void WrongKind(std::string_view name, std::string_view expected, const ServiceJson& found) {
  throw RequestProblem(400, Message("'{}' must be {}, not {}", name, expected, KindOf(found)), std::string(name));
}

std::string CheckedText(const ServiceJson& value, std::string name, std::size_t most_bytes = kMaxTextBytes) {
  std::string text = value.get<std::string>();
  if (text.size() <= most_bytes) return text;
  RequestProblem problem(422, Message("the text has {} bytes, more than the allowed {}", text.size(), most_bytes),
                         std::move(name));
  problem.position = most_bytes;
  throw problem;
}

ServiceJson ParseObject(std::string_view text) {
  const auto limit_depth = [](int depth, ServiceJson::parse_event_t, ServiceJson&) {
    if (depth > kMaxDepth) throw RequestProblem(400, Message("the request nests more than {} levels deep", kMaxDepth));
    return true;
  };
  ServiceJson json;
  try {
    json = ServiceJson::parse(text.begin(), text.end(), limit_depth);
  } catch (const ServiceJson::parse_error& error) {
    RequestProblem problem(400, Message("the request is not JSON: it goes wrong at byte {}", error.byte));
    problem.position = error.byte;
    throw problem;
  } catch (const ServiceJson::exception&) {
    throw RequestProblem(400, "the request has a number that is too large");
  }
  if (!json.is_object()) throw RequestProblem(400, Message("the request must be a JSON object, not {}", KindOf(json)));
  return json;
}

}  // namespace

std::string_view StatusTitle(int status) {
  static constexpr std::array<std::pair<int, std::string_view>, 16> kTitles{{{400, "Bad Request"},
                                                                             {401, "Unauthorized"},
                                                                             {403, "Forbidden"},
                                                                             {404, "Not Found"},
                                                                             {405, "Method Not Allowed"},
                                                                             {408, "Request Timeout"},
                                                                             {409, "Conflict"},
                                                                             {413, "Content Too Large"},
                                                                             {415, "Unsupported Media Type"},
                                                                             {422, "Unprocessable Content"},
                                                                             {424, "Failed Dependency"},
                                                                             {429, "Too Many Requests"},
                                                                             {431, "Request Header Fields Too Large"},
                                                                             {500, "Internal Server Error"},
                                                                             {501, "Not Implemented"},
                                                                             {503, "Service Unavailable"}}};
  for (const auto& [code, title] : kTitles) {
    if (code == status) return title;
  }
  return "Error";
}

std::string FormatProblem(const RequestProblem& problem, std::string_view language) {
  ServiceJson json{{"type", problem.type},
                   {"title", StatusTitle(problem.status)},
                   {"status", problem.status},
                   {"detail", SayIn(language, problem.detail)}};
  if (!problem.field.empty()) json["field"] = problem.field;
  if (problem.position) json["position"] = *problem.position;
  if (problem.understood) json["understood"] = *problem.understood;
  if (!problem.model.empty()) json["model"] = problem.model;
  return DumpJson(json);
}

RequestFields::RequestFields(std::string_view text) : object_(ParseObject(text)) {}

const ServiceJson* RequestFields::Find(std::string_view name) {
  known_.emplace(name);
  const auto found = object_.find(name);
  if (found == object_.end()) return nullptr;
  if (found->is_null()) throw RequestProblem(400, Message("'{}' must not be null; leave it out", name), std::string(name));
  return &*found;
}

std::optional<std::string> RequestFields::OptionalText(std::string_view name, std::size_t most_bytes) {
  const ServiceJson* const value = Find(name);
  if (value == nullptr) return std::nullopt;
  if (!value->is_string()) WrongKind(name, "a text", *value);
  return CheckedText(*value, std::string(name), most_bytes);
}

std::string RequestFields::Text(std::string_view name) {
  std::optional<std::string> text = OptionalText(name);
  if (!text) throw RequestProblem(400, Message("'{}' is missing", name), std::string(name));
  return *std::move(text);
}

std::string RequestFields::Choice(std::string_view name, const std::vector<std::string_view>& words) {
  std::optional<std::string> text = OptionalText(name);
  if (!text) return std::string(words.front());
  if (std::find(words.begin(), words.end(), *text) == words.end()) {
    throw RequestProblem(
        400, Message("'{}' must be one of {}, not {}", name, fmt::format("{}", fmt::join(words, ", ")), Shown(*text)),
        std::string(name));
  }
  return *std::move(text);
}

std::optional<std::uint64_t> RequestFields::Number(std::string_view name, std::uint64_t low, std::uint64_t high) {
  const ServiceJson* const value = Find(name);
  if (value == nullptr) return std::nullopt;
  // 3.0 is a whole number too: not every program that writes JSON tells them apart.
  const bool is_whole =
      value->is_number_unsigned() || (value->is_number_float() && value->get<double>() >= 0 && value->get<double>() < 0x1p53 &&
                                      value->get<double>() == static_cast<double>(value->get<std::uint64_t>()));
  const std::uint64_t number = is_whole ? value->get<std::uint64_t>() : 0;
  if (!is_whole || number < low || number > high) {
    const Message given = value->is_number() ? Message(value->dump()) : Message(KindOf(*value));
    throw RequestProblem(400, Message("'{}' must be a whole number from {} to {}, not {}", name, low, high, given),
                         std::string(name));
  }
  return number;
}

std::optional<bool> RequestFields::Flag(std::string_view name) {
  const ServiceJson* const value = Find(name);
  if (value == nullptr) return std::nullopt;
  if (!value->is_boolean()) WrongKind(name, "true or false", *value);
  return value->get<bool>();
}

std::optional<std::vector<std::string>> RequestFields::OptionalTexts(std::string_view name, std::size_t most) {
  const ServiceJson* const value = Find(name);
  if (value == nullptr) return std::nullopt;
  if (!value->is_array()) WrongKind(name, "a list of texts", *value);
  if (value->empty() || value->size() > most) {
    throw RequestProblem(400, Message("'{}' must have 1 to {} texts, not {}", name, most, value->size()), std::string(name));
  }
  std::vector<std::string> texts;
  for (const ServiceJson& text : *value) {
    if (!text.is_string()) WrongKind(name, "a list of texts alone", text);
    texts.push_back(CheckedText(text, fmt::format("{}[{}]", name, texts.size())));
  }
  return texts;
}

std::vector<std::string> RequestFields::Texts(std::string_view name, std::size_t most) {
  std::optional<std::vector<std::string>> texts = OptionalTexts(name, most);
  if (!texts) throw RequestProblem(400, Message("'{}' is missing", name), std::string(name));
  return *std::move(texts);
}

const ServiceJson& RequestFields::List(std::string_view name, std::size_t most) {
  const ServiceJson* const value = Find(name);
  if (value == nullptr) throw RequestProblem(400, Message("'{}' is missing", name), std::string(name));
  if (!value->is_array()) WrongKind(name, "a list", *value);
  if (value->empty() || value->size() > most) {
    throw RequestProblem(400, Message("'{}' must have 1 to {} entries, not {}", name, most, value->size()), std::string(name));
  }
  return *value;
}

const ServiceJson* RequestFields::Object(std::string_view name) {
  const ServiceJson* const value = Find(name);
  if (value != nullptr && !value->is_object()) WrongKind(name, "an object", *value);
  return value;
}

void RequestFields::RequireNoOthers() const {
  for (const auto& [name, value] : object_.items()) {
    if (known_.contains(name)) continue;
    throw RequestProblem(
        400, Message("there is no field {}; there are: {}", Shown(name), fmt::format("{}", fmt::join(known_, ", "))), name);
  }
}

}  // namespace conpole
