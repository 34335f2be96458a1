// Threads outside of a pool: one that works alone for a while.
#pragma once

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
        return Error{ExitCode::kLimit, std::string(what) + ": a thread cannot be started: " + error.code().message()};
    }
    catch (const std::bad_alloc&)
    {
        return Error{ExitCode::kLimit, std::string(what) + ": a thread cannot be started: out of memory"};
    }
}

}  // namespace orogen
