#include "http/rate_limit.h"

#include <algorithm>
#include <cmath>

namespace conpole {

double RateLimit::LeftIn(const Bucket& bucket, Time now) const {
  return std::min(at_once_, bucket.left + per_second_ * std::chrono::duration<double>(now - bucket.time).count());
}

unsigned RateLimit::Ask(const std::string& client, Time now) {
  if (per_second_ <= 0) return 0;
  if (buckets_.size() >= forget_at_) {
    std::erase_if(buckets_, [&](const auto& one) { return LeftIn(one.second, now) >= at_once_; });
    forget_at_ = std::max<std::size_t>(1'024, 2 * buckets_.size());
  }
  const auto [found, is_new] = buckets_.try_emplace(client, Bucket{at_once_, now});
  Bucket& bucket = found->second;
  bucket = {LeftIn(bucket, now), now};
  if (bucket.left < 1) return static_cast<unsigned>(std::ceil((1 - bucket.left) / per_second_));
  bucket.left -= 1;
  return 0;
}

}  // namespace conpole
