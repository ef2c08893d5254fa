// The steps on equations.
#include <algorithm>
#include <iterator>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "domains/school/algebra_steps.h"
#include "domains/school/algebra_tidy.h"

namespace conpole::algebra {
namespace {

namespace mp = boost::multiprecision;

// More are not offered.
constexpr std::size_t kMaxMoves = 12;
constexpr std::size_t kMaxBrackets = 6;
// The product of the first and the last coefficient of a quadratic up to which people look for its factors.
constexpr unsigned kMaxFactored = 200;
constexpr unsigned kMaxFactoredWithCoefficient = 40;

Exact Size(const Exact& number) { return number < 0 ? Exact(-number) : number; }

Term NumberTerm(const Exact& value) { return {value, {}, {}}; }

// A polynomial as a number times powers of the unknown and of brackets: a factor for each rational root, and one for the rest.
Term FactoredTerm(const Polynomial& p) {
  Term term = NumberTerm(Content(p));
  Polynomial rest = Primitive(p);
  for (const Exact& root : RationalRoots(p)) {
    const Polynomial linear = Primitive({-root, 1});
    Factor factor{PolynomialNode(linear, NumberStyle::kFractions), 0};
    for (;;) {
      Division division = Divide(rest, linear);
      if (!division.remainder.empty()) break;
      rest = std::move(division.quotient);
      ++factor.exponent;
    }
    term.above.push_back(std::move(factor));
  }
  if (rest.size() > 1) {
    term.coefficient *= Content(rest);
    term.above.push_back({PolynomialNode(Primitive(rest), NumberStyle::kFractions), 1});
  } else {
    term.coefficient *= rest[0];
  }
  // x(x - 2) rather than (x - 2)x.
  std::stable_partition(term.above.begin(), term.above.end(), [](const Factor& f) { return f.base.Is(Kind::kUnknown); });
  return term;
}

// A polynomial in a power of the unknown as a product by its rational roots in that power: x^4 - 5x^2 + 6 is (x^2 - 2)(x^2 -
// 3). Nothing if it is none, or has no such root.
std::optional<Term> FactoredInPower(const Polynomial& p) {
  std::size_t power = 0;
  for (std::size_t i = 1; i < p.size(); ++i) {
    if (!p[i].is_zero()) power = std::gcd(power, i);
  }
  if (power < 2) return std::nullopt;
  Polynomial inner;
  for (std::size_t i = 0; i < p.size(); i += power) inner.push_back(p[i]);
  if (Degree(inner) < 2) return std::nullopt;
  const auto in_power = [&](const Polynomial& q) {
    Polynomial outer(Degree(q) * power + 1);
    for (std::size_t i = 0; i < q.size(); ++i) outer[i * power] = q[i];
    return PolynomialNode(outer, NumberStyle::kFractions);
  };
  Term term = NumberTerm(Content(inner));
  Polynomial rest = Primitive(inner);
  for (const Exact& root : RationalRoots(inner)) {
    const Polynomial linear = Primitive({-root, 1});
    Factor factor{in_power(linear), 0};
    for (Division division = Divide(rest, linear); division.remainder.empty(); division = Divide(rest, linear)) {
      rest = std::move(division.quotient);
      ++factor.exponent;
    }
    term.above.push_back(std::move(factor));
  }
  if (term.above.empty()) return std::nullopt;
  term.coefficient *= Content(rest);
  if (rest.size() > 1) term.above.push_back({in_power(Primitive(rest)), 1});
  return term;
}

class EquationSteps {
 public:
  EquationSteps(const State& state, std::size_t index, StepList& steps)
      : state_(state),
        index_(index),
        left_(state.equations[index].left),
        right_(state.equations[index].right),
        left_unknown_(Contains(left_, Kind::kUnknown)),
        right_unknown_(Contains(right_, Kind::kUnknown)),
        style_(StyleOf(left_, right_)),
        steps_(steps) {
    CollectExclusions(left_, exclusions_);
    CollectExclusions(right_, exclusions_);
  }

