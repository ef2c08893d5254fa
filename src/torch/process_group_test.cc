// Ranks in threads of one process, connected as those of several are: by a store and Gloo on this machine.
#include "torch/process_group.h"

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <latch>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "nn/lstm_encoder.h"
#include "tests/free_port.h"
#include "torch/torch_learner.h"
#include "train/loop/training_batch.h"
#include "util/random.h"

namespace conpole {
namespace {

class ProcessGroupTest : public testing::Test {
 protected:
  void SetUp() override {
    if (ProcessGroupBackends().empty()) GTEST_SKIP() << "this build has no Gloo";
  }

  // Calls `work` on each of `size` ranks.
  static void OnRanks(std::size_t size, const std::function<void(Ranks& ranks)>& work) {
    const std::uint16_t port = FreePort();
    std::vector<std::thread> threads;
    for (std::size_t rank = 0; rank < size; ++rank) {
      threads.emplace_back([&, rank] {
        RankPlace place;
        place.rank = rank;
        place.size = size;
        place.address = "127.0.0.1";
        place.port = port;
        place.meeting = "test";
        place.silence_seconds = 120;  // the machine may be busy
        const std::unique_ptr<Ranks> ranks = JoinProcessGroup(place, {[](const std::string& message) { FAIL() << message; }});
        work(*ranks);
      });
    }
    for (std::thread& thread : threads) thread.join();
  }
};

TEST_F(ProcessGroupTest, SumsAndGathers) {
  OnRanks(3, [](Ranks& ranks) {
    std::vector<float> values{1, static_cast<float>(ranks.rank())};
    ranks.Sum(values);
    EXPECT_EQ(values, (std::vector<float>{3, 3}));
    EXPECT_EQ(ranks.GatherTexts(std::string(ranks.rank(), 'x')), (std::vector<std::string>{"", "x", "xx"}));
    const std::uint64_t counts[] = {ranks.rank(), 1};
    EXPECT_EQ(ranks.SumCounts(counts), (std::vector<std::uint64_t>{3, 3}));
    std::string bytes = ranks.rank() == 1 ? "from one" : "";
    ranks.Broadcast(bytes, 1);
    EXPECT_EQ(bytes, "from one");
    EXPECT_GT(ranks.SecondsWaited(), 0);
  });
}

// Few values and many go different ways, and not every number of ranks is a power of two.
TEST_F(ProcessGroupTest, SumsOfAnySizeAreTheSameToTheBitOnAllRanks) {
  for (const std::size_t size : {2U, 5U}) {
    std::vector<std::vector<float>> sums(size);
    OnRanks(size, [&](Ranks& ranks) {
      for (const std::size_t count : {std::size_t{1}, std::size_t{1'000}, std::size_t{70'000}}) {
        Random random(ranks.rank());
        std::vector<float> values(count);
        for (float& value : values) value = static_cast<float>(random.Next32()) * 0x1p-32F;
        const float first = values[0];
        ranks.Sum(values);
        double expected = 0;
        for (std::size_t other = 0; other < size; ++other) expected += Random(other).Next32() * 0x1p-32;
        EXPECT_NEAR(static_cast<double>(values[0]), expected, 1e-5) << first << " on rank " << ranks.rank() << " of " << size;
        sums[ranks.rank()].insert(sums[ranks.rank()].end(), values.begin(), values.end());
      }
    });
    for (const std::vector<float>& sum : sums) EXPECT_EQ(sum, sums[0]) << size << " ranks";
  }
}

TEST_F(ProcessGroupTest, RanksDoSomethingElseWhileASumIsUnderWay) {
  std::latch go(1);
  OnRanks(3, [&](Ranks& ranks) {
    // The others come when the first one has done all that it has to do.
    int left = 5;
    std::vector<float> values(100, 1);
    if (ranks.rank() == 0) {
      ranks.SumMeanwhile(values, [&] {
        if (--left != 0) return true;
        go.count_down();
        return false;
      });
      EXPECT_EQ(left, 0);
    } else {
      go.wait();
      ranks.SumMeanwhile(values, [] { return false; });
    }
    EXPECT_EQ(values, std::vector<float>(100, 3));
    // What goes wrong meanwhile is said after the sum, and ranks go on.
    std::string message;
    try {
      ranks.SumMeanwhile(values, []() -> bool { throw std::runtime_error("tired"); });
    } catch (const std::exception& error) {
      message = error.what();
    }
    EXPECT_TRUE(message == "tired" || message.empty()) << message;  // the sum may be there before anything else is done
    EXPECT_EQ(values, std::vector<float>(100, 9));
  });
}

TEST_F(ProcessGroupTest, SeveralExchangesMayBeUnderWay) {
  OnRanks(3, [](Ranks& ranks) {
    const std::string mine = std::to_string(ranks.rank());
    const std::function<std::string()> first = ranks.BeginGather(mine);
    const std::function<std::string()> second = ranks.BeginGather(mine + "!");
    std::vector<float> values{1};
    ranks.SumMeanwhile(values, [] { return false; });
    EXPECT_EQ(values, std::vector<float>{3});
    EXPECT_EQ(second(), "0!1!2!");
    const std::function<std::string()> third = ranks.BeginGather(mine + "?");
    EXPECT_EQ(ranks.GatherTexts(mine), (std::vector<std::string>{"0", "1", "2"}));
    EXPECT_EQ(first(), "012");
    EXPECT_EQ(third(), "0?1?2?");
  });
}

TEST_F(ProcessGroupTest, WhatFailsOnOneRankIsSaidOnAll) {
  OnRanks(3, [](Ranks& ranks) {
    std::string message;
    try {
      ranks.Together([&] {
        if (ranks.rank() == 1) throw std::runtime_error("the disk is full");
      });
    } catch (const std::exception& error) {
      message = error.what();
    }
    EXPECT_EQ(message, ranks.rank() == 1 ? "the disk is full" : "rank 1 failed: the disk is full");
  });
}

bool HasGpu() { return DeviceOfRank("cuda", {}) != "cuda"; }

// Examples `begin` to `end` of a gradient step, which depend on nothing but their number and the step's.
TrainingBatch Examples(int step, int begin, int end) {
  static std::vector<std::string> texts = [] {
    std::vector<std::string> all;
    for (int i = 0; i < 60; ++i) all.push_back(std::to_string(i) + "x = " + std::to_string(7 * i % 11));
    return all;
  }();
  TrainingBatch batch;
  for (int i = begin; i < end; ++i) {
    Random random(static_cast<std::uint64_t>(1000 * step + i));
    const auto text = [&]() -> const std::string& { return texts[random.Uint64(0, texts.size())]; };
    const std::string& parent = text();
    const std::uint64_t pairs = random.Uint64(2, 5);
    for (std::uint64_t pair = 0; pair < pairs; ++pair) batch.AddPair(parent, text(), pair == 0 ? 1 : 0);
    batch.EndExample();
  }
  batch.Seal();
  return batch;
}

constexpr int kExamples = 12;  // of a gradient step, of all ranks together

std::vector<std::string> WeightsAfter(int steps, std::size_t size, const std::function<void(std::size_t, const Tensors&)>& look,
                                      const std::string& device, Loss loss,
                                      const std::function<void(std::size_t, const std::function<void(Ranks&)>&)>& on_ranks) {
  std::vector<std::string> saved(size);
  on_ranks(size, [&](Ranks& ranks) {
    Architecture architecture = Lstm({.embedding = 8, .hidden = 16, .layers = 1});
    architecture.head = loss == Loss::kBinary ? Head::kValue : Head::kBilinear;
    TorchLearnerOptions options;
    options.device = device;
    options.learner.loss = loss;
    options.learner.threads = 1;
    options.learner.ranks = &ranks;
    const std::unique_ptr<Learner> learner = MakeTorchLearner(RandomModel(architecture, 3), options);
    // Parts of different sizes: the first rank has nothing where there are three others.
    const auto bound = [&](std::size_t rank) {
      if (size == 4 && rank == 1) return 0;
      return static_cast<int>(rank * static_cast<std::size_t>(kExamples) / size);
    };
    for (int step = 0; step < steps; ++step) {
      learner->Learn(Examples(step, bound(ranks.rank()), ranks.rank() + 1 == size ? kExamples : bound(ranks.rank() + 1)), 1e-3);
    }
    look(ranks.rank(), learner->Weights());
    saved[ranks.rank()] = learner->Save();
  });
  return saved;
}

double LargestDifference(const Tensors& a, const Tensors& b) {
  double largest = 0;
  for (auto [left, right] = std::pair(a.begin(), b.begin()); left != a.end(); ++left, ++right) {
    EXPECT_EQ(left->first, right->first);
    for (std::size_t i = 0; i < left->second.values.size(); ++i) {
      largest = std::max(largest, std::abs(static_cast<double>(left->second.values[i]) - right->second.values[i]));
    }
  }
  return largest;
}

TEST_F(ProcessGroupTest, AnyNumberOfRanksLearnsTheSameFromTheSameExamples) {
  for (const Loss loss : {Loss::kContrastive, Loss::kBinary}) {
    Tensors alone;
    WeightsAfter(
        50, 1, [&](std::size_t, const Tensors& weights) { alone = weights; }, "cpu", loss,
        [](std::size_t, const std::function<void(Ranks&)>& work) { work(SingleRank()); });
    for (const std::size_t size : {2U, 4U}) {
      const std::vector<std::string> saved = WeightsAfter(
          50, size, [&](std::size_t, const Tensors& weights) { EXPECT_LT(LargestDifference(alone, weights), 2e-4); }, "cpu",
          loss, OnRanks);
      for (const std::string& other : saved) EXPECT_EQ(other, saved.front()) << "weights differ between ranks";
      EXPECT_EQ(WeightsAfter(
                    50, size, [](std::size_t, const Tensors&) {}, "cpu", loss, OnRanks),
                saved)
          << "two runs differ";
    }
  }
}

TEST_F(ProcessGroupTest, TwoRanksShareAGpu) {
  if (!HasGpu()) GTEST_SKIP() << "there is no GPU";
  Tensors first;
  const std::vector<std::string> saved = WeightsAfter(
      50, 2,
      [&](std::size_t rank, const Tensors& weights) {
        if (rank == 0) first = weights;
      },
      "cuda:0", Loss::kContrastive, OnRanks);
  EXPECT_EQ(saved[0], saved[1]);
  EXPECT_FALSE(first.empty());
}

TEST_F(ProcessGroupTest, OneRankLearnsByNccl) {
  if (!HasGpu()) GTEST_SKIP() << "there is no GPU";
  if (ProcessGroupBackends().find("nccl") == std::string::npos) GTEST_SKIP() << "this build has no NCCL";
  Tensors weights;
  WeightsAfter(
      50, 1, [&](std::size_t, const Tensors& learned) { weights = learned; }, "cuda:0", Loss::kContrastive, OnRanks);
  EXPECT_FALSE(weights.empty());
}

}  // namespace
}  // namespace conpole
