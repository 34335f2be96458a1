// Thread helpers: number of processors, starting a thread, waking one.
#pragma once

#include <atomic>
#include <new>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

#include "core/base/status.h"

namespace orogen {

inline int usableThreads()
{
    const unsigned threads = std::thread::hardware_concurrency();  // 0: unknown
    return threads > 0 ? int(threads) : 1;
}

// Starts work(std::stop_token) or work() on a new thread.  Error kLimit, naming `what`, if the system gives no thread:
// a limit on processes or memory.
template <class Work>
Result<std::jthread> startThread(std::string_view what, Work&& work)
{
    try
    {
        return std::jthread(std::forward<Work>(work));
    }
    catch (const std::system_error& error)
    {
        return Error{ExitCode::kLimit, std::string(what) + ": no thread can be started: " + error.code().message()};
    }
    catch (const std::bad_alloc&)
    {
        return Error{ExitCode::kLimit, std::string(what) + ": no thread can be started: out of memory"};
    }
}

// Stores `next` and wakes threads that wait for a change of `value`.  libstdc++ skips the wake-up when its waiter count
// is 0.  The sequentially consistent exchange orders that load after the store; a plain store could pass it, and a
// thread that has just fallen asleep would miss the wake-up.
template <class T>
void storeAndNotify(std::atomic<T>& value, T next)
{
    value.exchange(next, std::memory_order_seq_cst);
    value.notify_all();
}

}  // namespace orogen
