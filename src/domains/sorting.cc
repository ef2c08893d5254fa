#include "domains/sorting.h"

#include <algorithm>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "util/random.h"
#include "util/text.h"

namespace conpole {
namespace {

// Whether a text is a list of numbers, if it is a state at all.
bool HasNumbers(std::string_view state) { return state.size() > 1 && (IsDigit(state[1]) || state[1] == '-'); }

// A number's sign, its digits before the point and those after it. Requires a number without zeros that are not needed.
struct Number {
  explicit Number(std::string_view text) : negative(text.starts_with('-')) {
    if (negative) text.remove_prefix(1);
    const std::size_t point = std::min(text.find('.'), text.size());
    whole = text.substr(0, point);
    if (point < text.size()) decimals = text.substr(point + 1);
  }

  friend bool operator<(const Number& a, const Number& b) {
    if (a.negative != b.negative) return a.negative;
    const Number& near = a.negative ? b : a;
    const Number& far = a.negative ? a : b;
    if (near.whole.size() != far.whole.size()) return near.whole.size() < far.whole.size();
    if (near.whole != far.whole) return near.whole < far.whole;
    return near.decimals < far.decimals;
  }

  bool negative;
  std::string_view whole;
  std::string_view decimals;
};

// A state is [=|===|==]: the lengths of the bars, with | between them. Where a number is negative, has decimals or is too large
// for a bar, all are written as numbers: [3|-1|2.5].
class Sorting final : public Domain {
 public:
  explicit Sorting(const Parameters& parameters)
      : Domain(SortingType(), parameters),
        min_length_(parameters.Integer("min_length")),
        max_length_(parameters.Integer("max_length")) {
    parameters.RequireOrdered("min_length", "max_length");
  }

  std::string Generate(std::uint64_t seed) const override {
    Random random(seed);
    std::vector<std::size_t> lengths(static_cast<std::size_t>(random.Int64(min_length_ + 1, max_length_ + 2) - 1));
    std::iota(lengths.begin(), lengths.end(), std::size_t{1});
    random.Shuffle(std::span(lengths));
    std::string state = "[";
    for (const std::size_t length : lengths) {
      if (state.size() > 1) state += '|';
      state.append(length, '=');
    }
    return state + ']';
  }

  Status Expand(std::string_view state, Labels labels, Successors& out) const override {
    thread_local TextBuffer text;
    thread_local std::vector<std::uint32_t> starts;
    if (HasNumbers(state)) return ExpandNumbers(state, labels, out);
    if (std::optional<Malformed> error = FindBars(state, starts)) {
      out.SetError(std::move(*error));
      return Status::kMalformed;
    }
    if (InOrder(starts)) return Status::kSolved;
    text.Assign(state);
    const std::size_t count = starts.size() - 1;
    for (std::size_t i = 0; i + 1 < count; ++i) {
      AppendSwap(text, starts, i, out);
      if (labels == Labels::kOn) {
        out.EndLabel(WriteInteger(WriteText(out.BeginLabel(32), "swap "), static_cast<std::int64_t>(i)));
      }
    }
    AppendReverse(text, starts, out);
    if (labels == Labels::kOn) out.EndLabel(WriteText(out.BeginLabel(32), "reverse"));
    return Status::kOpen;
  }

  bool Solved(std::string_view state) const override {
    if (HasNumbers(state)) return InOrder(NumbersOf(state));
    std::size_t longest = 0;
    std::size_t current = 0;
    for (const char c : state.substr(1)) {
      if (c == '=') {
        ++current;
      } else {
        if (current < longest) return false;
        longest = current;
        current = 0;
      }
    }
    return true;
  }

  Parsed Parse(std::string_view text) const override {
    std::vector<std::uint32_t> starts;
    std::optional<Malformed> error = HasNumbers(text) ? CheckNumbers(text) : FindBars(text, starts);
    if (error) return {{}, std::move(error)};
    return {std::string(text), std::nullopt};
  }

 private:
  using Items = std::vector<std::string_view>;

  // What stands between the bars of a list of numbers. Requires a state.
  static Items NumbersOf(std::string_view state) {
    Items items;
    for (std::size_t begin = 1; begin < state.size();) {
      const std::size_t end = state.find_first_of("|]", begin);
      items.push_back(state.substr(begin, end - begin));
      begin = end + 1;
    }
    return items;
  }
  static bool InOrder(const Items& items) {
    return std::is_sorted(items.begin(), items.end(),
                          [](std::string_view a, std::string_view b) { return Number(a) < Number(b); });
  }

