#include "domains/school/algebra_text.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include <fmt/format.h>

#include "conpole/domain.h"
#include "util/text.h"

namespace conpole::algebra {
namespace {

namespace mp = boost::multiprecision;

// A bound on the parser's recursion, which goes three functions deep for each bracket. Canonical text of an expression within
// kMaxDepth has a bracket for each level of its tree at most.
constexpr std::size_t kMaxNesting = 9 * kMaxDepth;

constexpr std::string_view kNoSolutionText = "no solution";
constexpr std::string_view kEveryNumberText = "every number";

// Thrown and caught within Read.
struct Refused {
  Malformed error;
};

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  State ParseState() {
    State state;
    if (EatWords(kNoSolutionText)) {
      state.form = State::Form::kNoSolution;
      ExpectEnd();
      return state;
    }
    if (EatWords(kEveryNumberText)) {
      state.form = State::Form::kEveryNumber;
    } else {
      Node first = ParseSum();
      if (AtEnd()) {
        if (unknown_ != 0) Refuse(Position(), "expected '=': an expression with an unknown is no problem");
        state.expression = std::move(first);
        return state;
      }
      state.form = State::Form::kEquations;
      state.equations.push_back(ParseEquation(std::move(first)));
      while (EatWords("or")) {
        Node left = ParseSum();
        state.equations.push_back(ParseEquation(std::move(left)));
      }
    }
    if (Eat(';')) {
      do ParseCondition(state.conditions);
      while (Eat(','));
    }
    ExpectEnd();
    state.unknown = unknown_;
    return state;
  }

 private:
  [[noreturn]] static void Refuse(std::size_t position, Message message) { throw Refused{{position, std::move(message)}}; }

  void SkipBlanks() {
    while (at_ < text_.size() && IsBlank(text_[at_])) ++at_;
  }
  std::size_t Position() {
    SkipBlanks();
    return at_;
  }
  bool AtEnd() { return Position() == text_.size(); }
  char Peek() {
    SkipBlanks();
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool Eat(char c) {
    if (Peek() != c || AtEnd()) return false;
    ++at_;
    return true;
  }
  // Words with blanks between them, not followed by a letter.
  bool EatWords(std::string_view words) {
    SkipBlanks();
    std::size_t at = at_;
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (words[i] == ' ') {
        const std::size_t blank = at;
        while (at < text_.size() && IsBlank(text_[at])) ++at;
        if (at == blank) return false;
      } else if (at < text_.size() && text_[at] == words[i]) {
        ++at;
      } else {
        return false;
      }
    }
    if (at < text_.size() && IsLetter(text_[at])) return false;
    at_ = at;
    return true;
  }
  std::string ShownNext() { return AtEnd() ? "the end" : Quoted(Peek()); }
  void Expect(char c) {
    if (!Eat(c)) Refuse(Position(), Message("expected '{}', found {}", c, ShownNext()));
  }
  void ExpectEnd() {
    if (!AtEnd()) Refuse(Position(), Message("expected an operation or the end, found {}", ShownNext()));
  }

  Equation ParseEquation(Node left) {
    if (!Eat('=')) Refuse(Position(), Message("expected an operation or '=', found {}", ShownNext()));
    Node right = ParseSum();
    return {std::move(left), std::move(right)};
  }

  void ParseCondition(std::vector<Polynomial>& conditions) {
    const std::size_t start = Position();
    Node left = ParseSum();
    if (!Eat('!')) Refuse(Position(), Message("expected '!=', found {}", ShownNext()));
    Expect('=');
    const Node difference = Sum({std::move(left), Negation(ParseSum())});
    if (DepthOf(difference) > kMaxDepth || Contains(difference, Kind::kRoot))
      Refuse(start, "this condition is too complicated");
    const std::optional<NormalForm> form = FormOf(difference);
    if (!form || !form->IsPolynomial()) Refuse(start, "this condition is too complicated");
    if (form->numerator.empty()) Refuse(start, "this condition never holds");
    AddCondition(form->numerator, conditions);
  }

