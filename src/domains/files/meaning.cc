#include "domains/files/meaning.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "domains/files/expression.h"
#include "util/random.h"
#include "util/text.h"

namespace conpole::files {
namespace {

enum class Builtin : std::uint8_t {
  kNone,
  kAdd,
  kSubtract,
  kMultiply,
  kDivide,
  kPower,
  kNegate,
  kPlus,
  kModulo,
  kQuotient,
  kSqrt,
  kAbs,
  kExp,
  kLn,
  kLog,
  kSin,
  kCos,
  kTan,
  kArcSin,
  kArcCos,
  kArcTan,
  kMin,
  kMax,
  kGcd,
  kLcm,
  kFloor,
  kFactorial,
  kSlope,
  kPi,
  kEuler,
  kEqual,
  kUnequal,
  kLess,
  kAtMost,
  kGreater,
  kAtLeast,
  kAnd,
  kOr,
  kNot,
  kImplies,
  kIff,
  kXor,
  kNand,
  kNor,
  kAndNot,
  kTrue,
  kFalse,
};

using Table = std::map<std::string, Builtin, std::less<>>;

Builtin FindIn(const Table& table, const std::string& symbol) {
  const auto found = table.find(symbol);
  return found == table.end() ? Builtin::kNone : found->second;
}

Builtin BuiltinOf(const Operator& op, bool is_truth) {
  static const Table logic_infix{{"and", Builtin::kAnd},    {"∧", Builtin::kAnd},           {"&", Builtin::kAnd},
                                 {"&&", Builtin::kAnd},     {"∩", Builtin::kAnd},           {"*", Builtin::kAnd},
                                 {"·", Builtin::kAnd},      {"or", Builtin::kOr},           {"∨", Builtin::kOr},
                                 {"|", Builtin::kOr},       {"||", Builtin::kOr},           {"∪", Builtin::kOr},
                                 {"+", Builtin::kOr},       {"implies", Builtin::kImplies}, {"→", Builtin::kImplies},
                                 {">>", Builtin::kImplies}, {"⇒", Builtin::kImplies},       {"=>", Builtin::kImplies},
                                 {"⊢", Builtin::kImplies},  {"|-", Builtin::kImplies},      {"iff", Builtin::kIff},
                                 {"↔", Builtin::kIff},      {"<=>", Builtin::kIff},         {"⇔", Builtin::kIff},
                                 {"≡", Builtin::kIff},      {"=", Builtin::kIff},           {"==", Builtin::kIff},
                                 {"xor", Builtin::kXor},    {"⊕", Builtin::kXor},           {"Δ", Builtin::kXor},
                                 {"△", Builtin::kXor},      {"!=", Builtin::kXor},          {"nand", Builtin::kNand},
                                 {"↑", Builtin::kNand},     {"nor", Builtin::kNor},         {"↓", Builtin::kNor},
                                 {"\\", Builtin::kAndNot},  {"-", Builtin::kAndNot},        {"∖", Builtin::kAndNot}};
  static const Table logic_unary{{"not", Builtin::kNot}, {"¬", Builtin::kNot},         {"~", Builtin::kNot},
                                 {"!", Builtin::kNot},   {"'", Builtin::kNot},         {"-", Builtin::kNot},
                                 {"∁", Builtin::kNot},   {"complement", Builtin::kNot}};
  static const Table logic_constants{{"true", Builtin::kTrue}, {"T", Builtin::kTrue},      {"⊤", Builtin::kTrue},
                                     {"U", Builtin::kTrue},    {"false", Builtin::kFalse}, {"F", Builtin::kFalse},
                                     {"⊥", Builtin::kFalse},   {"∅", Builtin::kFalse}};
  static const Table infix{
      {"+", Builtin::kAdd},      {"-", Builtin::kSubtract}, {"−", Builtin::kSubtract}, {"*", Builtin::kMultiply},
      {"·", Builtin::kMultiply}, {"×", Builtin::kMultiply}, {"/", Builtin::kDivide},   {"÷", Builtin::kDivide},
      {"^", Builtin::kPower},    {"**", Builtin::kPower},   {"mod", Builtin::kModulo}, {"div", Builtin::kQuotient},
      {"=", Builtin::kEqual},    {"!=", Builtin::kUnequal}, {"≠", Builtin::kUnequal},  {"<", Builtin::kLess},
      {"<=", Builtin::kAtMost},  {"≤", Builtin::kAtMost},   {">", Builtin::kGreater},  {">=", Builtin::kAtLeast},
      {"≥", Builtin::kAtLeast},  {"and", Builtin::kAnd},    {"or", Builtin::kOr},      {"implies", Builtin::kImplies},
      {"iff", Builtin::kIff},    {"xor", Builtin::kXor},    {"nand", Builtin::kNand},  {"nor", Builtin::kNor},
      {"∧", Builtin::kAnd},      {"∨", Builtin::kOr}};
  static const Table unary{{"-", Builtin::kNegate},      {"+", Builtin::kPlus},       {"not", Builtin::kNot},
                           {"√", Builtin::kSqrt},        {"sqrt", Builtin::kSqrt},    {"abs", Builtin::kAbs},
                           {"exp", Builtin::kExp},       {"ln", Builtin::kLn},        {"log", Builtin::kLn},
                           {"sin", Builtin::kSin},       {"cos", Builtin::kCos},      {"tan", Builtin::kTan},
                           {"floor", Builtin::kFloor},   {"¬", Builtin::kNot},        {"arcsin", Builtin::kArcSin},
                           {"arccos", Builtin::kArcCos}, {"arctan", Builtin::kArcTan}};
  static const Table binary{{"log", Builtin::kLog},    {"min", Builtin::kMin},     {"max", Builtin::kMax},
                            {"gcd", Builtin::kGcd},    {"lcm", Builtin::kLcm},     {"slope", Builtin::kSlope},
                            {"mod", Builtin::kModulo}, {"div", Builtin::kQuotient}};
  static const Table constants{
      {"pi", Builtin::kPi}, {"π", Builtin::kPi}, {"e", Builtin::kEuler}, {"true", Builtin::kTrue}, {"false", Builtin::kFalse}};
  switch (op.fix) {
    case Fix::kInfix:
      return FindIn(is_truth ? logic_infix : infix, op.symbol);
    case Fix::kPrefix:
      return FindIn(is_truth ? logic_unary : unary, op.symbol);
    case Fix::kPostfix:
      if (!is_truth && op.symbol == "!") return Builtin::kFactorial;
      return is_truth ? FindIn(logic_unary, op.symbol) : Builtin::kNone;
    case Fix::kFunction:
      if (is_truth)
        return op.arity == 1 ? FindIn(logic_unary, op.symbol) : op.arity == 2 ? FindIn(logic_infix, op.symbol) : Builtin::kNone;
      return op.arity == 1 ? FindIn(unary, op.symbol) : op.arity == 2 ? FindIn(binary, op.symbol) : Builtin::kNone;
    case Fix::kConstant:
      return FindIn(is_truth ? logic_constants : constants, op.symbol);
  }
  return Builtin::kNone;
}

// What expressions have as well, worked out exactly.
const std::map<Builtin, Function>& ExactFunctions() {
  static const std::map<Builtin, Function> functions{
      {Builtin::kAdd, Function::kAdd},           {Builtin::kSubtract, Function::kSubtract},
      {Builtin::kMultiply, Function::kMultiply}, {Builtin::kDivide, Function::kDivide},
      {Builtin::kPower, Function::kPower},       {Builtin::kNegate, Function::kNegate},
      {Builtin::kModulo, Function::kModulo},     {Builtin::kQuotient, Function::kQuotient},
      {Builtin::kAbs, Function::kAbs},           {Builtin::kGcd, Function::kGcd},
      {Builtin::kLcm, Function::kLcm},           {Builtin::kMin, Function::kMin},
      {Builtin::kMax, Function::kMax},           {Builtin::kFloor, Function::kFloor},
      {Builtin::kSqrt, Function::kSqrt}};
  return functions;
}

bool IsComparison(Builtin builtin) { return builtin >= Builtin::kEqual && builtin <= Builtin::kAtLeast; }
bool IsLogical(Builtin builtin) { return builtin >= Builtin::kAnd && builtin <= Builtin::kAndNot; }

struct Value {
  enum class Kind : std::uint8_t { kUndefined, kExact, kReal, kTruth };
  Kind kind = Kind::kUndefined;
  Rational exact{};
  double real = 0;
  bool truth = false;