  void List() {
    const Node tidy_left = Tidied(left_, style_);
    const Node tidy_right = Tidied(right_, style_);
    Conclude();
    const bool untidy_left = tidy_left != left_;
    const bool untidy_right = tidy_right != right_;
    const std::size_t count = steps_.size();
    Collect(untidy_left && !MixesDenominators(left_), tidy_left, untidy_right && !MixesDenominators(right_), tidy_right);
    Expand();
    const std::size_t before_denominators = steps_.size();
    MultiplyByDenominator();
    const bool clears = !exclusions_.empty() && steps_.size() > before_denominators;
    if (steps_.size() == count) Collect(untidy_left, tidy_left, untidy_right, tidy_right);
    if (!untidy_left && !untidy_right) {
      left_terms_ = TermsOf(left_, style_);
      right_terms_ = TermsOf(right_, style_);
      const NormalForm left = FindNormalForm(left_).form;
      const NormalForm right = FindNormalForm(right_).form;
      linear_ = std::max(Degree(left.numerator), Degree(right.numerator)) <= 1;
      // Denominators with the unknown go before anything is moved.
      if (!clears) Move();
      Divide();
      Split();
      TakeRoot();
      if (right_.IsNumber(0) && left.IsPolynomial() && exclusions_.empty()) SolvePolynomial(left.numerator);
    }
    Reduce();
    if (right_unknown_ && !left_unknown_) Replace(Action::kSwap, {}, {{right_, left_}});
  }

 private:
  // Adds a step that leads to these equations in place of the one that is worked on; to no solution if there is none left.
  void Replace(Action action, std::string operand, std::vector<Equation> equations) {
    State next;
    next.form = State::Form::kEquations;
    next.unknown = state_.unknown;
    next.conditions = state_.conditions;
    std::vector<Polynomial> kept;
    if (!exclusions_.empty()) {
      for (const Equation& equation : equations) {
        CollectExclusions(equation.left, kept);
        CollectExclusions(equation.right, kept);
      }
    }
    for (std::size_t i = 0; i < state_.equations.size(); ++i) {
      if (i != index_) {
        next.equations.push_back(state_.equations[i]);
      } else {
        std::move(equations.begin(), equations.end(), std::back_inserter(next.equations));
      }
    }
    if (next.equations.empty()) {
      next.form = State::Form::kNoSolution;
      next.conditions.clear();
      steps_.Add(action, std::move(operand), index_, {}, std::move(next));
      return;
    }
    std::vector<Polynomial> added;
    for (const Polynomial& excluded : exclusions_) {
      if (std::find(kept.begin(), kept.end(), excluded) != kept.end()) continue;
      if (std::find(state_.conditions.begin(), state_.conditions.end(), excluded) != state_.conditions.end()) continue;
      AddCondition(excluded, next.conditions);
      added.push_back(excluded);
    }
    steps_.Add(action, std::move(operand), index_, std::move(added), std::move(next));
  }

  void Conclude() {
    const bool equal_sides = left_ == right_;
    if (!equal_sides) {
      if (left_unknown_ || right_unknown_ || !IsSimplest(left_) || !IsSimplest(right_)) return;
      if (NumberValue(left_) != NumberValue(right_)) {
        Replace(Action::kConclude, {}, {});
        return;
      }
    }
    State next;
    next.form = State::Form::kEveryNumber;
    next.unknown = state_.unknown;
    next.conditions = state_.conditions;
    for (const Polynomial& excluded : exclusions_) AddCondition(excluded, next.conditions);
    steps_.Add(Action::kConclude, {}, index_, exclusions_, std::move(next));
  }

  void Collect(bool left, const Node& tidy_left, bool right, const Node& tidy_right) {
    if (left) Replace(Action::kCollect, "left", {{tidy_left, right_}});
    if (right) Replace(Action::kCollect, "right", {{left_, tidy_right}});
    if (left && right) Replace(Action::kCollect, "both", {{tidy_left, tidy_right}});
  }

