// The threads that all batched calls of a process share.
#pragma once

#include <cstddef>
#include <functional>

#include "util/thread_pool.h"

namespace conpole::python {

// Calls work(pool) with a pool of this number of threads (0: one per core). While another thread uses the pool, the work gets
// one of a single thread: the cores are busy anyway. A process that was forked starts threads of its own.
void WithSharedPool(std::size_t threads, const std::function<void(ThreadPool&)>& work);

}  // namespace conpole::python
