// An allocator for arrays that are read at random: large ones are placed on large pages where the system has them, which saves
// most of the page faults and address look-ups.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdlib>
#include <new>
#include <utility>
#include <vector>

namespace conpole {

template <class T>
class LargePageAllocator {
 public:
  using value_type = T;  // NOLINT(readability-identifier-naming): the name that allocators have

  LargePageAllocator() = default;
  template <class U>
  LargePageAllocator(const LargePageAllocator<U>&) {}  // NOLINT(google-explicit-constructor): allocators convert

  T* allocate(std::size_t count) {
    const std::size_t bytes = count * sizeof(T);
    if (bytes < kLargePage) return static_cast<T*>(::operator new(bytes));
    const std::size_t whole_pages = (bytes + kLargePage - 1) / kLargePage * kLargePage;
    void* const memory = std::aligned_alloc(kLargePage, whole_pages);
    if (memory == nullptr) throw std::bad_alloc();
    madvise(memory, whole_pages, MADV_HUGEPAGE);  // a wish, not a need
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t count) {
    if (count * sizeof(T) < kLargePage) {
      ::operator delete(memory);
    } else {
      std::free(memory);
    }
  }
  friend bool operator==(const LargePageAllocator&, const LargePageAllocator&) { return true; }

 private:
  static constexpr std::size_t kLargePage = std::size_t{2} << 20;
};

// Characters that are not initialised.
class LargeArray {
 public:
  explicit LargeArray(std::size_t size) : data_(LargePageAllocator<char>().allocate(size)), size_(size) {}
  ~LargeArray() {
    if (data_ != nullptr) LargePageAllocator<char>().deallocate(data_, size_);
  }
  LargeArray(LargeArray&& other) noexcept : data_(std::exchange(other.data_, nullptr)), size_(other.size_) {}
  LargeArray& operator=(LargeArray&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }

  char* data() { return data_; }
  std::size_t size() const { return size_; }

 private:
  char* data_;
  std::size_t size_;
};

template <class T>
using LargeVector = std::vector<T, LargePageAllocator<T>>;

}  // namespace conpole