  // Whether a side or a bracket in it has like terms with the unknown over different numbers: those are multiplied by the
  // common denominator first.
  bool MixesDenominators(const Node& node) const {
    if (!Contains(node, Kind::kQuotient)) return false;
    if (node.Is(Kind::kSum)) {
      const std::vector<Term> terms = WrittenTerms(node, style_);
      if (std::any_of(terms.begin(), terms.end(), [&](const Term& term) { return MeetsOtherDenominator(term, terms); })) {
        return true;
      }
    }
    return std::any_of(node.children.begin(), node.children.end(), [&](const Node& child) { return MixesDenominators(child); });
  }

  // A term of a side, or of a bracket in it.
  struct TermPlace {
    bool left;
    Path path;
    const Node* term;
  };
  static void FindTerms(const Node& node, bool is_term, TermPlace& at, std::vector<TermPlace>& places) {
    if (is_term && !node.Is(Kind::kSum)) places.push_back({at.left, at.path, &node});
    for (std::size_t i = 0; i < node.children.size(); ++i) {
      at.path.push_back(i);
      FindTerms(node.children[i], node.Is(Kind::kSum), at, places);
      at.path.pop_back();
    }
  }

  void Expand() {
    std::vector<TermPlace> places;
    for (const bool left : {true, false}) {
      const Node& side = left ? left_ : right_;
      if (!Contains(side, Kind::kSum)) continue;
      TermPlace at{left, {}, nullptr};
      FindTerms(side, true, at, places);
    }
    std::vector<std::pair<TermPlace, Node>> brackets;
    for (TermPlace& place : places) {
      const std::optional<std::vector<Term>> terms = Expanded(*place.term, style_);
      if (terms) brackets.emplace_back(std::move(place), NodeOf(*terms, style_));
      if (brackets.size() == kMaxBrackets) break;
    }
    for (const auto& [place, expanded] : brackets) {
      Equation next{left_, right_};
      Node& side = place.left ? next.left : next.right;
      side = Replaced(side, place.path, expanded);
      Replace(Action::kExpand, TextOf(*place.term, state_.unknown), {std::move(next)});
    }
    // All that are in no bracket themselves; the last first, so that the places of the others stay.
    Equation all{left_, right_};
    std::size_t count = 0;
    for (auto bracket = brackets.rbegin(); bracket != brackets.rend(); ++bracket) {
      const auto& [place, expanded] = *bracket;
      if (place.path.size() > 1) continue;
      Node& side = place.left ? all.left : all.right;
      side = Replaced(side, place.path, expanded);
      ++count;
    }
    if (count > 1) Replace(Action::kExpand, "all", {std::move(all)});
  }

  // Writes denominators with the unknown as products of prime factors where they can be found, numbers going to the front.
  static void FactorBelow(Term& term) {
    std::vector<Factor> factors = std::move(term.below);
    term.below.clear();
    for (const Factor& factor : factors) {
      const std::optional<NormalForm> form = FormOf(factor.base);
      const bool can_be_factored = form && form->IsPolynomial() && !form->numerator.empty();
      Term parts = can_be_factored ? FactoredTerm(form->numerator) : Term{1, {{factor.base, 1}}, {}};
      for (unsigned i = 0; i < factor.exponent; ++i) {
        std::swap(parts.above, parts.below);
        parts.coefficient = 1 / parts.coefficient;
        term = algebra::Multiply(term, parts);
        std::swap(parts.above, parts.below);
        parts.coefficient = 1 / parts.coefficient;
      }
    }
  }

  // The least product that all denominators divide.
  Term CommonDenominator(const std::vector<Term>& terms) const {
    Term common = NumberTerm(1);
    Integer number = 1;
    for (const Term& term : terms) {
      number = mp::lcm(number, mp::denominator(term.coefficient));
      if (BitsOf(number) > kMaxBits) break;
      for (const Factor& factor : term.below) {
        const auto same =
            std::find_if(common.above.begin(), common.above.end(), [&](const Factor& f) { return f.base == factor.base; });
        if (same == common.above.end()) {
          common.above.push_back(factor);
        } else {
          same->exponent = std::max(same->exponent, factor.exponent);
        }
      }
    }
    if (style_ == NumberStyle::kDecimals) {
      Integer ten = 1;
      while (ten % number != 0 && BitsOf(ten) < 64) ten *= 10;
      if (ten % number == 0) number = ten;
    }
    common.coefficient = Exact(number);
    return common;
  }

