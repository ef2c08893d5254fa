// An encoder that remembers the vectors of the texts it saw last: a search meets most parents, and many candidates, again. The
// vectors are those of the encoder behind it, to the bit. That encoder belongs to the caller and must outlive this one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "nn/encoder.h"
#include "util/hash.h"
#include "util/thread_pool.h"

namespace conpole {

class CachingEncoder final : public Encoder {
 public:
  using HashFunction = std::uint64_t (*)(std::string_view text);

  // Holds at most `capacity` vectors and forgets the one that was asked for longest ago; 0 remembers nothing.
  CachingEncoder(const Encoder& encoder, std::size_t capacity, HashFunction hash = HashText)
      : encoder_(encoder), capacity_(capacity), hash_(hash) {}

  std::size_t vector_size() const override { return encoder_.vector_size(); }
  void Encode(std::span<const std::string_view> texts, std::span<float> vectors, ThreadPool& pool) const override;
  // In texts that it did not remember.
  std::uint64_t unknown_characters() const override { return encoder_.unknown_characters(); }

  // How many vectors it holds; how many texts it knew, and how many it did not.
  std::size_t size() const;
  std::uint64_t hits() const;
  std::uint64_t misses() const;

 private:
  struct Entry {
    std::uint64_t hash;
    std::string text;
    std::vector<float> vector;
  };

  // Both require that the mutex is held.
  const std::vector<float>* Find(std::string_view text, std::uint64_t hash) const;
  void Remember(std::string_view text, std::uint64_t hash, std::span<const float> vector) const;

  const Encoder& encoder_;
  std::size_t capacity_;
  HashFunction hash_;
  mutable std::mutex mutex_;          // of all below; not held while texts are encoded
  mutable std::list<Entry> entries_;  // the last one used first
  // Of two texts with the same hash only the younger is held.
  mutable boost::unordered_flat_map<std::uint64_t, std::list<Entry>::iterator> entry_of_hash_;
  mutable std::uint64_t hits_ = 0;
  mutable std::uint64_t misses_ = 0;
};

}  // namespace conpole
