#include "explain/mistakes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <limits>
#include <map>
#include <set>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "domains/school/algebra_actions.h"
#include "domains/school/algebra_text.h"
#include "domains/school/algebra_tidy.h"
#include "explain/mistake_rules.h"
#include "util/random.h"

namespace conpole {
namespace {

namespace mp = boost::multiprecision;

using algebra::Equation;
using algebra::Exact;
using algebra::FormOf;
using algebra::Integer;
using algebra::Kind;
using algebra::Negation;
using algebra::Node;
using algebra::NormalForm;
using algebra::Number;
using algebra::NumberStyle;
using algebra::Polynomial;
using algebra::Product;
using algebra::Quotient;
using algebra::State;
using algebra::Sum;
using algebra::TermsOfSide;
using algebra::WithoutSign;
using mistakes::Named;
using Side = Comparison::Side;

// Errors that are no rules in text: those of whole lines, and operations that just came out wrong.
constexpr std::array<std::string_view, 8> kOtherRules{
    "root_sign", "opposite_sides", "different_terms", "opposite_factor",
    "sum_slip",  "product_slip",   "quotient_slip",   "power_slip",
};

bool IsNumber(const Node& node) { return !algebra::HasUnknown(node); }
Node NodeOf(const Exact& number) { return algebra::NumberNode(number, NumberStyle::kFractions); }
Node NodeOf(const Polynomial& p) { return algebra::PolynomialNode(p, NumberStyle::kFractions); }

// A line that an error makes.
struct WrongLine {
  std::size_t rule;
  std::vector<Equation> equations;  // of numbers to be worked out: one, with 0 on the right
  std::vector<Named> named;
  Side side = Side::kNone;
};

// Nearly the value of an expression where the unknown has this value: what differs much is different, and that is told much
// faster than with exact numbers.
double NearValue(const Node& node, double unknown) {
  switch (node.kind) {
    case Kind::kNumber:
      return node.value.convert_to<double>();
    case Kind::kDecimal:
      return node.value.convert_to<double>() / std::pow(10, node.exponent);
    case Kind::kMixed:
      return node.value.convert_to<double>() + NearValue(node.children[0], unknown) / NearValue(node.children[1], unknown);
    case Kind::kUnknown:
      return unknown;
    case Kind::kRoot:
      return std::numeric_limits<double>::quiet_NaN();
    default:
      break;
  }
  double value = NearValue(node.children[0], unknown);
  if (node.Is(Kind::kNegation)) return -value;
  if (node.Is(Kind::kPower)) return std::pow(value, node.exponent);
  for (std::size_t i = 1; i < node.children.size(); ++i) {
    const double next = NearValue(node.children[i], unknown);
    value = node.Is(Kind::kSum) ? value + next : node.Is(Kind::kProduct) ? value * next : value / next;
  }
  return value;
}
// False where one of them is no number.
bool DifferMuch(double a, double b) { return std::abs(a - b) > 1e-6 * (std::abs(a) + std::abs(b) + 1e-6); }

// The learner's line.
struct Target {
  std::vector<std::pair<NormalForm, NormalForm>> sides;
  // The polynomial whose roots are its solutions, primitive.
  Polynomial roots;

  static std::optional<Target> Of(const std::vector<Equation>& equations) {
    Target target;
    target.roots = algebra::Constant(1);
    for (const Equation& equation : equations) {
      std::optional<NormalForm> left = FormOf(equation.left);
      std::optional<NormalForm> right = FormOf(equation.right);
      if (!left || !right) return std::nullopt;
      target.roots = algebra::Multiply(target.roots, Difference(*left, *right));
      if (!algebra::Small(target.roots)) return std::nullopt;
      target.sides.emplace_back(std::move(*left), std::move(*right));
    }
    if (!target.roots.empty()) target.roots = algebra::Primitive(target.roots);
    return target;
  }

  static Polynomial Difference(const NormalForm& left, const NormalForm& right) {
    return algebra::Add(algebra::Multiply(left.numerator, right.denominator),
                        algebra::Scale(algebra::Multiply(right.numerator, left.denominator), -1));
  }

  // Where lines are compared first.
  static constexpr double kPoint = 1.618033988749895;
  double left_value = 0;
  double right_value = 0;
  double root = std::numeric_limits<double>::quiet_NaN();  // the only one, if there is one

  void FindValues(const Equation& equation) {
    left_value = NearValue(equation.left, kPoint);
    right_value = NearValue(equation.right, kPoint);
    if (roots.size() == 2) root = Exact(-roots[0] / roots[1]).convert_to<double>();
  }

