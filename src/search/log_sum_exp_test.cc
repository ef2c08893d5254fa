#include "search/log_sum_exp.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace conpole {
namespace {

float Of(const std::vector<float>& values) { return LogSumExp(values); }

TEST(LogSumExpTest, EqualsTheFormula) {
  EXPECT_FLOAT_EQ(Of({std::log(1.0F), std::log(2.0F), std::log(5.0F)}), std::log(8.0F));
  EXPECT_FLOAT_EQ(Of({-3.5F}), -3.5F);
  EXPECT_EQ(Of({}), 0);
}

TEST(LogSumExpTest, DoesNotOverflow) {
  EXPECT_FLOAT_EQ(Of({1000, 1000}), 1000 + std::log(2.0F));
  EXPECT_FLOAT_EQ(Of({-1000, -1000}), -1000 + std::log(2.0F));
  EXPECT_FLOAT_EQ(Of({1000, -1000}), 1000);
}

}  // namespace
}  // namespace conpole
