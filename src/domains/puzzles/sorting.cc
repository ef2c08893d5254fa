#include "domains/puzzles/sorting.h"

#include <algorithm>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "domains/puzzles/number_list.h"
#include "util/random.h"
#include "util/text.h"

namespace conpole {
namespace {

// A state is [=|===|==]: the lengths of the bars, with | between them. A list with a number that cannot be a bar is written in
// numbers, and left to number_list.h.
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
    if (HasNumbers(state)) return ExpandNumbers(state, labels, out);
    thread_local TextBuffer text;
    thread_local std::vector<std::uint32_t> starts;
    if (std::optional<Malformed> error = FindBars(state, starts)) {
      out.SetError(std::move(*error));
      return Status::kMalformed;
    }
    if (InOrder(starts)) return Status::kSolved;
    text.Assign(state);
    const std::size_t count = starts.size() - 1;
    for (std::size_t i = 0; i + 1 < count; ++i) {
      AppendSwap(text, starts, i, out);
      if (labels == Labels::kOn) AppendSwapLabel(i, out);
    }
    AppendReverse(text, starts, out);
    if (labels == Labels::kOn) out.EndLabel(WriteText(out.BeginLabel(32), "reverse"));
    return Status::kOpen;
  }

  bool Solved(std::string_view state) const override {
    if (HasNumbers(state)) return AreNumbersInOrder(state);
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
      if (c != '|' && c != ']') return Malformed{i, Message("expected {}, found {}", "'=', '|' or ']'", Quoted(c))};
      starts.push_back(static_cast<std::uint32_t>(i + 1));
      if (c == ']') {
        if (i + 1 != state.size()) return Malformed{i + 1, Message("expected {}, found {}", "the end", Quoted(state[i + 1]))};
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

  std::int64_t min_length_;
  std::int64_t max_length_;
};

}  // namespace

const DomainType& SortingType() {
  static const DomainType type{
      "sorting",
      "sort bars by length, swapping neighbours or reversing the list",
      {{"min_length", "the fewest bars of a problem", "1", {{1, 100}}},
       {"max_length", "the most bars of a problem", "10", {{1, 100}}}},
      {{"swap", "two neighbouring bars change places"}, {"reverse", "the whole list is turned round"}},
      [](const Parameters& parameters) -> std::unique_ptr<Domain> { return std::make_unique<Sorting>(parameters); }};
  return type;
}

}  // namespace conpole
