#include "domains/files/grammar.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include <fmt/format.h>

#include "conpole/domain.h"
#include "domains/axioms/decimal.h"
#include "domains/files/source.h"
#include "util/text.h"

namespace conpole::files {
namespace {

constexpr std::array<std::string_view, 14> kReservedSigns = {"->", "<->", "..", ";", ",", ":", "\"",
                                                             "(",  ")",   "[",  "]", "{", "}", "#"};
constexpr std::array<std::string_view, 7> kReservedWords = {"if", "where", "assuming", "for", "in", "is", "label"};
// No term of kMaxParts parts is nested deeper, unless it has brackets that are not needed.
constexpr std::size_t kMaxDepth = 2 * kMaxParts + 100;

bool IsWordStart(char c) { return IsLetter(c) || c == '_'; }
bool IsWordPart(char c) { return IsWordStart(c) || IsDigit(c); }

}  // namespace

Grammar::Grammar() {
  characters_.fill(-1);
  for (const std::string_view sign : kReservedSigns) AddSign(std::string(sign), -1);
}

void Grammar::AddSign(const std::string& text, int uses) {
  std::vector<Sign>& signs = signs_[static_cast<unsigned char>(text[0])];
  const auto known = std::find_if(signs.begin(), signs.end(), [&](const Sign& sign) { return sign.text == text; });
  if (known != signs.end()) {
    known->uses = uses;
    return;
  }
  signs.push_back({text, uses});
  std::sort(signs.begin(), signs.end(), [](const Sign& a, const Sign& b) { return a.text.size() > b.text.size(); });
}

void Grammar::FillPieces(Operator& op) {
  const std::string blank = IsWordStart(op.symbol[0]) ? " " : "";
  switch (op.fix) {
    case Fix::kInfix:
      op.pieces = {op.has_brackets ? "(" : "", op.is_tight ? op.symbol : ' ' + op.symbol + ' ', op.has_brackets ? ")" : ""};
      break;
    case Fix::kPrefix:
      op.pieces = {op.symbol + blank, ""};
      break;
    case Fix::kPostfix:
      op.pieces = {"", blank + op.symbol};
      break;
    case Fix::kConstant:
      op.pieces = {op.symbol};
      break;
    case Fix::kFunction:
      op.pieces = op.literals;
      if (!op.fields.empty()) {
        op.pieces.assign(op.arity + std::size_t{1}, "");
      } else if (op.pieces.empty()) {
        op.pieces.assign(op.arity + std::size_t{1}, ", ");
        op.pieces.front() = op.symbol + '(';
        op.pieces.back() = ')';
      }
      break;
  }
  for (const std::string& piece : op.pieces) op.piece_bytes += piece.size();
}

std::string Grammar::Add(Operator added) {
  const std::string& symbol = added.symbol;
  if (std::find(kReservedSigns.begin(), kReservedSigns.end(), symbol) != kReservedSigns.end() ||
      std::find(kReservedWords.begin(), kReservedWords.end(), symbol) != kReservedWords.end()) {
    return fmt::format("'{}' has a meaning in every file; choose another sign or word{}", symbol,
                       symbol == "->" ? ", for instance 'implies', '=>' or '→'" : "");
  }
  if (operators_.size() >= 200) return "there may be at most 200 operators, functions and constants";
  const auto [entry, is_new] = symbols_.try_emplace(symbol, static_cast<int>(uses_.size()));
  if (is_new) uses_.emplace_back();
  if (symbol.size() == 1) characters_[static_cast<unsigned char>(symbol[0])] = static_cast<std::int16_t>(entry->second);
  SymbolUses& uses = uses_[static_cast<std::size_t>(entry->second)];
  int& use = added.fix == Fix::kInfix      ? uses.infix
             : added.fix == Fix::kPrefix   ? uses.prefix
             : added.fix == Fix::kPostfix  ? uses.postfix
             : added.fix == Fix::kFunction ? uses.function
                                           : uses.constant;
  const bool is_operand = added.fix == Fix::kFunction || added.fix == Fix::kConstant || added.fix == Fix::kPrefix;
  const bool has_operand = uses.function >= 0 || uses.constant >= 0 || uses.prefix >= 0;
  const bool is_after = added.fix == Fix::kInfix || added.fix == Fix::kPostfix;
  if (use >= 0 || (is_operand && has_operand) || (is_after && (uses.infix >= 0 || uses.postfix >= 0))) {
    return fmt::format("'{}' is declared twice", symbol);
  }
  use = static_cast<int>(operators_.size());
  if (added.fix == Fix::kPrefix && symbol == "-") {
    minus_ = use;
    minus_level_ = added.level;
  }
  if (!added.literals.empty()) {
    const auto first = static_cast<unsigned char>(added.literals[0][0]);
    notations_[first].push_back(use);
  }
  for (char c = added.fields.empty() ? '\1' : added.fields[0].first; !added.fields.empty() && c <= added.fields[0].second;
       ++c) {
    notations_[static_cast<unsigned char>(c)].push_back(use);
  }
  if (!IsWordStart(symbol[0])) AddSign(symbol, entry->second);
  FillPieces(added);
  const bool is_atom = added.fix == Fix::kFunction || added.fix == Fix::kConstant || added.has_brackets;
  if (!is_atom) loosest_level_ = std::min(loosest_level_, added.level);
  operators_.push_back(std::move(added));
  return {};
}

std::string Grammar::AddOutermost(std::string_view symbol) {
  const SymbolUses* const uses = Find(symbol);
  if (uses == nullptr || uses->infix < 0 || !op(uses->infix).has_brackets) {
    return fmt::format("'{0}' is no operator with brackets yet; write 'infix left bracketed {0}' above", symbol);
  }
  if (op(uses->infix).outermost >= 0) return fmt::format("'{}' is declared twice", symbol);
  Operator outermost = op(uses->infix);
  outermost.has_brackets = false;
  outermost.groups = Groups::kNeither;
  FillPieces(outermost);
  operators_[static_cast<std::size_t>(uses->infix)].outermost = static_cast<int>(operators_.size());
  operators_.push_back(std::move(outermost));
  return {};
}

std::string Grammar::AddLetter(char letter) {
  if (Find(std::string_view(&letter, 1)) != nullptr) return fmt::format("'{}' is declared twice", letter);
  has_letters_ = true;
  letters_[static_cast<unsigned char>(letter)] = true;
  return {};
}

const SymbolUses* Grammar::Find(std::string_view symbol) const {
  if (symbol.size() == 1) {
    const std::int16_t index = characters_[static_cast<unsigned char>(symbol[0])];
    return index < 0 ? nullptr : uses_.data() + index;
  }
  const auto found = symbols_.find(symbol);
  return found == symbols_.end() ? nullptr : uses_.data() + found->second;
}

bool Grammar::IsLetter(char c) const {
  if (!conpole::IsLetter(c)) return false;
  return has_letters_ ? letters_[static_cast<unsigned char>(c)] : Find(std::string_view(&c, 1)) == nullptr;
}

std::vector<std::string> Grammar::Words() const {
  std::vector<std::string> words;
  for (const auto& [symbol, uses] : symbols_) {
    if (IsWordStart(symbol[0])) words.push_back(symbol);
  }
  return words;
}

std::pair<std::size_t, const SymbolUses*> Grammar::SignAt(std::string_view text, std::size_t at) const {
  const std::string_view rest = text.substr(at);
  for (const Sign& sign : signs_[static_cast<unsigned char>(rest[0])]) {
    if (sign.text.size() > 1 && !rest.starts_with(sign.text)) continue;
    return {sign.text.size(), sign.uses < 0 ? nullptr : uses_.data() + sign.uses};
  }
  return {0, nullptr};
}

Shape Grammar::ShapeOf(PartKind kind, std::int32_t id, const Rational& number) const {
  if (kind == PartKind::kNumber && number.numerator() < 0 && number.IsInteger() && numbers != NumberNotation::kBracketed) {
    return {minus_level_, true};
  }
  if (kind != PartKind::kOperator) return {};
  const Operator& used = op(id);
  if (used.fix == Fix::kFunction || used.fix == Fix::kConstant || used.has_brackets) return {};
  return {used.level, id == minus_};
}

Shape Grammar::ShapeOfCoefficient(const Rational& number) const {
  return {op(coefficient).level + 1, number.numerator() < 0 && number.IsInteger()};
}

bool Grammar::NeedsBrackets(const Shape& child, PartKind kind, std::int32_t id, std::int32_t parent, std::size_t side) const {
  const Operator& above = op(parent);
  if (child.level == Shape::kAtom || above.fix == Fix::kFunction) return false;
  if (child.level < above.level) return true;
  if (above.has_brackets) return false;
  const bool is_prefix = kind == PartKind::kOperator && op(id).fix == Fix::kPrefix;
  switch (above.fix) {
    case Fix::kInfix:
      if (side == 1 && child.has_sign && above.groups != Groups::kNeither) return true;
      if (child.level > above.level) return false;
      return (side == 0) != (above.groups == Groups::kLeft) || above.groups == Groups::kNeither;
    case Fix::kPrefix:
      return child.has_sign && (!is_prefix || numbers == NumberNotation::kBracketed);
    default:
      return child.has_sign;
  }
}

std::string TermReader::Found(std::size_t at) const {
  if (at >= text_.size()) return "the end";
  if (scope_ != nullptr && text_.substr(at).starts_with("->")) return "'->'";
  return fmt::format("'{}'", CharacterAt(text_, at));
}

bool TermReader::Fail(std::size_t at, Message message) {
  if (error_.message.empty()) error_ = {at, std::move(message)};
  return false;
}

std::string_view TermReader::WordAt(std::size_t at) const {
  std::size_t end = at;
  if (end < text_.size() && IsWordStart(text_[end])) {
    if (grammar_.has_characters() && scope_ == nullptr) return text_.substr(at, 1);
    while (end < text_.size() && IsWordPart(text_[end])) ++end;
  }
  return text_.substr(at, end - at);
}

bool TermReader::ReadTerm(std::size_t& at) { return ReadLevel(at, 0); }

bool TermReader::ReadWhole(std::size_t& at) {
  bare_operator_ = std::string_view::npos;
  if (!ReadLevel(at, 0)) return false;
  if (bare_operator_ + 1 == postfix_.size()) {
    const int outermost = grammar_.op(postfix_.back().id).outermost;
    if (outermost >= 0) postfix_.back().id = outermost;
  }
  return true;
}

bool TermReader::ReadLevel(std::size_t& at, int level) {
  struct Deeper {
    explicit Deeper(std::size_t& depth_) : depth(depth_) { ++depth; }
    ~Deeper() { --depth; }
    std::size_t& depth;
  } deeper(depth_);
  if (depth_ > kMaxDepth) return Fail(at, "brackets and operators are nested too deeply");
  at = SkipBlanks(at);
  std::size_t first_part = postfix_.size();
  if (!ReadOperand(at, level)) return false;
  int last_neither = -1;
  for (;;) {
    if (postfix_.size() > kMaxParts) return Fail(at, Message("there are more than {} parts", kMaxParts));
    // 2x: nothing stands between the two.
    if (grammar_.coefficient >= 0 && number_end_ == at && at < text_.size() && (IsWordStart(text_[at]) || text_[at] == '(') &&
        (scope_ != nullptr || text_[at] == '(' || WordAt(at).size() >= 1)) {
      const SymbolUses* const uses = grammar_.Find(WordAt(at));
      const bool is_operator = uses != nullptr && (uses->infix >= 0 || uses->postfix >= 0);
      const int tight = grammar_.op(grammar_.coefficient).level + 1;
      if (!is_operator && tight >= level) {
        const std::size_t position = at;
        if (!ReadLevel(at, tight + 1)) return false;
        PushOperator(grammar_.coefficient, first_part, position);
        continue;
      }
    }
    const std::size_t place = SkipBlanks(at);
    if (place >= text_.size() || text_[place] == ')') return true;
    std::size_t length = 0;
    const SymbolUses* uses = nullptr;
    if (IsWordStart(text_[place])) {
      const std::string_view word = WordAt(place);
      length = word.size();
      uses = grammar_.Find(word);
    } else {
      std::tie(length, uses) = grammar_.SignAt(text_, place);
    }
    if (uses == nullptr) return true;
    if (uses->postfix >= 0) {
      if (grammar_.op(uses->postfix).level < level) return true;
      PushOperator(uses->postfix, first_part, place);
      at = place + length;
      continue;
    }
    if (uses->infix < 0) return true;
    const Operator& used = grammar_.op(uses->infix);
    if (used.level < level) return true;
    if (used.level == last_neither) {
      return Fail(place, Message("a second '{}' without brackets", used.symbol));
    }
    at = place + length;
    if (!ReadLevel(at, used.groups == Groups::kRight ? used.level : used.level + 1)) return false;
    PushOperator(uses->infix, first_part, place);
    if (depth_ == 1) bare_operator_ = postfix_.size() - 1;
    if (used.groups == Groups::kNeither) last_neither = used.level;
  }
}

bool TermReader::ReadOperand(std::size_t& at, int level) {
  if (at >= text_.size()) return Fail(at, "expected a number or a term, found the end");
  const char c = text_[at];
  number_end_ = std::string_view::npos;
  if (scope_ != nullptr) {
    Part part;
    part.begin = static_cast<std::uint32_t>(at);
    const std::size_t past = scope_->ReadOperand(text_, at, part);
    if (past != at) {
      postfix_.push_back(part);
      at = past;
      return true;
    }
  }
  for (const std::int32_t id : grammar_.NotationsAt(c)) {
    const Operator& used = grammar_.op(id);
    if (used.fields.empty() && text_.substr(at).starts_with(used.literals[0])) return ReadNotation(at);
    if (!used.fields.empty() && scope_ == nullptr && WordAt(at) != used.symbol) return ReadFields(at, id);
  }
  if (grammar_.has_characters() && IsDigit(c)) {
    Part digit;
    digit.begin = static_cast<std::uint32_t>(at++);
    digit.number = Rational(c - '0');
    postfix_.push_back(digit);
    return true;
  }
  if (IsDigit(c)) return ReadNumber(at, false);
  if (grammar_.numbers == NumberNotation::kStrokes && scope_ == nullptr) return ReadStrokes(at);
  if (c == '[' && grammar_.numbers != NumberNotation::kWhole) return ReadBracketedNumber(at);
  if (c == '(') {
    const std::size_t open = at++;
    if (!ReadLevel(at, 0)) return false;
    at = SkipBlanks(at);
    if (at >= text_.size()) return Fail(open, "'(' is never closed");
    if (text_[at] != ')') return Fail(at, Message("expected an operator or ')', found {}", Found(at)));
    ++at;
    number_end_ = std::string_view::npos;
    return true;
  }
  if (IsWordStart(c)) return ReadWordOperand(at);
  const auto [length, uses] = grammar_.SignAt(text_, at);
  if (uses != nullptr && uses->prefix >= 0) {
    const std::size_t begin = at;
    at += length;
    return ReadPrefix(at, uses->prefix, begin);
  }
  if (uses != nullptr && uses->constant >= 0) {
    PushOperator(uses->constant, postfix_.size(), at);
    at += length;
    return true;
  }
  if (c == '-' && !grammar_.has_characters()) {
    const std::size_t digits = SkipBlanks(at + 1);
    if (digits < text_.size() && IsDigit(text_[digits])) {
      at = digits;
      return ReadNumber(at, true);
    }
  }
  static_cast<void>(level);
  return Fail(at, Message("expected a number or a term, found {}", Found(at)));
}

bool TermReader::ReadPrefix(std::size_t& at, int id, std::size_t begin) {
  const std::size_t first_part = postfix_.size();
  if (!ReadLevel(at, grammar_.op(id).level)) return false;
  // -3 is a number, and so is -(3).
  if (id == grammar_.minus() && postfix_.back().kind == PartKind::kNumber) {
    postfix_.back().number = -postfix_.back().number;
    return true;
  }
  PushOperator(id, first_part, begin);
  return true;
}

bool TermReader::ReadArguments(std::size_t& at, std::string_view word, std::size_t count) {
  at = SkipBlanks(at + word.size());
  if (at >= text_.size() || text_[at] != '(') return Fail(at, Message("expected '(' after {}, found {}", word, Found(at)));
  ++at;
  for (std::size_t i = 0; i < count; ++i) {
    if (!ReadLevel(at, 0)) return false;
    at = SkipBlanks(at);
    const char wanted = i + 1 == count ? ')' : ',';
    if (at >= text_.size() || text_[at] != wanted) {
      return Fail(at, Message("expected '{}', found {}: {} takes {} argument{}", wanted, Found(at), word, count,
                              count == 1 ? "" : "s"));
    }
    ++at;
  }
  return true;
}

bool TermReader::ReadWordOperand(std::size_t& at) {
  const std::string_view word = WordAt(at);
  const std::size_t begin = at;
  const SymbolUses* const uses = grammar_.Find(word);
  if (uses != nullptr && uses->prefix >= 0) {
    at += word.size();
    return ReadPrefix(at, uses->prefix, begin);
  }
  if (uses != nullptr && uses->constant >= 0) {
    PushOperator(uses->constant, postfix_.size(), at);
    at += word.size();
    return true;
  }
  if (uses != nullptr && uses->function >= 0) {
    const Operator& function = grammar_.op(uses->function);
    const std::size_t first_part = postfix_.size();
    if (!ReadArguments(at, word, function.arity)) return false;
    PushOperator(uses->function, first_part, begin);
    if (!function.fields.empty() && scope_ == nullptr) {
      for (std::size_t i = 0; i < function.arity; ++i) {
        const Part& argument = postfix_[first_part + i];
        const std::int64_t most = function.fields[i].second - function.fields[i].first;
        if (postfix_.size() != first_part + function.arity + 1 || argument.kind != PartKind::kNumber ||
            !argument.number.IsInteger() || argument.number.numerator() < 0 || argument.number.numerator() > most) {
          return Fail(begin, Message("expected numbers from 0 to {} in {}", most, word));
        }
      }
    }
    number_end_ = std::string_view::npos;
    return true;
  }
  if (word == "replace" && uses == nullptr && scope_ != nullptr) {
    const std::size_t first_part = postfix_.size();
    if (!ReadArguments(at, word, 3)) return false;
    Close(PartKind::kReplaced, first_part, begin);
    number_end_ = std::string_view::npos;
    return true;
  }
  if (word.size() == 1 && grammar_.IsLetter(word[0]) && (scope_ == nullptr || grammar_.has_letters())) {
    Part part;
    part.kind = PartKind::kLetter;
    part.id = word[0];
    part.begin = static_cast<std::uint32_t>(at);
    postfix_.push_back(part);
    ++at;
    return true;
  }
  if (uses != nullptr) return Fail(at, Message("expected a number or a term, found '{}'", word));
  if (scope_ != nullptr && text_.substr(at + word.size()).starts_with("..")) {
    return Fail(at, fmt::format("'{0}' is not known; declare it with 'var {0} : list'", word));
  }
  if (scope_ != nullptr && text_.substr(SkipBlanks(at + word.size())).starts_with('(')) {
    return Fail(at,
                fmt::format("'{0}' is not known; if it is a function of your own, write 'function {0}(a)' above, with a name "
                            "for each argument",
                            word));
  }
  if (scope_ != nullptr && scope_->IsDeclaredBelow(word)) {
    return Fail(at, fmt::format("'{}' is declared below; what a statement uses stands above it", word));
  }
  if (scope_ != nullptr) {
    return Fail(at, fmt::format("'{0}' is not known; declare it with 'var {0} : term' if it stands for any term, or with "
                                "'letter {0}' or 'constant {0}' if it stands for itself",
                                word));
  }
  if (word.size() == 1) return Fail(at, Message("'{}' is none of the letters of this domain", word));
  return Fail(at, Message("unknown word '{}'{}", word, Suggestion(word, grammar_.Words())));
}

bool TermReader::ReadStrokes(std::size_t& at) {
  Part part;
  part.begin = static_cast<std::uint32_t>(at);
  const std::size_t begin = at;
  while (at < text_.size() && text_[at] == grammar_.stroke) ++at;
  part.number = Rational(static_cast<std::int64_t>(at - begin));
  postfix_.push_back(part);
  return true;
}

// Several functions may begin in the same way: what stands after each argument decides.
bool TermReader::ReadNotation(std::size_t& at) {
  const std::size_t begin = at;
  const std::size_t first_part = postfix_.size();
  const std::vector<std::int32_t>& all = grammar_.NotationsAt(text_[at]);
  const std::vector<std::string>* read = nullptr;  // what fits so far begins as these do
  for (std::size_t i = 0;; ++i) {
    const auto fits = [&](const std::vector<std::string>& literals) {
      return i < literals.size() &&
             (read == nullptr || read == &literals ||
              std::equal(read->begin(), read->begin() + static_cast<std::ptrdiff_t>(i), literals.begin()));
    };
    // The blanks that it begins with were skipped.
    const auto literal_of = [&](const std::vector<std::string>& literals) {
      return std::string_view(literals[i]).substr(literals[i].find_first_not_of(' '));
    };
    std::size_t longest = 0;
    std::int32_t found = -1;
    for (const std::int32_t id : all) {
      const std::vector<std::string>& literals = grammar_.op(id).literals;
      if (!fits(literals)) continue;
      const std::string_view literal = literal_of(literals);
      if (literal.size() <= longest || !text_.substr(at).starts_with(literal)) continue;
      longest = literal.size();
      found = id;
    }
    if (found < 0) {
      std::vector<std::string> wanted;
      for (const std::int32_t id : all) {
        if (fits(grammar_.op(id).literals)) wanted.push_back(fmt::format("'{}'", literal_of(grammar_.op(id).literals)));
      }
      return Fail(at, Message("expected {}, found {}", Join(wanted), Found(at)));
    }
    read = &grammar_.op(found).literals;
    at += longest;
    if (i + 1 == read->size()) {
      PushOperator(found, first_part, begin);
      number_end_ = std::string_view::npos;
      return true;
    }
    if (!ReadLevel(at, 0)) return false;
    at = SkipBlanks(at);
  }
}

bool TermReader::ReadFields(std::size_t& at, std::int32_t id) {
  const Operator& used = grammar_.op(id);
  const std::size_t begin = at;
  const std::size_t first_part = postfix_.size();
  for (const auto& [first, last] : used.fields) {
    if (at >= text_.size() || text_[at] < first || text_[at] > last) {
      return Fail(at, Message("expected a character from '{}' to '{}', found {}", first, last, Found(at)));
    }
    Part part;
    part.begin = static_cast<std::uint32_t>(at);
    part.number = Rational(text_[at++] - first);
    postfix_.push_back(part);
  }
  PushOperator(id, first_part, begin);
  return true;
}

bool TermReader::ReadNumber(std::size_t& at, bool is_negative) {
  std::int64_t value = 0;
  const std::size_t begin = at;
  bool is_large = false;
  for (; at < text_.size() && IsDigit(text_[at]); ++at) {
    is_large = is_large || __builtin_mul_overflow(value, 10, &value) || __builtin_add_overflow(value, text_[at] - '0', &value);
  }
  if (is_large && grammar_.numbers != NumberNotation::kDecimal) return Fail(begin, "the number is too large");
  if (scope_ != nullptr && at + 1 < text_.size() && text_[at] == '.' && IsDigit(text_[at + 1]) && grammar_.Find(".") == nullptr)
    return Fail(at, "numbers have no decimal point; write [1/2] for 0.5");
  Part part;
  if (grammar_.numbers == NumberNotation::kDecimal) {
    const auto digits = static_cast<std::int32_t>(at - begin);
    if (at + 1 < text_.size() && text_[at] == 'e' && IsDigit(text_[at + 1])) {
      const auto [past, bad] = std::from_chars(text_.data() + at + 1, text_.data() + text_.size(), part.id);
      at = static_cast<std::size_t>(past - text_.data());
      if (bad != std::errc()) part.id = static_cast<std::int32_t>(Decimal::kMaxDigits) + 1;
    }
    if (part.id + digits > static_cast<std::int32_t>(Decimal::kMaxDigits)) {
      return Fail(begin, Message("numbers of more than {} digits are not supported", Decimal::kMaxDigits));
    }
    // Its text tells the rest.
    if (is_large) {
      part.id = -1;
      value = 1;
    }
  }
  part.number = Rational(is_negative ? -value : value);
  part.begin = static_cast<std::uint32_t>(begin);
  postfix_.push_back(part);
  number_end_ = at;
  return true;
}

bool TermReader::ReadBracketedNumber(std::size_t& at) {
  const std::size_t open = at;
  std::array<std::int64_t, 2> values{0, 1};
  at = SkipBlanks(at + 1);
  for (std::size_t i = 0; i < 2; ++i) {
    const bool is_negative = i == 0 && at < text_.size() && text_[at] == '-';
    if (is_negative) ++at;
    const std::size_t digits = at;
    const auto [end, code] = std::from_chars(text_.data() + at, text_.data() + text_.size(), values[i]);
    if (digits >= text_.size() || !IsDigit(text_[digits]) || code == std::errc::invalid_argument) {
      return Fail(digits, Message("expected a whole number, found {}", Found(digits)));
    }
    if (code != std::errc()) return Fail(digits, "the number is too large");
    if (is_negative) values[i] = -values[i];
    at = SkipBlanks(static_cast<std::size_t>(end - text_.data()));
    if (i == 0) {
      if (at < text_.size() && text_[at] == ']') break;
      if (at >= text_.size() || text_[at] != '/') return Fail(at, Message("expected '/' or ']', found {}", Found(at)));
      at = SkipBlanks(at + 1);
    }
  }
  if (at >= text_.size() || text_[at] != ']') return Fail(at, Message("expected ']', found {}", Found(at)));
  if (values[1] == 0) return Fail(open, "a number with 0 below the line");
  const std::optional<Rational> number = Rational::Make(values[0], values[1]);
  if (!number) return Fail(open, "the number is too large");
  ++at;
  Part part;
  part.number = *number;
  part.begin = static_cast<std::uint32_t>(open);
  postfix_.push_back(part);
  number_end_ = at;
  return true;
}

void TermReader::PushOperator(int id, std::size_t first_part, std::size_t position) {
  Part part;
  part.kind = PartKind::kOperator;
  part.id = id;
  part.size = static_cast<std::uint32_t>(postfix_.size() - first_part + 1);
  part.begin = static_cast<std::uint32_t>(position);
  postfix_.push_back(part);
}

void TermReader::Close(PartKind kind, std::size_t first_part, std::size_t position) {
  PushOperator(0, first_part, position);
  postfix_.back().kind = kind;
}

void TermReader::Ordered(std::vector<Part>& parts) {
  parts.resize(postfix_.size());
  // While going backwards, `end` of a part that is still to come is its place in pre-order.
  postfix_.back().end = 0;
  postfix_.back().parent = 0;
  Part* const first = postfix_.data();
  Part* const to = parts.data();
  for (Part* part = first + postfix_.size(); part-- != first;) {
    const std::uint32_t index = part->end;
    to[index] = *part;
    const Part* child = part;
    for (std::uint32_t next = index + part->size; next > index + 1;) {
      Part& below = first[child - first - 1];
      next -= below.size;
      below.end = next;
      below.parent = index;
      child -= below.size;
    }
  }
}

char* WriteNumber(char* out, const Rational& number) {
  if (number.IsInteger()) return WriteInteger(out, number.numerator());
  *out++ = '[';
  out = WriteInteger(out, number.numerator());
  *out++ = '/';
  out = WriteInteger(out, number.denominator());
  *out++ = ']';
  return out;
}

char* WriteOperand(char* out, const Grammar& grammar, const Rational& number, std::int32_t exponent) {
  switch (grammar.numbers) {
    case NumberNotation::kBracketed: {
      const bool brackets = number.numerator() < 0;
      if (brackets) *out++ = '(';
      out = WriteNumber(out, number);
      if (brackets) *out++ = ')';
      return out;
    }
    case NumberNotation::kDecimal:
      out = WriteNumber(out, number);
      *out++ = 'e';
      return WriteInteger(out, exponent);
    case NumberNotation::kStrokes:
      return std::fill_n(out, std::clamp<std::int64_t>(number.numerator(), 0, kMaxStateBytes + 1), grammar.stroke);
    default:
      return WriteNumber(out, number);
  }
}

void AppendNumber(std::string& out, const Rational& number) {
  std::array<char, kNumberBytes> text;
  out.append(text.data(), WriteNumber(text.data(), number));
}

void AppendOperand(std::string& out, const Grammar& grammar, const Rational& number, std::int32_t exponent) {
  if (grammar.numbers == NumberNotation::kStrokes) {
    out.append(static_cast<std::size_t>(std::clamp<std::int64_t>(number.numerator(), 0, kMaxStateBytes + 1)), grammar.stroke);
    return;
  }
  std::array<char, kNumberBytes> text;
  out.append(text.data(), WriteOperand(text.data(), grammar, number, exponent));
}

void TermText::AppendPart(std::string& out, std::size_t i) const {
  if (parts_[i].kind == PartKind::kNumber && grammar_->numbers == NumberNotation::kBracketed) {
    AppendOperand(out, *grammar_, parts_[i].number, 0);
  } else {
    out += Span(i);
  }
}

namespace {

// Reads what is most often read: a state in its canonical text, in one pass. Operators inside it must have brackets of their
// own. All functions return false if it is another text, or may be; then TermReader has to read it.
class PlainReader {
 public:
  PlainReader(const Grammar& grammar, std::string_view text, std::vector<Part>& parts, std::vector<std::uint32_t>& elements)
      : grammar_(grammar), text_(text), parts_(parts), elements_(elements) {}

