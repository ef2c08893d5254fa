#include "util/checksum.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace conpole {
namespace {

static_assert(std::endian::native == std::endian::little, "words are read as they stand in files");

constexpr std::uint64_t kMultiplier1 = 0x9E3779B185EBCA87;
constexpr std::uint64_t kMultiplier2 = 0xC2B2AE3D27D4EB4F;
constexpr std::uint64_t kMultiplier3 = 0x165667B19E3779F9;
constexpr std::uint64_t kMultiplier4 = 0x85EBCA77C2B2AE63;
constexpr std::uint64_t kMultiplier5 = 0x27D4EB2F165667C5;

template <class Word>
Word WordAt(const std::byte* at) {
  Word word = 0;
  std::memcpy(&word, at, sizeof word);
  return word;
}

std::uint64_t Round(std::uint64_t lane, std::uint64_t word) { return std::rotl(lane + word * kMultiplier2, 31) * kMultiplier1; }

std::uint64_t Merge(std::uint64_t hash, std::uint64_t lane) { return (hash ^ Round(0, lane)) * kMultiplier1 + kMultiplier4; }

}  // namespace

Checksum::Checksum() : lanes_{kMultiplier1 + kMultiplier2, kMultiplier2, 0, 0 - kMultiplier1} {}

void Checksum::AddStripe(const std::byte* stripe) {
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    lanes_[i] = Round(lanes_[i], WordAt<std::uint64_t>(stripe + i * sizeof(std::uint64_t)));
  }
}

void Checksum::Add(std::span<const std::byte> bytes) {
  size_ += bytes.size();
  if (rest_size_ != 0) {
    const std::size_t taken = std::min(kStripe - rest_size_, bytes.size());
    std::copy_n(bytes.begin(), taken, rest_.begin() + static_cast<std::ptrdiff_t>(rest_size_));
    rest_size_ += taken;
    bytes = bytes.subspan(taken);
    if (rest_size_ < kStripe) return;
    AddStripe(rest_.data());
    rest_size_ = 0;
  }
  for (; bytes.size() >= kStripe; bytes = bytes.subspan(kStripe)) AddStripe(bytes.data());
  std::copy(bytes.begin(), bytes.end(), rest_.begin());
  rest_size_ = bytes.size();
}

std::uint64_t Checksum::value() const {
  std::uint64_t hash = kMultiplier5;
  if (size_ >= kStripe) {
    hash = std::rotl(lanes_[0], 1) + std::rotl(lanes_[1], 7) + std::rotl(lanes_[2], 12) + std::rotl(lanes_[3], 18);
    for (const std::uint64_t lane : lanes_) hash = Merge(hash, lane);
  }
  hash += size_;
  const std::byte* at = rest_.data();
  const std::byte* const end = at + rest_size_;
  for (; end - at >= 8; at += 8) {
    hash = std::rotl(hash ^ Round(0, WordAt<std::uint64_t>(at)), 27) * kMultiplier1 + kMultiplier4;
  }
  if (end - at >= 4) {
    hash = std::rotl(hash ^ (WordAt<std::uint32_t>(at) * kMultiplier1), 23) * kMultiplier2 + kMultiplier3;
    at += 4;
  }
  for (; at != end; ++at) hash = std::rotl(hash ^ (std::to_integer<std::uint64_t>(*at) * kMultiplier5), 11) * kMultiplier1;
  hash = (hash ^ (hash >> 33)) * kMultiplier2;
  hash = (hash ^ (hash >> 29)) * kMultiplier3;
  return hash ^ (hash >> 32);
}

}  // namespace conpole
