#include "notation/textbook_reader.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "domains/school/textbook.h"
#include "domains/school/textbook_value.h"
#include "util/text.h"

namespace conpole {
namespace {

namespace mp = boost::multiprecision;

}  // namespace

std::string ExerciseReader::FindDomain() {
  const bool excluded = AsksForExcluded();
  // "For which x is"
  if (math_.size() == 2) std::erase_if(math_, [](const std::string& piece) { return piece.size() == 1 && IsLetter(piece[0]); });
  if (math_.size() != 1) throw book::Refusal{"a domain is found of one function at a time"};
  const std::size_t sign = math_[0].find('=');
  const book::Ptr tree = book::ReadTree(sign == std::string::npos ? math_[0] : math_[0].substr(sign + 1));
  std::set<std::string> letters;
  std::vector<std::string> conditions;
  bool plain = true;
  const auto collect = [&](const auto& self, const book::Ptr& part) -> void {
    for (const book::Ptr& arg : part->args) self(self, arg);
    const bool root = part->Is(book::Op::kRoot) && mp::numerator(part->args[1]->number) % 2 == 0;
    const bool quotient = part->Is(book::Op::kQuotient);
    const book::Ptr& inside = part->args.empty() ? part : part->args[quotient ? 1 : 0];
    if (book::LettersOf(inside).empty()) return;
    if (part->Is(book::Op::kPower) && !part->args[1]->Is(book::Op::kNumber)) plain = false;
    if (!root && !quotient && !part->Is(book::Op::kLog)) return;
    book::CollectLetters(inside, letters);
    std::string text = book::TextOf(inside);
    if (quotient && inside->Is(book::Op::kRoot)) text = book::TextOf(inside->args[0]);
    plain = plain && (!quotient || !book::Has(inside, book::Op::kRoot) || inside->Is(book::Op::kRoot));
    conditions.push_back(excluded ? text + " = 0" : !quotient ? text + (root ? " >= 0" : " > 0") : "(" + text + ")^2 > 0");
  };
  collect(collect, tree);
  const bool one = !excluded || conditions.size() == 1;
  // Nothing to exclude: a polynomial, or odd roots of one.
  const std::set<std::string> all_letters = book::LettersOf(tree);
  if (plain && !excluded && conditions.empty() && all_letters.size() == 1)
    return "solve " + *all_letters.begin() + ": every number";
  if (!plain || !one || letters.size() != 1 || conditions.empty()) throw book::Refusal{"the domain of this is not found here"};
  const std::string all = Join({conditions.begin(), conditions.end()}, " and ");
  return excluded ? Equation(*letters.begin(), all) : "solve " + *letters.begin() + ": " + all;
}

bool ExerciseReader::AsksForExcluded() const {
  const bool excluded = Says("excluded") && SaysAny("values", "value") && !SaysAny("solve", "solving");
  return Says("undefined") || excluded;
}

std::size_t ExerciseReader::Closing(std::string_view text, std::size_t open) {
  int depth = 0;
  for (std::size_t at = open; at < text.size(); ++at) {
    if (text[at] == '(') ++depth;
    if (text[at] == ')' && --depth == 0) return at;
  }
  return text.size();
}

std::optional<std::string> ExerciseReader::Applied(std::string_view text, const Definitions& functions,
                                                   std::string_view argument) {
  std::string out;
  bool found = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const std::string name(1, text[at]);
    const auto function = functions.find(name);
    const std::size_t open = at + 1;
    const bool has_argument = open < text.size() && text[open] == '(';
    if (function != functions.end() && (has_argument || !argument.empty())) {
      std::string inside(argument);
      if (has_argument && argument.empty()) {
        const std::size_t close = Closing(text, open);
        const std::string_view between = text.substr(open + 1, close - open - 1);
        inside = Applied(between, functions, {}).value_or(std::string(between));
        at = close;
      }
      const book::Ptr body = book::ReadTree(function->second.body);
      out += "(" + book::TextOf(book::Substitute(body, function->second.letter, book::ReadTree(inside))) + ")";
      constexpr std::size_t kMaxLength = 1'500;
      if (out.size() > kMaxLength) throw book::Refusal{"this becomes too long"};
      found = true;
      continue;
    }
    // (f + g)(x), where only names and signs stand in the bracket
    const std::size_t close = text[at] == '(' ? Closing(text, at) : text.size();
    if (argument.empty() && close + 1 < text.size() && text[close + 1] == '(') {
      const std::string_view names = text.substr(at + 1, close - at - 1);
      const std::size_t end = Closing(text, close + 1);
      std::string inside(text.substr(close + 2, end - close - 2));
      const bool only_names = std::all_of(names.begin(), names.end(), [&](char c) {
        return functions.contains(std::string(1, c)) || std::string_view("+-*/").find(c) != std::string_view::npos;
      });
      if (names.size() == 3 && names[1] == '@') {
        inside = fmt::format("{}({}({}))", names[0], names[2], inside);
        if (const auto applied = Applied(inside, functions, {})) out += "(" + *applied + ")";
        found = true;
        at = end;
        continue;
      }
      if (only_names) {
        if (const auto applied = Applied(names, functions, inside)) out += "(" + *applied + ")";
        found = true;
        at = end;
        continue;
      }
    }
    out += text[at];
  }
  return found ? std::optional(out) : std::nullopt;
}

