#include "domains/school/textbook_problems.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "domains/school/textbook.h"
#include "domains/school/textbook_value.h"
#include "util/random.h"
#include "util/text.h"

namespace conpole::textbook {
namespace {

// A shape of exercises. #0 to #9 are numbers from 1, $0 to $9 from 2, @0 to @9 other than 0, &0 to &9 from 2 to 5; the same
// sign and digit is the same number. ? is one of <, >, <= and >=. What stands in the bracket after ~ is multiplied out.
struct Shapes {
  std::string_view family;
  std::vector<std::string_view> shapes;
};

const std::vector<Shapes>& AllShapes() {
  static const std::vector<Shapes> all{
      {"collecting",
       {"simplify: #0x + #1y + @2x - #3y", "simplify: #0x^2 + @1x + @2 + @3x^2 + @4x", "simplify: @0(#1x + @2) - #3(x + @4)",
        "simplify: #0/$1 * x + #2/$3 * x - @4", "simplify: #0x^2y + @1xy^2 + @2x^2y + @3"}},
      {"expanding",
       {"expand: (#0x + @1)(#2x + @3)", "expand: @0x(#1x^2 + @2x + @3)", "expand: (#0x + @1y)^2", "expand: (x + @0)^3",
        "expand: (#0x + @1)(x^2 + @2x + @3)", "expand: (#0x - #1y)(#0x + #1y)", "expand: #0(x + @1)(x + @2) - (x + @3)^2"}},
      {"factoring",
       {"factor: ~((#0x + @1)(#2x + @3))", "factor: ~(#4(x + @1)(x + @2))", "factor: ~((#0x + @1)^2)",
        "factor: ~((#0x - #1y)(#0x + #1y))", "factor: ~((&0x + @1)(&0^2 * x^2 - &0 * @1 * x + @1^2))",
        "factor: ~((#0x^2 + @1)(x + @2))", "factor: ~(x^2y(#0x + @1y))", "factor: ~((x + @0)(y + @1))",
        "factor: ~((x^2 + @0)(x^2 + @1))", "factor: #0x^2 + @1x + @2", "common: ~(#0x^2(#1x + @2y))"}},
      {"exponent-laws",
       {"simplify: @0x^#1 * x^#2y", "simplify: (@0x^&1y^&2)^&3", "simplify: #0x^#1y^#2/($3x^#4y^#5)",
        "simplify: (#0x^(-&1)y^&2)^(-&3)", "simplify: (x^&0/y^&1)^&2 * y^#3", "simplify: x^(#0/$1) * x^(#2/$3)",
        "simplify: (x^(#0/$1))^(&2/&3)"}},
      {"rational-expressions",
       {"simplify: (~((x + @0)(x + @1)))/(~((x + @0)(x + @2)))", "simplify: #0/(x + @1) + @2/(x + @3)",
        "simplify: (~((x + @0)(x + @1)))/(~((x + @1)(x + @2))) * (x + @2)/(x + @3)", "simplify: #0x/(x + @1) - #2/(x^2)",
        "simplify: (#0/x + #1)/(#2/x - #3)", "simplify: ((x + @0)/(x + @1))/((x + @0)/(#2x))",
        "simplify: #0/(~((x - #1)(x + #1))) + @2/(x - #1)"}},
      {"dividing",
       {"divide: (~((x + @0)(#1x^2 + @2x + @3) + @4))/(x + @0)", "divide: (#0x^3 + @1x^2 + @2x)/($3x)",
        "divide: (#0x^3 + @1x + @2)/(x + @3)", "divide: (x^4 + @0x^2 + @1)/(x^2 + @2x + @3)"}},
      {"roots",
       {"simplify: sqrt(~(#0 * #1^2))", "simplify: #0sqrt(~(#1 * #2^2)) + @3sqrt(#1)",
        "simplify: (#0 + sqrt(#1))(@2 - sqrt(#1))", "simplify: #0/(#1 + sqrt($2))", "simplify: #0/sqrt($1)",
        "simplify: cbrt(~(@0 * &1^3))", "simplify: (~(&0^6))^(&1/6)", "simplify: root(4, ~(&0^4 * #1))",
        "simplify: sqrt(#0) * sqrt(#1) - sqrt(~(#0 * #1))", "simplify: (sqrt(#0) + @1sqrt(#2))^2", "simplify: sqrt(#0/$1)",
        "simplify: (#0/$1)^(-&2)"}},
      {"radicals",
       {"simplify: sqrt(~(#0 * #1^2)x^#2)", "simplify: cbrt(~(#0 * &1^3)x^#2y^#3)", "simplify: sqrt(#0x) * sqrt(#1x^&2)",
        "simplify: sqrt(~(#0 * #1^2)x^3) + x * sqrt(#0x)", "simplify: (sqrt(x) + @0)(sqrt(x) + @1)", "simplify: #0/sqrt(x)",
        "simplify: sqrt(#0x^#1)/sqrt(#2x)", "simplify: root(4, x^#0y^#1)", "simplify: #0/(sqrt(x) + #1)"}},
      {"absolute-values",
       {"simplify: @0 - #1abs(@2 + @3)", "simplify: abs(@0 - #1) - abs(@2 * @3)", "simplify: abs(@0)/abs(@1) - @2"}},
      {"complex-numbers",
       {"simplify: (@0 + @1i)(@2 + @3i)", "simplify: (@0 + @1i)/(@2 + @3i)", "simplify: i^#0 - @1",
        "simplify: sqrt(-#0) * sqrt(-#1)", "simplify: (@0 + @1i) - (@2 + @3i)", "simplify: (@0 + @1i)^2",
        "simplify: sqrt(-#0) + @1i"}},
      {"logarithms",
       {"simplify: log(&0, ~(&0^&1))", "condense: log(&0, x) + #1log(&0, y) - log(&0, z)", "spread: ln(x^#0y^#1/z)",
        "simplify: ln(e^#0) + @1", "simplify: log(&0, #1) + log(&0, #2)", "spread: log(&0, &0 * sqrt(x)y^#1)",
        "condense: #0ln(x) - #1ln(x + #2)"}},
      {"evaluating",
       {"evaluate: #0x^2 + @1x + @2; x = @3", "evaluate: (x + @0y)/(#1x - y); x = @2, y = @3",
        "evaluate: abs(x - #0) - #1; x = @2", "evaluate: #0x^3 - xy; x = @1/$2, y = @3", "evaluate: sqrt(x^2 + #0); x = @1"}},
      {"formulas",
       {"solve y: #0x + @1y = @2", "solve h: A = 1/2 * h(b + c)", "solve t: d = rt + #0", "solve r: A = P(1 + #0r)",
        "solve x: a/x + #0b = c", "solve b: a = #0(b + c)/d", "solve r: V = #0 * pi * r^2h",
        "solve x: y = (#0x + @1)/(x + @2)"}},
      {"systems",
       {"solve x, y: #0x + @1y = @2; @3x + #4y = @5", "solve x, y: y = @0x + @1; #2x + @3y = @4",
        "solve x, y, z: x + @0y + @1z = @2; @3x + y - z = @4; #5x - y + @6z = @7",
        "solve x, y: #0x + @1y = @2; ~($3 * #0)x + ~($3 * @1)y = @4", "solve x, y: x/$0 + y/$1 = @2; #3x - y = @4"}},
      {"nonlinear-systems",
       {"solve x, y: y = x^2 + @0x; y = @1x + @2", "solve x, y: x^2 + y^2 = ~(#0^2 + #1^2); y = x + ~(#1 - #0)",
        "solve x, y: xy = @0; x + y = @1", "solve x, y: x^2 + y^2 = ~(#0^2 + #1^2); x^2 - y^2 = ~(#0^2 - #1^2)"}},
      {"absolute-equations",
       {"solve x: #0abs(#1x + @2) + @3 = @4", "solve x: abs(#0x + @1) = abs(#2x + @3)", "solve x: abs(#0x + @1) = #2x + @3"}},
      {"radical-equations",
       {"solve x: sqrt(#0x + @1) = #2", "solve x: sqrt(#0x + @1) + @2 = x", "solve x: sqrt(x + #0) - sqrt(x) = #1",
        "solve x: cbrt(#0x + @1) = @2", "solve x: (#0x + @1)^(2/3) = #2", "solve x: sqrt(#0x + @1) = sqrt(#2x + @3)",
        "solve x: x + @0sqrt(x) + @1 = 0"}},
      {"exponential-equations",
       {"solve x: &0^(#1x + @2) = ~(&0^&3)", "solve x: &0^x = #1", "solve x: #0e^(#1x) = #2", "solve x: &0^(x + @1) = $2^x",
        "solve x: e^(2x) + @0e^x + @1 = 0", "solve x: ~(&0^2)^(x + @1) = &0^(#2x)"}},
      {"logarithmic-equations",
       {"solve x: log(&0, #1x + @2) = &3", "solve x: ln(x) + ln(x + @0) = ln(#1)", "solve x: log(x + @0) - log(x) = log(#1)",
        "solve x: 2ln(x) = ln(#0)", "solve x: log(&0, x) + log(&0, x + @1) = 1", "solve x: #0ln(#1x + @2) = @3"}},
      {"linear-inequalities",
       {"solve x: @0x + @1 ? @2x + @3", "solve x: @0(x + @1) ? @2", "solve x: x/$0 + @1 ? #2/$3",
        "solve x: (#0x + @1)/(-$2) ? @3"}},
      {"quadratic-inequalities",
       {"solve x: ~((x + @0)(#1x + @2)) ? 0", "solve x: x^2 + @0x ? @1", "solve x: -x^2 + @0x + @1 ? 0", "solve x: x^3 ? #0x",
        "solve x: (x + @0)/(x + @1) ? @2", "solve x: #0/(~((x + @1)(x + @2))) ? 0", "solve x: #0/x ? @1 - x"}},
      {"compound-inequalities",
       {"solve x: -#0 < #1x + @2 <= #3", "solve x: #0x + @1 ? @2 or @3x + @4 ? @5",
        "solve x: #0x + @1 ? @2 and @3x + @4 ? @5"}},
      {"absolute-inequalities",
       {"solve x: abs(#0x + @1) ? @2", "solve x: #0abs(x + @1) + @2 ? @3", "solve x: abs(#0x + @1) ? #2x + @3"}},
      {"numbers",
       {"round 10: ~(#0 * 37 + #1 * 1001)", "round 0.1: #0.#1#2", "round 0.001: sqrt($0)",
        "gcf: ~(#0 * #1), ~(#0 * #2), ~(#0 * #3)", "lcm: #0, #1, #2", "primes: ~($0 * $1 * $2)", "compare: @0/$1 ? @2/$3",
        "scientific: ~(#0 * 1300)", "scientific: 0.000#0", "standard: #0.#1 * 10^(-&2)", "decimal: #0/~(2^&1 * 5)",
        "percent: #0/~(2^&1)", "fraction: #0.#1#2", "gcf: ~(#0 * #1)x^#2y, ~(#0 * #3)x^#4y^#5", "logarithmic: &0^&1 = ~(&0^&1)",
        "exponential: log(&0, x) = @1"}}};
  return all;
}

class ShapeFiller {
 public:
  ShapeFiller(std::int64_t max_number, Random& random) : random_(random), max_(std::max<std::int64_t>(max_number, 3)) {}

