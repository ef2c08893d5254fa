#include "notation/word_problems.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "domains/school/textbook_value.h"
#include "util/text.h"

namespace conpole {
namespace {

namespace book = textbook;

struct StoryToken {
  enum class Kind : std::uint8_t { kWord, kNumber, kStop, kComma, kOther };
  Kind kind = Kind::kWord;
  std::string text;  // in small letters; of a number its value as an expression
  bool dollars = false;
  bool percent = false;
  bool glued = false;  // a hyphen stands before it

  bool Is(std::string_view word) const { return kind == Kind::kWord && text == word; }
  bool IsAny(std::initializer_list<std::string_view> words) const {
    return kind == Kind::kWord && std::find(words.begin(), words.end(), text) != words.end();
  }
  bool IsNumber() const { return kind == Kind::kNumber; }
};
using StoryTokens = std::vector<StoryToken>;
using TokenKind = StoryToken::Kind;

StoryTokens SplitStory(std::string_view text) {
  StoryTokens tokens;
  bool glued = false;
  bool dollars = false;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    const auto digit = [&](std::size_t i) { return i < text.size() && IsDigit(text[i]); };
    if (digit(at) || (c == '.' && digit(at + 1)) || (c == '-' && digit(at + 1) && !glued && (at == 0 || text[at - 1] == ' '))) {
      std::string number(c == '-' ? "-" : "");
      if (c == '-') ++at;
      if (at < text.size() && text[at] == '.') number += '0';
      while (digit(at) || ((text[at] == '.' || text[at] == ',') && digit(at + 1))) {
        // 28,500, and $1, 669.68 with a blank.
        if (text[at] != ',') number += text[at];
        ++at;
        const bool blank = dollars && at + 4 < text.size() && text[at] == ',' && text[at + 1] == ' ' && digit(at + 2) &&
                           digit(at + 3) && digit(at + 4) && !digit(at + 5);
        if (blank) at += 2;
        if (at >= text.size()) break;
      }
      tokens.push_back({TokenKind::kNumber, std::move(number), dollars, false, glued});
      glued = dollars = false;
      continue;
    }
    if (IsLetter(c)) {
      std::string word;
      while (at < text.size() && IsLetter(text[at])) word += Lowered(text[at++]);
      // "Maria's" is Maria.
      for (const std::string_view quote : {"'", "’"}) {
        if (text.substr(at).starts_with(quote) && at + quote.size() < text.size() && text[at + quote.size()] == 's') {
          at += quote.size() + 1;
        }
      }
      tokens.push_back({TokenKind::kWord, std::move(word), false, false, glued});
      glued = dollars = false;
      continue;
    }
    // "Exercise #4"
    if (c == '#') {
      ++at;
      while (digit(at)) ++at;
      continue;
    }
    if (text.substr(at).starts_with("\\$") || text.substr(at).starts_with("\\%")) ++at;
    const char sign = text[at++];
    glued = sign == '-';
    dollars = sign == '$' || (dollars && sign == ' ');
    if (sign == '%' && !tokens.empty() && tokens.back().IsNumber()) {
      tokens.back().percent = true;
    } else if (sign == '.' || sign == '?' || sign == '!' || sign == ':' || sign == ';') {
      tokens.push_back({TokenKind::kStop, std::string(1, sign)});
    } else if (sign == ',') {
      tokens.push_back({TokenKind::kComma, ","});
    } else if (sign != ' ' && sign != '-' && sign != '$' && sign != '"' && sign != '(' && sign != ')' && sign != '\n') {
      tokens.push_back({TokenKind::kOther, std::string(1, sign)});
    }
  }
  return tokens;
}

template <std::size_t kSize>
std::optional<std::int64_t> PlaceIn(const std::array<std::string_view, kSize>& words, std::string_view word) {
  const auto* const found = std::find(words.begin(), words.end(), word);
  if (found == words.end()) return std::nullopt;
  return found - words.begin();
}
std::optional<std::int64_t> SmallNumber(std::string_view word) {
  constexpr std::array<std::string_view, 20> kOnes{
      "zero", "one",    "two",    "three",    "four",     "five",    "six",     "seven",     "eight",    "nine",
      "ten",  "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"};
  constexpr std::array<std::string_view, 10> kTens{"",      "",      "twenty",  "thirty", "forty",
                                                   "fifty", "sixty", "seventy", "eighty", "ninety"};
  if (const auto ones = PlaceIn(kOnes, word)) return ones;
  if (const auto tens = PlaceIn(kTens, word); tens && *tens > 1) return *tens * 10;
  return std::nullopt;
}
std::optional<std::int64_t> Scale(std::string_view word) {
  if (word == "hundred") return 100;
  if (word == "thousand") return 1'000;
  if (word == "million") return 1'000'000;
  if (word == "billion") return 1'000'000'000;
  return std::nullopt;
}
// What a part is one of: thirds, fifths.
std::optional<std::int64_t> PartName(std::string_view word) {
  constexpr std::array<std::string_view, 13> kParts{"",        "",       "half",  "third", "fourth",   "fifth",  "sixth",
                                                    "seventh", "eighth", "ninth", "tenth", "eleventh", "twelfth"};
  if (word.size() > 4 && word.ends_with('s')) word.remove_suffix(1);
  const auto place = PlaceIn(kParts, word);
  return place && *place > 1 ? place : std::nullopt;
}

// Words of numbers as numbers: fifty-eight, negative fourteen, three-fourths. "One" stays a word unless it surely counts.
StoryTokens WithNumbers(const StoryTokens& tokens) {
  StoryTokens result;
  for (std::size_t at = 0; at < tokens.size();) {
    const StoryToken& first = tokens[at];
    const bool negative = first.IsAny({"negative", "minus"}) && at + 1 < tokens.size() &&
                          (first.Is("negative") || result.empty() || !result.back().IsNumber()) &&
                          (tokens[at + 1].IsNumber() || SmallNumber(tokens[at + 1].text));
    std::size_t begin = at + (negative ? 1 : 0);
    const std::string sign = negative ? "-" : "";
    if (negative && tokens[begin].IsNumber()) {
      result.push_back(tokens[begin]);
      result.back().text = "-" + tokens[begin].text;
      at = begin + 1;
      continue;
    }
    if (tokens[begin].kind != TokenKind::kWord || !SmallNumber(tokens[begin].text)) {
      result.push_back(first);
      ++at;
      continue;
    }
    // Two-fifths
    const auto part = begin + 1 < tokens.size() && tokens[begin + 1].glued ? PartName(tokens[begin + 1].text) : std::nullopt;
    if (part) {
      result.push_back({TokenKind::kNumber, fmt::format("({}{}/{})", sign, *SmallNumber(tokens[begin].text), *part)});
      at = begin + 2;
      continue;
    }
    std::int64_t total = 0;
    std::int64_t group = 0;
    std::size_t end = begin;
    for (; end < tokens.size(); ++end) {
      const bool comma = tokens[end].kind == TokenKind::kComma && end + 1 < tokens.size() && total > 0 && group == 0 &&
                         SmallNumber(tokens[end + 1].text);
      if (comma) continue;
      if (tokens[end].kind != TokenKind::kWord) break;
      if (const auto small = SmallNumber(tokens[end].text)) {
        // "twenty five" and "hundred five", but not "five six".
        const bool fits =
            group == 0 || (group % 100 == 0 && group > 0) || (group % 10 == 0 && group % 100 >= 20 && *small < 10);
        if (!fits) break;
        group += *small;
      } else if (const auto scale = Scale(tokens[end].text)) {
        constexpr std::int64_t kMostGroup = 999'999;
        if (group > kMostGroup || total > kMostGroup * kMostGroup) break;
        if (*scale == 100) {
          group *= 100;
        } else {
          total += group * *scale;
          group = 0;
        }
      } else {
        break;
      }
    }
    const std::int64_t value = total + group;
    const bool counts = end - begin > 1 || negative || first.text != "one" || first.glued ||
                        (end < tokens.size() && tokens[end].IsAny({"more", "less", "fewer", "year", "hour"}));
    if (!counts) {
      result.push_back(first);
      ++at;
      continue;
    }
    result.push_back({TokenKind::kNumber, fmt::format("{}{}", sign, value), false, false, first.glued});
    at = end;
  }
  return result;
}

// Words that stand in a text between blanks.
bool IsIn(std::string_view words, const StoryToken& token) {
  return token.kind == TokenKind::kWord && words.find(fmt::format(" {} ", token.text)) != std::string_view::npos;
}

bool IsUnit(const StoryToken& token) {
  constexpr std::string_view kUnits =
      " feet foot ft inch inches yard yards mile miles meter meters m cm centimeters kilometers dollars dollar "
      "degrees units square cubic years points pounds ounces cents mm km ";
  return IsIn(kUnits, token);
}

// Words that say how things hang together: what has one of these and is not read means something that is not known.
bool IsTelling(const StoryToken& token) {
  constexpr std::string_view kTelling =
      " more less than times twice half double triple same equal equals sum difference product quotient per percent "
      "each every total ratio consecutive average fewer exceeds increased decreased isosceles equilateral right "
      "square circle squares complementary supplementary even odd reciprocal remainder three third perimeter "
      "diagonal border combined together interest positive negative multiple digits digit reversed cube root ";
  return token.kind == TokenKind::kNumber || token.kind == TokenKind::kOther || IsIn(kTelling, token);
}

// What stands there once: how much a story asks for, with the equations of its sentences.
class StoryReader {
 public:
  explicit StoryReader(StoryTokens tokens) : all_(std::move(tokens)) {
    for (const StoryToken& token : all_) {
      if (token.kind == TokenKind::kWord) words_.insert(token.text);
    }
  }