  static Value Of(const Rational& number) { return {Kind::kExact, number, 0, false}; }
  static Value Of(double number) {
    return std::isfinite(number) && std::abs(number) < 1e100 ? Value{Kind::kReal, {}, number, false} : Value{};
  }
  static Value OfTruth(bool truth) { return {Kind::kTruth, {}, 0, truth}; }

  bool is_number() const { return kind == Kind::kExact || kind == Kind::kReal; }
  double AsReal() const {
    return kind == Kind::kExact ? static_cast<double>(exact.numerator()) / static_cast<double>(exact.denominator()) : real;
  }
};

// How far apart two values may be that are worked out with rounding: derivatives are worked out by differences.
constexpr double kTolerance = 1e-5;

bool Near(double a, double b) { return std::abs(a - b) <= kTolerance * (1 + std::abs(a) + std::abs(b)); }

bool SameValue(const Value& a, const Value& b) {
  if (a.kind == Value::Kind::kTruth || b.kind == Value::Kind::kTruth) return a.kind == b.kind && a.truth == b.truth;
  if (a.kind == Value::Kind::kExact && b.kind == Value::Kind::kExact) return a.exact == b.exact;
  return Near(a.AsReal(), b.AsReal());
}

std::string Shown(const Value& value) {
  switch (value.kind) {
    case Value::Kind::kUndefined:
      return "not defined";
    case Value::Kind::kTruth:
      return value.truth ? "true" : "false";
    case Value::Kind::kReal:
      return fmt::format("about {:.6g}", value.real);
    case Value::Kind::kExact:
      break;
  }
  if (value.exact.IsInteger()) return std::to_string(value.exact.numerator());
  return fmt::format("{}/{}", value.exact.numerator(), value.exact.denominator());
}

// Values of letters, and of constants that mean nothing else.
struct Point {
  std::array<Value, 128> letters{};
  std::map<std::int32_t, Value> constants{};
};

class Evaluator {
 public:
  Evaluator(const Definition& file, Point& point) : file_(file), point_(point), is_truth_(file.keeps == Keeps::kTruth) {}

  Value Evaluate(const std::vector<Part>& parts, std::size_t at, const Grammar& grammar) {
    const Frame frame{&grammar, &parts, nullptr, {}};
    return Evaluate(frame, at);
  }

  // Whether the work was too much, or numbers were so large that rounding may decide.
  bool is_over() const { return work_ > kMaxWork || is_rough_; }

  static Value Apply(Builtin builtin, const Value& a, const Value& b) {
    const bool truths = a.kind == Value::Kind::kTruth && (b.kind == Value::Kind::kTruth || b.kind == Value::Kind::kUndefined);
    switch (builtin) {
      case Builtin::kTrue:
        return Value::OfTruth(true);
      case Builtin::kFalse:
        return Value::OfTruth(false);
      case Builtin::kPi:
        return Value::Of(std::numbers::pi);
      case Builtin::kEuler:
        return Value::Of(std::numbers::e);
      case Builtin::kAnd:
        return truths ? Value::OfTruth(a.truth && b.truth) : Value{};
      case Builtin::kOr:
        return truths ? Value::OfTruth(a.truth || b.truth) : Value{};
      case Builtin::kNot:
        return truths ? Value::OfTruth(!a.truth) : Value{};
      case Builtin::kImplies:
        return truths ? Value::OfTruth(!a.truth || b.truth) : Value{};
      case Builtin::kIff:
        return truths ? Value::OfTruth(a.truth == b.truth) : Value{};
      case Builtin::kXor:
        return truths ? Value::OfTruth(a.truth != b.truth) : Value{};
      case Builtin::kNand:
        return truths ? Value::OfTruth(!(a.truth && b.truth)) : Value{};
      case Builtin::kNor:
        return truths ? Value::OfTruth(!(a.truth || b.truth)) : Value{};
      case Builtin::kAndNot:
        return truths ? Value::OfTruth(a.truth && !b.truth) : Value{};
      case Builtin::kEqual:
      case Builtin::kUnequal:
        if (truths) return Value::OfTruth((a.truth == b.truth) == (builtin == Builtin::kEqual));
        break;
      default:
        break;
    }
    if (!a.is_number()) return {};
    if (a.kind == Value::Kind::kExact && b.kind != Value::Kind::kReal) {
      if (const std::optional<Value> value = ApplyExactly(builtin, a.exact, b.exact)) return *value;
    }
    return ApplyRoughly(builtin, a.AsReal(), b.AsReal());
  }