  // [-] term {(+|-) term}
  Node ParseSum() {
    Nest nest(*this);
    std::vector<Node> terms;
    bool negative = false;
    if (Eat('-')) {
      negative = true;
    } else {
      Eat('+');
    }
    for (;;) {
      Node term = ParseTerm();
      terms.push_back(negative ? Negation(std::move(term)) : std::move(term));
      if (Eat('+')) {
        negative = false;
      } else if (Eat('-')) {
        negative = true;
      } else {
        return Sum(std::move(terms));
      }
    }
  }

  // A product of quotients; a colon divides all that stands before it.
  Node ParseTerm() {
    Nest nest(*this);
    if (Eat('-')) return Negation(ParseTerm());
    std::vector<Node> factors;
    factors.push_back(ParseQuotient());
    for (;;) {
      if (Eat('*')) {
        factors.push_back(ParseQuotient());
      } else if (Eat(':')) {
        Node below = ParseQuotient();
        Node quotient = Quotient(Product(std::move(factors)), std::move(below));
        factors.clear();
        factors.push_back(std::move(quotient));
      } else {
        return Product(std::move(factors));
      }
    }
  }

  // Factors without signs between them, and divisions.
  Node ParseQuotient() {
    std::vector<Node> factors;
    factors.push_back(ParseFactor());
    for (;;) {
      if (Eat('/')) {
        Node below = ParseFactor();
        Node quotient = Quotient(Product(std::move(factors)), std::move(below));
        factors.clear();
        factors.push_back(std::move(quotient));
      } else if (Peek() == '(' || StartsUnknownOrRoot()) {
        factors.push_back(ParseFactor());
      } else {
        return Product(std::move(factors));
      }
    }
  }

  // Whether a letter follows that is no word between equations.
  bool StartsUnknownOrRoot() {
    if (!IsLetter(Peek())) return false;
    const std::size_t start = at_;
    const bool word = EatWords("or");
    at_ = start;
    return !word;
  }

  Node ParseFactor() {
    Nest nest(*this);
    if (Eat('-')) return Negation(ParseFactor());
    const std::size_t start = Position();
    Node atom = ParseAtom();
    if (Peek() != '^') return atom;
    if (atom.Is(Kind::kMixed) && text_[start] != '(') Refuse(at_, "a mixed number with an exponent needs brackets");
    Expect('^');
    const std::size_t position = Position();
    if (!IsDigit(Peek())) Refuse(position, Message("expected a whole number as exponent, found {}", ShownNext()));
    const Integer exponent = ParseInteger();
    if (exponent > kMaxExponent) Refuse(position, Message("an exponent can be {} at most", kMaxExponent));
    if (Peek() == '^') Refuse(at_, "a power of a power needs brackets");
    if (exponent == 0 && Contains(atom, Kind::kUnknown)) Refuse(position, "the exponent of the unknown cannot be 0");
    if (exponent == 1) return atom;
    return Power(std::move(atom), static_cast<unsigned>(exponent));
  }

  Node ParseAtom() {
    const std::size_t position = Position();
    if (Eat('(')) {
      Node inside = ParseSum();
      Expect(')');
      return inside;
    }
    const char c = Peek();
    if (IsDigit(c)) return ParseNumber();
    if (IsLetter(c)) {
      if (EatWords("sqrt")) return ParseRoot(2);
      if (EatWords("cbrt")) return ParseRoot(3);
      if (EatWords("root")) return ParseRoot(0);
      ++at_;
      if (at_ < text_.size() && IsLetter(text_[at_])) Refuse(position, "an unknown is one letter");
      if (unknown_ != 0 && unknown_ != c) Refuse(position, Message("there are two unknowns, {} and {}", unknown_, c));
      unknown_ = c;
      return Unknown();
    }
    Refuse(position, Message("expected a number, the unknown or '(', found {}", ShownNext()));
  }

