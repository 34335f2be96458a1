// Allocator for the words of a tree: whole cache lines, huge pages for long trees.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <vector>

#include <sys/mman.h>

namespace orogen {

// With 4 KiB pages, scattered changes of a tree of depth 26 miss the TLB as often as the caches.
template <class T>
struct LineAllocator
{
    using value_type = T;
    static constexpr std::size_t kLine = 64, kLargePage = std::size_t(2) << 20;

    LineAllocator() = default;
    template <class U>
    LineAllocator(const LineAllocator<U>&)
    {
    }

    T* allocate(std::size_t count)
    {
        const std::size_t alignment = count * sizeof(T) >= kLargePage ? kLargePage : kLine;
        const std::size_t bytes = (count * sizeof(T) + alignment - 1) / alignment * alignment;
        void* const memory = std::aligned_alloc(alignment, bytes);
        if (!memory) throw std::bad_alloc();
        if (alignment == kLargePage) madvise(memory, bytes, MADV_HUGEPAGE);  // a hint; failure is harmless
        return static_cast<T*>(memory);
    }
    void deallocate(T* memory, std::size_t) { std::free(memory); }

    bool operator==(const LineAllocator&) const = default;
};

using TreeWords = std::vector<std::uint32_t, LineAllocator<std::uint32_t>>;

}  // namespace orogen
