// rubiks-cube: people write turns or the colours of all facelets. A solution is verified by turning a body in space
// (verify/cube.h), without the tables of the domain.
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "domains/puzzles/rubiks_cube.h"
#include "notation/cube_notation.h"
#include "notation/cube_picture.h"
#include "subjects/subjects.h"
#include "verify/cube.h"
#include "verify/cube_turns.h"

namespace conpole {
namespace {

// The catalogue's sentence that names a fault, and its slots.
struct FaultSentence {
  std::string id;
  Catalogue::Slots slots;
};

FaultSentence SentenceOf(const CubeFault& fault) {
  if (fault.centres) return {"cube.centres", {}};
  if (!fault.mirrored.empty()) return {"cube.mirrored", {{"corner", fault.mirrored}}};
  if (!fault.no_such.empty()) return {"cube.no_such", {{"place", fault.no_such}, {"colours", fault.colours}}};
  if (!fault.twice.empty()) return {"cube.twice", {{"piece", fault.twice}}};
  FaultSentence sentence;
  sentence.id = "cube";
  for (const auto& [is_so, name] :
       {std::pair(fault.exchanged, "exchanged"), std::pair(fault.twisted, "twisted"), std::pair(fault.flipped, "flipped")}) {
    if (is_so) sentence.id += fmt::format("{}{}", sentence.id == "cube" ? '.' : '_', name);
  }
  if (!fault.exchanged_pieces[0].empty()) {
    sentence.slots = {{"first", fault.exchanged_pieces[0]}, {"second", fault.exchanged_pieces[1]}};
  }
  if (!fault.twisted_corner.empty()) sentence.slots["corner"] = fault.twisted_corner;
  if (!fault.flipped_edge.empty()) sentence.slots["edge"] = fault.flipped_edge;
  return sentence;
}

std::vector<CubeTurn> TurnsOf(std::span<const std::string> labels) {
  std::vector<CubeTurn> turns;
  for (const std::string& label : labels) turns.push_back(CubeTurnOf(label));
  return turns;
}

CubeFault FaultOf(const Problem& problem) { return FindCubeFault(CubeCells(problem.line.state)); }

class RubiksCube final : public Subject {
 public:
  RubiksCube() : Subject(&RubiksCubeType()) {}

  NotationResult Read(const Domain& domain, std::string_view current, std::string_view text) const override {
    if (Parsed parsed = domain.Parse(text); !parsed.error) return {std::move(parsed.state), {}, std::nullopt};
    return ReadCubeNotation(domain, current.empty() ? SolvedCubeCells() : CubeCells(current), text);
  }

  std::string Write(Script script, const Line& line) const override {
    std::string text;
    const std::string cells = CubeCells(line.state);
    // Letters are read by the centres. Where these are not those of the faces, the cells are written as the domain has them.
    const bool by_letters = !FindCubeFault(cells).centres;
    for (std::size_t i = 0; i < kCubeCells; ++i) {
      if (i > 0 && i % 9 == 0) text += ' ';
      text += by_letters ? kCubeFaces[static_cast<std::size_t>(cells[CellOfFacelet(i)] - '0')] : cells[i];
    }
    return script == Script::kLatex ? "\\texttt{" + text + "}" : text;
  }

  Formula MakeFormula(const Line& line) const override { return TextFormula(Write(Script::kPlain, line)); }
  // All that can be said shortly: 54 letters tell nobody anything.
  std::string Speak(const Line& line, std::string_view language) const override {
    const std::string cells = CubeCells(line.state);
    const std::string solved = SolvedCubeCells();
    std::size_t count = 0;
    for (std::size_t i = 0; i < kCubeCells; ++i) {
      if (cells[i] != solved[i]) ++count;
    }
    const Catalogue& catalogue = Catalogue::Find(language);
    if (count == 0) return catalogue.Sentence("speech.cube_solved", {});
    return catalogue.Sentence("speech.cube", {{"count", std::to_string(count)}});
  }
  std::optional<Picture> MakePicture(const Line& line) const override {
    const std::string cells = CubeCells(line.state);
    CubePicture picture;
    for (std::size_t i = 0; i < kCubeCells; ++i) {
      picture.stickers += kCubeFaces[static_cast<std::size_t>(cells[CellOfFacelet(i)] - '0')];
    }
    return picture;
  }

  // A cube that no turns lead to is known at once.
  std::unique_ptr<Problem> Analyse(const Domain&, Line line) const override {
    auto problem = std::make_unique<Problem>(std::move(line));
    const CubeFault fault = FaultOf(*problem);
    if (!fault.any()) return problem;
    FaultSentence sentence = SentenceOf(fault);
    problem->analysis.search = false;
    problem->analysis.status = SolveStatus::kNoSolution;
    problem->analysis.sentence = std::move(sentence.id);
    problem->analysis.slots = std::move(sentence.slots);
    return problem;
  }

  Verdict Verify(const Problem& problem, const Line& answer) const override {
    return IsCubeSolved(CubeCells(answer.state)) && !FaultOf(problem).any() ? Verdict::kRight : Verdict::kWrong;
  }

  bool StepsArePossible(std::span<const std::string> path) const override {
    for (std::size_t i = 0; i + 1 < path.size(); ++i) {
      if (!IsCubeTurn(CubeCells(path[i]), CubeCells(path[i + 1]))) return false;
    }
    return true;
  }

  bool AnswersSaySomething() const override { return false; }

  // Counted by quarters, a path stays as it is unless turns in it undo each other.
  LabelledPath Condensed(LabelledPath path, TurnCount count) const override {
    const std::vector<CubeTurn> turns = TurnsOf(path.labels);
    std::vector<CubeTurn> joined = JoinTurns(turns);
    if (count == TurnCount::kQuarter) {
      if (CountQuarterTurns(joined) == turns.size()) return path;
      joined = SplitTurns(joined);
    }
    LabelledPath shown;
    std::string cells = CubeCells(path.states.front());
    shown.states.push_back(path.states.front());
    for (const CubeTurn& turn : joined) {
      cells = TurnCube(cells, turn.face, turn.quarters);
      shown.states.push_back(CubeState(cells));
      shown.labels.push_back(LabelOf(turn));
    }
    return shown;
  }

  std::optional<TurnSequence> Turns(std::span<const std::string> labels) const override {
    const std::vector<CubeTurn> turns = TurnsOf(labels);
    return TurnSequence{Singmaster(turns), CountQuarterTurns(turns), JoinTurns(turns).size()};
  }

  std::string NameStep(const Line& before, const Line& after) const override {
    const std::string from = CubeCells(before.state);
    const std::string to = CubeCells(after.state);
    for (std::size_t face = 0; face < kCubeFaces.size(); ++face) {
      for (int quarters = 1; quarters < 4; ++quarters) {
        if (TurnCube(from, face, quarters) == to) return Singmaster(CubeTurn{face, quarters});
      }
    }
    return {};
  }

  std::string Draw(const std::string& state, bool is_coloured) const override {
    return DrawCube(CubeCells(state), is_coloured);
  }

  Comparison Compare(const Problem& before, const Problem& after) const override {
    // Turns lead from any cube that can be solved to any other.
    if (FaultOf(before).any()) return before.line.state == after.line.state ? Comparison::Same() : Comparison();
    const CubeFault fault = FaultOf(after);
    if (!fault.any()) return Comparison::Same();
    FaultSentence sentence = SentenceOf(fault);
    return Comparison::Different(std::move(sentence.id), std::move(sentence.slots));
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
