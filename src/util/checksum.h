// A checksum of 64 bits over bytes that come piece by piece: XXH64 with the seed 0, which is published and will not change, so
// that it may be stored in files. It finds damage, not malice. It is as fast as memory. One thread at a time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace conpole {

class Checksum {
 public:
  Checksum();

  void Add(std::span<const std::byte> bytes);
  // Of all bytes so far. More may follow.
  std::uint64_t value() const;

 private:
  static constexpr std::size_t kStripe = 32;

  void AddStripe(const std::byte* stripe);

  std::array<std::uint64_t, 4> lanes_;
  std::array<std::byte, kStripe> rest_{};  // bytes that do not fill a stripe yet
  std::size_t rest_size_ = 0;
  std::uint64_t size_ = 0;
};

}  // namespace conpole
