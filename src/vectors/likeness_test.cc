#include "vectors/likeness.h"

#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "conpole/domain.h"
#include "tutor/policy.h"
#include "util/thread_pool.h"
#include "vectors/problem_encoder.h"

namespace conpole {
namespace {

TEST(LikenessTest, OrdersProblemsByTheirVectors) {
  const std::unique_ptr<Domain> domain = MakeDomain("algebra");
  const ProblemEncoder encoder(*domain, ReadPolicyModel(*domain, CONPOLE_SOURCE "/models/algebra.safetensors"));
  ThreadPool pool(1);
  const Likeness likeness = LikenessByVectors(encoder, pool);
  const std::vector<std::string> others{"1/2 + 1/3", "x^2 - 4x + 3 = 0", "2x + 3 = 7", "2x + 3 = 9"};
  const std::vector<std::size_t> places = likeness("2x + 3 = 7", others);
  ASSERT_EQ(places.size(), 4U);
  EXPECT_EQ(places[0], 2U);
  EXPECT_EQ(places[1], 3U);
  EXPECT_EQ(likeness("x^2 - 5x + 6 = 0", others).front(), 1U);
  EXPECT_EQ(likeness("3/4 - 1/8", others).front(), 0U);
  EXPECT_TRUE(likeness("x = 1", {}).empty());
}

}  // namespace
}  // namespace conpole
