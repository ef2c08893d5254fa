#include "explain/algebra_operation.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

#include "domains/school/algebra_text.h"
#include "domains/school/algebra_tidy.h"

namespace conpole {
namespace {

namespace mp = boost::multiprecision;

using algebra::Equation;
using algebra::Exact;
using algebra::FormOf;
using algebra::HasUnknown;
using algebra::Kind;
using algebra::Negation;
using algebra::Node;
using algebra::NormalForm;
using algebra::NumberStyle;
using algebra::Polynomial;
using algebra::Quotient;
using algebra::Sum;
using algebra::TermsOfSide;
using algebra::WithoutSign;

// What was done to both sides.
struct Deed {
  enum class Kind : std::uint8_t { kRewritten, kAdded, kMultiplied };
  Kind kind = Kind::kRewritten;
  NormalForm by;
};

std::optional<Deed> DeedOf(const Equation& before, const Node& left, const Node& right) {
  const auto same_change = [&](const auto& change) -> std::optional<NormalForm> {
    std::optional<NormalForm> on_left = FormOf(change(before.left, left));
    if (!on_left || on_left != FormOf(change(before.right, right))) return std::nullopt;
    return on_left;
  };
  const auto difference = [](const Node& was, const Node& is) { return Sum({is, Negation(was)}); };
  if (std::optional<NormalForm> by = same_change(difference)) {
    const bool nothing = by->numerator.empty();
    return Deed{nothing ? Deed::Kind::kRewritten : Deed::Kind::kAdded, std::move(*by)};
  }
  const auto is_zero = [](const Node& side) {
    const std::optional<NormalForm> form = FormOf(side);
    return form && form->numerator.empty();
  };
  const auto ratio = [](const Node& was, const Node& is) { return Quotient(is, was); };
  // Zero stays zero, whatever it is multiplied by.
  for (const auto& [was, is, other_was, other_is] :
       {std::tuple{&before.left, &left, &before.right, &right}, std::tuple{&before.right, &right, &before.left, &left}}) {
    if (!is_zero(*was)) continue;
    if (!is_zero(*is) || is_zero(*other_was)) return std::nullopt;
    std::optional<NormalForm> by = FormOf(ratio(*other_was, *other_is));
    if (!by || by->numerator.empty()) return std::nullopt;
    return Deed{Deed::Kind::kMultiplied, std::move(*by)};
  }
  std::optional<NormalForm> by = same_change(ratio);
  if (!by || by->numerator.empty()) return std::nullopt;
  return Deed{Deed::Kind::kMultiplied, std::move(*by)};
}

// Whether a side is written as something over this.
bool IsOver(const Node& side, const NormalForm& below) {
  const Node& size = WithoutSign(side);
  if (!size.Is(Kind::kQuotient)) return false;
  return FormOf(size.children[1]) == below || FormOf(Negation(size.children[1])) == below;
}

class Detour {
 public:
  Detour(const Equation& before, const Equation& after, const Deed& deed, LearnerOperation& operation, char unknown)
      : before_(before), after_(after), deed_(deed), operation_(operation), unknown_(unknown) {
    operation_.slots["unknown"] = std::string(1, unknown);
    // 6/x * x has none.
    const auto has_unknown = [](const Node& side) {
      const std::optional<NormalForm> form = FormOf(side);
      return form ? !form->IsNumber() : HasUnknown(side);
    };
    const bool left = has_unknown(before.left);
    const bool right = has_unknown(before.right);
    if (left != right) {
      with_ = left ? &before.left : &before.right;
      without_ = left ? &before.right : &before.left;
    }
  }

