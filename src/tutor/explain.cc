#include "tutor/explain.h"

#include <fmt/format.h>

#include "language/catalogue.h"
#include "util/text.h"

namespace conpole {
namespace {

// Text of a domain's own inside a sentence.
std::string Verbatim(Script script, const std::string& text) { return script == Script::kLatex ? EscapeLatex(text) : text; }

// Of a step that no axiom of the subject has the name of: an abstraction, which is named after its axioms.
std::string DescribeAbstraction(std::string_view id, const Action& action, const ExplainOptions& options) {
  const std::string axioms = Replaced(action.axiom, "+", ", ");
  return Catalogue::Find(options.language).Sentence(id, {{"axioms", Verbatim(options.script, axioms)}});
}

}  // namespace

std::string ExplainStep(const Subject& subject, const Action& action, const Line& before, const Line& after,
                        const ExplainOptions& options) {
  const Catalogue& catalogue = Catalogue::Find(options.language);
  if (subject.type() == nullptr) return Verbatim(options.script, action.label);
  if (const auto own = subject.OwnSentence(action, before, after, options.language, options.results)) {
    return Verbatim(options.script, *own);
  }
  const std::string id = fmt::format("{}.{}", subject.type()->name, action.axiom);
  if (!catalogue.entries().contains(id)) return DescribeAbstraction("step.abstraction", action, options);
  Catalogue::Slots slots = subject.Describe(action, before, after, options.script, options.results);
  for (auto& [name, text] : slots) text = subject.Localise(options.language, options.script, std::move(text));
  return catalogue.Sentence(id, slots);
}

std::string ExplainStep(const Domain& domain, std::string_view label, std::string_view before, std::string_view after,
                        const ExplainOptions& options) {
  const Subject& subject = SubjectOf(domain);
  return ExplainStep(subject, subject.ReadAction(label), subject.Understand(std::string(before)),
                     subject.Understand(std::string(after)), options);
}

std::string HintAtStep(const Subject& subject, const Action& action, const Line& before, const Line& after,
                       const ExplainOptions& options) {
  const Catalogue& catalogue = Catalogue::Find(options.language);
  if (subject.type() == nullptr) return catalogue.Sentence("hint.axiom", {{"axiom", Verbatim(options.script, action.axiom)}});
  if (const auto own = subject.OwnHint(action, options.language)) return Verbatim(options.script, *own);
  const std::string id = fmt::format("hint.{}.{}", subject.type()->name, subject.HintName(action, before, after));
  if (!catalogue.entries().contains(id)) return DescribeAbstraction("hint.abstraction", action, options);
  return catalogue.Sentence(id, {});
}

std::string HintAtOperation(const Subject& subject, const Action& action, const Line& before, const Line& after,
                            const ExplainOptions& options) {
  if (subject.type() != nullptr) {
    const Catalogue& catalogue = Catalogue::Find(options.language);
    const std::string id = fmt::format("hint.{}.{}.how", subject.type()->name, subject.HintName(action, before, after));
    if (catalogue.entries().contains(id)) return catalogue.Sentence(id, {});
  }
  ExplainOptions without_results = options;
  without_results.results = false;
  return ExplainStep(subject, action, before, after, without_results);
}

}  // namespace conpole
