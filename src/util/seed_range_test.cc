#include "util/seed_range.h"

#include <gtest/gtest.h>

#include "conpole/error.h"

namespace conpole {
namespace {

TEST(SeedRangeTest, ReadsWhatIsARangeAndRefusesTheRest) {
  EXPECT_EQ(ParseSeedRange("--seeds", "0:200"), (SeedRange{0, 200}));
  EXPECT_EQ(ParseSeedRange("--seeds", "18446744073709551614:18446744073709551615").size(), 1U);
  for (const char* text : {"", ":", "0", "0:", ":5", "5:5", "6:5", "-1:5", "0:5x", "0:5:6", " 0:5", "0:18446744073709551616"}) {
    EXPECT_THROW(ParseSeedRange("--seeds", text), Error) << text;
  }
}

}  // namespace
}  // namespace conpole