  // A term times a common denominator: what is below the line goes.
  static Term Cleared(const Term& term, const Term& common) {
    Term result = term;
    result.coefficient *= common.coefficient;
    result.below.clear();
    Term rest = NumberTerm(1);
    for (Factor factor : common.above) {
      for (const Factor& below : term.below) {
        if (below.base == factor.base) factor.exponent -= below.exponent;
      }
      if (factor.exponent > 0) rest.above.push_back(std::move(factor));
    }
    return algebra::Multiply(result, rest);
  }

  // x/2, -x/3
  static bool IsPart(const std::vector<Term>& terms) {
    return terms.size() == 1 && terms[0].MonomialDegree() == 1U && mp::denominator(terms[0].coefficient) != 1 &&
           Size(Exact(mp::numerator(terms[0].coefficient))) == 1;
  }

  void MultiplyByDenominator() {
    std::vector<Term> left = WrittenTerms(left_, style_);
    std::vector<Term> right = WrittenTerms(right_, style_);
    for (std::vector<Term>* side : {&left, &right}) {
      for (Term& term : *side) FactorBelow(term);
    }
    std::vector<Term> all = left;
    all.insert(all.end(), right.begin(), right.end());
    // x/2 = 5/4 needs 2, not 4, and -x/2 = 5 needs -2.
    const bool left_part = IsPart(left) && !right_unknown_ && right.size() == 1;
    const bool right_part = IsPart(right) && !left_unknown_ && left.size() == 1;
    if (left_part || right_part) all = left_part ? left : right;
    Term common = CommonDenominator(all);
    if ((left_part || right_part) && all[0].coefficient < 0) common.coefficient = -common.coefficient;
    if (common.coefficient == 1 && common.above.empty()) return;
    // A number without the unknown is not multiplied for its own sake: x = 1/2 stays.
    if (left_.Is(Kind::kUnknown) && !right_unknown_) return;
    if (right_.Is(Kind::kUnknown) && !left_unknown_) return;
    if (!left_unknown_ && !right_unknown_) return;
    for (std::vector<Term>* side : {&left, &right}) {
      for (Term& term : *side) term = Cleared(term, common);
      std::erase_if(*side, [](const Term& term) { return term.coefficient.is_zero(); });
    }
    Replace(Action::kMultiply, TextOf(NodeOf(common, style_), state_.unknown), {{NodeOf(left, style_), NodeOf(right, style_)}});
  }

  // With the highest power first.
  static void SortByDegree(std::vector<Term>& terms) {
    std::stable_sort(terms.begin(), terms.end(), [](const Term& a, const Term& b) {
      return a.MonomialDegree().value_or(0) > b.MonomialDegree().value_or(0);
    });
  }

  // Both sides less a term.
  Equation Less(const Term& term) const {
    Term negative = term;
    negative.coefficient = -negative.coefficient;
    const auto side = [&](std::vector<Term> terms) {
      terms.push_back(negative);
      return Collected(std::move(terms));
    };
    std::vector<Term> left = side(left_terms_);
    const std::vector<Term> right = side(right_terms_);
    if (!linear_ && right.empty()) SortByDegree(left);
    return {NodeOf(left, style_), NodeOf(right, style_)};
  }

  bool IsFraction(const Exact& number) const { return style_ == NumberStyle::kFractions && mp::denominator(number) != 1; }
  // Whether a term with the unknown would be added to a like one over another number.
  bool MeetsOtherDenominator(const Term& term, const std::vector<Term>& others) const {
    if (style_ == NumberStyle::kDecimals || term.IsNumber()) return false;
    return std::any_of(others.begin(), others.end(), [&](const Term& other) {
      return other.above == term.above && other.below == term.below &&
             mp::denominator(other.coefficient) != mp::denominator(term.coefficient);
    });
  }

