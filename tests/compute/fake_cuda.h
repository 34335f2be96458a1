// GPU in host memory, behind the table of CUDA calls. Kernels run on the host executor, and copies are delayed as long
// as CUDA allows. Misuse is recorded, and any one call can be made to fail.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "compute/device/cuda.h"
#include "compute/device/host_executor.h"

namespace orogen::test {

namespace cuda_code {
inline constexpr compute::CudaCode kDone = 0, kInvalidValue = 1, kOutOfMemory = 2, kNoDriver = 35, kNoDevice = 100,
                                   kIllegalAddress = 700, kOutOfResources = 701, kLaunchFailure = 719, kUnknown = 999;
}  // namespace cuda_code

class FakeCuda
{
public:
    // Behaviour that a test configures.
    int devices = 2;
    int multiprocessors = 3, blocksOfEach = 2;
    std::size_t memoryLimit = std::size_t(1) << 32;
    std::uint64_t failAt = 0;  // failing call, from 1; 0: none
    compute::CudaCode failWith = 0;
    std::vector<compute::CudaDevice> described = {};  // replace the fake's own devices

    // Record of the calls.
    std::uint64_t made = 0;  // calls so far
    std::vector<std::string> misuse;
    int device = -1;

private:
    // Counts the call and makes it fail on request.
    template <class Call>
    auto step(Call call)
    {
        return [this, call](auto... arguments) -> compute::CudaCode {
            return ++made == failAt ? failWith : call(arguments...);
        };
    }

public:
    std::size_t live() const { return memory_.size() + pinned_.size() + handles_.size(); }

    ~FakeCuda()
    {
        for (const auto& [begin, bytes] : memory_)
            std::free(begin);
        for (const auto& [begin, bytes] : pinned_)
            std::free(begin);
    }

    compute::CudaCalls table()
    {
        compute::CudaCalls calls;
        calls.built = true;
        calls.architectures = "75-virtual 90-real";
        calls.runtimeVersion = calls.driverVersion = step([](int* version) { return *version = 13000, 0; });
        calls.deviceCount = step([this](int* count) {
            if (devices == 0) return cuda_code::kNoDevice;
            return *count = devices, cuda_code::kDone;
        });
        calls.deviceProperties = step([this](compute::CudaDevice* properties, int index) {
            *properties = {index, "fake", 9, 0, memoryLimit, multiprocessors};
            if (std::size_t(index) < described.size()) *properties = described[std::size_t(index)];
            return 0;
        });
        calls.setDevice = step([this](int index) { return device = index, 0; });
        addMemory(calls);
        addStreams(calls);
        calls.blocksPerMultiprocessor =
            step([this](int* blocks, const compute::KernelEntry&, unsigned) { return *blocks = blocksOfEach, 0; });
        calls.launch = step([this](const compute::KernelEntry& kernel, const compute::LaunchShape& shape,
                                   void* arguments, void* stream) { return launch(kernel, shape, arguments, stream); });
        calls.describe = [](compute::CudaCode code) { return "fake error " + std::to_string(code); };
        return calls;
    }

private:
    using Blocks = std::map<char*, std::size_t>;

    // Performs delayed copies. They wait for an operation, an event or a stream that requires them, so using a block
    // too early reads or sends wrong data.
    void doCopies(std::uint64_t until = ~std::uint64_t(0))
    {
        for (; !copies_.empty() && done_ < until; copies_.pop_front(), ++done_)
            copies_.front()();
    }

    std::size_t used() const
    {
        std::size_t bytes = 0;
        for (const auto& [begin, length] : memory_)
            bytes += length;
        return bytes;
    }

    void addMemory(compute::CudaCalls& calls)
    {
        calls.memoryInfo = step([this](std::size_t* free, std::size_t* total) {
            *free = memoryLimit - used();
            *total = memoryLimit;
            return 0;
        });
        calls.allocate = step([this](void** block, std::size_t bytes) {
            return used() + bytes > memoryLimit ? cuda_code::kOutOfMemory : allocate(memory_, block, bytes);
        });
        calls.allocatePinned =
            step([this](void** block, std::size_t bytes) { return allocate(pinned_, block, bytes); });
        calls.free = step([this](void* block) { return release(memory_, block); });
        calls.freePinned = step([this](void* block) { return release(pinned_, block); });
        calls.copy = step([this](void* to, const void* from, std::size_t bytes, compute::CopyDirection direction,
                                 void* stream) { return copy(to, from, bytes, direction, stream); });
        calls.fill = step([this](void* to, int byte, std::size_t bytes, void* stream) {
            doCopies();
            check(handles_.count(stream) && holds(memory_, to, bytes), "fill");
            std::memset(to, byte, bytes);
            return 0;
        });
    }