  bool HasSides(const std::vector<Equation>& equations) const {
    if (equations.size() != 1 || sides.size() != 1) return false;
    const double value = NearValue(equations[0].left, kPoint);
    if (DifferMuch(value, left_value) && DifferMuch(value, right_value)) return false;
    const std::optional<NormalForm> left = FormOf(equations[0].left);
    if (!left || (*left != sides[0].first && *left != sides[0].second)) return false;
    const std::optional<NormalForm> right = FormOf(equations[0].right);
    if (!right) return false;
    return (*left == sides[0].first && *right == sides[0].second) || (*left == sides[0].second && *right == sides[0].first);
  }
  bool HasRoots(const std::vector<Equation>& equations) const {
    if (equations.size() == 1 && DifferMuch(NearValue(equations[0].left, root), NearValue(equations[0].right, root)))
      return false;
    const std::optional<Target> other = Of(equations);
    return other && !roots.empty() && other->roots == roots;
  }
};

// Errors at one place of a side, or the same error at all places.

void ReplaceAt(Node& root, const std::vector<std::size_t>& path, std::size_t depth, const Node& replacement) {
  if (depth == path.size()) {
    root = replacement;
    return;
  }
  ReplaceAt(root.children[path[depth]], path, depth + 1, replacement);
}

struct Place {
  std::vector<std::size_t> path;
  mistakes::WrongTerm wrong;
};
void FindPlaces(const Node& node, std::vector<std::size_t>& path, std::vector<Place>& places) {
  // More would be no line that a person writes.
  constexpr std::size_t kMaxPlaces = 600;
  if (places.size() > kMaxPlaces) return;
  std::vector<mistakes::WrongTerm> wrong;
  mistakes::ListWrongTerms(node, wrong);
  for (mistakes::WrongTerm& term : wrong) places.push_back({path, std::move(term)});
  for (std::size_t i = 0; i < node.children.size(); ++i) {
    path.push_back(i);
    FindPlaces(node.children[i], path, places);
    path.pop_back();
  }
}
std::vector<Place> PlacesOf(const Node& side) {
  std::vector<Place> places;
  std::vector<std::size_t> path;
  FindPlaces(side, path, places);
  return places;
}

void ListWrongTerms(const Equation& equation, std::vector<WrongLine>& lines) {
  const std::array<std::vector<Place>, 2> places{PlacesOf(equation.left), PlacesOf(equation.right)};
  for (const std::size_t side : {0U, 1U}) {
    for (const Place& place : places[side]) {
      Equation wrong = equation;
      ReplaceAt(side == 0 ? wrong.left : wrong.right, place.path, 0, place.wrong.node);
      lines.push_back({place.wrong.rule, {std::move(wrong)}, place.wrong.named, side == 0 ? Side::kLeft : Side::kRight});
    }
  }
  // The first result of a rule at every place where it applies, the places not being in each other.
  std::vector<WrongLine> everywhere(mistakes::Rules().size());
  std::vector<std::size_t> counts(everywhere.size());
  for (const std::size_t side : {0U, 1U}) {
    std::vector<std::vector<std::vector<std::size_t>>> done(everywhere.size());
    for (const Place& place : places[side]) {
      const std::size_t rule = place.wrong.rule;
      const bool inside = std::any_of(done[rule].begin(), done[rule].end(), [&](const std::vector<std::size_t>& path) {
        return path.size() <= place.path.size() && std::equal(path.begin(), path.end(), place.path.begin());
      });
      if (inside) continue;
      done[rule].push_back(place.path);
      WrongLine& line = everywhere[rule];
      if (counts[rule]++ == 0) line = {rule, {equation}, place.wrong.named};
      Equation& wrong = line.equations.front();
      ReplaceAt(side == 0 ? wrong.left : wrong.right, place.path, 0, place.wrong.node);
    }
  }
  for (std::size_t rule = 0; rule < everywhere.size(); ++rule) {
    // Signs and terms get lost one at a time.
    const std::string& name = mistakes::Rules()[rule].name;
    if (counts[rule] > 1 && name != "sign" && name != "dropped_term") lines.push_back(std::move(everywhere[rule]));
  }
}

// Equations that the learner may have had in mind before the error: tidied, multiplied out, without denominators, with the
// terms on their sides. The first is the line itself.
std::vector<Equation> StagesOf(const Equation& equation) {
  std::vector<Equation> stages{equation};
  const auto add = [&](Node left, Node right) {
    Equation stage{std::move(left), std::move(right)};
    if (std::find(stages.begin(), stages.end(), stage) == stages.end()) stages.push_back(std::move(stage));
  };
  const std::optional<NormalForm> left_form = FormOf(equation.left);
  const std::optional<NormalForm> right_form = FormOf(equation.right);
  if (!left_form || !right_form) return stages;
  const NumberStyle style = algebra::StyleOf(equation.left, equation.right);
  add(algebra::Tidied(equation.left, style), algebra::Tidied(equation.right, style));
  Polynomial left = left_form->numerator;
  Polynomial right = right_form->numerator;
  if (left_form->IsPolynomial() && right_form->IsPolynomial()) {
    add(NodeOf(left), NodeOf(right));
  } else {
    const Polynomial common = algebra::CommonDivisor(left_form->denominator, right_form->denominator);
    left = algebra::Multiply(left, algebra::Divide(right_form->denominator, common).quotient);
    right = algebra::Multiply(right, algebra::Divide(left_form->denominator, common).quotient);
    if (!algebra::Small(left) || !algebra::Small(right)) return stages;
    add(NodeOf(left), NodeOf(right));
  }
  const auto add_moved = [&](const Polynomial& a, const Polynomial& b) {
    const auto number = [](const Polynomial& p) { return algebra::Constant(p.empty() ? Exact(0) : p[0]); };
    const auto minus = [](const Polynomial& p, const Polynomial& q) { return algebra::Add(p, algebra::Scale(q, -1)); };
    const Polynomial a0 = number(a);
    const Polynomial b0 = number(b);
    const Polynomial ax = minus(a, a0);
    const Polynomial bx = minus(b, b0);
    add(NodeOf(minus(a, bx)), NodeOf(b0));
    add(NodeOf(ax), NodeOf(minus(b, a0)));
    add(NodeOf(minus(ax, bx)), NodeOf(minus(b0, a0)));
    add(NodeOf(a0), NodeOf(minus(b, ax)));
    add(NodeOf(minus(a, b0)), NodeOf(bx));
    add(NodeOf(minus(a0, b0)), NodeOf(minus(bx, ax)));
  };
  add_moved(left, right);
  Integer common = 1;
  for (const Polynomial* const p : {&left, &right}) {
    for (const Exact& coefficient : *p) common = mp::lcm(common, mp::denominator(coefficient));
  }
  if (common != 1 && algebra::BitsOf(common) < 64) {
    left = algebra::Scale(left, Exact(common));
    right = algebra::Scale(right, Exact(common));
    add(NodeOf(left), NodeOf(right));
    add_moved(left, right);
  }
  return stages;
}

// What differs between two expressions that are not equal, as small a part of each as can be told: of 1/2 + 3 * 4 and 1/2 + 13
// it is 3 * 4 and 13.
std::pair<Node, Node> Differing(const Node& was, const Node& is) {
  if (was.kind != is.kind) {
    // A term or factor that is still there need not be shown.
    if (!was.Is(Kind::kSum)) return {was, is};
    const auto same = std::find(was.children.begin(), was.children.end(), is);
    if (same == was.children.end()) return {was, is};
    std::vector<Node> rest = was.children;
    rest.erase(rest.begin() + (same - was.children.begin()));
    return {Sum(std::move(rest)), Number(0)};
  }
  switch (was.kind) {
    case Kind::kSum: {
      std::vector<Node> old_terms = was.children;
      std::vector<Node> new_terms;
      for (const Node& term : is.children) {
        const auto same = std::find(old_terms.begin(), old_terms.end(), term);
        if (same == old_terms.end()) {
          new_terms.push_back(term);
        } else {
          old_terms.erase(same);
        }
      }
      if (old_terms.empty() || new_terms.empty()) return {was, is};
      if (old_terms.size() == 1 && new_terms.size() == 1) return Differing(old_terms[0], new_terms[0]);
      return {Sum(std::move(old_terms)), Sum(std::move(new_terms))};
    }
    case Kind::kNegation:
      // -9 * 2 is to be worked out with its sign.
      return IsNumber(was) ? std::pair(was, is) : Differing(was.children[0], is.children[0]);
    case Kind::kProduct:
      if (was.children.size() != is.children.size()) return {was, is};
      [[fallthrough]];
    case Kind::kQuotient: {
      std::optional<std::size_t> different;
      for (std::size_t i = 0; i < was.children.size(); ++i) {
        if (was.children[i] == is.children[i]) continue;
        if (different) return {was, is};
        different = i;
      }
      return different ? Differing(was.children[*different], is.children[*different]) : std::pair(was, is);
    }
    default:
      return {was, is};
  }
}

// The terms of a side, where brackets with a number before them are multiplied out, but nothing is worked out.
std::vector<Node> ExpandedTerms(const Node& side) {
  std::vector<Node> terms;
  for (const Node& term : TermsOfSide(side)) {
    const Node& size = WithoutSign(term);
    const auto is_sum = [](const Node& factor) { return factor.Is(Kind::kSum); };
    const auto bracket = std::find_if(size.children.begin(), size.children.end(), is_sum);
    if (!size.Is(Kind::kProduct) || bracket == size.children.end()) {
      terms.push_back(term);
      continue;
    }
    for (const Node& inner : bracket->children) {
      std::vector<Node> factors = size.children;
      Node& place = factors[static_cast<std::size_t>(bracket - size.children.begin())];
      place = inner;
      if (&size != &term) factors[0] = Negation(factors[0]);
      terms.push_back(Product(std::move(factors)));
    }
  }
  return terms;
}

// The only power of the unknown that is not as it should be, as it is before it is worked out, and what it became: of
// 4(x - 56) and 4x - 222 it is 4 * (-56) and -222.
std::optional<std::pair<Node, Node>> DifferingTerm(const Node& was, const Node& is) {
  const std::optional<NormalForm> old_form = FormOf(was);
  const std::optional<NormalForm> new_form = FormOf(is);
  if (!old_form || !new_form || !old_form->IsPolynomial() || !new_form->IsPolynomial()) return std::nullopt;
  Polynomial old_terms = old_form->numerator;
  Polynomial new_terms = new_form->numerator;
  const std::size_t size = std::max(old_terms.size(), new_terms.size());
  old_terms.resize(size);
  new_terms.resize(size);
  std::optional<std::size_t> different;
  for (std::size_t i = 0; i < size; ++i) {
    if (old_terms[i] == new_terms[i]) continue;
    if (different) return std::nullopt;
    different = i;
  }
  if (!different || new_terms[*different] == 0) return std::nullopt;
  std::vector<Node> parts;
  for (Node& term : ExpandedTerms(was)) {
    const std::optional<NormalForm> form = FormOf(term);
    if (!form || !form->IsPolynomial()) return std::nullopt;
    const auto is_there = [](const Exact& coefficient) { return coefficient != 0; };
    if (std::count_if(form->numerator.begin(), form->numerator.end(), is_there) > 1) return std::nullopt;
    if (form->numerator.size() == *different + 1) parts.push_back(std::move(term));
  }
  if (parts.empty()) return std::nullopt;
  Polynomial became(*different + 1);
  became.back() = new_terms[*different];
  return std::pair(Sum(std::move(parts)), algebra::PolynomialNode(became, algebra::StyleOf(is)));
}

Mistake MistakeOf(const WrongLine& line, char unknown) {
  Mistake mistake{mistakes::Rules()[line.rule].name, {}, line.side};
  for (const auto& [slot, node] : line.named) mistake.slots[std::string(slot)] = algebra::TextOf(node, unknown);
  if (unknown != 0) mistake.slots["unknown"] = std::string(1, unknown);
  return mistake;
}

class Diagnosis {
 public:
  Diagnosis(const State& before, const State& after, std::string_view before_text)
      : before_(before), after_(after), before_text_(before_text) {}

