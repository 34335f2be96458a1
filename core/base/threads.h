// What threads need, in a pool or alone: how many there may be, starting one, waking one.
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
    const unsigned threads = std::thread::hardware_concurrency();  // 0: not known
    return threads > 0 ? int(threads) : 1;
}

// Starts work(std::stop_token) or work() on a thread of its own.  Error kLimit, in the name of `what`, where the system
// gives no thread: a limit of processes or of memory.
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

// Stores `next` and wakes whoever waits for a change of `value` by its wait().  libstdc++ wakes nobody if it sees
// nobody sleep.  Only the full barrier of a sequentially consistent exchange keeps that look behind the store: after a
// plain store the two may pass each other, and a thread that has just gone to sleep is not woken.
template <class T>
void storeAndNotify(std::atomic<T>& value, T next)
{
    value.exchange(next, std::memory_order_seq_cst);
    value.notify_all();
}

}  // namespace orogen