  bool Read() {
    parts_.clear();
    elements_.clear();
    return grammar_.is_list ? ReadList() : ReadTerm();
  }

 private:
  bool Takes(std::string_view piece) {
    if (text_.size() - at_ < piece.size()) return false;
    for (std::size_t i = 0; i < piece.size(); ++i) {  // faster than memcmp
      if (text_.data()[at_ + i] != piece[i]) return false;
    }
    at_ += piece.size();
    return true;
  }
  char Next(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_.data()[at_ + ahead] : '\0'; }

  std::uint32_t Push(PartKind kind, std::int32_t id, std::uint32_t parent, std::size_t begin) {
    const auto index = static_cast<std::uint32_t>(parts_.size());
    Part& part = parts_.emplace_back();
    part.kind = kind;
    part.id = id;
    part.parent = parent;
    part.begin = static_cast<std::uint32_t>(begin);
    part.end = static_cast<std::uint32_t>(at_);
    return index;
  }
  bool Close(std::uint32_t index) {
    parts_.data()[index].size = static_cast<std::uint32_t>(parts_.size()) - index;
    parts_.data()[index].end = static_cast<std::uint32_t>(at_);
    return true;
  }

  // What a word or sign means that follows.
  const SymbolUses* Uses() const {
    std::size_t at = at_;
    while (at < text_.size() && IsBlank(text_[at])) ++at;
    if (at == text_.size()) return nullptr;
    if (!IsWordStart(text_[at])) return grammar_.SignAt(text_, at).second;
    return grammar_.Find(WordAt(at));
  }
  std::string_view WordAt(std::size_t at) const {
    std::size_t end = at;
    while (end < text_.size() && IsWordPart(text_[end])) ++end;
    return text_.substr(at, end - at);
  }
  // Whether TermReader would go on with what was read as an operand.
  bool GoesOn() const {
    const SymbolUses* const uses = Next() == ')' || Next() == ',' ? nullptr : Uses();
    return uses != nullptr && (uses->infix >= 0 || uses->postfix >= 0);
  }

