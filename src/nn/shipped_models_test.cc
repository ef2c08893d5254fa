#include "nn/shipped_models.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

namespace conpole {
namespace {

TEST(ShippedModelsTest, FindsTheModelOfADomainInTheGivenFolder) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "conpole_shipped_models";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "sorting.safetensors") << "model";
  ASSERT_EQ(setenv("CONPOLE_MODELS", folder.c_str(), 1), 0);  // NOLINT(concurrency-mt-unsafe): one thread
  EXPECT_EQ(FindShippedModel("sorting"), (folder / "sorting.safetensors").string());
  EXPECT_EQ(FindShippedModel("fractions"), std::nullopt);
  unsetenv("CONPOLE_MODELS");  // NOLINT(concurrency-mt-unsafe)
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace conpole