 private:
  static constexpr std::size_t kMaxWork = 20'000;

  // Names of operands in a meaning are parts of the term that it is the meaning of.
  struct Frame {
    const Grammar* grammar;
    const std::vector<Part>* parts;
    const Frame* outer;
    std::vector<std::size_t> operands;
  };

  Value Evaluate(const Frame& frame, std::size_t at) {
    if (++work_ > kMaxWork || depth_ > 3'000) return {};
    const Part& part = (*frame.parts)[at];
    switch (part.kind) {
      case PartKind::kNumber:
        if (!is_truth_ && part.id != 0 && frame.grammar == &file_.grammar) return OfDecimal(part);
        if (!is_truth_) return Value::Of(part.number);
        return part.number.Is(0) ? Value::OfTruth(false) : part.number.Is(1) ? Value::OfTruth(true) : Value{};
      case PartKind::kLetter:
        return point_.letters[static_cast<std::size_t>(part.id)];
      case PartKind::kVariable:
        return Evaluate(*frame.outer, frame.operands[static_cast<std::size_t>(part.id)]);
      case PartKind::kOperator:
        break;
      default:
        return {};
    }
    std::vector<std::size_t> operands;
    for (std::size_t i = at + 1; i < at + part.size; i += (*frame.parts)[i].size) operands.push_back(i);
    ++depth_;
    const Value value = Operate(frame, part.id, operands);
    --depth_;
    return value;
  }

  static Value OfDecimal(const Part& part) {
    const std::optional<Rational> scale =
        part.id < 0 ? std::nullopt : ApplyFunction(Function::kPower, Rational(10), Rational(part.id));
    const std::optional<Rational> value = scale ? Rational::Apply('*', part.number, *scale) : std::nullopt;
    return value ? Value::Of(*value) : Value{};
  }

  Value Operate(const Frame& frame, std::int32_t id, const std::vector<std::size_t>& operands) {
    const bool is_standard = frame.grammar == &StandardGrammar();
    if (!is_standard) {
      if (const auto meaning = file_.meanings.find(id); meaning != file_.meanings.end()) {
        const Frame inside{&StandardGrammar(), &meaning->second.body, &frame, operands};
        return Evaluate(inside, 0);
      }
    }
    const Operator& op = frame.grammar->op(id);
    // Meanings may be in words of logic as well as of arithmetic.
    Builtin builtin = BuiltinOf(op, is_truth_ && !is_standard);
    if (builtin == Builtin::kNone && op.fix == Fix::kConstant) {
      const auto found = point_.constants.find(id);
      return found == point_.constants.end() ? Value{} : found->second;
    }
    if (builtin == Builtin::kSlope) return Slope(frame, operands);
    std::array<Value, 2> values;
    for (std::size_t i = 0; i < operands.size() && i < 2; ++i) {
      values[i] = Evaluate(frame, operands[i]);
      if (values[i].kind == Value::Kind::kUndefined) return {};
    }
    const Value value = Apply(builtin, values[0], values[1]);
    constexpr double kLarge = 1e7;
    if (value.kind == Value::Kind::kReal && std::abs(value.real) > kLarge) is_rough_ = true;
    return value;
  }

  Value Slope(const Frame& frame, const std::vector<std::size_t>& operands) {
    const Frame* letter_frame = &frame;
    std::size_t letter_at = operands[1];
    while ((*letter_frame->parts)[letter_at].kind == PartKind::kVariable) {
      letter_at = letter_frame->operands[static_cast<std::size_t>((*letter_frame->parts)[letter_at].id)];
      letter_frame = letter_frame->outer;
    }
    const Part& letter = (*letter_frame->parts)[letter_at];
    if (letter.kind != PartKind::kLetter) return {};
    Value& place = point_.letters[static_cast<std::size_t>(letter.id)];
    const Value old = place;
    if (!old.is_number()) return {};
    // Differences of the fourth order.
    constexpr double kStep = 2e-3;
    std::array<double, 4> values{};
    constexpr std::array<double, 4> kPlaces = {-2, -1, 1, 2};
    bool is_defined = true;
    for (std::size_t i = 0; i < 4 && is_defined; ++i) {
      place = Value::Of(old.AsReal() + kPlaces[i] * kStep);
      const Value value = Evaluate(frame, operands[0]);
      is_defined = value.is_number();
      values[i] = value.AsReal();
      constexpr double kLarge = 1e4;
      if (std::abs(values[i]) > kLarge) is_rough_ = true;
    }
    place = old;
    if (!is_defined) return {};
    const double slope = (values[0] - 8 * values[1] + 8 * values[2] - values[3]) / (12 * kStep);
    const double rough = (values[2] - values[1]) / (2 * kStep);
    if (std::abs(slope - rough) > 1e-4 * (1 + std::abs(slope))) is_rough_ = true;
    return Value::Of(slope);
  }

  // Nothing if there is no exact value, which does not say that there is none at all.
  static std::optional<Value> ApplyExactly(Builtin builtin, const Rational& a, const Rational& b) {
    if (const auto found = ExactFunctions().find(builtin); found != ExactFunctions().end()) {
      const std::optional<Rational> value = ApplyFunction(found->second, a, b);
      return value ? std::optional(Value::Of(*value)) : std::nullopt;
    }
    switch (builtin) {
      case Builtin::kPlus:
        return Value::Of(a);
      case Builtin::kFactorial: {
        if (!a.IsInteger() || a.numerator() < 0) return Value{};
        std::optional<Rational> product = Rational(1);
        for (std::int64_t k = 2; k <= a.numerator() && product; ++k) product = Rational::Apply('*', *product, Rational(k));
        return product ? std::optional(Value::Of(*product)) : std::nullopt;
      }
      case Builtin::kEqual:
        return Value::OfTruth(HoldsFor("=", a, b));
      case Builtin::kUnequal:
        return Value::OfTruth(HoldsFor("!=", a, b));
      case Builtin::kLess:
        return Value::OfTruth(HoldsFor("<", a, b));
      case Builtin::kAtMost:
        return Value::OfTruth(HoldsFor("<=", a, b));
      case Builtin::kGreater:
        return Value::OfTruth(HoldsFor(">", a, b));
      case Builtin::kAtLeast:
        return Value::OfTruth(HoldsFor(">=", a, b));
      default:
        return std::nullopt;
    }
  }

  static Value ApplyRoughly(Builtin builtin, double a, double b) {
    constexpr double kZero = 1e-12;
    switch (builtin) {
      case Builtin::kAdd:
        return Value::Of(a + b);
      case Builtin::kSubtract:
        return Value::Of(a - b);
      case Builtin::kMultiply:
        return Value::Of(a * b);
      case Builtin::kDivide:
        return std::abs(b) < kZero ? Value{} : Value::Of(a / b);
      case Builtin::kPower: {
        const bool is_whole = std::abs(b - std::round(b)) < 1e-12;
        if ((a < 0 && !is_whole) || (std::abs(a) < kZero && b <= 0)) return {};
        return Value::Of(std::pow(a, b));
      }
      case Builtin::kNegate:
        return Value::Of(-a);
      case Builtin::kPlus:
        return Value::Of(a);
      case Builtin::kSqrt:
        return a < 0 ? Value{} : Value::Of(std::sqrt(a));
      case Builtin::kAbs:
        return Value::Of(std::abs(a));
      case Builtin::kExp:
        return Value::Of(std::exp(a));
      case Builtin::kLn:
        return a <= 0 ? Value{} : Value::Of(std::log(a));
      case Builtin::kLog:
        return a <= 0 || b <= 0 || std::abs(a - 1) < kZero ? Value{} : Value::Of(std::log(b) / std::log(a));
      case Builtin::kSin:
        return Value::Of(std::sin(a));
      case Builtin::kCos:
        return Value::Of(std::cos(a));
      case Builtin::kTan:
        return std::abs(std::cos(a)) < 1e-9 ? Value{} : Value::Of(std::tan(a));
      case Builtin::kArcSin:
        return std::abs(a) > 1 ? Value{} : Value::Of(std::asin(a));
      case Builtin::kArcCos:
        return std::abs(a) > 1 ? Value{} : Value::Of(std::acos(a));
      case Builtin::kArcTan:
        return Value::Of(std::atan(a));
      case Builtin::kMin:
        return Value::Of(std::min(a, b));
      case Builtin::kMax:
        return Value::Of(std::max(a, b));
      case Builtin::kFloor:
        return Value::Of(std::floor(a));
      case Builtin::kEqual:
        return Value::OfTruth(Near(a, b));
      case Builtin::kUnequal:
        return Value::OfTruth(!Near(a, b));
      case Builtin::kLess:
        return Value::OfTruth(a < b && !Near(a, b));
      case Builtin::kAtMost:
        return Value::OfTruth(a < b || Near(a, b));
      case Builtin::kGreater:
        return Value::OfTruth(a > b && !Near(a, b));
      case Builtin::kAtLeast:
        return Value::OfTruth(a > b || Near(a, b));
      default:
        return {};
    }
  }

  const Definition& file_;
  Point& point_;
  bool is_truth_;
  bool is_rough_ = false;
  std::size_t work_ = 0;
  std::size_t depth_ = 0;
};

// Whether states have fractions that are one number; if not, letters stand for whole numbers, too.
bool HasFractions(NumberNotation notation) {
  return notation == NumberNotation::kPlain || notation == NumberNotation::kBracketed;
}

Rational SmallNumber(Random& random, bool whole) {
  static const std::vector<Rational> numbers = [] {
    std::vector<Rational> made;
    for (const std::int64_t n : {0, 1, 2, 3, -1, -2, 4, 5, -3, 6, 8, 9, 10, 12}) made.emplace_back(n);
    made.push_back(*Rational::Make(1, 2));
    made.push_back(*Rational::Make(-3, 2));
    made.push_back(*Rational::Make(2, 3));
    return made;
  }();
  return numbers[static_cast<std::size_t>(
      random.Int64(0, static_cast<std::int64_t>(whole ? numbers.size() - 3 : numbers.size())))];
}

// Makes states that the left side of a rule fits.
class InstanceMaker {
 public:
  InstanceMaker(const Definition& file, Random& random) : file_(file), random_(random), is_truth_(file.keeps == Keeps::kTruth) {
    const Grammar& grammar = file.grammar;
    constexpr std::string_view kUsual = "xyzpqrabcABCPQR";
    for (const char c : kUsual) {
      if (grammar.IsLetter(c)) letters_.push_back(c);
      if (letters_.size() >= 3 && !grammar.has_letters()) break;
    }
    if (grammar.has_letters()) {
      letters_.clear();
      for (int c = 'A'; c <= 'z'; ++c) {
        if (grammar.IsLetter(static_cast<char>(c))) letters_.push_back(static_cast<char>(c));
      }
    }
    if (file.keeps == Keeps::kSolutions && grammar.IsLetter(file.unknowns[0]))
      letters_.assign(file.unknowns.begin(), file.unknowns.end());
    // Nothing else can be read beside strokes.
    has_strokes_ = grammar.numbers == NumberNotation::kStrokes;
    has_equations_ = grammar.is_list && file.keeps == Keeps::kSolutions;
    if (has_strokes_) letters_.clear();
    for (std::size_t i = 0; i < grammar.operators().size(); ++i) {
      const Operator& op = grammar.operators()[i];
      const Builtin builtin = BuiltinOf(op, is_truth_);
      const bool is_statement = !is_truth_ && (builtin == Builtin::kTrue || builtin == Builtin::kFalse);
      if (op.fix == Fix::kConstant && !has_strokes_ && !is_statement) constants_.push_back(op.symbol);
      const bool is_total = builtin == Builtin::kAdd || builtin == Builtin::kSubtract || builtin == Builtin::kMultiply ||
                            builtin == Builtin::kNegate || (is_truth_ && IsLogical(builtin));
      if (is_total && op.arity > 0) total_.push_back(static_cast<std::int32_t>(i));
      if (IsComparison(builtin) && op.fix == Fix::kInfix && comparison_.empty()) comparison_ = op.symbol;
    }
  }

