// Checkpoints of a run that several ranks take part in. Each rank but the first writes a part of its own; when all are on the
// disk, the first rank writes the checkpoint itself, which says how many parts there are and by which name they go. So a
// checkpoint whose file is there is one whose parts were there. All ranks see the same folder.
//
//   checkpoint-STEPS                  what all ranks share, and the first rank's part
//   checkpoint-STEPS-NAME.rank-R      the parts of the others
//
// All ranks call the same functions with the same arguments. With one rank alone a checkpoint is that of checkpoint.h.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "train/ranks/ranks.h"
#include "train/run/checkpoint.h"

namespace conpole {

// `shared` is what the first rank writes for all; `own` is this rank's. Throws Error on all ranks if one cannot write, which
// names it; then the older checkpoints are still there.
void WriteRankCheckpoint(const CheckpointFolder& folder, Ranks& ranks, std::uint64_t steps,
                         const std::vector<CheckpointSection>& shared, const std::vector<CheckpointSection>& own);

// The newest checkpoint that is whole on all ranks: the shared sections, and this rank's own. If another number of ranks wrote
// it, every own section NAME is there once per rank that wrote it, as NAME.0, NAME.1 and so on, for the caller to deal out.
// Nothing if there is no checkpoint at all. Tells `complain` about those that are not whole. Throws Error if none is; if there
// is only one, that says what is wrong with it.
std::map<std::string, std::string> ReadRankCheckpoint(const CheckpointFolder& folder, Ranks& ranks,
                                                      const std::function<void(const std::string&)>& complain);

// Whether a file of this name is a part; then `checkpoint` is the name of the checkpoint that it belongs to.
bool IsCheckpointPart(std::string_view name, std::string& checkpoint);

}  // namespace conpole