  bool ReadTerm() {
    parts_.emplace_back();  // for an operator
    if (!ReadPart(0)) return false;
    if (at_ == text_.size()) {
      parts_.erase(parts_.begin());
      for (Part& part : parts_) part.parent -= part.parent > 0 ? 1 : 0;
      return true;
    }
    const SymbolUses* const uses = Uses();
    if (uses == nullptr || uses->infix < 0) return false;
    const Operator* used = &grammar_.op(uses->infix);
    if (used->has_brackets) {
      if (used->outermost < 0) return false;
      used = &grammar_.op(used->outermost);
    }
    parts_[0].kind = PartKind::kOperator;
    parts_[0].id = static_cast<std::int32_t>(used - grammar_.operators().data());
    parts_[0].oddities |= kLoosePart;
    return Takes(used->pieces[1]) && ReadPart(0) && at_ == text_.size() && Close(0) && AreOperandsPlain(0);
  }

  bool ReadList() {
    const auto& [open, separator, close] = grammar_.list;
    if (separator.empty() || !Takes(open)) return false;
    parts_.emplace_back().kind = PartKind::kList;
    const std::size_t end = text_.size() - std::min(text_.size(), close.size());
    if (at_ >= end) return false;
    for (;;) {
      if (parts_.size() >= kMaxParts) return false;
      elements_.push_back(static_cast<std::uint32_t>(parts_.size()));
      if (grammar_.element >= 0) {
        if (!ReadFields()) return false;
      } else if (grammar_.numbers == NumberNotation::kStrokes) {
        const std::size_t begin = at_;
        while (Next() == grammar_.stroke) ++at_;
        parts_[Push(PartKind::kNumber, 0, 0, begin)].number = Rational(static_cast<std::int64_t>(at_ - begin));
      } else if (!ReadPart(0) || GoesOn()) {
        return false;
      }
      if (at_ == end) break;
      if (!Takes(separator)) return false;
    }
    // Of a list with nothing but a 0 nothing is seen.
    if (!Takes(close) || (parts_.size() == 2 && parts_[1].begin == parts_[1].end)) return false;
    elements_.push_back(static_cast<std::uint32_t>(parts_.size()));
    return Close(0);
  }

