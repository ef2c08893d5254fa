#include "subjects/markup.h"

#include <cstddef>

#include "notation/balance.h"
#include "notation/formula_changes.h"
#include "notation/graph.h"
#include "notation/mathml.h"
#include "notation/speech.h"
#include "subjects/subject.h"

namespace conpole {
namespace {

std::string NotationOf(const Subject& subject, const Line& line, std::string_view language) {
  return subject.Localise(language, Script::kPlain, subject.Write(Script::kPlain, line));
}

// Puts what the step did into the picture of the line after it.
void ShowStep(const Subject& subject, const Line& before, const Line& after, Picture& picture) {
  if (auto* const cube = std::get_if<CubePicture>(&picture)) cube->turn = subject.NameStep(before, after);
  auto* const bars = std::get_if<BarsPicture>(&picture);
  auto* const grid = std::get_if<GridPicture>(&picture);
  if (bars == nullptr && grid == nullptr) return;
  const std::optional<Picture> old_picture = subject.MakePicture(before);
  if (!old_picture) return;
  if (const auto* const old_bars = std::get_if<BarsPicture>(&*old_picture); bars != nullptr && old_bars != nullptr) {
    for (std::size_t i = 0; i < bars->values.size(); ++i) {
      if (i >= old_bars->values.size() || bars->values[i] != old_bars->values[i]) bars->moved.push_back(i);
    }
  }
  if (const auto* const old_grid = std::get_if<GridPicture>(&*old_picture); grid != nullptr && old_grid != nullptr) {
    const std::size_t columns = grid->rows.front().size();
    for (std::size_t i = 0; i < grid->rows.size() * columns; ++i) {
      if (grid->rows[i / columns][i % columns] != old_grid->rows[i / columns][i % columns]) grid->moved.push_back(i);
    }
  }
}

}  // namespace

Markup MarkupOf(const Domain& domain, const std::string& state, std::string_view language) {
  const Subject& subject = SubjectOf(domain);
  const Line line = subject.Understand(state);
  return {NotationOf(subject, line, language), MathmlOf(subject.MakeFormula(line), language), subject.Speak(line, language),
          subject.MakePicture(line)};
}

StepMarkup MarkupOfStep(const Domain& domain, const std::string& before, const std::string& after, std::string_view language) {
  const Subject& subject = SubjectOf(domain);
  const Line old_line = subject.Understand(before);
  const Line new_line = subject.Understand(after);
  const Formula old_formula = subject.MakeFormula(old_line);
  const Formula new_formula = subject.MakeFormula(new_line);
  const FormulaChanges changes = CompareFormulas(old_formula, new_formula);
  StepMarkup markup;
  markup.notation = NotationOf(subject, new_line, language);
  markup.mathml = MathmlOf(new_formula, language, changes.after);
  markup.speech = subject.Speak(new_line, language);
  markup.picture = subject.MakePicture(new_line);
  if (markup.picture) ShowStep(subject, old_line, new_line, *markup.picture);
  markup.before_mathml = MathmlOf(old_formula, language, changes.before);
  return markup;
}

Markup MarkupOfAnswer(const Domain& domain, const std::string& answer, std::string_view language) {
  const Subject& subject = SubjectOf(domain);
  const Line line = subject.Understand(answer);
  const Formula formula = subject.MakeAnswerFormula(line);
  return {subject.Localise(language, Script::kPlain, subject.WriteAnswer(Script::kPlain, line)), MathmlOf(formula, language),
          formula.front().kind == FormulaNode::Kind::kText ? subject.Speak(line, language) : SpeechOf(formula, language)};
}

std::optional<std::string> DrawLines(const Domain& domain, const std::vector<std::string>& states, bool as_balance) {
  const Subject& subject = SubjectOf(domain);
  std::vector<DrawnLine> lines;
  for (const std::string& state : states) {
    const Line line = subject.Understand(state);
    lines.push_back({subject.Write(Script::kPlain, line), subject.MakeFormula(line)});
  }
  if (as_balance) return DrawBalances(lines);
  std::optional<std::string> picture = DrawSolution(states.front(), states.back());
  return picture ? picture : DrawFractionBars(lines);
}

}  // namespace conpole
