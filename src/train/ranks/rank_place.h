// Where a process stands among those that were started together, as torchrun, Slurm's srun or a script tell it by environment
// variables. Pure functions: any thread may call them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace conpole {

struct RankPlace {
  std::size_t rank = 0;
  std::size_t size = 1;
  std::size_t local_rank = 0;  // among those of this machine
  std::string address;         // where all ranks meet
  std::uint16_t port = 0;
  bool store_is_there = false;  // the launcher keeps the store; otherwise rank 0 does
  std::string meeting;          // what tells this start from others that use the same store
  double silence_seconds = 20;  // a rank that says nothing for so long is lost
  double join_seconds = 300;    // so long the others may take to come
};

// The value of a variable; null if there is none, like std::getenv.
using Environment = std::function<const char*(const char* name)>;

// Nothing for a process on its own. Looks at, in this order:
//   RANK, WORLD_SIZE, LOCAL_RANK, MASTER_ADDR, MASTER_PORT    as torchrun sets them, or a script
//   SLURM_PROCID, SLURM_STEP_NUM_TASKS, SLURM_LOCALID         as srun sets them; MASTER_ADDR and MASTER_PORT win over the first
//                                                             machine of SLURM_STEP_NODELIST and a port made of SLURM_JOB_ID
//   CONPOLE_RANK_TIMEOUT, CONPOLE_JOIN_TIMEOUT                seconds, see RankPlace
// Throws Error, which names the variable, if one is missing or makes no sense.
std::optional<RankPlace> PlaceOf(const Environment& environment);

// The first machine of a list as Slurm writes it: node[007-010,3],other.
std::string FirstHost(std::string_view list);

}  // namespace conpole
