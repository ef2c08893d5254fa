// Any text at all as a cube: refused with a position and a reason, or a cube that is read back from how it is written and
// drawn, and that is solved by turns which do solve it, or refused for a reason that is true (tests/cube_judge.h), or given up.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "conpole/domain.h"
#include "notation/notation.h"
#include "search/packed_scorer.h"
#include "subjects/free_notation.h"
#include "subjects/subject.h"
#include "tests/cube_judge.h"
#include "tutor/tutor.h"
#include "util/thread_pool.h"
#include "verify/cube.h"

namespace {

void Require(bool condition, std::string_view what, std::string_view text) {
  if (condition) return;
  std::fprintf(stderr, "%.*s: %.*s\n", static_cast<int>(what.size()), what.data(), static_cast<int>(text.size()), text.data());
  std::abort();
}

// Knows nothing: what is near is solved all the same.
class Indifferent final : public conpole::PackedPolicy {
 public:
  explicit Indifferent(const conpole::FixedLayout& layout) : layout_(layout) {}
  std::size_t cells() const override { return layout_.cells; }
  std::size_t actions() const override { return layout_.actions(); }
  void Score(std::span<const std::uint8_t>, std::span<float> preferences) override {
    std::fill(preferences.begin(), preferences.end(), 0.0F);
  }
  std::size_t StatesAtATime() const override { return 1024; }

 private:
  const conpole::FixedLayout& layout_;
};

struct World {
  std::unique_ptr<conpole::Domain> domain = conpole::MakeDomain("rubiks-cube");
  conpole::ThreadPool pool{1};
  conpole::PackedScorer scorer{*domain->type().layout, std::make_unique<Indifferent>(*domain->type().layout)};
  conpole::Tutor by_quarters{*domain, scorer, pool};
  conpole::Tutor by_halves{*domain, scorer, pool, {.explain = {}, .turns = conpole::TurnCount::kHalf}};
};

void TrySolution(World& world, conpole::Tutor& tutor, const std::string& state) {
  constexpr std::uint64_t kFewStates = 300;
  const conpole::TutorSolution solution = tutor.Solve(state, {.milliseconds = UINT64_MAX, .expansions = kFewStates});
  const std::string facelets = conpole::FaceletsOf(state);
  const conpole::CubeJudgement judgement = conpole::JudgeCube(facelets);
  Require((solution.status == conpole::SolveStatus::kNoSolution) == !judgement.is_possible(), "wrongly judged", facelets);
  if (!judgement.is_possible()) {
    Require(!conpole::FindLie(facelets, solution.message), solution.message, facelets);
    return;
  }
  if (solution.status != conpole::SolveStatus::kSolved) return;  // too far away
  Require(solution.verified(), "not verified", facelets);
  if (!solution.turns) return Require(judgement.is_solved, "no turns", facelets);
  const conpole::NotationResult end = conpole::ReadNextLine(*world.domain, state, solution.turns->singmaster);
  Require(!end.error && conpole::IsCubeSolved(conpole::CubeCells(end.state)), "turns that do not solve it",
          solution.turns->singmaster);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static World world;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const conpole::NotationResult read = conpole::ReadNotation(*world.domain, text);
  if (read.error) {
    Require(read.error->position <= text.size() && !read.error->message.empty(), "no reason", text);
    return 0;
  }
  const conpole::Subject& subject = conpole::SubjectOf(*world.domain);
  Require(conpole::ReadNotation(*world.domain, conpole::WriteNotation(*world.domain, read.state)).state == read.state,
          "not read back", text);
  const std::string cells = conpole::CubeCells(read.state);
  const bool has_centres = !conpole::FindCubeFault(cells).centres;
  // A drawn cube is held as its centres say.
  if (has_centres) {
    Require(conpole::ReadNotation(*world.domain, subject.Draw(read.state, false)).state == read.state,
            "not read from its picture", text);
  }
  TrySolution(world, world.by_quarters, read.state);
  TrySolution(world, world.by_halves, read.state);
  return 0;
}
