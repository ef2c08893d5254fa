#include "domains/files/layout.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <mutex>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "domains/puzzles/find_symmetries.h"
#include "util/text.h"

namespace conpole::files {
namespace {

constexpr std::int64_t kMoreSteps = 1'000;

// Where the letters of a conditional move stand for colours; false if the cells do not look like the side.
bool FitsSide(const std::vector<std::uint16_t>& cells, const std::vector<std::int16_t>& side,
              const std::vector<std::uint8_t>& state, std::array<std::int16_t, 64>& letters) {
  letters.fill(-1);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const std::uint8_t colour = state[cells[i]];
    if (side[i] >= 0) {
      if (side[i] != colour) return false;
      continue;
    }
    std::int16_t& letter = letters[static_cast<std::size_t>(-1 - side[i])];
    if (letter >= 0 && letter != colour) return false;
    letter = colour;
  }
  return true;
}

bool Replace(const std::vector<std::uint16_t>& cells, const std::vector<std::int16_t>& from,
             const std::vector<std::int16_t>& to, const std::vector<std::uint8_t>& state, std::vector<std::uint8_t>& result) {
  std::array<std::int16_t, 64> letters;
  if (!FitsSide(cells, from, state, letters)) return false;
  result = state;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    result[cells[i]] = static_cast<std::uint8_t>(to[i] >= 0 ? to[i] : letters[static_cast<std::size_t>(-1 - to[i])]);
  }
  return true;
}

std::vector<std::size_t> CountsOf(const std::vector<std::uint8_t>& cells, std::size_t colours) {
  std::vector<std::size_t> counts(colours);
  for (const std::uint8_t cell : cells) ++counts[cell];
  return counts;
}

}  // namespace

LayoutEngine::LayoutEngine(const Definition& file) : layout_(file.layout) {
  const std::size_t colours = layout_.colours.size();
  for (std::size_t i = 0; i < colours; ++i) colours_.emplace(layout_.colours[i], static_cast<std::uint8_t>(i));
  for (const Move& move : layout_.moves) {
    if (move.kind == Move::Kind::kToggle) {
      keeps_colours_ = false;
      has_toggles_ = true;
    }
    if (move.kind == Move::Kind::kExchange) {
      std::vector<std::int16_t> before = move.before;
      std::vector<std::int16_t> after = move.after;
      std::sort(before.begin(), before.end());
      std::sort(after.begin(), after.end());
      keeps_colours_ = keeps_colours_ && before == after;
      has_inverses_ = false;
    }
  }
  if (!layout_.solved.empty()) counts_ = CountsOf(layout_.solved.front(), colours);
  for (const std::vector<std::uint8_t>& solved : layout_.solved) {
    if (CountsOf(solved, colours) != counts_) keeps_colours_ = false;
  }
  if (!layout_.partly_solved.empty()) keeps_colours_ = false;
  for (std::size_t a = 0; a < layout_.moves.size() && has_inverses_; ++a) {
    const Move& move = layout_.moves[a];
    std::size_t found = layout_.moves.size();
    for (std::size_t b = 0; b < layout_.moves.size() && found == layout_.moves.size(); ++b) {
      const Move& other = layout_.moves[b];
      if (move.kind != other.kind) continue;
      if (move.kind == Move::Kind::kToggle) {
        if (colours == 2 && move.cells == other.cells) found = b;
        continue;
      }
      bool undoes = true;
      for (std::size_t cell = 0; cell < layout_.cells && undoes; ++cell) undoes = move.from[other.from[cell]] == cell;
      if (undoes) found = b;
    }
    has_inverses_ = found < layout_.moves.size();
    inverse_.push_back(found);
  }
  const auto is_byte = [](const std::string& character) { return character.size() <= 1; };
  is_plain_ = std::all_of(layout_.colours.begin(), layout_.colours.end(), is_byte) &&
              std::all_of(layout_.pieces.begin(), layout_.pieces.end(), is_byte);
  if (!is_plain_) return;
  colour_of_.fill(-1);
  for (std::size_t i = 0; i < colours; ++i)
    colour_of_[static_cast<unsigned char>(layout_.colours[i][0])] = static_cast<std::int16_t>(i);
  for (const std::string& piece : layout_.pieces) {
    if (piece.empty()) place_of_.push_back(static_cast<std::uint16_t>(shape_.size()));
    shape_ += piece.empty() ? '\0' : piece[0];
  }
  for (const Move& move : layout_.moves) {
    auto& changes = changes_.emplace_back();
    for (std::size_t cell = 0; cell < move.from.size(); ++cell) {
      if (move.from[cell] != cell) changes.emplace_back(place_of_[cell], place_of_[move.from[cell]]);
    }
  }
}