  std::optional<std::string> Read() {
    constexpr std::size_t kMaxTokens = 160;
    if (all_.size() > kMaxTokens || Has("round")) {
      const bool if_needed = Has("needed") || Has("necessary");
      if (all_.size() > kMaxTokens || !if_needed) return std::nullopt;
    }
    for (std::size_t begin = 0; begin < all_.size();) {
      std::size_t end = begin;
      while (end < all_.size() && all_[end].kind != TokenKind::kStop) ++end;
      if (end > begin && !ReadSentence(begin, end)) return std::nullopt;
      begin = end + 1;
    }
    return Assemble();
  }

 private:
  struct Sides {
    std::string left;
    std::string right;
  };
  enum class Shape : std::uint8_t { kNone, kRectangle, kTriangle };

  bool Has(std::string_view word) const { return words_.contains(std::string(word)); }
  const StoryToken& Now() const {
    static const StoryToken stop{TokenKind::kStop, "."};
    return at_ < end_ ? all_[at_] : stop;
  }
  const StoryToken& After(std::size_t steps) const {
    static const StoryToken stop{TokenKind::kStop, "."};
    return at_ + steps < end_ ? all_[at_ + steps] : stop;
  }
  bool Eat(std::initializer_list<std::string_view> words) {
    if (!Now().IsAny(words)) return false;
    ++at_;
    return true;
  }
  bool EatAll(std::initializer_list<std::string_view> words) {
    std::size_t step = 0;
    for (const std::string_view word : words) {
      if (!After(step).Is(word)) return false;
      ++step;
    }
    at_ += step;
    return true;
  }

  // A sentence states something, asks for something, or has nothing in it that tells.
  bool ReadSentence(std::size_t begin, std::size_t end) {
    for (std::size_t start = begin; start < end; ++start) {
      at_ = start;
      end_ = end;
      const std::vector<Sides> kept = equations_;
      const std::vector<std::pair<std::string, std::string>> known = unknowns_;
      if (Question() || (Statements() && at_ == end_)) return true;
      equations_ = kept;
      unknowns_ = known;
      if (IsTelling(all_[start])) return false;
    }
    return true;
  }

  bool Statements() {
    do {
      Eat({"and", "if", "but"});
      if (!Statement()) return false;
      while (Now().kind == TokenKind::kComma) ++at_;
    } while (at_ < end_);
    return true;
  }

  bool Statement() {
    const std::size_t begin = at_;
    const std::vector<Sides> kept = equations_;
    const std::vector<std::pair<std::string, std::string>> known = unknowns_;
    for (const auto way : {&StoryReader::Angles, &StoryReader::TogetherIs, &StoryReader::Exceeds, &StoryReader::ShapeFact,
                           &StoryReader::CoinValue, &StoryReader::HasMore, &StoryReader::PlainStatement}) {
      if ((this->*way)()) return true;
      at_ = begin;
      equations_ = kept;
      unknowns_ = known;
    }
    return false;
  }

