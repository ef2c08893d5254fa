#include "language/catalogue.h"

#include <set>
#include <string>

#include <gtest/gtest.h>

#include "conpole/domain.h"
#include "conpole/error.h"
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

TEST(CatalogueTest, ErrorsAreTranslatedWithWhatFillsThem) {
  const Catalogue& german = Catalogue::Find("de");
  EXPECT_EQ(german.Translated("the end"), "das Ende");
  EXPECT_EQ(german.Translated("expected a number or a term, found the end"),
            "erwartet wird eine Zahl oder ein Term, gefunden wurde das Ende");
  EXPECT_EQ(german.Translated("expected '{' and the numerator, found 'x'"),
            "erwartet wird '{' und der Zähler, gefunden wurde 'x'");
  EXPECT_EQ(
      german.Translated("'x + ' is not a problem of algebra: position 4: expected a number, the unknown or '(', found the end"),
      "'x + ' ist keine Aufgabe für algebra: Stelle 4: erwartet wird eine Zahl, die Unbekannte oder '(', gefunden wurde das "
      "Ende");
  EXPECT_EQ(german.Translated("something that nobody says"), "something that nobody says");
  EXPECT_EQ(german.Translated(""), "");
  EXPECT_EQ(Catalogue::Find("en").Translated("expected a digit, found the end"), "expected a digit, found the end");
}

// A message is made from one entry alone, so that it is known which one it is.
TEST(CatalogueTest, EveryErrorIsReadBackAsItself) {
  for (const auto& [id, sentences] : Catalogue::Find("en").entries()) {
    if (!id.starts_with("error.")) continue;
    Catalogue::Slots slots;
    for (const std::string& slot : SlotsOf(sentences.front())) slots[slot] = "'7'";
    const std::string message = Catalogue::Find("en").Sentence(id, slots);
    EXPECT_EQ(Catalogue::Find("de").Translated(message), Catalogue::Find("de").Sentence(id, slots)) << id;
  }
}

TEST(CatalogueTest, EveryLanguageHasTheSameSentencesWithTheSameSlots) {
  const Catalogue::Entries& english = Catalogue::Find("en").entries();
  ASSERT_GE(Catalogue::Languages().size(), 2U);
  for (const std::string& language : Catalogue::Languages()) {
    const Catalogue::Entries& entries = Catalogue::Find(language).entries();
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