  static std::optional<Malformed> CheckNumbers(std::string_view state) {
    if (std::optional<Malformed> too_long = CheckLength(state)) return too_long;
    if (state.front() != '[') return Malformed{0, "expected '['"};
    std::size_t at = 1;
    std::size_t bytes = 1;  // that the list has as bars
    bool bars = true;       // whether all can be
    for (;;) {
      const std::size_t begin = at;
      if (at < state.size() && state[at] == '-') ++at;
      const std::size_t digits = at;
      while (at < state.size() && IsDigit(state[at])) ++at;
      const std::string_view whole = state.substr(digits, at - digits);
      if (whole.empty()) return Malformed{at, "expected a digit"};
      if (whole.size() > 1 && whole[0] == '0') return Malformed{digits, "expected a number without a leading zero"};
      const bool decimals = at < state.size() && state[at] == '.';
      if (decimals) {
        const std::size_t point = at++;
        while (at < state.size() && IsDigit(state[at])) ++at;
        if (at == point + 1) return Malformed{at, "expected a digit"};
        if (state[at - 1] == '0') return Malformed{at - 1, "expected a number without a zero at its end"};
      }
      const bool negative = digits != begin;
      if (negative && whole == "0" && !decimals) return Malformed{begin, "expected 0 without a sign"};
      bars = bars && !negative && !decimals && whole.size() <= kBarDigits;
      if (bars) bytes += 1 + static_cast<std::size_t>(std::stoul(std::string(whole)));
      if (at == state.size()) return Malformed{at, "expected '|' or ']', found the end"};
      const char c = state[at++];
      if (c == ']') break;
      if (c != '|') return Malformed{at - 1, "expected '|' or ']', found " + Quoted(c)};
    }
    if (at != state.size()) return Malformed{at, "expected the end, found " + Quoted(state[at])};
    if (bars && bytes < kMaxStateBytes) return Malformed{1, "expected bars for whole numbers"};
    return std::nullopt;
  }

  static Status ExpandNumbers(std::string_view state, Labels labels, Successors& out) {
    if (std::optional<Malformed> error = CheckNumbers(state)) {
      out.SetError(std::move(*error));
      return Status::kMalformed;
    }
    Items items = NumbersOf(state);
    if (InOrder(items)) return Status::kSolved;
    const auto append = [&] {
      char* next = out.BeginState(state.size());
      for (std::size_t i = 0; i < items.size(); ++i) next = WriteText(WriteText(next, i == 0 ? "[" : "|"), items[i]);
      out.EndState(WriteText(next, "]"));
    };
    for (std::size_t i = 0; i + 1 < items.size(); ++i) {
      std::swap(items[i], items[i + 1]);
      append();
      std::swap(items[i], items[i + 1]);
      if (labels == Labels::kOn) {
        out.EndLabel(WriteInteger(WriteText(out.BeginLabel(32), "swap "), static_cast<std::int64_t>(i)));
      }
    }
    std::reverse(items.begin(), items.end());
    append();
    if (labels == Labels::kOn) out.EndLabel(WriteText(out.BeginLabel(32), "reverse"));
    return Status::kOpen;
  }

  // Finds where each bar starts, and one place past the last separator: bar i is [starts[i], starts[i + 1] - 1). An empty list
  // has no bars.
  static std::optional<Malformed> FindBars(std::string_view state, std::vector<std::uint32_t>& starts) {
    starts.clear();
    if (std::optional<Malformed> too_long = CheckLength(state)) return too_long;
    if (state.empty() || state.front() != '[') return Malformed{0, "expected '['"};
    starts.push_back(1);
    for (std::size_t i = 1; i < state.size(); ++i) {
      const char c = state[i];
      if (c == '=') continue;
      if (c != '|' && c != ']') return Malformed{i, "expected '=', '|' or ']', found " + Quoted(c)};
      starts.push_back(static_cast<std::uint32_t>(i + 1));
      if (c == ']') {
        if (i + 1 != state.size()) return Malformed{i + 1, "expected the end, found " + Quoted(state[i + 1])};
        if (i == 1) starts.pop_back();
        return std::nullopt;
      }
    }
    return Malformed{state.size(), "expected '=', '|' or ']', found the end"};
  }

  static std::size_t Length(const std::vector<std::uint32_t>& starts, std::size_t i) { return starts[i + 1] - starts[i] - 1; }

  static bool InOrder(const std::vector<std::uint32_t>& starts) {
    for (std::size_t i = 0; i + 2 < starts.size(); ++i) {
      if (Length(starts, i) > Length(starts, i + 1)) return false;
    }
    return true;
  }

  static void AppendSwap(const TextBuffer& text, const std::vector<std::uint32_t>& starts, std::size_t i, Successors& out) {
    // Only the separator between the two bars moves.
    char* const state = out.BeginState(text.size());
    CopyBlocks(state, text.data(), text.size());
    state[starts[i + 1] - 1] = '=';
    state[starts[i] + Length(starts, i + 1)] = '|';
    out.EndState(state + text.size());
  }

  static void AppendReverse(const TextBuffer& text, const std::vector<std::uint32_t>& starts, Successors& out) {
    char* const state = out.BeginState(text.size());
    CopyBlocks(state, text.data(), text.size());
    std::reverse(state + 1, state + text.size() - 1);
    out.EndState(state + starts.back());
  }

  static constexpr std::size_t kBarDigits = 5;  // of the longest bar that a state has room for

  std::int64_t min_length_;
  std::int64_t max_length_;
};

}  // namespace

const DomainType& SortingType() {
  static const DomainType type{
      "sorting",
      "sort bars by length, swapping neighbours or reversing the list",
      {{"min_length", "problems have at least so many bars", "1", {{1, 100}}},
       {"max_length", "problems have at most so many bars", "10", {{1, 100}}}},
      {{"swap", "two neighbouring bars change places"}, {"reverse", "the whole list is turned round"}},
      [](const Parameters& parameters) -> std::unique_ptr<Domain> { return std::make_unique<Sorting>(parameters); }};
  return type;
}

}  // namespace conpole