  bool IsVerb() {
    return EatAll({"is", "equal", "to"}) || EatAll({"is", "the", "same", "as"}) || EatAll({"that", "is"}) ||
           Eat({"is", "was", "equals", "are"});
  }

  bool Angles() {
    if (!Now().IsNumber() || Now().text != "2" || !After(1).Is("angles") || !After(2).Is("are")) return false;
    at_ += 3;
    const bool complementary = Now().Is("complementary");
    if (!complementary && !Now().Is("supplementary")) return false;
    ++at_;
    AnglesTogether(complementary ? "90" : "180");
    return true;
  }

  void AnglesTogether(std::string degrees) {
    const std::string first = LetterOf("#1");
    const std::string second = LetterOf("#2");
    equations_.push_back({fmt::format("{} + {}", first, second), std::move(degrees)});
  }

  // "The sum of two numbers is 15", "their product is 20", "the sum of three consecutive odd integers is 45".
  bool TogetherIs() {
    Eat({"the"});
    const bool their = Eat({"their"});
    if (!Now().IsAny({"sum", "product", "difference"})) return false;
    const std::string sign = Now().Is("sum") ? " + " : Now().Is("product") ? " * " : " - ";
    ++at_;
    std::size_t count = 2;
    std::size_t apart = 0;
    if (!their) {
      if (!Eat({"of", "between"})) return false;
      Eat({"the"});
      if (Now().IsNumber()) {
        if (Now().text != "2" && (Now().text != "3" || sign == " - ")) return false;
        count = Now().text == "2" ? 2 : 3;
        ++at_;
      }
      Eat({"positive"});
      if (Eat({"consecutive"})) {
        apart = Eat({"even", "odd"}) ? 2 : 1;
        if (!Now().IsAny({"integers", "numbers"})) return false;
        if (apart == 1 && !Now().Is("integers")) Eat({"whole"});
      } else if (count == 3) {
        return false;
      }
      if (!Eat({"numbers", "integers"})) return false;
    }
    if (!IsVerb()) return false;
    const std::optional<std::string> value = Quantity();
    if (!value) return false;
    StateTogether(count, apart, sign, *value);
    return true;
  }

  void StateTogether(std::size_t count, std::size_t apart, const std::string& sign, const std::string& value) {
    std::string text;
    for (std::size_t i = 1; i <= count; ++i) text += (text.empty() ? "" : sign) + LetterOf(fmt::format("#{}", i));
    equations_.push_back({text, value});
    for (std::size_t i = 2; apart > 0 && i <= count; ++i) {
      equations_.push_back(
          {LetterOf(fmt::format("#{}", i)), fmt::format("{} + {}", LetterOf(fmt::format("#{}", i - 1)), apart)});
    }
  }
  // "Find two consecutive odd integers whose sum is 24."
  bool ConsecutiveWhose() {
    const std::size_t count = Now().IsNumber() && Now().text == "2" ? 2 : Now().IsNumber() && Now().text == "3" ? 3 : 0;
    at_ += 2;
    const std::size_t apart = Eat({"even", "odd"}) ? 2 : 1;
    if (count == 0 || !Eat({"integers", "numbers"}) || !Eat({"whose"}) || !Now().IsAny({"sum", "product"})) return false;
    const std::string sign = Now().Is("sum") ? " + " : " * ";
    ++at_;
    const std::optional<std::string> value = IsVerb() ? Quantity() : std::nullopt;
    if (value) StateTogether(count, apart, sign, *value);
    return value.has_value();
  }

  bool Exceeds() {
    const std::optional<std::string> one = Unknown();
    if (!one || !Eat({"exceeds"})) return false;
    const std::optional<std::string> other = Unknown();
    if (!other || !Eat({"by"})) return false;
    const std::optional<std::string> by = Quantity();
    if (!by) return false;
    equations_.push_back({*one, *other + " + " + *by});
    return true;
  }

  // "The area is 350 square feet", "A rectangular lawn has an area of 140 square yards", "A triangle with area 45 square inches
  // has a height that is ...".
  bool ShapeFact() {
    const Shape shape = ShapeOf();
    if (shape == Shape::kNone) return false;
    Eat({"the", "a", "an", "its"});
    // The thing itself, up to what is said of it.
    std::size_t steps = 0;
    constexpr std::size_t kMost = 8;
    while (steps < kMost && !After(steps).IsAny({"area", "perimeter"})) {
      if (IsTelling(After(steps)) || After(steps).kind == TokenKind::kStop) return false;
      ++steps;
    }
    if (steps == kMost) return false;
    const bool whole = steps == 0;
    const bool says = steps > 0 && (After(steps - 1).IsAny({"has", "with", "an", "a", "surface"}));
    if (!whole && !says) return false;
    at_ += steps;
    const bool area = Now().Is("area");
    ++at_;
    if (whole) {
      // "The area of the garden is", "the perimeter of a rectangle is"
      while (!Now().IsAny({"is", "was", "has"}) && at_ < end_ && !IsTelling(Now())) ++at_;
      Eat({"has"});
      Eat({"an", "a"});
      Eat({"area"});
      if (!Eat({"is", "was"}) && !Eat({"of"})) return false;
    } else {
      Eat({"of"});
    }
    if (!Now().IsNumber()) return false;
    const std::string value = Now().text;
    ++at_;
    while (IsUnit(Now())) ++at_;
    const std::string l = LetterOf(shape == Shape::kTriangle ? Base() : "length");
    const std::string w = LetterOf(shape == Shape::kTriangle ? "height" : "width");
    if (shape == Shape::kTriangle && !area) return false;
    equations_.push_back({shape == Shape::kTriangle ? fmt::format("{} * {}/2", l, w)
                          : area                    ? fmt::format("{} * {}", l, w)
                                                    : fmt::format("2{} + 2{}", l, w),
                          value});
    if (!Eat({"has"})) return true;
    Eat({"a", "an"});
    return PlainStatement();
  }
  Shape ShapeOf() const {
    const bool triangle = Has("triangle") || Has("triangular");
    const bool rectangle = Has("rectangle") || Has("rectangular") || (Has("length") && Has("width"));
    if (triangle && !rectangle && !Has("right") && !Has("hypotenuse") && Has("height")) return Shape::kTriangle;
    return rectangle && !triangle && Has("length") && Has("width") ? Shape::kRectangle : Shape::kNone;
  }
  std::string Base() const { return Has("width") && !Has("base") ? "width" : "base"; }

