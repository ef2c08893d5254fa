#include "vectors/problem_index.h"

#include <atomic>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "conpole/domain.h"
#include "conpole/error.h"
#include "nn/model.h"
#include "nn/network_kind.h"
#include "tests/files.h"
#include "util/checksum.h"
#include "util/thread_pool.h"
#include "vectors/problem_encoder.h"

namespace conpole {
namespace {

Model SmallModel(std::uint64_t seed) {
  return RandomModel(TrainingArchitecture("lstm", {{"embedding", 8}, {"hidden", 8}, {"layers", 1}}), seed);
}

class ProblemIndexTest : public FolderTest {
 protected:
  std::string MessageOf(const std::string& content, const ProblemEncoder& encoder) const {
    std::ofstream(path_, std::ios::binary) << content;
    const std::string message = ErrorOf([&] { ProblemIndex::Read(path_, encoder); });
    return message == "no error" ? "" : message;
  }

  // The content with its checksum made right: what a program that means harm would write.
  static std::string WithChecksum(std::string content) {
    content.resize(content.size() - sizeof(std::uint64_t));
    Checksum checksum;
    checksum.Add(std::as_bytes(std::span(content)));
    const std::uint64_t value = checksum.value();
    content.append(reinterpret_cast<const char*>(&value), sizeof value);
    return content;
  }
  static void PutNumber(std::string& content, std::size_t place, std::uint64_t number) {
    std::memcpy(content.data() + kHeader + place * sizeof number, &number, sizeof number);
  }

  static constexpr std::size_t kHeader = 16;

