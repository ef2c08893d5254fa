#include "classroom/classroom.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <limits>
#include <random>
#include <utility>

#include <fmt/format.h>

#include "classroom/results.h"
#include "conpole/error.h"

namespace conpole {
namespace {

constexpr std::size_t kKeyLetters = 26;   // 130 bits
constexpr std::size_t kCodeLetters = 10;  // 50 bits, of one set
constexpr std::size_t kMaxNameBytes = 60;
constexpr std::size_t kMaxTitleBytes = 400;
constexpr std::uint64_t kMaxNumber = std::uint64_t{1} << 53;
constexpr std::uint64_t kMaxSeconds = 31 * 86'400;
constexpr Seconds kDay = 86'400;

// Small letters and digits that are not taken for one another when they are copied by hand.
std::string RandomKey(std::size_t letters) {
  static constexpr std::string_view kLetters = "abcdefghijkmnpqrstuvwxyz23456789";
  static_assert(kLetters.size() == 32);
  std::random_device random;
  std::string key;
  while (key.size() < letters) key += kLetters[random() % kLetters.size()];
  return key;
}

bool IsCode(std::string_view text) {
  return text.size() >= kCodeLetters && text.size() <= kKeyLetters &&
         std::all_of(text.begin(), text.end(), [](char c) { return (c >= 'a' && c <= 'z') || (c >= '2' && c <= '9'); });
}

std::string Named(std::string text, std::string_view field, std::size_t most) {
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; };
  if (text.size() > most || std::any_of(text.begin(), text.end(), is_control)) {
    throw RequestProblem(400, Message("'{}' must have at most {} bytes, on one line", field, most), std::string(field));
  }
  while (text.starts_with(' ')) text.erase(0, 1);
  while (text.ends_with(' ')) text.pop_back();
  return text;
}

Seconds SystemNow() {
  return std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch()).count();
}

std::string TextOf(const ServiceJson& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

}  // namespace

struct Classroom::Operation {
  std::string_view name;
  std::string (Classroom::*answer)(RequestFields&, const ServiceCall&) const;
};

// Who works on what.
struct Classroom::Place {
  KeptSet set;
  KeptPupil pupil;
  std::uint64_t number = 0;
  std::size_t exercise = 0;
  ServiceJson problem = {};  // the exercise: domain, problem, notation
};

Classroom::Classroom(Service& service, std::unique_ptr<ClassStore> store, ClassroomOptions options)
    : service_(service), store_(std::move(store)), options_(std::move(options)) {
  if (!options_.now) options_.now = SystemNow;
  DeleteOld();
}

void Classroom::DeleteOld() { store_->DeleteOld(options_.now()); }

std::vector<std::string_view> Classroom::Operations() {
  return {"make", "set", "join", "pupil", "work", "hint", "solution", "results", "csv", "delete"};
}

ServiceAnswer Classroom::Answer(std::string_view operation, std::string_view request, const ServiceCall& call) {
  static constexpr std::array<Operation, 10> kOperations{{{"make", &Classroom::Make},
                                                          {"set", &Classroom::Set},
                                                          {"join", &Classroom::Join},
                                                          {"pupil", &Classroom::Pupil},
                                                          {"work", &Classroom::Work},
                                                          {"hint", &Classroom::Hint},
                                                          {"solution", &Classroom::Solution},
                                                          {"results", &Classroom::Results},
                                                          {"csv", &Classroom::Csv},
                                                          {"delete", &Classroom::Delete}}};
  try {
    const auto* const found =
        std::find_if(kOperations.begin(), kOperations.end(), [&](const Operation& one) { return one.name == operation; });
    if (found == kOperations.end()) throw RequestProblem(404, "there is no such operation");
    RequestFields fields(request.empty() ? "{}" : request);
    return {200, (this->*found->answer)(fields, call)};
  } catch (const RequestProblem& problem) {
    return {problem.status, FormatProblem(problem, LanguageOf(request)), problem.retry_after_seconds.value_or(0)};
  } catch (const std::exception& error) {
    // The disk is full, for example: whoever sent it keeps it and sends it again.
    return {503, FormatProblem(RequestProblem(503, Message("nothing can be kept at the moment: {}", error.what()))), 10};
  }
}

