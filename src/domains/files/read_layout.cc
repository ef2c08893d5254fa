#include "domains/files/read_layout.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "conpole/domain.h"
#include "util/read_file.h"
#include "util/text.h"

namespace conpole::files {
namespace {

constexpr std::size_t kMaxCells = 1'000;
constexpr std::size_t kMaxMoves = 2'000;
constexpr int kMaxDrawn = 100;

std::vector<std::string> CharactersOf(std::string_view text) {
  std::vector<std::string> characters;
  for (std::size_t at = 0; at < text.size(); at += BytesOfCharacter(text[at])) characters.emplace_back(CharacterAt(text, at));
  return characters;
}

class LayoutReader {
 public:
  LayoutReader(StatementReader& reader, Definition& file) : reader_(reader), source_(reader.source()), layout_(file.layout) {}

  bool Read(const std::string& word) {
    if (word == "colours") return ReadColours();
    if (word == "solved") return ReadSolved();
    if (word == "drawn") return ReadDrawn();
    if (word == "goal") return ReadGoal();
    if (word == "moves") reader_.Fail("moves can be imported only by a file that lies in a folder");
    if (word == "move") return ReadMove();
    if (word == "toggle") return ReadToggle();
    if (word == "exchange") return ReadExchange();
    return false;
  }

 private:
  void NeedShape() {
    if (layout_.solved.empty()) reader_.Fail("the shape is not known yet; write 'solved \"...\"' above this");
  }

  std::optional<std::uint8_t> ColourOf(std::string_view character) const {
    for (std::size_t i = 0; i < layout_.colours.size(); ++i) {
      if (layout_.colours[i] == character) return static_cast<std::uint8_t>(i);
    }
    return std::nullopt;
  }

  bool ReadColours() {
    do {
      const std::size_t at = reader_.position();
      const std::string colour = reader_.ReadUntilBlank("a colour");
      if (CharactersOf(colour).size() != 1 || colour == "\"" || colour == "/")
        source_.Fail(at, fmt::format("'{}' is no colour; a colour is one character", colour));
      if (ColourOf(colour)) source_.Fail(at, fmt::format("the colour '{}' is there twice", colour));
      if (layout_.colours.size() >= 200) source_.Fail(at, "there may be at most 200 colours");
      layout_.colours.push_back(colour);
    } while (!reader_.AtEnd());
    return true;
  }

