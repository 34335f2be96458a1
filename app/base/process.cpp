#include "app/base/process.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <string_view>
#include <system_error>

#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "core/base/memory.h"

namespace orogen::app {
namespace {

constexpr std::uint64_t kLeastMemory = std::uint64_t(16) << 20;  // bytes; the smallest command takes about 4 MiB
// Least stack limit (bytes).  The limit is also the size of the stacks of threads, on which drivers compile shaders.
constexpr std::size_t kLeastStack = std::size_t(256) << 10;
constexpr std::size_t kStack = std::size_t(1) << 20;  // bytes of stack touched in advance; no command uses a quarter

// Bytes of freed memory that the heap keeps, and the size (bytes) from which a block has a mapping of its own.
[[maybe_unused]] constexpr int kKeptMemory = 64 << 20, kMappedBlock = 4 << 20;
[[maybe_unused]] constexpr int kHugeHeap = 48 << 20;  // bytes of the heap in pages of 2 MiB

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

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define OROGEN_HUGE_PAGES
// Asks for pages of 2 MiB if the block has kMappedBlock bytes or more.  Returns the block.  Keeps errno.
void* inHugePages(void* block, std::size_t bytes)
{
    constexpr std::uintptr_t kPage = 4096;
    if (!block || bytes < std::size_t(kMappedBlock)) return block;
    const int before = errno;
    const std::uintptr_t first = (reinterpret_cast<std::uintptr_t>(block) + kPage - 1) & ~(kPage - 1);
    const std::uintptr_t end = (reinterpret_cast<std::uintptr_t>(block) + bytes) & ~(kPage - 1);
    (void)madvise(reinterpret_cast<void*>(first), end - first, MADV_HUGEPAGE);
    errno = before;
    return block;
}
#endif

// Runs before any library starts: on a stack of a few KiB, libraries crash.
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

namespace {

constexpr int kPatience = 3;  // number of signals after which the next one kills the process

std::atomic<int> received{0};
std::atomic<int> times{0};
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler may touch nothing else");

std::atomic<int> exitsAtOnce{0};  // instances of ExitAtOnce
std::atomic<bool> onTerminal{false};
static_assert(std::atomic<bool>::is_always_lock_free);

// Makes async-signal-safe calls only.
[[noreturn]] void exitNow(int signal)
{
    const std::string_view clearLine = "\r\033[K";
    const std::string_view message = signal == SIGTERM ? "orogen: terminated\n" : "orogen: interrupted\n";
    if (onTerminal.load()) (void)!write(STDERR_FILENO, clearLine.data(), clearLine.size());
    (void)!write(STDERR_FILENO, message.data(), message.size());
    _exit(int(signal == SIGTERM ? ExitCode::kTerminated : ExitCode::kInterrupted));
}

void onSignal(int signal)
{
    if (exitsAtOnce.load() > 0) exitNow(signal);
    received.store(signal);
    if (times.fetch_add(1) + 1 >= kPatience) std::signal(signal, SIG_DFL);
}

}  // namespace

void keepFreedMemory()
{
#ifdef __GLIBC__
    mallopt(M_TRIM_THRESHOLD, kKeptMemory);
    mallopt(M_MMAP_THRESHOLD, kMappedBlock);  // setting either threshold ends glibc's automatic adjustment of both
#ifdef OROGEN_HUGE_PAGES
    constexpr int kUsualTopPad = 128 << 10;  // glibc's default (bytes)
    const char* end = static_cast<const char*>(sbrk(0));
    mallopt(M_TOP_PAD, kHugeHeap);
    // Extends the heap.  Without volatile the compiler leaves both calls out.
    void* volatile block = std::malloc(kMappedBlock / 2);
    std::free(block);
    mallopt(M_TOP_PAD, kUsualTopPad);
    if (char* now = static_cast<char*>(sbrk(0)); now - end > kHugeHeap) inHugePages(now - kHugeHeap, kHugeHeap);
#endif
#endif
}

void installSignalHandlers()
{
    struct sigaction action = {};
    action.sa_handler = onSignal;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);
}

std::optional<Error> interruption()
{
    switch (received.load())
    {
    case 0:
        return std::nullopt;
    case SIGTERM:
        return Error{ExitCode::kTerminated, "terminated"};
    default:
        return Error{ExitCode::kInterrupted, "interrupted"};
    }
}

bool interrupted() { return received.load() != 0; }

ExitAtOnce::ExitAtOnce()
{
    onTerminal.store(isatty(STDERR_FILENO) == 1);
    exitsAtOnce.fetch_add(1);
}

ExitAtOnce::~ExitAtOnce() { exitsAtOnce.fetch_sub(1); }

void requestInterrupt(int signal)
{
    received.store(signal);
    times.store(0);
}

}  // namespace orogen::app

#ifdef OROGEN_HUGE_PAGES

// ---- replaced allocation functions: see keepFreedMemory() ----------------------------------------------------------
// The functions are not inlined.  GCC would otherwise warn that malloc() is paired with delete.

[[gnu::noinline]] void* operator new(std::size_t bytes)
{
    for (;;)
    {
        if (void* block = std::malloc(std::max<std::size_t>(bytes, 1))) return orogen::app::inHugePages(block, bytes);
        const std::new_handler handler = std::get_new_handler();
        if (!handler) throw std::bad_alloc();
        handler();
    }
}

[[gnu::noinline]] void operator delete(void* block) noexcept { std::free(block); }
[[gnu::noinline]] void operator delete(void* block, std::size_t) noexcept { std::free(block); }

// Called by Mesa for buffers and pictures.
extern "C" int posix_memalign(void** block, std::size_t alignment, std::size_t bytes)
{
    if (alignment % sizeof(void*) != 0 || !std::has_single_bit(alignment)) return EINVAL;
    void* made = std::aligned_alloc(alignment, bytes);
    if (!made) return ENOMEM;
    *block = orogen::app::inHugePages(made, bytes);
    return 0;
}

#endif
