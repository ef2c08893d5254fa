// sorting: lists of bars or numbers. People write numbers; an answer has the same ones in ascending order.
#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "domains/puzzles/number_list.h"
#include "domains/puzzles/sorting.h"
#include "notation/line_words.h"
#include "notation/reading.h"
#include "subjects/subjects.h"
#include "util/text.h"
#include "verify/exact.h"

namespace conpole {
namespace {

using Kind = Token::Kind;

// The digits of a whole number, or of those before the point, without zeros that are not needed.
std::string WithoutLeadingZeros(std::string digits) {
  const std::size_t first = std::min(digits.find_first_not_of('0'), digits.size() - 1);
  return digits.substr(first);
}

// A number as the domain has it.
std::string NumberText(bool negative, const Token& token) {
  const std::size_t point = token.digits.size() - token.decimals;
  std::string decimals = token.digits.substr(point);
  decimals.resize(decimals.find_last_not_of('0') + 1);
  std::string text = WithoutLeadingZeros("0" + token.digits.substr(0, point));
  if (!decimals.empty()) text += '.' + decimals;
  return negative && text != "0" ? '-' + text : text;
}

// [3, 1, 2] with or without brackets. Whole numbers are bars; if one cannot be, all stay numbers.
NotationResult ReadList(std::string_view text) {
  const std::vector<Token> tokens = Tokenize(text);
  std::size_t at = 0;
  const bool bracket = tokens[0].kind == Kind::kOpen;
  if (bracket) ++at;
  std::vector<std::string> numbers;
  while (tokens[at].kind != Kind::kEnd && tokens[at].kind != Kind::kClose) {
    const Token& token = tokens[at];
    const bool separator = token.kind == Kind::kSeparator || token.Is(Kind::kMark, '|');
    if (!numbers.empty() && separator) ++at;
    if (!numbers.empty() && !separator && !token.after_blank) return Expected("',' or the end of the list", token, text);
    const bool negative = tokens[at].Is(Kind::kOperator, '-');
    if (negative) ++at;
    if (tokens[at].kind != Kind::kNumber) return Expected("a number", tokens[at], text);
    numbers.push_back(NumberText(negative, tokens[at]));
    ++at;
  }
  if (bracket && tokens[at].kind != Kind::kClose) return Expected("the end of the list", tokens[at], text);
  if (bracket) ++at;
  if (tokens[at].kind != Kind::kEnd) return Expected("the end", tokens[at], text);
  if (!bracket && numbers.empty()) return Expected("a list of numbers", tokens[at], text);
  if (std::optional<std::string> bars = BarsOf(numbers)) return {std::move(*bars), {}, std::nullopt};
  std::string state = "[";
  for (const std::string& number : numbers) {
    if (state.size() > 1) state += '|';
    state += number;
  }
  return {state + "]", {}, std::nullopt};
}

// Bars with blanks between.
NotationResult ReadBars(const Domain& domain, std::string_view text) {
  std::string bars;
  std::vector<std::size_t> positions;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (IsBlank(text[i])) continue;
    bars += text[i];
    positions.push_back(i);
  }
  positions.push_back(text.size());
  Parsed parsed = domain.Parse(bars);
  if (parsed.error) return Unreadable(positions[parsed.error->position], std::move(parsed.error->message));
  return {std::move(parsed.state), {}, std::nullopt};
}

// The lengths of the bars, or the numbers, in their order. Requires canonical text.
std::vector<std::string> ItemsOf(std::string_view state) {
  std::vector<std::string> items;
  const bool numbers = HasNumbers(state);
  for (std::size_t begin = 1; begin < state.size() && state != "[]";) {
    const std::size_t end = state.find_first_of("|]", begin);
    items.push_back(numbers ? std::string(state.substr(begin, end - begin)) : std::to_string(end - begin));
    begin = end + 1;
  }
  return items;
}

// The exact value of a number with decimals or without.
Exact ValueOf(std::string_view text) {
  Integer above = 0;
  Integer below = 1;
  bool decimals = false;
  for (const char c : text) {
    if (c == '.') decimals = true;
    if (!IsDigit(c)) continue;
    above = 10 * above + (c - '0');
    if (decimals) below *= 10;
  }
  if (text.starts_with('-')) above = -above;
  return {above, below};
}

struct Item {
  Exact value;
  std::string text;

  friend bool operator<(const Item& a, const Item& b) { return a.value < b.value; }
  friend bool operator==(const Item& a, const Item& b) { return a.value == b.value; }
};

std::vector<Item> ValuesOf(std::string_view state) {
  std::vector<Item> values;
  for (std::string& text : ItemsOf(state)) {
    Exact value = ValueOf(text);
    values.push_back({std::move(value), std::move(text)});
  }
  return values;
}

std::vector<Item> SortedValues(std::string_view state) {
  std::vector<Item> values = ValuesOf(state);
  std::sort(values.begin(), values.end());
  return values;
}

class Sorting final : public Subject {
 public:
  Sorting() : Subject(&SortingType()) {}

