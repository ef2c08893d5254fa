#include "nn/shipped_models.h"

#include <cstdlib>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "tests/files.h"

namespace conpole {
namespace {

// Sets the variable, and removes it in the end. NOLINTBEGIN(concurrency-mt-unsafe): one thread
class ShippedModelsTest : public FolderTest {
 protected:
  void TearDown() override { unsetenv("CONPOLE_MODELS"); }
  static void LookIn(const std::string& folder) { ASSERT_EQ(setenv("CONPOLE_MODELS", folder.c_str(), 1), 0); }
};
// NOLINTEND(concurrency-mt-unsafe)

TEST_F(ShippedModelsTest, FindsTheModelOfADomainInTheGivenFolder) {
  std::ofstream(Path("sorting.safetensors")) << "model";
  LookIn(folder());
  EXPECT_EQ(FindShippedModel("sorting"), Path("sorting.safetensors"));
  EXPECT_EQ(FindShippedModel("fractions"), std::nullopt);
}

TEST_F(ShippedModelsTest, AFolderWithoutModelsIsAnError) {
  std::ofstream(Path("a-file")) << "text";
  for (const std::string& wrong : {Path("nowhere"), Path("a-file"), std::string(folder())}) {
    LookIn(wrong);
    const std::string message = ErrorOf([] { FindShippedModel("sorting"); });
    EXPECT_TRUE(message.starts_with("CONPOLE_MODELS names '")) << message;
  }
}

TEST_F(ShippedModelsTest, AnEmptyNameIsNoFolder) {
  LookIn("");
  EXPECT_EQ(FindShippedModel("no-such-domain"), std::nullopt);
}

}  // namespace
}  // namespace conpole