  // What follows the name of a root. Degree 0: it is written before the number.
  Node ParseRoot(unsigned degree) {
    Expect('(');
    if (degree == 0) {
      const std::size_t position = Position();
      const Integer written = ParseWhole();
      if (written < 2 || written > kMaxDegree) Refuse(position, Message("the degree of a root is 2 to {}", kMaxDegree));
      degree = static_cast<unsigned>(written);
      Expect(',');
    }
    Integer radicand = ParseWhole();
    Expect(')');
    return Root(std::move(radicand), degree);
  }
  Integer ParseWhole() {
    if (!IsDigit(Peek())) Refuse(Position(), Message("expected a whole number, found {}", ShownNext()));
    return ParseInteger();
  }

  std::string_view Digits() {
    const std::size_t start = at_;
    while (at_ < text_.size() && IsDigit(text_[at_])) ++at_;
    return text_.substr(start, at_ - start);
  }
  // Requires a digit.
  Integer ParseInteger() {
    const std::size_t start = at_;
    return ToInteger(Digits(), start);
  }
  static Integer ToInteger(std::string_view digits, std::size_t position) {
    digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size()));
    // Numbers that steps lead to are bounded by their bits, so one digit more can be right; FindFault has the last word.
    if (digits.size() > kMaxDigits + 1) Refuse(position, Message("a number has more than {} digits", kMaxDigits));
    if (digits.size() <= 18) {
      std::int64_t value = 0;
      std::from_chars(digits.data(), digits.data() + digits.size(), value);
      return Integer(value);
    }
    return Integer(std::string(digits));
  }

  Node ParseNumber() {
    const std::size_t start = at_;
    const std::string_view whole = Digits();
    if (at_ < text_.size() && text_[at_] == '.') {
      ++at_;
      const std::string_view places = Digits();
      if (places.empty()) Refuse(at_, Message("expected a digit, found {}", ShownNext()));
      if (places.size() > kMaxDigits) Refuse(start, Message("a number has more than {} digits", kMaxDigits));
      return Decimal(ToInteger(std::string(whole) + std::string(places), start), static_cast<unsigned>(places.size()));
    }
    Integer value = ToInteger(whole, start);
    if (!IsDigit(Peek())) return Number(std::move(value));
    // Digits after a blank: a mixed number, or nothing that is known.
    const std::size_t fraction = at_;
    Integer above = ParseInteger();
    if (!Eat('/') || !IsDigit(Peek())) Refuse(fraction, "expected an operation between two numbers");
    Integer below = ParseInteger();
    if (value == 0 || above == 0 || above >= below) Refuse(fraction, "the fraction of a mixed number lies between 0 and 1");
    return Mixed(std::move(value), std::move(above), std::move(below));
  }

  class Nest {
   public:
    explicit Nest(Parser& parser) : parser_(parser) {
      if (++parser_.nesting_ > kMaxNesting) Refuse(parser_.at_, "the brackets are nested too deeply");
    }
    ~Nest() { --parser_.nesting_; }
    Nest(const Nest&) = delete;
    Nest& operator=(const Nest&) = delete;

   private:
    Parser& parser_;
  };

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t nesting_ = 0;
  char unknown_ = 0;
};

// Writing. What needs brackets depends on what the expression is an operand of.

void WriteInteger(const Integer& value, std::string& out) {
  if (value <= INT64_MAX) {
    char digits[kMaxIntegerBytes];
    out.append(digits, conpole::WriteInteger(digits, static_cast<std::int64_t>(value)));
  } else {
    out += value.str();
  }
}

class Writer {
 public:
  Writer(char unknown, std::string& out) : unknown_(unknown), out_(out) {}

