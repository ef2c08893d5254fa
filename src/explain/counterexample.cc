#include "explain/counterexample.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "domains/school/textbook.h"
#include "domains/school/textbook_value.h"

namespace conpole {
namespace {

namespace book = textbook;
using book::Op;
using book::Ptr;

struct Point {
  std::map<std::string, double> values;
  std::string text;  // x = 2, y = 3

  void Add(const std::string& letter, double value, std::string_view number) {
    values[letter] = value;
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", letter, number);
  }
};

bool IsNear(double a, double b) { return std::abs(a - b) <= 1e-9 * (1 + std::abs(a) + std::abs(b)); }

// As a whole number or a fraction with a small denominator, or as a decimal; else rounded. Nothing if it is too large.
std::optional<std::string> TextOfValue(double value, bool decimals) {
  constexpr double kLarge = 9e15;
  if (!std::isfinite(value) || std::abs(value) >= kLarge) return std::nullopt;
  const bool is_short = IsNear(value * 100, std::round(value * 100));
  if (decimals && is_short) return fmt::format("{}", std::round(value * 100) / 100);
  constexpr int kMostBelow = 400;
  for (int below = 1; below <= kMostBelow; ++below) {
    const double above = std::round(value * below);
    if (!IsNear(value * below, above)) continue;
    const auto whole = static_cast<std::int64_t>(above);
    return below == 1 ? std::to_string(whole) : fmt::format("{}/{}", whole, below);
  }
  return fmt::format("≈ {}", std::round(value * 100) / 100);
}

bool HasMixedNumber(std::string_view text) {
  for (std::size_t at = text.find(' '); at != std::string_view::npos; at = text.find(' ', at + 1)) {
    const auto digit = [&](std::size_t i) { return i < text.size() && text[i] >= '0' && text[i] <= '9'; };
    if (at > 0 && digit(at - 1) && digit(at + 1)) return true;
  }
  return false;
}

// The points of "x = 2 or x = 3" and of "x = 1; y = 2"; none of a line that is no answer.
std::vector<Point> PointsOf(std::string_view answer) {
  std::vector<Point> points;
  for (const std::string& choice : book::SplitAt(answer, " or ")) {
    Point point;
    for (const std::string& part : book::SplitAt(choice, ";")) {
      const book::Relation relation = book::ReadRelation(part);
      if (relation.sign == "!=") continue;
      const bool is_left = relation.left->Is(Op::kLetter);
      const Ptr& letter = is_left ? relation.left : relation.right;
      const Ptr& number = is_left ? relation.right : relation.left;
      if (relation.sign != "=" || !letter->Is(Op::kLetter) || !book::LettersOf(number).empty()) return {};
      point.Add(letter->name, book::Approximate(number, {}), book::TextOf(number));
    }
    points.push_back(std::move(point));
  }
  return points;
}

bool HoldsAt(const std::string& sign, double left, double right) {
  if (sign == "=") return std::abs(left - right) <= 1e-6 * (1 + std::abs(left) + std::abs(right));
  if (sign == "<") return left < right;
  if (sign == ">") return left > right;
  return sign == "<=" ? left <= right : sign == ">=" ? left >= right : true;
}

// Fills the slots if one of the relations does not hold there.
bool FailsAt(const std::vector<std::string>& relations, const Point& point, bool decimals, Catalogue::Slots& slots) {
  for (const std::string& text : relations) {
    const book::Relation relation = book::ReadRelation(text);
    const double left = book::Approximate(relation.left, point.values);
    const double right = book::Approximate(relation.right, point.values);
    std::optional<std::string> left_text = TextOfValue(left, decimals);
    std::optional<std::string> right_text = TextOfValue(right, decimals);
    if (!left_text || !right_text || HoldsAt(relation.sign, left, right)) continue;
    slots["point"] = point.text;
    slots["relation"] = text;
    slots["left"] = std::move(*left_text);
    slots["right"] = std::move(*right_text);
    return true;
  }
  return false;
}

// Two expressions that are not worth the same somewhere.
bool DifferSomewhere(const Ptr& before, const Ptr& after, Catalogue::Slots& slots) {
  const std::set<std::string> letters = book::LettersOf(before, after);
  if (letters.empty()) return false;
  // Numbers that are there already say nothing of the answer.
  std::array<int, 6> numbers{2, 3, 5, 10, 1, -1};
  const std::string lines = book::TextOf(before) + ' ' + book::TextOf(after);
  std::stable_partition(numbers.begin(), numbers.end() - 2,
                        [&](int number) { return lines.find(std::to_string(number)) != std::string::npos; });
  for (const int first : numbers) {
    Point point;
    int number = first;
    for (const std::string& letter : letters) {
      point.Add(letter, number, std::to_string(number));
      ++number;
    }
    const double was = book::Approximate(before, point.values);
    const double is = book::Approximate(after, point.values);
    std::optional<std::string> was_text = TextOfValue(was, false);
    std::optional<std::string> is_text = TextOfValue(is, false);
    if (!was_text || !is_text || IsNear(was, is)) continue;
    slots["point"] = point.text;
    slots["left"] = std::move(*was_text);
    slots["right"] = std::move(*is_text);
    return true;
  }
  return false;
}

void Say(std::string_view name, std::string_view sentence, Catalogue::Slots slots, Comparison& comparison) {
  for (auto& [slot, text] : slots) comparison.slots[slot] = std::move(text);
  if (!comparison.mistake.empty()) {
    comparison.instead = sentence;
    return;
  }
  comparison.sentence = sentence;
  comparison.mistake = name;
}

}  // namespace

void AddCounterexample(std::string_view before, std::string_view after,
                       std::span<const std::pair<std::string, std::string>> roots, Comparison& comparison) {
  // Others are reasons themselves.
  constexpr std::array<std::string_view, 3> kNoReason{"check.solutions", "check.one_side_changed", "check.other_value"};
  const bool has_reason = std::find(kNoReason.begin(), kNoReason.end(), comparison.sentence) == kNoReason.end();
  if ((comparison.mistake.empty() && has_reason) || HasMixedNumber(before) || HasMixedNumber(after)) return;
  const bool decimals = before.find('.') != std::string_view::npos || after.find('.') != std::string_view::npos;
  Catalogue::Slots slots;
  try {
    if (before.find_first_of("=<>") == std::string_view::npos) {
      if (after.find_first_of("=<>") == std::string_view::npos &&
          DifferSomewhere(book::ReadTree(before), book::ReadTree(after), slots))
        Say("differs_at", "check.differs_at", std::move(slots), comparison);
      return;
    }
    if (before.find(" or ") != std::string_view::npos) return;
    const std::vector<std::string> relations = book::SplitAt(before, ";");
    const std::string_view unfit = relations.size() == 1 ? "check.does_not_fit" : "check.does_not_fit_in";
    for (const Point& point : PointsOf(after)) {
      if (FailsAt(relations, point, decimals, slots)) return Say("does_not_fit", unfit, std::move(slots), comparison);
    }
    for (const auto& [letter, number] : roots) {
      Point point;
      const double value = book::Approximate(book::ReadTree(number), {});
      point.Add(letter, value, decimals ? TextOfValue(value, true).value_or(number) : number);
      if (FailsAt(relations, point, decimals, slots))
        return Say("other_solution", "check.other_solution", std::move(slots), comparison);
    }
  } catch (const book::Refusal&) {
    // What books do not write.
  }
}

}  // namespace conpole
