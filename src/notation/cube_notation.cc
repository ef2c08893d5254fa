#include "notation/cube_notation.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "notation/reading.h"
#include "util/text.h"
#include "verify/cube.h"

namespace conpole {
namespace {

using Kind = Token::Kind;

constexpr std::string_view kFaceletOrder = "URFDLB";
constexpr std::string_view kColours = "WRGBOY";
constexpr std::size_t kFaces = 6;
constexpr std::size_t kFaceCells = 9;
constexpr std::size_t kCentre = 4;

// The cell of a face's row and column, as one looks at it. A face's cells go column by column, from the lower end up.
std::size_t CellOf(char face, std::size_t row, std::size_t column) {
  return kFaceCells * kCubeFaces.find(face) + 3 * column + (2 - row);
}

// A text as facelets, if it can be meant so.
struct Facelets {
  std::string letters;                 // in capitals, or digits
  std::vector<std::size_t> positions;  // of each in the text
  std::vector<std::size_t> groups;     // lengths of what stands together
  std::vector<std::size_t> lines;      // facelets on each line that has some
  bool only_these = true;              // and nothing but what separates them
};

// With blanks in place of LaTeX's commands, braces and dollar signs, so that positions stay.
std::string WithoutLatex(std::string_view text) {
  std::string plain(text);
  for (std::size_t i = 0; i < plain.size(); ++i) {
    constexpr std::string_view kSigns = "{}$";
    if (kSigns.find(plain[i]) != std::string_view::npos) plain[i] = ' ';
    if (plain[i] != '\\') continue;
    do {
      plain[i++] = ' ';
    } while (i < plain.size() && IsLetter(plain[i]));
    --i;
  }
  return plain;
}

Facelets FindFacelets(std::string_view text) {
  Facelets found;
  bool together = false;
  std::size_t on_line = 0;
  const auto end_line = [&] {
    if (on_line > 0) found.lines.push_back(on_line);
    on_line = 0;
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (IsLetter(c) || IsDigit(c)) {
      found.letters += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
      found.positions.push_back(i);
      if (!together) found.groups.push_back(0);
      ++found.groups.back();
      ++on_line;
      together = true;
      continue;
    }
    together = false;
    if (c == '\n') end_line();
    constexpr std::string_view kSeparators = " \t\r\n,;|/_.";
    if (kSeparators.find(c) == std::string_view::npos) found.only_these = false;
  }
  end_line();
  return found;
}

std::size_t LongestRun(std::string_view letters) {
  std::size_t longest = 0;
  std::size_t run = 0;
  for (std::size_t i = 0; i < letters.size(); ++i) {
    run = i > 0 && letters[i] == letters[i - 1] ? run + 1 : 1;
    longest = std::max(longest, run);
  }
  return longest;
}

// Turns have marks and numbers and few letters, and none is made four times.
bool AreMeant(const Facelets& facelets) {
  if (!facelets.only_these || facelets.letters.empty()) return false;
  const auto digits = static_cast<std::size_t>(std::count_if(facelets.letters.begin(), facelets.letters.end(), IsDigit));
  constexpr std::size_t kMany = kCubeCells / 2;
  if (digits > 0) return digits == facelets.letters.size() && digits >= kMany;
  const bool apart = std::all_of(facelets.groups.begin(), facelets.groups.end(), [](std::size_t group) { return group == 1; });
  if (facelets.letters.size() >= kMany && !apart) return true;
  if (LongestRun(facelets.letters) >= 4) return true;
  // Of the colours, R and B are turns too.
  const bool colour = facelets.letters.find_first_of("WGOY") != std::string::npos;
  return colour && facelets.letters.size() >= kFaceCells && facelets.letters.find_first_not_of(kColours) == std::string::npos;
}

// Nine of each letter; otherwise which there are too many and too few of.
std::optional<NotationResult> CheckCounts(const Facelets& facelets, std::string_view alphabet) {
  char many = 0;
  char few = 0;
  const auto count = [&](char letter) {
    return static_cast<std::size_t>(std::count(facelets.letters.begin(), facelets.letters.end(), letter));
  };
  for (const char letter : alphabet) {
    if (count(letter) > kFaceCells && many == 0) many = letter;
    if (count(letter) < kFaceCells && few == 0) few = letter;
  }
  if (many == 0) return std::nullopt;
  return Unreadable(facelets.positions.front(), Message("every colour is there 9 times, but here are {} of {} and {} of {}",
                                                        count(many), many, count(few), few));
}

// The six faces of nine facelets each, and the letter of the face that each is.
struct Blocks {
  std::array<std::array<std::size_t, kFaceCells>, kFaces> facelets{};  // indices of letters
  std::string faces;
};

// Lines of 3, 3, 3, 12, 12, 12, 3, 3, 3: up, then left, front, right and back, then down.
bool IsUnfolded(const Facelets& facelets) {
  static constexpr std::array<std::size_t, 9> kNet{3, 3, 3, 12, 12, 12, 3, 3, 3};
  return std::equal(facelets.lines.begin(), facelets.lines.end(), kNet.begin(), kNet.end());
}

Blocks Unfolded() {
  Blocks blocks;
  blocks.faces = "ULFRBD";
  std::size_t next = 0;
  const auto take_row = [&](std::size_t block, std::size_t row) {
    for (std::size_t column = 0; column < 3; ++column) blocks.facelets[block][3 * row + column] = next++;
  };
  for (std::size_t row = 0; row < 3; ++row) take_row(0, row);
  for (std::size_t row = 0; row < 3; ++row) {
    for (std::size_t block = 1; block < 5; ++block) take_row(block, row);
  }
  for (std::size_t row = 0; row < 3; ++row) take_row(5, row);
  return blocks;
}

Blocks FaceByFace(std::string faces) {
  Blocks blocks;
  blocks.faces = std::move(faces);
  for (std::size_t i = 0; i < kCubeCells; ++i) blocks.facelets[i / kFaceCells][i % kFaceCells] = i;
  return blocks;
}

// The order of faces in which opposite ones have opposite colours: white and yellow, red and orange, green and blue.
std::string OrderOfColours(std::string_view centres) {
  static constexpr std::array<std::string_view, 3> kOrders{kFaceletOrder, kCubeFaces, "ULFRBD"};
  static constexpr std::array<std::string_view, 3> kOpposite{"WY", "RO", "GB"};
  static constexpr std::array<std::string_view, 3> kOppositeFaces{"UD", "RL", "FB"};
  for (const std::string_view order : kOrders) {
    const auto fits = [&](std::string_view faces) {
      const char first = centres[order.find(faces[0])];
      const char second = centres[order.find(faces[1])];
      return std::any_of(kOpposite.begin(), kOpposite.end(), [&](std::string_view pair) {
        return (pair[0] == first && pair[1] == second) || (pair[0] == second && pair[1] == first);
      });
    };
    if (std::all_of(kOppositeFaces.begin(), kOppositeFaces.end(), fits)) return std::string(order);
  }
  return std::string(kFaceletOrder);
}

NotationResult Known(const Domain& domain, std::string_view cells) {
  Parsed parsed = domain.Parse(CubeState(cells));
  if (parsed.error) return Unreadable(0, std::move(parsed.error->message));
  NotationResult result;
  result.state = std::move(parsed.state);
  return result;
}

NotationResult ReadFacelets(const Domain& domain, const Facelets& facelets) {
  const std::string& letters = facelets.letters;
  const bool digits = IsDigit(letters.front());
  const bool colours = letters.find_first_of("WGOY") != std::string::npos && letters.find_first_of("UFDL") == std::string::npos;
  const std::string_view alphabet = digits ? std::string_view("012345") : colours ? kColours : kFaceletOrder;
  if (const std::size_t wrong = letters.find_first_not_of(alphabet); wrong != std::string::npos) {
    const std::string letter = Quoted(letters[wrong]);
    return Unreadable(facelets.positions[wrong],
                      digits ? Message("{} is no facelet; in digits they are written 0 to 5", letter)
                             : Message("{} is no facelet; they are written U R F D L B or W R G B O Y", letter));
  }
  if (letters.size() != kCubeCells) {
    return Unreadable(facelets.positions.back(), Message("there are {} facelets, and a cube has 54", letters.size()));
  }
  if (std::optional<NotationResult> refused = CheckCounts(facelets, alphabet)) return std::move(*refused);
  if (digits) return Known(domain, letters);

  const bool unfolded = IsUnfolded(facelets);
  Blocks blocks = unfolded ? Unfolded() : FaceByFace({});
  std::string centres;
  for (const auto& block : blocks.facelets) {
    const std::size_t centre = block[kCentre];
    if (centres.find(letters[centre]) != std::string::npos) {
      return Unreadable(
          facelets.positions[centre],
          Message("{} is in the middle of two faces, where each of the six has a colour of its own", letters[centre]));
    }
    centres += letters[centre];
  }
  if (!unfolded) blocks.faces = colours ? OrderOfColours(centres) : centres;
  // A colour belongs to the face whose centre has it.
  std::string cells(kCubeCells, '0');
  for (std::size_t block = 0; block < kFaces; ++block) {
    for (std::size_t i = 0; i < kFaceCells; ++i) {
      const char face = blocks.faces[centres.find(letters[blocks.facelets[block][i]])];
      cells[CellOf(blocks.faces[block], i / 3, i % 3)] = static_cast<char>('0' + kCubeFaces.find(face));
    }
  }
  return Known(domain, cells);
}

struct Turn {
  std::size_t face = 0;
  CubeLayers layers = CubeLayers::kFace;
  int quarters = 1;
};
using Sequence = std::vector<Turn>;

Sequence Undone(Sequence turns) {
  std::reverse(turns.begin(), turns.end());
  for (Turn& turn : turns) turn.quarters = 4 - turn.quarters;
  return turns;
}

void Append(Sequence& turns, const Sequence& more) { turns.insert(turns.end(), more.begin(), more.end()); }

class TurnReader {
 public:
  explicit TurnReader(std::string_view text) : text_(text), tokens_(Tokenize(text)) {}