  bool ReadFields() {
    const Operator& element = grammar_.op(grammar_.element);
    const std::uint32_t top = Push(PartKind::kOperator, grammar_.element, 0, at_);
    for (const auto& [first, last] : element.fields) {
      const char c = Next();
      if (at_ == text_.size() || c < first || c > last || parts_.size() >= kMaxParts) return false;
      ++at_;
      parts_[Push(PartKind::kNumber, 0, top, at_ - 1)].number = Rational(c - first);
    }
    return Close(top);
  }

  bool ReadPart(std::uint32_t parent) {
    const char c = Next();
    if (parts_.size() + 2 >= kMaxParts) return false;
    const std::vector<std::int32_t>& notations = grammar_.NotationsAt(c);
    if (!notations.empty()) {
      return notations.size() == 1 && grammar_.op(notations[0]).fields.empty() && ReadOperands(notations[0], parent);
    }
    if (c == '(') return ReadBrackets(parent);
    if (IsWordStart(c)) {
      const std::string_view word = WordAt(at_);
      if (word.size() == 1 && grammar_.IsLetter(c)) {
        ++at_;
        Push(PartKind::kLetter, c, parent, at_ - 1);
        return true;
      }
      const SymbolUses* const uses = grammar_.Find(word);
      if (uses == nullptr) return false;
      const std::int32_t id = uses->prefix >= 0 ? uses->prefix : uses->function >= 0 ? uses->function : uses->constant;
      return id >= 0 && ReadOperands(id, parent);
    }
    if (IsDigit(c) || c == '[' || (c == '-' && IsDigit(Next(1)))) return ReadNumber(parent);
    const SymbolUses* const uses = at_ < text_.size() ? grammar_.SignAt(text_, at_).second : nullptr;
    const std::int32_t id = uses == nullptr ? -1 : uses->prefix >= 0 ? uses->prefix : uses->constant;
    return id >= 0 && ReadOperands(id, parent);
  }