std::optional<Malformed> LayoutEngine::Read(std::string_view text, std::vector<std::uint8_t>& cells) const {
  if (!is_plain_ || text.size() != shape_.size()) return ReadSlowly(text, cells);
  cells.resize(layout_.cells);
  std::uint8_t* cell = cells.data();
  const char* shape = shape_.data();
  for (const char c : text) {
    const char wanted = *shape++;
    if (wanted != '\0') {
      if (c != wanted) return ReadSlowly(text, cells);
      continue;
    }
    const std::int16_t colour = colour_of_.data()[static_cast<unsigned char>(c)];
    if (colour < 0) return ReadSlowly(text, cells);
    *cell++ = static_cast<std::uint8_t>(colour);
  }
  if (keeps_colours_ && !HasRightCounts(cells)) return ReadSlowly(text, cells);
  return std::nullopt;
}

bool LayoutEngine::HasRightCounts(const std::vector<std::uint8_t>& cells) const {
  std::array<std::uint16_t, 256> counts{};
  for (const std::uint8_t colour : cells) ++counts.data()[colour];
  return std::equal(counts_.begin(), counts_.end(), counts.begin());
}

// Says what is wrong, and reads any characters.
std::optional<Malformed> LayoutEngine::ReadSlowly(std::string_view text, std::vector<std::uint8_t>& cells) const {
  cells.clear();
  if (std::optional<Malformed> too_long = CheckLength(text)) return too_long;
  std::size_t at = 0;
  const auto found = [&] { return at >= text.size() ? std::string("the end") : fmt::format("'{}'", CharacterAt(text, at)); };
  for (const std::string& piece : layout_.pieces) {
    if (!piece.empty()) {
      if (!text.substr(std::min(at, text.size())).starts_with(piece))
        return Malformed{at, Message("expected '{}', found {}", piece, found())};
      at += piece.size();
      continue;
    }
    const std::string_view character = at < text.size() ? CharacterAt(text, at) : std::string_view();
    const auto colour = colours_.find(character);
    if (colour == colours_.end())
      return Malformed{at, Message("expected a colour ({}), found {}", Join(layout_.colours), found())};
    cells.push_back(colour->second);
    at += character.size();
  }
  if (at < text.size()) return Malformed{at, Message("expected the end, found {}", found())};
  if (!keeps_colours_) return std::nullopt;
  const auto counts = CountsOf(cells, layout_.colours.size());
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] == counts_[i]) continue;
    return Malformed{
        0, Message("there are {} cells of '{}', but {} in the solved state", counts[i], layout_.colours[i], counts_[i])};
  }
  return std::nullopt;
}

std::string LayoutEngine::Write(const std::vector<std::uint8_t>& cells) const {
  std::string text;
  std::size_t cell = 0;
  for (const std::string& piece : layout_.pieces) text += piece.empty() ? layout_.colours[cells[cell++]] : piece;
  return text;
}

bool LayoutEngine::Solved(const std::vector<std::uint8_t>& cells) const {
  if (layout_.partly_solved.empty())
    return std::find(layout_.solved.begin(), layout_.solved.end(), cells) != layout_.solved.end();
  return std::any_of(layout_.partly_solved.begin(), layout_.partly_solved.end(), [&](const auto& wanted) {
    for (std::size_t cell = 0; cell < cells.size(); ++cell) {
      if (wanted.cells[cell] >= 0 && wanted.cells[cell] != cells[cell]) return false;
    }
    return std::all_of(wanted.counts.begin(), wanted.counts.end(),
                       [&](const auto& count) { return std::count(cells.begin(), cells.end(), count.first) == count.second; });
  });
}

bool LayoutEngine::Do(const Move& move, const std::vector<std::uint8_t>& cells, std::vector<std::uint8_t>& result) const {
  switch (move.kind) {
    case Move::Kind::kPermutation:
      result.resize(cells.size());
      for (std::size_t cell = 0; cell < cells.size(); ++cell) result[cell] = cells[move.from[cell]];
      return true;
    case Move::Kind::kToggle:
      result = cells;
      for (const std::uint16_t cell : move.cells)
        result[cell] = static_cast<std::uint8_t>((cells[cell] + 1U) % layout_.colours.size());
      return true;
    case Move::Kind::kExchange:
      return Replace(move.cells, move.before, move.after, cells, result);
  }
  return false;
}