  std::string Find() {
    const bool multiplied = deed_.kind == Deed::Kind::kMultiplied;
    if (multiplied && IsFromOtherSide()) return "other_side";
    if (LeavesSign()) return "sign_left";
    if (deed_.kind == Deed::Kind::kRewritten) return IsIdle() ? FindIdle() : "rewritten";
    if (deed_.kind == Deed::Kind::kMultiplied && !deed_.by.IsNumber()) return "divided_by_unknown";
    const std::optional<Exact> factor = FactorOfUnknown();
    // -x = -1, where 1 was added.
    if (factor && !multiplied && !IsUntidy() && mp::denominator(*factor) == 1 && IsNumberUpToSign(*factor))
      return Of(*factor, "factor_as_term", "denominator_as_term");
    if (EmptiesOtherSide()) return "other_side";
    if (DoublesTerm()) return "opposite_needed";
    if (IsFromOtherSide()) return "other_side";
    if (UnknownIsBelow()) return "unknown_below";
    if (factor && multiplied && deed_.by.Number() == *factor) return Of(*factor, "factor_again", "denominator_again");
    if (IsUntidy()) return "simplify_first";
    if (factor && multiplied && IsNumberUpToSign(*factor)) return Of(*factor, "factor_again", "denominator_again");
    if (!factor && multiplied && with_ != nullptr) {
      // 5x + 7 = 3, multiplied by 5.
      const std::optional<NormalForm> form = FormOf(*with_);
      if (form && form->IsPolynomial() && form->numerator.size() == 2 && deed_.by.Number() == form->numerator[1])
        return Of(form->numerator[1], "factor_again", "denominator_again");
    }
    if (factor && !multiplied && (IsNumberUpToSign(*factor) || IsNumberUpToSign(Exact(1 / *factor))))
      return Of(*factor, "factor_as_term", "denominator_as_term");
    return "other";
  }

 private:
  // After x/4 = 3 was multiplied by 1, or x = 1 divided by the 1 of the other side.
  std::string FindIdle() {
    const auto is_with_one = [&](Kind kind) {
      const auto has_one = [&](const Node& was, const Node& is) {
        return is.Is(kind) && is.children.back().IsNumber(1) && !(was.Is(kind) && was.children.back().IsNumber(1));
      };
      return has_one(before_.left, after_.left) || has_one(before_.right, after_.right);
    };
    if (is_with_one(Kind::kQuotient) && without_ != nullptr && without_->IsNumber(1)) return "other_side";
    const std::optional<Exact> factor = FactorOfUnknown();
    const bool below = factor && abs(mp::numerator(*factor)) == 1 && mp::denominator(*factor) != 1;
    return is_with_one(Kind::kProduct) && below ? Of(*factor, "factor_again", "denominator_again") : "neutral";
  }

  std::string Text(const Node& node) const { return algebra::TextOf(node, unknown_); }
  bool IsNumberUpToSign(const Exact& number) const { return deed_.by.IsNumber() && abs(deed_.by.Number()) == abs(number); }

  // Of a factor below one it is its denominator that people see.
  std::string Of(const Exact& factor, std::string_view product, std::string_view quotient) {
    const bool below =
        mp::denominator(factor) != 1 && abs(mp::numerator(factor)) == 1 && algebra::Contains(*with_, Kind::kQuotient);
    operation_.slots["factor"] =
        Text(algebra::NumberNode(below ? Exact(1 / factor) : factor, algebra::StyleOf(before_.left, before_.right)));
    return std::string(below ? quotient : product);
  }

  // c in c x = ... and in c (x + 3) = ..., if that is all there is on its side.
  std::optional<Exact> FactorOfUnknown() const {
    if (with_ == nullptr) return std::nullopt;
    const Node& size = WithoutSign(*with_);
    if (size.Is(Kind::kQuotient) && algebra::Contains(size.children[0], Kind::kSum)) {
      const std::optional<Exact> below = algebra::NumberValue(size.children[1]);
      if (below) return 1 / *below;
    }
    if (size.Is(Kind::kProduct) && algebra::Contains(size, Kind::kSum) && !HasUnknown(size.children[0]))
      return algebra::NumberValue(size.children[0]);
    const std::optional<NormalForm> form = FormOf(*with_);
    if (!form || !form->IsPolynomial() || form->numerator.size() != 2 || form->numerator[0] != 0) return std::nullopt;
    return form->numerator[1];
  }

  // Whether there is nothing new when both lines are tidied.
  bool IsIdle() const {
    const NumberStyle style = algebra::StyleOf(before_.left, before_.right);
    const auto same = [&](const Node& was, const Node& is) {
      return algebra::Tidied(was, style) == algebra::Tidied(is, style);
    };
    return same(before_.left, after_.left) && same(before_.right, after_.right);
  }

  // -3x = 6 divided by 3.
  bool LeavesSign() {
    const std::optional<Exact> factor = FactorOfUnknown();
    if (!factor || *factor >= 0 || deed_.kind == Deed::Kind::kAdded || !deed_.by.IsNumber()) return false;
    const Exact by = deed_.kind == Deed::Kind::kRewritten ? Exact(1) : deed_.by.Number();
    if (by * *factor != -1) return false;
    operation_.slots["factor"] = Text(algebra::NumberNode(*factor, algebra::StyleOf(before_.left, before_.right)));
    return true;
  }

