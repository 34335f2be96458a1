// Limbs, the words of 64 bits of long integers: memory for them, and loops over them for each instruction set. The
// loops are tables of functions, chosen at run time.
//
// With s = a + b (mod 2^64), a limb generates a carry if s < a and propagates one if s is all ones. With d = a - b, it
// generates a borrow if a < b and propagates one if d is 0. No limb does both. Bit i of word G tells whether limb i of
// a block of 64 limbs generates, bit i of T whether it propagates. With the carry in c, C = 2 G + c; C and T are the
// criterion words. The carries into the limbs are (C + T) xor T (paper 001, Lemmas 1 to 3; corrections in paper.cpp).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <span>
#include <stop_token>

#include <sys/mman.h>

namespace orogen::compute {

using Limb = std::uint64_t;
inline constexpr int kLimbBits = 64;
inline constexpr std::size_t kBlockLimbs = 64;  // limbs per criterion word, one bit each

// Limbs between two checks of a stop token: under 10 ms with the slowest algorithm.
inline constexpr std::size_t kLimbsBetweenLooks = std::size_t(1) << 18;

// ---- memory ----

// Uninitialised memory for limbs, aligned to cache lines; long buffers use large pages.
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
        if (alignment == kLargePage) madvise(limbs_.get(), bytes, MADV_HUGEPAGE);  // a hint; may fail
    }

    std::size_t size() const { return size_; }
    Limb* data() { return limbs_.get(); }
    const Limb* data() const { return limbs_.get(); }
    Limb& operator[](std::size_t i) { return limbs_.get()[i]; }
    const Limb& operator[](std::size_t i) const { return limbs_.get()[i]; }
    operator std::span<Limb>() { return {data(), size_}; }
    operator std::span<const Limb>() const { return {data(), size_}; }
    void shrink(std::size_t limbs) { size_ = limbs; }  // keeps the memory

private:
    static constexpr std::size_t kLine = 64, kLargePage = std::size_t(2) << 20;
    struct Free
    {
        void operator()(Limb* limbs) const { std::free(limbs); }
    };
    std::unique_ptr<Limb, Free> limbs_;
    std::size_t size_ = 0;
};

// Limbs per piece of copyLimbs() and clearLimbs(), under 10 ms; both check for a stop between pieces.
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

// ---- loops ----

// Loops for one instruction set. `sum` may be `a` or `b` but may not partly overlap them.
struct LimbKernels
{
    const char* name;  // "avx512", "avx2", "portable"

    // Computes sum = a + b + carry (`subtract`: a - b - borrow) and returns the carry (borrow) out.
    using Add = bool (*)(Limb* sum, const Limb* a, const Limb* b, std::size_t limbs, bool carry);
    Add add, subtract;
    Add addPastCaches, subtractPastCaches;                  // stores bypass the caches, except in "portable"
    Add forLength(std::size_t limbs, bool subtract) const;  // the fastest of these four for this length

    // Adds limb by limb without carries; its speed is the upper bound that memory and caches set.
    using Limbwise = void (*)(Limb* sum, const Limb* a, const Limb* b, std::size_t limbs);
    Limbwise limbwise, limbwisePastCaches;

    // Adds (subtracts) without carries between limbs. Bit i % 64 of word i / 64 of `generates` (`propagates`) tells
    // whether limb i generates (propagates); bits past the last limb are 0.
    using Sums = void (*)(Limb* sum, const Limb* a, const Limb* b, std::size_t limbs, Limb* generates,
                          Limb* propagates);
    Sums sums, differences;

    // Adds bit i % 64 of word i / 64 of `carries` to limb i, or subtracts it.
    using Correct = void (*)(Limb* sum, std::size_t limbs, const Limb* carries);
    Correct addCarries, subtractCarries;
};

extern const LimbKernels kPortableLimbKernels;
#if defined(__x86_64__)
extern const LimbKernels kAvx2LimbKernels, kAvx512LimbKernels;
#endif

// Return the fastest table of this processor, and all tables that it can run, fastest first.
const LimbKernels& bestLimbKernels();
std::span<const LimbKernels* const> availableLimbKernels();

bool goesPastCaches(std::size_t limbs);  // whether forLength() picks the loops that bypass the caches

// Adds like GMP's mpn_add_n, with a carry in, by the fastest kernels on the calling thread. Returns the carry out.
bool addLimbs(Limb* sum, const Limb* a, const Limb* b, std::size_t limbs, bool carry = false);

}  // namespace orogen::compute
