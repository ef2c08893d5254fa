#include "tests/invariants.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <cstdlib>
#include <map>
#include <utility>

#include <boost/multiprecision/cpp_int.hpp>

#include "tests/algebra_judge.h"
#include "verify/exercise_meaning.h"

namespace conpole {
namespace {

using Exact = boost::multiprecision::cpp_rational;
using boost::multiprecision::cpp_int;
using Fault = std::optional<std::string>;

// The value of canonical text of any of the three domains of terms, by recursive descent; nothing where it divides by zero.
class Evaluator {
 public:
  // Letters stand for rationals that depend on `point`.
  Evaluator(std::string_view text, int point, bool decimal) : text_(text), point_(point), decimal_(decimal) {}

  std::optional<Exact> Value() {
    std::optional<Exact> value = Expression();
    if (at_ != text_.size()) throw std::runtime_error("cannot evaluate " + std::string(text_));
    return value;
  }

 private:
  char Peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool Eat(std::string_view expected) {
    if (!text_.substr(at_).starts_with(expected)) return false;
    at_ += expected.size();
    return true;
  }
  void Need(std::string_view expected) {
    if (!Eat(expected)) throw std::runtime_error("cannot evaluate " + std::string(text_));
  }

  std::optional<Exact> Expression() {
    std::optional<Exact> left = Operand();
    for (const char op : std::string_view("+-*/")) {
      if (!Eat(std::string{' ', op, ' '})) continue;
      return Combine(op, left, Operand());
    }
    return left;
  }

  std::optional<Exact> Operand() {
    if (Eat("-")) return Combine('-', Exact(0), Operand());
    if (Eat("(")) {
      std::optional<Exact> inside = Expression();
      Need(")");
      return inside;
    }
    if (Eat("[")) {
      const std::optional<Exact> over = Expression();
      const bool written_out = Eat("]/[");  // [N]/[D], not the number [p/q]
      if (!written_out) Need("/");
      const std::optional<Exact> under = Expression();
      Need("]");
      return Times(Combine('/', over, under));
    }
    if (std::isdigit(static_cast<unsigned char>(Peek())) != 0) return Times(Integer());
    return Letter();
  }

  // A coefficient's variable, if one follows.
  std::optional<Exact> Times(std::optional<Exact> coefficient) {
    if (std::isalpha(static_cast<unsigned char>(Peek())) == 0) return coefficient;
    return Combine('*', coefficient, Letter());
  }

  Exact Letter() {
    const char letter = Peek();
    if (std::isalpha(static_cast<unsigned char>(letter)) == 0)
      throw std::runtime_error("cannot evaluate " + std::string(text_));
    ++at_;
    static const std::array<Exact, 5> points{Exact(37, 11), Exact(-101, 7), Exact(1, 13), Exact(-17, 19), Exact(1009)};
    return points.at(static_cast<std::size_t>(point_)) + Exact(3 * (letter - 'x'), 23);
  }

  Exact Integer() {
    const std::size_t start = at_;
    while (std::isdigit(static_cast<unsigned char>(Peek())) != 0) ++at_;
    cpp_int value{std::string(text_.substr(start, at_ - start))};
    if (decimal_) {
      Need("e");
      const std::size_t exponent = at_;
      while (std::isdigit(static_cast<unsigned char>(Peek())) != 0) ++at_;
      value *= pow(cpp_int(10), static_cast<unsigned>(std::stoul(std::string(text_.substr(exponent, at_ - exponent)))));
    }
    return Exact(value);
  }

