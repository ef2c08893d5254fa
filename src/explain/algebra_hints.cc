#include "explain/algebra_hints.h"

#include <algorithm>

#include "util/text.h"

namespace conpole {
namespace {

constexpr std::string_view kSign = " = ";

// A letter that is no part of a word.
bool HasUnknown(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (!IsLetter(text[i])) continue;
    const bool word = (i > 0 && IsLetter(text[i - 1])) || (i + 1 < text.size() && IsLetter(text[i + 1]));
    if (!word) return true;
  }
  return false;
}

// Without conditions.
std::string_view EquationsOf(std::string_view state) { return state.substr(0, state.find(';')); }

std::string_view RightSideOf(std::string_view state) {
  const std::string_view equations = EquationsOf(state);
  const std::size_t sign = equations.find(kSign);
  return sign == std::string_view::npos ? std::string_view() : equations.substr(sign + kSign.size());
}

bool IsEven(std::string_view digits) {
  constexpr std::string_view kEvenDigits = "02468";
  return !digits.empty() && kEvenDigits.find(digits.back()) != std::string_view::npos;
}

// What the kind of step is for here; empty for what it is most often for.
std::string_view PurposeOf(const Action& action, std::string_view before, std::string_view after) {
  const std::string_view operand = action.operands.empty() ? std::string_view() : std::string_view(action.operands.front());
  const std::string_view equations = EquationsOf(before);
  const std::string& axiom = action.axiom;
  const auto count = [&](char c) { return std::count(equations.begin(), equations.end(), c); };
  if (axiom == "add" || axiom == "subtract") {
    if (RightSideOf(after) == "0" && count('^') > 0) return "zero";
    return HasUnknown(operand) ? "unknown" : "";
  }
  if (axiom == "divide") return operand == "-1" ? "minus" : count('(') > 0 ? "both" : "";
  if (axiom == "multiply") return count('/') == 1 ? "one" : "";
  if (axiom == "expand") return count('(') == 1 ? "one" : "";
  if (axiom == "evaluate") return operand == equations ? "" : "part";
  if (axiom == "root") {
    if (IsEven(operand) && RightSideOf(before).starts_with('-')) return "negative";
    return operand == "2" ? "" : "power";
  }
  if (axiom == "settle") return before.find(';') == std::string_view::npos ? "same" : "";
  return {};
}

}  // namespace

std::string AlgebraHint(const Action& action, std::string_view before, std::string_view after) {
  const std::string_view purpose = PurposeOf(action, before, after);
  return purpose.empty() ? action.axiom : action.axiom + '.' + std::string(purpose);
}

}  // namespace conpole
