// rubiks-cube: people write turns or the colours of all facelets. A solution is verified by turning a body in space
// (tutor/cube.h), without the tables of the domain.
#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "domains/rubiks_cube.h"
#include "tutor/cube.h"
#include "tutor/subjects/reading.h"
#include "tutor/subjects/subjects.h"

namespace conpole {
namespace {

using Kind = Token::Kind;

// Facelets as letters go face by face in this order, each face row by row; as digits, in the order of the domain.
constexpr std::string_view kFaceletOrder = "URFDLB";

// The cell of a facelet. A face's cells go column by column, from the lower end up.
std::size_t CellOfFacelet(std::size_t facelet) {
  const std::size_t face = kCubeFaces.find(kFaceletOrder[facelet / 9]);
  const std::size_t row = facelet % 9 / 3;
  const std::size_t column = facelet % 3;
  return 9 * face + 3 * column + (2 - row);
}

bool IsFacelets(std::string_view letters) {
  if (letters.size() != kCubeCells) return false;
  for (std::size_t face = 0; face < kFaceletOrder.size(); ++face) {
    if (letters[9 * face + 4] != kFaceletOrder[face]) return false;
    if (std::count(letters.begin(), letters.end(), kFaceletOrder[face]) != 9) return false;
  }
  return true;
}

std::string SolvedCells() {
  std::string cells;
  for (std::size_t face = 0; face < kCubeFaces.size(); ++face) cells.append(9, static_cast<char>('0' + face));
  return cells;
}

NotationResult ReadTurns(std::string cells, std::string_view text) {
  const std::vector<Token> tokens = Tokenize(text);
  std::size_t turns = 0;
  for (std::size_t at = 0; tokens[at].kind != Kind::kEnd;) {
    const Token& token = tokens[at++];
    if (token.kind == Kind::kSeparator || token.kind == Kind::kOpen || token.kind == Kind::kClose) continue;
    const std::size_t face = token.kind == Kind::kLetter ? kCubeFaces.find(token.symbol) : std::string_view::npos;
    if (face == std::string_view::npos) {
      const bool other_turn =
          token.kind == Kind::kLetter && std::string_view("udlrbfMESxyzw").find(token.symbol) != std::string_view::npos;
      if (other_turn) {
        return NotExpressible(token.begin,
                              "turns of slices, of two layers or of the whole cube cannot be expressed, only U F B L R D");
      }
      return Expected("a turn such as R, R' or R2", token, text);
    }
    int quarters = 1;
    if (!tokens[at].after_blank && tokens[at].Is(Kind::kOperator, '-')) {
      ++at;
      if (tokens[at].kind != Kind::kNumber || tokens[at].digits != "1") return Expected("R-1", tokens[at], text);
      quarters = 3;
      ++at;
    } else {
      if (!tokens[at].after_blank && tokens[at].kind == Kind::kNumber) {
        const std::string& digits = tokens[at].digits;
        if (digits.size() != 1 || digits[0] < '1' || digits[0] > '3' || tokens[at].decimals > 0) {
          return Expected("1, 2 or 3 quarter turns", tokens[at], text);
        }
        quarters = digits[0] - '0';
        ++at;
      }
      if (!tokens[at].after_blank && tokens[at].Is(Kind::kMark, '\'')) {
        quarters = 4 - quarters;
        ++at;
      }
    }
    cells = TurnCube(cells, face, quarters);
    ++turns;
  }
  if (turns == 0) return Expected("a turn such as R, R' or R2", tokens.back(), text);
  return {CubeState(cells), {}, std::nullopt};
}

// Turns go on from `start`.
NotationResult ReadCube(const Domain& domain, std::string start, std::string_view text) {
  std::string letters;
  std::string digits;
  for (const Token& token : Tokenize(text)) {
    if (token.kind == Kind::kLetter) letters += token.symbol;
    if (token.kind == Kind::kNumber) digits += token.digits;
  }
  std::string cells(kCubeCells, '0');
  if (digits.empty() && IsFacelets(letters)) {
    for (std::size_t i = 0; i < kCubeCells; ++i) {
      cells[CellOfFacelet(i)] = static_cast<char>('0' + kCubeFaces.find(letters[i]));
    }
  } else if (letters.empty() && digits.size() == kCubeCells) {
    cells = digits;
  } else {
    return ReadTurns(std::move(start), text);
  }
  Parsed parsed = domain.Parse(CubeState(cells));
  if (parsed.error) return Unreadable(0, std::move(parsed.error->message));
  return {std::move(parsed.state), {}, std::nullopt};
}

class RubiksCube final : public Subject {
 public:
  RubiksCube() : Subject(&RubiksCubeType()) {}

  NotationResult Read(const Domain& domain, std::string_view current, std::string_view text) const override {
    if (Parsed parsed = domain.Parse(text); !parsed.error) return {std::move(parsed.state), {}, std::nullopt};
    return ReadCube(domain, current.empty() ? SolvedCells() : CubeCells(current), text);
  }

  std::string Write(Script script, const Line& line) const override {
    std::string text;
    const std::string cells = CubeCells(line.state);
    for (std::size_t i = 0; i < kCubeCells; ++i) {
      if (i > 0 && i % 9 == 0) text += ' ';
      text += kCubeFaces[static_cast<std::size_t>(cells[CellOfFacelet(i)] - '0')];
    }
    return script == Script::kLatex ? "\\texttt{" + text + "}" : text;
  }

  Verdict Verify(const Problem& problem, const Line& answer) const override {
    const bool right = IsCubeSolved(CubeCells(answer.state)) && WhyUnsolvable(CubeCells(problem.line.state)).empty();
    return right ? Verdict::kRight : Verdict::kWrong;
  }

  bool StepsArePossible(std::span<const std::string> path) const override {
    for (std::size_t i = 0; i + 1 < path.size(); ++i) {
      if (!IsCubeTurn(CubeCells(path[i]), CubeCells(path[i + 1]))) return false;
    }
    return true;
  }

  bool AnswersSaySomething() const override { return false; }

  Comparison Compare(const Problem& before, const Problem& after) const override {
    // Turns lead from any cube that can be solved to any other.
    if (!WhyUnsolvable(CubeCells(before.line.state)).empty()) {
      return before.line.state == after.line.state ? Comparison::Same() : Comparison();
    }
    std::string reason = WhyUnsolvable(CubeCells(after.line.state));
    if (reason.empty()) return Comparison::Same();
    return Comparison::Different("check.pieces", {{"reason", std::move(reason)}});
  }

  Clue Guess(const Clues& clues) const override {
    const bool canonical = clues.text().starts_with("A") && clues.text().size() == 66;
    const bool digits = clues.tokens().size() == 2 && clues.tokens()[0].digits.size() == kCubeCells;
    return canonical || digits || clues.LettersAreOf("UDLRBFMESw") ? Clue::kSymbols : Clue::kNone;
  }

  // A scramble is as long as its solution, and most of the default ones are too long to be solved without a model.
  std::string ExerciseSpec(const std::string& domain, std::uint64_t fewest, std::uint64_t most) const override {
    if (domain.find(':') != std::string::npos) return domain;
    return fmt::format("{}:min_moves={},max_moves={}", domain, fewest, most);
  }

  std::string_view Example() const override { return "R U F'"; }
};

}  // namespace

const Subject& RubiksCubeSubject() {
  static const RubiksCube subject;
  return subject;
}

}  // namespace conpole
