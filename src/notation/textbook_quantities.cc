#include "notation/textbook_reader.h"

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "domains/school/textbook.h"

namespace conpole {

std::string ExerciseReader::RoundingUnit() const {
  if (!SaysAny("round", "rounded", "rounding", "nearest") && !(Says("decimal") && Says("places"))) return {};
  if (SaysAny("up", "down")) throw book::Refusal{"numbers are rounded to the nearest one only"};
  struct Place {
    std::string_view word;
    std::string_view unit;
  };
  constexpr Place kPlaces[] = {
      {"tenth", "0.1"},         {"hundredth", "0.01"}, {"thousandth", "0.001"}, {"hundred", "100"},     {"thousand", "1000"},
      {"million", "1000000"},   {"ten", "10"},         {"tenths", "0.1"},       {"hundredths", "0.01"}, {"hundreds", "100"},
      {"thousands", "1000"},    {"tens", "10"},        {"ones", "1"},           {"integer", "1"},       {"whole", "1"},
      {"thousandths", "0.001"}, {"cent", "0.01"},      {"dollar", "1"}};
  constexpr Place kDecimals[] = {{"one", "0.1"}, {"two", "0.01"}, {"three", "0.001"}, {"four", "0.0001"}, {"five", "0.00001"}};
  if (SaysAny("places", "place") && SaysAny("decimal", "decinal", "decimals")) {
    for (const Place& place : kDecimals) {
      if (Says(place.word)) return std::string(place.unit);
    }
  }
  if (Plans("ten thousand") || Plans("ten thousands")) return "10000";
  if (Plans("hundred thousand") || Plans("hundred thousands")) return "100000";
  std::string unit;
  for (const Place& place : kPlaces) {
    // "How to round whole numbers" names no place.
    if (!Says(place.word) || (place.unit == "1" && !unit.empty())) continue;
    if (!unit.empty() && unit != place.unit) throw book::Refusal{"it is not clear to which place to round"};
    unit = place.unit;
  }
  return unit;
}

std::optional<std::string> ExerciseReader::FindUnits() const {
  struct Unit {
    std::string_view names;
    char kind;  // length, mass, volume or time
    char system;
    std::string_view size;  // in the first unit of its kind and system
  };
  constexpr Unit kUnits[] = {{" inch inches ", 'l', 'u', "1"},
                             {" foot feet ft ", 'l', 'u', "12"},
                             {" yard yards yd ", 'l', 'u', "36"},
                             {" mile miles mi ", 'l', 'u', "63360"},
                             {" millimeter millimeters mm ", 'l', 'm', "1/1000"},
                             {" centimeter centimeters cm ", 'l', 'm', "1/100"},
                             {" meter meters m ", 'l', 'm', "1"},
                             {" kilometer kilometers km ", 'l', 'm', "1000"},
                             {" ounce ounces oz ", 'm', 'u', "1"},
                             {" pound pounds lb lbs ", 'm', 'u', "16"},
                             {" ton tons ", 'm', 'u', "32000"},
                             {" milligram milligrams mg ", 'm', 'm', "1/1000"},
                             {" gram grams g ", 'm', 'm', "1"},
                             {" kilogram kilograms kg ", 'm', 'm', "1000"},
                             {" teaspoon teaspoons ", 'v', 'u', "1"},
                             {" tablespoon tablespoons ", 'v', 'u', "3"},
                             {" cup cups ", 'v', 'u', "48"},
                             {" pint pints pt ", 'v', 'u', "96"},
                             {" quart quarts qt ", 'v', 'u', "192"},
                             {" gallon gallons gal ", 'v', 'u', "768"},
                             {" milliliter milliliters ml mL ", 'v', 'm', "1/1000"},
                             {" liter liters l L ", 'v', 'm', "1"},
                             {" second seconds sec ", 't', 'u', "1"},
                             {" minute minutes min ", 't', 'u', "60"},
                             {" hour hours hr h ", 't', 'u', "3600"},
                             {" day days ", 't', 'u', "86400"},
                             {" week weeks ", 't', 'u', "604800"}};
  // Between the systems, as books round them: how many of the first unit of the one make the named unit of the other.
  struct Bridge {
    char kind;
    std::string_view to_metric;
    std::string_view to_customary;
  };
  constexpr Bridge kBridges[] = {
      {'l', "2.54/100", "3.28 * 12"}, {'m', "0.45 * 1000/16", "2.2 * 16/1000"}, {'v', "0.95/192", "1.06 * 192"}};
  if (!SaysAny("convert", "write", "express", "change") && !(Says("how") && Says("many"))) return std::nullopt;
  if (SaysAny("per", "each", "every", "if")) return std::nullopt;
  const Unit* from = nullptr;
  std::set<const Unit*> others;
  std::string number;
  const TextPiece* after_number = nullptr;
  for (const TextPiece& piece : pieces_) {
    // "500 mL": the number, and what stands after it.
    const std::size_t end = std::min(piece.is_word ? 0 : piece.text.find_first_not_of("0123456789./() "), piece.text.size());
    if (end > 0 && (!number.empty() || from != nullptr)) return std::nullopt;
    if (end > 0) number = piece.text.substr(0, end);
    const std::string name = fmt::format(" {} ", piece.text.substr(end));
    const Unit* const unit = std::find_if(std::begin(kUnits), std::end(kUnits),
                                          [&](const Unit& known) { return known.names.find(name) != std::string_view::npos; });
    if (unit == std::end(kUnits)) {
      if (!piece.is_word && end < piece.text.size()) return std::nullopt;
    } else if (from == nullptr && !number.empty() && (end > 0 || &piece == after_number)) {
      from = unit;
    } else {
      others.insert(unit);
    }
    after_number = end > 0 && end == piece.text.size() ? &piece + 1 : nullptr;
  }
  if (from == nullptr || others.size() != 1) return std::nullopt;
  const Unit& to = **others.begin();
  if (to.kind != from->kind || &to == from) return std::nullopt;
  const std::string unit = RoundingUnit();
  std::string value = fmt::format("({}) * ({})", number, from->size);
  if (to.system != from->system) {
    const Bridge* const bridge =
        std::find_if(std::begin(kBridges), std::end(kBridges), [&](const Bridge& known) { return known.kind == to.kind; });
    if (unit.empty() || bridge == std::end(kBridges)) throw book::Refusal{"between these units, say how to round"};
    // A kilometer is 0.62 miles, and a mile 1.61 kilometers.
    const bool far = to.size == "63360" || to.size == "1000";
    if (to.kind == 'l' && far != (from->size == "63360" || from->size == "1000"))
      throw book::Refusal{"between these units, there is no common rule"};
    if (to.kind == 'l' && far) {
      value = fmt::format("({}) * {}", number, from->system == 'm' ? "0.62" : "1.61");
      return fmt::format("round {}: {}", unit, value);
    }
    value += fmt::format(" * {}", from->system == 'm' ? bridge->to_customary : bridge->to_metric);
  }
  value += fmt::format("/({})", to.size);
  return (unit.empty() ? "simplify: " : "round " + unit + ": ") + value;
}

std::optional<std::string> ExerciseReader::FindCommon() const {
  const bool common = Says("common");
  const bool denominator = Says("lcd") || (SaysAny("least", "lowest", "smallest") && common && Says("denominator"));
  const bool factor = SaysAny("gcf", "gcd") || (common && SaysAny("greatest", "largest") && SaysAny("factor", "divisor"));
  const bool multiple = Says("lcm") || (SaysAny("least", "lowest", "smallest") && SaysAny("common", "multiple"));
  std::vector<std::string> parts;
  for (const std::string& piece : math_) {
    if (HasRelation(piece)) return std::nullopt;
    for (const std::string& part : book::SplitAt(piece, ",")) {
      if (!part.empty()) parts.push_back(part);
    }
  }
  if ((!denominator && !factor && !multiple) || parts.size() < 2) return std::nullopt;
  if (SaysAny("gcf", "gcd") && Says("lcm")) throw book::Refusal{"ask for the factor or for the multiple, one at a time"};
  std::string text;
  for (const std::string& part : parts) {
    book::Ptr tree = book::ReadTree(part);
    if (denominator) {
      if (tree->Is(book::Op::kNegation)) tree = tree->args[0];
      if (!tree->Is(book::Op::kQuotient)) throw book::Refusal{"a common denominator is found of fractions"};
      tree = tree->args[1];
    }
    text += (text.empty() ? "" : ", ") + book::TextOf(tree);
  }
  return (factor && !denominator ? "gcf: " : "lcm: ") + text;
}

std::string ExerciseReader::ReadGap(const std::string& plain, std::size_t gap) {
  std::size_t end = gap;
  while (end < plain.size() && plain[end] == '_') ++end;
  std::vector<TextPiece> left = SplitIntoPieces(plain.substr(0, gap));
  std::vector<TextPiece> right = SplitIntoPieces(plain.substr(end));
  std::string before;
  for (const TextPiece& piece : left) {
    if (!piece.is_word) before = piece.text;
  }
  const std::size_t colon = before.rfind(':');
  if (colon != std::string::npos) before = before.substr(colon + 1);
  // "using < or > -1 ___ 9"
  before.erase(0, std::min(before.find_first_not_of("<>=,. "), before.size()));
  const std::string after = right.empty() || right.front().is_word ? std::string() : right.front().text;
  if (before.find("=") != std::string::npos && after == "%") return "percent: " + before.substr(0, before.find('='));
  const bool one_gap = plain.find("__", end) == std::string::npos;
  if (before.empty() || after.empty() || right.size() != 1 || !one_gap)
    throw book::Refusal{"expected two numbers around the gap"};
  return "compare: " + before + " ? " + after;
}

std::optional<std::string> ExerciseReader::FindNumberTask() {
  // "What is 5 less than 8" asks for something else.
  const bool which = SaysAny("which", "or", "whether", "order") || (Says("is") && !SaysAny("what", "how"));
  const bool compares = Says("compare") || (which && SaysAny("greater", "larger", "smaller", "less"));
  const auto is_constant = [](const std::string& text) {
    return !HasRelation(text) && text.find(',') == std::string::npos && book::LettersOf(book::ReadTree(text)).empty();
  };
  if (compares && math_.size() == 2 && is_constant(math_[0]) && is_constant(math_[1])) {
    return fmt::format("compare: {} ? {}", math_[0], math_[1]);
  }
  const bool numbers = std::all_of(math_.begin(), math_.end(), [&](const std::string& text) {
    return text.find_first_not_of("0123456789., -+*/^()%") == std::string::npos;
  });
  if (!numbers) {
    return std::nullopt;
  }
  if (const std::optional<std::string> percent = FindPercent()) return percent;
  if (std::optional<std::string> place = FindPlaceValue()) return place;
  if (math_.size() != 1) return std::nullopt;
  if (Says("its") || (SaysAny("sum", "product", "difference") && SaysAny("reciprocal", "opposite"))) return std::nullopt;
  // Not "by multiplying by the reciprocal".
  const auto asks_for = [&](const std::string& name) { return PlansAlone(name + " of #") || PlansAlone(name + " #"); };
  if (asks_for("reciprocal") || asks_for("multiplicative inverse")) return "simplify: 1/(" + math_[0] + ")";
  if ((asks_for("opposite") && !Plans("adding opposite")) || asks_for("additive inverse"))
    return "simplify: -(" + math_[0] + ")";
  if (SaysAny("prime", "primes") || SaysAny("factor", "factorization")) return "primes: " + math_[0];
  const std::size_t power = math_[0].find("10^");
  const bool is_scientific = power != std::string::npos && math_[0].find("10^", power + 1) == std::string::npos;
  if (Says("scientific")) return (is_scientific || Says("standard") ? "standard: " : "scientific: ") + math_[0];
  if (Says("standard") && SaysAny("notation", "form") && power != std::string::npos) return "standard: " + math_[0];
  if (SaysAny("convert", "write", "express", "change", "rewrite")) {
    if (const std::string unit = RoundingUnit(); Says("decimal") && !unit.empty()) return "round " + unit + ": " + math_[0];
    if (AsksForTwoForms()) throw book::Refusal{"ask for one form at a time"};
    if (math_[0].find('%') != std::string::npos) return (Says("fraction") ? "fraction: " : "decimal: ") + math_[0];
    if (SaysAny("percent", "percentage")) return "percent: " + math_[0];
    if (Says("decimal") && (math_[0].find('.') == std::string::npos || power != std::string::npos)) {
      return "decimal: " + math_[0];
    }
    if (Says("fraction") && math_[0].find('.') != std::string::npos) return "fraction: " + math_[0];
  }
  return std::nullopt;
}

bool ExerciseReader::AsksForTwoForms() const {
  const auto is_form = [](const TextPiece& piece) {
    return piece.text == "fraction" || piece.text == "decimal" || piece.text == "percent" || piece.text == "percentage" ||
           piece.text == "mixed";
  };
  for (std::size_t i = 1; i + 1 < pieces_.size(); ++i) {
    std::size_t next = i + 1;
    while (next + 1 < pieces_.size() && (pieces_[next].text == "as" || pieces_[next].text == "a")) ++next;
    if (pieces_[i].text == "and" && is_form(pieces_[i - 1]) && is_form(pieces_[next])) return true;
  }
  return false;
}

bool ExerciseReader::AsksForMixed() const {
  const auto asks_for = [&](const std::string& form) {
    return Plans("as " + form) || Plans("to " + form) || Plans("into " + form) || Plans("in " + form);
  };
  return asks_for("mixed") && !asks_for("improper") && !SaysAny("or", "not");
}

std::optional<std::string> ExerciseReader::FindPlaceValue() const {
  if (!Says("place") || !Says("value") || math_.size() != 2) return std::nullopt;
  const bool first = math_[0].size() > math_[1].size();
  return fmt::format("place {}: {}", math_[first ? 1 : 0], math_[first ? 0 : 1]);
}

std::optional<std::string> ExerciseReader::FindPercent() {
  constexpr std::string_view kBeforePercent[] = {"find",      "compute",   "calculate", "evaluate",  "determine", "equations",
                                                 "exercises", "following", "problems",  "questions", "number",    "value",
                                                 "percent",   "simplify",  "percents",  "work",      "out"};
  std::string sentence;
  for (const TextPiece& piece : pieces_) {
    if (piece.is_word && (piece.text == "translate" || piece.text == "solve" || piece.text == "and")) continue;
    if (piece.is_word && piece.text == "amount") {
      sentence += sentence.ends_with(" what") ? " number" : " amount";
      continue;
    }
    sentence += (sentence.empty() ? "" : " ") + (piece.is_word ? piece.text : "#");
  }
  if (math_.size() != 2) return std::nullopt;
  const auto ends = [&](std::initializer_list<std::string_view> ways) {
    return std::any_of(ways.begin(), ways.end(), [&](std::string_view way) { return sentence.ends_with(way); });
  };
  // Not half of 30% of 60.
  const std::size_t end = sentence.rfind(" # of #");
  const std::string_view before = end == std::string::npos ? std::string_view() : std::string_view(sentence).substr(0, end);
  const bool order = std::any_of(std::begin(kBeforePercent), std::end(kBeforePercent), [&](std::string_view word) {
    return before == word || before.ends_with(" " + std::string(word));
  });
  const bool first = math_[0].find('%') != std::string::npos;
  const bool second = math_[1].find('%') != std::string::npos;
  const std::string& a = math_[0];
  const std::string& b = math_[1];
  if (first && !second &&
      (ends({"what number is # of #", "what is # of #", "find # of #", "# of # is what number", "# of # is what"}) ||
       sentence == "# of #" || (sentence.ends_with(" # of #") && order && !SaysAny("what", "is")))) {
    return fmt::format("evaluate: pr; p = {}, r = {}", a, b);
  }
  // As whole sentences: other words may ask for something else.
  for (const char* const lead : {"", "find ", "calculate ", "what is ", "what number is "}) {
    if (!first || second ||
        (sentence != lead + std::string("# more than #") && sentence != lead + std::string("# less than #"))) {
      continue;
    }
    return fmt::format("evaluate: a {} pa; a = {}, p = {}", Says("more") ? '+' : '-', b, a);
  }
  if (!first && second && ends({"# is # of what number", "# is # of what"})) {
    return fmt::format("evaluate: r/p; p = {}, r = {}", b, a);
  }
  if (first && !second && ends({"# of what number is #", "# of what is #"})) {
    return fmt::format("evaluate: r/p; p = {}, r = {}", a, b);
  }
  if (!first && !second && ends({"# is what percent of #", "# is what percentage of #"})) {
    return fmt::format("percent: ({})/({})", a, b);
  }
  if (!first && !second && ends({"what percent of # is #", "what percentage of # is #"})) {
    return fmt::format("percent: ({})/({})", b, a);
  }
  return std::nullopt;
}

}  // namespace conpole