    void addStreams(compute::CudaCalls& calls)
    {
        const auto create = [this](void** handle) {
            *handle = reinterpret_cast<void*>(++lastHandle_);
            handles_.insert(*handle);
            return 0;
        };
        const auto destroy = [this](void* handle) { return check(handles_.erase(handle) == 1, "destroy"); };
        const auto use = [this](void* handle) { return check(handles_.count(handle) == 1, "use of a handle"); };
        const auto await = [this, use](void* stream) { return doCopies(), use(stream); };
        calls.createStream = step(create);
        calls.createEvent = step(create);
        calls.destroyStream = step(destroy);
        calls.destroyEvent = step(destroy);
        calls.synchronizeStream = step(await);
        calls.synchronizeEvent = step([this, use](void* event) { return doCopies(recorded_[event]), use(event); });
        calls.recordEvent = step([this, use](void* event, void* stream) {
            recorded_[event] = done_ + copies_.size();
            return use(event) + use(stream);
        });
        calls.elapsed = step([use](float* milliseconds, void* from, void* to) {
            *milliseconds = 0.5f;
            return use(from) + use(to);
        });
    }

    static compute::CudaCode allocate(Blocks& blocks, void** block, std::size_t bytes)
    {
        char* const memory = static_cast<char*>(std::aligned_alloc(256, (bytes + 255) / 256 * 256));
        std::memset(memory, 0xc7, std::min(bytes, std::size_t(1) << 16));
        blocks[memory] = bytes;
        *block = memory;
        return cuda_code::kDone;
    }

    compute::CudaCode release(Blocks& blocks, void* block)
    {
        doCopies();
        const bool known = blocks.erase(static_cast<char*>(block)) == 1;
        if (known) std::free(block);
        return check(known, "free");
    }

    static bool holds(const Blocks& blocks, const void* begin, std::size_t bytes)
    {
        const char* const from = static_cast<const char*>(begin);
        const auto after = blocks.upper_bound(const_cast<char*>(from));
        if (after == blocks.begin()) return false;
        const auto& [start, length] = *std::prev(after);
        return from + bytes <= start + length;
    }

    compute::CudaCode copy(void* to, const void* from, std::size_t bytes, compute::CopyDirection direction,
                           void* stream)
    {
        check(handles_.count(stream) == 1, "copy in no stream");
        check(holds(direction == compute::CopyDirection::kToHost ? pinned_ : memory_, to, bytes), "copy to");
        check(holds(direction == compute::CopyDirection::kToDevice ? pinned_ : memory_, from, bytes), "copy from");
        if (misuse.empty()) copies_.push_back([=] { std::memcpy(to, from, bytes); });
        return misuse.empty() ? cuda_code::kDone : cuda_code::kInvalidValue;
    }

    compute::CudaCode launch(const compute::KernelEntry& kernel, const compute::LaunchShape& shape, void* arguments,
                             void* stream)
    {
        doCopies();
        check(handles_.count(stream) == 1, "launch in no stream");
        const unsigned resident = unsigned(multiprocessors * blocksOfEach);
        const Result<compute::HostLaunch> done =
            compute::launchOnHost(kernel, shape, arguments, {compute::ThreadOrder::kForward, 1, resident, {}});
        if (!done) misuse.push_back(done.error().message);
        return done ? cuda_code::kDone : cuda_code::kLaunchFailure;
    }

    compute::CudaCode check(bool right, const std::string& what)
    {
        if (!right) misuse.push_back(what);
        return right ? cuda_code::kDone : cuda_code::kInvalidValue;
    }

    Blocks memory_, pinned_;
    std::set<void*> handles_;
    std::uintptr_t lastHandle_ = 0;
    std::deque<std::function<void()>> copies_;  // copies not yet performed
    std::uint64_t done_ = 0;                    // finished copies
    std::map<void*, std::uint64_t> recorded_;   // number of copies before an event
};

}  // namespace orogen::test