  std::string Fill(std::string_view shape) {
    std::string out;
    for (std::size_t at = 0; at < shape.size(); ++at) {
      const char c = shape[at];
      const bool numbered = at + 1 < shape.size() && IsDigit(shape[at + 1]);
      if (std::string_view("#$@&").find(c) != std::string_view::npos && numbered) {
        out += Number(shape.substr(at++, 2));
      } else if (c == '?' && shape.find("compare") == std::string_view::npos) {
        constexpr std::array<std::string_view, 4> kSigns{"<", ">", "<=", ">="};
        out += kSigns.at(static_cast<std::size_t>(random_.Uint64(0, kSigns.size())));
      } else if (c == '~') {
        int depth = 0;
        std::size_t end = at + 1;
        for (; end < shape.size(); ++end) {
          if (shape[end] == '(') ++depth;
          if (shape[end] == ')' && --depth == 0) break;
        }
        out += TextOf(Normal(ReadTree(Fill(shape.substr(at + 1, end - at)))));
        at = end;
      } else {
        out += c;
      }
    }
    return out;
  }

 private:
  const std::string& Number(std::string_view name) {
    const auto [found, fresh] = numbers_.emplace(std::string(name), "");
    if (!fresh) return found->second;
    const std::int64_t low = name[0] == '$' || name[0] == '&' ? 2 : 1;
    const std::int64_t high = name[0] == '&' ? 5 : max_;
    const std::int64_t size = random_.Int64(low, high + 1);
    const bool negative = name[0] == '@' && random_.Coin();
    found->second = negative ? fmt::format("(-{})", size) : std::to_string(size);
    return found->second;
  }