  void Side(const Node& node) {
    if (!node.Is(Kind::kSum)) {
      SignedTerm(node, "-", "");
      return;
    }
    SignedTerm(node.children[0], "-", "");
    for (std::size_t i = 1; i < node.children.size(); ++i) SignedTerm(node.children[i], " - ", " + ");
  }

 private:
  void SignedTerm(const Node& node, std::string_view minus, std::string_view plus) {
    const bool negative = node.Is(Kind::kNegation);
    out_ += negative ? minus : plus;
    const Node& term = negative ? node.children[0] : node;
    Bracketed(term, term.Is(Kind::kSum) || term.Is(Kind::kNegation));
  }

  void Bracketed(const Node& node, bool brackets) {
    if (!brackets) {
      Plain(node);
      return;
    }
    out_ += '(';
    Side(node);
    out_ += ')';
  }

  void Plain(const Node& node) {
    switch (node.kind) {
      case Kind::kNumber:
        WriteInteger(node.value, out_);
        break;
      case Kind::kDecimal:
        Decimal(node);
        break;
      case Kind::kMixed:
        WriteInteger(node.value, out_);
        out_ += ' ';
        WriteInteger(node.children[0].value, out_);
        out_ += '/';
        WriteInteger(node.children[1].value, out_);
        break;
      case Kind::kUnknown:
        out_ += unknown_;
        break;
      case Kind::kProduct:
        for (std::size_t i = 0; i < node.children.size(); ++i) {
          if (i > 0 && !Juxtaposed(node.children[i - 1], node.children[i])) out_ += " * ";
          Bracketed(node.children[i], node.children[i].Is(Kind::kSum) || node.children[i].Is(Kind::kNegation));
        }
        break;
      case Kind::kQuotient: {
        const Node& above = node.children[0];
        Bracketed(above, !IsAtom(above) && !(above.Is(Kind::kProduct) && AllJuxtaposed(above)));
        out_ += '/';
        Bracketed(node.children[1], !IsAtom(node.children[1]));
        break;
      }
      case Kind::kPower: {
        const Node& base = node.children[0];
        Bracketed(base, !base.Is(Kind::kNumber) && !base.Is(Kind::kDecimal) && !base.Is(Kind::kUnknown));
        out_ += '^';
        WriteInteger(Integer(node.exponent), out_);
        break;
      }
      case Kind::kRoot:
        if (node.exponent == 2) {
          out_ += "sqrt(";
        } else if (node.exponent == 3) {
          out_ += "cbrt(";
        } else {
          out_ += fmt::format("root({}, ", node.exponent);
        }
        WriteInteger(node.value, out_);
        out_ += ')';
        break;
      case Kind::kSum:
      case Kind::kNegation:
        Side(node);
        break;
    }
  }

  void Decimal(const Node& node) {
    std::string digits = node.value.str();
    if (digits.size() <= node.exponent) digits.insert(0, node.exponent + 1 - digits.size(), '0');
    digits.insert(digits.size() - node.exponent, 1, '.');
    out_ += digits;
  }

  static bool IsAtom(const Node& node) {
    return node.Is(Kind::kNumber) || node.Is(Kind::kDecimal) || node.Is(Kind::kUnknown) || node.Is(Kind::kPower) ||
           node.Is(Kind::kRoot);
  }

  // Whether a product of the two is written without a sign between them.
  static bool Juxtaposed(const Node& a, const Node& b) {
    if (a.Is(Kind::kQuotient) || a.Is(Kind::kMixed)) return false;
    if (b.Is(Kind::kSum)) return true;
    const bool letters = b.Is(Kind::kUnknown) || b.Is(Kind::kRoot) || (b.Is(Kind::kPower) && b.children[0].Is(Kind::kUnknown));
    if (letters) return !a.Is(Kind::kUnknown) && !a.Is(Kind::kPower);
    return b.Is(Kind::kPower) && b.children[0].Is(Kind::kSum);
  }

