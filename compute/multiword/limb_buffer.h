// Memory for limbs: aligned to cache lines, large pages where it is long, not filled.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <new>
#include <span>
#include <stop_token>

#include <sys/mman.h>

#include "compute/multiword/limb_kernels.h"

namespace orogen::compute {

class LimbBuffer
{
public:
    LimbBuffer() = default;
    explicit LimbBuffer(std::size_t limbs) : size_(limbs)  // throws std::bad_alloc
    {
        const std::size_t alignment = limbs * sizeof(Limb) >= kLargePage ? kLargePage : kLine;
        const std::size_t bytes = (limbs * sizeof(Limb) + alignment) / alignment * alignment;
        limbs_.reset(static_cast<Limb*>(std::aligned_alloc(alignment, bytes)));
        if (!limbs_) throw std::bad_alloc();
        if (alignment == kLargePage) madvise(limbs_.get(), bytes, MADV_HUGEPAGE);  // a wish
    }

    std::size_t size() const { return size_; }
    Limb* data() { return limbs_.get(); }
    const Limb* data() const { return limbs_.get(); }
    Limb& operator[](std::size_t i) { return limbs_.get()[i]; }
    const Limb& operator[](std::size_t i) const { return limbs_.get()[i]; }
    operator std::span<Limb>() { return {data(), size_}; }
    operator std::span<const Limb>() const { return {data(), size_}; }
    void shrink(std::size_t limbs) { size_ = limbs; }  // the memory stays

private:
    static constexpr std::size_t kLine = 64, kLargePage = std::size_t(2) << 20;
    struct Free
    {
        void operator()(Limb* limbs) const { std::free(limbs); }
    };
    std::unique_ptr<Limb, Free> limbs_;
    std::size_t size_ = 0;
};

// Both in pieces of under 10 ms, between which a stop ends them.
inline constexpr std::size_t kLimbsOfPiece = std::size_t(1) << 20;
inline void copyLimbs(Limb* to, std::span<const Limb> from, const std::stop_token& stop)
{
    for (std::size_t i = 0; i < from.size() && !stop.stop_requested(); i += kLimbsOfPiece)
        std::copy_n(from.data() + i, std::min(kLimbsOfPiece, from.size() - i), to + i);
}
inline void clearLimbs(std::span<Limb> limbs, const std::stop_token& stop)
{
    for (std::size_t i = 0; i < limbs.size() && !stop.stop_requested(); i += kLimbsOfPiece)
        std::fill_n(limbs.data() + i, std::min(kLimbsOfPiece, limbs.size() - i), 0);
}

}  // namespace orogen::compute