  // Of a prefix, function or constant.
  bool ReadOperands(std::int32_t id, std::uint32_t parent) {
    const Operator& used = grammar_.op(id);
    const std::uint32_t top = Push(PartKind::kOperator, id, parent, at_);
    parts_[top].oddities |= kLoosePart;
    if (!Takes(used.pieces[0])) return false;
    for (std::size_t i = 1; i < used.pieces.size(); ++i) {
      if (!ReadPart(top) || (used.fix == Fix::kFunction && GoesOn()) || !Takes(used.pieces[i])) return false;
    }
    return Close(top) && AreOperandsPlain(top);
  }

  bool ReadBrackets(std::uint32_t parent) {
    if (grammar_.numbers == NumberNotation::kBracketed && (Next(1) == '-' || (Next(1) == '[' && Next(2) == '-'))) {
      const std::size_t begin = at_++;
      Rational number;
      std::int32_t exponent = 0;
      if (TakesNumber(number, exponent) && Takes(")")) {
        parts_[Push(PartKind::kNumber, 0, parent, begin)].number = number;
        return true;
      }
      at_ = begin;
    }
    const std::uint32_t top = Push(PartKind::kOperator, 0, parent, at_++);
    if (!ReadPart(top)) return false;
    const SymbolUses* const uses = Uses();
    if (uses == nullptr || uses->infix < 0) return false;
    const Operator& used = grammar_.op(uses->infix);
    parts_[top].id = uses->infix;
    return used.has_brackets && Takes(used.pieces[1]) && ReadPart(top) && Takes(")") && Close(top) && AreOperandsPlain(top);
  }