  static std::optional<std::string> CoinCents(std::string_view coin) {
    if (coin == "pennies") return "1";
    if (coin == "nickels") return "5";
    if (coin == "dimes") return "10";
    if (coin == "quarters") return "25";
    return std::nullopt;
  }
  // "The total value of the coins is $8.10", "has $3.02 worth of pennies and nickels", "in dimes and nickels".
  bool CoinValue() {
    std::vector<std::string> coins;
    for (const std::string_view coin : {"pennies", "nickels", "dimes", "quarters"}) {
      if (Has(coin)) coins.emplace_back(coin);
    }
    if (coins.size() != 2) return false;
    const StoryToken* value = nullptr;
    for (std::size_t i = at_; i < end_; ++i) {
      if (!all_[i].IsNumber()) continue;
      if (value != nullptr || !all_[i].dollars) return false;
      value = &all_[i];
    }
    const bool total = std::any_of(all_.begin() + static_cast<std::ptrdiff_t>(at_),
                                   all_.begin() + static_cast<std::ptrdiff_t>(end_), [](const StoryToken& token) {
                                     return token.IsAny({"value", "worth", "in"});
                                   });
    if (value == nullptr || !total || At({"more", "less", "each", "times", "than"})) return false;
    const std::string a = LetterOf(coins[0]);
    const std::string b = LetterOf(coins[1]);
    equations_.push_back(
        {fmt::format("{}{} + {}{}", *CoinCents(coins[0]), a, *CoinCents(coins[1]), b), fmt::format("100 * {}", value->text)});
    at_ = end_;
    return true;
  }
  bool At(std::initializer_list<std::string_view> words) const {
    return std::any_of(all_.begin() + static_cast<std::ptrdiff_t>(at_), all_.begin() + static_cast<std::ptrdiff_t>(end_),
                       [&](const StoryToken& token) { return token.IsAny(words); });
  }

  // "She has seven more dimes than nickels."
  bool HasMore() {
    if (Now().kind != TokenKind::kWord || !After(1).Is("has") || !After(2).IsNumber()) return false;
    const bool more = After(3).Is("more");
    if (!more && !After(3).IsAny({"fewer", "less"})) return false;
    const std::string number = After(2).text;
    at_ += 4;
    if (!CoinCents(Now().text) || !After(1).Is("than") || !CoinCents(After(2).text)) return false;
    const std::string first = LetterOf(Now().text);
    equations_.push_back({first, LetterOf(After(2).text) + (more ? " + " : " - ") + number});
    at_ += 3;
    return true;
  }

  bool PlainStatement() {
    const std::optional<std::string> left = Quantity();
    if (left && Now().kind == TokenKind::kComma) ++at_;
    if (!left || !IsVerb()) return false;
    const std::optional<std::string> right = Quantity();
    if (!right || *left == *right) return false;
    equations_.push_back({*left, *right});
    return true;
  }

  std::optional<std::string> Quantity() {
    std::optional<std::string> left = TermOfWords();
    while (left) {
      std::string_view sign;
      const std::size_t begin = at_;
      if (Now().kind == TokenKind::kComma && After(1).IsAny({"increased", "decreased", "plus", "minus"})) ++at_;
      if (Eat({"plus"}) || EatAll({"increased", "by"}))
        sign = "+";
      else if (Eat({"minus"}) || EatAll({"decreased", "by"}))
        sign = "-";
      else if (Eat({"times"}) || EatAll({"multiplied", "by"}))
        sign = "*";
      else if (EatAll({"divided", "by"}))
        sign = "/";
      else
        break;
      const std::optional<std::string> right = TermOfWords();
      if (!right) {
        at_ = begin;
        break;
      }
      left = fmt::format("({} {} {})", *left, sign, *right);
    }
    return left;
  }

  std::optional<std::string> TermOfWords() {
    constexpr int kMaxDepth = 12;
    if (depth_ == kMaxDepth) return std::nullopt;
    ++depth_;
    std::optional<std::string> term = TermInside();
    --depth_;
    return term;
  }
  std::optional<std::string> TermInside() {
    const std::size_t begin = at_;
    if (Now().IsNumber() && !Now().percent) {
      const std::string number = Now().text;
      ++at_;
      const bool unit = IsUnit(Now());
      while (IsUnit(Now())) ++at_;
      if (!unit && Eat({"times"})) return Times(number);
      if (!unit && Eat({"of"})) return number.starts_with('(') ? Times(number) : std::nullopt;
      const bool more = Now().IsAny({"more", "greater", "larger", "longer", "wider", "higher", "taller", "older"});
      const bool less = Now().IsAny({"less", "fewer", "smaller", "shorter", "younger", "lower"});
      // "longer that" is a slip for "than".
      if ((more || less) && After(1).IsAny({"than", "that"})) {
        at_ += 2;
        const std::optional<std::string> rest = TermOfWords();
        if (!rest) return std::nullopt;
        return fmt::format("({} {} {})", *rest, more ? "+" : "-", number);
      }
      if (more || less) return std::nullopt;
      return number.starts_with('-') ? "(" + number + ")" : number;
    }
    if (Now().IsNumber() && After(1).Is("of")) {
      const std::string number = fmt::format("({}/100)", Now().text);
      at_ += 2;
      return Times(number);
    }
    if (Eat({"twice", "double"})) return Times("2");
    if (Eat({"triple"})) return Times("3");
    if (Eat({"half"})) {
      Eat({"of"});
      return Times("(1/2)");
    }
    Eat({"the"});
    struct Joint {
      std::string_view name;
      std::string_view sign;
    };
    constexpr Joint kJoints[] = {{"sum", "+"}, {"difference", "-"}, {"product", "*"}, {"quotient", "/"}};
    for (const Joint& joint : kJoints) {
      if (!Eat({joint.name})) continue;
      if (!Eat({"of", "between"})) return std::nullopt;
      const std::optional<std::string> left = Quantity();
      if (!left || !Eat({"and"})) return std::nullopt;
      const std::optional<std::string> right = Quantity();
      if (!right) return std::nullopt;
      return fmt::format("({} {} {})", *left, joint.sign, *right);
    }
    at_ = begin;
    return Unknown();
  }
  std::optional<std::string> Times(const std::string& number) {
    const std::optional<std::string> rest = TermOfWords();
    if (!rest) return std::nullopt;
    return fmt::format("({} * {})", number, *rest);
  }