  std::optional<Mistake> Find() {
    if (before_.form == State::Form::kExpression) {
      return after_.form == State::Form::kExpression ? OfNumbers() : std::nullopt;
    }
    if (before_.form != State::Form::kEquations || after_.form != State::Form::kEquations) return std::nullopt;
    if (before_.equations.size() != 1 || HasRoots(before_) || HasRoots(after_)) return std::nullopt;
    return OfEquation(before_.equations.front());
  }

 private:
  static bool HasRoots(const State& state) {
    return std::any_of(state.equations.begin(), state.equations.end(),
                       [](const Equation& equation) { return algebra::Contains(equation.right, Kind::kRoot); });
  }

  std::string TextOf(const Node& node) const { return algebra::TextOf(node, before_.unknown); }

  Mistake MistakeOf(const WrongLine& line) const { return conpole::MistakeOf(line, before_.unknown); }

  // What the part that differs was made into.
  Mistake Miscalculated(const Node& was, const Node& is, Side side) const {
    const auto [old_part, new_part] = Differing(was, is);
    if (std::optional<Mistake> slip = SlipIn(old_part, new_part, side, false)) return std::move(*slip);
    if (std::optional<Mistake> named = OfPart(old_part, new_part, side)) return std::move(*named);
    if (std::optional<Mistake> named = OfPart(was, is, side)) return std::move(*named);
    const std::optional<std::pair<Node, Node>> term = DifferingTerm(old_part, new_part);
    std::optional<Mistake> slip = term ? SlipIn(term->first, term->second, side, false) : std::nullopt;
    if (!slip) slip = SlipIn(old_part, new_part, side, true);
    if (!slip && term) {
      const std::vector<Node> written = TermsOfSide(new_part);
      const bool is_written = std::find(written.begin(), written.end(), term->second) != written.end();
      if (is_written) slip = SlipIn(term->first, term->second, side, true);
    }
    if (slip) return std::move(*slip);
    const Node& size = WithoutSign(old_part);
    const std::string_view operation = size.Is(Kind::kSum)        ? "sum"
                                       : size.Is(Kind::kProduct)  ? "product"
                                       : size.Is(Kind::kQuotient) ? "quotient"
                                                                  : "power";
    return {fmt::format("{}_slip", operation), {{"was", TextOf(old_part)}, {"is", TextOf(new_part)}}, side};
  }