  // A number as it stands before a letter.
  bool TakesNumber(Rational& number, std::int32_t& exponent) {
    constexpr std::size_t kMostDigits = 18;
    const bool is_fraction = Takes("[");
    const bool is_negative = Takes("-");
    const auto takes_digits = [&](std::int64_t& value, std::size_t most) {
      const std::size_t begin = at_;
      value = 0;
      while (IsDigit(Next()) && at_ - begin < most) value = 10 * value + (text_.data()[at_++] - '0');
      return at_ > begin && !IsDigit(Next()) && (text_[begin] != '0' || at_ - begin == 1);
    };
    std::int64_t value = 0;
    if (!takes_digits(value, kMostDigits) || (is_negative && value == 0)) return false;
    number = Rational(is_negative ? -value : value);
    if (is_fraction) {
      std::int64_t below = 0;
      if (grammar_.numbers > NumberNotation::kBracketed || !Takes("/") || !takes_digits(below, kMostDigits)) return false;
      const std::optional<Rational> made = Rational::Make(number.numerator(), below);
      number = made.value_or(Rational());
      return made && made->denominator() == below && below > 1 && Takes("]");
    }
    if (grammar_.numbers != NumberNotation::kDecimal) return true;
    constexpr std::size_t kMostExponentDigits = 2;
    if (!Takes("e") || !takes_digits(value, kMostExponentDigits)) return false;
    exponent = static_cast<std::int32_t>(value);
    return true;
  }