  static bool AllJuxtaposed(const Node& product) {
    for (std::size_t i = 1; i < product.children.size(); ++i) {
      if (!Juxtaposed(product.children[i - 1], product.children[i])) return false;
    }
    return true;
  }

  char unknown_;
  std::string& out_;
};

// By degree, then by root or coefficients.
bool ConditionBefore(const Polynomial& a, const Polynomial& b) {
  if (a.size() != b.size()) return a.size() < b.size();
  if (a.size() == 2) return -a[0] / a[1] < -b[0] / b[1];
  return std::lexicographical_compare(a.rbegin(), a.rend(), b.rbegin(), b.rend());
}

std::optional<Message> FindFault(const Node& side) {
  if (DepthOf(side) > kMaxDepth) return "the expression is nested too deeply";
  const std::optional<NoForm> fault = FindNormalForm(side).fault;
  if (!fault) return std::nullopt;
  switch (*fault) {
    case NoForm::kDividesByZero:
      return "this divides by zero";
    case NoForm::kZeroToTheZero:
      return "zero to the power of zero means nothing";
    case NoForm::kTooLarge:
      return Message("the numbers or powers are too large: more than {} digits or degree {}", kMaxDigits, kMaxDegree);
  }
  return std::nullopt;
}

bool NumbersAreSmall(const Node& node) {
  return BitsOf(node.value) <= kMaxBits && std::all_of(node.children.begin(), node.children.end(), NumbersAreSmall);
}

// Replaces a number with roots by its simplest form; says what is wrong if that is not possible.
std::optional<Message> SettleRoots(Equation& equation) {
  if (!Contains(equation, Kind::kRoot)) return std::nullopt;
  if (!equation.left.Is(Kind::kUnknown) || DepthOf(equation.right) > kMaxDepth) return "roots can stand in answers only";
  const std::optional<Surd> value = SurdValue(equation.right);
  if (!value) return "roots can stand in answers only, and of one whole number only";
  equation.right = SurdNode(*value);
  return std::nullopt;
}

}  // namespace

bool Contains(const Equation& equation, Kind kind) { return Contains(equation.left, kind) || Contains(equation.right, kind); }

bool Contains(const State& state, Kind kind) {
  return std::any_of(state.equations.begin(), state.equations.end(), [kind](const Equation& e) { return Contains(e, kind); });
}

const Equation* ReadResult::OnlyEquation() const {
  return !error && state.form == State::Form::kEquations && state.equations.size() == 1 ? &state.equations.front() : nullptr;
}

const Node* ReadResult::OnlyExpression() const {
  return !error && state.form == State::Form::kExpression ? &state.expression : nullptr;
}

ReadResult ReadAnew(std::string_view text) {
  if (std::optional<Malformed> error = CheckLength(text)) return {{}, std::move(error)};
  try {
    ReadResult result{Parser(text).ParseState(), std::nullopt};
    std::optional<Message> fault;
    for (Equation& equation : result.state.equations) {
      if (!fault) fault = SettleRoots(equation);
    }
    std::string canonical;
    if (!fault) fault = FindFault(result.state, canonical);
    if (fault) result.error = Malformed{0, std::move(*fault)};
    return result;
  } catch (Refused& refused) {
    return {{}, std::move(refused.error)};
  }
}

void Write(const Node& node, char unknown, std::string& out) { Writer(unknown, out).Side(node); }

void Write(const State& state, std::string& out) {
  switch (state.form) {
    case State::Form::kExpression:
      Write(state.expression, 0, out);
      return;
    case State::Form::kNoSolution:
      out += kNoSolutionText;
      return;
    case State::Form::kEveryNumber:
      out += kEveryNumberText;
      break;
    case State::Form::kEquations:
      for (std::size_t i = 0; i < state.equations.size(); ++i) {
        if (i > 0) out += " or ";
        Write(state.equations[i].left, state.unknown, out);
        out += " = ";
        Write(state.equations[i].right, state.unknown, out);
      }
      break;
  }
  for (std::size_t i = 0; i < state.conditions.size(); ++i) {
    out += i == 0 ? "; " : ", ";
    out += ConditionText(state.conditions[i], state.unknown);
  }
}

