// Exact sums in a kernel.  A window is three units, 51 bits apart; a value fits if it is a small multiple of one unit
// plus a small multiple of the next.  Each thread sums the multiples as integers in registers.  Values that do not fit
// go to the digits of the block's total in shared memory.  Carries wait in the upper half of each digit
// (exact_total.h).  Integer additions commute: any order of the threads gives the same digits.
#pragma once

#include "compute/device/kernel.h"
#include "compute/exact/exact_total.h"

namespace orogen::compute {

struct ExactTermsArguments
{
    const double* x;
    const double* y;      // null: the terms are the values of x; else x[i] * y[i]
    std::uint64_t first;  // first step of this launch; a step has kStepTerms values
    std::uint64_t steps;  // number of steps
    // Exponent of the window's first unit; the next ones are 51 and 102 bits below.  The unit affects the speed
    // alone, not the result.
    int unit;
    std::uint64_t* digits;  // digits of the total (kTotalDigits), modulo 2^64; initially 0
    std::uint32_t* found;   // bits such as kFoundNan; initially 0
};

constexpr unsigned kExactThreads = 256;
constexpr unsigned kTermsOfVector = 2, kVectorsOfBlockStep = 4;
constexpr std::uint64_t kStepTerms = kExactThreads * kTermsOfVector * kVectorsOfBlockStep;
// Steps until a thread adds its integers to the digits.  The integers stay below 2^62: 512 values below 2^51, or twice
// as many in products.
constexpr unsigned kStepsOfFlush = 64;
constexpr int kPartBits = 51;
// Maximum number of terms between two readings of the digits.  Each term changes a digit by less than 2^34.
constexpr std::uint64_t kMostTermsInDigits = std::uint64_t(1) << 28;

// Bits of `found`.
constexpr std::uint32_t kFoundNan = 1, kFoundInfinity = 2, kFoundNegativeInfinity = 4, kFoundOtherThanMinusZero = 8;

namespace OROGEN_TARGET {

OROGEN_DEVICE inline std::uint64_t bitsOfDouble(double value)
{
    std::uint64_t bits;
    memcpy(&bits, &value, sizeof(bits));
    return bits;
}

OROGEN_DEVICE inline double doubleOfBits(std::uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof(value));
    return value;
}

// Adds or subtracts word * 2^exponent.
OROGEN_DEVICE inline void addWord(std::uint64_t* digits, bool negative, std::uint64_t word, int exponent)
{
    const unsigned place = unsigned(exponent - kLowestExponent), shift = place % kDigitBits;
    const std::uint64_t low = word << shift, parts[] = {low & 0xffffffffu, low >> 32, (word >> 1) >> (63 - shift)};
    OROGEN_UNROLL
    for (unsigned i = 0; i < 3; ++i)
        if (parts[i] > 0) fetchAdd(digits + place / kDigitBits + i, negative ? 0 - parts[i] : parts[i]);
}

// Parts of a value: mantissa * 2^(exponent - 1075).
struct TakenApart
{
    std::uint64_t mantissa;
    int exponent;
    bool negative, special;  // special: NaN or infinite

    OROGEN_DEVICE explicit TakenApart(double value)
    {
        const std::uint64_t bits = bitsOfDouble(value), fraction = bits & ((std::uint64_t(1) << 52) - 1);
        const int stored = int(bits >> 52 & 0x7ffu);
        negative = bits >> 63 != 0;
        special = stored == 0x7ff;
        exponent = stored > 0 ? stored : 1;
        mantissa = stored > 0 ? fraction | std::uint64_t(1) << 52 : fraction;
    }
};

// Returns the bit of `found` for a value that is NaN or infinite.
OROGEN_DEVICE inline std::uint32_t foundIn(double value)
{
    return value != value ? kFoundNan : value > 0 ? kFoundInfinity : kFoundNegativeInfinity;
}

// Adds a value.  Returns bits of `found`.
OROGEN_DEVICE inline std::uint32_t addToDigits(std::uint64_t* digits, double value)
{
    const TakenApart taken(value);
    if (taken.special) return foundIn(value);
    addWord(digits, taken.negative, taken.mantissa, taken.exponent - 1075);
    return 0;
}

// Adds the exact product, by the halves of both mantissas.  Returns bits of `found`.
OROGEN_DEVICE inline std::uint32_t addProductToDigits(std::uint64_t* digits, double x, double y)
{
    const TakenApart a(x), b(y);
    if (a.special || b.special) return foundIn(x * y);
    const bool negative = a.negative != b.negative;
    const int exponent = a.exponent + b.exponent - 2150;
    const std::uint64_t aLow = a.mantissa & 0xffffffffu, aHigh = a.mantissa >> 32, bLow = b.mantissa & 0xffffffffu,
                        bHigh = b.mantissa >> 32;
    addWord(digits, negative, aLow * bLow, exponent);
    addWord(digits, negative, aLow * bHigh, exponent + 32);
    addWord(digits, negative, aHigh * bLow, exponent + 32);
    addWord(digits, negative, aHigh * bHigh, exponent + 64);
    return 0;
}

// Integers of a thread: sums of the parts, in units of 2^unit, 2^(unit - 51) and 2^(unit - 102).  Adding splitters[i],
// which is 1.5 * 2^52 units, rounds a number to a multiple of that unit; the sum's mantissa then holds the multiple.
struct WindowSums
{
    double splitters[3];
    std::int64_t sums[3];

    OROGEN_DEVICE explicit WindowSums(int unit)
    {
        OROGEN_UNROLL
        for (int i = 0; i < 3; ++i)
        {
            const int stored = 1023 + 52 + unit - i * kPartBits;
            splitters[i] = doubleOfBits(std::uint64_t(stored > 1 ? stored : 1) << 52 | std::uint64_t(1) << 51);
            sums[i] = 0;
        }
    }