  // The turns, or why they cannot be read.
  std::optional<NotationResult> Read(Sequence& turns) {
    if (!ReadSequence(turns, 0)) return std::move(failure_);
    if (token().kind != Kind::kEnd) return Expected(kTurn, token(), text_);
    if (turns.empty()) return Expected(kTurn, token(), text_);
    return std::nullopt;
  }

 private:
  static constexpr std::string_view kTurn = "a turn such as R, R' or R2";
  static constexpr std::size_t kMaxTurns = 10'000;
  static constexpr std::size_t kMaxDepth = 20;

  const Token& token() const { return tokens_[at_]; }
  bool Fail(NotationResult failure) {
    failure_ = std::move(failure);
    return false;
  }
  bool Add(Sequence& turns, const Sequence& more) {
    if (turns.size() + more.size() > kMaxTurns) {
      return Fail(Unreadable(token().begin, Message("there are more than {} turns", kMaxTurns)));
    }
    Append(turns, more);
    return true;
  }

  // Up to the end, a closing bracket or, inside square brackets, what divides them.
  bool ReadSequence(Sequence& turns, std::size_t depth, bool divided = false) {
    while (token().kind != Kind::kEnd && token().kind != Kind::kClose) {
      if (divided && (token().Is(Kind::kSeparator, ',') || token().Is(Kind::kOperator, ':'))) return true;
      if (token().kind == Kind::kSeparator) {
        ++at_;
        continue;
      }
      Sequence more;
      if (!(token().kind == Kind::kOpen ? ReadGroup(more, depth) : ReadTurn(more))) return false;
      if (!Add(turns, more)) return false;
    }
    return true;
  }

