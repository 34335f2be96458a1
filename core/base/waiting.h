// Waiting for another thread: awake for some 50 microseconds, then asleep.
#pragma once

#include <atomic>
#include <thread>

namespace orogen {

// Looking costs a processor: none where there is none for each thread.
inline int looksFor(int threads) { return threads <= int(std::thread::hardware_concurrency()) ? 2000 : 0; }

template <class T>
void awaitChange(const std::atomic<T>& value, T old, int looks)
{
    for (int i = 0; i < looks; ++i)
    {
        if (value.load(std::memory_order_acquire) != old) return;
#if defined(__x86_64__)
        __builtin_ia32_pause();
#endif
    }
    value.wait(old, std::memory_order_acquire);
}

}  // namespace orogen
