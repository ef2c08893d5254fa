// An encoder that remembers the vectors of the texts it saw last: a search meets most parents, and many candidates, again. The
// vectors are those of the encoder, to the bit, since a text's vector does not depend on its batch. One thread at a time may
// use it. The encoder belongs to the caller and must outlive it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "nn/encoder.h"
#include "util/thread_pool.h"

namespace conpole {

class CachingEncoder {
 public:
  // Holds at most `capacity` vectors and forgets the one that was asked for longest ago; 0 remembers nothing.
  CachingEncoder(const Encoder& encoder, std::size_t capacity) : encoder_(encoder), capacity_(capacity) {}

  // Writes the vectors of all texts, one after the other. `hashes` are those of the texts; equal texts have equal hashes.
  void Encode(std::span<const std::string_view> texts, std::span<const std::uint64_t> hashes, std::span<float> vectors,
              ThreadPool& pool);

  std::size_t size() const { return entries_.size(); }
  std::uint64_t hits() const { return hits_; }
  std::uint64_t misses() const { return misses_; }

 private:
  struct Entry {
    std::uint64_t hash;
    std::string text;
    std::vector<float> vector;
  };

  const std::vector<float>* Find(std::string_view text, std::uint64_t hash);
  void Remember(std::string_view text, std::uint64_t hash, std::span<const float> vector);

  const Encoder& encoder_;
  std::size_t capacity_;
  std::list<Entry> entries_;  // the last one used first
  // Of two texts with the same hash only the younger is held.
  boost::unordered_flat_map<std::uint64_t, std::list<Entry>::iterator> entry_of_hash_;
  std::uint64_t hits_ = 0;
  std::uint64_t misses_ = 0;
};

}  // namespace conpole