  std::optional<Mistake> SlipIn(const Node& was, const Node& is, Side side, bool last) const {
    const auto is_written = [&](const Node& part) { return before_text_.find(TextOf(part)) != std::string_view::npos; };
    // An answer that was worked out in the head is told by putting it in.
    if (last && after_.equations.size() == 1 && IsAnswer(after_.equations.front()) && !is_written(was)) return std::nullopt;
    const std::optional<mistakes::WrongTerm> slip = mistakes::FindSlip(was, is, last, is_written);
    if (!slip) return std::nullopt;
    return MistakeOf({slip->rule, {}, slip->named, side});
  }

  // The rule that makes one part of the other.
  std::optional<Mistake> OfPart(const Node& was, const Node& is, Side side) const {
    std::optional<Mistake> mistake = FindMistakeInPart(was, is, before_.unknown);
    if (mistake) mistake->side = side;
    return mistake;
  }

  // Both sides are wrong, each by an error of its own, in the line itself or after a term was taken away on both sides.
  std::optional<Mistake> OfTwoSides(const Equation& equation, const Target& target) const {
    if (target.sides.size() != 1) return std::nullopt;
    const Equation& line = after_.equations.front();
    const auto both = [&](const Equation& from, const Node& new_left, const Node& new_right) -> std::optional<Mistake> {
      std::optional<Mistake> left = OfPart(from.left, new_left, Side::kLeft);
      if (!left) return std::nullopt;
      std::optional<Mistake> right = OfPart(from.right, new_right, Side::kRight);
      if (!right) return std::nullopt;
      left->also = std::move(right->rule);
      left->also_slots = std::move(right->slots);
      return left;
    };
    std::vector<Equation> lines = AfterMoving(equation);
    lines.insert(lines.begin(), equation);
    for (const Equation& from : lines) {
      if (std::optional<Mistake> mistake = both(from, line.left, line.right)) return mistake;
      if (std::optional<Mistake> mistake = both(from, line.right, line.left)) return mistake;
    }
    return std::nullopt;
  }

  // The line that the rule of the lowest rank makes, among those that fit.
  template <typename Fits>
  static const WrongLine* Best(const std::vector<WrongLine>& lines, const Fits& fits) {
    const WrongLine* best = nullptr;
    for (const WrongLine& line : lines) {
      if (best != nullptr && line.rule >= best->rule) continue;
      if (fits(line)) best = &line;
    }
    return best;
  }

  std::optional<Mistake> OfNumbers() const {
    if (algebra::Contains(after_.expression, Kind::kRoot)) return std::nullopt;
    // What stayed as it was is not where the error is, or is so by chance.
    const auto [was, is] = Differing(before_.expression, after_.expression);
    for (const auto& [from, to] : {std::pair(was, is), std::pair(before_.expression, after_.expression)}) {
      const std::optional<NormalForm> value = FormOf(to);
      if (!value) return std::nullopt;
      std::vector<WrongLine> lines;
      ListWrongTerms({from, Number(0)}, lines);
      const WrongLine* const best =
          Best(lines, [&](const WrongLine& line) { return FormOf(line.equations.front().left) == value; });
      if (best != nullptr) return MistakeOf(*best);
      if (after_.expression.Is(Kind::kSum)) break;
    }
    return Miscalculated(was, is, Side::kNone);
  }

