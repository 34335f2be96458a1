#include "compute/job/copy_bandwidth.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstring>
#include <memory>
#include <mutex>
#include <new>
#include <thread>
#include <vector>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "core/base/memory.h"
#include "core/base/thread_pool.h"

namespace orogen::compute {
namespace {

constexpr std::size_t kBytes = std::size_t(128) << 20;  // larger than caches
constexpr std::size_t kPiece = std::size_t(1) << 20;
constexpr int kCopies = 9;

struct FreeAligned
{
    void operator()(std::byte* data) const { ::operator delete[](data, std::align_val_t(64)); }
};
using Bytes = std::unique_ptr<std::byte[], FreeAligned>;

// Copies with non-temporal stores, which do not read the destination first.
void copyPiece(std::byte* to, const std::byte* from)
{
#ifdef __SSE2__
    for (std::size_t at = 0; at < kPiece; at += 16)
        _mm_stream_si128(reinterpret_cast<__m128i*>(to + at),
                         _mm_load_si128(reinterpret_cast<const __m128i*>(from + at)));
    _mm_sfence();
#else
    std::memcpy(to, from, kPiece);
#endif
}

double measured(const std::stop_token& stop)
{
    using Clock = std::chrono::steady_clock;
    if (availableMemory() < 4 * kBytes) return 0;
    const auto allocate = [] {
        return Bytes(static_cast<std::byte*>(::operator new[](kBytes, std::align_val_t(64), std::nothrow)));
    };
    const Bytes from = allocate(), to = allocate();
    if (!from || !to) return 0;
    ThreadPool pool(int(std::max(1u, std::thread::hardware_concurrency())));
    constexpr std::size_t kPieces = kBytes / kPiece;
    pool.forEach(kPieces, [&](std::size_t piece) {  // the system allocates pages on first write
        std::memset(from.get() + piece * kPiece, 1, kPiece);
        std::memset(to.get() + piece * kPiece, 0, kPiece);
    });
    std::vector<double> seconds;
    for (int i = 0; i < kCopies; ++i)
    {
        if (stop.stop_requested()) return 0;
        const Clock::time_point start = Clock::now();
        pool.forEach(kPieces,
                     [&](std::size_t piece) { copyPiece(to.get() + piece * kPiece, from.get() + piece * kPiece); });
        seconds.push_back(std::chrono::duration<double>(Clock::now() - start).count());
    }
    return 2 * double(kBytes) / *std::ranges::min_element(seconds);
}

}  // namespace

double cpuCopyBandwidth(const std::stop_token& stop)
{
    static std::mutex mutex;
    static double kept = 0;
    const std::lock_guard lock(mutex);
    if (kept <= 0) kept = measured(stop);
    return kept;
}

}  // namespace orogen::compute
