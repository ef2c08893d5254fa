#include "language/catalogue.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "conpole/domain.h"
#include "conpole/error.h"
#include "language/signs.h"
#include "subjects/subject.h"

namespace conpole {
namespace {

// The names of the slots of a sentence; a brace that is never closed is a slot of its own.
std::set<std::string> SlotsOf(const std::string& sentence) {
  std::set<std::string> slots;
  for (std::size_t open = sentence.find('{'); open != std::string::npos; open = sentence.find('{', open + 1)) {
    const std::size_t close = sentence.find('}', open);
    slots.insert(close == std::string::npos ? "not closed" : sentence.substr(open + 1, close - open - 1));
  }
  return slots;
}

TEST(CatalogueTest, FillsTheFirstSentenceThatItCan) {
  const Catalogue& english = Catalogue::Find("en");
  EXPECT_EQ(english.Sentence("equations.sub", {{"term", "3"}}), "Subtract 3 from both sides.");
  EXPECT_EQ(english.Sentence("equations.eval", {{"term", "2 + 3"}, {"result", "5"}}), "Compute 2 + 3 = 5.");
  EXPECT_EQ(english.Sentence("equations.eval", {{"term", "2 + 3"}}), "Compute 2 + 3.");
  EXPECT_EQ(english.Sentence("equations.eval", {{"term", "{result}"}}), "Compute {result}.");
  EXPECT_EQ(Catalogue::Find("de").Sentence("equations.sub", {{"term", "3"}}), "Subtrahiere 3 auf beiden Seiten.");
  EXPECT_THROW(english.Sentence("equations.sub", {}), Error);
  EXPECT_THROW(english.Sentence("equations.nonsense", {}), Error);
  EXPECT_THROW(Catalogue::Find("xx"), Error);
}

TEST(CatalogueTest, MathematicsHasTheSignsThatPeopleWrite) {
  EXPECT_EQ(WithSigns("2 * x * (-3) != 2sqrt(5)"), "2 · x · (-3) ≠ 2√5");
  EXPECT_EQ(WithSigns("x <= -sqrt(5 - 2sqrt(16)) or x >= cbrt(2)"), "x ≤ -√(5 - 2√16) or x ≥ ∛2");
  EXPECT_EQ(WithSigns(WithSigns("3 * sqrt(2)")), "3 · √2");
  EXPECT_EQ(WithSigns("2sqrt(6)i/4"), "2√6 · i/4");
  for (const std::string same : {"", "*", " * ", "* * .", "√2 · 3", "$\\sqrt{5} \\cdot 2$", "a*b"}) {
    EXPECT_EQ(WithSigns(same), same);
  }
  EXPECT_EQ(WithSigns("sqrt("), "√(");
  EXPECT_EQ(Catalogue::Find("en").Sentence("equations.eval", {{"term", "2 * 3"}, {"result", "6"}}), "Compute 2 · 3 = 6.");
}

TEST(MessageTest, IsASentenceAndWhatFillsIt) {
  const Message plain("the end");
  EXPECT_EQ(plain.id(), "the end");
  EXPECT_TRUE(plain.slots().empty());
  const Message message("expected {}, found {}; the limit is {}{}", plain, std::string("{}"), 7U, '!');
  EXPECT_EQ(message.id(), "expected {}, found {}; the limit is {}{}");
  ASSERT_EQ(message.slots().size(), 4U);
  EXPECT_EQ(message, "expected the end, found {}; the limit is 7!");
  // A text of a user is no sentence with slots.
  EXPECT_EQ(Message(std::string("{0} {}")), "{0} {}");

  const Error error(message);
  EXPECT_EQ(std::string(error.what()), message.english());
  EXPECT_EQ(Error(error).message().id(), message.id());
  EXPECT_EQ(Error("the end").message(), "the end");
}

TEST(CatalogueTest, ErrorsAreSaidWithWhatFillsThem) {
  EXPECT_EQ(SayIn("de", "the end"), "das Ende");
  EXPECT_EQ(SayIn("de", Message("expected {}, found {}", "a number or a term", "the end")),
            "erwartet wird eine Zahl oder ein Term, gefunden wurde das Ende");
  EXPECT_EQ(SayIn("de", Message("expected {}, found {}", "'{' and the numerator", "'x'")),
            "erwartet wird '{' und der Zähler, gefunden wurde 'x'");
  EXPECT_EQ(SayIn("de", Message("'{}' is not a problem of {}: position {}: {}", "the end, found", "algebra", 4,
                                Message("expected {}, found {}", "a digit", "the end"))),
            "'the end, found' ist keine Aufgabe für algebra: Stelle 4: erwartet wird eine Ziffer, gefunden wurde das Ende");
  EXPECT_EQ(SayIn("de", "something that nobody says"), "something that nobody says");
  EXPECT_EQ(SayIn("de", Message("nobody says {}", "the end")), "nobody says the end");
  EXPECT_EQ(SayIn("de", ""), "");
  EXPECT_EQ(SayIn("en", Message("expected {}, found {}", "a digit", "the end")), "expected a digit, found the end");
  EXPECT_EQ(SayIn("xx", "the end"), "the end");
}

// The texts in quotes of a file, with those that stand side by side as one.
std::set<std::string> LiteralsOf(const std::filesystem::path& path) {
  std::ifstream file(path);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  std::set<std::string> literals;
  std::string literal;
  bool joins = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '/' && text.compare(at, 2, "//") == 0) at = std::min(text.find('\n', at), text.size() - 1);
    if (text.compare(at, 3, "'\"'") == 0) at += 3;
    if (text[at] == '"' && at > 0 && text[at - 1] == 'R') {
      const std::string end = ")" + text.substr(at + 1, text.find('(', at) - at - 1) + "\"";
      at = std::min(text.find(end, at), text.size() - end.size()) + end.size() - 1;
      continue;
    }
    if (text[at] != '"') {
      joins = joins && std::isspace(static_cast<unsigned char>(text[at])) != 0;
      continue;
    }
    if (!joins) literal.clear();
    for (++at; at < text.size() && text[at] != '"'; ++at) {
      if (text[at] == '\\') ++at;
      literal += text[at];
    }
    joins = true;
    literals.insert(literal);
  }
  return literals;
}