  std::optional<Mistake> OfEquation(const Equation& equation) const {
    std::optional<Target> target = Target::Of(after_.equations);
    if (!target) return std::nullopt;
    if (after_.equations.size() == 1) target->FindValues(after_.equations.front());
    // 1. A side that is as it should be but for its sign or the letter, and the very line that an error makes.
    if (std::optional<Mistake> mistake = OfOneSide(equation, *target, true)) return mistake;
    std::vector<WrongLine> all;
    std::size_t first = 0;  // as many are errors in the line itself
    const std::vector<Equation> stages = StagesOf(equation);
    for (std::size_t i = 0; i < stages.size(); ++i) {
      std::vector<WrongLine> lines;
      // Errors within a side are made where it is as it was, or where it was just multiplied by the common denominator; those
      // on both sides at every stage.
      std::vector<WrongLine> after_step;
      if (i == 0) {
        ListWrongTerms(stages[i], lines);
        for (const algebra::Step& step : algebra::ListSteps(before_)) {
          if (step.action != algebra::Action::kMultiply || step.next.equations.size() != 1) continue;
          ListWrongTerms(step.next.equations.front(), after_step);
        }
        for (const Equation& moved : AfterMoving(stages[i])) ListWrongTerms(moved, after_step);
      }
      std::vector<mistakes::WrongEquations> wrong;
      mistakes::ListWrongEquations(stages[i], wrong);
      for (mistakes::WrongEquations& line : wrong) {
        // A coefficient of a term that was moved before, and with the other sign, is not what the learner sees.
        const auto is_hidden = [&](const Named& named) {
          return before_text_.find(TextOf(named.second)) == std::string_view::npos;
        };
        if (mistakes::Rules()[line.rule].visible && std::any_of(line.named.begin(), line.named.end(), is_hidden)) continue;
        lines.push_back({line.rule, std::move(line.equations), std::move(line.named), Side::kNone});
      }
      // What an error makes of the line itself goes before what it makes after a step.
      for (std::vector<WrongLine>* const made : {&lines, &after_step}) {
        const WrongLine* const best = Best(*made, [&](const WrongLine& line) { return target->HasSides(line.equations); });
        if (best != nullptr) return MistakeOf(*best);
        std::move(made->begin(), made->end(), std::back_inserter(all));
      }
      if (i > 0) continue;
      first = all.size();
      if (std::optional<Mistake> mistake = OfOneSide(equation, *target, false)) return mistake;
      if (std::optional<Mistake> mistake = OfUnevenOperation(equation, *target)) return mistake;
    }
    if (HasOppositeRoots(equation, *target)) return Mistake{"root_sign", {}, Side::kNone};
    // 2. One side is as it should be after a step, and the other is not. What a step is, an error that went on may explain
    // better.
    const bool solved = after_.equations.size() > 1 || IsAnswer(after_.equations.front());
    if (!solved) {
      if (std::optional<Mistake> mistake = LineAfterError(std::span(all).first(first), *target)) return mistake;
      if (std::optional<Mistake> mistake = LineAfterError(all, *target)) return mistake;
    }
    if (std::optional<Mistake> mistake = WrongSideAfterStep(stages.front(), *target)) return mistake;
    // 3. A line that goes on rightly from one that an error makes.
    if (std::optional<Mistake> mistake = LineAfterError(std::span(all).first(first), *target)) return mistake;
    if (std::optional<Mistake> mistake = LineAfterError(all, *target)) return mistake;
    // 4. A step after several others. To say what an answer should be worked out from would give too much away.
    for (std::size_t i = 1; i < stages.size() && !solved; ++i) {
      if (std::optional<Mistake> mistake = WrongSideAfterStep(stages[i], *target)) return mistake;
    }
    if (solved) return std::nullopt;
    if (std::optional<Mistake> mistake = OfTwoSides(equation, *target)) return mistake;
    // 5. An error within a side after right steps.
    for (std::size_t i = 1; i < stages.size(); ++i) {
      std::vector<WrongLine> lines;
      ListWrongTerms(stages[i], lines);
      const WrongLine* const best = Best(lines, [&](const WrongLine& line) { return target->HasSides(line.equations); });
      if (best != nullptr) return MistakeOf(*best);
    }
    return std::nullopt;
  }

  std::optional<Mistake> LineAfterError(std::span<const WrongLine> lines, const Target& target) const {
    // What is wrong with a solution where there is none, the way to it does not tell.
    const std::optional<Target> origin = Target::Of(before_.equations);
    if (!origin || origin->roots.size() < 2) return std::nullopt;
    const WrongLine* best = nullptr;
    std::set<std::size_t> rules;
    for (const WrongLine& line : lines) {
      if (mistakes::Rules()[line.rule].exact || rules.contains(line.rule) || !target.HasRoots(line.equations)) continue;
      rules.insert(line.rule);
      if (best == nullptr) best = &line;
    }
    if (rules.size() != 1) return std::nullopt;
    return MistakeOf(*best);
  }

