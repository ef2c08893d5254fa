#include "domains/puzzles/ternary_addition.h"

#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "util/random.h"
#include "util/text.h"

namespace conpole {
namespace {

// A state is #(b3 a0 c3): digits a, b, c for 0, 1, 2, each with its power of three as one character.
class TernaryAddition final : public Domain {
 public:
  explicit TernaryAddition(const Parameters& parameters)
      : Domain(TernaryAdditionType(), parameters),
        max_digits_(parameters.Integer("max_digits")),
        max_power_(static_cast<std::int32_t>(parameters.Integer("max_power"))) {}

  std::string Generate(std::uint64_t seed) const override {
    Random random(seed);
    std::string state = "#(";
    for (std::int64_t left = random.Int64(1, max_digits_ + 1); left > 0; --left) {
      if (state.size() > kHead) state += ' ';
      state += static_cast<char>('a' + random.Int32(0, 3));
      state += static_cast<char>('0' + random.Int32(0, max_power_ + 1));
    }
    return state + ')';
  }

  Status Expand(std::string_view state, Labels labels, Successors& out) const override {
    if (std::optional<Malformed> error = Check(state)) {
      out.SetError(std::move(*error));
      return Status::kMalformed;
    }
    if (Solved(state)) return Status::kSolved;
    thread_local TextBuffer text;
    text.Assign(state);
    const std::size_t count = Count(state);
    for (std::size_t i = 0; i < count; ++i) {
      const char* const item = text.data() + kHead + kStride * i;
      if (Digit(item) == 0) {
        AppendDelete(text, i, count, out);
        if (labels == Labels::kOn) AppendLabel("del ", i, {item, 2}, out);
      }
      if (i + 1 == count) break;
      const char* const next = item + kStride;
      AppendPair(text, i, {next[0], next[1]}, {item[0], item[1]}, out);
      if (labels == Labels::kOn) AppendLabel("swap ", i, {item, 5}, out);
      if (item[1] == next[1] && item[1] != kMaxPower) {
        const int sum = Digit(item) + Digit(next);
        AppendPair(text, i, {static_cast<char>('a' + sum % 3), item[1]},
                   {static_cast<char>('a' + sum / 3), static_cast<char>(item[1] + 1)}, out);
        if (labels == Labels::kOn) AppendLabel("comb ", i, {item, 5}, out);
      }
    }
    return Status::kOpen;
  }

  bool Solved(std::string_view state) const override {
    char last_power = 0;
    for (std::size_t at = kHead; at + 1 < state.size(); at += kStride) {
      if (state[at] == 'a' || state[at + 1] <= last_power) return false;
      last_power = state[at + 1];
    }
    return true;
  }

  Parsed Parse(std::string_view text) const override {
    if (std::optional<Malformed> error = Check(text)) return {{}, std::move(error)};
    return {std::string(text), std::nullopt};
  }

 private:
  static constexpr std::size_t kHead = 2;    // "#("
  static constexpr std::size_t kStride = 3;  // "b3 "
  static constexpr char kMaxPower = '~';     // the last character that can be printed

  struct Item {
    char digit;
    char power;
  };

  static int Digit(const char* item) { return *item - 'a'; }
  static std::size_t Count(std::string_view state) { return (state.size() - kHead) / kStride; }

  static std::optional<Malformed> Check(std::string_view state) {
    const auto found = [&](std::size_t at) { return at < state.size() ? Quoted(state[at]) : std::string("the end"); };
    if (std::optional<Malformed> too_long = CheckLength(state)) return too_long;
    if (!state.starts_with("#(")) return Malformed{0, "expected '#('"};
    if (state == "#()") return std::nullopt;
    for (std::size_t at = kHead;; at += kStride) {
      if (at >= state.size() || state[at] < 'a' || state[at] > 'c')
        return Malformed{at, Message("expected {}, found {}", "a digit a, b or c", found(at))};
      if (at + 1 >= state.size() || state[at + 1] < '0' || state[at + 1] > kMaxPower) {
        return Malformed{at + 1, Message("expected {}, found {}", "a power (one character from 0 on)", found(at + 1))};
      }
      if (at + 2 < state.size() && state[at + 2] == ' ') continue;
      if (at + 2 >= state.size() || state[at + 2] != ')')
        return Malformed{at + 2, Message("expected {}, found {}", "a blank or ')'", found(at + 2))};
      if (at + 3 != state.size()) return Malformed{at + 3, Message("expected {}, found {}", "the end", found(at + 3))};
      return std::nullopt;
    }
  }

  // The state with items i and i + 1 replaced.
  static void AppendPair(const TextBuffer& text, std::size_t i, Item first, Item second, Successors& out) {
    char* const state = out.BeginState(text.size());
    CopyBlocks(state, text.data(), text.size());
    char* const item = state + kHead + kStride * i;
    item[0] = first.digit;
    item[1] = first.power;
    item[kStride] = second.digit;
    item[kStride + 1] = second.power;
    out.EndState(state + text.size());
  }

  static void AppendDelete(const TextBuffer& text, std::size_t i, std::size_t count, Successors& out) {
    if (count == 1) {
      out.EndState(WriteText(out.BeginState(kStride), "#()"));
      return;
    }
    // The item goes with the blank after it or, at the end, with the blank before it.
    const std::size_t gap = kHead + kStride * i - (i + 1 == count ? 1 : 0);
    char* const state = CopyBlocks(out.BeginState(text.size()), text.data(), gap);
    out.EndState(CopyBlocks(state, text.data() + gap + kStride, text.size() - gap - kStride));
  }

  static void AppendLabel(std::string_view name, std::size_t i, std::string_view items, Successors& out) {
    char* label = out.BeginLabel(name.size() + items.size() + kMaxIntegerBytes + 2);
    label = WriteInteger(WriteText(label, name), static_cast<std::int64_t>(i));
    out.EndLabel(WriteText(WriteText(label, ", "), items));
  }

  std::int64_t max_digits_;
  std::int32_t max_power_;
};

}  // namespace

const DomainType& TernaryAdditionType() {
  static const DomainType type{
      "ternary-addition",
      "add digits times powers of three, step by step",
      {{"max_digits", "problems have 1 to max_digits digits", "14", {{1, 1000}}},
       {"max_power", "powers are 0 to max_power", "5", {{0, 60}}}},
      {{"del", "a zero digit can be left out"},
       {"swap", "two neighbouring digits change places"},
       {"comb", "two neighbouring digits of one power are added: the sum's digit stays, the carry goes to the next power"}},
      [](const Parameters& parameters) -> std::unique_ptr<Domain> { return std::make_unique<TernaryAddition>(parameters); }};
  return type;
}

}  // namespace conpole