  // Whether a bracket can be multiplied out, or is over a number.
  bool HasOpenBracket(const Term& term) const {
    const bool bracket =
        std::any_of(term.above.begin(), term.above.end(), [](const Factor& factor) { return factor.base.Is(Kind::kSum); });
    return bracket && term.below.empty() && (IsFraction(term.coefficient) || Expanded(NodeOf(term, style_), style_));
  }

  void Move() {
    // Brackets go first. If only one term has the unknown, numbers can go before them.
    std::size_t unknowns = 0;
    bool others_wait = false;
    for (const std::vector<Term>* terms : {&left_terms_, &right_terms_}) {
      for (const Term& term : *terms) {
        if (!term.IsNumber()) ++unknowns;
        others_wait = others_wait || HasOpenBracket(term);
      }
    }
    const bool numbers_wait = others_wait && unknowns > 1;
    for (const bool from_left : {true, false}) {
      const std::vector<Term>& terms = from_left ? left_terms_ : right_terms_;
      const bool other_unknown = from_left ? right_unknown_ : left_unknown_;
      for (std::size_t i = 0; i < std::min(terms.size(), kMaxMoves); ++i) {
        const Term& term = terms[i];
        // What stands alone stays, unless the unknown comes together by it or all shall stand on one side.
        if (terms.size() == 1 && linear_ && (term.IsNumber() || !other_unknown)) continue;
        // The unknown does not leave its side for one without it, unless it gets its sign right.
        if (!term.IsNumber() && !other_unknown && linear_ && term.coefficient > 0) continue;
        if (term.IsNumber() ? numbers_wait : others_wait) continue;
        // Denominators that differ are cleared first.
        if (MeetsOtherDenominator(term, from_left ? right_terms_ : left_terms_)) continue;
        Term size = term;
        size.coefficient = Size(term.coefficient);
        Replace(term.coefficient < 0 ? Action::kAdd : Action::kSubtract, TextOf(NodeOf(size, style_), state_.unknown),
                {Less(term)});
      }
    }
    if (!linear_ && right_terms_.size() > 1 && !left_terms_.empty() && !others_wait) {
      Term whole = NumberTerm(-1);
      std::vector<Term> terms = left_terms_;
      for (const Term& term : right_terms_) terms.push_back(algebra::Multiply(term, whole));
      terms = Collected(std::move(terms));
      // Where the highest powers cancel, people take only those away.
      const auto degree = [](const std::vector<Term>& sum) {
        unsigned highest = 0;
        for (const Term& term : sum) highest = std::max(highest, term.MonomialDegree().value_or(kMaxDegree));
        return highest;
      };
      if (degree(terms) < std::max(degree(left_terms_), degree(right_terms_))) return;
      SortByDegree(terms);
      // So that the highest power is not negative: 0 = x^2 - 3x.
      if (terms[0].coefficient < 0 && left_terms_[0].coefficient > 0) {
        for (Term& term : terms) term.coefficient = -term.coefficient;
        Replace(Action::kSubtract, TextOf(left_, state_.unknown), {{Number(0), NodeOf(terms, style_)}});
        return;
      }
      // "Add 2x + 1" rather than "Subtract -2x - 1".
      if (right_terms_[0].coefficient < 0) {
        std::vector<Term> added = right_terms_;
        for (Term& term : added) term.coefficient = -term.coefficient;
        Replace(Action::kAdd, TextOf(NodeOf(added, style_), state_.unknown), {{NodeOf(terms, style_), Number(0)}});
        return;
      }
      Replace(Action::kSubtract, TextOf(right_, state_.unknown), {{NodeOf(terms, style_), Number(0)}});
    }
  }

  void DivideBy(const Exact& divisor) {
    const auto side = [&](std::vector<Term> terms) {
      for (Term& term : terms) term.coefficient /= divisor;
      return NodeOf(terms, style_);
    };
    Replace(Action::kDivide, TextOf(NumberNode(divisor, style_), state_.unknown), {{side(left_terms_), side(right_terms_)}});
  }