  // One side is as it was, so the other was rewritten. What is `plain` tells more than any rule: a number that was worked out
  // but for its sign, a coefficient without its letter.
  std::optional<Mistake> OfOneSide(const Equation& equation, const Target& target, bool plain) const {
    if (target.sides.size() != 1) return std::nullopt;
    const std::optional<NormalForm> left = FormOf(equation.left);
    const std::optional<NormalForm> right = FormOf(equation.right);
    if (!left || !right) return std::nullopt;
    const Equation& line = after_.equations.front();
    const auto& [new_left, new_right] = target.sides.front();
    const auto rewritten = [&](const NormalForm& was_form, const Node& was, const NormalForm& is_form, const Node& is,
                               Side side) -> std::optional<Mistake> {
      if (!plain) {
        Mistake mistake = Miscalculated(was, is, side);
        if (!mistake.rule.ends_with("_slip") || IsNumber(was)) return mistake;
        const Node& other = side == Side::kLeft ? equation.right : equation.left;
        return OfUnevenFactor(was, is_form, other, *FormOf(other)).value_or(std::move(mistake));
      }
      const Node& size = WithoutSign(was);
      if (is_form.numerator.empty() && (size.Is(Kind::kQuotient) || size.Is(Kind::kProduct))) {
        if (IsNumber(was)) return Miscalculated(was, is, side);
        const Node& other = side == Side::kLeft ? equation.right : equation.left;
        if (IsNumber(other)) return Mistake{"lost_unknown", {{"term", TextOf(was)}, {"is", TextOf(is)}}, side};
      }
      if (was.children.empty() || was.Is(Kind::kNegation) || !was_form.IsPolynomial()) return std::nullopt;
      const Polynomial& old_terms = was_form.numerator;
      const bool one_term = std::count_if(old_terms.begin(), old_terms.end(), [](const Exact& term) { return term != 0; }) == 1;
      const bool opposite =
          one_term && !was.Is(Kind::kQuotient) && is_form.IsPolynomial() && algebra::Scale(old_terms, -1) == is_form.numerator;
      const bool lost =
          one_term && was.Is(Kind::kSum) && old_terms.size() == 2 && is_form.IsNumber() && old_terms[1] == is_form.Number();
      if (!opposite && !lost) return std::nullopt;
      return Mistake{lost ? "lost_unknown" : "opposite", {{"term", TextOf(was)}, {"is", TextOf(is)}}, side};
    };
    if (*left == new_left) return rewritten(*right, equation.right, new_right, line.right, Side::kRight);
    if (*right == new_right) return rewritten(*left, equation.left, new_left, line.left, Side::kLeft);
    if (*left == new_right && !IsNumber(equation.left))
      return rewritten(*right, equation.right, new_left, line.left, Side::kLeft);
    if (*right == new_left && !IsNumber(equation.right))
      return rewritten(*left, equation.left, new_right, line.right, Side::kRight);
    return std::nullopt;
  }

  // One side was multiplied or divided as a whole, or something was added to it; the other one was not, or in another way.
  std::optional<Mistake> OfUnevenOperation(const Equation& equation, const Target& target) const {
    if (target.sides.size() != 1) return std::nullopt;
    const auto& [new_left, new_right] = target.sides.front();
    for (const bool from_left : {true, false}) {
      const Node& side = from_left ? equation.left : equation.right;
      const Node& other = from_left ? equation.right : equation.left;
      const NormalForm& new_side = from_left ? new_left : new_right;
      const NormalForm& new_other = from_left ? new_right : new_left;
      if (std::optional<Mistake> mistake = OfUnevenFactor(side, new_side, other, new_other)) return mistake;
      const std::optional<NormalForm> added = FormOf(Sum({NodeOf(new_side), Negation(side)}));
      if (!added || !added->IsPolynomial() || added->numerator.empty()) continue;
      const Node term = NodeOf(added->numerator);
      if (FormOf(Sum({other, Negation(term)})) != new_other) continue;
      return Mistake{"opposite_sides", {{"term", TextOf(term)}}, Side::kNone};
    }
    const Equation& line = after_.equations.front();
    const std::optional<Node> on_left = TermsAdded(equation.left, line.left);
    const std::optional<Node> on_right = TermsAdded(equation.right, line.right);
    if (on_left && on_right)
      return Mistake{"different_terms", {{"a", TextOf(*on_left)}, {"b", TextOf(*on_right)}}, Side::kNone};
    return std::nullopt;
  }
  // What was written after a side that stayed.
  static std::optional<Node> TermsAdded(const Node& was, const Node& is) {
    std::vector<Node> added = TermsOfSide(is);
    for (const Node& term : TermsOfSide(was)) {
      const auto same = std::find(added.begin(), added.end(), term);
      if (same == added.end()) return std::nullopt;
      added.erase(same);
    }
    if (added.empty()) return std::nullopt;
    return Sum(std::move(added));
  }
  std::optional<Mistake> OfUnevenFactor(const Node& side, const NormalForm& new_side, const Node& other,
                                        const NormalForm& new_other) const {
    const std::optional<NormalForm> ratio = FormOf(Quotient(NodeOf(new_side), side));
    if (!ratio || !ratio->IsNumber() || ratio->numerator.empty() || ratio->Number() == 1) return std::nullopt;
    const Exact factor = ratio->Number();
    // By 1/3 nobody multiplies, nor by 1/0.3.
    const auto is_power_of_ten = [](Integer whole) {
      for (whole = abs(whole); whole > 9 && whole % 10 == 0;) whole /= 10;
      return whole == 1;
    };
    const bool divided = is_power_of_ten(mp::numerator(factor)) && !is_power_of_ten(mp::denominator(factor));
    const Node number = NodeOf(divided ? Exact(1 / factor) : factor);
    Catalogue::Slots slots{{"factor", TextOf(number)}, {"a", TextOf(number)}, {"term", TextOf(other)}};
    if (FormOf(other) == new_other) {
      if (factor == -1 || (mp::denominator(factor) != 1 && mp::numerator(factor) != 1)) return std::nullopt;
      return Mistake{"one_side_factor", std::move(slots), Side::kNone};
    }
    const std::vector<Node> terms = TermsOfSide(other);
    constexpr std::size_t kMostTerms = 6;
    for (std::size_t chosen = 1; terms.size() <= kMostTerms && chosen + 1 < (std::size_t{1} << terms.size()); ++chosen) {
      std::vector<Node> some = terms;
      for (std::size_t i = 0; i < terms.size(); ++i) {
        if ((chosen >> i & 1U) != 0) some[i] = Product({NodeOf(factor), terms[i]});
      }
      if (FormOf(Sum(std::move(some))) != new_other) continue;
      return Mistake{divided ? "divided_some_terms" : "multiplied_some_terms", std::move(slots), Side::kNone};
    }
    if (factor != -1 && FormOf(Quotient(other, NodeOf(factor))) == new_other)
      return Mistake{"opposite_factor", std::move(slots), Side::kNone};
    return std::nullopt;
  }
  static Node NodeOf(const NormalForm& form) {
    return Quotient(conpole::NodeOf(form.numerator), conpole::NodeOf(form.denominator));
  }
  static Node NodeOf(const Exact& number) { return conpole::NodeOf(number); }
  static Node NodeOf(const Polynomial& p) { return conpole::NodeOf(p); }

