#include "explain/derivation/equation_steps.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "explain/derivation/equation_proof.h"

namespace conpole::axioms {
namespace {

// The limits of size keep searches small; the states of a proof, which searches for nothing, may be larger.
constexpr std::string_view kWide = "equations:max_bytes=1000,max_nodes=400";

const Domain& WideDomain() {
  static const std::unique_ptr<Domain> domain = MakeDomain(kWide);
  return *domain;
}

const Domain& PlainDomain() {
  static const std::unique_ptr<Domain> domain = MakeDomain("equations");
  return *domain;
}

// The domain as it is, if it offers every axiom.
std::string SpecFor(const std::vector<Derivation::Line>& lines) {
  Successors successors;
  const bool plain = std::all_of(lines.begin(), lines.end(), [&](const Derivation::Line& line) {
    successors.Clear();
    return PlainDomain().Expand(line.before, Labels::kOff, successors) == Status::kOpen;
  });
  return plain ? PlainDomain().Spec() : WideDomain().Spec();
}

// The equations that a step leads from and to; nothing if it changes more than one, or their number. Its conditions stand in
// the school line, not in the equation.
struct Change {
  const algebra::Equation* before;
  const algebra::Equation* after;
};
std::optional<Change> ChangeOf(const algebra::State& before, const algebra::State& after) {
  using Form = algebra::State::Form;
  if (before.form != Form::kEquations || after.form != Form::kEquations) return std::nullopt;
  if (before.equations.size() != after.equations.size()) return std::nullopt;
  std::optional<Change> change;
  for (std::size_t i = 0; i < before.equations.size(); ++i) {
    if (before.equations[i] == after.equations[i]) continue;
    if (change) return std::nullopt;
    change = Change{&before.equations[i], &after.equations[i]};
  }
  return change;
}

// A term that is added, or a number that is multiplied by.
std::optional<SchoolTerm> OperandOf(std::string_view text, char unknown) {
  std::string equation(text);
  equation += " = ";
  equation += unknown;
  const algebra::ReadResult read = algebra::Read(equation);
  if (read.error || read.state.equations.size() != 1) return std::nullopt;
  const std::optional<std::vector<SchoolTerm>> terms = TermsOf(read.state.equations[0].left);
  if (!terms || terms->size() != 1) return std::nullopt;
  SchoolTerm term = terms->front();
  term.written = nullptr;
  return term;
}

}  // namespace

Derivation EquationSteps::Open(const algebra::State& before, std::string_view action, std::string_view operand,
                               const algebra::State& after) {
  const std::optional<Current> last = std::exchange(current_, std::nullopt);
  const std::optional<Change> change = ChangeOf(before, after);
  if (!change) return {};
  const algebra::Equation& from = *change->before;
  const algebra::Equation& to = *change->after;
  const auto new_left = TermsOf(to.left);
  const auto new_right = TermsOf(to.right);
  const bool swap = action == "swap";
  if (!swap && (!new_left || !new_right)) return {};

  std::optional<Expr> left;
  std::optional<Expr> right;
  if (last && last->line == from && last->unknown == before.unknown) {
    left = Copy(last->left);
    right = Copy(last->right);
  } else {
    const bool several = CountUnknowns(from.left) + CountUnknowns(from.right) > 1;
    left = Translate(from.left, several);
    right = Translate(from.right, several);
  }
  if (!left || !right) return {};
  EquationProof proof(WideDomain(), std::move(*left), std::move(*right), before.unknown);

  bool both_sides = true;
  if (action == "collect" || action == "expand") {
    both_sides = false;
  } else if (swap) {
    proof.SwapSides();
  } else if (action == "add" || action == "subtract") {
    const std::optional<SchoolTerm> term = OperandOf(operand, before.unknown);
    if (!term) return {};
    proof.AddToBothSides(*term, action == "subtract");
  } else if (action == "multiply" || action == "divide") {
    const std::optional<SchoolTerm> number = OperandOf(operand, before.unknown);
    if (!number || number->core == SchoolTerm::Core::kBracket) return {};
    if (number->core == SchoolTerm::Core::kNone) {
      proof.ScaleBothSides(action == "multiply" ? '*' : '/', number->coefficient);
    } else if (action == "multiply") {
      proof.MultiplyByUnknown(number->coefficient);
    } else {
      return {};
    }
  } else {
    return {};
  }
  if (!swap) {
    // What is added stands behind the terms that were there; a factor changes them all.
    const bool scaled = action == "multiply" || action == "divide";
    const auto terms_before = [&](const algebra::Node& side) {
      return scaled ? std::vector<SchoolTerm>() : TermsOf(side).value_or(std::vector<SchoolTerm>());
    };
    if (both_sides || from.left != to.left) proof.MakeTerms(proof.left(), *new_left, terms_before(from.left));
    if (both_sides || from.right != to.right) proof.MakeTerms(proof.right(), *new_right, terms_before(from.right));
  }
  proof.Finish(algebra::IsAnswer(to));
  if (!swap && (TermsOf(proof.left()) != new_left || TermsOf(proof.right()) != new_right)) return {};

  current_ = Current{to, before.unknown, Copy(proof.left()), Copy(proof.right())};
  Derivation derivation;
  derivation.lines = proof.TakeLines();
  derivation.domain = SpecFor(derivation.lines);
  derivation.complete = before.equations.size() == 1 && before.conditions.empty() && after.conditions.empty();
  return derivation;
}

}  // namespace conpole::axioms
