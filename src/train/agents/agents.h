// What the table of agents is made of: each of these is defined in the file of its name.
#pragma once

#include <memory>

#include "train/agents/agent.h"
#include "train/run/options.h"

namespace conpole {

std::unique_ptr<Agent> MakeConpole(const TrainOptions& options);
std::unique_ptr<Agent> MakeConpoleLocal(const TrainOptions& options);  // in conpole.cc
std::unique_ptr<Agent> MakeCvi(const TrainOptions& options);
std::unique_ptr<Agent> MakeDrrn(const TrainOptions& options);
std::unique_ptr<Agent> MakeAdi(const TrainOptions& options);
std::unique_ptr<Agent> MakeDavi(const TrainOptions& options);
std::unique_ptr<Agent> MakeBc(const TrainOptions& options);

// What is usual for them.
void AdaptToCvi(TrainOptions& options);
void AdaptToDrrn(TrainOptions& options);
void AdaptToAdi(TrainOptions& options);
void AdaptToDavi(TrainOptions& options);
void AdaptToBc(TrainOptions& options);

}  // namespace conpole