// Whoever changes a sentence in the code is told of the languages that say it.
TEST(CatalogueTest, EveryErrorOfALanguageIsOneOfTheProgram) {
  std::set<std::string> literals;
  for (const char* const folder : {"src", "cli"}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(std::filesystem::path(CONPOLE_SOURCE) / folder)) {
      const std::string name = entry.path().filename().string();
      if ((name.ends_with(".cc") && !name.ends_with("_test.cc")) || name.ends_with(".h")) literals.merge(LiteralsOf(entry));
    }
  }
  for (const std::string& language : Catalogue::Languages()) {
    for (const auto& [english, sentence] : ErrorSentences(language)) {
      EXPECT_TRUE(literals.contains(english)) << language << ": nothing says '" << english << "' any more";
      std::size_t slots = 0;
      for (std::size_t at = english.find("{}"); at != std::string::npos; at = english.find("{}", at + 1)) ++slots;
      std::set<std::size_t> used;
      if (slots > 0) Message::Filled(sentence, [&](std::size_t slot) { return used.insert(slot), ""; });
      EXPECT_EQ(used.size(), slots) << language << ": " << sentence;
      EXPECT_TRUE(used.empty() || *used.rbegin() < slots) << language << ": " << sentence;
    }
  }
  EXPECT_GE(ErrorSentences("de").size(), 250U);
}

TEST(CatalogueTest, EveryLanguageHasTheSameSentencesWithTheSameSlots) {
  const Catalogue::Entries& english = Catalogue::Find("en").entries();
  ASSERT_GE(Catalogue::Languages().size(), 2U);
  for (const std::string& language : Catalogue::Languages()) {
    Catalogue::Entries entries = Catalogue::Find(language).entries();
    // The file of mistakes has those in English (mistakes_test.cc).
    std::erase_if(entries, [](const auto& entry) { return entry.first.starts_with("mistake."); });
    ASSERT_EQ(entries.size(), english.size()) << language;
    for (const auto& [id, sentences] : entries) {
      const auto model = english.find(id);
      ASSERT_NE(model, english.end()) << language << ": " << id;
      ASSERT_EQ(sentences.size(), model->second.size()) << language << ": " << id;
      for (std::size_t i = 0; i < sentences.size(); ++i) {
        EXPECT_EQ(SlotsOf(sentences[i]), SlotsOf(model->second[i])) << language << ": " << sentences[i];
      }
    }
  }
}

TEST(CatalogueTest, EveryLanguageHasWordsToRead) {
  const Catalogue::Entries& english = ReadingWords("en");
  for (const std::string& language : Catalogue::Languages()) {
    const Catalogue::Entries& entries = ReadingWords(language);
    ASSERT_EQ(entries.size(), english.size()) << language;
    for (const auto& [id, words] : entries) {
      ASSERT_TRUE(english.contains(id)) << language << ": " << id;
      EXPECT_FALSE(words.empty()) << language << ": " << id;
      EXPECT_TRUE(!id.starts_with("line.") || words.size() == 1) << language << ": " << id;
    }
  }
  EXPECT_THROW(ReadingWords("xx"), Error);
}

TEST(CatalogueTest, ErrorsAreSaidInEveryLanguage) {
  const auto& model = ErrorSentences("de");
  for (const std::string& language : Catalogue::Languages()) {
    if (language == "en") continue;
    const auto& sentences = ErrorSentences(language);
    for (const auto& [english, sentence] : model) EXPECT_TRUE(sentences.contains(english)) << language << ": " << english;
    EXPECT_EQ(sentences.size(), model.size()) << language;
  }
}

TEST(CatalogueTest, ALanguageIsHandedOver) {
  for (const std::string& language : Catalogue::Languages()) EXPECT_TRUE(Catalogue::IsHere(language)) << language;
  EXPECT_FALSE(Catalogue::IsHere("xx"));
  EXPECT_THROW(Catalogue::HandOver("xx", R"({"catalogue": {}, "errors": {}})"), Error);
  // It is here already, and stays as it is.
  Catalogue::HandOver("de", "nothing");
  EXPECT_EQ(Catalogue::Find("de").Sentence("equations.sub", {{"term", "3"}}), "Subtrahiere 3 auf beiden Seiten.");
}

TEST(CatalogueTest, EveryAxiomOfASubjectHasASentenceAndAHint) {
  const Catalogue::Entries& english = Catalogue::Find("en").entries();
  for (const Subject* const subject : Subjects()) {
    const DomainType* const type = subject->type();
    for (const Axiom& axiom : type->axioms) {
      EXPECT_TRUE(english.contains(type->name + "." + axiom.name)) << type->name << ": " << axiom.name;
      EXPECT_TRUE(english.contains("hint." + type->name + "." + axiom.name)) << type->name << ": " << axiom.name;
    }
  }
}

}  // namespace
}  // namespace conpole