std::string Classroom::LanguageOf(std::string_view request) const {
  const ServiceJson fields = ServiceJson::parse(request, nullptr, false);
  if (!fields.is_object()) return "en";
  if (std::string language = TextOf(fields, "language"); !language.empty()) return language;
  try {
    std::optional<KeptSet> set = store_->FindByPupilsKey(TextOf(fields, "set"));
    if (!set) set = store_->FindByResultsKey(TextOf(fields, "results"));
    return set ? set->language : "en";
  } catch (const std::exception&) {
    return "en";
  }
}

KeptSet Classroom::SetOf(RequestFields& fields) const {
  std::optional<KeptSet> set = store_->FindByPupilsKey(fields.Text("set"));
  if (!set || set->until <= options_.now()) throw RequestProblem(404, "there is no such set, or not any more", "set");
  return *std::move(set);
}

KeptSet Classroom::SetOfResults(RequestFields& fields) const {
  std::optional<KeptSet> set = store_->FindByResultsKey(fields.Text("results"));
  if (!set || set->until <= options_.now()) throw RequestProblem(404, "there are no such results, or not any more", "results");
  return *std::move(set);
}

Classroom::Place Classroom::FindPlace(RequestFields& fields) const {
  Place place{.set = SetOf(fields), .pupil = {}};
  std::optional<KeptPupil> pupil = store_->FindPupil(place.set.id, fields.Text("pupil"));
  if (!pupil) throw RequestProblem(404, "there is no such pupil, or not any more", "pupil");
  place.pupil = *std::move(pupil);
  const ServiceJson exercises = ServiceJson::parse(place.set.exercises);
  const std::optional<std::uint64_t> exercise = fields.Number("exercise", 1, exercises.size());
  const std::optional<std::uint64_t> number = fields.Number("number", 0, kMaxNumber);
  if (!exercise) throw RequestProblem(400, "'exercise' is missing", "exercise");
  if (!number) throw RequestProblem(400, "'number' is missing", "number");
  place.exercise = static_cast<std::size_t>(*exercise - 1);
  place.number = *number;
  place.problem = exercises[place.exercise];
  return place;
}

// What the service says. What is wrong is blamed on a field of the request here.
ServiceJson Classroom::Ask(std::string_view operation, const ServiceJson& request, const ServiceCall& call,
                           const std::string& field) const {
  const ServiceAnswer answer = service_.Answer(operation, request.dump(), call);
  ServiceJson json = ServiceJson::parse(answer.body);
  if (answer.ok()) return json;
  RequestProblem problem(answer.status, TextOf(json, "detail"), field);
  if (answer.retry_after_seconds != 0) problem.retry_after_seconds = answer.retry_after_seconds;
  throw problem;
}

ServiceJson Classroom::Resolve(const ServiceJson& item, const std::string& language, const ServiceCall& call,
                               std::size_t index) const {
  const std::string field = fmt::format("items[{}]", index);
  if (!item.is_object()) throw RequestProblem(400, Message("'{}' must be an object", field), field);
  ServiceJson request = item;
  request["language"] = language;
  const bool is_skill = item.contains("skill");
  if (!is_skill) {
    if (!item.contains("problem")) throw RequestProblem(400, Message("'{}' is missing", field + ".problem"), field);
    // A problem is read as the operation `read` does.
    request["text"] = item["problem"];
    request.erase("problem");
  }
  const ServiceJson read = Ask(is_skill ? "exercise" : "read", request, call, field);
  return {{"domain", read["domain"]}, {"problem", read[is_skill ? "problem" : "state"]}, {"notation", read["notation"]}};
}