bool LayoutEngine::Undo(const Move& move, const std::vector<std::uint8_t>& cells, std::vector<std::uint8_t>& result) const {
  const std::size_t colours = layout_.colours.size();
  switch (move.kind) {
    case Move::Kind::kPermutation:
      result.resize(cells.size());
      for (std::size_t cell = 0; cell < cells.size(); ++cell) result[move.from[cell]] = cells[cell];
      return true;
    case Move::Kind::kToggle:
      result = cells;
      for (const std::uint16_t cell : move.cells)
        result[cell] = static_cast<std::uint8_t>((cells[cell] + colours - 1) % colours);
      return true;
    case Move::Kind::kExchange:
      return Replace(move.cells, move.after, move.before, cells, result);
  }
  return false;
}

void LayoutEngine::Append(std::string_view state, const std::vector<std::uint8_t>& cells, Labels labels,
                          Successors& out) const {
  thread_local std::vector<std::uint8_t> result;
  for (std::size_t i = 0; i < layout_.moves.size(); ++i) {
    const Move& move = layout_.moves[i];
    if (is_plain_ && move.kind == Move::Kind::kPermutation) {
      char* const to = out.BeginState(state.size());
      std::memcpy(to, state.data(), state.size());
      for (const auto& [place, from] : changes_[i]) to[place] = state.data()[from];
      out.EndState(to + state.size());
    } else {
      if (!Do(move, cells, result)) continue;
      char* end = out.BeginState(4 * layout_.pieces.size());  // bytes of a character
      if (is_plain_) {
        std::memcpy(end, state.data(), state.size());
        for (const std::uint16_t cell : move.cells) end[place_of_[cell]] = layout_.colours[result[cell]][0];
        end += state.size();
      } else {
        std::size_t cell = 0;
        for (const std::string& piece : layout_.pieces)
          end = WriteText(end, piece.empty() ? layout_.colours[result[cell++]] : piece);
      }
      out.EndState(end);
    }
    if (labels == Labels::kOn) out.EndLabel(WriteText(out.BeginLabel(move.name.size()), move.name));
  }
}

std::string LayoutEngine::Scramble(const struct Scramble& range, Random& random) const {
  const std::size_t start = layout_.solved.size() == 1 ? 0 : static_cast<std::size_t>(random.Uint64(0, layout_.solved.size()));
  std::vector<std::uint8_t> cells = layout_.solved[start];
  std::vector<std::uint8_t> result;
  std::vector<std::size_t> possible;
  // Where many states are solved, some more steps lead out of them.
  std::int64_t more = layout_.partly_solved.empty() ? 0 : kMoreSteps;
  for (std::int64_t left = random.Int64(range.low, range.high + 1); left > 0 || (more-- > 0 && Solved(cells)); --left) {
    if (has_inverses_) {  // then forward is as good as back
      Do(layout_.moves[static_cast<std::size_t>(random.Uint64(0, layout_.moves.size()))], cells, result);
      cells.swap(result);
      continue;
    }
    possible.clear();
    for (std::size_t i = 0; i < layout_.moves.size(); ++i) {
      if (Undo(layout_.moves[i], cells, result)) possible.push_back(i);
    }
    if (possible.empty()) break;
    Undo(layout_.moves[possible[static_cast<std::size_t>(random.Uint64(0, possible.size()))]], cells, result);
    cells.swap(result);
  }
  return Write(cells);
}

// An exchange as a move of a fixed layout: which cell each gets its colour from, and which has to have which colour. Nothing
// unless it asks for one colour, which only one cell of a state has.
std::optional<std::pair<std::vector<std::uint8_t>, MoveCondition>> LayoutEngine::AsConditionalMove(const Move& move) const {
  if (move.kind != Move::Kind::kExchange) return std::nullopt;
  std::vector<std::uint8_t> from(layout_.cells);
  std::iota(from.begin(), from.end(), std::uint8_t{0});
  std::optional<MoveCondition> condition;
  for (std::size_t i = 0; i < move.cells.size(); ++i) {
    if (std::count(move.before.begin(), move.before.end(), move.before[i]) != 1) return std::nullopt;
    const auto to = std::find(move.after.begin(), move.after.end(), move.before[i]);
    if (to == move.after.end()) return std::nullopt;
    from[move.cells[static_cast<std::size_t>(to - move.after.begin())]] = static_cast<std::uint8_t>(move.cells[i]);
    if (move.before[i] < 0) continue;
    const auto colour = static_cast<std::uint8_t>(move.before[i]);
    if (condition || counts_[colour] != 1) return std::nullopt;
    condition = MoveCondition{static_cast<std::uint8_t>(move.cells[i]), colour};
  }
  if (!condition) return std::nullopt;
  return std::pair(std::move(from), *condition);
}

