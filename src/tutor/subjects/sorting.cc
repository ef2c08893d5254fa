// sorting: lists of bars. People write their lengths; an answer has the same bars in ascending order.
#include <algorithm>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "domains/sorting.h"
#include "tutor/expression.h"
#include "tutor/subjects/reading.h"
#include "tutor/subjects/subjects.h"
#include "util/text.h"

namespace conpole {
namespace {

using Kind = Token::Kind;

// [3, 1, 2] with or without brackets.
NotationResult ReadList(std::string_view text) {
  const std::vector<Token> tokens = Tokenize(text);
  std::size_t at = 0;
  const bool bracket = tokens[0].kind == Kind::kOpen;
  if (bracket) ++at;
  std::string state = "[";
  for (bool first = true; tokens[at].kind != Kind::kEnd && tokens[at].kind != Kind::kClose; first = false) {
    const Token& token = tokens[at];
    const bool separator = token.kind == Kind::kSeparator || token.Is(Kind::kMark, '|');
    if (!first && separator) ++at;
    if (!first && !separator && !token.after_blank) return Expected("',' or the end of the list", token, text);
    const Token& item = tokens[at];
    if (item.Is(Kind::kOperator, '-')) return NotExpressible(item.begin, "bars have no negative length");
    if (item.kind == Kind::kNumber && item.decimals > 0) return NotExpressible(item.begin, "bars have whole lengths");
    const std::optional<std::size_t> length = SmallNumber(item);
    if (!length && item.kind == Kind::kNumber) return NotExpressible(item.begin, "the bar is too long");
    if (!length) return Expected("a whole number", item, text);
    if (!first) state += '|';
    state.append(*length, '=');
    if (state.size() >= kMaxStateBytes) return NotExpressible(item.begin, "the bars are too long");
    ++at;
  }
  if (bracket && tokens[at].kind != Kind::kClose) return Expected("the end of the list", tokens[at], text);
  if (bracket) ++at;
  if (tokens[at].kind != Kind::kEnd) return Expected("the end", tokens[at], text);
  if (!bracket && state == "[") return Expected("a list of numbers", tokens[at], text);
  return {state + "]", {}, std::nullopt};
}

// A list with signs and decimals, as bars in the same order: the least number is a bar of length 1.
NotationResult ReadNamedList(std::string_view text) {
  const std::vector<Token> tokens = Tokenize(text);
  const bool bracket = tokens[0].kind == Kind::kOpen;
  std::vector<Exact> values;
  std::map<Exact, std::string> names;  // in ascending order
  std::size_t at = bracket ? 1 : 0;
  while (tokens[at].kind != Kind::kEnd && tokens[at].kind != Kind::kClose) {
    const bool separator = tokens[at].kind == Kind::kSeparator || tokens[at].Is(Kind::kMark, '|');
    if (!values.empty() && separator) ++at;
    if (!values.empty() && !separator && !tokens[at].after_blank)
      return Expected("',' or the end of the list", tokens[at], text);
    const std::size_t begin = tokens[at].begin;
    const bool negative = tokens[at].Is(Kind::kOperator, '-');
    if (negative) ++at;
    const Token& number = tokens[at];
    constexpr std::size_t kMaxDigits = 1000;
    if (number.kind != Kind::kNumber || number.digits.size() > kMaxDigits) return Expected("a number", number, text);
    const std::size_t first = std::min(number.digits.find_first_not_of('0'), number.digits.size() - 1);
    const Exact size(Integer(number.digits.substr(first)), pow(Integer(10), static_cast<unsigned>(number.decimals)));
    values.push_back(negative ? Exact(-size) : size);
    names.emplace(values.back(), (negative ? "-" : "") + std::string(text.substr(number.begin, number.end - number.begin)));
    if (values.size() * values.size() > 2 * kMaxStateBytes) return NotExpressible(begin, "the bars are too long");
    ++at;
  }
  if (bracket && tokens[at].kind != Kind::kClose) return Expected("the end of the list", tokens[at], text);
  if (bracket) ++at;
  if (tokens[at].kind != Kind::kEnd) return Expected("the end", tokens[at], text);
  if (values.empty()) return Expected("a list of numbers", tokens[at], text);
  NotationResult result;
  for (const Exact& value : values) {
    const auto rank = static_cast<std::size_t>(std::distance(names.begin(), names.find(value))) + 1;
    result.state += (result.state.empty() ? "[" : "|") + std::string(rank, '=');
  }
  result.state += ']';
  if (result.state.size() > kMaxStateBytes) return NotExpressible(0, "the bars are too long");
  result.names.emplace_back("0");
  for (auto& [value, name] : names) result.names.push_back(std::move(name));
  return result;
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

// The lengths of the bars, in their order. Requires canonical text.
std::vector<std::size_t> BarsOf(std::string_view state) {
  std::vector<std::size_t> bars{0};
  for (const char c : state) {
    if (c == '=') ++bars.back();
    if (c == '|') bars.push_back(0);
  }
  return bars;
}

std::vector<std::size_t> SortedBars(std::string_view state) {
  std::vector<std::size_t> bars = BarsOf(state);
  std::sort(bars.begin(), bars.end());
  return bars;
}

class Sorting final : public Subject {
 public:
  Sorting() : Subject(&SortingType()) {}

  NotationResult Read(const Domain& domain, std::string_view, std::string_view text) const override {
    if (Parsed parsed = domain.Parse(text); !parsed.error) return {std::move(parsed.state), {}, std::nullopt};
    // Numbers have no such sign.
    return text.find('=') == std::string_view::npos ? ReadList(text) : ReadBars(domain, text);
  }

  NotationResult ReadNamed(const Domain&, std::string_view text) const override { return ReadNamedList(text); }

  std::string Write(Script, const Line& line) const override {
    if (line.state == "[]") return "[]";
    std::vector<std::string> lengths;
    for (const std::size_t bar : BarsOf(line.state)) lengths.push_back(std::to_string(bar));
    return "[" + Join(lengths) + "]";
  }

  Verdict Verify(const Problem& problem, const Line& answer) const override {
    return BarsOf(answer.state) == SortedBars(problem.line.state) ? Verdict::kRight : Verdict::kWrong;
  }

  Comparison Compare(const Problem& before, const Problem& after) const override {
    const std::vector<std::size_t> old_bars = SortedBars(before.line.state);
    const std::vector<std::size_t> new_bars = SortedBars(after.line.state);
    if (old_bars == new_bars) return Comparison::Same();
    std::vector<std::size_t> missing;
    std::set_difference(old_bars.begin(), old_bars.end(), new_bars.begin(), new_bars.end(), std::back_inserter(missing));
    if (!missing.empty()) return Comparison::Different("check.missing_bar", {{"before", std::to_string(missing.front())}});
    std::vector<std::size_t> extra;
    std::set_difference(new_bars.begin(), new_bars.end(), old_bars.begin(), old_bars.end(), std::back_inserter(extra));
    return Comparison::Different("check.extra_bar", {{"after", std::to_string(extra.front())}});
  }

  Action ReadAction(std::string_view label) const override { return ReadLabel(label, LoneNumber::kPosition); }

  Catalogue::Slots Describe(const Action& action, const Line&, const Line&, Script, bool) const override {
    if (!action.position) return {};
    return {{"first", std::to_string(*action.position + 1)}, {"second", std::to_string(*action.position + 2)}};
  }

  Clue Guess(const Clues& clues) const override {
    const bool no_words = !clues.Has(Kind::kNumber) && !clues.Has(Kind::kLetter);
    if (no_words && clues.tokens().front().Is(Kind::kOpen, '[')) return Clue::kOwnNotation;
    return IsList(clues) ? Clue::kShape : Clue::kNone;
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