  Random& random_;
  std::int64_t max_;
  std::map<std::string, std::string, std::less<>> numbers_;
};

// As people write it: - 3x in place of + (-3)x, x in place of 1x and of x^1.
std::string WithoutOnes(std::string text) {
  const auto at = [&](std::size_t i) { return i < text.size() ? text[i] : ' '; };
  const auto digits_end = [&](std::size_t i) {
    while (IsDigit(at(i))) ++i;
    return i;
  };
  const auto factor = [&](std::size_t i) { return IsLetter(at(i)) || at(i) == '('; };
  for (std::size_t i = 0; i < text.size(); ++i) {
    // A negative factor at the beginning of a term.
    const std::size_t end = digits_end(i + 2);
    const bool bracket =
        at(i) == '(' && at(i + 1) == '-' && end > i + 2 && at(end) == ')' && (factor(end + 1) || at(end + 1) == '/');
    if (bracket && (i == 0 || text.compare(i - 1, 1, "(") == 0 || text.compare(i - 2, 2, "= ") == 0 ||
                    text.compare(i - 2, 2, ": ") == 0 || text.compare(i - 2, 2, "; ") == 0)) {
      text.erase(end, 1);
      text.erase(i, 1);
    } else if (bracket && i > 2 && (text.compare(i - 3, 3, " + ") == 0 || text.compare(i - 3, 3, " - ") == 0)) {
      text[i - 2] = text[i - 2] == '+' ? '-' : '+';
      text.erase(end, 1);
      text.erase(i, 2);
    }
    const bool one = at(i) == '1' && (i == 0 || (!IsDigit(at(i - 1)) && at(i - 1) != '.' && !IsLetter(at(i - 1))));
    if (one && i > 0 && at(i - 1) == '^' && !IsDigit(at(i + 1)) && at(i + 1) != '.') {
      text.erase(--i, 2);
    } else if (one && factor(i + 1)) {
      text.erase(i, 1);
    }
  }
  return text;
}

// Whether its lines lead to an answer, and there is at least one.
bool IsSolvable(const std::string& state) {
  constexpr int kMaxLines = 40;
  std::string line = state;
  for (int i = 0; i < kMaxLines; ++i) {
    const Following next = FollowingLine(line);
    if (next.refusal) return false;
    if (next.state.empty()) return i > 0;
    line = next.state;
  }
  return false;
}

}  // namespace

const std::vector<std::string_view>& ExerciseFamilies() {
  static const std::vector<std::string_view> names = [] {
    std::vector<std::string_view> all;
    for (const Shapes& shapes : AllShapes()) all.push_back(shapes.family);
    return all;
  }();
  return names;
}

std::optional<std::size_t> FindExerciseFamily(std::string_view name) {
  const std::vector<std::string_view>& names = ExerciseFamilies();
  if (name == kAllExercises) return names.size();
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return std::nullopt;
  return static_cast<std::size_t>(found - names.begin());
}

std::string MakeExercise(std::size_t family, std::int64_t max_number, std::uint64_t seed) {
  Random random(seed);
  const std::vector<Shapes>& all = AllShapes();
  if (family == all.size()) family = static_cast<std::size_t>(random.Uint64(0, all.size()));
  const auto& shapes = all.at(family).shapes;
  // What is drawn may divide by zero, have no answer that can be written, or be done already; then the next is drawn.
  for (;;) {
    const std::string_view shape = shapes.at(static_cast<std::size_t>(random.Uint64(0, shapes.size())));
    try {
      const Exercise drawn = Canonical(ReadExercise(ShapeFiller(max_number, random).Fill(shape)));
      std::string state = TextOf(Canonical(ReadExercise(WithoutOnes(TextOf(drawn)))));
      if (IsSolvable(state)) return state;
    } catch (const Refusal&) {
      continue;
    }
  }
}

}  // namespace conpole::textbook