  // Whether whole numbers come of it, or decimals where there are some.
  bool DividesEasily(const std::vector<Term>& terms, const Exact& divisor) const {
    return std::all_of(terms.begin(), terms.end(), [&](const Term& term) {
      const Exact quotient = term.coefficient / divisor;
      return mp::denominator(quotient) == 1 || (style_ == NumberStyle::kDecimals && DecimalNode(quotient));
    });
  }

  void Divide() {
    for (const bool left : {true, false}) {
      const std::vector<Term>& terms = left ? left_terms_ : right_terms_;
      if (terms.size() != 1 || terms[0].IsNumber() || (left ? right_unknown_ : left_unknown_)) continue;
      // Brackets are not divided if fractions come of it, and fractions are multiplied by their denominator instead.
      const Exact& coefficient = terms[0].coefficient;
      if (coefficient == 1 || !terms[0].below.empty()) continue;
      if (IsFraction(coefficient)) continue;
      if (!terms[0].MonomialDegree() && !DividesEasily(left ? right_terms_ : left_terms_, coefficient)) continue;
      DivideBy(coefficient);
      return;
    }
    if (!left_unknown_ && !right_unknown_) return;
    Integer common = 0;
    for (const std::vector<Term>* terms : {&left_terms_, &right_terms_}) {
      for (const Term& term : *terms) {
        if (mp::denominator(term.coefficient) != 1 || !term.below.empty()) return;
        common = mp::gcd(common, mp::numerator(term.coefficient));
      }
    }
    if (common > 1) DivideBy(Exact(common));
  }

  void Split() {
    if (!right_.IsNumber(0) || left_terms_.size() != 1 || !exclusions_.empty()) return;
    const Term& product = left_terms_[0];
    if (product.above.empty() || (product.above.size() == 1 && product.above[0].exponent == 1)) return;
    std::vector<Equation> equations;
    for (const Factor& factor : product.above) {
      const std::optional<NormalForm> form = FormOf(factor.base);
      Equation equation{factor.base, Number(0)};
      // 2x - 1 = 0 is worth a line of its own, x - 1 = 0 is not.
      const bool linear = form && form->numerator.size() == 2;
      const bool alone = linear && (form->numerator[1] == 1 || form->numerator[0].is_zero());
      // Of (2x - 4)^2 = 0 the root is taken.
      if (linear && !alone && product.above.size() == 1 && product.coefficient == 1) return;
      if (alone) equation = {Unknown(), NumberNode(-form->numerator[0] / form->numerator[1], style_)};
      if (std::find(equations.begin(), equations.end(), equation) == equations.end()) equations.push_back(std::move(equation));
    }
    Replace(Action::kSplit, {}, std::move(equations));
  }

  void TakeRoot() {
    if (left_terms_.size() != 1 || right_unknown_ || !exclusions_.empty()) return;
    const Term& power = left_terms_[0];
    if (power.coefficient != 1 || !power.below.empty() || power.above.size() != 1 || power.above[0].exponent < 2) return;
    const unsigned degree = power.above[0].exponent;
    const Node& base = power.above[0].base;
    const Exact value = right_terms_.empty() ? Exact(0) : right_terms_[0].coefficient;
    const std::string operand = std::to_string(degree);
    if (value < 0 && degree % 2 == 0) {
      Replace(Action::kRoot, operand, {});
      return;
    }
    if (const std::optional<Exact> root = ExactRoot(Size(value), degree)) {
      const Exact first = value < 0 ? Exact(-*root) : *root;
      std::vector<Equation> equations{{base, NumberNode(first, style_)}};
      if (degree % 2 == 0 && value != 0) equations.push_back({base, NumberNode(-*root, style_)});
      Replace(Action::kRoot, operand, std::move(equations));
      return;
    }
    const NormalForm form = FindNormalForm(base).form;
    if (!form.IsPolynomial() || form.numerator.size() != 2) return;
    const Polynomial& linear = form.numerator;
    const std::optional<Surd> size = RootOf(Size(value), degree);
    if (!size) return;
    std::vector<Equation> equations;
    const auto add = [&](const Exact& sign) {
      const Surd root{-linear[0] / linear[1], sign * size->factor / linear[1], size->radicand, size->degree};
      equations.push_back({Unknown(), SurdNode(root)});
    };
    // The greater one first.
    add(value < 0 || (degree % 2 == 0 && linear[1] < 0) ? -1 : 1);
    if (degree % 2 == 0) add(linear[1] < 0 ? 1 : -1);
    Replace(Action::kRoot, operand, std::move(equations));
  }