  // Something was added that is there already, beside the unknown.
  bool DoublesTerm() {
    if (deed_.kind != Deed::Kind::kAdded) return false;
    for (const Node* const side : {&before_.left, &before_.right}) {
      const std::vector<Node> terms = TermsOfSide(*side);
      if (terms.size() < 2 || !HasUnknown(*side)) continue;
      const std::optional<NormalForm> opposite =
          FormOf(Negation(algebra::Quotient(algebra::PolynomialNode(deed_.by.numerator, NumberStyle::kFractions),
                                            algebra::PolynomialNode(deed_.by.denominator, NumberStyle::kFractions))));
      const bool cancels = std::any_of(terms.begin(), terms.end(), [&](const Node& term) { return FormOf(term) == opposite; });
      for (const Node& term : terms) {
        if (FormOf(term) != deed_.by || cancels || (HasUnknown(term) && with_ != nullptr)) continue;
        operation_.slots["term"] = Text(term);
        return true;
      }
    }
    return false;
  }

  bool UnknownIsBelow() const {
    const auto below = [](const Node& side) {
      const std::optional<NormalForm> form = FormOf(side);
      return form && !form->IsPolynomial();
    };
    return below(before_.left) || below(before_.right);
  }

  bool IsUntidy() {
    const NumberStyle style = algebra::StyleOf(before_.left, before_.right);
    const bool left = algebra::Tidied(before_.left, style) != before_.left;
    const bool right = algebra::Tidied(before_.right, style) != before_.right;
    return left || right;
  }

  // The number on the side without the unknown.
  std::optional<Exact> NumberOfOtherSide() const {
    if (without_ == nullptr || without_->Is(Kind::kSum) || !deed_.by.IsNumber()) return std::nullopt;
    return algebra::NumberValue(*without_);
  }
  // It was taken away.
  bool EmptiesOtherSide() const {
    const std::optional<Exact> number = NumberOfOtherSide();
    return number && deed_.kind == Deed::Kind::kAdded && deed_.by.Number() == -*number;
  }
  // It was added, or both sides were multiplied or divided by it.
  bool IsFromOtherSide() const {
    const std::optional<Exact> number = NumberOfOtherSide();
    if (!number) return false;
    const Exact& by = deed_.by.Number();
    return by == *number || (deed_.kind == Deed::Kind::kMultiplied && by * *number == 1);
  }

  const Equation& before_;
  const Equation& after_;
  const Deed& deed_;
  LearnerOperation& operation_;
  char unknown_;
  const Node* with_ = nullptr;     // the side with the unknown, if there is one such side
  const Node* without_ = nullptr;  // and the other one
};

// Both sides as polynomials of degree 1 at most, with the unknown in their difference.
struct LinearSides {
  Polynomial left;
  Polynomial right;

  static std::optional<LinearSides> Of(const Equation& equation) {
    std::optional<NormalForm> left = FormOf(equation.left);
    std::optional<NormalForm> right = FormOf(equation.right);
    const auto is_linear = [](const std::optional<NormalForm>& form) {
      return form && form->IsPolynomial() && form->numerator.size() <= 2;
    };
    if (!is_linear(left) || !is_linear(right)) return std::nullopt;
    return LinearSides{std::move(left->numerator), std::move(right->numerator)};
  }

