// The tutor with a domain file: sentences, hints, mistakes and verdicts come from the file.
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "conpole/domain.h"
#include "conpole/error.h"
#include "domains/files/domain_file.h"
#include "nn/model.h"
#include "subjects/subject.h"
#include "tutor/check_step.h"
#include "tutor/explain.h"
#include "tutor/policy.h"

namespace conpole {
namespace {

std::unique_ptr<Domain> Gallery(const std::string& name) { return MakeDomain(CONPOLE_SOURCE "/gallery/" + name + ".domain"); }

Verdict VerdictOf(const Domain& domain, const std::string& problem, const std::string& answer) {
  const Subject& subject = SubjectOf(domain);
  return subject.Verify(*subject.Analyse(domain, subject.Understand(problem)), subject.Understand(answer));
}

TEST(FileSubjectTest, StepsAreToldInTheWordsOfTheFile) {
  const auto domain = Gallery("sums");
  EXPECT_EQ(ExplainStep(*domain, "add 0, 2 + 3", "2 + 3", "5", {}), "Add 2 and 3.");
  ExplainOptions german;
  german.language = "de";
  EXPECT_EQ(ExplainStep(*domain, "add 0, 2 + 3", "2 + 3", "5", german), "Addiere 2 und 3.");
  EXPECT_EQ(ExplainStep(*Gallery("cube-2x2x2"), "U", "", "", {}).substr(0, 1), "U");
}

TEST(FileSubjectTest, StatesAreReadFromMoves) {
  const auto after = [](const std::string& name, const std::string& moves, const std::string& current = "") {
    const auto domain = Gallery(name);
    const NotationResult read = SubjectOf(*domain).Read(*domain, current, moves);
    return read.error ? "error" : read.state;
  };
  const std::string turned = "WWWW BBRR RRGG YYYY GGOO OOBB";
  EXPECT_EQ(after("cube-2x2x2", "U"), turned);
  EXPECT_EQ(after("cube-2x2x2", " U'2  U'"), turned);
  EXPECT_EQ(after("cube-2x2x2", "R, U, U', R', U"), turned);
  EXPECT_EQ(after("cube-2x2x2", "U'", turned), "WWWW RRRR GGGG YYYY OOOO BBBB");
  EXPECT_EQ(after("cube-2x2x2", turned), turned);
  EXPECT_EQ(after("cube-2x2x2", "U X"), "error");
  EXPECT_EQ(after("cube-2x2x2", "U1"), "error");
  EXPECT_EQ(after("eight-puzzle", "slide 8-9, slide 7-8"), "123/456/_78");
  EXPECT_EQ(after("eight-puzzle", "slide 1-2"), "error") << "the hole is not there";
  EXPECT_EQ(after("sums", "add"), "error");
}

TEST(FileSubjectTest, AnswersAreVerifiedByWhatStepsKeep) {
  EXPECT_EQ(VerdictOf(*Gallery("sums"), "2 * (1 + 3)", "8"), Verdict::kRight);
  EXPECT_EQ(VerdictOf(*Gallery("sums"), "2 * (1 + 3)", "7"), Verdict::kWrong);
  EXPECT_EQ(VerdictOf(*Gallery("equations"), "2x + 3 = 11", "x = 4"), Verdict::kRight);
  EXPECT_EQ(VerdictOf(*Gallery("equations"), "2x + 3 = 11", "x = 5"), Verdict::kWrong);
  EXPECT_EQ(VerdictOf(*Gallery("logic"), "p ∧ (p ∨ q)", "p"), Verdict::kRight);
  EXPECT_EQ(VerdictOf(*Gallery("logic"), "p ∧ (p ∨ q)", "q"), Verdict::kWrong);
  EXPECT_EQ(VerdictOf(*Gallery("combinators"), "K.x.y", "x"), Verdict::kCannotTell);
}

TEST(FileSubjectTest, MistakesAreNamed) {
  const auto domain = Gallery("sums");
  const StepCheck check = CheckStep(*domain, "2 + 3", "6", {}, "en");
  EXPECT_EQ(check.kind, StepCheck::Kind::kNotEquivalent);
  EXPECT_EQ(check.mistake, "glue");
  EXPECT_EQ(check.message, "That is the product of 2 and 3, not the sum.");
  EXPECT_EQ(CheckStep(*domain, "2 + 3", "6", {}, "de").message, "Das ist das Produkt von 2 und 3, nicht die Summe.");
  EXPECT_EQ(CheckStep(*domain, "2 + 3", "5", {}, "en").kind, StepCheck::Kind::kSolved);
  EXPECT_EQ(CheckStep(*domain, "2 + 3 * 4", "2 + 12", {}, "en").correct(), true);
  EXPECT_EQ(CheckStep(*domain, "2 + 3 * 4", "20", {}, "en").mistake, "");
}

TEST(FileSubjectTest, ModelsOfAnotherVersionOfTheFileAreRefused) {
  const auto domain = Gallery("sums");
  Model model;
  model.metadata = {{"domain", "sums"}, {kDomainFileKey, domain->type().file->text()}};
  EXPECT_NO_THROW(RequireModelFor(*domain, model, "m"));
  EXPECT_EQ(MakeDomain(DomainOfModel(model))->Generate(4), domain->Generate(4));
  model.metadata[kDomainFileKey] += "limit 30\n";
  try {
    RequireModelFor(*domain, model, "m");
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("another version of the file: statement"), std::string::npos) << error.what();
  }
  model.metadata.erase(kDomainFileKey);
  EXPECT_THROW(RequireModelFor(*domain, model, "m"), Error);
}

}  // namespace
}  // namespace conpole
