// Any text at all as free notation of every domain: an error with a position and a reason, or a canonical state that is read
// back from how it is written for people, plainly, in LaTeX and in MathML, and can be spoken. What is read is also analysed,
// which must end soon.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conpole/domain.h"
#include "domains/school/textbook.h"
#include "notation/notation.h"
#include "subjects/free_notation.h"
#include "subjects/markup.h"
#include "subjects/subject.h"
#include "subjects/verify.h"
#include "tests/mathml_judge.h"
#include "verify/exact.h"

namespace {

void Require(bool condition, std::string_view what, std::string_view text) {
  if (condition) return;
  std::fprintf(stderr, "%.*s: %.*s\n", static_cast<int>(what.size()), what.data(), static_cast<int>(text.size()), text.data());
  std::abort();
}

// Formulas say what stands in an exercise, not what is to be done with it.
std::string TaskOf(const std::string& state) {
  return conpole::textbook::IsExercise(state) ? state.substr(0, state.find(": ") + 2) : std::string();
}

// MathML says what the state says, also with parts of it marked, and there are words for it.
void TryMarkup(const conpole::Domain& domain, const std::string& state) {
  const conpole::Markup markup = conpole::MarkupOf(domain, state, "de");
  Require(conpole::LatexFromMathml(markup.mathml).has_value() && !markup.speech.empty(), "no markup", state);
  static std::map<std::string, std::string> states_before;
  std::string& before = states_before[domain.type().name];
  if (before.empty()) before = state;
  const conpole::StepMarkup step = conpole::MarkupOfStep(domain, before, state);
  const std::optional<std::string> written = conpole::LatexFromMathml(step.mathml);
  Require(written && conpole::LatexFromMathml(step.before_mathml), "the markup of a step is not well-formed", state);
  before = state;
  if (conpole::SubjectOf(domain).type() == nullptr || written->size() > conpole::kMaxStateBytes) return;
  Require(conpole::ReadNotation(domain, TaskOf(state) + *written).state == state, "not read back from MathML", *written);
}

void Try(const conpole::Domain& domain, std::string_view text) {
  const conpole::NotationResult result = conpole::ReadNotation(domain, text);
  if (result.error) {
    Require(result.error->position <= text.size() && !result.error->message.empty(), "no reason", text);
    Require(domain.Parse(text).error.has_value() || result.error->kind == conpole::NotationError::Kind::kNotExpressible,
            "refused what the domain reads", text);
    return;
  }
  const conpole::Parsed parsed = domain.Parse(result.state);
  Require(!parsed.error && parsed.state == result.state, "not canonical", result.state);
  Require(conpole::ReadNotation(domain, result.state).state == result.state, "canonical text is read as something else",
          result.state);
  std::vector<std::string> written{result.reading};
  // A domain without a subject reads no LaTeX.
  if (conpole::SubjectOf(domain).type() != nullptr) {
    written.push_back(TaskOf(result.state) + conpole::WriteLatex(domain, result.state));
  }
  for (const std::string& text_again : written) {
    if (text_again.size() > conpole::kMaxStateBytes) continue;
    Require(conpole::ReadNotation(domain, text_again).state == result.state, "not read back", text_again);
  }
  TryMarkup(domain, result.state);
  if (domain.Solved(result.state)) {
    Require(conpole::VerifyAnswer(domain, result.state, result.state) != conpole::Verdict::kWrong ||
                domain.type().name == "rubiks-cube",
            "a solved state is not its own answer", result.state);
  } else {
    conpole::SolveExactly(result.state);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::vector<std::unique_ptr<conpole::Domain>> domains = [] {
    std::vector<std::unique_ptr<conpole::Domain>> made;
    for (const conpole::DomainType* type : conpole::DomainTypes()) made.push_back(conpole::MakeDomain(type->name));
    return made;
  }();
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::string_view guess = conpole::GuessDomain(text);
  bool known = false;
  for (const auto& domain : domains) {
    known = known || domain->type().name == guess;
    Try(*domain, text);
  }
  Require(known, "an unknown domain was guessed", guess);
  return 0;
}
