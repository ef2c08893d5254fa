#include "math/divisors.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <span>

#include "util/int128.h"

namespace conpole {
namespace {

// Divisors of everything below kTableSize, found once by sieving.
class DivisorTable {
 public:
  static constexpr std::uint32_t kTableSize = 1 << 14;

  DivisorTable() : starts_(kTableSize + 1) {
    const auto for_each_pair = [](auto&& visit) {
      for (std::uint32_t k = 2; k * k < kTableSize; ++k) {
        for (std::uint32_t n = k * k; n < kTableSize; n += k) visit(n, k);
      }
    };
    for_each_pair([&](std::uint32_t n, std::uint32_t) { ++starts_[n + 1]; });
    std::partial_sum(starts_.begin(), starts_.end(), starts_.begin());
    divisors_.resize(starts_.back());
    std::vector<std::uint32_t> next(starts_.begin(), starts_.end() - 1);
    for_each_pair([&](std::uint32_t n, std::uint32_t k) { divisors_[next[n]++] = static_cast<std::uint8_t>(k); });
  }

  std::span<const std::uint8_t> Of(std::size_t n) const {
    return std::span(divisors_).subspan(starts_[n], starts_[n + 1] - starts_[n]);
  }

 private:
  std::vector<std::uint32_t> starts_;
  std::vector<std::uint8_t> divisors_;
};

std::uint64_t MultiplyModulo(std::uint64_t a, std::uint64_t b, std::uint64_t modulus) {
  return static_cast<std::uint64_t>(Uint128{a} * b % modulus);
}

std::uint64_t PowerModulo(std::uint64_t base, std::uint64_t exponent, std::uint64_t modulus) {
  std::uint64_t power = 1;
  for (; exponent != 0; exponent >>= 1) {
    if (exponent & 1) power = MultiplyModulo(power, base, modulus);
    base = MultiplyModulo(base, base, modulus);
  }
  return power;
}

// Miller-Rabin with the first twelve primes as bases, which decides every 64-bit number. Requires n odd and > 37.
bool IsPrime(std::uint64_t n) {
  const int twos = std::countr_zero(n - 1);
  for (const std::uint64_t base : {2U, 3U, 5U, 7U, 11U, 13U, 17U, 19U, 23U, 29U, 31U, 37U}) {
    std::uint64_t power = PowerModulo(base, (n - 1) >> twos, n);
    bool witness = power != 1;
    for (int i = 0; i < twos && witness; ++i) {
      witness = power != n - 1;
      power = MultiplyModulo(power, power, n);
    }
    if (witness) return false;
  }
  return true;
}

// Pollard's rho: some factor of an odd composite n other than 1 and n.
std::uint64_t SomeFactor(std::uint64_t n) {
  for (std::uint64_t offset = 1;; ++offset) {
    const auto next = [&](std::uint64_t x) { return static_cast<std::uint64_t>((Uint128{x} * x + offset) % n); };
    std::uint64_t slow = 2;
    std::uint64_t fast = 2;
    std::uint64_t factor = 1;
    while (factor == 1) {
      slow = next(slow);
      fast = next(next(fast));
      factor = std::gcd(slow > fast ? slow - fast : fast - slow, n);
    }
    if (factor != n) return factor;
  }
}

// Appends the prime factors of n, which has none below kTrialLimit, in any order.
constexpr std::uint64_t kTrialLimit = 1 << 10;
void AppendLargePrimeFactors(std::uint64_t n, std::vector<std::uint64_t>& primes) {
  std::vector<std::uint64_t> rest{n};
  while (!rest.empty()) {
    const std::uint64_t m = rest.back();
    rest.pop_back();
    if (m == 1) continue;
    if (m < kTrialLimit * kTrialLimit || IsPrime(m)) {
      primes.push_back(m);
    } else {
      const std::uint64_t factor = SomeFactor(m);
      rest.push_back(factor);
      rest.push_back(m / factor);
    }
  }
}

void AppendByFactoring(std::uint64_t n, std::vector<std::uint64_t>& out) {
  std::vector<std::uint64_t> primes;
  std::uint64_t rest = n;
  for (std::uint64_t p = 2; p < kTrialLimit && p * p <= rest; ++p) {
    for (; rest % p == 0; rest /= p) primes.push_back(p);
  }
  AppendLargePrimeFactors(rest, primes);
  std::sort(primes.begin(), primes.end());

  std::vector<std::uint64_t> divisors{1};
  std::size_t before_last_prime = 0;  // divisors from here on contain the last prime to its highest power so far
  for (std::size_t i = 0; i < primes.size(); ++i) {
    const std::size_t from = i > 0 && primes[i] == primes[i - 1] ? before_last_prime : 0;
    before_last_prime = divisors.size();
    for (std::size_t d = from, end = divisors.size(); d < end; ++d) {
      const Uint128 product = Uint128{divisors[d]} * primes[i];
      if (product >> 32 == 0 && product * product <= n) divisors.push_back(static_cast<std::uint64_t>(product));
    }
  }
  std::sort(divisors.begin(), divisors.end());
  out.insert(out.end(), divisors.begin() + 1, divisors.end());
}

}  // namespace

void AppendSmallDivisors(std::uint64_t n, std::vector<std::uint64_t>& out) {
  if (n < DivisorTable::kTableSize) {
    static const DivisorTable table;
    const std::span<const std::uint8_t> divisors = table.Of(static_cast<std::size_t>(n));
    out.insert(out.end(), divisors.begin(), divisors.end());
  } else {
    AppendByFactoring(n, out);
  }
}

}  // namespace conpole