  // What a noun stands for: "the other number", "its width", "the measure of the larger angle", "the number of dimes".
  std::optional<std::string> Unknown() {
    const std::size_t begin = at_;
    const std::optional<std::string> key = Noun();
    if (!key) {
      at_ = begin;
      return std::nullopt;
    }
    return LetterOf(*key);
  }
  std::optional<std::string> Noun() {
    if (Now().kind == TokenKind::kWord && Now().text.size() == 1 && Now().text != "i" &&
        (Now().text != "a" || After(1).IsAny({"and", "is", "plus", "minus"}))) {
      const std::string letter = Now().text;
      ++at_;
      return letter;
    }
    if (EatAll({"the", "measure", "of"})) return Noun();
    if (EatAll({"the", "number", "of"})) {
      if (Now().kind != TokenKind::kWord || IsTelling(Now())) return std::nullopt;
      std::string key;
      while (Now().kind == TokenKind::kWord && !IsTelling(Now()) && !Now().IsAny({"is", "was", "are", "and", "of", "in"})) {
        key += (key.empty() ? "" : " ") + Now().text;
        ++at_;
      }
      return key;
    }
    // "one of the small angles of a right triangle"
    if (EatAll({"one", "of", "the", "small", "angles"})) {
      if (!EatAll({"of", "a", "right", "triangle"})) return std::nullopt;
      AnglesTogether("90");
      return "#1";
    }
    const bool definite = Eat({"the", "this", "that", "its", "his", "her"});
    const bool indefinite = !definite && Eat({"a", "an"});
    if (Eat({"length", "width", "height", "base"})) {
      const std::string key = all_[at_ - 1].text;
      if (ShapeOf() == Shape::kNone) return std::nullopt;
      if (Now().Is("of")) {
        while (at_ < end_ && !Now().IsAny({"is", "was"}) && !IsTelling(Now())) ++at_;
      }
      return key;
    }
    const bool first = Now().IsAny({"one", "first", "larger", "greater", "bigger"});
    const bool second = !first && Now().IsAny({"other", "another", "second", "smaller"});
    const bool third = !first && !second && Now().Is("third");
    if (first || second || third) {
      ++at_;
      Eat({"small"});
      const bool noun = Eat({"number", "integer", "angle"});
      if (!noun && !second) return std::nullopt;
      return first ? "#1" : second ? "#2" : "#3";
    }
    if (!definite && !indefinite) return std::nullopt;
    Eat({"unknown", "certain"});
    if (!Eat({"number", "integer"}) || Now().Is("of")) return std::nullopt;
    return "#1";
  }

  std::string LetterOf(const std::string& key) {
    for (const auto& [name, letter] : unknowns_) {
      if (name == key) return letter;
    }
    constexpr std::string_view kRest = "xyzuvw";
    std::string letter(1, key[0]);
    if (key[0] == '#') letter = std::string(1, kRest[static_cast<std::size_t>(key[1] - '1')]);
    const auto taken = [&](const std::string& one) {
      return one == "e" || one == "i" ||
             std::any_of(unknowns_.begin(), unknowns_.end(), [&](const auto& known) { return known.second == one; });
    };
    for (std::size_t i = 0; taken(letter) && i < kRest.size(); ++i) letter = std::string(1, kRest[i]);
    unknowns_.emplace_back(key, letter);
    return letter;
  }

  // What is asked for; what nothing is known of is kept, since titles ask, too.
  bool Question() {
    if (Now().Is("find") && After(2).Is("consecutive")) {
      asked_.insert("all");
      ++at_;
      return ConsecutiveWhose() && at_ == end_;
    }
    if (!Eat({"find", "what", "how", "determine"})) return false;
    if (all_[at_ - 1].Is("how") && !Eat({"many"})) return false;
    Eat({"is", "are", "was", "were"});
    if (At({"sum", "product", "difference", "than", "times", "percent"})) return false;
    for (std::size_t i = at_; i < end_; ++i) {
      if (all_[i].IsNumber() && all_[i].text != "2" && all_[i].text != "3") return false;
    }
    const bool both = At({"numbers", "integers", "angles", "measures", "dimensions", "both"}) || (At({"each"}));
    if (At({"larger", "smaller", "greater", "bigger"}) && !At({"measures"})) {
      asked_.insert(At({"smaller"}) ? "smaller" : "larger");
    } else if (both) {
      asked_.insert("all");
    } else {
      bool any = false;
      for (std::size_t i = at_; i < end_; ++i) {
        if (all_[i].IsAny(
                {"length", "width", "height", "base", "pennies", "nickels", "dimes", "quarters", "area", "perimeter"})) {
          asked_.insert(all_[i].text);
          any = true;
          if (all_[i].IsAny({"length", "width", "height", "base"}) && i + 1 < end_ && !all_[i + 1].Is("and")) break;
        }
      }
      if (!any && At({"number"})) asked_.insert(PhraseAfterNumber());
    }
    at_ = end_;
    return true;
  }
  // "Find the number of adult leaders", or the number itself.
  std::string PhraseAfterNumber() const {
    std::string key;
    for (std::size_t i = at_; i + 2 < end_; ++i) {
      if (!all_[i].Is("number") || !all_[i + 1].Is("of")) continue;
      for (std::size_t k = i + 2; k < end_; ++k) key += (key.empty() ? "" : " ") + all_[k].text;
      return key;
    }
    return "#1";
  }

