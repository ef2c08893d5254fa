#include "notation/algebra_notation.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "domains/axioms/equations.h"
#include "domains/school/algebra_text.h"
#include "language/catalogue.h"
#include "math/expression.h"
#include "notation/line_words.h"
#include "notation/reading.h"
#include "notation/token.h"
#include "util/text.h"

namespace conpole {
namespace {

using Kind = Token::Kind;

// Greek letters that can be unknowns, as LaTeX and Unicode write them. Pi is a number.
struct Greek {
  std::string_view name;
  std::string_view unicode;
};
constexpr std::array kGreek{
    Greek{"\\alpha", "α"},  Greek{"\\beta", "β"},  Greek{"\\gamma", "γ"},      Greek{"\\delta", "δ"}, Greek{"\\epsilon", "ε"},
    Greek{"\\zeta", "ζ"},   Greek{"\\eta", "η"},   Greek{"\\theta", "θ"},      Greek{"\\iota", "ι"},  Greek{"\\kappa", "κ"},
    Greek{"\\lambda", "λ"}, Greek{"\\mu", "μ"},    Greek{"\\nu", "ν"},         Greek{"\\xi", "ξ"},    Greek{"\\rho", "ρ"},
    Greek{"\\sigma", "σ"},  Greek{"\\tau", "τ"},   Greek{"\\upsilon", "υ"},    Greek{"\\phi", "φ"},   Greek{"\\chi", "χ"},
    Greek{"\\psi", "ψ"},    Greek{"\\omega", "ω"}, Greek{"\\varepsilon", "ϵ"}, Greek{"\\varphi", "ϕ"}};

// The Latin letter that a Greek one is named after; 0 if the text is no Greek letter.
char LatinOf(std::string_view text) {
  for (const Greek& greek : kGreek) {
    if (text != greek.name && text != greek.unicode) continue;
    return greek.name.starts_with("\\var") ? greek.name[4] : greek.name[1];
  }
  return 0;
}

// Signs as words, by their entry, and the signs. Of "divided by" and "geteilt durch" one word is the sign.
struct SpokenSign {
  std::string_view entry;
  std::string_view sign;
};
constexpr std::array kSpokenSigns{SpokenSign{"sign.plus", "+"}, SpokenSign{"sign.minus", "-"}, SpokenSign{"sign.times", "*"},
                                  SpokenSign{"sign.over", "/"}, SpokenSign{"sign.silent", ""}, SpokenSign{"sign.equals", "="}};

constexpr std::string_view kListWithoutBrackets = "a list of numbers to be sorted is written in brackets, as in [3, 1, 2]";

// Several numbers, perhaps with signs, and nothing else but separators.
bool IsList(const std::vector<Token>& tokens) {
  const auto is_number = [](const Token& token) { return token.kind == Kind::kNumber; };
  const auto fits = [&](const Token& token) {
    return is_number(token) || token.kind == Kind::kSeparator || token.Is(Kind::kOperator, '-');
  };
  return std::count_if(tokens.begin(), tokens.end(), is_number) > 1 && std::all_of(tokens.begin(), tokens.end() - 1, fits);
}

// Writes tokens as the domain spells them, remembering where each byte comes from.
class Speller {
 public:
  explicit Speller(std::string_view text) : text_(text), tokens_(Tokenize(text)) {}

  // The text for the domain; nothing if something cannot be expressed, which error() then says.
  bool Spell() {
    DropWhatEndsASentence();
    while (Now().kind != Kind::kEnd) {
      if (!SpellToken()) return false;
    }
    positions_.push_back(tokens_.back().begin);
    return true;
  }

  const std::string& spelling() const { return spelling_; }
  std::size_t PositionOf(std::size_t byte) const { return positions_[std::min(byte, positions_.size() - 1)]; }
  NotationResult TakeError() { return std::move(error_); }
  // Whether the text ended with a sign that nothing follows: 12 * 34 =
  bool asks_for_result() const { return asks_for_result_; }
  bool is_list() const { return IsList(tokens_); }

 private:
  const Token& Now() const { return tokens_[at_]; }
  const Token& Ahead(std::size_t count) const { return tokens_[std::min(at_ + count, tokens_.size() - 1)]; }
  std::string_view TextOf(const Token& token) const { return text_.substr(token.begin, token.end - token.begin); }