    // Splits a value by splitters[at] and splitters[at + 1] into multiples of their units.  Returns false if the value
    // does not fit; `upper` and `lower` are then undefined.
    template <int at>
    OROGEN_DEVICE bool parts(double value, std::int64_t& upper, std::int64_t& lower) const
    {
        const double first = value + splitters[at], rest = value - (first - splitters[at]);
        const double second = rest + splitters[at + 1];
        upper = std::int64_t(bitsOfDouble(first) - bitsOfDouble(splitters[at]));
        lower = std::int64_t(bitsOfDouble(second) - bitsOfDouble(splitters[at + 1]));
        const bool within = (bitsOfDouble(first) ^ bitsOfDouble(splitters[at])) >> 52 == 0;
        return within && second - splitters[at + 1] == rest;
    }

    OROGEN_DEVICE bool add(double value)
    {
        std::int64_t upper, lower;
        if (!parts<0>(value, upper, lower)) return false;
        sums[0] += upper;
        sums[1] += lower;
        return true;
    }

    // Adds x * y as the rounded product and its rounding error.  Returns false, without effect, if product or error
    // does not fit, or if the product is so small that the error might not be exact.
    OROGEN_DEVICE bool addProduct(double x, double y)
    {
        const double product = x * y, error = fusedMultiplyAdd(x, y, -product);
        const std::uint64_t size = bitsOfDouble(product) << 1 >> 1;
        constexpr std::uint64_t kSmallest = std::uint64_t(1023 - 960) << 52;
        if (size < kSmallest && x != 0 && y != 0) return false;
        std::int64_t upper, middle, next, lower;
        if (!parts<0>(product, upper, middle) || !parts<1>(error, next, lower)) return false;
        sums[0] += upper;
        sums[1] += middle + next;
        sums[2] += lower;
        return true;
    }

    OROGEN_DEVICE void emptyInto(std::uint64_t* digits, int unit)
    {
        OROGEN_UNROLL
        for (int i = 0; i < 3; ++i)
        {
            const bool negative = sums[i] < 0;
            const std::uint64_t size = negative ? 0 - std::uint64_t(sums[i]) : std::uint64_t(sums[i]);
            if (size > 0) addWord(digits, negative, size, unit - i * kPartBits);
            sums[i] = 0;
        }
    }
};

// Adds a term to the window, or to the digits if it does not fit.  Returns bits of `found`.
OROGEN_DEVICE inline std::uint32_t addTerm(WindowSums& window, std::uint64_t* digits, double x)
{
    const std::uint32_t other = bitsOfDouble(x) != std::uint64_t(1) << 63 ? kFoundOtherThanMinusZero : 0;
    return window.add(x) ? other : other | addToDigits(digits, x);
}

OROGEN_DEVICE inline std::uint32_t addTerm(WindowSums& window, std::uint64_t* digits, double x, double y)
{
    const std::uint64_t sign = std::uint64_t(1) << 63, a = bitsOfDouble(x), b = bitsOfDouble(y);
    const bool zero = a << 1 == 0 || b << 1 == 0, minusZero = zero && ((a ^ b) & sign) != 0;
    const std::uint32_t other = minusZero ? 0 : kFoundOtherThanMinusZero;
    return window.addProduct(x, y) ? other : other | addProductToDigits(digits, x, y);
}

OROGEN_DEVICE inline void addExactTerms(const ExactTermsArguments& arguments)
{
    OROGEN_SHARED(std::uint64_t, digits, kTotalDigits);
    OROGEN_SHARED(std::uint32_t, found, 1);
    const unsigned thread = threadIndex().x;
    for (unsigned i = thread; i < unsigned(kTotalDigits); i += kExactThreads)
        digits[i] = 0;
    if (thread == 0) *found = 0;
    syncBlock();

    WindowSums window(arguments.unit);
    std::uint32_t seen = 0;
    unsigned held = 0;
    for (std::uint64_t step = blockIndex().x; step < arguments.steps; step += gridSize().x)
    {
        const std::uint64_t at = (arguments.first + step) * kStepTerms + thread * kTermsOfVector;
        Vector16<double> x[kVectorsOfBlockStep] = {}, y[kVectorsOfBlockStep] = {};
        OROGEN_UNROLL
        for (unsigned i = 0; i < kVectorsOfBlockStep; ++i)
        {
            x[i] = loadVector16(arguments.x + at + i * kExactThreads * kTermsOfVector);
            if (arguments.y) y[i] = loadVector16(arguments.y + at + i * kExactThreads * kTermsOfVector);
        }
        OROGEN_UNROLL
        for (unsigned i = 0; i < kVectorsOfBlockStep; ++i)
            OROGEN_UNROLL
        for (unsigned k = 0; k < kTermsOfVector; ++k)
            seen |= arguments.y ? addTerm(window, digits, x[i].values[k], y[i].values[k])
                                : addTerm(window, digits, x[i].values[k]);
        if (++held < kStepsOfFlush) continue;
        window.emptyInto(digits, arguments.unit);
        held = 0;
    }
    window.emptyInto(digits, arguments.unit);
    if (seen > 0) fetchOr(found, seen);
    syncBlock();
    for (unsigned i = thread; i < unsigned(kTotalDigits); i += kExactThreads)
        if (digits[i] > 0) fetchAdd(arguments.digits + i, digits[i]);
    if (thread == 0 && *found > 0) fetchOr(arguments.found, *found);
}

}  // namespace OROGEN_TARGET

OROGEN_KERNEL(addExactTerms, ExactTermsArguments, kExactThreads)

}  // namespace orogen::compute