  NotationResult Read(const Domain& domain, std::string_view, std::string_view text) const override {
    if (Parsed parsed = domain.Parse(text); !parsed.error) return {std::move(parsed.state), {}, std::nullopt};
    // Numbers have no such sign.
    return text.find('=') == std::string_view::npos ? ReadList(text) : ReadBars(domain, text);
  }

  std::string Write(Script, const Line& line) const override { return "[" + Join(ItemsOf(line.state)) + "]"; }
  Formula MakeFormula(const Line& line) const override {
    FormulaBuilder formula;
    formula.Open(FormulaNode::Kind::kList);
    for (const std::string& item : ItemsOf(line.state)) formula.Number(item);
    formula.Close();
    return formula.Take();
  }
  std::optional<Picture> MakePicture(const Line& line) const override {
    BarsPicture picture;
    for (const Item& item : ValuesOf(line.state)) picture.values.push_back(static_cast<double>(item.value));
    return picture;
  }
  // A comma between numbers that have decimal commas would be read as one of these.
  std::string Localise(std::string_view language, Script script, std::string text) const override {
    std::string localised = LocaliseLine(language, script, text);
    if (localised == text) return text;
    for (std::size_t at = text.find(", "); at != std::string::npos; at = text.find(", ", at)) text[at] = ';';
    return LocaliseLine(language, script, std::move(text));
  }

  Verdict Verify(const Problem& problem, const Line& answer) const override {
    return ValuesOf(answer.state) == SortedValues(problem.line.state) ? Verdict::kRight : Verdict::kWrong;
  }

  Comparison Compare(const Problem& before, const Problem& after) const override {
    const std::vector<Item> old_items = SortedValues(before.line.state);
    const std::vector<Item> new_items = SortedValues(after.line.state);
    if (old_items == new_items) return Comparison::Same();
    const bool numbers = HasNumbers(before.line.state);
    std::vector<Item> missing;
    std::set_difference(old_items.begin(), old_items.end(), new_items.begin(), new_items.end(), std::back_inserter(missing));
    if (!missing.empty()) {
      return Comparison::Different(numbers ? "check.missing_number" : "check.missing_bar", {{"before", missing.front().text}});
    }
    std::vector<Item> extra;
    std::set_difference(new_items.begin(), new_items.end(), old_items.begin(), old_items.end(), std::back_inserter(extra));
    return Comparison::Different(numbers ? "check.extra_number" : "check.extra_bar", {{"after", extra.front().text}});
  }

  Action ReadAction(std::string_view label) const override { return ReadLabel(label, LoneNumber::kPosition); }

  Catalogue::Slots Describe(const Action& action, const Line& before, const Line&, Script, bool) const override {
    if (!action.position) return {};
    const std::size_t first = *action.position;
    Catalogue::Slots slots{{"first", std::to_string(first + 1)}, {"second", std::to_string(first + 2)}};
    if (!HasNumbers(before.state)) return slots;
    const std::vector<std::string> items = ItemsOf(before.state);
    if (first + 1 < items.size()) slots.insert({{"left", items[first]}, {"right", items[first + 1]}});
    return slots;
  }

  // Networks are trained on bars of lengths 1, 2, 3, ..., so numbers are shown to them by their ranks.
  std::optional<std::string> TextForPolicy(std::string_view state) const override {
    if (!HasNumbers(state)) return std::nullopt;
    std::vector<Item> ranks = SortedValues(state);
    ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
    std::string bars = "[";
    for (const Item& item : ValuesOf(state)) {
      if (bars.size() > 1) bars += '|';
      bars.append(static_cast<std::size_t>(std::lower_bound(ranks.begin(), ranks.end(), item) - ranks.begin()) + 1, '=');
    }
    return bars + ']';
  }

  Clue Guess(const Clues& clues) const override {
    const bool no_words = !clues.Has(Kind::kNumber) && !clues.Has(Kind::kLetter);
    if (no_words && clues.tokens().front().Is(Kind::kOpen, '[')) return Clue::kOwnNotation;
    const bool asked =
        clues.tokens().front().kind == Kind::kOpen || clues.Says("sort") || clues.Says("order") || clues.Says("ordne");
    return asked && IsList(clues) ? Clue::kShape : Clue::kNone;
  }

  std::string_view Example() const override { return "[3,1,4,2]"; }

 private:
  // Numbers, perhaps with signs, with separators or blanks between them, and nothing else.
  static bool IsList(const Clues& clues) {
    bool several = false;
    const std::vector<Token>& tokens = clues.tokens();
    for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
      const Token& token = tokens[i];
      const bool after_number = i > 0 && tokens[i - 1].kind == Kind::kNumber;
      const bool sign = token.Is(Kind::kOperator, '-') && tokens[i + 1].kind == Kind::kNumber && !tokens[i + 1].after_blank &&
                        (!after_number || token.after_blank);
      const bool separator = token.kind == Kind::kSeparator || token.Is(Kind::kMark, '|');
      const bool bracket = token.kind == Kind::kOpen || token.kind == Kind::kClose;
      if (token.kind != Kind::kNumber && !sign && !separator && !bracket) return false;
      several = several || separator || (token.kind == Kind::kNumber && after_number);
    }
    return several;
  }
};

}  // namespace

const Subject& SortingSubject() {
  static const Sorting subject;
  return subject;
}

}  // namespace conpole
