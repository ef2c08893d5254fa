// Lines as pictures: what a page needs to draw them, not the drawing. Plain data; any thread may call any of this.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "notation/formula.h"

namespace conpole {

struct BarsPicture {
  std::vector<double> values;
  std::vector<std::size_t> moved = {};  // places whose value is another one than before the step
};

struct CubePicture {
  // The 54 letters of faces: U R F D L B, nine of each, row by row as one looks at it.
  std::string stickers;
  std::string turn = {};  // that led to it, in Singmaster's notation
};

struct FractionsPicture {
  struct Term {
    std::int64_t numerator = 0;
    std::int64_t denominator = 1;
    char sign = 0;  // between it and the term before: + - * /; 0 of the first
  };
  std::vector<Term> terms;
};

// An equation as a balance: what lies on its pans.
struct BalancePicture {
  struct Pan {
    std::int64_t unknowns = 0;
    std::int64_t ones = 0;
  };
  Pan left;
  Pan right;
  std::string unknown;  // its letter
};

// A puzzle that is flat, or was flattened: cells in rows, each with the character of its colour.
struct GridPicture {
  std::vector<std::vector<std::string>> rows;  // as long as each other; empty where there is no cell
  std::vector<std::string> colours;            // all that there are
  std::vector<std::size_t> moved = {};         // places, counted row by row, that have another colour than before the step
};

using Picture = std::variant<BarsPicture, CubePicture, FractionsPicture, BalancePicture, GridPicture>;

// In characters: a line per row. With a terminal's colours cells have a background, but for those that are empty by their
// looks.
std::string DrawGrid(const GridPicture& picture, bool is_coloured);

// Numbers with one kind of operation, or a number alone; nothing if it is anything else, or if a number is too large to be
// drawn.
std::optional<FractionsPicture> FractionsOf(const Formula& formula);
// Both sides as sums of a letter, of multiples of it and of whole numbers, few enough to be counted; nothing if it is anything
// else, since nothing can be taken from an empty pan.
std::optional<BalancePicture> BalanceOf(const Formula& formula);

}  // namespace conpole
