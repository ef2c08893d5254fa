// The recipe: how training goes where nothing else is asked for. What suits every domain stands in options.h; here is what
// depends on the agent, the device and whether a run begins with a model. All functions may be called by any thread.
#pragma once

#include <string_view>
#include <vector>

#include "conpole/fixed_layout.h"
#include "train/run/options.h"
#include "train/run/settings.h"

namespace conpole {

// The settings that hold where nothing else is given, for a run of this agent and variant, with this kind of network, on this
// device, that begins with a model or with none. Of `asked` only these are looked at.
RunSettings RecipeFor(const RunSettings& asked);

// What it says besides about puzzles that are domain files, those that nobody has tuned anything for: walks as long as the
// puzzle needs, a value beside the policy, and on a GPU a network by how many states there are.
void AdaptToPuzzle(const FixedLayout& layout, bool on_gpu, TrainOptions& options);

// What it says besides about several domains that one network learns: each has what it would have alone.
void AdaptToDomains(std::size_t domains, TrainOptions& options);

// Which problems come first:
//   parts   parts of problems, which grow to whole ones as they are solved, and short problems
//   short   the shortest of several problems, of fewer as they are solved
//   none    problems as they come
std::vector<std::string_view> CurriculumNames();
std::string_view CurriculumName(const TrainOptions& options);
// Leaves the options as they are if they are such already. Whether there is such a curriculum.
bool SetCurriculum(std::string_view name, TrainOptions& options);

}  // namespace conpole