  // The roots of a polynomial of degree 2 as answers.
  std::vector<Equation> Answers(const Polynomial& quadratic) const {
    std::vector<Equation> equations;
    for (const Surd& root : QuadraticRoots(Primitive(quadratic)).value_or(std::vector<Surd>())) {
      Node number = root.factor.is_zero() ? NumberNode(root.rational, style_) : SurdNode(root);
      equations.push_back({Unknown(), std::move(number)});
    }
    return equations;
  }

  // A polynomial without brackets is zero.
  void SolvePolynomial(const Polynomial& p) {
    if (Degree(p) < 2) return;
    if (!std::all_of(left_terms_.begin(), left_terms_.end(), [](const Term& t) { return t.MonomialDegree().has_value(); }))
      return;
    const Term product = FactoredTerm(p);
    const bool factors = product.above.size() > 1 || product.above[0].exponent > 1;
    const auto is_hard = [](const Factor& factor) { return Degree(FindNormalForm(factor.base).form.numerator) > 2; };
    if (const std::optional<Term> powers = FactoredInPower(p);
        powers && std::any_of(product.above.begin(), product.above.end(), is_hard)) {
      Replace(Action::kFactor, {}, {{NodeOf(*powers, style_), Number(0)}});
    } else if (factors) {
      Replace(Action::kFactor, {}, {{NodeOf(product, style_), Number(0)}});
    }
    // The root is taken if there is no linear term.
    if (Degree(p) == 2 && !p[1].is_zero() && (!factors || !EasilyFactored(p))) Replace(Action::kFormula, {}, Answers(p));
  }
  // Whether people see the factors of a quadratic that has some.
  static bool EasilyFactored(const Polynomial& quadratic) {
    const Polynomial whole = Primitive(quadratic);
    return Size(whole[0] * whole[2]) <= (whole[2] == 1 ? kMaxFactored : kMaxFactoredWithCoefficient);
  }

  // A fraction with the unknown below the line as it is after reducing; nothing if it is in lowest terms.
  std::optional<Node> Reduced(const Node& fraction) const {
    const Node& below = fraction.children[1];
    if (!Contains(below, Kind::kUnknown)) return std::nullopt;
    const std::optional<NormalForm> whole = FormOf(fraction);
    const std::optional<NormalForm> old_below = FormOf(below);
    if (!whole || !old_below) return std::nullopt;
    if (Degree(whole->denominator) == Degree(old_below->numerator) && !Contains(below, Kind::kQuotient) &&
        !Contains(fraction.children[0], Kind::kQuotient)) {
      return std::nullopt;
    }
    const Exact content = Content(whole->denominator);
    Node above = PolynomialNode(Scale(whole->numerator, 1 / content), NumberStyle::kFractions);
    if (whole->IsPolynomial()) return above;
    return Quotient(std::move(above), NodeOf(FactoredTerm(Primitive(whole->denominator)), style_));
  }