  void Write(std::string_view spelling) {
    spelling_ += spelling;
    positions_.resize(spelling_.size(), Now().begin);
  }
  // Writes in place of the current token.
  bool Replace(std::string_view spelling, std::size_t tokens = 1) {
    if (Now().after_blank && !spelling_.empty() && spelling_.back() != ' ') Write(" ");
    Write(spelling);
    at_ += tokens;
    return true;
  }
  bool Fail(NotationResult error) {
    error_ = std::move(error);
    return false;
  }

  // "x = 3.", "12 * 34 =" and a new line in LaTeX.
  void DropWhatEndsASentence() {
    const auto is_sign = [](const Token& token) { return token.Is(Kind::kOperator, '='); };
    while (tokens_.size() > 2) {
      const Token& last = tokens_[tokens_.size() - 2];
      const std::string_view shown = TextOf(last);
      const bool only_sign = is_sign(last) && std::count_if(tokens_.begin(), tokens_.end(), is_sign) == 1;
      if (!only_sign && shown != "." && shown != "?" && shown != "\\") return;
      asks_for_result_ = asks_for_result_ || only_sign;
      tokens_.erase(tokens_.end() - 2);
    }
  }

  bool SpellToken() {
    const Token& token = Now();
    switch (token.kind) {
      case Kind::kNumber:
        return SpellNumber();
      case Kind::kVulgar:
        return SpellFraction(token.digits, token.under, 1);
      case Kind::kFraction:
        return SpellFrac();
      case Kind::kLetter:
        return SpellLetters();
      case Kind::kOperator:
        return Replace({&token.symbol, 1});
      case Kind::kOpen:
        if (token.symbol == '{') ++depth_;
        return Replace("(");
      case Kind::kClose:
        return SpellCloser();
      case Kind::kPower:
        return SpellPower();
      case Kind::kRelation:
        if (TextOf(token) == "!=" || TextOf(token) == "≠" || TextOf(token) == "\\ne" || TextOf(token) == "\\neq") {
          return Replace("!=");
        }
        if (TextOf(token) == "≈" || TextOf(token) == "\\approx") {
          return Fail(NotExpressible(
              token.begin, Message("{} is no sign of an equation; write '=' in its place", ShownToken(token, text_))));
        }
        return Fail(NotExpressible(token.begin, Message("{} makes this an inequality; only equations with '=' can be expressed",
                                                        ShownToken(token, text_))));
      case Kind::kWord:
        return SpellWord();
      case Kind::kSeparator:
        return SpellSeparator();
      case Kind::kMark:
        if (token.symbol == '|' && std::count(text_.begin(), text_.end(), '|') % 2 == 1) {
          return Fail(Unreadable(token.begin, "a bar of an absolute value has no other that belongs to it"));
        }
        if (token.symbol == '|') return Fail(NotExpressible(token.begin, "an absolute value cannot be expressed"));
        return Replace({&token.symbol, 1});
      case Kind::kOther:
        return SpellOther();
      case Kind::kEnd:
        break;
    }
    return true;
  }

  static bool IsWhole(const Token& token) { return token.kind == Kind::kNumber && token.decimals == 0; }

  // With a point, or with the comma of other countries: 2,5. Of 1,000 nobody can tell.
  bool SpellNumber() {
    const Token& token = Now();
    // What stood between two numbers, such as a dollar sign, does not make them one.
    if (!spelling_.empty() && IsDigit(spelling_.back())) Write(" ");
    const bool comma = IsWhole(token) && Ahead(1).Is(Kind::kSeparator, ',') && !Ahead(1).after_blank && IsWhole(Ahead(2)) &&
                       !Ahead(2).after_blank;
    if (!comma) {
      std::string digits = token.digits;
      if (token.decimals > 0) digits.insert(digits.size() - token.decimals, 1, '.');
      if (digits.front() == '.') digits.insert(0, 1, '0');
      return Replace(digits);
    }
    if (Ahead(2).digits.size() == 3) {
      return Fail(Unreadable(Ahead(1).begin, "a comma before three digits may mean thousands; write 1000, or 1.000"));
    }
    return Replace(token.digits + "." + Ahead(2).digits, 3);
  }

  // After a whole number it is the rest of a mixed number.
  bool SpellFraction(std::string_view above, std::string_view below, std::size_t tokens) {
    std::string fraction(above);
    fraction += '/';
    fraction += below;
    const bool exponent = at_ > 1 && tokens_[at_ - 2].kind == Kind::kPower;
    const bool mixed = at_ > 0 && IsWhole(tokens_[at_ - 1]) && !exponent;
    return Replace(mixed ? ' ' + fraction : '(' + fraction + ')', tokens);
  }