std::string Classroom::Make(RequestFields& fields, const ServiceCall& call) const {
  KeptSet set;
  set.title = Named(fields.OptionalText("title").value_or(""), "title", kMaxTitleBytes);
  set.language = fields.OptionalText("language").value_or("en");
  set.hints = fields.Flag("hints").value_or(true);
  const std::uint64_t days = fields.Number("days", 1, options_.keep_days).value_or(options_.keep_days);
  const ServiceJson& items = fields.List("items", options_.max_exercises);
  fields.RequireNoOthers();
  if (store_->CountSets() >= options_.max_sets) throw RequestProblem(503, "there are too many sets on this server");
  ServiceJson exercises = ServiceJson::array();
  for (const ServiceJson& item : items) exercises.push_back(Resolve(item, set.language, call, exercises.size()));
  set.exercises = exercises.dump();
  set.pupils_key = RandomKey(kKeyLetters);
  set.results_key = RandomKey(kKeyLetters);
  set.made = options_.now();
  set.until = set.made + static_cast<Seconds>(days) * kDay;
  store_->AddSet(set);
  return ServiceJson{{"pupils", set.pupils_key}, {"results", set.results_key}, {"until", TimeText(set.until)}}.dump();
}

std::string Classroom::Set(RequestFields& fields, const ServiceCall&) const {
  const KeptSet set = SetOf(fields);
  fields.RequireNoOthers();
  ServiceJson answer{{"title", set.title},
                     {"language", set.language},
                     {"hints", set.hints},
                     {"until", TimeText(set.until)},
                     {"exercises", ServiceJson::parse(set.exercises)}};
  if (const std::optional<RecordStore>& records = options_.records) {
    answer["records"] = {{"endpoint", records->endpoint}};
    if (!records->auth.empty()) answer["records"]["auth"] = records->auth;
  }
  return answer.dump();
}

std::string Classroom::Join(RequestFields& fields, const ServiceCall&) const {
  const KeptSet set = SetOf(fields);
  // Whoever chooses the code may ask twice, when the answer was lost.
  const KeptPupil pupil{.code = fields.OptionalText("pupil").value_or(RandomKey(kCodeLetters)),
                        .name = Named(fields.Text("name"), "name", kMaxNameBytes)};
  fields.RequireNoOthers();
  if (pupil.name.empty()) throw RequestProblem(400, "a name is needed", "name");
  if (!IsCode(pupil.code)) throw RequestProblem(400, "'pupil' must have 10 to 26 of the letters a to z and 2 to 9", "pupil");
  const std::optional<KeptPupil> known = store_->FindPupil(set.id, pupil.code);
  if (known && known->name == pupil.name) return ServiceJson{{"pupil", pupil.code}, {"name", pupil.name}}.dump();
  switch (store_->AddPupil(set.id, pupil, options_.now(), options_.max_pupils)) {
    case ClassStore::Joined::kYes:
      break;
    case ClassStore::Joined::kNameTaken:
      throw RequestProblem(409, "somebody has this name already", "name");
    case ClassStore::Joined::kTooMany:
      throw RequestProblem(409, "the class is full");
  }
  return ServiceJson{{"pupil", pupil.code}, {"name", pupil.name}}.dump();
}

std::string Classroom::Pupil(RequestFields& fields, const ServiceCall&) const {
  const KeptSet set = SetOf(fields);
  const std::optional<KeptPupil> pupil = store_->FindPupil(set.id, fields.Text("pupil"));
  fields.RequireNoOthers();
  if (!pupil) throw RequestProblem(404, "there is no such pupil, or not any more", "pupil");
  return ServiceJson{{"name", pupil->name}, {"work", WorkToJson(store_->EventsOf(pupil->id))}}.dump();
}

void Classroom::Keep(const Place& place, KeptEvent event) const {
  event.number = place.number;
  event.exercise = place.exercise;
  event.time = options_.now();
  if (!store_->AddEvent(place.pupil.id, event, options_.max_events)) {
    throw RequestProblem(409, "nobody works that much: no more is kept of this pupil");
  }
}

