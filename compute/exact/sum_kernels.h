// Time-critical loops of exact sums, compiled once for each instruction set.  There are two forms of deferred carries.
//
// Windows are for values of similar size, which most data are.  Adding two constants splits a value without error into
// multiples of two units, 51 bits apart.  Each multiple is the low bits of a floating-point sum, and is summed as an
// integer.  A loop also finds whether a value did not fit; the caller then discards the loop's sums.
//
// Bins take any value.  A bin for each sign and exponent sums the two halves of its values' mantissas, and counts the
// values.  Nothing is shifted and no case is special until the bins are emptied, at least once in 2^22 - 1 values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "compute/exact/exact_total.h"

namespace orogen::compute {

__extension__ using WideSum = unsigned __int128;

// Range of the values that two units, 2^unit and 2^(unit - 51), represent: multiples of the lower unit with magnitudes
// below 2^(unit + 51).
struct Window
{
    int unit = 0;  // exponent of the upper part's unit; -1023 <= unit <= 970

    static constexpr int kPartBits = 51;
    // Sets `window` for values of magnitude up to `largest` (given as bits), with room for values a few times larger,
    // as far as the range of `unit` allows.  Returns false for NaN and infinities.
    static bool forLargest(std::uint64_t largest, Window& window);
    int lowerUnit() const { return unit - kPartBits; }
};

// Bin b sums the values whose upper twelve bits, sign and exponent, are b.  The first word sums the lower 32 bits of
// the mantissas, the second the upper 20, and from bit 42 on it counts the values.
struct SumBins
{
    static constexpr int kBins = 4096, kCountBit = 42;
    static constexpr std::uint64_t kMost = (std::uint64_t(1) << 22) - 1;  // values between two calls of emptyInto()
    alignas(16) std::uint64_t sums[kBins][2] = {};

    // Adds all values to `total` and empties the bins.
    void emptyInto(ExactTotal& total);
};

// Bin b sums products of mantissas (three words) in units of 2^(32 (b mod 128) - 2150).  Bins 0 to 127 take positive
// products, the others negative ones.
struct ProductBins
{
    static constexpr int kBins = 256;
    std::uint64_t sums[kBins][4] = {};
    bool nan = false, infinity[2] = {false, false}, otherThanMinusZero = false;

    void emptyInto(ExactTotal& total);
};

// Sums of integers: low + 2^64 high.
struct IntegerSums
{
    WideSum low = 0;
    __extension__ __int128 high = 0;

    void emptyInto(ExactTotal& total);
};

inline constexpr std::size_t kWindowStep = 16;    // the count of values for a window is a multiple of this
inline constexpr std::size_t kWindowMost = 2048;  // maximum count, so that a sum fits in 63 bits

struct ExactKernels
{
    const char* name;  // "avx512", "avx2", "portable"

    // Sums the two parts of `count` values, as multiples of 2^unit and 2^(unit - 51).  Returns false if a value did not
    // fit; the sums are then undefined.  `count` is a multiple of kWindowStep, at most kWindowMost.
    bool (*sumInWindow)(const double* values, std::size_t count, int unit, std::int64_t sums[2]);
    // Returns the bits of the largest magnitude.  `count` is a multiple of kWindowStep.
    std::uint64_t (*largestBits)(const double* values, std::size_t count);
    // Add `count` values, or products of `count` pairs.  sumInBins() takes at most SumBins::kMost values between two
    // calls of SumBins::emptyInto().
    void (*sumInBins)(const double* values, std::size_t count, SumBins& bins);
    void (*productsInBins)(const double* x, const double* y, std::size_t count, ProductBins& bins);
    void (*sumIntegers)(const std::int64_t* values, std::size_t count, IntegerSums& sums);
    void (*productsOfIntegers)(const std::int64_t* x, const std::int64_t* y, std::size_t count, IntegerSums& sums);
    void (*widenSingles)(const float* from, double* to, std::size_t count);
    void (*widenHalves)(const std::uint16_t* from, double* to, std::size_t count);
    void (*multiply)(const double* x, const double* y, double* to, std::size_t count);  // rounds each product
    std::uint64_t (*readAll)(const double* values, std::size_t count);  // for benchmarks: reads memory at full speed
};

const ExactKernels& exactKernels();                       // the best for this processor
const ExactKernels* exactKernels(std::string_view name);  // null: unavailable

// ---- for the loops ----

inline constexpr std::uint64_t kMantissa = (std::uint64_t(1) << 52) - 1, kHidden = std::uint64_t(1) << 52;
inline constexpr unsigned kExponentMask = 0x7ff;

// Adds the product of two doubles, given as bits, at least one of which is zero, subnormal, infinite or NaN.
void addUnusualProduct(ProductBins& bins, std::uint64_t x, std::uint64_t y);
// Adds the product of the mantissas x and y times 2^(exponents - 2150).  `exponents` is the sum of both exponents as
// stored, each at least 1.
void addProduct(ProductBins& bins, bool negative, unsigned exponents, std::uint64_t x, std::uint64_t y);

}  // namespace orogen::compute