  // Simple ones first: they make the clearest counterexamples.
  void SetDepth(int depth) { depth_ = depth; }

  std::string Make(const std::vector<Part>& pattern) {
    values_.clear();
    std::string text;
    if (!file_.grammar.is_list) {
      Write(pattern, 0, text);
      return text;
    }
    const Grammar::ListNotation& notation = file_.grammar.list;
    std::vector<std::string> elements;
    for (std::size_t i = 1; i < pattern.size(); i += pattern[i].size) {
      const Part& part = pattern[i];
      if (part.kind == PartKind::kGap) {
        std::vector<std::string>& stretch = stretches_[part.id];
        if (!part.is_bracketed) {
          stretch.clear();
          const Type type = part.id < 0 ? Type::kTerm : file_.variables[static_cast<std::size_t>(part.id)].type;
          for (std::int64_t left = random_.Int64(0, 4); left > 0; --left)
            stretch.push_back(has_equations_ && type == Type::kTerm ? Equation() : OfType(type));
        }
        elements.insert(elements.end(), stretch.begin(), stretch.end());
        continue;
      }
      std::string element;
      Write(pattern, i, element, has_equations_);
      elements.push_back(element);
    }
    text = notation.open;
    for (std::size_t i = 0; i < elements.size(); ++i) text += (i > 0 ? notation.separator : "") + elements[i];
    return text + notation.close;
  }