  // \frac{A}{B}, or \frac12 with two digits.
  bool SpellFrac() {
    if (IsWhole(Ahead(1)) && Ahead(1).digits.size() == 2) {
      return SpellFraction(Ahead(1).digits.substr(0, 1), Ahead(1).digits.substr(1), 2);
    }
    const auto is = [&](std::size_t ahead, Kind kind, char symbol) { return Ahead(ahead).Is(kind, symbol); };
    if (!is(1, Kind::kOpen, '{')) return Fail(Expected("'{' and the numerator", Ahead(1), text_));
    if (IsWhole(Ahead(2)) && is(3, Kind::kClose, '}') && is(4, Kind::kOpen, '{') && IsWhole(Ahead(5)) &&
        is(6, Kind::kClose, '}')) {
      return SpellFraction(Ahead(2).digits, Ahead(5).digits, 7);
    }
    fractions_.push_back({depth_, true});
    ++depth_;
    return Replace("((", 2);
  }

  bool SpellCloser() {
    if (!Now().Is(Kind::kClose, '}') || depth_ == 0) return Replace(")");
    --depth_;
    if (fractions_.empty() || fractions_.back().depth != depth_) return Replace(")");
    if (!fractions_.back().above) {
      fractions_.pop_back();
      return Replace("))");
    }
    if (!Ahead(1).Is(Kind::kOpen, '{')) return Fail(Expected("'{' and the denominator", Ahead(1), text_));
    fractions_.back().above = false;
    ++depth_;
    return Replace(")/(", 2);
  }

  bool SpellPower() {
    if (!Now().digits.empty()) {
      std::string exponent;
      std::size_t count = 0;
      for (; Ahead(count).kind == Kind::kPower && !Ahead(count).digits.empty(); ++count) exponent += Ahead(count).digits;
      return Replace("^" + exponent, count);
    }
    if (Ahead(1).Is(Kind::kOpen, '{') && IsWhole(Ahead(2)) && Ahead(3).Is(Kind::kClose, '}')) {
      return Replace("^" + Ahead(2).digits, 4);
    }
    return Replace("^");
  }

  // A letter, or another character that words are written with.
  bool IsOfWord(const Token& token) const {
    const std::string_view shown = TextOf(token);
    const bool other = token.kind == Kind::kOther && static_cast<unsigned char>(shown.front()) >= 0x80 && LatinOf(shown) == 0;
    return token.kind == Kind::kLetter || other;
  }

  // A run of letters is a word between equations, or the unknown.
  bool SpellLetters() {
    std::size_t count = 1;
    while (IsOfWord(Ahead(count)) && !Ahead(count).after_blank) ++count;
    const std::string word(text_.substr(Now().begin, Ahead(count - 1).end - Now().begin));
    if (const std::optional<LineWords> words = FindLineWords(text_.substr(Now().begin))) {
      std::size_t covered = 1;
      while (Ahead(covered).begin < Now().begin + words->length) ++covered;
      return Replace(' ' + std::string(words->meaning) + ' ', covered);
    }
    // 12 x 34
    const bool between = at_ > 0 && tokens_[at_ - 1].kind == Kind::kNumber && Ahead(1).kind == Kind::kNumber;
    if (between && (word == "x" || word == "X")) return Replace("*");
    const auto* const spoken = std::find_if(kSpokenSigns.begin(), kSpokenSigns.end(), [&](const SpokenSign& known) {
      const std::vector<std::string>& words = WordsOfAllLanguages(known.entry);
      return std::find(words.begin(), words.end(), word) != words.end();
    });
    if (spoken != kSpokenSigns.end()) return Replace(spoken->sign, count);
    constexpr std::size_t kUnknowns = 2;  // xy might be meant as a product
    if (count > kUnknowns) {
      Token whole = Now();
      whole.end = Ahead(count - 1).end;
      return Fail(Unreadable(
          whole.begin, Message("{} is no word that is understood here; an unknown is one letter", ShownToken(whole, text_))));
    }
    return Replace(word, count);
  }

