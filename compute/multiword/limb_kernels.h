// Loops over limbs that depend on the instruction set: one table of functions each, chosen at run time.
//
// With s = a + b (mod 2^64), a limb generates a carry where s < a and propagates one where s is all ones; with d = a -
// b it generates a borrow where a < b and propagates one where d is 0.  No limb does both, so that for the words G and
// T of a block's generating and propagating limbs and its carry in c, with C = 2 G + c, the carries that enter the
// limbs are (C + T) xor T (paper 001, Lemmas 1 to 3; its corrections stand in paper.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace orogen::compute {

using Limb = std::uint64_t;
inline constexpr int kLimbBits = 64;
inline constexpr std::size_t kBlockLimbs = 64;  // limbs whose carries are the bits of one word

// What an instruction set offers; `sum` may be `a` or `b`, and otherwise overlaps neither.
struct LimbKernels
{
    const char* name;  // "avx512", "avx2", "portable"

    // sum = a + b + carry; returns the carry out.  subtract: a - b - borrow, and the borrow out.
    using Add = bool (*)(Limb* sum, const Limb* a, const Limb* b, std::size_t limbs, bool carry);
    Add add, subtract;
    Add addPastCaches, subtractPastCaches;  // the sum is written to memory around the caches
    Add forLength(std::size_t limbs, bool subtract) const;

    // Sums limb by limb, without any carry: no addition of numbers, but what the memory and its caches allow one to
    // take.
    using Limbwise = void (*)(Limb* sum, const Limb* a, const Limb* b, std::size_t limbs);
    Limbwise limbwise, limbwisePastCaches;

    // Sums without carries between limbs.  Bit i % 64 of word i / 64 says whether limb i generates, propagates; bits
    // beyond the last limb are 0.
    using Sums = void (*)(Limb* sum, const Limb* a, const Limb* b, std::size_t limbs, Limb* generates,
                          Limb* propagates);
    Sums sums, differences;

    // Adds bit i of `carries` to limb i; subtracts it.
    using Correct = void (*)(Limb* sum, std::size_t limbs, const Limb* carries);
    Correct addCarries, subtractCarries;
};

extern const LimbKernels kPortableLimbKernels;
#if defined(__x86_64__)
extern const LimbKernels kAvx2LimbKernels, kAvx512LimbKernels;
#endif

// The fastest that this processor has; one by its name, null if it has not got it.  All of them, fastest first.
const LimbKernels& bestLimbKernels();
const LimbKernels* limbKernels(std::string_view name);
std::span<const LimbKernels* const> availableLimbKernels();

bool goesPastCaches(std::size_t limbs);  // whether forLength() chooses so

// As mpn_add_n and mpn_sub_n, with a carry in: by the fastest kernels, on this thread.
bool addLimbs(Limb* sum, const Limb* a, const Limb* b, std::size_t limbs, bool carry = false);
bool subtractLimbs(Limb* difference, const Limb* a, const Limb* b, std::size_t limbs, bool borrow = false);

}  // namespace orogen::compute