  // ( ... )2 or [A, B] or [A: B], which are A B A' B' and A B A'.
  bool ReadGroup(Sequence& turns, std::size_t depth) {
    const bool square = token().symbol == '[';
    if (depth == kMaxDepth) return Fail(Expected(kTurn, token(), text_));
    ++at_;
    Sequence first;
    if (!ReadSequence(first, depth + 1, square)) return false;
    const bool commutator = square && token().Is(Kind::kSeparator, ',');
    const bool conjugate = square && token().Is(Kind::kOperator, ':');
    Sequence group = first;
    if (commutator || conjugate) {
      ++at_;
      Sequence second;
      if (!ReadSequence(second, depth + 1)) return false;
      Append(group, second);
      Append(group, Undone(first));
      if (commutator) Append(group, Undone(second));
    }
    if (token().kind != Kind::kClose) return Fail(Expected(square ? "']'" : "')'", token(), text_));
    ++at_;
    std::size_t times = 1;
    if (!token().after_blank && token().kind == Kind::kPower && token().digits.empty()) ++at_;
    if (!token().after_blank && token().kind == Kind::kNumber) {
      const std::optional<std::size_t> number = SmallNumber(token());
      if (!number) return Fail(Expected("how often", token(), text_));
      times = *number;
      ++at_;
    }
    if (!token().after_blank && token().Is(Kind::kMark, '\'')) {
      group = Undone(std::move(group));
      ++at_;
    }
    if (group.empty()) return true;
    for (std::size_t i = 0; i < times; ++i) {
      if (!Add(turns, group)) return false;
    }
    return true;
  }

