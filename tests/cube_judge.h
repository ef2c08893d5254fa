// Whether turns can solve a cube, judged by the classical invariants from a table of its pieces: it shares nothing with the
// geometry of the tutor and the tables of the domain. Pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace conpole {

// Of 54 letters in the order U R F D L B, each face row by row, without blanks.
struct CubeJudgement {
  bool centres_fit = true;  // each face has its own colour in its centre
  bool pieces_fit = true;   // the twenty pieces of a cube are there, each once
  bool is_odd = false;      // corners and edges are permuted with different parity
  int twist = 0;            // of all corners together, in thirds
  int flip = 0;             // of all edges together, in halves
  bool is_solved = false;

  bool is_possible() const { return centres_fit && pieces_fit && !is_odd && twist == 0 && flip == 0; }
};
CubeJudgement JudgeCube(std::string_view facelets);

// What is not true in an English sentence that says why no turns solve a cube; nothing if all of it is.
std::optional<std::string> FindLie(std::string_view facelets, std::string_view sentence);

// The 54 letters of a canonical state.
std::string FaceletsOf(std::string_view state);

}  // namespace conpole