  bool SpellWord() {
    const std::string_view word = TextOf(Now());
    if (word != "sqrt" && word != "\\sqrt" && word != "√") {
      return Fail(
          NotExpressible(Now().begin, Message("{}: functions cannot be expressed in {}", ShownToken(Now(), text_), "algebra")));
    }
    if (IsWhole(Ahead(1))) return Replace("sqrt(" + Ahead(1).digits + ")", 2);
    // \sqrt[3]{2}
    if (Ahead(1).Is(Kind::kOpen, '[') && IsWhole(Ahead(2)) && Ahead(3).Is(Kind::kClose, ']') && Ahead(4).Is(Kind::kOpen, '{') &&
        IsWhole(Ahead(5)) && Ahead(6).Is(Kind::kClose, '}')) {
      return Replace("root(" + Ahead(2).digits + ", " + Ahead(5).digits + ")", 7);
    }
    return Replace("sqrt");
  }

  bool SpellSeparator() {
    if (Now().symbol == ',' && spelling_.find(';') == std::string::npos) {
      if (IsList(tokens_)) return Fail(Unreadable(Now().begin, std::string(kListWithoutBrackets)));
      return Fail(Unreadable(Now().begin, "numbers are written without separators, and decimals with a point"));
    }
    return Replace({&Now().symbol, 1});
  }

  bool SpellPercent() {
    // 4 75% is no mixed number.
    std::size_t number = at_;
    while (number > 0 && tokens_[number - 1].kind != Kind::kNumber) --number;
    if (number > 1 && tokens_[number - 2].kind == Kind::kNumber) {
      return Fail(Unreadable(tokens_[number - 1].begin, "expected an operation between two numbers"));
    }
    return Replace("/100");
  }

  bool SpellOther() {
    const std::string_view shown = TextOf(Now());
    if (shown == "%") return SpellPercent();
    if (shown == "∨" || shown == "\\lor" || shown == "\\vee") return Replace(" or ");
    // \%, and what aligns lines.
    if (shown == "&") return Replace(" ");
    if (shown == "\\" && TextOf(Ahead(1)) == "%") return Replace("");
    if (shown == "\\begin" || shown == "\\end" || shown == "\\text") return SpellGroup(shown == "\\text");
    if (const char latin = LatinOf(shown)) return Replace({&latin, 1});
    return Fail(Expected("a number, the unknown or a sign", Now(), text_));
  }

  // The braces after a command, with what is in them or without it.
  bool SpellGroup(bool contents) {
    if (!Ahead(1).Is(Kind::kOpen, '{')) return Fail(Expected("'{'", Ahead(1), text_));
    Replace("", 2);
    while (Now().kind != Kind::kEnd && !Now().Is(Kind::kClose, '}')) {
      if (!contents) {
        if (Now().kind != Kind::kLetter && !Now().Is(Kind::kOperator, '*')) return Fail(Expected("a name", Now(), text_));
        ++at_;
      } else if (!SpellToken()) {
        return false;
      }
    }
    if (Now().kind != Kind::kEnd) Replace(" ");
    return true;
  }

  // A \frac whose second brace is still to be closed.
  struct OpenFraction {
    std::size_t depth;
    bool above;
  };

  std::string_view text_;
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  std::string spelling_;
  std::vector<std::size_t> positions_;  // of every byte of the spelling
  std::vector<OpenFraction> fractions_;
  std::size_t depth_ = 0;  // of braces
  bool asks_for_result_ = false;
  NotationResult error_;
};

// The domain's expressions as formulas. Their depth is bounded, and so is the recursion.
class AlgebraDrawer {
 public:
  explicit AlgebraDrawer(char unknown) : unknown_(unknown) {}

  Formula Draw(const algebra::State& state) {
    using Form = algebra::State::Form;
    if (!state.conditions.empty()) formula_.Open(Part::kConditions);
    switch (state.form) {
      case Form::kExpression:
        Side(state.expression);
        break;
      case Form::kNoSolution:
        formula_.Leaf(Part::kWords, "no solution");
        break;
      case Form::kEveryNumber:
        formula_.Leaf(Part::kWords, "every number");
        break;
      case Form::kEquations:
        if (state.equations.size() > 1) formula_.Open(Part::kAlternatives);
        for (const algebra::Equation& equation : state.equations) {
          formula_.Open(Part::kEquation);
          Side(equation.left);
          Side(equation.right);
          formula_.Close();
        }
        if (state.equations.size() > 1) formula_.Close();
        break;
    }
    for (const algebra::Polynomial& condition : state.conditions) Condition(condition);
    if (!state.conditions.empty()) formula_.Close();
    return formula_.Take();
  }

