// What the tutor says in more than fifty situations, in every language: tests/golden/languages/LANGUAGE.txt has it, with
// plurals, articles, elisions and agreement as they come out once the slots are filled. CONPOLE_UPDATE_GOLDEN=1 writes the
// files anew; read them before you commit them.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "language/catalogue.h"
#include "service/model_shelf.h"
#include "service/service.h"

namespace conpole {
namespace {

using Json = nlohmann::ordered_json;

struct Question {
  std::string_view operation;
  std::string_view request;
};

// None needs a model.
constexpr Question kQuestions[]{
    {"solve", R"j({"problem": "2x + 3 = 7", "detail": "why"})j"},
    {"solve", R"j({"problem": "3(x - 2) = 9 - (x + 1)"})j"},
    {"solve", R"j({"problem": "x/2 + 1/3 = 5/6"})j"},
    {"solve", R"j({"problem": "x^2 = 9"})j"},
    {"solve", R"j({"problem": "x^2 - 5x + 6 = 0"})j"},
    {"solve", R"j({"problem": "x^2 + x + 1 = 0"})j"},
    {"solve", R"j({"problem": "x^3 = 8"})j"},
    {"solve", R"j({"problem": "4/x = 2"})j"},
    {"solve", R"j({"problem": "2x + 1 = 2x + 3"})j"},
    {"solve", R"j({"problem": "2(x + 1) = 2x + 2"})j"},
    {"solve", R"j({"problem": "1/2 + 1/3"})j"},
    {"solve", R"j({"problem": "3/4 : 2/5"})j"},
    {"solve", R"j({"problem": "0.5x = 1.25"})j"},
    {"solve", R"j({"problem": "x^2 = 2.25"})j"},
    {"hint", R"j({"line": "2x + 3 = 7", "level": 1})j"},
    {"hint", R"j({"line": "2x + 3 = 7", "level": 2})j"},
    {"hint", R"j({"line": "2x + 3 = 7", "level": 3})j"},
    {"hint", R"j({"line": "x = 2", "level": 1})j"},
    {"hint", R"j({"line": "2x + 3 = 7", "level": 2, "tried": "2x = 7 + 3"})j"},
    {"hint", R"j({"line": "x/3 = 2", "level": 1})j"},
    {"hint", R"j({"line": "x^2 = 16", "level": 1})j"},
    {"check", R"j({"problem": "2x + 3 = 7", "lines": ["2x = 10"]})j"},
    {"check", R"j({"problem": "2x + 3 = 7", "lines": ["2x = 4", "x = 2"]})j"},
    {"check", R"j({"problem": "2x + 3 = 7", "lines": ["2x + 5 = 9"]})j"},
    {"check", R"j({"problem": "2x + 3 = 7", "lines": ["2x + 3 = 7"]})j"},
    {"check", R"j({"problem": "3(x + 2) = 20 - (x + 5)", "lines": ["3x + 2 = 20 - x + 5"]})j"},
    {"check", R"j({"problem": "1/2 + 1/3", "lines": ["2/5"]})j"},
    {"check", R"j({"problem": "x^2 = 9", "lines": ["x = 3"]})j"},
    {"check", R"j({"problem": "(x + 1)^2 = 9", "lines": ["x^2 + 1 = 9"]})j"},
    {"check", R"j({"problem": "5x = 20", "lines": ["x = 15"]})j"},
    {"check", R"j({"problem": "x/4 = 3", "lines": ["x = 7"]})j"},
    {"check", R"j({"problem": "2x = 8", "lines": ["2x = 8x"]})j"},
    {"check", R"j({"problem": "7 * 8 + x = 60", "lines": ["54 + x = 60"]})j"},
    {"check", R"j({"problem": "x(x - 1) = 0", "lines": ["x - 1 = 0"]})j"},
    {"check", R"j({"problem": "2x + = 7", "lines": ["x = 2"]})j"},
    {"check", R"j({"problem": "2x = 4", "lines": ["x ="]})j"},
    {"check", R"j({"problem": "x + 4 = 9", "lines": ["x = 5,0"]})j"},
    {"read", R"j({"text": "3(x + 1)/2 = x^2 - 4", "markup": true})j"},
    {"read", R"j({"text": "x = sqrt(2) or x = -1.5", "markup": true})j"},
    {"read", R"j({"text": "2x = 3,141"})j"},
    {"read", R"j({"text": "2x + + 3"})j"},
    {"progress", R"j({"progress": {}, "skill": "one-step", "level": 1, "solved_without_help": true})j"},
    {"progress", R"j({"progress": {}, "skill": "one-step", "level": 1, "solved_without_help": false})j"},
    {"progress", R"j({"progress": {}, "skill": "one-step", "level": 9, "solved_without_help": true})j"},
    {"solve", R"j({"problem": "2x = 4", "detail": "much"})j"},
    {"solve", R"j({"problem": 5})j"},
    {"hint", R"j({"line": "2x = 4", "level": 9})j"},
};

// What only a search without luck or a cube says: an entry, and what is in its slots.
struct Entry {
  std::string_view id;
  Catalogue::Slots slots;
};
const std::vector<Entry>& Entries() {
  static const std::vector<Entry> entries{
      {"status.out_of_steps", {{"one", "1"}}},
      {"status.out_of_steps", {{"limit", "8"}}},
      {"status.out_of_expansions", {{"one", "1"}}},
      {"status.out_of_expansions", {{"limit", "500"}}},
      {"status.out_of_successors", {{"one", "1"}}},
      {"status.out_of_successors", {{"limit", "11"}}},
      {"status.several_solutions",
       {{"count", "2"},
        {"decimals", "x = 0 or x ≈ 1.1673"},
        {"polynomial", "x^5 - x - 1"},
        {"between", "1.16730 < x < 1.16731"}}},
      {"status.irrational", {{"decimals", "x ≈ 1.1673"}, {"polynomial", "x^5 - x - 1"}, {"between", "1.16730 < x < 1.16731"}}},
      {"status.every_number", {{"exceptions", "0"}}},
      {"answer.several_solutions", {{"count", "2"}}},
      {"status.decimals", {{"decimals", "x ≈ 1.1673"}}},
      {"turns.quarter", {{"one", "1"}}},
      {"turns.quarter", {{"quarter", "8"}, {"half", "8"}}},
      {"turns.half", {{"one_half", "1"}}},
      {"turns.half", {{"quarter", "11"}, {"half", "8"}}},
      {"cube.exchanged", {{"first", "UF"}, {"second", "UR"}}},
      {"cube.twisted_flipped", {{"corner", "UFR"}, {"edge", "UF"}}},
      {"speech.cube", {{"count", "8"}}},
      {"sorting.swap", {{"left", "3"}, {"right", "1"}}},
      {"fractions.scale", {{"number", "8"}}},
      {"equations.dist", {{"term", "2(x + 3)"}, {"result", "2x + 6"}}},
      {"check.missing_bar", {{"before", "3"}}},
      {"check.extra_number", {{"after", "11"}}},
      {"algebra.root", {{"even", "4"}}},
      {"algebra.eliminate", {{"term", "y"}}},
      {"algebra.solve-for", {{"term", "a"}}},
      {"practice.exercise_of", {{"number", "2"}, {"skill", "x"}, {"level", "1"}, {"levels", "3"}, {"problem", "2x = 4"}}},
      {"practice.end", {{"solved", "1"}, {"number", "8"}}},
  };
  return entries;
}

// The sentences of a part of an answer that has this name, in its order, and each once.
void Collect(std::string_view name, const Json& part, std::set<std::string>& seen, std::vector<std::string>& sentences) {
  static const std::set<std::string, std::less<>> kSaid{"text",   "message", "detail",  "reason",  "why",
                                                        "speech", "answer",  "reading", "notation"};
  if (part.is_object()) {
    for (const auto& [key, value] : part.items()) Collect(key, value, seen, sentences);
  } else if (part.is_array()) {
    for (const Json& value : part) Collect(name, value, seen, sentences);
  } else if (part.is_string() && kSaid.contains(name)) {
    const auto sentence = part.get<std::string>();
    if (!sentence.empty() && seen.insert(sentence).second) sentences.push_back(sentence);
  }
}

std::vector<std::string> TranscriptIn(const std::string& language) {
  ServiceOptions options;
  options.limits.milliseconds = options.limits.max_milliseconds = 600'000;
  options.models = std::make_unique<HandedModels>();
  Service service(std::move(options));
  std::vector<std::string> lines;
  std::set<std::string> seen;
  for (const Question& question : kQuestions) {
    Json request = Json::parse(question.request);
    lines.push_back("# " + std::string(question.operation) + " " + request.dump());
    request["language"] = language;
    const ServiceAnswer answer = service.Answer(question.operation, request.dump());
    EXPECT_NE(answer.status, 424) << request;
    Collect("", Json::parse(answer.body), seen, lines);
  }
  lines.emplace_back("# sentences");
  for (const Entry& entry : Entries()) lines.push_back(Catalogue::Find(language).Sentence(entry.id, entry.slots));
  return lines;
}

class LanguagesTest : public testing::TestWithParam<std::string> {};

TEST_P(LanguagesTest, SaysWhatWasReviewed) {
  const std::vector<std::string> lines = TranscriptIn(GetParam());
  const auto is_sentence = [](const std::string& line) { return !line.starts_with("# "); };
  EXPECT_GE(std::count_if(lines.begin(), lines.end(), is_sentence), 100);
  const std::filesystem::path path = std::filesystem::path(CONPOLE_SOURCE) / "tests/golden/languages" / (GetParam() + ".txt");
  if (std::getenv("CONPOLE_UPDATE_GOLDEN") != nullptr) {
    std::filesystem::create_directories(path.parent_path());
    std::ofstream file(path);
    for (const std::string& line : lines) file << line << '\n';
    return;
  }
  std::ifstream file(path);
  ASSERT_TRUE(file) << "there is no " << path << "; CONPOLE_UPDATE_GOLDEN=1 writes it";
  std::size_t number = 0;
  for (std::string reviewed; std::getline(file, reviewed); ++number) {
    ASSERT_LT(number, lines.size()) << path << " has more lines";
    ASSERT_EQ(lines[number], reviewed) << "line " << number + 1 << " of " << path;
  }
  EXPECT_EQ(number, lines.size()) << path << " has fewer lines";
}

INSTANTIATE_TEST_SUITE_P(All, LanguagesTest, testing::ValuesIn(Catalogue::Languages()),
                         [](const auto& language) { return language.param; });

// A file that begins as a copy of another language's is translated as a whole.
TEST(CatalogueLanguagesTest, NoSentenceIsLeftInAnotherLanguage) {
  const Catalogue::Entries& english = Catalogue::Find("en").entries();
  const Catalogue::Entries& german = Catalogue::Find("de").entries();
  for (const std::string& language : Catalogue::Languages()) {
    if (language == "en" || language == "de") continue;
    std::size_t same = 0;
    for (const auto& [id, sentences] : Catalogue::Find(language).entries()) {
      const auto model = english.find(id);
      const auto other = german.find(id);
      const bool is_english = model != english.end() && model->second == sentences;
      if (is_english || (other != german.end() && other->second == sentences)) ++same;
    }
    EXPECT_LE(same, 6U) << language;  // words such as "plus", and those without words
  }
}

}  // namespace
}  // namespace conpole