  void Reduce() {
    if (exclusions_.empty()) return;
    for (const bool left : {true, false}) {
      const Node& side = left ? left_ : right_;
      const std::size_t count = side.Is(Kind::kSum) ? side.children.size() : 1;
      for (std::size_t i = 0; i < std::min(count, kMaxMoves); ++i) {
        Path path;
        if (side.Is(Kind::kSum)) path.push_back(i);
        const Node* term = side.Is(Kind::kSum) ? &side.children[i] : &side;
        if (term->Is(Kind::kNegation)) {
          path.push_back(0);
          term = &term->children[0];
        }
        if (!term->Is(Kind::kQuotient)) continue;
        std::optional<Node> reduced = Reduced(*term);
        if (!reduced) continue;
        Equation next{left_, right_};
        (left ? next.left : next.right) = Replaced(side, path, std::move(*reduced));
        Replace(Action::kReduce, TextOf(*term, state_.unknown), {std::move(next)});
      }
    }
  }

  const State& state_;
  const std::size_t index_;
  const Node& left_;
  const Node& right_;
  const bool left_unknown_;
  const bool right_unknown_;
  const NumberStyle style_;
  StepList& steps_;
  std::vector<Polynomial> exclusions_;  // where the equation is not defined
  // Once both sides are tidy.
  std::vector<Term> left_terms_;
  std::vector<Term> right_terms_;
  bool linear_ = true;
};

// Whether no condition excludes a number.
bool Allowed(const Surd& number, const std::vector<Polynomial>& conditions) {
  const Polynomial least = MinimalPolynomial(number);
  return std::none_of(conditions.begin(), conditions.end(),
                      [&](const Polynomial& condition) { return Divide(condition, least).remainder.empty(); });
}

void Settle(const State& state, StepList& steps) {
  State next;
  next.form = State::Form::kEquations;
  next.unknown = state.unknown;
  std::vector<Surd> kept;
  for (const Equation& equation : state.equations) {
    const std::optional<Surd> value = SurdValue(equation.right);
    if (!value || !Allowed(*value, state.conditions)) continue;
    if (std::find(kept.begin(), kept.end(), *value) != kept.end()) continue;
    kept.push_back(*value);
    next.equations.push_back(equation);
  }
  if (next.equations.empty()) next.form = State::Form::kNoSolution;
  steps.Add(Action::kSettle, {}, 0, {}, std::move(next));
}

// The equations after this one that have the same left side and are no answers.
std::vector<std::size_t> EquationsAlike(const State& state, std::size_t at) {
  std::vector<std::size_t> alike;
  for (std::size_t i = at + 1; i < state.equations.size(); ++i) {
    if (!IsAnswer(state.equations[i]) && state.equations[i].left == state.equations[at].left) alike.push_back(i);
  }
  return alike;
}

// Of equations with one left side, x - 7 = 5 or x - 7 = -5, people work on all at once where the same can be done to each:
// lets such steps on the first one do it to the others, too.
std::vector<Step> OnAllAlike(const State& state, const std::vector<std::size_t>& alike, std::vector<Step> first) {
  for (const std::size_t i : alike) {
    StepList list(state);
    EquationSteps(state, i, list).List();
    const std::vector<Step> others = list.Take();
    for (Step& step : first) {
      if (step.action != Action::kAdd && step.action != Action::kSubtract && step.action != Action::kDivide) continue;
      if (step.next.equations.size() != state.equations.size()) continue;
      const auto same = std::find_if(others.begin(), others.end(), [&](const Step& other) {
        return other.action == step.action && other.operand == step.operand &&
               other.next.equations.size() == state.equations.size();
      });
      if (same != others.end()) step.next.equations[i] = same->next.equations[i];
    }
  }
  return first;
}

}  // namespace

void ListEquationSteps(const State& state, StepList& steps) {
  for (std::size_t i = 0; i < state.equations.size(); ++i) {
    if (IsAnswer(state.equations[i])) continue;
    const std::vector<std::size_t> alike = EquationsAlike(state, i);
    if (alike.empty()) {
      EquationSteps(state, i, steps).List();
      return;
    }
    StepList list(state);
    EquationSteps(state, i, list).List();
    for (Step& step : OnAllAlike(state, alike, list.Take())) {
      steps.Add(step.action, std::move(step.operand), i, std::move(step.new_conditions), std::move(step.next));
    }
    return;
  }
  Settle(state, steps);
}

}  // namespace conpole::algebra