 private:
  std::string OfType(Type type) {
    switch (type) {
      case Type::kNumber:
      case Type::kInteger:
        return NumberText(type == Type::kInteger);
      case Type::kLetter:
        return Letter();
      case Type::kConstant:
        return constants_.empty() ? Letter() : Pick(constants_);
      case Type::kAtom:
        return Atom();
      case Type::kMonomial:
        if (file_.grammar.coefficient < 0 || random_.Coin()) return random_.Coin() ? NumberText(false) : Letter();
        return NumberText(false) + file_.grammar.op(file_.grammar.coefficient).symbol + Letter();
      case Type::kTerm:
        if (file_.grammar.element >= 0) return Element();
        return Term(file_.grammar.is_list && file_.keeps != Keeps::kTruth ? 0 : depth_);
    }
    return Atom();
  }

  template <class T>
  const T& Pick(const std::vector<T>& from) {
    return from[static_cast<std::size_t>(random_.Int64(0, static_cast<std::int64_t>(from.size())))];
  }

  std::string NumberText(bool whole) {
    if (is_truth_) return random_.Coin() ? "1" : "0";
    std::string text;
    const NumberNotation notation = file_.grammar.numbers;
    Rational number = SmallNumber(random_, whole || !HasFractions(notation) || random_.Int64(0, 4) != 0);
    if ((has_strokes_ || file_.grammar.element >= 0) && number.numerator() < 0) number = -number;
    if (has_strokes_) {
      AppendOperand(text, file_.grammar, number, 0);
    } else {
      AppendNumber(text, number);
    }
    return text;
  }
  std::string Element() {
    const Operator& element = file_.grammar.op(file_.grammar.element);
    std::string text;
    for (const std::pair<char, char>& field : element.fields) text += static_cast<char>(field.first + FieldValue(field));
    return text;
  }
  std::int64_t FieldValue(const std::pair<char, char>& field) {
    return random_.Int64(0, std::min<std::int64_t>(field.second - field.first + 1, 6));
  }
  std::string Equation() { return Term(depth_) + " " + comparison_ + " " + Term(depth_); }
  std::string Letter() { return letters_.empty() ? NumberText(true) : std::string(1, Pick(letters_)); }

  std::string Atom() {
    const std::int64_t kind = random_.Int64(0, 10);
    if (!constants_.empty() && kind < 2) return Pick(constants_);
    const bool wants_letter = is_truth_ || kind < 6;
    return wants_letter && !letters_.empty() ? Letter() : NumberText(false);
  }

  std::string Term(int depth) {
    if (depth == 0 || total_.empty() || random_.Int64(0, 5) < 3) return Atom();
    const Operator& op = file_.grammar.op(Pick(total_));
    switch (op.fix) {
      case Fix::kInfix:
        return "(" + Term(depth - 1) + " " + op.symbol + " " + Term(depth - 1) + ")";
      case Fix::kPrefix:
        return "(" + op.symbol + " " + Term(depth - 1) + ")";
      case Fix::kPostfix:
        return "(" + Term(depth - 1) + " " + op.symbol + ")";
      default: {
        std::string call = op.symbol + "(";
        for (std::size_t i = 0; i < op.arity; ++i) call += (i > 0 ? ", " : "") + Term(depth - 1);
        return call + ")";
      }
    }
  }

  void Write(const std::vector<Part>& pattern, std::size_t i, std::string& out, bool is_statement = false) {
    const Part& part = pattern[i];
    switch (part.kind) {
      case PartKind::kNumber:
        if (has_strokes_) return AppendOperand(out, file_.grammar, part.number, 0);
        out += '(';
        AppendNumber(out, part.number);
        out += ')';
        return;
      case PartKind::kLetter:
        out += static_cast<char>(part.id);
        return;
      case PartKind::kVariable: {
        auto [value, is_new] = values_.emplace(part.id, "");
        const Type type = file_.variables[static_cast<std::size_t>(part.id)].type;
        if (is_new && is_statement && type == Type::kTerm) {
          value->second = Equation();
        } else if (is_new) {
          value->second = OfType(type);
        }
        out += has_strokes_ ? value->second : '(' + value->second + ')';
        return;
      }
      case PartKind::kOperator:
        break;
      default:
        return;
    }
    const Operator& op = file_.grammar.op(part.id);
    // "or" and the like stand between statements, unless all letters are.
    const bool has_statements = !is_truth_ && !comparison_.empty() && IsLogical(BuiltinOf(op, false));
    const std::size_t second = part.size > 1 ? i + 1 + pattern[i + 1].size : 0;
    switch (op.fix) {
      case Fix::kConstant:
        out += op.symbol;
        return;
      case Fix::kInfix: {
        const bool brackets = i != 0 || op.has_brackets;  // of a whole state they may make it another one
        if (brackets) out += '(';
        Write(pattern, i + 1, out, has_statements);
        out += ' ' + op.symbol + ' ';
        Write(pattern, second, out, has_statements);
        if (brackets) out += ')';
        return;
      }
      case Fix::kPrefix:
        out += '(' + op.symbol + ' ';
        Write(pattern, i + 1, out, has_statements);
        out += ')';
        return;
      case Fix::kPostfix:
        out += '(';
        Write(pattern, i + 1, out, has_statements);
        out += ' ' + op.symbol + ')';
        return;
      case Fix::kFunction:
        out += op.symbol + '(';
        for (std::size_t at = i + 1, k = 0; at < i + part.size; at += pattern[at].size, ++k) {
          if (at > i + 1) out += ", ";
          // What is a field is a number, whatever the type of its variable.
          if (!op.fields.empty() && pattern[at].kind == PartKind::kVariable)
            values_.emplace(pattern[at].id, std::to_string(FieldValue(op.fields[k])));
          Write(pattern, at, out, has_statements);
        }
        out += ')';
        return;
    }
  }

