#include "notation/cube_picture.h"

#include <array>
#include <cstddef>

#include <fmt/format.h>

#include "notation/cube_notation.h"
#include "verify/cube.h"

namespace conpole {
namespace {

// Of the 256 colours that terminals have, the background of each face in the order of kCubeFaces, and what can be read on it.
struct Paint {
  int background;
  int letter;
};
constexpr int kBlack = 16;
constexpr int kWhite = 231;
constexpr std::array<Paint, 6> kPaints{
    {{kWhite, kBlack}, {226, kBlack}, {208, kBlack}, {160, kWhite}, {27, kWhite}, {34, kBlack}}};

// Faces of the order U R F D L B.
constexpr std::size_t kUp = 0;
constexpr std::size_t kRight = 1;
constexpr std::size_t kFront = 2;
constexpr std::size_t kDown = 3;
constexpr std::size_t kLeft = 4;
constexpr std::size_t kBack = 5;

std::string DrawRow(std::string_view cells, std::size_t face, std::size_t row, bool is_coloured) {
  std::string text;
  for (std::size_t column = 0; column < 3; ++column) {
    const auto colour = static_cast<std::size_t>(cells[CellOfFacelet(9 * face + 3 * row + column)] - '0');
    const char letter = kCubeFaces[colour];
    const Paint& paint = kPaints[colour];
    text +=
        is_coloured ? fmt::format("\x1b[48;5;{};38;5;{}m {} ", paint.background, paint.letter, letter) : std::string(1, letter);
  }
  return is_coloured ? text + "\x1b[0m" : text;
}

}  // namespace

std::string DrawCube(std::string_view cells, bool is_coloured) {
  const std::string indent(is_coloured ? 10 : 4, ' ');
  std::string picture;
  const auto add_line = [&](const std::string& line) { picture += (picture.empty() ? "" : "\n") + line; };
  for (std::size_t row = 0; row < 3; ++row) add_line(indent + DrawRow(cells, kUp, row, is_coloured));
  for (std::size_t row = 0; row < 3; ++row) {
    std::string line;
    for (const std::size_t face : {kLeft, kFront, kRight, kBack}) {
      line += (line.empty() ? "" : " ") + DrawRow(cells, face, row, is_coloured);
    }
    add_line(line);
  }
  for (std::size_t row = 0; row < 3; ++row) add_line(indent + DrawRow(cells, kDown, row, is_coloured));
  return picture;
}

}  // namespace conpole
