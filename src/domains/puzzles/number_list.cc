#include "domains/puzzles/number_list.h"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace conpole {
namespace {

// Goes from where a number begins to its end, and says what is wrong if there is none.
std::optional<Malformed> SkipNumber(std::string_view state, std::size_t& at) {
  const std::size_t begin = at;
  const auto skip_digits = [&] {
    const std::size_t first = at;
    while (at < state.size() && IsDigit(state[at])) ++at;
    return state.substr(first, at - first);
  };
  if (at < state.size() && state[at] == '-') ++at;
  const std::string_view whole = skip_digits();
  if (whole.empty()) return Malformed{at, "expected a digit"};
  if (whole.size() > 1 && whole[0] == '0') return Malformed{at - whole.size(), "expected a number without a leading zero"};
  if (at < state.size() && state[at] == '.') {
    ++at;
    const std::string_view decimals = skip_digits();
    if (decimals.empty()) return Malformed{at, "expected a digit"};
    if (decimals.back() == '0') return Malformed{at - 1, "expected a number without a zero at its end"};
  } else if (state.substr(begin, at - begin) == "-0") {
    return Malformed{begin, "expected 0 without a sign"};
  }
  return std::nullopt;
}

bool IsLess(std::string_view a, std::string_view b) {
  const bool negative = a.starts_with('-');
  if (negative != b.starts_with('-')) return negative;
  if (negative) std::swap(a, b);
  const std::size_t digits = std::min(a.find('.'), a.size());
  const std::size_t others = std::min(b.find('.'), b.size());
  return digits != others ? digits < others : a < b;
}

// Requires a state.
std::vector<std::string_view> ItemsOf(std::string_view state) {
  std::vector<std::string_view> items;
  for (std::size_t begin = 1; begin < state.size();) {
    const std::size_t end = state.find_first_of("|]", begin);
    items.push_back(state.substr(begin, end - begin));
    begin = end + 1;
  }
  return items;
}

void AppendList(const std::vector<std::string_view>& items, std::size_t size, Successors& out) {
  char* next = out.BeginState(size);
  for (std::size_t i = 0; i < items.size(); ++i) next = WriteText(WriteText(next, i == 0 ? "[" : "|"), items[i]);
  out.EndState(WriteText(next, "]"));
}

}  // namespace

std::optional<Malformed> CheckNumbers(std::string_view state) {
  if (std::optional<Malformed> too_long = CheckLength(state)) return too_long;
  if (state.front() != '[') return Malformed{0, "expected '['"};
  for (std::size_t at = 1;;) {
    if (std::optional<Malformed> error = SkipNumber(state, at)) return error;
    if (at == state.size()) return Malformed{at, "expected '|' or ']', found the end"};
    const char c = state[at++];
    if (c == ']' && at != state.size()) return Malformed{at, Message("expected {}, found {}", "the end", Quoted(state[at]))};
    if (c == ']') break;
    if (c != '|') return Malformed{at - 1, Message("expected {}, found {}", "'|' or ']'", Quoted(c))};
  }
  const std::vector<std::string_view> items = ItemsOf(state);
  if (BarsOf({items.begin(), items.end()})) return Malformed{1, "expected bars for whole numbers"};
  return std::nullopt;
}

Status ExpandNumbers(std::string_view state, Labels labels, Successors& out) {
  if (std::optional<Malformed> error = CheckNumbers(state)) {
    out.SetError(std::move(*error));
    return Status::kMalformed;
  }
  if (AreNumbersInOrder(state)) return Status::kSolved;
  std::vector<std::string_view> items = ItemsOf(state);
  for (std::size_t i = 0; i + 1 < items.size(); ++i) {
    std::swap(items[i], items[i + 1]);
    AppendList(items, state.size(), out);
    std::swap(items[i], items[i + 1]);
    if (labels == Labels::kOn) AppendSwapLabel(i, out);
  }
  std::reverse(items.begin(), items.end());
  AppendList(items, state.size(), out);
  if (labels == Labels::kOn) out.EndLabel(WriteText(out.BeginLabel(32), "reverse"));
  return Status::kOpen;
}

bool AreNumbersInOrder(std::string_view state) {
  const std::vector<std::string_view> items = ItemsOf(state);
  return std::is_sorted(items.begin(), items.end(), IsLess);
}

void AppendSwapLabel(std::size_t i, Successors& out) {
  out.EndLabel(WriteInteger(WriteText(out.BeginLabel(32), "swap "), static_cast<std::int64_t>(i)));
}

std::optional<std::string> BarsOf(const std::vector<std::string>& numbers) {
  constexpr std::size_t kBarDigits = 5;
  std::string bars = "[";
  for (const std::string& number : numbers) {
    if (number.find_first_of("-.") != std::string::npos || number.size() > kBarDigits) return std::nullopt;
    if (bars.size() > 1 || &number != &numbers.front()) bars += '|';
    bars.append(std::stoul(number), '=');
    if (bars.size() + 1 >= kMaxStateBytes) return std::nullopt;
  }
  return bars + ']';
}

}  // namespace conpole