  bool ReadNumber(std::uint32_t parent) {
    const std::size_t begin = at_;
    Rational number;
    std::int32_t exponent = 0;
    if (grammar_.numbers == NumberNotation::kStrokes || !TakesNumber(number, exponent)) return false;
    const bool is_negative = number.numerator() < 0;
    const bool is_coefficient = grammar_.coefficient >= 0 && (IsWordStart(Next()) || Next() == '(');
    if (is_coefficient) {
      const bool is_one = WordAt(at_).size() == 1 && grammar_.IsLetter(Next());
      const int tight = grammar_.op(grammar_.coefficient).level + 1;
      if (!is_one || (is_negative && grammar_.minus() >= 0 && grammar_.op(grammar_.minus()).level <= tight)) return false;
      parent = Push(PartKind::kOperator, grammar_.coefficient, parent, begin);
      if (!grammar_.op(grammar_.coefficient).has_brackets) parts_[parent].oddities |= kLoosePart;
    } else if (is_negative && grammar_.numbers == NumberNotation::kBracketed) {
      return false;
    }
    Part& part = parts_[Push(PartKind::kNumber, exponent, parent, begin)];
    part.number = number;
    if (!is_coefficient) return true;
    part.oddities |= kCoefficientPart;
    if (is_negative && grammar_.numbers == NumberNotation::kBracketed) part.oddities |= kRewrittenPart;
    ++at_;
    parts_[Push(PartKind::kLetter, text_[at_ - 1], parent, at_ - 1)].oddities |= kCoefficientPart;
    return Close(parent);
  }

  // Whether this is how it is written: as no number and not as 2x, and without more brackets around operands than their own.
  bool AreOperandsPlain(std::uint32_t top) const {
    const Operator& used = grammar_.op(parts_[top].id);
    const Part& written = parts_[top];
    if (written.size > 1 && parts_[top + 1].kind == PartKind::kNumber &&
        (written.id == grammar_.minus() ||
         (written.id == grammar_.coefficient && written.size == 3 && parts_[top + 2].kind == PartKind::kLetter))) {
      return false;
    }
    std::size_t k = 0;
    for (std::size_t i = top + 1; i < parts_.size(); i += parts_.data()[i].size, ++k) {
      const Part& part = parts_.data()[i];
      const bool is_odd = (part.oddities & kLoosePart) != 0 || part.number.numerator() < 0 || part.id == grammar_.coefficient;
      if (!is_odd || part.kind == PartKind::kLetter) continue;
      const bool is_coefficient = i + 1 < parts_.size() && (parts_[i + 1].oddities & kCoefficientPart) != 0 && part.size == 3;
      const Shape shape = is_coefficient ? grammar_.ShapeOfCoefficient(parts_[i + 1].number)
                                         : grammar_.ShapeOf(part.kind, part.id, part.number);
      if (grammar_.NeedsBrackets(shape, part.kind, part.id, static_cast<std::int32_t>(parts_[top].id), used.SideOf(k))) {
        return false;
      }
    }
    return true;
  }