  // What should be on the two sides, as it is before it is worked out, compared with what is there.
  std::optional<Mistake> Compare(const Node& left, const Node& right, const Target& target) const {
    if (target.sides.size() != 1) return std::nullopt;
    const std::optional<NormalForm> left_form = FormOf(left);
    const std::optional<NormalForm> right_form = FormOf(right);
    if (!left_form || !right_form) return std::nullopt;
    const Equation& line = after_.equations.front();
    const auto& [new_left, new_right] = target.sides.front();
    // A side that is a number says little: it may be there by chance.
    const bool left_tells = !IsNumber(left);
    const bool right_tells = !IsNumber(right);
    if (left_tells && *left_form == new_left) return Miscalculated(right, line.right, Side::kRight);
    if (right_tells && *right_form == new_right) return Miscalculated(left, line.left, Side::kLeft);
    if (left_tells && *left_form == new_right) return Miscalculated(right, line.left, Side::kLeft);
    if (right_tells && *right_form == new_left) return Miscalculated(left, line.right, Side::kRight);
    // Nor does a zero that is what the unknown is.
    if (IsAnswer(line) && (left_form->numerator.empty() || right_form->numerator.empty())) return std::nullopt;
    if (*right_form == new_right && !IsNumber(line.left)) return Miscalculated(left, line.left, Side::kLeft);
    if (*left_form == new_left && !IsNumber(line.right)) return Miscalculated(right, line.right, Side::kRight);
    return std::nullopt;
  }

  // The equation after each of its terms was taken away on both sides, before anything is worked out: 2x = 7 - 3.
  static std::vector<Equation> AfterMoving(const Equation& equation) {
    std::vector<Equation> moved;
    for (const Node* const side : {&equation.left, &equation.right}) {
      for (const Node& term : TermsOfSide(*side)) {
        if (term.IsNumber(0)) continue;
        const Node less = term.Is(Kind::kNegation) ? WithoutSign(term) : Negation(term);
        const auto without = [&](const Node& from) {
          std::vector<Node> terms = TermsOfSide(from);
          const auto same = std::find(terms.begin(), terms.end(), term);
          if (same != terms.end()) {
            terms.erase(same);
          } else if (terms.size() == 1 && terms[0].IsNumber(0)) {
            terms[0] = less;
          } else {
            terms.push_back(less);
          }
          return Sum(std::move(terms));
        };
        moved.push_back({without(equation.left), without(equation.right)});
      }
    }
    return moved;
  }

  // Whether something is zero, and the learner has the opposites of its roots.
  static bool HasOppositeRoots(const Equation& equation, const Target& target) {
    if (!equation.left.IsNumber(0) && !equation.right.IsNumber(0)) return false;
    const std::optional<Target> origin = Target::Of({equation});
    if (!origin || origin->roots.size() < 2) return false;
    Polynomial opposite = origin->roots;
    for (std::size_t i = 1; i < opposite.size(); i += 2) opposite[i] = -opposite[i];
    const bool product = equation.left.Is(Kind::kProduct) || equation.right.Is(Kind::kProduct);
    return (opposite.size() > 2 || product) && algebra::Primitive(opposite) == target.roots;
  }

  // After a term was taken away, or after both sides were multiplied or divided.
  std::optional<Mistake> WrongSideAfterStep(const Equation& equation, const Target& target) const {
    for (const Equation& moved : AfterMoving(equation)) {
      if (std::optional<Mistake> mistake = Compare(moved.left, moved.right, target)) return mistake;
    }
    for (const Exact& divisor : DivisorsOf(equation)) {
      const auto divided = [&](const Node& side) { return Quotient(side, NodeOf(divisor)); };
      if (std::optional<Mistake> mistake = Compare(divided(equation.left), divided(equation.right), target)) return mistake;
      const auto multiplied = [&](const Node& side) {
        return side.Is(Kind::kNumber) ? Product({side, NodeOf(divisor)}) : Product({NodeOf(divisor), side});
      };
      if (std::optional<Mistake> mistake = Compare(multiplied(equation.left), multiplied(equation.right), target))
        return mistake;
    }
    return std::nullopt;
  }

  // Of coefficients what is above the line and what is below it, and the numbers below lines as they are written.
  static std::vector<Exact> DivisorsOf(const Equation& equation) {
    std::vector<Exact> divisors;
    const auto add = [&](const Exact& divisor) {
      if (divisor == 1 || divisor == 0) return;
      if (std::find(divisors.begin(), divisors.end(), divisor) == divisors.end()) divisors.push_back(divisor);
    };
    for (const Node* const side : {&equation.left, &equation.right}) {
      for (const Node& term : TermsOfSide(*side)) {
        const Node& size = WithoutSign(term);
        if (!size.Is(Kind::kQuotient) || !IsNumber(size.children[1])) continue;
        if (const std::optional<Exact> below = algebra::NumberValue(size.children[1])) add(*below);
      }
      const std::optional<NormalForm> form = FormOf(*side);
      if (!form || !form->IsPolynomial()) continue;
      for (std::size_t i = 1; i < form->numerator.size(); ++i) {
        add(Exact(mp::numerator(form->numerator[i])));
        add(Exact(mp::denominator(form->numerator[i])));
      }
    }
    return divisors;
  }

