// What the table of agents is made of: each of these is defined in the file of its name.
#pragma once

#include <memory>

#include "train/agents/agent.h"
#include "train/run/options.h"
#include "train/run/settings.h"

namespace conpole {

std::unique_ptr<Agent> MakeConpole(const TrainOptions& options);
std::unique_ptr<Agent> MakeConpoleLocal(const TrainOptions& options);  // in conpole.cc
std::unique_ptr<Agent> MakeCvi(const TrainOptions& options);
std::unique_ptr<Agent> MakeDrrn(const TrainOptions& options);
std::unique_ptr<Agent> MakeAdi(const TrainOptions& options);
std::unique_ptr<Agent> MakeDavi(const TrainOptions& options);
std::unique_ptr<Agent> MakeBc(const TrainOptions& options);

SettingValues CviSettings(Variant variant);
SettingValues DrrnSettings(Variant variant);
SettingValues AdiSettings(Variant variant);
SettingValues DaviSettings(Variant variant);
SettingValues BcSettings(Variant variant);

}  // namespace conpole