std::string TextOf(const Node& node, char unknown) {
  std::string text;
  Write(node, unknown, text);
  return text;
}

std::string TextOf(const State& state) {
  std::string text;
  Write(state, text);
  return text;
}

std::string ConditionText(const Polynomial& condition, char unknown) {
  if (condition.size() == 2) {
    return std::string(1, unknown) +
           " != " + TextOf(NumberNode(-condition[0] / condition[1], NumberStyle::kFractions), unknown);
  }
  return TextOf(PolynomialNode(condition, NumberStyle::kFractions), unknown) + " != 0";
}

void AddCondition(const Polynomial& p, std::vector<Polynomial>& conditions) {
  for (Polynomial& factor : RootFactors(p)) {
    const auto at = std::lower_bound(conditions.begin(), conditions.end(), factor, ConditionBefore);
    if (at == conditions.end() || *at != factor) conditions.insert(at, std::move(factor));
  }
}

std::optional<Message> FindFault(const State& state, std::string& text) {
  text.clear();
  if (state.form == State::Form::kExpression) {
    if (Contains(state.expression, Kind::kRoot)) return "roots can stand in answers only";
    if (std::optional<Message> fault = FindFault(state.expression)) return fault;
  }
  for (const Equation& equation : state.equations) {
    if (Contains(equation.right, Kind::kRoot)) {
      if (!NumbersAreSmall(equation.right)) return "a number is too large";
      continue;
    }
    for (const Node* side : {&equation.left, &equation.right}) {
      if (std::optional<Message> fault = FindFault(*side)) return fault;
      if (state.equations.size() > 1 && Contains(*side, Kind::kQuotient)) {
        std::vector<Polynomial> exclusions;
        CollectExclusions(*side, exclusions);
        if (!exclusions.empty()) return "of several equations, none can have the unknown in a denominator";
      }
    }
  }
  if (!std::all_of(state.conditions.begin(), state.conditions.end(), [](const Polynomial& p) { return Small(p); })) {
    return "a condition is too large";
  }
  Write(state, text);
  if (text.size() > kMaxTextBytes) return fmt::format("the text is longer than {} bytes", kMaxTextBytes);
  return std::nullopt;
}

bool IsSimplest(const Node& number) {
  const Node& size = WithoutSign(number);
  if (size.Is(Kind::kNumber)) return !number.Is(Kind::kNegation) || size.value != 0;
  if (size.Is(Kind::kDecimal)) return true;
  return size.Is(Kind::kQuotient) && size.children[0].Is(Kind::kNumber) && size.children[1].Is(Kind::kNumber) &&
         size.children[1].value > 1 && mp::gcd(size.children[0].value, size.children[1].value) == 1;
}

bool IsAnswer(const Equation& equation) {
  // Roots are in their simplest form since they were read.
  return equation.left.Is(Kind::kUnknown) && (IsSimplest(equation.right) || Contains(equation.right, Kind::kRoot));
}

bool IsSolved(const State& state) {
  switch (state.form) {
    case State::Form::kExpression:
      return IsSimplest(state.expression);
    case State::Form::kEquations: {
      if (!state.conditions.empty()) return false;
      for (std::size_t i = 0; i < state.equations.size(); ++i) {
        if (!IsAnswer(state.equations[i])) return false;
        for (std::size_t j = 0; j < i; ++j) {
          if (state.equations[i] == state.equations[j]) return false;
        }
      }
      return true;
    }
    case State::Form::kNoSolution:
    case State::Form::kEveryNumber:
      return true;
  }
  return false;
}

}  // namespace conpole::algebra