  bool ReadTurn(Sequence& turns) {
    Turn turn;
    if (!ReadName(turn)) return Fail(Expected(kTurn, token(), text_));
    if (!token().after_blank && token().Is(Kind::kOperator, '-')) {
      ++at_;
      if (token().kind != Kind::kNumber || token().digits != "1") return Fail(Expected("R-1", token(), text_));
      turn.quarters = 3;
      ++at_;
    } else {
      bool undone = false;
      // R2', R'2 and R' are all written.
      const auto read_mark = [&] {
        if (token().after_blank || !token().Is(Kind::kMark, '\'')) return;
        undone = !undone;
        ++at_;
      };
      read_mark();
      if (!token().after_blank && token().kind == Kind::kNumber) {
        const std::string& digits = token().digits;
        if (digits.size() != 1 || digits[0] < '1' || digits[0] > '3' || token().decimals > 0) {
          return Fail(Expected("1, 2 or 3 quarter turns", token(), text_));
        }
        turn.quarters = digits[0] - '0';
        ++at_;
        read_mark();
      }
      if (undone) turn.quarters = 4 - turn.quarters;
    }
    turns.push_back(turn);
    return true;
  }

  // R, Rw or r, M E S as L D F, x y z as R U F.
  bool ReadName(Turn& turn) {
    if (token().kind != Kind::kLetter) return false;
    static constexpr std::string_view kWide = "udlrbf";
    static constexpr std::string_view kSlices = "MES";
    static constexpr std::string_view kWhole = "xyz";
    const char letter = token().symbol;
    if (kCubeFaces.find(letter) != std::string_view::npos) {
      turn.face = kCubeFaces.find(letter);
    } else if (kWide.find(letter) != std::string_view::npos) {
      turn.face = kWide.find(letter);
      turn.layers = CubeLayers::kWide;
    } else if (kSlices.find(letter) != std::string_view::npos) {
      turn.face = kCubeFaces.find("LDF"[kSlices.find(letter)]);
      turn.layers = CubeLayers::kSlice;
    } else if (kWhole.find(letter) != std::string_view::npos) {
      turn.face = kCubeFaces.find("RUF"[kWhole.find(letter)]);
      turn.layers = CubeLayers::kWhole;
    } else {
      return false;
    }
    ++at_;
    if (turn.layers == CubeLayers::kFace && !token().after_blank && token().Is(Kind::kLetter, 'w')) {
      turn.layers = CubeLayers::kWide;
      ++at_;
    }
    return true;
  }

  std::string_view text_;
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  NotationResult failure_;
};

}  // namespace

std::size_t CellOfFacelet(std::size_t facelet) {
  return CellOf(kFaceletOrder[facelet / kFaceCells], facelet % kFaceCells / 3, facelet % 3);
}

NotationResult ReadCubeNotation(const Domain& domain, std::string_view start, std::string_view text) {
  const Facelets facelets = FindFacelets(WithoutLatex(text));
  if (AreMeant(facelets)) return ReadFacelets(domain, facelets);
  Sequence turns;
  if (std::optional<NotationResult> failure = TurnReader(text).Read(turns)) return std::move(*failure);
  std::string cells(start);
  for (const Turn& turn : turns) cells = TurnCube(cells, turn.face, turn.layers, turn.quarters);
  return Known(domain, HeldUpright(cells).value_or(cells));
}

}  // namespace conpole