  // Of the unknown, when all of it is on the left.
  Exact Factor() const {
    const auto of = [](const Polynomial& p) { return p.size() == 2 ? p[1] : Exact(0); };
    return of(left) - of(right);
  }
  // Left minus right, if there is no unknown in that.
  Exact Rest() const {
    const auto of = [](const Polynomial& p) { return p.empty() ? Exact(0) : p[0]; };
    return of(left) - of(right);
  }
};

// The polynomials that the terms of an equation are, with brackets and without.
std::vector<Polynomial> TermPolynomials(const Equation& equation) {
  std::vector<Polynomial> terms;
  for (const Node* const side : {&equation.left, &equation.right}) {
    const std::optional<NormalForm> whole = FormOf(*side);
    for (std::size_t i = 0; whole && i < whole->numerator.size(); ++i) {
      if (whole->numerator[i] == 0) continue;
      Polynomial power(i + 1, Exact(0));
      power[i] = whole->numerator[i];
      terms.push_back(std::move(power));
    }
    for (const Node& term : TermsOfSide(*side)) {
      const std::optional<NormalForm> form = FormOf(term);
      if (form && form->IsPolynomial() && !form->numerator.empty()) terms.push_back(form->numerator);
    }
  }
  return terms;
}

// The product of all numbers below lines, and of the powers of ten of decimals.
algebra::Integer DenominatorsIn(const Node& node) {
  algebra::Integer product = 1;
  if (node.Is(Kind::kDecimal)) product = mp::pow(algebra::Integer(10), node.exponent);
  if (node.Is(Kind::kMixed)) product = node.children[1].value;
  for (const Node& child : node.children) product *= DenominatorsIn(child);
  if (node.Is(Kind::kQuotient)) {
    const std::optional<Exact> below = HasUnknown(node.children[1]) ? std::nullopt : algebra::NumberValue(node.children[1]);
    if (below && *below != 0) product *= abs(mp::numerator(*below));
  }
  return product;
}

// Whether somebody would multiply the equation by this: it takes denominators away, or factors of the unknown, or both.
bool IsNaturalFactor(const Equation& equation, const Exact& factor) {
  const algebra::Integer common = DenominatorsIn(equation.left) * DenominatorsIn(equation.right);
  const Exact divisor = abs(Exact(common) / factor);
  if (mp::denominator(divisor) != 1) return false;
  const auto divides = [&](const Exact& number) { return mp::denominator(Exact(number / divisor)) == 1; };
  if (divides(Exact(common))) return true;
  const std::optional<LinearSides> sides = LinearSides::Of(equation);
  if (sides && sides->Factor() != 0 && divides(Exact(sides->Factor() * common))) return true;
  const std::vector<Polynomial> terms = TermPolynomials(equation);
  return std::any_of(terms.begin(), terms.end(),
                     [&](const Polynomial& term) { return term.size() == 2 && divides(Exact(term[1] * common)); });
}

bool IsSumOfTerms(const Equation& equation, const Polynomial& wanted) {
  std::vector<Polynomial> sums{{}};
  constexpr std::size_t kMostSums = 1'024;
  for (const Polynomial& term : TermPolynomials(equation)) {
    const std::size_t count = sums.size();
    for (std::size_t i = 0; i < count && sums.size() < kMostSums; ++i) sums.push_back(algebra::Add(sums[i], term));
  }
  return std::find(sums.begin(), sums.end(), wanted) != sums.end();
}

// Whether one side is worth what a side of the line before is, and not zero, and the other one is worth something new.
bool KeepsOneSide(const Equation& before, const Equation& after) {
  const std::optional<NormalForm> left = FormOf(before.left);
  const std::optional<NormalForm> right = FormOf(before.right);
  std::optional<NormalForm> new_left = FormOf(after.left);
  std::optional<NormalForm> new_right = FormOf(after.right);
  if (!left || !right || !new_left || !new_right) return false;
  if (left != new_left && right != new_right) std::swap(new_left, new_right);
  const bool keeps_left = left == new_left && !left->numerator.empty();
  const bool keeps_right = right == new_right && !right->numerator.empty();
  return keeps_left ? right != new_right : keeps_right && left != new_left;
}

}  // namespace

std::optional<LearnerOperation> FindOperation(std::string_view before, std::string_view after) {
  const algebra::ReadResult old_line = algebra::Read(before);
  const algebra::ReadResult new_line = algebra::Read(after);
  const Equation* const old_equation = old_line.OnlyEquation();
  const Equation* const new_equation = new_line.OnlyEquation();
  if (old_equation == nullptr || new_equation == nullptr || old_line.state.unknown == 0) return std::nullopt;
  std::optional<Deed> deed = DeedOf(*old_equation, new_equation->left, new_equation->right);
  if (!deed) deed = DeedOf(*old_equation, new_equation->right, new_equation->left);
  if (!deed) return std::nullopt;
  const char unknown = old_line.state.unknown;
  // As numbers are written in the line before.
  const bool decimals = algebra::Contains(*old_equation, Kind::kDecimal);
  const NumberStyle style = decimals ? NumberStyle::kDecimals : NumberStyle::kFractions;
  LearnerOperation operation;
  const auto name = [&](std::string_view verb, const algebra::Polynomial& by) {
    operation.name = verb;
    operation.operand = algebra::TextOf(algebra::PolynomialNode(by, style), unknown);
  };
  const auto& [above, below] = deed->by;
  switch (deed->kind) {
    case Deed::Kind::kRewritten:
      operation.name = "rewritten";
      break;
    case Deed::Kind::kAdded: {
      if (!deed->by.IsPolynomial()) return std::nullopt;
      const bool negative = above.back() < 0;
      name(negative ? "subtracted" : "added", negative ? algebra::Scale(above, -1) : above);
      break;
    }
    case Deed::Kind::kMultiplied: {
      NormalForm inverse{below, above};
      const Exact leading = inverse.denominator.back();
      inverse.numerator = algebra::Scale(inverse.numerator, 1 / leading);
      inverse.denominator = algebra::Scale(inverse.denominator, 1 / leading);
      const bool whole_inverse = inverse.IsNumber() && mp::denominator(inverse.Number()) == 1;
      const bool whole = deed->by.IsNumber() && mp::denominator(deed->by.Number()) == 1;
      const bool divided = IsOver(new_equation->left, inverse) || IsOver(new_equation->right, inverse) ||
                           (whole_inverse && !whole) || !deed->by.IsPolynomial();
      if (divided && inverse.IsPolynomial()) {
        name("divided", inverse.numerator);
      } else if (deed->by.IsPolynomial()) {
        name("multiplied", above);
      } else {
        return std::nullopt;
      }
      break;
    }
  }
  operation.detour = Detour(*old_equation, *new_equation, *deed, operation, unknown).Find();
  return operation;
}

bool FollowsSideBySide(std::string_view before, std::string_view after) {
  const algebra::ReadResult old_line = algebra::Read(before);
  const algebra::ReadResult new_line = algebra::Read(after);
  const Equation* const was = old_line.OnlyEquation();
  const Equation* const is = new_line.OnlyEquation();
  if (was == nullptr || is == nullptr || is->left.Is(Kind::kUnknown) || is->right.Is(Kind::kUnknown)) return true;
  const std::optional<LinearSides> old_sides = LinearSides::Of(*was);
  std::optional<LinearSides> new_sides = LinearSides::Of(*is);
  if (!old_sides) return true;
  if (!new_sides) return !KeepsOneSide(*was, *is);
  const auto is_deed = [&] { return DeedOf(*was, is->left, is->right) || DeedOf(*was, is->right, is->left); };
  if (old_sides->Factor() == 0 || new_sides->Factor() == 0) {
    // Without a solution, the sides differ by a number, which only what is done to both sides or a natural factor changes.
    const Exact rest = old_sides->Rest();
    if (old_sides->Factor() != 0 || new_sides->Factor() != 0 || rest == 0 || new_sides->Rest() == 0) return true;
    return is_deed() || IsNaturalFactor(*was, new_sides->Rest() / rest);
  }
  const auto keeps = [&] { return (old_sides->left == new_sides->left) != (old_sides->right == new_sides->right); };
  if (!keeps()) {
    std::swap(new_sides->left, new_sides->right);
    if (!keeps()) std::swap(new_sides->left, new_sides->right);
  }
  const Exact factor = new_sides->Factor() / old_sides->Factor();
  const algebra::Polynomial& kept = old_sides->left == new_sides->left ? old_sides->left : old_sides->right;
  const bool one_side = keeps();
  // A side that was not touched has the same beside it; but beside a zero that is written out, nothing shows what was done.
  const auto stands = [&](const Node& side) { return !side.IsNumber(0) && (side == is->left || side == is->right); };
  if (one_side && kept.empty() && stands(&kept == &old_sides->left ? was->left : was->right)) return false;
  if (one_side && kept.empty()) return IsNaturalFactor(*was, factor) || !(is->left.IsNumber(0) || is->right.IsNumber(0));
  if (is_deed()) return true;
  if (!IsNaturalFactor(*was, factor)) return false;
  if (!one_side) return true;
  // new = factor * (old - moved)
  const auto moved = [&](const algebra::Polynomial& old_side, const algebra::Polynomial& new_side) {
    return algebra::Add(old_side, algebra::Scale(new_side, -1 / factor));
  };
  return IsSumOfTerms(*was, moved(kept, kept));
}

}  // namespace conpole