  const Grammar& grammar_;
  std::string_view text_;
  std::vector<Part>& parts_;
  std::vector<std::uint32_t>& elements_;
  std::size_t at_ = 0;
};

}  // namespace

bool TermText::Read(const Grammar& grammar, std::string_view text, Malformed& error) {
  if (std::optional<Malformed> too_long = CheckLength(text)) {
    error = std::move(*too_long);
    return false;
  }
  grammar_ = &grammar;
  if (PlainReader(grammar, text, parts_, elements_).Read()) {
    text_.Assign(text);
    return true;
  }
  TermReader reader(grammar, text, nullptr);
  reader.Use(parts_);  // what was read before is of no use any more
  std::size_t at = reader.SkipBlanks(0);
  const auto fail = [&](std::size_t position, Message message) {
    error = {position, std::move(message)};
    return false;
  };
  if (!grammar.is_list) {
    if (!reader.ReadWhole(at)) return fail(reader.error().position, reader.error().message);
    at = reader.SkipBlanks(at);
    if (at < text.size()) return fail(at, Message("expected an operator or the end, found {}", reader.Found(at)));
  } else {
    const std::string_view open = WithoutBlanks(grammar.list.open);
    const std::string_view separator = WithoutBlanks(grammar.list.separator);
    const std::string_view close = WithoutBlanks(grammar.list.close);
    if (!text.substr(at).starts_with(open)) return fail(at, Message("expected '{}'", open));
    at = reader.SkipBlanks(at + open.size());
    std::size_t count = 0;
    const auto is_end = [&] { return at >= text.size() || (!close.empty() && text.substr(at).starts_with(close)); };
    while (!is_end()) {
      if (count > 0 && !separator.empty()) {
        if (!text.substr(at).starts_with(separator)) {
          return fail(at, fmt::format("expected '{}'{}{}{}, found {}", separator, close.empty() ? " or the end" : " or '",
                                      close, close.empty() ? "" : "'", reader.Found(at)));
        }
        at = reader.SkipBlanks(at + separator.size());
      }
      const std::size_t element = at;
      if (!reader.ReadTerm(at)) return fail(reader.error().position, reader.error().message);
      if (grammar.element >= 0 && !reader.LastIs(grammar.element)) {
        return fail(element, Message("expected an element of {} characters, found {}",
                                     grammar.op(grammar.element).fields.size(), reader.Found(element)));
      }
      if (reader.parts() > kMaxParts) return fail(element, Message("there are more than {} parts", kMaxParts));
      at = reader.SkipBlanks(at);
      ++count;
    }
    if (at >= text.size() && !close.empty()) return fail(at, Message("expected '{}', found the end", close));
    at = reader.SkipBlanks(at + close.size());
    if (at < text.size()) return fail(at, Message("expected the end, found {}", reader.Found(at)));
    // Strokes are as many as the number: of a list with nothing but a 0 nothing is seen.
    if (grammar.numbers == NumberNotation::kStrokes && count == 1 && reader.parts() == 1 && reader.LastIsZero()) reader.Clear();
    reader.Close(PartKind::kList, 0);
  }
  if (reader.parts() > kMaxParts) return fail(0, Message("there are more than {} parts", kMaxParts));
  reader.Ordered(ordered_);
  reader.Use(parts_);
  parts_.swap(ordered_);
  elements_.clear();
  if (grammar.is_list) {
    for (std::uint32_t i = 1; i < parts_.size(); i += parts_[i].size) elements_.push_back(i);
    elements_.push_back(static_cast<std::uint32_t>(parts_.size()));
  }
  read_ = text;
  const bool is_written = Write();
  read_ = {};
  return is_written || fail(0, "the text is too long when it is written with all blanks and brackets");
}

bool TermText::Assemble(const Grammar& grammar, const std::vector<Part>& parts) {
  grammar_ = &grammar;
  parts_.assign(parts.begin(), parts.end());
  for (std::uint32_t i = 0; i < parts_.size(); ++i) {
    for (std::uint32_t child = i + 1; child < i + parts_[i].size; child += parts_[child].size) parts_[child].parent = i;
  }
  return parts_.size() <= kMaxParts && Write();
}

bool TermText::Write() {
  const Grammar& grammar = *grammar_;
  // How much is written at most, and at least.
  std::size_t bytes = grammar.list.open.size() + grammar.list.close.size();
  std::size_t strokes = 0;
  for (const Part& part : parts_) {
    bytes += 2 + grammar.list.separator.size() + kNumberBytes;
    if (part.kind == PartKind::kOperator) {
      bytes += grammar.op(part.id).piece_bytes;
    } else if (grammar.numbers == NumberNotation::kStrokes && part.kind == PartKind::kNumber) {
      strokes += static_cast<std::size_t>(std::clamp<std::int64_t>(part.number.numerator(), 0, kMaxStateBytes + 1));
    } else if (part.id < 0) {
      bytes += Decimal::kMaxDigits;
    }
  }
  if (strokes > kMaxStateBytes) return false;
  text_.Clear();
  text_.SetEnd(Print(text_.Reserve(bytes + strokes), 0));
  return text_.size() <= kMaxStateBytes;
}

char* TermText::PrintChild(char* out, std::size_t i, std::int32_t parent, std::size_t side) {
  Part& part = parts_.data()[i];
  const Shape shape = IsCoefficient(i) ? grammar_->ShapeOfCoefficient(parts_[i + 1].number)
                                       : grammar_->ShapeOf(part.kind, part.id, part.number);
  part.is_bracketed = grammar_->NeedsBrackets(shape, part.kind, part.id, parent, side);
  if (!part.is_bracketed) return Print(out, i);
  *out++ = '(';
  out = Print(out, i);
  *out++ = ')';
  return out;
}

char* TermText::Print(char* out, std::size_t i) {
  Part& part = parts_.data()[i];
  char* const begin = out;
  part.oddities = kAnyPart;
  switch (part.kind) {
    case PartKind::kNumber:
      if (grammar_->numbers == NumberNotation::kPlain || (i != 0 && IsCoefficient(part.parent))) {
        if (grammar_->numbers == NumberNotation::kBracketed && part.number.numerator() < 0) part.oddities |= kRewrittenPart;
        out = WriteNumber(out, part.number);
      } else if (part.id >= 0) {
        out = WriteOperand(out, *grammar_, part.number, part.id);
      } else {
        if (part.number.numerator() < 0) *out++ = '-';
        std::size_t digits = part.begin;
        while (read_[digits] == '0') ++digits;
        const std::size_t past = std::min(read_.find_first_not_of("0123456789", digits), read_.size());
        out = WriteText(out, read_.substr(digits, past - digits));
        const std::size_t exponent = past < read_.size() && read_[past] == 'e' ? past + 1 : read_.size();
        const std::size_t last = std::min(read_.find_first_not_of("0123456789", exponent), read_.size());
        const std::size_t first = std::min(read_.find_first_not_of('0', exponent), last);
        *out++ = 'e';
        out = WriteText(out, first == last ? "0" : read_.substr(first, last - first));
      }
      break;
    case PartKind::kLetter:
      *out++ = static_cast<char>(part.id);
      break;
    case PartKind::kList:
      out = WriteText(out, grammar_->list.open);
      for (std::size_t at = i + 1; at < i + part.size; at += parts_[at].size) {
        if (at > i + 1) out = WriteText(out, grammar_->list.separator);
        parts_[at].is_bracketed = false;
        out = Print(out, at);
      }
      out = WriteText(out, grammar_->list.close);
      break;
    default: {
      if (IsCoefficient(i)) {
        parts_[i + 1].is_bracketed = parts_[i + 2].is_bracketed = false;
        out = Print(Print(out, i + 1), i + 2);
        parts_[i + 1].oddities |= kCoefficientPart;
        parts_[i + 2].oddities |= kCoefficientPart;
        break;
      }
      const Operator& used = grammar_->op(part.id);
      const std::string* const pieces = used.pieces.data();
      if (!used.has_brackets) part.oddities |= kLoosePart;
      out = WriteText(out, pieces[0]);
      for (std::size_t at = i + 1, k = 0; at < i + part.size; at += parts_.data()[at].size, ++k) {
        if (used.fields.empty()) {
          out = PrintChild(out, at, part.id, used.SideOf(k));
        } else {
          Part& field = parts_[at];
          field.begin = static_cast<std::uint32_t>(out - text_.data());
          *out++ = static_cast<char>(used.fields[k].first + field.number.numerator());
          field.end = field.begin + 1;
        }
        out = WriteText(out, pieces[k + 1]);
      }
    }
  }
  part.begin = static_cast<std::uint32_t>(begin - text_.data());
  part.end = static_cast<std::uint32_t>(out - text_.data());
  return out;
}

}  // namespace conpole::files