 private:
  using Node = algebra::Node;
  using NodeKind = algebra::Kind;
  using Part = FormulaNode::Kind;

  // As algebra::ConditionText has it, whose numbers are on the line.
  void Condition(const algebra::Polynomial& condition) {
    using algebra::NumberStyle;
    formula_.Open(Part::kRelation, "!");
    if (condition.size() == 2) {
      formula_.Leaf(Part::kUnknown, std::string(1, unknown_));
      fractions_are_on_the_line_ = true;
      Side(algebra::NumberNode(-condition[0] / condition[1], NumberStyle::kFractions));
      fractions_are_on_the_line_ = false;
    } else {
      Side(algebra::PolynomialNode(condition, NumberStyle::kFractions));
      formula_.Leaf(Part::kNumber, "0");
    }
    formula_.Close();
  }

  void Side(const Node& node) {
    if (!node.Is(NodeKind::kSum)) return SignedTerm(node);
    formula_.Open(Part::kSum);
    for (const Node& child : node.children) SignedTerm(child);
    formula_.Close();
  }

  void SignedTerm(const Node& node) {
    if (!node.Is(NodeKind::kNegation)) return Factor(node);
    formula_.Open(Part::kNegation);
    Factor(node.children[0]);
    formula_.Close();
  }

  void InBrackets(const Node& node) {
    formula_.Open(Part::kBrackets);
    Side(node);
    formula_.Close();
  }

  // In brackets if it has a sign or is a sum.
  void Factor(const Node& node) {
    const bool brackets = node.Is(NodeKind::kSum) || node.Is(NodeKind::kNegation);
    return brackets ? InBrackets(node) : Plain(node);
  }

  void Fraction(const Node& above, const Node& below) {
    formula_.Open(Part::kFraction, fractions_are_on_the_line_ ? "/" : "");
    Side(above);
    Side(below);
    formula_.Close();
  }

  // Whether a product of the two is written without a sign.
  static bool Juxtaposed(const Node& a, const Node& b) {
    if (a.Is(NodeKind::kMixed)) return false;
    const Node& base = b.Is(NodeKind::kPower) ? b.children[0] : b;
    if (base.Is(NodeKind::kSum)) return true;
    return (base.Is(NodeKind::kUnknown) || base.Is(NodeKind::kRoot)) && !a.Is(NodeKind::kUnknown) && !a.Is(NodeKind::kPower);
  }

  void Plain(const Node& node) {
    switch (node.kind) {
      case NodeKind::kMixed:
        formula_.Open(Part::kMixed);
        formula_.Leaf(Part::kNumber, node.value.str());
        Fraction(node.children[0], node.children[1]);
        return formula_.Close();
      case NodeKind::kProduct: {
        std::string signs;
        for (std::size_t i = 1; i < node.children.size(); ++i) {
          signs += Juxtaposed(node.children[i - 1], node.children[i]) ? ' ' : '*';
        }
        formula_.Open(Part::kProduct, signs);
        for (const Node& child : node.children) Factor(child);
        return formula_.Close();
      }
      case NodeKind::kQuotient:
        return Fraction(node.children[0], node.children[1]);
      case NodeKind::kPower: {
        const Node& base = node.children[0];
        const bool plain = base.Is(NodeKind::kNumber) || base.Is(NodeKind::kDecimal) || base.Is(NodeKind::kUnknown);
        formula_.Open(Part::kPower);
        if (plain) {
          Plain(base);
        } else {
          InBrackets(base);
        }
        formula_.Leaf(Part::kNumber, std::to_string(node.exponent));
        return formula_.Close();
      }
      case NodeKind::kRoot:
        formula_.Open(Part::kRoot, std::to_string(node.exponent));
        formula_.Leaf(Part::kNumber, node.value.str());
        return formula_.Close();
      case NodeKind::kSum:
      case NodeKind::kNegation:
        return Side(node);
      case NodeKind::kUnknown:
        return formula_.Leaf(Part::kUnknown, std::string(1, unknown_));
      case NodeKind::kNumber:
      case NodeKind::kDecimal:
        return formula_.Leaf(Part::kNumber, algebra::TextOf(node, unknown_));
    }
  }

