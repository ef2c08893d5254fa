#include "nn/caching_encoder.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "nn/lstm_encoder.h"
#include "nn/model.h"
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
  std::vector<float> Cached(const CachingEncoder& cache, const std::vector<std::string_view>& texts) {
    std::vector<float> vectors(texts.size() * cache.vector_size());
    cache.Encode(texts, vectors, pool_);
    return vectors;
  }

  ThreadPool pool_{2};
  LstmEncoder encoder_{RandomModel(Lstm({8, 16, 2}), 1)};
};

TEST_F(CachingEncoderTest, VectorsAreThoseOfTheEncoderToTheBit) {
  Random random(3);
  for (const std::size_t capacity : {0U, 1U, 7U, 40U, 1000U}) {
    SCOPED_TRACE(capacity);
    CachingEncoder cache(encoder_, capacity);
    for (int round = 0; round < 30; ++round) {
      std::vector<std::string> texts;
      for (std::uint64_t left = random.Uint64(0, 40); left > 0; --left) {
        texts.push_back(std::string(static_cast<std::size_t>(random.Uint64(0, 3)), 'x') + std::to_string(random.Uint64(0, 50)));
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

TEST_F(CachingEncoderTest, WhatIsForgottenLeavesNothingBehind) {
  CachingEncoder cache(encoder_, 2);
  for (const std::string_view text : {"a", "b", "c", "a"}) Cached(cache, {text});
  EXPECT_EQ(cache.misses(), 4U) << "c took the place of a, and a then that of b";
  Cached(cache, {"c"});
  EXPECT_EQ(cache.misses(), 4U) << "a did not take the place of c, which had been its own";
  Cached(cache, {"b"});
  Cached(cache, {"c"});
  EXPECT_EQ(cache.misses(), 5U);
}

TEST_F(CachingEncoderTest, TextsWithTheSameHashAreToldApart) {
  const CachingEncoder cache(encoder_, 10, [](std::string_view /*text*/) { return std::uint64_t{5}; });
  const std::vector<std::string_view> texts{"a", "b", "a"};
  for (int round = 0; round < 3; ++round) EXPECT_EQ(Cached(cache, texts), Plain(texts));
  EXPECT_EQ(cache.size(), 1U);
}

TEST_F(CachingEncoderTest, DecoratesAnyEncoder) {
  const CachingEncoder inner(encoder_, 10);
  const CachingEncoder outer(inner, 1);
  const std::vector<std::string_view> texts{"a", "b", "c"};
  for (int round = 0; round < 2; ++round) EXPECT_EQ(Cached(outer, texts), Plain(texts));
  EXPECT_EQ(outer.size(), 1U);
  EXPECT_EQ(inner.misses(), 3U);
  const std::unique_ptr<Encoder> bag = MakeEncoder(RandomModel(TrainingArchitecture("bag", {}), 1));
  const CachingEncoder around_bag(*bag, 10);
  EXPECT_EQ(around_bag.vector_size(), bag->vector_size());
  const std::vector<float> first = Cached(around_bag, texts);
  EXPECT_EQ(Cached(around_bag, texts), first);
  EXPECT_EQ(around_bag.hits(), 3U);
}

TEST_F(CachingEncoderTest, SeveralThreadsMayUseIt) {
  const CachingEncoder cache(encoder_, 5);
  const std::vector<std::string_view> texts{"a", "b", "c", "d", "e", "f", "g"};
  const std::vector<float> expected = Plain(texts);
  ThreadPool callers(3);
  std::vector<char> is_equal(30);
  callers.For(is_equal.size(), [&](std::size_t i) {
    ThreadPool own(1);
    std::vector<float> vectors(expected.size());
    cache.Encode(texts, vectors, own);
    is_equal[i] = vectors == expected ? 1 : 0;
  });
  EXPECT_EQ(is_equal, std::vector<char>(30, 1));
  EXPECT_EQ(cache.hits() + cache.misses(), 30 * texts.size());
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