std::string Classroom::Work(RequestFields& fields, const ServiceCall& call) const {
  const Place place = FindPlace(fields);
  const std::string kind = fields.Choice("kind", {"line", "hint", "solution"});
  const std::optional<std::vector<std::string>> lines = fields.OptionalTexts("lines", service_.options().limits.lines);
  KeptEvent event{.kind = kind, .seconds = fields.Number("seconds", 0, kMaxSeconds).value_or(0)};
  fields.RequireNoOthers();
  if (kind != "line") {
    // A page that gives help all the same says nothing, or is found out.
    if (!place.set.hints) throw RequestProblem(403, "this set is without hints and solutions", "kind");
    Keep(place, std::move(event));
    return ServiceJson{{"kept", true}}.dump();
  }
  if (!lines) throw RequestProblem(400, "'lines' is missing", "lines");
  // One that is sent again, since its answer was lost, is answered as before.
  std::optional<KeptEvent> known = store_->FindEvent(place.pupil.id, place.number);
  if (!known) {
    const ServiceJson checked = Ask("check",
                                    {{"problem", place.problem["problem"]},
                                     {"domain", place.problem["domain"]},
                                     {"lines", *lines},
                                     {"language", place.set.language}},
                                    call, "lines");
    const ServiceJson& last = checked["lines"].back();
    event.line = lines->back();
    event.verdict = TextOf(last, "verdict");
    event.correct = last.contains("correct") && last["correct"] == true;
    event.mistake = TextOf(last, "mistake");
    Keep(place, event);
    known = event;
  }
  return ServiceJson{{"kept", true},
                     {"verdict", known->verdict},
                     {"correct", known->correct},
                     {"mistake", known->mistake.empty() ? ServiceJson() : ServiceJson(known->mistake)}}
      .dump();
}

std::string Classroom::Hint(RequestFields& fields, const ServiceCall& call) const {
  const Place place = FindPlace(fields);
  const std::optional<std::vector<std::string>> lines = fields.OptionalTexts("lines", service_.options().limits.lines);
  const std::uint64_t level = fields.Number("level", 1, 3).value_or(1);
  fields.RequireNoOthers();
  if (!place.set.hints) throw RequestProblem(403, "this set is without hints and solutions");
  ServiceJson hint = Ask("hint",
                         {{"line", lines ? ServiceJson(lines->back()) : place.problem["problem"]},
                          {"domain", place.problem["domain"]},
                          {"level", level},
                          {"language", place.set.language}},
                         call, "lines");
  Keep(place, {.kind = "hint"});
  return hint.dump();
}

std::string Classroom::Solution(RequestFields& fields, const ServiceCall& call) const {
  const Place place = FindPlace(fields);
  fields.RequireNoOthers();
  if (!place.set.hints) throw RequestProblem(403, "this set is without hints and solutions");
  ServiceJson solution = Ask(
      "solve", {{"problem", place.problem["problem"]}, {"domain", place.problem["domain"]}, {"language", place.set.language}},
      call, "exercise");
  Keep(place, {.kind = "solution"});
  return solution.dump();
}

std::string Classroom::Results(RequestFields& fields, const ServiceCall&) const {
  const KeptSet set = SetOfResults(fields);
  fields.RequireNoOthers();
  return ResultsToJson(set, store_->WorkOf(set.id)).dump();
}

std::string Classroom::Csv(RequestFields& fields, const ServiceCall&) const {
  const KeptSet set = SetOfResults(fields);
  fields.RequireNoOthers();
  return ResultsToCsv(set, store_->WorkOf(set.id));
}

std::string Classroom::Delete(RequestFields& fields, const ServiceCall&) const {
  const KeptSet set = SetOfResults(fields);
  const std::optional<std::string> name = fields.OptionalText("name");
  fields.RequireNoOthers();
  if (!name) {
    store_->DeleteSet(set.id);
  } else if (!store_->DeletePupil(set.id, *name)) {
    throw RequestProblem(404, "there is no pupil of this name", "name");
  }
  return ServiceJson{{"deleted", true}}.dump();
}

}  // namespace conpole