  char unknown_;
  bool fractions_are_on_the_line_ = false;
  FormulaBuilder formula_;
};

// Whether a factor stands right after a divisor, without a sign: 2/3x and 1/2(x + 4) divide by less than what some think.
bool IsAmbiguous(std::string_view text) {
  if (text.find('/') == std::string_view::npos) return false;
  const std::vector<Token> tokens = Tokenize(text);
  for (std::size_t i = 0; i + 2 < tokens.size(); ++i) {
    if (!tokens[i].Is(Kind::kOperator, '/')) continue;
    std::size_t divisor = i + 1;
    if (tokens[divisor].kind == Kind::kOpen) {
      std::size_t depth = 0;
      do {
        if (tokens[divisor].kind == Kind::kOpen) ++depth;
        if (tokens[divisor].kind == Kind::kClose) --depth;
        ++divisor;
      } while (depth > 0 && tokens[divisor].kind != Kind::kEnd);
      --divisor;
    } else if (tokens[divisor].kind != Kind::kNumber && tokens[divisor].kind != Kind::kLetter) {
      continue;
    }
    const Token& next = tokens[divisor + 1];
    if (!next.after_blank && (next.kind == Kind::kLetter || next.kind == Kind::kOpen)) return true;
  }
  return false;
}

// An expression of the domain equations with all its parentheses, as algebra reads them.
std::string SpellWithParentheses(const Expression& expression) {
  std::vector<std::string> operands;
  for (const ExpressionNode& node : expression) {
    switch (node.kind) {
      case ExpressionNode::Kind::kNumber:
        operands.push_back("(" + node.number.str() + ")");
        break;
      case ExpressionNode::Kind::kUnknown:
        operands.emplace_back(1, node.symbol);
        break;
      case ExpressionNode::Kind::kNegation:
        operands.back() = "(-" + operands.back() + ")";
        break;
      case ExpressionNode::Kind::kOperation: {
        const std::string right = std::move(operands.back());
        operands.pop_back();
        std::string& left = operands.back();
        left += node.symbol;
        left += right;
        if (node.symbol != '=') left.insert(0, 1, '(').push_back(')');
        break;
      }
    }
  }
  return std::move(operands.back());
}

// Text of the domain equations, as it prints it: there (2 / 3x) divides by 3x. Without a division it means the same here.
std::optional<std::string> SpellCanonicalEquation(std::string_view text) {
  if (text.find('/') == std::string_view::npos) return std::nullopt;
  static const std::unique_ptr<Domain> equations = MakeDomain(EquationsType().name);
  const Parsed parsed = equations->Parse(text);
  if (parsed.error || parsed.state != text) return std::nullopt;
  const std::optional<Expression> expression = ReadCanonical(text);
  return expression ? std::optional(SpellWithParentheses(*expression)) : std::nullopt;
}

}  // namespace

NotationResult ReadAlgebraNotation(const Domain& domain, std::string_view text) {
  if (const std::optional<std::string> equation = SpellCanonicalEquation(text)) {
    if (Parsed parsed = domain.Parse(*equation); !parsed.error) {
      return {std::move(parsed.state), {}, std::nullopt, IsAmbiguous(text)};
    }
  }
  const bool ambiguous = IsAmbiguous(text);
  if (Parsed parsed = domain.Parse(text); !parsed.error) return {std::move(parsed.state), {}, std::nullopt, ambiguous};
  Speller speller(text);
  if (!speller.Spell()) return speller.TakeError();
  Parsed parsed = domain.Parse(speller.spelling());
  if (parsed.error && speller.is_list()) {
    return Unreadable(speller.PositionOf(parsed.error->position), std::string(kListWithoutBrackets));
  }
  if (parsed.error) return Unreadable(speller.PositionOf(parsed.error->position), std::move(parsed.error->message));
  return {std::move(parsed.state), {}, std::nullopt, ambiguous || speller.asks_for_result()};
}

std::string WriteAlgebraLatex(std::string_view state) {
  const algebra::ReadResult read = algebra::Read(state);
  return read.error ? EscapeLatex(state) : LatexOf(AlgebraDrawer(read.state.unknown).Draw(read.state));
}

Formula DrawAlgebra(std::string_view state) {
  const algebra::ReadResult read = algebra::Read(state);
  return read.error ? TextFormula(std::string(state)) : AlgebraDrawer(read.state.unknown).Draw(read.state);
}

}  // namespace conpole
