#include "tests/cube_judge.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

namespace conpole {
namespace {

constexpr std::string_view kFaces = "URFDLB";

// A place by its facelets: a letter of a face and the number of one of its nine facelets, row by row. Corners go round
// clockwise; the facelet that orientation is counted from comes first.
struct Place {
  std::string_view facelets;  // "U9R1F3"
  std::size_t size() const { return facelets.size() / 2; }
  std::size_t facelet(std::size_t i) const {
    return 9 * kFaces.find(facelets[2 * i]) + static_cast<std::size_t>(facelets[2 * i + 1] - '1');
  }
  // The letters of its faces: its name, and the colours of the piece that belongs there.
  std::string home() const {
    std::string faces;
    for (std::size_t i = 0; i < size(); ++i) faces += facelets[2 * i];
    return faces;
  }
  std::string colours(std::string_view cube) const {
    std::string found;
    for (std::size_t i = 0; i < size(); ++i) found += cube[facelet(i)];
    return found;
  }
};

constexpr std::array<Place, 8> kCorners{
    {{"U9R1F3"}, {"U7F1L3"}, {"U1L1B3"}, {"U3B1R3"}, {"D3F9R7"}, {"D1L9F7"}, {"D7B9L7"}, {"D9R9B7"}}};
constexpr std::array<Place, 12> kEdges{
    {{"U6R2"}, {"U8F2"}, {"U4L2"}, {"U2B2"}, {"D6R8"}, {"D2F8"}, {"D4L8"}, {"D8B8"}, {"F6R4"}, {"F4L6"}, {"B6L4"}, {"B4R6"}}};

// Which piece is at each place and how far it is turned there; nothing if there is no such piece, or one is there twice.
struct Arrangement {
  std::vector<std::size_t> pieces;
  std::vector<std::size_t> turned;
};

template <std::size_t kCount>
std::optional<Arrangement> Arrange(const std::array<Place, kCount>& places, std::string_view cube) {
  Arrangement arrangement;
  for (const Place& place : places) {
    const std::string colours = place.colours(cube);
    bool is_known = false;
    for (std::size_t piece = 0; piece < kCount && !is_known; ++piece) {
      const std::string home = places[piece].home();
      for (std::size_t turned = 0; turned < home.size() && !is_known; ++turned) {
        std::string rotated = colours;
        std::rotate(rotated.begin(), rotated.begin() + static_cast<std::ptrdiff_t>(turned), rotated.end());
        if (rotated != home) continue;
        if (std::count(arrangement.pieces.begin(), arrangement.pieces.end(), piece) != 0) return std::nullopt;
        arrangement.pieces.push_back(piece);
        arrangement.turned.push_back(turned);
        is_known = true;
      }
    }
    if (!is_known) return std::nullopt;
  }
  return arrangement;
}

// A permutation is even if its length less the number of its cycles is.
bool IsOdd(const std::vector<std::size_t>& permutation) {
  std::vector<bool> seen(permutation.size());
  std::size_t cycles = 0;
  for (std::size_t start = 0; start < permutation.size(); ++start) {
    if (seen[start]) continue;
    ++cycles;
    for (std::size_t at = start; !seen[at]; at = permutation[at]) seen[at] = true;
  }
  return (permutation.size() - cycles) % 2 != 0;
}

std::size_t SumOf(const std::vector<std::size_t>& numbers) {
  std::size_t sum = 0;
  for (const std::size_t number : numbers) sum += number;
  return sum;
}

std::string Sorted(std::string letters) {
  std::sort(letters.begin(), letters.end());
  return letters;
}

std::vector<Place> AllPlaces() {
  std::vector<Place> all(kCorners.begin(), kCorners.end());
  all.insert(all.end(), kEdges.begin(), kEdges.end());
  return all;
}

// The places whose colours, in any order, are these letters; or whose names are.
std::vector<Place> PlacesWith(std::string_view cube, std::string_view colours) {
  std::vector<Place> found;
  for (const Place& place : AllPlaces()) {
    if (Sorted(place.colours(cube)) == Sorted(std::string(colours))) found.push_back(place);
  }
  return found;
}
std::optional<Place> PlaceNamed(std::string_view name) {
  for (const Place& place : AllPlaces()) {
    if (Sorted(place.home()) == Sorted(std::string(name))) return place;
  }
  return std::nullopt;
}

// Whether all pieces but those at two places are at home, and not turned.
bool IsSolvedBut(std::string_view cube, const Place& first, const Place& second) {
  const std::vector<Place> all = AllPlaces();
  return std::all_of(all.begin(), all.end(), [&](const Place& place) {
    return place.facelets == first.facelets || place.facelets == second.facelets || place.colours(cube) == place.home();
  });
}

// Takes a text off the front.
bool Take(std::string_view& text, std::string_view front) {
  if (!text.starts_with(front)) return false;
  text.remove_prefix(front.size());
  return true;
}
std::string TakeWord(std::string_view& text) {
  const std::size_t end = std::min(text.find_first_of(" ,."), text.size());
  std::string word(text.substr(0, end));
  text.remove_prefix(end);
  return word;
}

// "two pieces are exchanged, a corner is twisted, and an edge is flipped."
std::optional<std::string> FindLieInParts(std::string_view cube, const CubeJudgement& truth, std::string_view text) {
  bool exchanged = false;
  bool twisted = false;
  bool flipped = false;
  while (text != ".") {
    if (exchanged || twisted || flipped) {
      if (!Take(text, ", and ") && !Take(text, ", ")) return "not understood: " + std::string(text);
    }
    if (Take(text, "two pieces are exchanged")) {
      exchanged = true;
    } else if (Take(text, "a corner is twisted")) {
      twisted = true;
    } else if (Take(text, "an edge is flipped")) {
      flipped = true;
    } else if (Take(text, "the pieces ")) {
      const std::optional<Place> first = PlaceNamed(TakeWord(text));
      Take(text, " and ");
      const std::optional<Place> second = PlaceNamed(TakeWord(text));
      if (!Take(text, " are exchanged") || !first || !second) return "not understood: " + std::string(text);
      const bool are_there = Sorted(first->colours(cube)) == Sorted(second->home()) &&
                             Sorted(second->colours(cube)) == Sorted(first->home()) && IsSolvedBut(cube, *first, *second);
      if (!are_there) return "these are not exchanged";
      exchanged = true;
    } else if (Take(text, "the corner ") || Take(text, "the edge ")) {
      const std::optional<Place> place = PlaceNamed(TakeWord(text));
      if (!place) return "no such place";
      const bool is_corner = place->size() == 3;
      if (!Take(text, is_corner ? " is twisted" : " is flipped")) return "not understood: " + std::string(text);
      const bool is_turned = Sorted(place->colours(cube)) == Sorted(place->home()) && place->colours(cube) != place->home();
      if (!is_turned) return "that piece is not turned at its place";
      (is_corner ? twisted : flipped) = true;
    } else {
      return "not understood: " + std::string(text);
    }
  }
  if (exchanged != truth.is_odd) return "whether pieces are exchanged";
  if (twisted != (truth.twist != 0)) return "whether a corner is twisted";
  if (flipped != (truth.flip != 0)) return "whether an edge is flipped";
  return std::nullopt;
}

}  // namespace

CubeJudgement JudgeCube(std::string_view facelets) {
  CubeJudgement judgement;
  judgement.is_solved = true;
  for (std::size_t i = 0; i < facelets.size(); ++i) {
    const bool is_home = facelets[i] == kFaces[i / 9];
    judgement.is_solved = judgement.is_solved && is_home;
    if (i % 9 == 4 && !is_home) judgement.centres_fit = false;
  }
  const std::optional<Arrangement> corners = Arrange(kCorners, facelets);
  const std::optional<Arrangement> edges = Arrange(kEdges, facelets);
  if (!corners || !edges) {
    judgement.pieces_fit = false;
    return judgement;
  }
  judgement.is_odd = IsOdd(corners->pieces) != IsOdd(edges->pieces);
  judgement.twist = static_cast<int>(SumOf(corners->turned) % 3);
  judgement.flip = static_cast<int>(SumOf(edges->turned) % 2);
  return judgement;
}

std::optional<std::string> FindLie(std::string_view facelets, std::string_view sentence) {
  const CubeJudgement truth = JudgeCube(facelets);
  if (truth.is_possible()) return "turns solve this cube";
  if (!Take(sentence, "No turns solve this cube: ")) return "not understood: " + std::string(sentence);
  if (sentence == "the centres have not the colours of their faces.") {
    return truth.centres_fit ? std::optional<std::string>("they have") : std::nullopt;
  }
  const auto is_a_piece = [](std::string_view colours) { return PlaceNamed(colours).has_value(); };
  if (Take(sentence, "at ")) {
    const std::optional<Place> place = PlaceNamed(TakeWord(sentence));
    if (!place || !Take(sentence, " are the colours ")) return "no such place";
    const std::string colours = TakeWord(sentence);
    if (Sorted(place->colours(facelets)) != Sorted(colours)) return "other colours are there";
    return is_a_piece(colours) ? std::optional<std::string>("a piece has these") : std::nullopt;
  }
  if (Take(sentence, "the colours of the corner ")) {
    const std::string corner = TakeWord(sentence);
    const std::optional<Place> home = PlaceNamed(corner);
    if (!home || home->size() != 3) return "no such corner";
    // Round the other way: none of the three turned ways is that of the piece.
    for (const Place& place : PlacesWith(facelets, corner)) {
      std::string colours = place.colours(facelets);
      bool is_right = false;
      for (int turned = 0; turned < 3; ++turned) {
        is_right = is_right || colours == home->home();
        std::rotate(colours.begin(), colours.begin() + 1, colours.end());
      }
      if (!is_right) return std::nullopt;
    }
    return "they go round the right way";
  }
  if (Take(sentence, "the piece ")) {
    const std::string piece = TakeWord(sentence);
    return PlacesWith(facelets, piece).size() < 2 ? std::optional<std::string>("it is not there twice") : std::nullopt;
  }
  if (!truth.centres_fit || !truth.pieces_fit) return "the pieces are not those of a cube";
  return FindLieInParts(facelets, truth, sentence);
}

std::string FaceletsOf(std::string_view state) {
  // The faces of the domain's text, each with its cells column by column from the left, every column from its lower end up.
  constexpr std::string_view kOrder = "UDLRBF";
  std::string facelets;
  for (const char face : kFaces) {
    const std::string_view cells = state.substr(11 * kOrder.find(face) + 1, 9);
    for (std::size_t row = 0; row < 3; ++row) {
      for (std::size_t column = 0; column < 3; ++column) {
        facelets += kOrder[static_cast<std::size_t>(cells[3 * column + 2 - row] - '0')];
      }
    }
  }
  return facelets;
}

}  // namespace conpole
