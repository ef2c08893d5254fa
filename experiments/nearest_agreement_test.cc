#include "experiments/nearest_agreement.h"

#include <cstddef>
#include <vector>

#include <gtest/gtest.h>

namespace conpole {
namespace {

TEST(NearestAgreementTest, TakesAllThatAreEquallyNear) {
  const std::vector<float> distances{0.5F, 0.25F, 1, 0.25F};
  const std::vector<std::size_t> all{0, 1, 2, 3};
  EXPECT_EQ(NearestOf(distances, all), (std::vector<std::size_t>{1, 3}));
  const std::vector<std::size_t> some{0, 2};
  EXPECT_EQ(NearestOf(distances, some), (std::vector<std::size_t>{0}));
  EXPECT_TRUE(NearestOf(distances, {}).empty());
}

TEST(NearestAgreementTest, TiesCountEqually) {
  const std::vector<float> distances{0.5F, 0.25F, 1, 0.25F};
  const std::vector<std::size_t> all{0, 1, 2, 3};
  const auto agreement = [](std::size_t candidate) { return candidate == 3 ? 1.0 : 0.0; };
  EXPECT_EQ(NearestAgreement(distances, all, agreement), 0.5);
  const std::vector<std::size_t> last{2, 3};
  EXPECT_EQ(NearestAgreement(distances, last, agreement), 1);
  EXPECT_EQ(NearestAgreement(distances, {}, agreement), std::nullopt);
}

TEST(NearestAgreementTest, MultisetsOverlapByHowOftenTheyHaveWhat) {
  EXPECT_EQ(MultisetOverlap({}, {}), 1);
  EXPECT_EQ(MultisetOverlap({"a"}, {}), 0);
  EXPECT_EQ(MultisetOverlap({"a", "a", "b"}, {"a", "b", "c"}), 0.5);
  EXPECT_EQ(MultisetOverlap({"a", "a"}, {"a", "a"}), 1);
}

}  // namespace
}  // namespace conpole
