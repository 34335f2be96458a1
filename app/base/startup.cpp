#include "app/base/startup.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <system_error>

#include <sys/resource.h>
#include <unistd.h>

#include "core/base/memory.h"

namespace orogen::app {
namespace {

constexpr std::uint64_t kLeastMemory = std::uint64_t(16) << 20;  // bytes; the shortest command takes about 4 MiB
// Bytes; the minimum applies to threads, too.  Graphics drivers compile shaders on them and need more than 64 KiB.
constexpr std::size_t kLeastStack = std::size_t(256) << 10;
constexpr std::size_t kStack = std::size_t(1) << 20;  // bytes; no command is known to use a quarter of it

[[gnu::noinline]] void touchStack(std::size_t bytes)
{
    constexpr std::size_t kPage = 4096;
    volatile char* pages = static_cast<char*>(__builtin_alloca(bytes));
    for (std::size_t i = bytes; i > 0; i -= std::min(i, kPage))  // in the direction of growth
        pages[i - 1] = 0;
}

[[noreturn]] void end(const char* line)
{
    [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, line, std::strlen(line));
    ::_exit(int(ExitCode::kLimit));
}

[[noreturn]] void onTerminate()
{
    try
    {
        if (const std::exception_ptr exception = std::current_exception()) std::rethrow_exception(exception);
    }
    catch (const std::bad_alloc&)
    {
        end("orogen: out of memory\n");
    }
    catch (const std::system_error& error)
    {
        if (error.code() == std::errc::resource_unavailable_try_again) end("orogen: no thread can be started\n");
    }
    catch (...)
    {
    }
    std::abort();
}

// Runs before any library, which would end with a signal on a stack of a few KiB.
[[gnu::no_sanitize("address", "thread", "undefined")]] void checkStack(int, char**, char**)
{
    rlimit limit = {};
    if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= kLeastStack) return;
    std::array<char, 160> line{};
    std::snprintf(line.data(), line.size(),
                  "orogen: starting: needs %zu KiB of stack, and %zu KiB are available: the limit of the stack "
                  "(ulimit -s)\n",
                  kLeastStack >> 10, std::size_t(limit.rlim_cur) >> 10);
    end(line.data());
}
[[gnu::section(".preinit_array"), gnu::used]] void (*const checkStackFirst)(int, char**, char**) = checkStack;

// Constructed before the objects of other files, whose allocations may fail.
[[maybe_unused]] const struct BeforeMain
{
    BeforeMain() { std::set_terminate(onTerminate); }
} beforeMain [[gnu::init_priority(101)]];

}  // namespace

Status prepareMemory()
{
    rlimit limit = {};
    const bool limited = getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
    if (Status status = checkMemory("starting", kLeastMemory); !status) return status;
    touchStack(limited ? std::min<std::size_t>(kStack, limit.rlim_cur / 4) : kStack);
    return Status::ok();
}

}  // namespace orogen::app