  std::optional<std::string> Assemble() {
    if (equations_.empty() || equations_.size() != unknowns_.size()) return std::nullopt;
    // "Translate and solve: the sum of x and 3 is 5."
    const bool named = unknowns_.size() == 1 && unknowns_[0].first.size() == 1;
    if (named && (asked_.empty() || asked_.contains("#1"))) asked_ = {unknowns_[0].first};
    if (asked_.empty()) return std::nullopt;
    // A title may ask in other words.
    std::set<std::string> asked;
    for (const std::string& key : asked_) {
      const bool known = key == "all" || key == "larger" || key == "smaller" ||
                         std::any_of(unknowns_.begin(), unknowns_.end(), [&](const auto& one) { return one.first == key; });
      if (known) asked.insert(key);
      if (!known && key != "#1") return std::nullopt;
    }
    if (asked.size() > 1) asked.erase("all");
    const bool shape = ShapeOf() != Shape::kNone;
    const bool product = std::any_of(equations_.begin(), equations_.end(), [](const Sides& sides) {
      return sides.left.find(" * ") != std::string::npos && IsLetter(sides.left[0]);
    });
    if (unknowns_.size() == 1) {
      if (asked.size() != 1) return std::nullopt;
      return fmt::format("solve {}: {} = {}", unknowns_[0].second, equations_[0].left, equations_[0].right);
    }
    const bool all = asked == std::set<std::string>{"all"} || asked.size() == unknowns_.size();
    if (all) {
      // Lengths are positive, which a system does not say.
      if (shape && product) return std::nullopt;
      std::string letters;
      std::string text;
      for (const auto& [key, letter] : unknowns_) letters += (letters.empty() ? "" : ", ") + letter;
      for (const Sides& sides : equations_) text += (text.empty() ? "" : "; ") + sides.left + " = " + sides.right;
      return fmt::format("solve {}: {}", letters, text);
    }
    if (unknowns_.size() != 2 || asked.size() != 1) return std::nullopt;
    return OneOfTwo(*asked.begin(), shape && product);
  }

  // One unknown by the other, put into the other equation.
  std::optional<std::string> OneOfTwo(std::string key, bool positive) const {
    for (std::size_t i = 0; i < 2; ++i) {
      for (std::size_t k = 0; k < 2; ++k) {
        const std::string& letter = unknowns_[k].second;
        const std::string& other = unknowns_[1 - k].second;
        if (equations_[i].left != letter) continue;
        const book::Ptr right = book::ReadTree(equations_[i].right);
        const auto c = book::CoefficientsOf(book::ValueOf(right), other);
        if (book::HasLetter(right, letter) || !c || c->size() != 2) continue;
        std::string wanted = key;
        if (key == "larger" || key == "smaller") {
          // Known if they differ by a number.
          const book::Ptr slope = book::TreeOf((*c)[1]);
          const std::string difference = book::TextOf(book::TreeOf((*c)[0]));
          if (!slope->IsNumber(1)) return std::nullopt;
          const bool letter_is_larger = !difference.starts_with('-');
          wanted = (key == "larger") == letter_is_larger ? unknowns_[k].first : unknowns_[1 - k].first;
        }
        const bool for_other = unknowns_[1 - k].first == wanted;
        const std::string replaced = for_other ? letter : other;
        const book::Ptr apart = book::TreeOf((*c)[0]);
        std::string turned = apart->IsNumber(0) ? letter : fmt::format("{} - ({})", letter, book::TextOf(apart));
        if (!book::TreeOf((*c)[1])->IsNumber(1)) turned = fmt::format("({})/({})", turned, book::TextOf(book::TreeOf((*c)[1])));
        const book::Ptr value = for_other ? right : book::ReadTree(turned);
        const Sides& sides = equations_[1 - i];
        const auto put = [&](const std::string& side) {
          return book::TextOf(book::Substitute(book::ReadTree(side), replaced, value));
        };
        const std::string asked = for_other ? other : letter;
        return fmt::format("solve {}: {} = {}{}", asked, put(sides.left), put(sides.right),
                           positive ? fmt::format("; check abs({}) = {}", asked, asked) : "");
      }
    }
    return std::nullopt;
  }

  StoryTokens all_;
  std::set<std::string> words_;
  std::size_t at_ = 0;
  std::size_t end_ = 0;
  int depth_ = 0;
  std::vector<Sides> equations_;
  std::vector<std::pair<std::string, std::string>> unknowns_;  // what they are, and their letters
  std::set<std::string> asked_;
};

// Stories that a formula answers: each number has its place in it by the words beside it.
class FormulaStory {
 public:
  explicit FormulaStory(const StoryTokens& tokens) : tokens_(tokens) {
    std::size_t begin = 0;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      if (tokens[i].kind == TokenKind::kWord) words_.insert(tokens[i].text);
      if (tokens[i].kind == TokenKind::kOther) plain_ = false;
      if (tokens[i].IsNumber()) numbers_.push_back(i);
      if (tokens[i].kind != TokenKind::kStop) continue;
      if (tokens[i].text == "?" || tokens[begin].IsAny({"find", "determine"})) TakeQuestion(begin, i);
      begin = i + 1;
    }
    if (begin < tokens.size() && tokens[begin].IsAny({"find", "determine", "what", "how"})) TakeQuestion(begin, tokens.size());
  }

  std::optional<std::string> Read() const {
    if (!plain_) return std::nullopt;
    for (const auto way :
         {&FormulaStory::Interest, &FormulaStory::PercentChange, &FormulaStory::PercentOfPrice, &FormulaStory::Motion,
          &FormulaStory::RightTriangle, &FormulaStory::Figure, &FormulaStory::Mean, &FormulaStory::Digits}) {
      if (std::optional<std::string> found = (this->*way)()) return found;
    }
    return std::nullopt;
  }

 private:
  void TakeQuestion(std::size_t begin, std::size_t end) {
    questions_ += 1;
    for (std::size_t i = begin; i < end; ++i) question_ += tokens_[i].text + " ";
  }
  template <class... Words>
  bool Says(Words... words) const {
    return (words_.contains(std::string(words)) || ...);
  }
  bool Asks(std::string_view phrase) const { return question_.find(phrase) != std::string::npos; }
  const StoryToken& At(std::size_t place) const {
    static const StoryToken stop{TokenKind::kStop, "."};
    return place < tokens_.size() ? tokens_[place] : stop;
  }
  const std::string& Number(std::size_t i) const { return tokens_[numbers_[i]].text; }

