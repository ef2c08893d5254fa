// How much problems are like one another, by their vectors: for practice that stays near a problem (tutor/practice.h).
#pragma once

#include "tutor/practice.h"
#include "util/thread_pool.h"
#include "vectors/problem_encoder.h"

namespace conpole {

// The problems by their cosines, of equal ones the first one first. The encoder and the pool must outlive it; it is used by one
// thread at a time.
Likeness LikenessByVectors(const ProblemEncoder& encoder, ThreadPool& pool);

}  // namespace conpole