std::optional<std::string> ExerciseReader::FindFunction() {
  Definitions functions;
  std::vector<std::string> others;
  for (const std::string& piece : math_) {
    std::string text = piece;
    std::erase(text, ' ');
    std::size_t at = 0;
    const auto defines = [&] {
      return (at == 0 || !IsLetter(text[at - 1])) && IsLetter(text[at]) && text[at + 1] == '(' && IsLetter(text[at + 2]) &&
             text[at + 3] == ')' && text[at + 4] == '=';
    };
    while (at + 5 < text.size() && !defines()) ++at;
    const bool again = at + 5 < text.size() && functions.contains(text.substr(at, 1));
    if (at + 5 >= text.size() || again) {
      others.push_back(text);
      continue;
    }
    if (at > 0) others.push_back(text.substr(0, at));
    const std::vector<std::string> parts = book::SplitAt(std::string_view(text).substr(at + 5), ",");
    functions[text.substr(at, 1)] = {text.substr(at + 2, 1), parts[0]};
    for (std::size_t i = 1; i < parts.size(); ++i) others.push_back(parts[i]);
  }
  if (functions.empty()) return std::nullopt;
  // f^(-1) is the inverse, and no power.
  if (std::any_of(others.begin(), others.end(), [](const std::string& text) {
        return text.find("^(-1)(") != std::string::npos || text.find("^-1(") != std::string::npos;
      })) {
    if (functions.size() != 1 || others.size() != 1 || !others[0].ends_with("(x)")) {
      throw book::Refusal{"the inverse is found of a number, or of one function that takes no value twice"};
    }
    math_ = {"y = " + functions.begin()->second.body};
    return FindInverse();
  }
  const auto& [name, definition] = *functions.begin();
  std::set<std::string> asked;
  std::string value;  // of the letter
  for (std::string& text : others) {
    while (!text.empty() && std::string_view(",.:").find(text.back()) != std::string_view::npos) text.pop_back();
    // "solve g(m) = 2"
    const std::string again = name + "(" + definition.letter + ")=";
    if (text.starts_with(again) && SaysAny("solve", "solving", "find", "determine") && functions.size() == 1) {
      return Equation(definition.letter, definition.body + " = " + text.substr(again.size()));
    }
    if (text.empty() || text == definition.letter) continue;
    std::string letter;
    if (IsSetting(text, letter, value) && letter == definition.letter) continue;
    asked.insert(text);
  }
  if (functions.size() == 1 && asked.empty() && value.empty() && SaysAny("zeros", "zeroes")) {
    // Others may want the complex ones, too.
    const book::Relation zero{book::ReadTree(definition.body), "=", book::MakeNumber(0)};
    if (!letters_are_real_ && !HasOnlyRealRoots(zero, definition.letter)) {
      throw book::Refusal{"only real zeros are found here"};
    }
    return Equation(definition.letter, definition.body + " = 0");
  }
  if (functions.size() == 1 && asked.empty() && !value.empty()) asked.insert(name + "(" + value + ")");
  const bool asks = SaysAny("evaluate", "evaluating", "find", "finding", "what", "value", "given", "for", "determine",
                            "calculate", "compute", "simplify", "perform");
  if (asked.size() != 1 || !asks) throw book::Refusal{"of functions, one value or one expression is worked out at a time"};
  const std::string& text = *asked.begin();
  const std::string unit = RoundingUnit();
  const bool plain = functions.size() == 1 && text.starts_with(name + "(") && Closing(text, 1) + 1 == text.size();
  const std::string inside = plain ? text.substr(2, text.size() - 3) : std::string();
  if (plain && unit.empty() && inside != definition.letter && !Applied(inside, functions, {})) {
    return fmt::format("evaluate: {}; {} = {}", definition.body, definition.letter, inside);
  }
  // "f/g when x = 2"
  std::optional<std::string> applied = Applied(text, functions, {});
  if (!applied) applied = Applied(text, functions, value.empty() ? definition.letter : value);
  if (!applied || HasRelation(*applied) || (plain && inside == definition.letter)) {
    throw book::Refusal{"of functions, one value or one expression is worked out at a time"};
  }
  if (!unit.empty() && book::LettersOf(book::ReadTree(*applied)).empty()) return "round " + unit + ": " + *applied;
  return "simplify: " + *applied;
}

bool ExerciseReader::IsOddPower(const book::Ptr& exponent) {
  const book::Ptr& above = exponent->Is(book::Op::kQuotient) ? exponent->args[0] : exponent;
  return above->Is(book::Op::kNumber) && mp::numerator(above->number) % 2 != 0;
}

std::string ExerciseReader::FindInverse() const {
  const book::Refusal refusal{"the inverse is found of a number, or of one function that takes no value twice"};
  if (math_.size() != 1) throw refusal;
  std::string text = math_[0];
  std::erase(text, ' ');
  if (text.size() > 5 && IsLetter(text[0]) && text.compare(1, 4, "(x)=") == 0) text.replace(0, 4, "y");
  if (!text.starts_with("y=")) throw refusal;
  const book::Ptr body = book::ReadTree(text.substr(2));
  int places = 0;
  bool plain = true;
  const auto look = [&](const auto& self, const book::Ptr& part) -> void {
    if (part->Is(book::Op::kLetter) && part->name == "x") ++places;
    const bool power = part->Is(book::Op::kPower) && book::HasLetter(part->args[0], "x");
    if (power && !IsOddPower(part->args[1])) plain = false;
    if (part->Is(book::Op::kAbs)) plain = false;
    for (const book::Ptr& arg : part->args) self(self, arg);
  };
  look(look, body);
  const auto is_line = [](const book::Ptr& part) {
    const auto c = book::CoefficientsOf(book::ValueOf(part), "x");
    return c && c->size() <= 2;
  };
  const bool quotient = body->Is(book::Op::kQuotient) && is_line(body->args[0]) && is_line(body->args[1]);
  if (!quotient && (places != 1 || !plain)) throw refusal;
  if (book::LettersOf(body) != std::set<std::string>{"x"}) throw refusal;
  return "solve y: x = " + book::TextOf(book::Substitute(body, "x", book::ReadTree("y")));
}

}  // namespace conpole
