#include "nn/network_kind.h"

#include <string>

#include <gtest/gtest.h>

#include "conpole/error.h"
#include "nn/lstm_encoder.h"
#include "nn/model.h"
#include "tests/files.h"

namespace conpole {
namespace {

TEST(NetworkKindTest, KindsAreFoundByName) {
  for (const NetworkKind* kind : NetworkKinds()) EXPECT_EQ(&NetworkKindOf(kind->name), kind);
  EXPECT_EQ(ErrorOf([] { NetworkKindOf("transformer"); }),
            "unknown kind of network 'transformer'; there are: lstm, bag, residual");
}

TEST(NetworkKindTest, BoundsHoldForWhatTrainingIsAskedFor) {
  for (const NetworkKind* kind : NetworkKinds()) {
    for (const NetworkSize& size : kind->sizes) {
      SCOPED_TRACE(kind->name + " " + size.name);
      const std::string expected =
          "the architecture's " + size.name + " must be an integer from 1 to " + std::to_string(size.max);
      for (const int bad : {-1, size.max + 1}) {
        EXPECT_EQ(ErrorOf([&] { TrainingArchitecture(kind->name, {{size.name, bad}}); }), expected);
        Architecture architecture = TrainingArchitecture(kind->name, {});
        architecture.sizes[size.name] = bad;
        EXPECT_EQ(ErrorOf([&] { TensorShapes(architecture); }), expected) << "the same bounds for models";
      }
      EXPECT_EQ(TrainingArchitecture(kind->name, {{size.name, size.max}}).size(size.name), size.max);
      EXPECT_EQ(TrainingArchitecture(kind->name, {{size.name, 0}}).size(size.name), size.training);
      EXPECT_EQ(size.Parse("1"), 1);
      for (const char* const bad : {"", "0", "1.5", "x", "+1", " 1", "99999999999"}) {
        EXPECT_EQ(ErrorOf([&] { size.Parse(bad); }), expected) << bad;
      }
    }
  }
}

TEST(NetworkKindTest, ASizeBelongsToItsKind) {
  EXPECT_EQ(ErrorOf([] {
              TrainingArchitecture("lstm", {{"window", 3}});
            }),
            "a network of kind lstm has no 'window'; its sizes are: embedding, hidden, layers");
  Architecture architecture = Lstm();
  architecture.sizes["window"] = 3;
  EXPECT_THROW(CheckedKind(architecture), Error);
  architecture = Lstm();
  architecture.sizes.erase("layers");
  EXPECT_THROW(CheckedKind(architecture), Error);
}

// What was trained at any size that training allows runs on the CPU.
TEST(NetworkKindTest, SizesThatAreNoMultiplesOf8Run) {
  for (const NetworkKind* kind : NetworkKinds()) {
    const Model model = RandomModel(TrainingArchitecture(kind->name, {{"hidden", 100}}), 1);
    if (kind->make_encoder == nullptr) continue;  // it reads no texts; nn/residual_network_test.cc has its sizes
    EXPECT_EQ(MakeEncoder(model)->vector_size(), kind->vector_size(model.architecture));
  }
}

}  // namespace
}  // namespace conpole
