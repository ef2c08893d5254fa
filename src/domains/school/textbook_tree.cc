#include "domains/school/textbook_tree.h"

#include <algorithm>
#include <array>
#include <utility>

#include "util/text.h"

namespace conpole::textbook {
namespace {

namespace mp = boost::multiprecision;

constexpr std::size_t kMaxDepth = 60;
constexpr std::size_t kMaxDigits = 400;
constexpr std::array<std::string_view, 7> kFunctions{"sqrt", "cbrt", "root", "abs", "log", "exp", "ln"};

Ptr Make(Op op, std::vector<Ptr> args) {
  auto tree = std::make_shared<Tree>();
  tree->op = op;
  tree->args = std::move(args);
  return tree;
}

Ptr MakeFlat(Op op, std::vector<Ptr> children) {
  std::vector<Ptr> flat;
  for (Ptr& child : children) {
    if (child->Is(op)) {
      flat.insert(flat.end(), child->args.begin(), child->args.end());
    } else {
      flat.push_back(std::move(child));
    }
  }
  return Make(op, std::move(flat));
}

class TreeReader {
 public:
  explicit TreeReader(std::string_view text) : text_(text) {}

  Ptr ReadAll() {
    Ptr tree = ReadSum();
    if (Peek() != '\0') Refuse(Message("expected a sign or the end, found '{}'", SignHere()));
    return tree;
  }

 private:
  [[noreturn]] void Refuse(Message message) const { throw Refusal{std::move(message), at_}; }