  const Definition& file_;
  Random& random_;
  bool is_truth_;
  bool has_strokes_ = false;
  bool has_equations_ = false;  // whether elements are equations
  int depth_ = 0;
  std::vector<char> letters_;
  std::vector<std::string> constants_;
  std::vector<std::int32_t> total_;
  std::string comparison_;  // empty if the file has none
  std::map<std::int32_t, std::string> values_;
  std::map<std::int32_t, std::vector<std::string>> stretches_;
};

void CollectLetters(const TermText& state, std::set<char>& letters, std::set<std::int32_t>& constants) {
  for (const Part& part : state.parts()) {
    if (part.kind == PartKind::kLetter) letters.insert(static_cast<char>(part.id));
    if (part.kind == PartKind::kOperator && part.size == 1) constants.insert(part.id);
  }
}

// Values of an expression of a rule, where its variables are terms.
Value EvaluateExpression(const Definition& file, const Expression& expression, const std::map<std::int32_t, Value>& variables,
                         const Point& point) {
  const auto builtin = [&] {
    if (expression.function == Function::kOfFile) return BuiltinOf(file.grammar.op(expression.variable), false);
    const auto is_it = [&](const auto& entry) { return entry.second == expression.function; };
    const auto found = std::find_if(ExactFunctions().begin(), ExactFunctions().end(), is_it);
    return found == ExactFunctions().end() ? Builtin::kNone : found->first;
  };
  std::array<Value, 2> values;
  for (std::size_t i = 0; i < expression.arguments.size() && i < 2; ++i) {
    values[i] = EvaluateExpression(file, expression.arguments[i], variables, point);
    if (!values[i].is_number()) return {};
  }
  if (expression.function == Function::kNumber) return Value::Of(expression.number);
  if (expression.function == Function::kLetter) return point.letters[static_cast<std::size_t>(expression.variable)];
  if (expression.function == Function::kVariable) {
    const auto found = variables.find(expression.variable);
    return found == variables.end() ? Value{} : found->second;
  }
  return Evaluator::Apply(builtin(), values[0], values[1]);
}

// Whether an assumption holds; what cannot be told does.
bool AssumptionHolds(const Definition& file, const Condition& condition, const std::map<std::int32_t, Value>& variables,
                     const Point& point) {
  if (condition.kind == Condition::Kind::kAnyOf) {
    return std::any_of(condition.any.begin(), condition.any.end(),
                       [&](const Condition& one) { return AssumptionHolds(file, one, variables, point); });
  }
  if (condition.kind != Condition::Kind::kCompare) return true;
  const Value left = EvaluateExpression(file, condition.left, variables, point);
  const Value right = EvaluateExpression(file, condition.right, variables, point);
  if (!left.is_number() || !right.is_number()) return true;
  const bool is_equal = SameValue(left, right);
  const double a = left.AsReal();
  const double b = right.AsReal();
  const std::string& sign = condition.comparison;
  if (sign == "=") return is_equal;
  if (sign == "!=") return !is_equal;
  if (sign == "<") return a < b && !is_equal;
  if (sign == "<=") return a < b || is_equal;
  if (sign == ">") return a > b && !is_equal;
  return a > b || is_equal;
}

std::vector<std::string> ElementsOf(const TermText& state) {
  std::vector<std::string> elements;
  for (std::size_t i = 0; i + 1 < state.elements().size(); ++i) elements.emplace_back(state.Span(state.elements()[i]));
  std::sort(elements.begin(), elements.end());
  return elements;
}

}  // namespace

std::string FaultMessage(const Definition& file, const Rule& rule, const Counterexample& fault) {
  const std::string what = file.keeps == Keeps::kValue      ? "the value"
                           : file.keeps == Keeps::kTruth    ? "the truth"
                           : file.keeps == Keeps::kSum      ? "the sum"
                           : file.keeps == Keeps::kMultiset ? "the elements"
                                                            : "the solutions";
  return fmt::format(
      "the rule '{}' does not keep {}: '{}' becomes '{}', {}{}{} before and {} after; mend it, add a condition with 'if' or "
      "'assuming', or make it an 'error'",
      rule.name, what, fault.before, fault.after, fault.point.empty() ? "" : "and for ", fault.point,
      fault.point.empty() ? fault.before_value : " it is " + fault.before_value, fault.after_value);
}

Judge::Judge(const Definition& file) : file_(file), engine_(file) {
  for (const auto& [id, meaning] : file.meanings) {
    for (const Part& part : meaning.body) {
      if (part.kind == PartKind::kOperator && StandardGrammar().op(part.id).symbol == "slope") has_slope_ = true;
    }
    Point nowhere;
    const bool is_constant = file.grammar.op(id).fix == Fix::kConstant;
    const auto is_letter = [](const Part& part) { return part.kind == PartKind::kLetter; };
    if (is_constant && std::none_of(meaning.body.begin(), meaning.body.end(), is_letter) &&
        Evaluator(file, nowhere).Evaluate(meaning.body, 0, StandardGrammar()).kind == Value::Kind::kUndefined) {
      file.source->Fail(meaning.body[0].begin,
                        fmt::format("'{}' has no value: numbers are real here; write 'keeps nothing' if it is to have none",
                                    file.grammar.op(id).symbol));
    }
  }
  if (file.keeps != Keeps::kValue && file.keeps != Keeps::kTruth && file.keeps != Keeps::kSolutions &&
      file.keeps != Keeps::kSum)
    return;
  const bool is_truth = file.keeps == Keeps::kTruth;
  for (std::size_t i = 0; i < file.grammar.operators().size(); ++i) {
    const Operator& op = file.grammar.operators()[i];
    if (op.fix == Fix::kConstant || file.meanings.contains(static_cast<std::int32_t>(i)) ||
        BuiltinOf(op, is_truth) != Builtin::kNone)
      continue;
    const auto& statements = file.source->statements();
    const bool is_named = std::any_of(statements.begin(), statements.end(), [&](const Source::Statement& statement) {
      const std::string_view text = std::string_view(file.source->clean()).substr(statement.begin);
      return text.starts_with("infix") || text.starts_with("prefix") || text.starts_with("postfix");
    });
    if (!is_named && op.fix != Fix::kFunction) {
      file.source->Fail(file.keeps_position,
                        fmt::format("'{}' has no truth value; it is there since the file names no operators of its own; name "
                                    "one above, as in 'prefix not'",
                                    op.symbol));
    }
    std::string example = op.fix == Fix::kInfix     ? "a " + op.symbol + " b"
                          : op.fix == Fix::kPrefix  ? op.symbol + " a"
                          : op.fix == Fix::kPostfix ? "a " + op.symbol
                                                    : op.symbol + "(";
    if (op.fix == Fix::kFunction) {
      for (std::size_t k = 0; k < op.arity; ++k) example += std::string(k > 0 ? ", " : "") + static_cast<char>('a' + k);
      example += ')';
    }
    file.source->Fail(
        file.keeps_position,
        fmt::format(
            "it is not known what '{}' means, so that nothing can be checked; write 'meaning {} = ...', or 'keeps nothing'",
            op.symbol, example));
  }
}

Judge::Outcome Judge::Compare(const TermText& before, const TermText& after, bool is_strict,
                              Counterexample* counterexample) const {
  return CompareAt(before, after, is_strict, nullptr, nullptr, counterexample);
}

Judge::Outcome Judge::CompareAt(const TermText& before, const TermText& after, bool is_strict, const Rule* rule,
                                const Application* application, Counterexample* counterexample) const {
  const auto differ = [&](std::string point, std::string was, std::string is) {
    if (counterexample != nullptr)
      *counterexample = {std::string(before.text()), std::string(after.text()), std::move(point), std::move(was),
                         std::move(is)};
    return Outcome::kDifferent;
  };
  if (file_.keeps == Keeps::kNothing) return before.text() == after.text() ? Outcome::kSame : Outcome::kCannotTell;
  if (file_.keeps == Keeps::kMultiset) {
    const std::vector<std::string> was = ElementsOf(before);
    const std::vector<std::string> is = ElementsOf(after);
    return was == is ? Outcome::kSame : differ("", "the elements " + Join(was), "the elements " + Join(is));
  }
  std::set<char> letters;
  std::set<std::int32_t> constants;
  CollectLetters(before, letters, constants);
  CollectLetters(after, letters, constants);
  // A slope is one by its letter, also where the term has none.
  for (const auto& [id, meaning] : file_.meanings) {
    for (const Part& part : meaning.body) {
      if (part.kind == PartKind::kLetter) letters.insert(static_cast<char>(part.id));
    }
  }
  std::erase_if(constants, [&](std::int32_t id) {
    return BuiltinOf(file_.grammar.op(id), file_.keeps == Keeps::kTruth) != Builtin::kNone || file_.meanings.contains(id);
  });
  Random random(7);
  const bool are_whole = !HasFractions(file_.grammar.numbers);
  const bool has_unknowns = !letters.empty() || !constants.empty();
  // Few points are true for equations, and many are needed to meet them.
  const auto is_statement = [&](const TermText& state) {
    const Builtin root =
        state[0].kind == PartKind::kOperator ? BuiltinOf(file_.grammar.op(state[0].id), false) : Builtin::kNone;
    return file_.grammar.is_list || IsComparison(root) || IsLogical(root);
  };
  const bool are_equations = file_.keeps == Keeps::kSolutions && is_statement(before) && is_statement(after);
  const bool has_several = file_.unknowns.size() > 1;
  const std::size_t points = !has_unknowns                  ? 1
                             : are_equations                ? (has_several ? 300 : 50)
                             : file_.keeps == Keeps::kTruth ? 20
                                                            : 12;
  // The numbers of the lines themselves are likely solutions.
  std::vector<Rational> likely;
  for (const TermText* const state : {&before, &after}) {
    for (const Part& part : state->parts()) {
      if (part.kind == PartKind::kNumber) likely.push_back(part.number);
    }
  }
  std::map<std::int32_t, TermText> bound;
  if (application != nullptr && rule != nullptr && !rule->assumptions.empty()) {
    Grammar elements = file_.grammar;
    elements.is_list = false;
    for (const auto& [variable, text] : application->bound) {
      Malformed error;
      TermText term;
      if (term.Read(file_.grammar.is_list ? elements : file_.grammar, text, error)) bound[variable] = std::move(term);
    }
  }
  std::size_t compared = 0;
  bool any_true = false;
  std::optional<double> ratio;
  bool is_proportional = true;
  Point point;
  for (std::size_t k = 0; k < points; ++k) {
    std::string shown;
    const auto draw = [&](std::string_view name) {
      Value value;
      if (file_.keeps == Keeps::kTruth) {
        value = Value::OfTruth(random.Coin());
      } else if (file_.keeps == Keeps::kSolutions && has_several && !likely.empty() && random.Int64(0, 4) != 0) {
        value = Value::Of(likely[static_cast<std::size_t>(random.Int64(0, static_cast<std::int64_t>(likely.size())))]);
      } else if (file_.keeps == Keeps::kSolutions && has_several) {
        value = Value::Of(SmallNumber(random, are_whole));
      } else if (file_.keeps == Keeps::kSolutions && k < likely.size()) {
        value = Value::Of(likely[k]);
      } else if (file_.keeps == Keeps::kSolutions) {
        const std::optional<Rational> small =
            Rational::Make(static_cast<std::int64_t>(k) - 30, k % 3 == 0 && !are_whole ? 2 : 1);
        value = Value::Of(*small);
      } else if (has_slope_) {  // differences tell little of what changes fast
        value = Value::Of(*Rational::Apply('/', SmallNumber(random, are_whole), Rational(8)));
      } else {
        value = Value::Of(SmallNumber(random, are_whole));
      }
      shown += fmt::format("{}{} = {}", shown.empty() ? "" : ", ", name, Shown(value));
      return value;
    };
    for (const char letter : letters) {
      if (file_.keeps == Keeps::kSolutions && file_.unknowns.find(letter) == std::string::npos) {
        const Value value = Value::Of(SmallNumber(random, are_whole));
        shown += fmt::format("{}{} = {}", shown.empty() ? "" : ", ", letter, Shown(value));
        point.letters[static_cast<std::size_t>(letter)] = value;
      } else {
        point.letters[static_cast<std::size_t>(letter)] = draw(std::string_view(&letter, 1));
      }
    }
    for (const std::int32_t id : constants) point.constants[id] = draw(file_.grammar.op(id).symbol);
    if (rule != nullptr && !rule->assumptions.empty()) {
      std::map<std::int32_t, Value> variables;
      for (const auto& [variable, term] : bound) {
        Evaluator evaluator(file_, point);
        variables[variable] = evaluator.Evaluate(term.parts(), 0, file_.grammar);
      }
      const auto holds = [&](const Condition& condition) { return AssumptionHolds(file_, condition, variables, point); };
      if (!std::all_of(rule->assumptions.begin(), rule->assumptions.end(), holds)) continue;
    }
    bool is_over = false;
    const auto value_of = [&](const TermText& state) {
      Evaluator evaluator(file_, point);
      Value value;
      if (!file_.grammar.is_list) {
        value = evaluator.Evaluate(state.parts(), 0, file_.grammar);
      } else {
        const bool is_truth = file_.keeps != Keeps::kSum;
        value = is_truth ? Value::OfTruth(true) : Value::Of(Rational(0));
        for (std::size_t i = 0; i + 1 < state.elements().size() && value.kind != Value::Kind::kUndefined; ++i) {
          const Value element = evaluator.Evaluate(state.parts(), state.elements()[i], file_.grammar);
          if (is_truth) {
            value = element.kind == Value::Kind::kTruth ? Value::OfTruth(value.truth && element.truth) : Value{};
          } else {
            const std::optional<Rational> sum = element.kind == Value::Kind::kExact && value.kind == Value::Kind::kExact
                                                    ? Rational::Apply('+', value.exact, element.exact)
                                                    : std::nullopt;
            value = sum ? Value::Of(*sum) : element.is_number() ? Value::Of(value.AsReal() + element.AsReal()) : Value{};
          }
        }
      }
      is_over = is_over || evaluator.is_over();
      return value;
    };
    const Value was = value_of(before);
    const Value is = value_of(after);
    if (is_over) continue;
    const bool was_defined = was.kind != Value::Kind::kUndefined;
    const bool is_defined = is.kind != Value::Kind::kUndefined;
    // A number that an equation is not defined for does not solve it.
    if (are_equations) {
      const bool solved = was_defined && was.truth;
      const bool solves = is_defined && is.truth;
      if (solved != solves)
        return differ(shown,
                      solved        ? "true"
                      : was_defined ? "false"
                                    : "not defined",
                      solves       ? "true"
                      : is_defined ? "false"
                                   : "not defined");
      ++compared;
      any_true = any_true || solved;
      if (was_defined && is_defined && k % 8 == 7 && !file_.grammar.is_list) {
        const auto difference = [&](const TermText& state) -> std::optional<double> {
          Evaluator evaluator(file_, point);
          const Value left = evaluator.Evaluate(state.parts(), 1, file_.grammar);
          const Value right = evaluator.Evaluate(state.parts(), 1 + state[1].size, file_.grammar);
          return left.is_number() && right.is_number() ? std::optional(left.AsReal() - right.AsReal()) : std::nullopt;
        };
        const std::optional<double> a = difference(before);
        const std::optional<double> b = difference(after);
        if (a && b && std::abs(*a) > 1e-9 && std::abs(*b) > 1e-9) {
          if (!ratio) ratio = *b / *a;
          is_proportional = is_proportional && Near(*ratio, *b / *a);
        }
      }
      continue;
    }
    if (!was_defined && !is_defined) continue;
    if (was_defined != is_defined) {
      if (is_strict) return differ(shown, Shown(was), Shown(is));
      continue;
    }
    if (!SameValue(was, is)) return differ(shown, Shown(was), Shown(is));
    ++compared;
  }
  if (compared == 0) return Outcome::kCannotTell;
  if (are_equations && !any_true && !(ratio && is_proportional) && before.text() != after.text()) return Outcome::kCannotTell;
  return Outcome::kSame;
}

template <class Found>
void Judge::ForEachInstance(const Rule& rule, std::size_t attempts, const Found& found) const {
  if (file_.keeps == Keeps::kNothing) return;
  Random random(11);
  InstanceMaker maker(file_, random);
  for (const Form& form : rule.forms) {
    Rule alone = rule;
    alone.forms = {form};
    const RuleProgram program(file_, alone);
    std::size_t used = 0;
    for (std::size_t i = 0; i < attempts && used < 50 + attempts / 20; ++i) {
      maker.SetDepth(i < attempts / 8 ? 0 : i < attempts / 4 ? 1 : 2);
      TermText before;
      Malformed error;
      if (!before.Read(file_.grammar, maker.Make(form.left), error)) continue;
      for (const Application& application : engine_.Applications(program, before)) {
        if (!file_.grammar.is_list && application.at != 0) continue;
        TermText after;
        if (!after.Read(file_.grammar, application.result, error)) continue;
        ++used;
        if (!found(before, after, application)) return;
      }
    }
  }
}

std::optional<Counterexample> Judge::FindFault(const Rule& rule, std::size_t attempts) const {
  std::optional<Counterexample> fault;
  ForEachInstance(rule, attempts, [&](const TermText& before, const TermText& after, const Application& application) {
    Counterexample counterexample;
    if (CompareAt(before, after, true, &rule, &application, &counterexample) == Outcome::kDifferent)
      fault = std::move(counterexample);
    return !fault;
  });
  return fault;
}

bool Judge::ChangesSomething(const Rule& rule, std::size_t attempts) const {
  bool changes = false;
  bool any = false;
  ForEachInstance(rule, attempts, [&](const TermText& before, const TermText& after, const Application&) {
    any = true;
    changes = CompareAt(before, after, true, nullptr, nullptr, nullptr) == Outcome::kDifferent;
    return !changes;
  });
  return changes || !any;
}

Judge::Outcome Judge::Verify(const TermText& problem, const TermText& answer) const {
  return CompareAt(problem, answer, false, nullptr, nullptr, nullptr);
}

}  // namespace conpole::files