bool LayoutEngine::AddConditionalMoves(FixedLayout& made) const {
  for (const Move& move : layout_.moves) {
    auto one = AsConditionalMove(move);
    if (!one) return false;
    made.moves.push_back(std::move(one->first));
    made.conditions.push_back(one->second);
  }
  for (std::size_t a = 0; a < made.actions(); ++a) {
    std::size_t b = 0;
    const auto undoes = [&] {
      for (std::size_t cell = 0; cell < made.cells; ++cell) {
        if (made.moves[a][made.moves[b][cell]] != cell) return false;
      }
      return made.conditions[b].colour == made.conditions[a].colour &&
             made.moves[a][made.conditions[b].cell] == made.conditions[a].cell;
    };
    while (b < made.actions() && !undoes()) ++b;
    if (b == made.actions()) return false;
    made.inverse.push_back(static_cast<std::uint8_t>(b));
  }
  return true;
}

void LayoutEngine::AddMoves(std::size_t fold, FixedLayout& made) const {
  const auto facelet = [&](std::size_t cell, std::size_t k) { return static_cast<std::uint8_t>(cell * fold + k % fold); };
  for (std::size_t a = 0; a < layout_.moves.size(); ++a) {
    const Move& move = layout_.moves[a];
    std::vector<std::uint8_t> from(made.cells);
    for (std::size_t cell = 0; cell < layout_.cells; ++cell) {
      const bool is_toggled =
          move.kind == Move::Kind::kToggle && std::find(move.cells.begin(), move.cells.end(), cell) != move.cells.end();
      const std::size_t source = move.kind == Move::Kind::kPermutation ? move.from[cell] : cell;
      for (std::size_t k = 0; k < fold; ++k) from[facelet(cell, k)] = facelet(source, k + (is_toggled ? 1 : 0));
    }
    made.moves.push_back(std::move(from));
    made.inverse.push_back(static_cast<std::uint8_t>(inverse_[a]));
  }
}

std::optional<FixedLayout> LayoutEngine::MakeFixedLayout() const {
  // A cell that can be toggled is several cells of a packed state, one per colour: the k-th has the colour that comes k places
  // later. A toggle then moves colours between them.
  const std::size_t colours = layout_.colours.size();
  const std::size_t fold = has_toggles_ ? colours : 1;
  constexpr std::size_t kMost = 256;
  if (layout_.solved.size() != 1 || !layout_.partly_solved.empty() || layout_.cells * fold > kMost ||
      layout_.moves.size() > kMost) {
    return std::nullopt;
  }
  FixedLayout made{.cells = layout_.cells * fold, .colours = colours};
  if (has_inverses_) {
    AddMoves(fold, made);
  } else if (!AddConditionalMoves(made)) {
    return std::nullopt;
  }
  const auto pack = [fold, colours](const std::vector<std::uint8_t>& cells, std::uint8_t* packed) {
    for (const std::uint8_t cell : cells) {
      for (std::size_t k = 0; k < fold; ++k) *packed++ = static_cast<std::uint8_t>((cell + k) % colours);
    }
  };
  made.solved.resize(made.cells);
  pack(layout_.solved.front(), made.solved.data());
  // The layout lives as long as the program, so what it uses does, too.
  const auto shape = std::make_shared<const LayoutDefinition>(layout_);
  made.pack = [shape, pack](std::string_view state, std::uint8_t* packed) {
    std::vector<std::uint8_t> cells;
    std::size_t at = 0;
    for (const std::string& piece : shape->pieces) {
      if (!piece.empty()) {
        at += piece.size();
        continue;
      }
      const std::string_view character = CharacterAt(state, at);
      cells.push_back(static_cast<std::uint8_t>(std::find(shape->colours.begin(), shape->colours.end(), character) -
                                                shape->colours.begin()));
      at += character.size();
    }
    pack(cells, packed);
  };
  made.unpack = [shape, fold](const std::uint8_t* packed) {
    std::string text;
    std::size_t cell = 0;
    for (const std::string& piece : shape->pieces) text += piece.empty() ? shape->colours[packed[fold * cell++]] : piece;
    return text;
  };
  // Views take some time to find, so that they are found when they are asked for first.
  struct Views {
    std::once_flag found;
    FixedLayout layout;
    std::vector<LayoutSymmetry> all;
  };
  const auto views = std::make_shared<Views>();
  views->layout = made;
  made.find_symmetries = [views]() -> const std::vector<LayoutSymmetry>& {
    std::call_once(views->found, [&] { views->all = FindSymmetries(views->layout); });
    return views->all;
  };
  return made;
}

}  // namespace conpole::files