  char Peek() {
    while (at_ < text_.size() && IsSpace(text_[at_])) ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  // The whole of a sign of several bytes.
  std::string SignHere() const {
    std::size_t end = at_ + 1;
    while (end < text_.size() && (static_cast<unsigned char>(text_[end]) & 0xC0U) == 0x80U) ++end;
    return std::string(text_.substr(at_, end - at_));
  }
  bool Eat(char c) {
    if (Peek() != c) return false;
    ++at_;
    return true;
  }
  void Expect(char c) {
    if (!Eat(c)) Refuse(Message("expected '{}'", c));
  }

  Ptr ReadSum() {
    if (++depth_ > kMaxDepth) Refuse("the brackets are nested too deeply");
    std::vector<Ptr> terms;
    bool negative = ReadSigns();
    for (;;) {
      Ptr term = ReadProduct();
      terms.push_back(negative ? MakeNegationAsWritten(std::move(term)) : std::move(term));
      const char sign = Peek();
      if (sign != '+' && sign != '-') break;
      negative = ReadSigns();
    }
    --depth_;
    return MakeSum(std::move(terms));
  }
  // Whether the signs together are a minus.
  bool ReadSigns() {
    bool negative = false;
    for (;;) {
      if (Eat('-')) {
        negative = !negative;
      } else if (!Eat('+')) {
        return negative;
      }
    }
  }
  static Ptr MakeNegationAsWritten(Ptr of) { return Make(Op::kNegation, {std::move(of)}); }

  Ptr ReadProduct() {
    std::vector<Ptr> factors;
    factors.push_back(ReadChunk());
    while (Eat('*')) {
      const bool negative = ReadSigns();
      Ptr chunk = ReadChunk();
      factors.push_back(negative ? MakeNegationAsWritten(std::move(chunk)) : std::move(chunk));
    }
    return MakeProduct(std::move(factors));
  }

  bool StartsFactor(bool after_number) {
    const char c = Peek();
    if (IsLetter(c) || c == '(' || c == '[') return true;
    if (c == '|') return bars_ == 0;
    return !after_number && IsDigit(c);
  }

  // Factors without a sign between them, and divisions.
  Ptr ReadChunk() {
    std::vector<Ptr> factors;
    bool after_number = ReadPower(factors);
    for (;;) {
      if (Eat('/')) {
        const bool negative = ReadSigns();
        std::vector<Ptr> below;
        ReadPower(below);
        Ptr divisor = negative ? MakeNegationAsWritten(below.front()) : below.front();
        Ptr quotient = MakeQuotient(MakeProduct(std::move(factors)), std::move(divisor));
        factors = {std::move(quotient)};
        after_number = false;
      } else if (StartsFactor(after_number)) {
        // x2 is a slip: x^2, or 2x.
        if (at_ > 0 && IsDigit(text_[at_]) && IsLetter(text_[at_ - 1]) && factors.back()->Is(Op::kLetter)) {
          Refuse("a letter stands before a number; write the number first, or the sign of a power");
        }
        after_number = ReadPower(factors);
      } else {
        return MakeProduct(std::move(factors));
      }
    }
  }

  // Whether it is a plain number.
  bool ReadPower(std::vector<Ptr>& factors) {
    const bool digit = IsDigit(Peek());
    Ptr base = ReadAtom();
    bool plain = digit && base->Is(Op::kNumber);
    while (Peek() == '%') {
      ++at_;
      base = MakeQuotient(std::move(base), MakeNumber(100));
      plain = true;
    }
    if (Eat('^')) {
      const bool negative = ReadSigns();
      std::vector<Ptr> exponent;
      ReadPower(exponent);
      Ptr power = std::move(exponent.front());
      if (negative) power = MakeNegationAsWritten(std::move(power));
      base = MakePower(std::move(base), std::move(power));
      plain = false;
    }
    factors.push_back(std::move(base));
    return plain;
  }

  Ptr ReadBracket(char closer) {
    const int bars = std::exchange(bars_, 0);
    Ptr inside = ReadSum();
    bars_ = bars;
    Expect(closer);
    return inside;
  }

  Ptr ReadAtom() {
    const char c = Peek();
    if (Eat('(')) return ReadBracket(')');
    if (Eat('[')) return ReadBracket(']');
    if (c == '|') {
      ++at_;
      const int bars = std::exchange(bars_, 1);
      Ptr inside = ReadSum();
      bars_ = bars;
      Expect('|');
      return MakeAbs(std::move(inside));
    }
    if (IsDigit(c) || c == '.') return ReadNumber();
    if (!IsLetter(c)) Refuse(c == '\0' ? Message("the text ends too early") : Message("'{}' has no place here", SignHere()));
    for (const std::string_view name : kFunctions) {
      if (!text_.substr(at_).starts_with(name)) continue;
      const std::size_t after = at_ + name.size();
      const std::size_t sign = std::min(text_.find_first_not_of(' ', after), text_.size());
      char next = after < text_.size() ? text_[after] : '\0';
      if (next == ' ' && sign < text_.size() && text_[sign] == '(') next = '(';
      const bool log = name == "log" || name == "ln";
      const bool alone =
          log && next == ' ' && after + 1 < text_.size() && (IsDigit(text_[after + 1]) || IsLetter(text_[after + 1]));
      if (next != '(' && next != '_' && !(name == "log" && IsDigit(next)) && !alone) {
        // It is no product of letters.
        if (log || name == "sqrt" || name == "cbrt") Refuse(Message("expected '(' after {}", name));
        continue;
      }
      at_ = after;
      if (alone) return MakeLog(ReadArgument(), name == "ln" ? MakeLetter("e") : MakeNumber(10));
      return ReadFunction(name);
    }
    if (text_.substr(at_).starts_with("pi")) {
      at_ += 2;
      return MakeLetter("pi");
    }
    ++at_;
    std::string letter(1, c);
    if (at_ < text_.size() && text_[at_] == '_') Refuse("letters with an index are not understood");
    return MakeLetter(std::move(letter));
  }

  // Of a function without brackets: all that no blank or sign divides, as in ln 3x^2.
  Ptr ReadArgument() {
    std::vector<Ptr> factors;
    ReadPower(factors);
    while (at_ < text_.size() && IsLetter(text_[at_])) ReadPower(factors);
    return MakeProduct(std::move(factors));
  }

  Ptr ReadFunction(std::string_view name) {
    if (name == "log" && !(Peek() == '(')) {
      Eat('_');
      std::vector<Ptr> base;
      if (Eat('(')) {
        base.push_back(ReadBracket(')'));
      } else if (IsDigit(Peek())) {
        base.push_back(ReadNumber());
      } else {
        if (!IsLetter(Peek())) Refuse("expected the base of the logarithm");
        base.push_back(MakeLetter(std::string(1, text_[at_++])));
      }
      // A bracket is the whole argument, as in log(x)^2; without one, log_2 x^2 is of the power.
      return MakeLog(Eat('(') ? ReadBracket(')') : ReadArgument(), base.front());
    }
    if (!Eat('(')) Refuse(Message("expected '(' after {}", name));
    const int bars = std::exchange(bars_, 0);
    std::vector<Ptr> args{ReadSum()};
    while (Eat(',')) args.push_back(ReadSum());
    bars_ = bars;
    Expect(')');
    const std::size_t most = name == "log" || name == "sqrt" || name == "root" ? 2 : 1;
    if (args.size() > most || (name == "root" && args.size() != 2)) {
      Refuse(Message("{} does not take {} values", name, args.size()));
    }
    if (name == "abs") return MakeAbs(args[0]);
    if (name == "ln") return MakeLog(args[0], MakeLetter("e"));
    if (name == "exp") return MakePower(MakeLetter("e"), args[0]);
    if (name == "log") return args.size() == 2 ? MakeLog(args[1], args[0]) : MakeLog(args[0], MakeNumber(10));
    if (name == "cbrt") return MakeRoot(args[0], 3);
    if (args.size() == 1) return MakeRoot(args[0], 2);
    constexpr int kMaxRoot = 100;
    if (!args[0]->Is(Op::kNumber) || mp::denominator(args[0]->number) != 1 || args[0]->number < 2 ||
        args[0]->number > kMaxRoot) {
      Refuse("the degree of a root is a whole number from 2 to 100");
    }
    return MakeRoot(args[1], static_cast<unsigned>(mp::numerator(args[0]->number)));
  }

  Integer ReadDigits(std::string& digits) {
    while (at_ < text_.size() && IsDigit(text_[at_])) digits += text_[at_++];
    if (digits.size() > kMaxDigits) Refuse(Message("a number has more than {} digits", kMaxDigits));
    const std::size_t first = std::min(digits.find_first_not_of('0'), digits.size());
    return first == digits.size() ? Integer(0) : Integer(digits.substr(first));
  }

  Ptr ReadNumber() {
    std::string digits;
    Integer whole = ReadDigits(digits);
    if (at_ < text_.size() && text_[at_] == '.' && at_ + 1 < text_.size() && IsDigit(text_[at_ + 1])) {
      ++at_;
      const std::size_t before = digits.size();
      const Integer all = ReadDigits(digits);
      const auto places = static_cast<unsigned>(digits.size() - before);
      return MakeDecimal(Exact(all, mp::pow(Integer(10), places)), places);
    }
    if (digits.empty()) Refuse("'.' has no place here");
    // A mixed number: 1 1/2.
    const std::size_t here = at_;
    if (at_ < text_.size() && text_[at_] == ' ' && IsDigit(Peek())) {
      std::string above;
      std::string below;
      const Integer a = ReadDigits(above);
      if (at_ < text_.size() && text_[at_] == '/' && at_ + 1 < text_.size() && IsDigit(text_[at_ + 1])) {
        ++at_;
        const Integer b = ReadDigits(below);
        if (a < b && a > 0) {
          return MakeSum({MakeNumber(Exact(whole)), MakeQuotient(MakeNumber(Exact(a)), MakeNumber(Exact(b)))});
        }
      }
      at_ = here;
    }
    return MakeNumber(Exact(whole));
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t depth_ = 0;
  int bars_ = 0;
};

bool StartsWithDigit(const Ptr& tree) {
  if (tree->Is(Op::kNumber)) return true;
  if (tree->Is(Op::kPower) || tree->Is(Op::kQuotient) || tree->Is(Op::kProduct)) return StartsWithDigit(tree->args[0]);
  return false;
}

class TreeWriter {
 public:
  std::string Take() { return std::move(out_); }

  void Side(const Ptr& tree) {
    if (!tree->Is(Op::kSum)) return Term(tree, "-", "");
    Term(tree->args[0], "-", "");
    for (std::size_t i = 1; i < tree->args.size(); ++i) Term(tree->args[i], " - ", " + ");
  }

 private:
  void Term(const Ptr& tree, std::string_view minus, std::string_view plus) {
    const bool negative = tree->Is(Op::kNegation);
    out_ += negative ? minus : plus;
    const Ptr& inside = negative ? tree->args[0] : tree;
    Bracketed(inside, inside->Is(Op::kSum) || inside->Is(Op::kNegation));
  }

  void Open() {
    // Letters before a bracket must not become the name of a function.
    for (const std::string_view name : kFunctions) {
      if (out_.ends_with(name)) {
        out_ += " * ";
        break;
      }
    }
    out_ += '(';
  }
  void Bracketed(const Ptr& tree, bool brackets) {
    if (!brackets) return Plain(tree);
    Open();
    Side(tree);
    out_ += ')';
  }

  static bool IsAtom(const Ptr& tree) {
    return !tree->Is(Op::kSum) && !tree->Is(Op::kNegation) && !tree->Is(Op::kProduct) && !tree->Is(Op::kQuotient);
  }
  static bool AllJuxtaposed(const Ptr& product) {
    for (std::size_t i = 1; i < product->args.size(); ++i) {
      if (NeedSign(product->args[i - 1], product->args[i])) return false;
    }
    return true;
  }

  void Function(std::string_view name, const Ptr& argument) {
    out_ += name;
    out_ += '(';
    Side(argument);
    out_ += ')';
  }

  void Plain(const Ptr& tree) {
    switch (tree->op) {
      case Op::kNumber:
        return Number(*tree);
      case Op::kLetter:
        out_ += tree->name;
        return;
      case Op::kProduct:
        for (std::size_t i = 0; i < tree->args.size(); ++i) {
          const Ptr& factor = tree->args[i];
          if (i > 0 && NeedSign(tree->args[i - 1], factor)) out_ += " * ";
          Bracketed(factor, factor->Is(Op::kSum) || factor->Is(Op::kNegation));
        }
        return;
      case Op::kQuotient: {
        const Ptr& above = tree->args[0];
        Bracketed(above, !IsAtom(above) && !(above->Is(Op::kProduct) && AllJuxtaposed(above)));
        out_ += '/';
        Bracketed(tree->args[1], !IsAtom(tree->args[1]));
        return;
      }
      case Op::kPower: {
        const Ptr& base = tree->args[0];
        const Ptr& exponent = tree->args[1];
        Bracketed(base, !(base->Is(Op::kNumber) || base->Is(Op::kLetter) || base->Is(Op::kAbs)));
        out_ += '^';
        Bracketed(exponent, !(exponent->Is(Op::kNumber) || exponent->Is(Op::kLetter)));
        return;
      }
      case Op::kRoot:
        if (tree->args[1]->IsNumber(2)) return Function("sqrt", tree->args[0]);
        if (tree->args[1]->IsNumber(3)) return Function("cbrt", tree->args[0]);
        out_ += "root(";
        Side(tree->args[1]);
        out_ += ", ";
        Side(tree->args[0]);
        out_ += ')';
        return;
      case Op::kAbs:
        return Function("abs", tree->args[0]);
      case Op::kLog:
        if (tree->args[1]->Is(Op::kLetter) && tree->args[1]->name == "e") return Function("ln", tree->args[0]);
        if (tree->args[1]->IsNumber(10)) return Function("log", tree->args[0]);
        out_ += "log(";
        Side(tree->args[1]);
        out_ += ", ";
        Side(tree->args[0]);
        out_ += ')';
        return;
      case Op::kSum:
      case Op::kNegation:
        return Bracketed(tree, true);
    }
  }

  void Number(const Tree& tree) {
    if (tree.places == 0) {
      out_ += mp::numerator(tree.number).str();
      return;
    }
    const Integer scaled = mp::numerator(Exact(tree.number * mp::pow(Integer(10), tree.places)));
    std::string digits = scaled.str();
    if (digits.size() <= tree.places) digits.insert(0, tree.places + 1 - digits.size(), '0');
    digits.insert(digits.size() - tree.places, 1, '.');
    out_ += digits;
  }

  std::string out_;
};

}  // namespace

Ptr MakeNumber(const Exact& value) {
  if (value < 0) return MakeNegation(MakeNumber(-value));
  if (mp::denominator(value) != 1) {
    return MakeQuotient(MakeNumber(Exact(mp::numerator(value))), MakeNumber(Exact(mp::denominator(value))));
  }
  auto tree = std::make_shared<Tree>();
  tree->number = value;
  return tree;
}

Ptr MakeDecimal(const Exact& value, unsigned places) {
  if (value < 0) return MakeNegation(MakeDecimal(-value, places));
  auto tree = std::make_shared<Tree>();
  tree->number = value;
  tree->places = places;
  return tree;
}

Ptr MakeLetter(std::string name) {
  auto tree = std::make_shared<Tree>();
  tree->op = Op::kLetter;
  tree->name = std::move(name);
  return tree;
}

Ptr MakeNegation(Ptr of) {
  if (of->Is(Op::kNegation)) return of->args[0];
  return Make(Op::kNegation, {std::move(of)});
}

Ptr MakeSum(std::vector<Ptr> terms) {
  if (terms.empty()) return MakeNumber(0);
  if (terms.size() == 1) return std::move(terms[0]);
  return MakeFlat(Op::kSum, std::move(terms));
}

Ptr MakeProduct(std::vector<Ptr> factors) {
  if (factors.empty()) return MakeNumber(1);
  if (factors.size() == 1) return std::move(factors[0]);
  return MakeFlat(Op::kProduct, std::move(factors));
}

Ptr MakeQuotient(Ptr above, Ptr below) { return Make(Op::kQuotient, {std::move(above), std::move(below)}); }
Ptr MakePower(Ptr base, Ptr exponent) { return Make(Op::kPower, {std::move(base), std::move(exponent)}); }
Ptr MakeRoot(Ptr of, unsigned degree) { return Make(Op::kRoot, {std::move(of), MakeNumber(degree)}); }
Ptr MakeAbs(Ptr of) { return Make(Op::kAbs, {std::move(of)}); }
Ptr MakeLog(Ptr of, Ptr base) { return Make(Op::kLog, {std::move(of), std::move(base)}); }

bool NeedSign(const Ptr& a, const Ptr& b) {
  if (a->Is(Op::kQuotient) || b->Is(Op::kQuotient) || b->Is(Op::kNegation)) return true;
  if (a->Is(Op::kLog) || b->Is(Op::kLog)) return !a->Is(Op::kNumber);
  if (a->Is(Op::kPower) && a->args[1]->Is(Op::kLetter)) return true;  // 2^x * x, not 2^xx
  // p * i and x * pi, which would be read as other letters; also where a power or a product begins with them.
  const Tree* first = b.get();
  while (first->Is(Op::kPower) || first->Is(Op::kProduct)) first = first->args[0].get();
  if (first->Is(Op::kLetter) && a->Is(Op::kLetter) && (first->name == "pi" || (first->name == "i" && a->name == "p"))) {
    return true;
  }
  return StartsWithDigit(b);
}

Ptr ReadTree(std::string_view text) { return TreeReader(text).ReadAll(); }

std::string TextOf(const Ptr& tree) {
  TreeWriter writer;
  writer.Side(tree);
  return writer.Take();
}

void CollectLetters(const Ptr& tree, std::set<std::string>& letters, bool constants) {
  if (tree->Is(Op::kLetter)) {
    const bool constant = tree->name == "i" || tree->name == "e" || tree->name == "pi";
    if (constants || !constant) letters.insert(tree->name);
  }
  for (const Ptr& arg : tree->args) CollectLetters(arg, letters, constants);
}

std::set<std::string> LettersOf(const Ptr& tree) {
  std::set<std::string> letters;
  CollectLetters(tree, letters);
  return letters;
}

std::set<std::string> LettersOf(const Ptr& a, const Ptr& b) {
  std::set<std::string> letters = LettersOf(a);
  CollectLetters(b, letters);
  return letters;
}

bool Has(const Ptr& tree, Op op) {
  return tree->Is(op) || std::any_of(tree->args.begin(), tree->args.end(), [&](const Ptr& arg) { return Has(arg, op); });
}

bool HasLetter(const Ptr& tree, std::string_view letter) {
  return (tree->Is(Op::kLetter) && tree->name == letter) ||
         std::any_of(tree->args.begin(), tree->args.end(), [&](const Ptr& arg) { return HasLetter(arg, letter); });
}

Ptr Substitute(const Ptr& tree, std::string_view letter, const Ptr& value) {
  if (tree->Is(Op::kLetter)) return tree->name == letter ? value : tree;
  if (tree->args.empty()) return tree;
  auto copy = std::make_shared<Tree>(*tree);
  for (Ptr& arg : copy->args) arg = Substitute(arg, letter, value);
  if (copy->Is(Op::kSum)) return MakeSum(copy->args);
  if (copy->Is(Op::kProduct)) return MakeProduct(copy->args);
  return copy;
}

}  // namespace conpole::textbook