  static std::optional<Exact> Combine(char op, const std::optional<Exact>& a, const std::optional<Exact>& b) {
    if (!a || !b || (op == '/' && *b == 0)) return std::nullopt;
    switch (op) {
      case '+':
        return Exact(*a + *b);
      case '-':
        return Exact(*a - *b);
      case '*':
        return Exact(*a * *b);
      default:
        return Exact(*a / *b);
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int point_;
  bool decimal_;
};

Fault Differs(const Exact& before, const Exact& after) {
  if (before == after) return std::nullopt;
  return "the value was " + before.str() + " and becomes " + after.str();
}

Fault KeepsValue(std::string_view state, std::string_view next, bool decimal) {
  const std::optional<Exact> before = Evaluator(state, 0, decimal).Value();
  const std::optional<Exact> after = Evaluator(next, 0, decimal).Value();
  if (!before || !after) return "a division by zero";
  return Differs(*before, *after);
}

Fault FractionStep(std::string_view state, std::string_view, std::string_view next) { return KeepsValue(state, next, false); }

Fault FractionProblem(std::string_view problem) {
  if (!Evaluator(problem, 0, false).Value()) return "a division by zero";
  return std::nullopt;
}

Fault MultiplicationStep(std::string_view state, std::string_view, std::string_view next) {
  return KeepsValue(state, next, true);
}

Fault MultiplicationProblem(std::string_view problem) {
  if (*Evaluator(problem, 0, true).Value() <= 0) return "a product of positive numbers that is not positive";
  return std::nullopt;
}

// Equations: a local axiom keeps both sides as functions, and an operation on both sides changes both as its label says. Where
// a side is not defined, there is nothing to keep.

struct Sides {
  std::string_view left;
  std::string_view right;
};

Sides SidesOf(std::string_view equation) {
  const std::size_t middle = equation.find(" = ");
  return {equation.substr(0, middle), equation.substr(middle + 3)};
}

Fault EquationStep(std::string_view state, std::string_view label, std::string_view next) {
  const Sides before = SidesOf(state);
  const Sides after = SidesOf(next);
  if (label == "refl") {
    if (before.left == after.right && before.right == after.left) return std::nullopt;
    return "the sides are not exchanged";
  }
  static const std::map<std::string_view, std::string_view> operations{
      {"add", " + "}, {"sub", " - "}, {"mul", " * "}, {"div", " / "}};
  const std::size_t blank = label.find(' ');
  const auto operation = operations.find(label.substr(0, blank));
  const auto expected = [&](std::string_view side) {
    if (operation == operations.end()) return std::string(side);
    std::string text = "(";
    text += side;
    text += operation->second;
    text += label.substr(blank + 1);
    return text += ')';
  };
  for (int point = 0; point < 5; ++point) {
    for (const auto& [old_side, new_side] : {std::pair(before.left, after.left), std::pair(before.right, after.right)}) {
      const std::optional<Exact> old_value = Evaluator(expected(old_side), point, false).Value();
      const std::optional<Exact> new_value = Evaluator(new_side, point, false).Value();
      if (!old_value) continue;
      if (!new_value) return "a division by zero where there was none";
      if (Fault fault = Differs(*old_value, *new_value)) return fault;
    }
  }
  return std::nullopt;
}

Fault EquationProblem(std::string_view problem) {
  if (std::count(problem.begin(), problem.end(), '=') != 1) return "not one '='";
  if (problem.find('x') == std::string_view::npos) return "no unknown";
  return std::nullopt;
}

// Algebra: algebra_judge.cc compares solutions.

Fault AlgebraStep(std::string_view state, std::string_view label, std::string_view next) {
  // Exercises begin with what to do.
  if (state.find(": ") == std::string_view::npos) return JudgeAlgebraStep(state, label, next);
  const std::optional<bool> same = SameExercise(state, next);
  if (!same) return "cannot be judged";
  return *same ? Fault() : Fault("does not mean the same");
}

Fault AlgebraProblem(std::string_view problem) {
  // The judge can read it, and finds that it is equal to itself.
  if (!SameAlgebra(problem, problem)) return "not equal to itself";
  return std::nullopt;
}

cpp_int TernaryValue(std::string_view state) {
  cpp_int value = 0;
  for (std::size_t at = 2; at + 1 < state.size(); at += 3) {
    value += (state[at] - 'a') * pow(cpp_int(3), static_cast<unsigned>(state[at + 1] - '0'));
  }
  return value;
}

Fault TernaryStep(std::string_view state, std::string_view, std::string_view next) {
  return Differs(Exact(TernaryValue(state)), Exact(TernaryValue(next)));
}

Fault TernaryProblem(std::string_view problem) {
  if (problem.size() < 5 || problem.size() > 3 * 14 + 2) return "not 1 to 14 digits";
  return std::nullopt;
}

std::vector<std::size_t> SortedBars(std::string_view state) {
  std::vector<std::size_t> bars{0};
  for (const char c : state) {
    if (c == '=') ++bars.back();
    if (c == '|') bars.push_back(0);
  }
  std::sort(bars.begin(), bars.end());
  return bars;
}

// What stands between the bars of a list of numbers, in a fixed order.
std::vector<std::string_view> ItemsOf(std::string_view state) {
  std::vector<std::string_view> items;
  for (std::size_t begin = 1; begin < state.size();) {
    const std::size_t end = std::min(state.find_first_of("|]", begin), state.size());
    items.push_back(state.substr(begin, end - begin));
    begin = end + 1;
  }
  std::sort(items.begin(), items.end());
  return items;
}

Fault SortingStep(std::string_view state, std::string_view, std::string_view next) {
  if (ItemsOf(state) != ItemsOf(next)) return "other items";
  if (SortedBars(state) != SortedBars(next)) return "other bars";
  return std::nullopt;
}

Fault SortingProblem(std::string_view problem) {
  const std::vector<std::size_t> bars = SortedBars(problem);
  for (std::size_t i = 0; i < bars.size(); ++i) {
    if (bars[i] != i + 1) return "not a permutation of 1, 2, ...";
  }
  return std::nullopt;
}

// The cube as a body in space: x to the right, y up, z to the front. A sticker is a position and the direction it faces.
using Vector = std::array<int, 3>;

Vector Cross(const Vector& a, const Vector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
int Dot(const Vector& a, const Vector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

struct Sticker {
  Vector position;
  Vector normal;
  friend bool operator==(const Sticker&, const Sticker&) = default;
};

constexpr std::size_t kCells = 54;

// The faces in the order of the text: up, down, left, right, back, front.
constexpr std::array<Vector, 6> kNormals{{{0, 1, 0}, {0, -1, 0}, {-1, 0, 0}, {1, 0, 0}, {0, 0, -1}, {0, 0, 1}}};

std::array<Sticker, kCells> MakeStickers() {
  std::array<Sticker, kCells> stickers;
  for (std::size_t cell = 0; cell < kCells; ++cell) {
    const std::size_t face = cell / 9;
    // Cells of a face are listed from left to right as one looks at it, and from its lower edge upwards; the lower edge of the
    // upper face is the front one, and that of the lower face the back one.
    const int across = static_cast<int>(cell % 9 / 3) - 1;
    const int up = static_cast<int>(cell % 3) - 1;
    const Vector normal = kNormals[face];
    const Vector upward = face == 0 ? Vector{0, 0, -1} : face == 1 ? Vector{0, 0, 1} : Vector{0, 1, 0};
    const Vector rightward = Cross(upward, normal);
    Vector position = normal;
    for (std::size_t k = 0; k < 3; ++k) position[k] += across * rightward[k] + up * upward[k];
    stickers[cell] = {position, normal};
  }
  return stickers;
}

const std::array<Sticker, kCells>& Stickers() {
  static const std::array<Sticker, kCells> stickers = MakeStickers();
  return stickers;
}

std::size_t CellOf(const Sticker& sticker) {
  return static_cast<std::size_t>(std::find(Stickers().begin(), Stickers().end(), sticker) - Stickers().begin());
}

// A quarter turn about a unit axis, clockwise as seen from outside.
Vector Rotate(const Vector& v, const Vector& axis) {
  const Vector cross = Cross(v, axis);
  Vector turned;
  for (std::size_t k = 0; k < 3; ++k) turned[k] = cross[k] + Dot(v, axis) * axis[k];
  return turned;
}

std::string CellsOf(std::string_view state) {
  std::string cells;
  std::copy_if(state.begin(), state.end(), std::back_inserter(cells), [](char c) { return c >= '0' && c <= '5'; });
  return cells;
}

std::string TurnedCells(const std::string& cells, const Vector& axis) {
  std::string turned = cells;
  for (std::size_t cell = 0; cell < kCells; ++cell) {
    const Sticker& sticker = Stickers()[cell];
    if (Dot(sticker.position, axis) != 1) continue;
    turned[CellOf({Rotate(sticker.position, axis), Rotate(sticker.normal, axis)})] = cells[cell];
  }
  return turned;
}

Fault CubeStep(std::string_view state, std::string_view label, std::string_view next) {
  constexpr std::string_view kNames = "UDLRBF";
  const std::size_t face = kNames.find(label[0]);
  if (face == std::string_view::npos) return "no such face";
  std::string cells = CellsOf(state);
  for (int quarter = label.substr(1) == "1" ? 1 : 3; quarter > 0; --quarter) cells = TurnedCells(cells, kNormals[face]);
  if (cells != CellsOf(next)) return "not what turning the body gives";
  return std::nullopt;
}

// Turns can reach a colouring from the solved cube if and only if its pieces are all there, corners and edges are permuted with
// equal parity, corner twists add up to 0 mod 3 and edge flips to 0 mod 2.
Fault CubeProblem(std::string_view problem) {
  const std::string cells = CellsOf(problem);
  const auto colour = [&](const Vector& position, std::size_t face) {
    return static_cast<std::size_t>(cells[CellOf({position, kNormals[face]})] - '0');
  };
  std::map<std::vector<std::size_t>, std::size_t> homes;  // the colours of a piece, sorted, and its place in the solved cube
  std::vector<std::vector<std::size_t>> pieces;           // by place, the colours that are there now, sorted
  int twist = 0;
  int flip = 0;
  for (int place = 0; place < 27; ++place) {
    const Vector position{place / 9 - 1, place / 3 % 3 - 1, place % 3 - 1};
    std::vector<std::size_t> faces;  // the first one is up or down, else back or front: what a piece's orientation refers to
    for (const std::size_t face : {0U, 1U, 4U, 5U, 2U, 3U}) {
      if (Dot(position, kNormals[face]) == 1) faces.push_back(face);
    }
    if (faces.size() < 2) continue;
    if (faces.size() == 3 && Dot(Cross(kNormals[faces[0]], kNormals[faces[1]]), kNormals[faces[2]]) < 0) {
      std::swap(faces[1], faces[2]);
    }
    std::vector<std::size_t> colours;
    for (const std::size_t face : faces) colours.push_back(colour(position, face));
    // The colour that a piece's orientation refers to: of up and down, or else of back and front.
    const auto is_reference = [&](std::size_t c) { return c < 2; };
    auto reference = std::find_if(colours.begin(), colours.end(), is_reference);
    if (reference == colours.end())
      reference = std::find_if(colours.begin(), colours.end(), [](std::size_t c) { return c > 3; });
    (faces.size() == 3 ? twist : flip) += static_cast<int>(reference - colours.begin());
    std::sort(faces.begin(), faces.end());
    std::sort(colours.begin(), colours.end());
    homes.emplace(faces, pieces.size());
    pieces.push_back(colours);
  }
  std::vector<std::size_t> home_of;
  for (const auto& piece : pieces) {
    const auto home = homes.find(piece);
    if (home == homes.end()) return "no such piece";
    home_of.push_back(home->second);
  }
  // One permutation of all twenty pieces is even if and only if corners and edges have equal parity.
  std::size_t inversions = 0;
  for (std::size_t i = 0; i < home_of.size(); ++i) {
    for (std::size_t j = i + 1; j < home_of.size(); ++j) {
      if (home_of[i] == home_of[j]) return "a piece twice";
      if (home_of[i] > home_of[j]) ++inversions;
    }
  }
  if (inversions % 2 != 0) return "odd permutation";
  if (twist % 3 != 0) return "a twisted corner";
  if (flip % 2 != 0) return "a flipped edge";
  for (std::size_t face = 0; face < 6; ++face) {
    if (cells[9 * face + 4] != static_cast<char>('0' + face)) return "a centre that moved";
  }
  return std::nullopt;
}

}  // namespace

const Facts* FindFacts(std::string_view domain) {
  static const std::vector<Facts> all{
      {"sorting",
       SortingStep,
       SortingProblem,
       {"[]", "[=]", "[=|==|===]", "[==|==]", "[|=]", "[-1|2.5|3]", "[-1.5|-1.25]"},
       {"[==|=]", "[=|]", "[3|-1|2.5]", "[-1|-2]", "[0.1|0.09]"},
       {"[==|==|]", "[1.5|100000000000000000000|-7|-7]"}},
      {"ternary-addition",
       TernaryStep,
       TernaryProblem,
       {"#()", "#(b0)", "#(c1 b2 b9)"},
       {"#(a0)", "#(b1 b1)", "#(b2 b1)"},
       {"#(c~ c~)", "#(c9 c9 a0)"}},
      {"multiplication",
       MultiplicationStep,
       MultiplicationProblem,
       {"5e0", "-12e3", "0e7"},
       {"(5e0 + 0e0)"},
       {"((12e1 * 1e0) * (3e0 * 0e4))", "(-99999999999999999999e2 + 9223372036854775807e0)"}},
      {"fractions",
       FractionStep,
       FractionProblem,
       {"7", "-7", "0", "[1]/[2]", "[-1]/[2]"},
       {"[2]/[4]", "[1]/[1]", "[1]/[-2]", "[0]/[5]", "(1 + 2)"},
       {"[(2 * (0 - 3))]/[(2 * 3)] * [-1]/[7]", "9223372036854775807 + 1"}},
      {"equations",
       EquationStep,
       EquationProblem,
       {"x = 3", "y = (-3)", "x = ([-7/10])", "x = 0"},
       {"3 = x", "x = y", "x = -x", "1x = 3", "x = (1 + 2)", "-x = 3"},
       {"(0 / (x + y)) = ((0 / 0x) + (0 / 0))", "((0x / 0x) - 0) = ((0 / 0) / 1)",
        "(9223372036854775807 + 1) = [1/9223372036854775807]x"}},
      {"rubiks-cube",
       CubeStep,
       CubeProblem,
       {"A000000000aB111111111bC222222222cD333333333dE444444444eF555555555f"},
       {"A111111111aB000000000bC222222222cD333333333dE444444444eF555555555f"},
       {}},
      {"algebra",
       AlgebraStep,
       AlgebraProblem,
       {"x = 3", "y = -3", "x = -7/10", "x = 0.5", "x = 2 or x = -3", "no solution", "every number",
        "every number; x != -1, x != 1/2", "x = (1 + sqrt(5))/2", "x = -2cbrt(3)", "x = root(4, 2)", "7", "-3/4"},
       {"3 = x", "x = 6/4", "x = 3; x != 3", "x = 1 1/2", "x = 2 or x = 2", "-x = 3", "x = -0", "2/4", "4/1", "1 1/2", "-(-3)",
        "0/3"},
       {"1/x + 1/(x - 1) = 2/(x^2 - x)", "(x^2 - 1)/(x - 1) = 2", "(2x - 1)^3 = 27", "(x - 1)^2 = 5; x != 2",
        "x^3 - 2x = 0 or 2x + 3 = 7", "1/(1 + 1/x) = x/(x^2 - 2)", "5 = 5; x != 0", "x = 3 or x = -1; x != 3", "0.5x + 1/3 = 2",
        "x^4 - 5x^2 + 4 = 0", "(1/2)/(3/4) * 1 1/2 + 0.5 - (2/3)^2", "1/6 - (-1/6) + 2 * (-(-3))", "2 * 3/4 - 1/4",
        "x^2 + 1 = 0", "2(3(x + 1) - 4(x - 1)) = (x + 1)(x - 2)", "x^2 - x - 1 = 0", "x^3 = 2/9", "(1 - 2x)^4 = 3; x != 1",
        "x^6 - 9x^3 + 8 = 0", "x^4 - 5x^2 + 6 = 0", "x - 7 = 5 or x - 7 = -5; x != 2", "-x/3 = 5/7", "-4(x/2 + x/3) = 12",
        // Exercises: one for each of their steps.
        "simplify: 3x + 2x", "simplify: (x + 2)(x - 3)", "simplify: x^2x^3", "simplify: sqrt(50)", "simplify: 2^3",
        "simplify: abs(-3)", "simplify: log(2, 8)", "factor: x^2 - 5x + 6", "simplify: x^2/x", "simplify: 3/x + 2/x",
        "simplify: 3/x + 2/y", "simplify: 2/x * 3/y", "simplify: 2/(x/3)", "simplify: 1/(1 + sqrt(2))", "factor: 6x + 9",
        "divide: (x^2 + 1)/(x - 1)", "square: z^2 + 8z", "exponent: cbrt(x)", "radical: x^(1/3)", "condense: ln(x) + ln(y)",
        "spread: ln(xy)", "conjugate: 2 + 3i", "evaluate: x^2; x = 3", "solve x: abs(x) - 1 = 2", "solve h: bh = 2A",
        "solve x: abs(x) = -2", "solve x: abs(x) = 2", "solve x: sqrt(x) = 2", "solve x: x^4 - 10x^2 + 1 = 0",
        "solve x: ln(x) = 2", "solve x: ln(x) = ln(3)", "solve x: 2^x = 8", "solve x: 5^x = 7", "solve L: A/L = W",
        "solve x: x^2 = 5x - 6", "solve x: (x - 2)(x - 3) = 0", "solve x: x^2 - 4x + 1 = 0", "solve x: x^2 = 5",
        "solve x: x = x", "solve x: x = 4; check sqrt(x) = 2", "solve x: x = 3 or x = -5; check sqrt(15 - 2x) = x",
        "solve x, y: x + y = 3; x - y = 1", "solve x, y: x = 2; x + y = 3", "solve x, y: 3x - 5y = -9; 6x + 2y = 16",
        "solve x, y: x + y = 3; 1 = 1", "solve x, y: x + y = 3; 1 = 2", "solve x, y: y = 1; x = 2", "solve x: -2x < 6",
        "solve x: x^2 - 4x + 2 <= 0", "solve x: x < 3 or x < 5", "round 100: 23658", "place 7: 4725", "gcf: 24, 40",
        "lcm: 4, 6", "primes: 48", "compare: -3 ? -7", "scientific: 0.0052", "decimal: 1/4", "percent: 1/4", "fraction: 0.25",
        "mixed: 19/8", "test: 5 > 4", "logarithmic: 2^3 = 8"}}};
  const auto found = std::find_if(all.begin(), all.end(), [&](const Facts& facts) { return facts.domain == domain; });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace conpole
