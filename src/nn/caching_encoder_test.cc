#include "nn/caching_encoder.h"

#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "nn/encoder.h"
#include "nn/model.h"
#include "util/hash.h"
#include "util/random.h"
#include "util/thread_pool.h"

namespace conpole {
namespace {

class CachingEncoderTest : public testing::Test {
 protected:
  std::vector<float> Plain(const std::vector<std::string_view>& texts) {
    std::vector<float> vectors(texts.size() * encoder_.vector_size());
    encoder_.Encode(texts, vectors, pool_);
    return vectors;
  }
  std::vector<float> Cached(CachingEncoder& cache, const std::vector<std::string_view>& texts) {
    std::vector<std::uint64_t> hashes;
    for (const std::string_view text : texts) hashes.push_back(HashText(text));
    return Cached(cache, texts, hashes);
  }
  std::vector<float> Cached(CachingEncoder& cache, const std::vector<std::string_view>& texts,
                            const std::vector<std::uint64_t>& hashes) {
    std::vector<float> vectors(texts.size() * encoder_.vector_size());
    cache.Encode(texts, hashes, vectors, pool_);
    return vectors;
  }

  ThreadPool pool_{2};
  Encoder encoder_{RandomModel({8, 16, 2, Head::kBilinear}, 1)};
};

TEST_F(CachingEncoderTest, VectorsAreThoseOfTheEncoderToTheBit) {
  Random random(3);
  for (const std::size_t capacity : {0U, 1U, 7U, 40U, 1000U}) {
    SCOPED_TRACE(capacity);
    CachingEncoder cache(encoder_, capacity);
    for (int round = 0; round < 30; ++round) {
      std::vector<std::string> texts;
      for (std::uint64_t left = random.Uint64(0, 40); left > 0; --left) {
        texts.push_back(std::string(random.Uint64(0, 3), 'x') + std::to_string(random.Uint64(0, 50)));
      }
      const std::vector<std::string_view> views(texts.begin(), texts.end());
      ASSERT_EQ(Cached(cache, views), Plain(views));
      ASSERT_LE(cache.size(), capacity);
    }
  }
}

TEST_F(CachingEncoderTest, EncodesEachTextOnce) {
  CachingEncoder cache(encoder_, 10);
  Cached(cache, {"a", "b", "c"});
  EXPECT_EQ(cache.misses(), 3U);
  EXPECT_EQ(cache.hits(), 0U);
  Cached(cache, {"c", "d", "a"});
  EXPECT_EQ(cache.misses(), 4U);
  EXPECT_EQ(cache.hits(), 2U);
}

TEST_F(CachingEncoderTest, ForgetsWhatWasUsedLongestAgo) {
  CachingEncoder cache(encoder_, 3);
  Cached(cache, {"a", "b", "c"});
  Cached(cache, {"a"});
  Cached(cache, {"d"});  // in place of b
  EXPECT_EQ(cache.misses(), 4U);
  Cached(cache, {"a", "c", "d"});
  EXPECT_EQ(cache.misses(), 4U);
  Cached(cache, {"b"});
  EXPECT_EQ(cache.misses(), 5U);
  EXPECT_EQ(cache.size(), 3U);
}

TEST_F(CachingEncoderTest, TextsWithTheSameHashAreToldApart) {
  CachingEncoder cache(encoder_, 10);
  const std::vector<std::string_view> texts{"a", "b", "a"};
  for (int round = 0; round < 3; ++round) EXPECT_EQ(Cached(cache, texts, {5, 5, 5}), Plain(texts));
  EXPECT_EQ(cache.size(), 1U);
}

TEST_F(CachingEncoderTest, NothingIsRememberedWithoutCapacity) {
  CachingEncoder cache(encoder_, 0);
  Cached(cache, {"a"});
  Cached(cache, {"a"});
  EXPECT_EQ(cache.size(), 0U);
  EXPECT_EQ(cache.hits(), 0U);
}

}  // namespace
}  // namespace conpole
