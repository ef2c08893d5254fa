// The steps on number expressions, from the inside out: an operation can be worked out once its operands are numbers.
#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "domains/school/algebra_steps.h"

namespace conpole::algebra {
namespace {

namespace mp = boost::multiprecision;

// A whole number or a decimal, with signs or without.
bool IsPlain(const Node& node) {
  if (node.Is(Kind::kNegation)) return IsPlain(node.children[0]);
  return node.Is(Kind::kNumber) || node.Is(Kind::kDecimal);
}

// A fraction of whole numbers, or a whole number, with signs or without.
struct Fraction {
  Integer above;
  Integer below = 1;
};
std::optional<Fraction> FractionOf(const Node& node) {
  switch (node.kind) {
    case Kind::kNumber:
      return Fraction{node.value, 1};
    case Kind::kNegation: {
      std::optional<Fraction> fraction = FractionOf(node.children[0]);
      if (fraction) fraction->above = -fraction->above;
      return fraction;
    }
    case Kind::kQuotient:
      if (!node.children[0].Is(Kind::kNumber) || !node.children[1].Is(Kind::kNumber)) return std::nullopt;
      return Fraction{node.children[0].value, node.children[1].value};
    default:
      return std::nullopt;
  }
}

bool HasQuotient(const Node& node) {
  return node.Is(Kind::kQuotient) || (node.Is(Kind::kNegation) && HasQuotient(node.children[0]));
}

Node FractionNode(const Integer& above, const Integer& below) {
  Node node = Quotient(Number(mp::abs(above)), Number(below));
  return above < 0 ? Negation(std::move(node)) : node;
}

// What comes of a calculation: nobody writes 0/2.
Node ResultNode(const Integer& above, const Integer& below) { return above == 0 ? Number(0) : FractionNode(above, below); }

Node Signed(const Integer& value) { return NumberNode(Exact(value), NumberStyle::kFractions); }

class NumberSteps {
 public:
  NumberSteps(const State& state, StepList& steps)
      : root_(state.expression),
        has_fractions_(Contains(root_, Kind::kQuotient) || Contains(root_, Kind::kMixed)),
        steps_(steps) {}

  void List() {
    Visit(root_, nullptr);
    for (const auto& [action, replacements] : done_) AddAll(action, replacements);
  }

 private:
  using Replacements = std::vector<std::pair<Path, Node>>;

  void Add(Action action, const Node& operand, Node replacement) {
    done_[action].emplace_back(path_, replacement);
    State next;
    next.expression = Replaced(root_, path_, std::move(replacement));
    steps_.Add(action, TextOf(operand, 0), 0, {}, std::move(next));
  }

  // An action on all that it can be done to. The last one comes first, so that the places of the others stay; a place within
  // one that was replaced is gone.
  void AddAll(Action action, const Replacements& replacements) {
    if (replacements.size() < 2) return;
    State next;
    next.expression = root_;
    std::vector<const Path*> done;
    for (auto replacement = replacements.rbegin(); replacement != replacements.rend(); ++replacement) {
      const Path& path = replacement->first;
      const bool gone = std::any_of(done.begin(), done.end(), [&](const Path* outer) {
        return outer->size() < path.size() && std::equal(outer->begin(), outer->end(), path.begin());
      });
      if (gone) continue;
      next.expression = Replaced(next.expression, path, replacement->second);
      done.push_back(&path);
    }
    steps_.Add(action, "all", 0, {}, std::move(next));
  }

  // `sum`: the sum that the node is a term of, but for its sign; null if there is none.
  void Visit(const Node& node, const Node* sum) {
    // The parts of a mixed number and of a fraction of whole numbers are no operations.
    if (!node.Is(Kind::kMixed)) {
      for (std::size_t i = 0; i < node.children.size(); ++i) {
        path_.push_back(i);
        Visit(node.children[i], node.Is(Kind::kSum) ? &node : node.Is(Kind::kNegation) ? sum : nullptr);
        path_.pop_back();
      }
    }
    switch (node.kind) {
      case Kind::kDecimal:
        if (has_fractions_) Add(Action::kConvert, node, NumberNode(*NumberValue(node), NumberStyle::kFractions));
        break;
      case Kind::kMixed: {
        const Integer& below = node.children[1].value;
        Add(Action::kConvert, node, FractionNode(node.value * below + node.children[0].value, below));
        break;
      }
      case Kind::kNegation: {
        const Node& inside = node.children[0];
        if (sum == nullptr && IsPlain(inside) && (inside.Is(Kind::kNegation) || inside.IsNumber(0))) Evaluate(node);
        if (sum == nullptr && inside.Is(Kind::kNegation) && !IsPlain(inside) && FractionOf(inside)) {
          Add(Action::kReduce, node, inside.children[0]);
        }
        break;
      }
      case Kind::kSum:
        VisitSum(node);
        break;
      case Kind::kProduct:
        VisitProduct(node);
        break;
      case Kind::kQuotient:
        VisitQuotient(node, sum);
        break;
      case Kind::kPower:
        VisitPower(node);
        break;
      default:
        break;
    }
  }