  std::string path_ = Path("list.index");
  std::unique_ptr<Domain> domain_ = MakeDomain("equations");
  ProblemEncoder encoder_{*domain_, SmallModel(1)};
  ThreadPool pool_{2};
};

TEST_F(ProblemIndexTest, FindsProblemsAndLeavesOutTheOneThatWasAsked) {
  ProblemIndex index(encoder_);
  ASSERT_TRUE(index.AddGenerated({0, 5000}, pool_));
  EXPECT_GT(index.size(), 4000U);
  EXPECT_LE(index.size(), 5000U);
  const std::string problem = domain_->Generate(17);
  const std::vector<SimilarProblem> similar = index.Similar(problem, 10, pool_);
  ASSERT_EQ(similar.size(), 10U);
  for (std::size_t i = 0; i < similar.size(); ++i) {
    EXPECT_NE(similar[i].state, problem);
    EXPECT_LE(similar[i].cosine, i == 0 ? 1.0F : similar[i - 1].cosine);
  }
  EXPECT_EQ(index.Similar(problem, 100'000, pool_).size(), index.size() - 1);
  EXPECT_EQ(index.Similar("(x + 1000) = 3", 100'000, pool_).size(), index.size());
}

TEST_F(ProblemIndexTest, HoldsEachProblemOnce) {
  ProblemIndex index(encoder_);
  const std::vector<std::string> states{"x = 1", "x = 2", "x = 1"};
  index.Add(states, pool_);
  index.Add(states, pool_);
  ASSERT_EQ(index.size(), 2U);
  EXPECT_EQ(index.state(0), "x = 1");
  EXPECT_EQ(index.state(1), "x = 2");
}

TEST_F(ProblemIndexTest, CanBeStoppedAndSaysHowFarItIs) {
  ProblemIndex index(encoder_);
  std::atomic<bool> stop = false;
  std::size_t last = 0;
  EXPECT_FALSE(index.AddGenerated({0, 100'000}, pool_, &stop, [&](std::size_t done) {
    EXPECT_GT(done, last);
    last = done;
    stop = done >= 4000;
  }));
  EXPECT_LT(last, 10'000U);
  EXPECT_GT(index.size(), 0U);
}

TEST_F(ProblemIndexTest, AFileHoldsTheSame) {
  ProblemIndex index(encoder_);
  index.AddGenerated({0, 300}, pool_);
  index.Write(path_);
  EXPECT_EQ(ProblemIndex::DomainOfFile(path_), "equations");
  ProblemIndex read = ProblemIndex::Read(path_, encoder_);
  ASSERT_EQ(read.size(), index.size());
  for (std::size_t i = 0; i < index.size(); ++i) EXPECT_EQ(read.state(i), index.state(i));
  const auto a = index.Similar("(x + 3) = 7", 20, pool_);
  const auto b = read.Similar("(x + 3) = 7", 20, pool_);
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].state, b[i].state);
    EXPECT_EQ(a[i].cosine, b[i].cosine);
  }
  // It goes on where it was.
  read.AddGenerated({0, 300}, pool_);
  EXPECT_EQ(read.size(), index.size());
  read.AddGenerated({300, 400}, pool_);
  EXPECT_GT(read.size(), index.size());
}

TEST_F(ProblemIndexTest, AnEmptyOneIsAFileToo) {
  ProblemIndex(encoder_).Write(path_);
  const ProblemIndex read = ProblemIndex::Read(path_, encoder_);
  EXPECT_EQ(read.size(), 0U);
  EXPECT_TRUE(read.Similar("x = 1", 3, pool_).empty());
}

TEST_F(ProblemIndexTest, AnotherModelOrDomainIsRefused) {
  ProblemIndex index(encoder_);
  index.AddGenerated({0, 10}, pool_);
  index.Write(path_);
  const ProblemEncoder other(*domain_, SmallModel(2));
  EXPECT_NE(other.fingerprint(), encoder_.fingerprint());
  EXPECT_NE(MessageOf(Content("list.index"), other).find("made with another model"), std::string::npos);
  const std::unique_ptr<Domain> fractions = MakeDomain("fractions");
  const ProblemEncoder of_fractions(*fractions, SmallModel(1));
  EXPECT_NE(MessageOf(Content("list.index"), of_fractions).find("an index of 'equations', not of fractions"),
            std::string::npos);
  // Parameters of the domain do not matter.
  const std::unique_ptr<Domain> larger = MakeDomain("equations:max_nodes=100");
  EXPECT_EQ(ProblemIndex::Read(path_, ProblemEncoder(*larger, SmallModel(1))).size(), index.size());
}

TEST_F(ProblemIndexTest, DamagedFilesAreRefused) {
  ProblemIndex index(encoder_);
  index.AddGenerated({0, 3}, pool_);
  index.Write(path_);
  const std::string good = Content("list.index");
  ASSERT_EQ(MessageOf(good, encoder_), "");
  for (std::size_t size = 0; size < good.size(); size += 1 + size / 50) {
    EXPECT_NE(MessageOf(good.substr(0, size), encoder_), "") << size;
  }
  for (std::size_t at = 0; at < good.size(); ++at) {
    std::string changed = good;
    changed[at] = static_cast<char>(changed[at] ^ 4);
    EXPECT_NE(MessageOf(changed, encoder_), "") << at;
  }
  EXPECT_NE(MessageOf(good + "x", encoder_), "");
  EXPECT_EQ(MessageOf("", encoder_), path_ + ": it is not an index of problems");
  std::string newer = good;
  newer[14] = '2';
  EXPECT_NE(MessageOf(newer, encoder_).find("another version"), std::string::npos);
}

// What has a right checksum is looked at all the same.
TEST_F(ProblemIndexTest, FilesThatClaimNonsenseAreRefused) {
  ProblemIndex index(encoder_);
  index.Add(std::vector<std::string>{"x = 1", "x = 2"}, pool_);
  index.Write(path_);
  const std::string good = Content("list.index");
  ASSERT_EQ(MessageOf(WithChecksum(good), encoder_), "");
  for (std::size_t place = 1; place < 5; ++place) {
    for (const std::uint64_t number : {std::uint64_t{0}, std::uint64_t{1} << 31, std::uint64_t{1} << 62, UINT64_MAX}) {
      std::string changed = good;
      PutNumber(changed, place, number);
      EXPECT_NE(MessageOf(WithChecksum(changed), encoder_), "") << place << " " << number;
    }
  }
  const std::size_t lengths = kHeader + 5 * sizeof(std::uint64_t) + std::string("equations").size();
  std::string longer = good;
  longer[lengths] = 6;
  EXPECT_NE(MessageOf(WithChecksum(longer), encoder_).find("lengths"), std::string::npos);
  std::string too_long_a_vector = good;
  for (std::size_t i = good.size() - 8 - 20; i < good.size() - 8; ++i) too_long_a_vector[i] = 0x7F;
  EXPECT_NE(MessageOf(WithChecksum(too_long_a_vector), encoder_).find("not of length one"), std::string::npos);
  // A text that is no problem is found when it would be shown.
  std::string no_problem = good;
  no_problem[lengths + 2 * sizeof(std::uint32_t)] = '=';
  std::ofstream(path_, std::ios::binary) << WithChecksum(no_problem);
  const ProblemIndex read = ProblemIndex::Read(path_, encoder_);
  EXPECT_THROW(read.Similar("x = 3", 2, pool_), Error);
}

}  // namespace
}  // namespace conpole