  bool ReadSolved() {
    const std::size_t at = reader_.position();
    const std::string picture = reader_.ReadString("the solved state");
    if (layout_.colours.empty()) source_.Fail(at, "the colours are not known yet; write 'colours ...' above this");
    std::vector<std::string> pieces;
    std::vector<std::uint8_t> state;
    for (std::string& character : CharactersOf(picture)) {
      if (const std::optional<std::uint8_t> colour = ColourOf(character)) {
        state.push_back(*colour);
        character.clear();
      }
      pieces.push_back(std::move(character));
    }
    if (state.empty()) source_.Fail(at, "no character of this is a colour");
    if (picture.size() > kMaxStateBytes) source_.Fail(at, fmt::format("a state has at most {} bytes", kMaxStateBytes));
    if (state.size() > kMaxCells) source_.Fail(at, fmt::format("there may be at most {} cells", kMaxCells));
    if (layout_.solved.empty()) {
      layout_.picture = picture;
      layout_.pieces = pieces;
      layout_.cells = state.size();
      if (picture.find('/') != std::string::npos) {
        for (const auto& [place, cell] : Board()) Draw(place, cell);
        MakeRowsEven();
      }
    } else if (pieces != layout_.pieces) {
      source_.Fail(at, "this solved state has another shape than the first one");
    }
    if (layout_.solved.size() >= 1'000) source_.Fail(at, "there may be at most 1000 solved states");
    layout_.solved.push_back(std::move(state));
    return true;
  }

  // Cells are where they are on the board, in the picture.
  void Draw(std::pair<int, int> place, std::uint16_t cell) {
    const auto row = static_cast<std::size_t>(place.first);
    const auto column = static_cast<std::size_t>(place.second);
    if (layout_.rows.size() <= row) layout_.rows.resize(row + 1);
    if (layout_.rows[row].size() <= column) layout_.rows[row].resize(column + 1, -1);
    layout_.rows[row][column] = static_cast<std::int16_t>(cell);
  }

  void MakeRowsEven() {
    std::size_t columns = 0;
    for (const auto& row : layout_.rows) columns = std::max(columns, row.size());
    for (auto& row : layout_.rows) row.resize(columns, -1);
  }

  bool ReadDrawn() {
    NeedShape();
    layout_.rows.clear();
    std::set<std::uint16_t> drawn;
    int row = 0;
    int column = 0;
    do {
      const std::size_t at = reader_.position();
      if (reader_.TrySign("/")) {
        ++row;
        column = 0;
      } else if (reader_.TrySign(".")) {
        ++column;
      } else {
        const std::uint16_t cell = ReadCell();
        if (!drawn.insert(cell).second) source_.Fail(at, fmt::format("cell {} is drawn twice", cell + 1));
        Draw({row, column++}, cell);
      }
      if (std::max(row, column) > kMaxDrawn)
        source_.Fail(at, fmt::format("there may be at most {} rows and columns", kMaxDrawn));
    } while (!reader_.AtEnd());
    if (drawn.empty()) reader_.Fail("no cell is drawn");
    MakeRowsEven();
    return true;
  }

  std::uint16_t ReadCell() {
    const std::size_t at = reader_.position();
    const std::int64_t cell = reader_.ReadInteger();
    if (cell < 1 || cell > static_cast<std::int64_t>(layout_.cells))
      source_.Fail(at, fmt::format("there is no cell {}; cells are counted from 1 to {}", cell, layout_.cells));
    return static_cast<std::uint16_t>(cell - 1);
  }

  std::uint8_t ReadColour(std::string_view what) {
    const std::size_t at = reader_.position();
    const std::string character = reader_.ReadUntilBlank(what);
    const std::optional<std::uint8_t> colour = ColourOf(character);
    if (!colour) source_.Fail(at, fmt::format("'{}' is no colour{}", character, Suggestion(character, layout_.colours)));
    return *colour;
  }

  bool ReadGoal() {
    NeedShape();
    LayoutDefinition::PartlySolved wanted{std::vector<std::int16_t>(layout_.cells, -1), {}};
    if (reader_.TryWord("count")) {
      do {
        const std::uint8_t colour = ReadColour("a colour");
        reader_.Expect("=");
        wanted.counts.emplace_back(colour, reader_.ReadInteger());
      } while (reader_.TryWord("count"));
    } else {
      reader_.ExpectWord("cells");
      std::vector<std::uint16_t> cells;
      while (!reader_.NextIs("=")) cells.push_back(ReadCell());
      reader_.Expect("=");
      for (const std::uint16_t cell : cells) wanted.cells[cell] = ReadColour("a colour for each cell");
    }
    layout_.partly_solved.push_back(std::move(wanted));
    return true;
  }

  void ReadSentences(MoveStatement& statement) {
    while (reader_.NextIsLanguage()) {
      const std::string language = reader_.ReadLanguage();
      statement.sentences[language] = {{reader_.ReadString("a sentence")}, {}};
    }
    layout_.statements.push_back(std::move(statement));
  }

  void Add(Move move, std::size_t at) {
    if (layout_.moves.size() >= kMaxMoves) source_.Fail(at, fmt::format("there are more than {} moves", kMaxMoves));
    if (move.kind != Move::Kind::kExchange) {
      for (const Move& other : layout_.moves) {
        if (other.name == move.name) source_.Fail(at, fmt::format("there are two moves '{}'", move.name));
      }
    }
    move.rule = layout_.statements.size();
    layout_.moves.push_back(std::move(move));
  }

  bool ReadMove() {
    NeedShape();
    MoveStatement statement;
    statement.position = reader_.position();
    statement.name = reader_.ReadName("the name of the move");
    std::string inverse;
    if (!reader_.NextIs("(")) inverse = reader_.ReadName("cycles such as (1 2 3), or the name of the move back,");
    Move move;
    move.name = statement.name;
    move.from.resize(layout_.cells);
    std::iota(move.from.begin(), move.from.end(), std::uint16_t{0});
    std::set<std::uint16_t> moved;
    do {
      reader_.Expect("(");
      std::vector<std::uint16_t> cycle;
      while (!reader_.NextIs(")")) {
        const std::size_t at = reader_.position();
        if (!reader_.NextIsDigit()) reader_.Fail(fmt::format("expected a cell or ')', found {}", reader_.Found()));
        cycle.push_back(ReadCell());
        if (!moved.insert(cycle.back()).second) source_.Fail(at, fmt::format("cell {} is moved twice", cycle.back() + 1));
        reader_.TrySign(",");
      }
      reader_.Expect(")");
      for (std::size_t i = 0; i < cycle.size(); ++i) move.from[cycle[(i + 1) % cycle.size()]] = cycle[i];
    } while (reader_.NextIs("("));
    Move back = move;
    for (std::uint16_t cell = 0; cell < layout_.cells; ++cell) back.from[move.from[cell]] = cell;
    if (back.from == move.from &&
        std::all_of(moved.begin(), moved.end(), [&](std::uint16_t cell) { return move.from[cell] == cell; })) {
      source_.Fail(statement.position, "this move moves nothing");
    }
    back.name = inverse;
    const std::size_t at = statement.position;
    Add(std::move(move), at);
    if (!inverse.empty()) Add(std::move(back), at);
    ReadSentences(statement);
    return true;
  }

  // Where cells are on the board.
  using Place = std::pair<int, int>;
  std::map<Place, std::uint16_t> Board() const {
    std::map<Place, std::uint16_t> board;
    Place place{0, 0};
    std::uint16_t cell = 0;
    for (const std::string& piece : layout_.pieces) {
      if (piece == "/") {
        place = {place.first + 1, 0};
        continue;
      }
      if (piece.empty()) board[place] = cell++;
      ++place.second;
    }
    return board;
  }

  bool ReadToggle() {
    NeedShape();
    MoveStatement statement;
    statement.position = reader_.position();
    statement.name = reader_.ReadName("the name of the move");
    if (!reader_.TryWord("each")) {
      Move move;
      move.kind = Move::Kind::kToggle;
      move.name = statement.name;
      std::set<std::uint16_t> cells;
      do {
        const std::size_t at = reader_.position();
        if (!cells.insert(ReadCell()).second) source_.Fail(at, "this cell is there twice");
        reader_.TrySign(",");
      } while (reader_.NextIsDigit());
      move.cells.assign(cells.begin(), cells.end());
      Add(std::move(move), statement.position);
    } else {
      reader_.ExpectWord("cross");
      const std::map<Place, std::uint16_t> board = Board();
      for (const auto& [place, cell] : board) {
        Move move;
        move.kind = Move::Kind::kToggle;
        move.name = statement.name + std::to_string(cell + 1);
        for (const auto& [down, right] : {Place{0, 0}, {-1, 0}, {1, 0}, {0, -1}, {0, 1}}) {
          const auto found = board.find({place.first + down, place.second + right});
          if (found != board.end()) move.cells.push_back(found->second);
        }
        std::sort(move.cells.begin(), move.cells.end());
        Add(std::move(move), statement.position);
      }
    }
    ReadSentences(statement);
    return true;
  }

  std::vector<std::int16_t> ReadColoursOf(std::map<std::string, std::int16_t>& letters, bool may_add) {
    std::vector<std::int16_t> sides;
    while (!reader_.AtEnd() && !reader_.NextIs("->") && !reader_.NextIsWord("along")) {
      const std::size_t at = reader_.position();
      const std::string character = reader_.ReadUntilBlank("a colour");
      if (const std::optional<std::uint8_t> colour = ColourOf(character)) {
        sides.push_back(*colour);
        continue;
      }
      if (character.size() != 1 || !IsLetter(character[0]))
        source_.Fail(at, fmt::format("'{}' is no colour, and no letter that stands for any{}", character,
                                     Suggestion(character, layout_.colours)));
      if (may_add) letters.emplace(character, static_cast<std::int16_t>(-1 - static_cast<int>(letters.size())));
      const auto found = letters.find(character);
      if (found == letters.end()) source_.Fail(at, fmt::format("'{}' does not stand on the left side", character));
      sides.push_back(found->second);
    }
    return sides;
  }

  bool ReadExchange() {
    NeedShape();
    MoveStatement statement;
    statement.position = reader_.position();
    statement.name = reader_.ReadName("the name of the move");
    Move pattern;
    pattern.kind = Move::Kind::kExchange;
    std::map<std::string, std::int16_t> letters;
    pattern.before = ReadColoursOf(letters, true);
    reader_.Expect("->");
    pattern.after = ReadColoursOf(letters, false);
    const std::size_t count = pattern.before.size();
    if (count == 0 || pattern.after.size() != count)
      source_.Fail(statement.position, fmt::format("the sides have {} and {} cells; they need the same number, at least one",
                                                   count, pattern.after.size()));
    if (pattern.before == pattern.after) source_.Fail(statement.position, "this move changes nothing");
    for (const auto& [letter, id] : letters) {
      if (std::find(pattern.after.begin(), pattern.after.end(), id) == pattern.after.end()) {
        source_.Fail(
            statement.position,
            fmt::format("'{}' is lost: it must also stand on the right side, so that the move can be taken back", letter));
      }
    }
    reader_.ExpectWord("along");
    const std::map<Place, std::uint16_t> board = Board();
    std::set<std::vector<std::uint16_t>> known;
    const auto add = [&](std::vector<std::uint16_t> cells) {
      if (!known.insert(cells).second) return;
      Move move = pattern;
      move.name = statement.name;
      for (const std::uint16_t cell : cells)
        move.name += fmt::format("{}{}", move.name.size() == statement.name.size() ? ' ' : '-', cell + 1);
      move.cells = std::move(cells);
      Add(std::move(move), statement.position);
    };
    const auto add_lines = [&](int down, int right) {
      for (const auto& [place, cell] : board) {
        std::vector<std::uint16_t> cells;
        for (std::size_t i = 0; i < count; ++i) {
          const auto found = board.find({place.first + static_cast<int>(i) * down, place.second + static_cast<int>(i) * right});
          if (found == board.end()) break;
          cells.push_back(found->second);
        }
        if (cells.size() == count) add(std::move(cells));
      }
    };
    do {
      const std::size_t at = reader_.position();
      const std::string direction = reader_.ReadWord("'rows', 'columns', 'diagonals', 'knights' or 'cells'");
      if (direction == "rows") {
        add_lines(0, 1);
        add_lines(0, -1);
      } else if (direction == "columns") {
        add_lines(1, 0);
        add_lines(-1, 0);
      } else if (direction == "diagonals") {
        for (const int down : {1, -1}) {
          add_lines(down, 1);
          add_lines(down, -1);
        }
      } else if (direction == "knights") {
        for (const int down : {1, -1, 2, -2}) {
          const int right = 3 - std::abs(down);
          add_lines(down, right);
          add_lines(down, -right);
        }
      } else if (direction == "cells") {
        std::vector<std::uint16_t> cells;
        for (std::size_t i = 0; i < count; ++i) {
          const std::size_t place = reader_.position();
          cells.push_back(ReadCell());
          if (std::count(cells.begin(), cells.end(), cells.back()) > 1) source_.Fail(place, "this cell is there twice");
        }
        add(std::move(cells));
      } else {
        source_.Fail(at, fmt::format("unknown direction '{}'{}", direction,
                                     Suggestion(direction, {"rows", "columns", "diagonals", "knights", "cells"})));
      }
      reader_.TrySign(",");
    } while (!reader_.AtEnd() && !reader_.NextIsLanguage());
    if (known.empty()) source_.Fail(statement.position, "no cells lie like this; are the rows of the board separated by '/'?");
    ReadSentences(statement);
    return true;
  }

  StatementReader& reader_;
  const Source& source_;
  LayoutDefinition& layout_;
};

}  // namespace

bool ReadLayoutStatement(const std::string& word, StatementReader& reader, Definition& file) {
  return LayoutReader(reader, file).Read(word);
}

void FinishLayout(const Source& source, std::size_t end, const Definition& file) {
  if (file.layout.solved.empty()) source.Fail(end, "there is no 'solved': nothing says when a state is solved");
  if (file.layout.moves.empty()) source.Fail(end, "there is no 'move', 'toggle' or 'exchange': nothing can be done");
}

std::string MovesOfGap(const std::string& text) {
  std::string statements;
  std::string name;
  std::size_t unnamed = 0;
  const auto skip = [&](std::size_t at) {
    while (at < text.size() && IsSpace(text[at])) ++at;
    return at;
  };
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == '#') {
      at = std::min(text.find('\n', at), text.size());
      continue;
    }
    if (IsLetter(text[at])) {
      std::size_t end = at;
      while (end < text.size() && (IsLetter(text[end]) || IsDigit(text[end]) || text[end] == '_')) ++end;
      const std::size_t after = skip(end);
      if (text.compare(after, 2, ":=") == 0) name = text.substr(at, end - at);
      at = end;
      continue;
    }
    const std::size_t inside = skip(at + 1);
    if (text[at] != '(' || inside >= text.size() || !IsDigit(text[inside])) {
      ++at;
      continue;
    }
    std::string cycles;
    bool is_involution = true;
    while (at < text.size() && text[at] == '(') {
      const std::size_t close = text.find(')', at);
      if (close == std::string::npos) throw Error("a cycle of the file of moves has no ')'");
      std::string cycle = text.substr(at, close + 1 - at);
      std::replace_if(
          cycle.begin(), cycle.end(), [](char c) { return IsSpace(c) || c == ','; }, ' ');
      std::size_t numbers = 0;
      for (std::size_t i = 1; i < cycle.size(); ++i) numbers += IsDigit(cycle[i]) && !IsDigit(cycle[i - 1]) ? 1U : 0U;
      if (numbers > 2) is_involution = false;
      cycles += cycle;
      at = skip(close + 1);
    }
    if (name.empty()) name = "g" + std::to_string(++unnamed);
    statements += fmt::format("move {}{} {}\n", name, is_involution ? "" : " " + name + "'", cycles);
    name.clear();
  }
  if (statements.empty()) throw Error("the file of moves has no permutation such as (1,2,3)(4,5)");
  return statements;
}

std::string WithImports(const std::string& name, std::string text, const std::string& folder) {
  if (text.find("moves") == std::string::npos) return text;
  const Source source(name, text);
  std::string moves;
  for (const Source::Statement& statement : source.statements()) {
    StatementReader reader(source);
    reader.Begin(statement);
    if (!reader.TryWord("moves")) continue;
    reader.ExpectWord("from");
    const std::size_t at = reader.position();
    const std::string file = reader.ReadString("the name of a file");
    if (!reader.AtEnd()) reader.Fail(fmt::format("expected the end of the statement, found {}", reader.Found()));
    try {
      const std::string path = file.starts_with('/') || folder.empty() ? file : folder + "/" + file;
      moves += MovesOfGap(ReadRegularFile(path, Source::kMaxBytes));
    } catch (const Error& error) {
      source.Fail(at, error.what());
    }
    text[statement.begin] = '#';  // lines stay where they are
  }
  if (moves.empty()) return text;
  return text + (text.ends_with('\n') ? "" : "\n") + moves;
}

}  // namespace conpole::files