  void Evaluate(const Node& node) {
    const std::optional<Exact> value = NumberValue(node);
    if (!value) return;
    const NumberStyle style = Contains(node, Kind::kDecimal) ? NumberStyle::kDecimals : NumberStyle::kFractions;
    Add(Action::kEvaluate, node, NumberNode(*value, style));
  }

  static bool AllPlain(const Node& node) { return std::all_of(node.children.begin(), node.children.end(), IsPlain); }

  // The operands as fractions; nothing if one is something else.
  static std::optional<std::vector<Fraction>> Fractions(const Node& node) {
    std::vector<Fraction> fractions;
    for (const Node& child : node.children) {
      std::optional<Fraction> fraction = FractionOf(child);
      if (!fraction) return std::nullopt;
      fractions.push_back(std::move(*fraction));
    }
    return fractions;
  }

  void VisitSum(const Node& sum) {
    if (AllPlain(sum)) {
      Evaluate(sum);
      return;
    }
    const std::optional<std::vector<Fraction>> fractions = Fractions(sum);
    if (!fractions) return;
    Integer common = 1;
    for (const Fraction& fraction : *fractions) {
      common = mp::lcm(common, fraction.below);
      if (BitsOf(common) > kMaxBits) return;
    }
    if (IsReady(sum)) {
      Integer total = 0;
      for (const Fraction& fraction : *fractions) total += fraction.above;
      Add(Action::kSum, sum, ResultNode(total, common));
      return;
    }
    std::vector<Node> terms;
    for (const Fraction& fraction : *fractions) {
      terms.push_back(FractionNode(fraction.above * (common / fraction.below), common));
    }
    Add(Action::kCommon, sum, Sum(std::move(terms)));
  }

  void VisitProduct(const Node& product) {
    if (AllPlain(product)) {
      Evaluate(product);
      return;
    }
    const std::optional<std::vector<Fraction>> fractions = Fractions(product);
    if (!fractions) return;
    Fraction result{1, 1};
    for (const Fraction& fraction : *fractions) {
      result.above *= fraction.above;
      result.below *= fraction.below;
      if (BitsOf(result.above) > kMaxBits || BitsOf(result.below) > kMaxBits) return;
    }
    // What can be cancelled is, before large numbers come of it.
    Add(Action::kProduct, product, NumberNode(Exact(result.above, result.below), NumberStyle::kFractions));
  }

  // Whether the terms of a sum are fractions over one denominator.
  static bool IsReady(const Node& sum) {
    const std::optional<std::vector<Fraction>> fractions = Fractions(sum);
    return fractions && std::all_of(sum.children.begin(), sum.children.end(), HasQuotient) &&
           std::all_of(fractions->begin(), fractions->end(),
                       [&](const Fraction& fraction) { return fraction.below == fractions->front().below; });
  }

  void VisitQuotient(const Node& quotient, const Node* sum) {
    const Node& above = quotient.children[0];
    const Node& below = quotient.children[1];
    if (AllPlain(quotient)) {
      if (Contains(quotient, Kind::kDecimal)) {
        Evaluate(quotient);
        return;
      }
      // Nobody undoes a common denominator.
      if (sum != nullptr && IsReady(*sum)) return;
      Node value = NumberNode(*NumberValue(quotient), NumberStyle::kFractions);
      if (value != quotient) Add(Action::kReduce, quotient, std::move(value));
      return;
    }
    const std::optional<Fraction> a = FractionOf(above);
    const std::optional<Fraction> b = FractionOf(below);
    if (!a || !b) return;
    // a / (p/q) = a * q/p, with all signs in front.
    const auto positive = [](const Node& node) {
      const Node* inside = &node;
      while (inside->Is(Kind::kNegation)) inside = &inside->children.front();
      return *inside;
    };
    const Integer size = mp::abs(b->above);
    Node reciprocal = size == 1 ? Signed(b->below) : Quotient(Number(b->below), Number(size));
    Node product = Product({positive(above), std::move(reciprocal)});
    const bool negative = (a->above < 0) != (b->above < 0);
    Add(Action::kInvert, quotient, negative ? Negation(std::move(product)) : std::move(product));
  }

  void VisitPower(const Node& power) {
    const Node& base = power.children[0];
    if (IsPlain(base)) {
      Evaluate(power);
      return;
    }
    const std::optional<Fraction> fraction = FractionOf(base);
    if (!fraction) return;
    const std::size_t bits = std::max(BitsOf(fraction->above), BitsOf(fraction->below));
    if (bits > 1 && (bits - 1) * power.exponent > kMaxBits) return;
    Add(Action::kEvaluate, power,
        FractionNode(mp::pow(fraction->above, power.exponent), mp::pow(fraction->below, power.exponent)));
  }

  const Node& root_;
  const bool has_fractions_;
  StepList& steps_;
  Path path_;
  std::map<Action, Replacements> done_;
};

}  // namespace

void ListNumberSteps(const State& state, StepList& steps) { NumberSteps(state, steps).List(); }

}  // namespace conpole::algebra
