#include "compute/device/copy_bandwidth.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <thread>
#include <vector>

#ifdef __SSE2__
#include <emmintrin.h>
#endif
#include <fmt/format.h>

#include "core/base/clock.h"
#include "core/base/memory.h"
#include "core/base/thread_pool.h"

namespace orogen::compute {
namespace {

constexpr int kCopies = 4;  // copies per measurement, since the clock's resolution is half a microsecond
constexpr int kClocks = 5;  // measurements, whose median is the result

Result<double> timeCopies(KernelTarget& target, const TargetMemory& to, const TargetMemory& from)
{
    if (Status status = target.startClock(); !status) return status.error();
    for (int i = 0; i < kCopies; ++i)
        if (Status status = target.copy(to.as<void>(), from.as<void>(), kCopiedBytes); !status) return status.error();
    return target.stopClock();
}

Result<double> measureTarget(KernelTarget& target)
{
    const Result<TargetMemory> from = target.allocate(kCopiedBytes), to = target.allocate(kCopiedBytes);
    for (const Result<TargetMemory>* memory : {&from, &to})
        if (!*memory) return memory->error();
    if (Status status = target.fill(*from, 0x5c); !status) return status.error();
    std::array<double, kClocks> ms = {};
    if (Result<double> warmUp = timeCopies(target, *to, *from); !warmUp) return warmUp.error();
    for (double& time : ms)
    {
        const Result<double> found = timeCopies(target, *to, *from);
        if (!found) return found.error();
        time = *found;
    }
    std::ranges::nth_element(ms, ms.begin() + kClocks / 2);
    return 2.0 * kCopies * double(kCopiedBytes) / (std::max(ms[kClocks / 2], 1e-6) * 1e-3);
}

}  // namespace

Result<double> copyBandwidth(KernelTarget& target)
{
    static std::mutex mutex;
    static std::map<std::string, double> known;  // bandwidths measured so far, by target
    std::string name = "host";
    if (const CudaDevice* const gpu = target.gpu())
        name = gpu->uuid.empty() ? fmt::format("{} {}", gpu->index, gpu->name) : gpu->uuid;
    {
        const std::lock_guard lock(mutex);
        if (const auto found = known.find(name); found != known.end()) return found->second;
    }
    const Result<double> bandwidth = measureTarget(target);
    if (!bandwidth) return bandwidth;
    const std::lock_guard lock(mutex);
    known[name] = *bandwidth;
    return bandwidth;
}

namespace {

constexpr std::size_t kPiece = std::size_t(1) << 20;  // bytes that a thread copies at a time
constexpr int kCpuCopies = 9;                         // copies, the fastest of which is the result

struct FreeAligned
{
    void operator()(std::byte* data) const { ::operator delete[](data, std::align_val_t(64)); }
};
using AlignedBytes = std::unique_ptr<std::byte[], FreeAligned>;

// Copies kPiece bytes.  With SSE2, uses non-temporal stores, which do not read the destination first.
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

double measureCpu(const std::stop_token& stop)
{
    if (availableMemory() < 4 * kCopiedBytes) return 0;
    const auto allocate = [] {
        return AlignedBytes(
            static_cast<std::byte*>(::operator new[](kCopiedBytes, std::align_val_t(64), std::nothrow)));
    };
    const AlignedBytes from = allocate(), to = allocate();
    if (!from || !to) return 0;
    ThreadPool pool(int(std::max(1u, std::thread::hardware_concurrency())));
    constexpr std::size_t kPieces = kCopiedBytes / kPiece;
    pool.forEach(kPieces, [&](std::size_t piece) {  // the system allocates pages on first write, not in a copy
        std::memset(from.get() + piece * kPiece, 1, kPiece);
        std::memset(to.get() + piece * kPiece, 0, kPiece);
    });
    std::vector<double> ms;
    for (int i = 0; i < kCpuCopies; ++i)
    {
        if (stop.stop_requested()) return 0;
        const Clock::time_point start = Clock::now();
        pool.forEach(kPieces,
                     [&](std::size_t piece) { copyPiece(to.get() + piece * kPiece, from.get() + piece * kPiece); });
        ms.push_back(millisecondsSince(start));
    }
    return 2 * double(kCopiedBytes) / (*std::ranges::min_element(ms) * 1e-3);
}

}  // namespace

double cpuCopyBandwidth(const std::stop_token& stop)
{
    static std::mutex mutex;
    static double kept = 0;
    const std::lock_guard lock(mutex);
    if (kept <= 0) kept = measureCpu(stop);
    return kept;
}

}  // namespace orogen::compute