  // I = Prt, and A = P(1 + r/n)^(nt).
  std::optional<std::string> Interest() const {
    if (!Says("interest")) return std::nullopt;
    std::string interest;
    std::string principal;
    std::string rate;
    std::string years;
    const auto take = [](std::string& place, const std::string& value) {
      const bool fits = place.empty() || place == value;
      place = value;
      return fits;
    };
    for (const std::size_t i : numbers_) {
      const StoryToken& token = tokens_[i];
      std::size_t after = i + 1;
      if (At(after).Is("in") && !At(after + 1).IsNumber()) ++after;
      if (At(after).Is("simple")) ++after;
      const bool is_interest = token.dollars && At(after).Is("interest");
      const bool is_years = !token.dollars && !token.percent && At(i + 1).IsAny({"year", "years"});
      const bool is_rate = token.percent || (!token.dollars && At(i + 1).Is("interest"));
      const bool fits = is_interest ? take(interest, token.text)
                        : is_years  ? take(years, token.text)
                        : is_rate   ? take(rate, token.text)
                                    : token.dollars && take(principal, token.text);
      if (!fits) return std::nullopt;
    }
    if (questions_ < 1 || questions_ > 2 || Says("more", "tax", "loans", "accounts", "month", "months")) return std::nullopt;
    const bool compound = Says("compounded", "compounds", "compound");
    if (!compound && Asks("interest") && (Asks("how much") || Asks("find")) && !Asks("rate") && interest.empty()) {
      if (principal.empty() || rate.empty() || years.empty()) return std::nullopt;
      return fmt::format("evaluate: Prt; P = {}, r = {}/100, t = {}", principal, rate, years);
    }
    if (!compound && Asks("rate") && !interest.empty() && !principal.empty() && !years.empty() && rate.empty()) {
      return fmt::format("percent: {}/({} * {})", interest, principal, years);
    }
    const bool wants_principal = Asks("borrow") || Asks("principal") || Asks("deposit") || Asks("invest");
    if (!compound && wants_principal && !interest.empty() && principal.empty() && !rate.empty() && !years.empty()) {
      return fmt::format("solve P: {} = P * {}/100 * {}", interest, rate, years);
    }
    const bool wants_amount = Asks("worth") || Asks("balance") || Asks("value") || Asks("account");
    if (!compound || !wants_amount || principal.empty() || rate.empty() || years.empty() || !interest.empty())
      return std::nullopt;
    if (Asks("interest") || Says("initially")) return std::nullopt;
    if (Says("continuously")) return fmt::format("round 0.01: {} * e^({}/100 * {})", principal, rate, years);
    struct Times {
      std::string_view word;
      int count;
    };
    constexpr Times kCompoundings[] = {{"quarterly", 4}, {"monthly", 12},     {"weekly", 52},
                                       {"daily", 365},   {"semiannually", 2}, {"annually", 1}};
    int times = 0;
    for (const Times& one : kCompoundings) {
      if (!Says(one.word)) continue;
      if (times > 0) return std::nullopt;
      times = one.count == 1 && Says("semi") ? 2 : one.count;
    }
    if (times == 0) return std::nullopt;
    return fmt::format("round 0.01: {} * (1 + {}/100/{})^({} * {})", principal, rate, times, times, years);
  }

  // As a percentage, if it needs no rounding.
  static std::optional<std::string> PercentOf(const std::string& above, const std::string& below) {
    constexpr double kPlaces = 100;
    const double percent = std::stod(below) == 0 ? 0.001 : 100 * std::stod(above) / std::stod(below);
    const double places = percent * kPlaces;
    const auto whole = static_cast<std::int64_t>(places + (places < 0 ? -0.5 : 0.5));
    constexpr double kTiny = 1e-6;
    if (places - static_cast<double>(whole) > kTiny || static_cast<double>(whole) - places > kTiny) return std::nullopt;
    return fmt::format("percent: {}/{}", above, below);
  }
  bool AreTwoPlain() const {
    return numbers_.size() == 2 && !tokens_[numbers_[0]].percent && !tokens_[numbers_[1]].percent && IsDigit(Number(0)[0]) &&
           IsDigit(Number(1)[0]) && Number(0).size() < 16 && Number(1).size() < 16;
  }

  std::optional<std::string> PercentChange() const {
    if (!Says("percent", "percentage") || !AreTwoPlain()) return std::nullopt;
    const double first = std::stod(Number(0));
    const double second = std::stod(Number(1));
    const std::string& larger = Number(first > second ? 0 : 1);
    const std::string& smaller = Number(first > second ? 1 : 0);
    const bool decrease = Says("decrease");
    const bool increase = Says("increase");
    const bool in_order = (first > second) == decrease;  // the first number is the earlier one
    if (decrease != increase && in_order && first != second) {
      const auto fits = PercentOf(fmt::format("{}", std::stod(larger) - std::stod(smaller)), decrease ? larger : smaller);
      if (!fits) return std::nullopt;
      return fmt::format("percent: ({} - {})/{}", larger, smaller, decrease ? larger : smaller);
    }
    // "What percent of the total calories are from fat?", both in calories.
    const StoryToken& unit = At(numbers_[0] + 1);
    const bool same_unit = unit.kind == TokenKind::kWord && unit.text == At(numbers_[1] + 1).text;
    if (!decrease && !increase && same_unit && Asks("what percent of the total " + unit.text + " are from"))
      return PercentOf(smaller, larger);
    return std::nullopt;
  }

  // Sales tax, tips, commissions and discounts: one price and one rate.
  std::optional<std::string> PercentOfPrice() const {
    if (numbers_.size() != 2 || questions_ != 1) return std::nullopt;
    const bool first = tokens_[numbers_[0]].percent;
    const StoryToken& rate = tokens_[numbers_[first ? 0 : 1]];
    const StoryToken& price = tokens_[numbers_[first ? 1 : 0]];
    if (!rate.percent || !price.dollars || price.percent) return std::nullopt;
    const std::string values = fmt::format("; p = {}, r = {}/100", price.text, rate.text);
    const bool adds = Says("tax", "tip") && !Says("discount", "commission");
    const bool takes = Says("discount") && !Says("tax", "tip", "commission");
    const bool commission = Says("commission") && !Says("tax", "tip", "discount", "plus");
    if (Says("was", "before", "original") && (Says("before") || !takes)) return std::nullopt;
    if (takes && Asks("sale price")) return "evaluate: p - pr" + values;
    if (adds && (Asks("total cost") || Asks("total price") || Asks("total bill"))) return "evaluate: p + pr" + values;
    if (Asks("total") || Asks("price")) return std::nullopt;
    const bool asks =
        (adds && (Asks("tax") || Asks("tip"))) || (takes && Asks("discount")) || (commission && Asks("commission"));
    if (!asks || Asks("what rate") || Asks("the rate") || Asks("percent")) return std::nullopt;
    return "evaluate: pr" + values;
  }