  const State& before_;
  const State& after_;
  const std::string_view before_text_;
};

}  // namespace

std::optional<Mistake> FindMistake(std::string_view before, std::string_view after) {
  // A line that is much longer is no line of a person.
  constexpr std::size_t kMaxBytes = 300;
  if (before.size() > kMaxBytes || after.size() > kMaxBytes) return std::nullopt;
  const algebra::ReadResult old_line = algebra::Read(before);
  const algebra::ReadResult new_line = algebra::Read(after);
  if (old_line.error || new_line.error) return std::nullopt;
  return Diagnosis(old_line.state, new_line.state, before).Find();
}

std::optional<Mistake> FindMistakeInPart(const Node& was, const Node& is, char unknown) {
  const std::optional<NormalForm> wanted = FormOf(is);
  if (!wanted) return std::nullopt;
  const double value = NearValue(is, Target::kPoint);
  std::vector<Place> places = PlacesOf(was);
  Place* best = nullptr;
  for (Place& place : places) {
    if (best != nullptr && place.wrong.rule >= best->wrong.rule) continue;
    Node wrong = was;
    ReplaceAt(wrong, place.path, 0, place.wrong.node);
    if (DifferMuch(NearValue(wrong, Target::kPoint), value)) continue;
    if (FormOf(wrong) == wanted) best = &place;
  }
  if (best == nullptr) return std::nullopt;
  return MistakeOf({best->wrong.rule, {}, std::move(best->wrong.named)}, unknown);
}

std::optional<Mistake> FindSlipInPart(const Node& was, const Node& is, char unknown) {
  for (const bool last : {false, true}) {
    std::optional<mistakes::WrongTerm> slip = mistakes::FindSlip(was, is, last, [](const Node&) { return true; });
    if (slip) return MistakeOf({slip->rule, {}, std::move(slip->named)}, unknown);
  }
  return std::nullopt;
}

std::vector<MadeMistake> MakeMistakes(std::string_view before, std::size_t count, Random& random) {
  const algebra::ReadResult read = algebra::Read(before);
  if (read.error) return {};
  const State& state = read.state;
  const bool is_equation = state.form == State::Form::kEquations && state.equations.size() == 1;
  if (!is_equation && state.form != State::Form::kExpression) return {};
  // 1. Where errors can be made: at a place of a side, or to the equation as a whole.
  const Equation equation = is_equation ? state.equations.front() : Equation{state.expression, Number(0)};
  std::vector<WrongLine> lines;
  ListWrongTerms(equation, lines);
  std::vector<mistakes::WrongEquations> wholes;
  if (is_equation) mistakes::ListWrongEquations(equation, wholes);
  for (mistakes::WrongEquations& whole : wholes) lines.push_back({whole.rule, std::move(whole.equations), {}});
  std::map<std::size_t, std::vector<std::vector<Equation>>> ways;  // by rule
  for (WrongLine& line : lines) ways[line.rule].push_back(std::move(line.equations));
  // 2. An error by chance, then one of its ways; half of the lines are tidied up, as people do in the same line.
  std::vector<MadeMistake> made;
  while (made.size() < count && !ways.empty()) {
    const auto chosen = std::next(ways.begin(), static_cast<std::ptrdiff_t>(random.Uint64(0, ways.size())));
    const std::size_t at = static_cast<std::size_t>(random.Uint64(0, chosen->second.size()));
    State wrong = state;
    std::vector<Equation> equations = std::move(chosen->second[at]);
    const auto put = [&] {
      if (is_equation) {
        wrong.equations = equations;
      } else {
        wrong.expression = equations[0].left;
      }
    };
    put();
    std::string text;
    const std::string& rule = mistakes::Rules()[chosen->first].name;
    chosen->second.erase(chosen->second.begin() + static_cast<std::ptrdiff_t>(at));
    if (chosen->second.empty()) ways.erase(chosen);
    const bool is_tidied = random.Coin();
    if (algebra::FindFault(wrong, text)) continue;  // it divides by zero
    if (is_tidied) {
      for (Equation& each : equations) {
        const NumberStyle style = algebra::StyleOf(each.left, each.right);
        each = {algebra::Tidied(each.left, style), algebra::Tidied(each.right, style)};
      }
      put();
      if (algebra::FindFault(wrong, text)) continue;
    }
    const algebra::ReadResult again = algebra::Read(text);  // what was put together may be written in another way
    if (again.error) continue;
    text = algebra::TextOf(again.state);
    const bool is_known = std::any_of(made.begin(), made.end(), [&](const MadeMistake& other) { return other.line == text; });
    if (text != before && !is_known) made.push_back({rule, std::move(text)});
  }
  return made;
}

void Name(Mistake mistake, Comparison& comparison) {
  const std::vector<mistakes::Rule>& rules = mistakes::Rules();
  const auto find = [&](const std::string& name) {
    return std::find_if(rules.begin(), rules.end(), [&](const mistakes::Rule& rule) { return rule.name == name; });
  };
  if (const auto second = find(mistake.also); second != rules.end()) {
    comparison.also = mistake.also;
    comparison.also_slots = std::move(mistake.also_slots);
    comparison.also_patterns = second->sentences;
  }
  if (const auto rule = find(mistake.rule); rule != rules.end()) {
    comparison.patterns = rule->sentences;
    comparison.reminders = rule->hints;
  } else {
    // Which operation went wrong, the terms show.
    const bool slip = mistake.rule.ends_with("_slip");
    comparison.sentence = "check.mistake." + (slip ? "miscalculated" : mistake.rule);
  }
  for (auto& [slot, text] : mistake.slots) comparison.slots[slot] = std::move(text);
  comparison.mistake = std::move(mistake.rule);
  if (comparison.side == Side::kNone) comparison.side = mistake.side;
}

std::vector<std::string_view> MistakeRules() {
  std::vector<std::string_view> names;
  for (const mistakes::Rule& rule : mistakes::Rules()) names.push_back(rule.name);
  names.insert(names.end(), kOtherRules.begin(), kOtherRules.end());
  return names;
}

}  // namespace conpole