  // Distance, rate and time: two of them given.
  std::optional<std::string> Motion() const {
    if (numbers_.size() != 2 || questions_ != 1) return std::nullopt;
    if (Says("wind", "current", "apart", "faster", "slower", "opposite", "toward", "towards", "together", "back", "return",
             "longer", "than", "each", "both", "meet", "stops", "stopped", "minutes")) {
      return std::nullopt;
    }
    std::string distance;
    std::string rate;
    std::string time;
    for (const std::size_t i : numbers_) {
      const bool length = At(i + 1).IsAny({"mile", "miles", "kilometers", "kilometer"});
      const bool per_hour = length && At(i + 2).IsAny({"per", "an"}) && At(i + 3).Is("hour");
      std::string& place = per_hour || At(i + 1).Is("mph") ? rate : length ? distance : time;
      if (&place == &time && !At(i + 1).IsAny({"hour", "hours"})) return std::nullopt;
      if (!place.empty()) return std::nullopt;
      place = tokens_[i].text;
    }
    if (time.empty() && (Asks("how many hours") || Asks("how long"))) {
      return fmt::format("evaluate: d/r; d = {}, r = {}", distance, rate);
    }
    if (rate.empty() && (Asks("rate") || Asks("speed") || Asks("how fast"))) {
      return fmt::format("evaluate: d/t; d = {}, t = {}", distance, time);
    }
    if (distance.empty() && (Asks("how far") || Asks("how many miles") || Asks("distance"))) {
      return fmt::format("evaluate: rt; r = {}, t = {}", rate, time);
    }
    return std::nullopt;
  }

  std::optional<std::string> RightTriangle() const {
    if (!Says("hypotenuse") || !AreTwoPlain() || Says("angle", "degrees", "area", "perimeter", "round")) return std::nullopt;
    const bool first = std::stod(Number(0)) > std::stod(Number(1));
    for (std::size_t i = 0; i + 1 < tokens_.size(); ++i) {
      if (!tokens_[i].Is("hypotenuse")) continue;
      std::size_t number = i + 1;
      while (At(number).IsAny({"has", "is", "length", "of", "with", "a"})) ++number;
      if (!At(number).IsNumber()) continue;
      // The hypotenuse is given, and the longest side.
      if (number != numbers_[first ? 0 : 1] || Number(0) == Number(1)) return std::nullopt;
      return fmt::format("simplify: sqrt({}^2 - {}^2)", Number(first ? 0 : 1), Number(first ? 1 : 0));
    }
    if (!Asks("hypotenuse") || !Says("legs")) return std::nullopt;
    return fmt::format("simplify: sqrt({}^2 + {}^2)", Number(0), Number(1));
  }

  // Perimeters and areas of what is named with its lengths.
  std::optional<std::string> Figure() const {
    std::map<std::string, std::string> given;
    for (const std::size_t i : numbers_) {
      std::size_t name = i;
      while (name > 0 && At(name - 1).IsAny({"of", "is", "has", "equals", "length"}) && !At(name - 1).Is("length")) --name;
      if (name == 0 || !At(name - 1).IsAny({"length", "width", "base", "height", "radius", "side", "sides"}))
        return std::nullopt;
      if (tokens_[i].percent || tokens_[i].dollars || !given.emplace(At(name - 1).text, tokens_[i].text).second)
        return std::nullopt;
      if (At(name - 1).Is("length") && At(name - 2).Is("side")) return std::nullopt;
    }
    if (questions_ != 1 || Says("than", "times", "twice", "half", "round", "nearest", "cost", "each")) return std::nullopt;
    const bool area = Asks("area");
    const bool around = Asks("perimeter");
    if (area == around && !Asks("circumference")) return std::nullopt;
    const auto has = [&](std::initializer_list<std::string_view> names) {
      return given.size() == names.size() &&
             std::all_of(names.begin(), names.end(), [&](std::string_view name) { return given.contains(std::string(name)); });
    };
    if (Says("rectangle") && has({"length", "width"}) && !Says("triangle", "square")) {
      return fmt::format("evaluate: {}; l = {}, w = {}", area ? "lw" : "2l + 2w", given["length"], given["width"]);
    }
    if (Says("triangle") && area && has({"base", "height"}) && !Says("rectangle")) {
      return fmt::format("evaluate: bh/2; b = {}, h = {}", given["base"], given["height"]);
    }
    if (Says("square") && has({"side"}) && !Says("rectangle", "triangle", "cube")) {
      return fmt::format("evaluate: {}; s = {}", area ? "s^2" : "4s", given["side"]);
    }
    if (Says("circle") && has({"radius"}) && (area || Asks("circumference"))) {
      return fmt::format("evaluate: {}; r = {}", area ? "pi * r^2" : "2pi * r", given["radius"]);
    }
    return std::nullopt;
  }

  // "Find the average of 3, 5 and 10."
  std::optional<std::string> Mean() const {
    if (numbers_.size() < 2 || !Says("average", "mean") || Says("round", "nearest")) return std::nullopt;
    const std::size_t begin = numbers_.front();
    if (begin < 2 || !At(begin - 1).Is("of") || !At(begin - 2).IsAny({"average", "mean"})) return std::nullopt;
    std::string sum;
    std::size_t i = begin;
    for (; i < tokens_.size() && tokens_[i].kind != TokenKind::kStop; ++i) {
      if (tokens_[i].kind == TokenKind::kComma || tokens_[i].Is("and")) continue;
      if (!tokens_[i].IsNumber()) return std::nullopt;
      sum += (sum.empty() ? "(" : " + (") + tokens_[i].text + ")";
    }
    if (i <= numbers_.back()) return std::nullopt;
    return fmt::format("simplify: ({})/{}", sum, numbers_.size());
  }

  // "Write the number with digits: two million, four hundred."
  std::optional<std::string> Digits() const {
    if (numbers_.size() != 1 || !Says("digits") || !Says("write") || tokens_[numbers_[0]].text.starts_with('('))
      return std::nullopt;
    if (numbers_[0] + 1 < tokens_.size() && At(numbers_[0] + 1).kind != TokenKind::kStop) return std::nullopt;
    return "simplify: " + Number(0);
  }

  const StoryTokens& tokens_;
  std::set<std::string> words_;
  std::vector<std::size_t> numbers_;
  std::string question_;
  int questions_ = 0;
  bool plain_ = true;
};

}  // namespace

std::optional<std::string> ReadWordProblem(std::string_view text) {
  const StoryTokens tokens = WithNumbers(SplitStory(text));
  if (tokens.empty()) return std::nullopt;
  if (std::optional<std::string> found = FormulaStory(tokens).Read()) return found;
  return StoryReader(tokens).Read();
}

}  // namespace conpole
