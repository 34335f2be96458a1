// Bodies of sum_kernels.h, included by sum_kernels.cpp once for each instruction set, after
// "core/base/target_NAME.h" except for the portable set.  Includes no headers, because their inline functions, compiled
// for this instruction set, would not run on every processor.  OROGEN_KERNELS names the namespace of the bodies and
// their table, OROGEN_KERNELS_NAME the instruction set.  OROGEN_KERNELS_BYTES is the length of its vectors, because the
// pragma that selects the instruction set does not make GCC 12 define __AVX512F__.

namespace orogen::compute {
namespace {
namespace OROGEN_KERNELS {

// Vectors as long as registers: GCC 12 keeps longer ones in memory.  The types named Loose need only the alignment of
// an element.
typedef double Doubles __attribute__((vector_size(OROGEN_KERNELS_BYTES)));
typedef double LooseDoubles __attribute__((vector_size(OROGEN_KERNELS_BYTES), aligned(8), may_alias));
typedef long long Longs __attribute__((vector_size(OROGEN_KERNELS_BYTES)));
typedef long long LooseLongs __attribute__((vector_size(OROGEN_KERNELS_BYTES), aligned(8), may_alias));
constexpr std::size_t kLanes = OROGEN_KERNELS_BYTES / 8;
static_assert(kWindowStep % (2 * kLanes) == 0);
typedef unsigned long long Pair __attribute__((vector_size(16), may_alias));
typedef unsigned Halves __attribute__((vector_size(8), aligned(8), may_alias));

// Returns 1.5 * 2^(52 + unit).  Adding it rounds a number to a multiple of 2^unit; the sum's mantissa then holds the
// multiple.  The sum has the sign and exponent of the constant as long as the number's magnitude is below
// 2^(51 + unit).
inline double splitterOf(int unit)
{
    const std::uint64_t bits = std::uint64_t(1023 + 52 + unit) << 52 | std::uint64_t(1) << 51;
    double value;
    __builtin_memcpy(&value, &bits, sizeof(value));
    return value;
}

inline std::uint64_t bitsOf(double value)
{
    std::uint64_t bits;
    __builtin_memcpy(&bits, &value, sizeof(bits));
    return bits;
}

inline std::uint64_t sumOfLanes(const Longs& lanes)
{
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < kLanes; ++i)
        sum += std::uint64_t(lanes[i]);
    return sum;
}

bool sumInWindow(const double* values, std::size_t count, int unit, std::int64_t sums[2])
{
    const double upper = splitterOf(unit), lower = splitterOf(unit - Window::kPartBits);
    const Longs upperBits = Longs{} + static_cast<long long>(bitsOf(upper));
    Longs uppers[2] = {}, lowers[2] = {}, outside[2] = {}, lost[2] = {};
    for (std::size_t i = 0; i < count; i += 2 * kLanes)
        for (std::size_t k = 0; k < 2; ++k)
        {
            const Doubles x = *reinterpret_cast<const LooseDoubles*>(values + i + k * kLanes);
            const Doubles first = x + upper;
            uppers[k] += Longs(first);
            outside[k] |= Longs(first) ^ upperBits;
            const Doubles rest = x - (first - upper);
            const Doubles second = rest + lower;
            lowers[k] += Longs(second);
            lost[k] |= Longs(rest) ^ Longs(second - lower);  // a -0 differs in its sign bit, which is dropped below
        }
    sums[0] = std::int64_t(sumOfLanes(uppers[0] + uppers[1]) - count * bitsOf(upper));
    sums[1] = std::int64_t(sumOfLanes(lowers[0] + lowers[1]) - count * bitsOf(lower));
    const Longs left = outside[0] | outside[1], gone = lost[0] | lost[1];
    std::uint64_t wrong = 0;
    for (std::size_t i = 0; i < kLanes; ++i)
        wrong |= std::uint64_t(left[i]) >> 52 | std::uint64_t(gone[i]) << 1;
    return wrong == 0;
}

std::uint64_t largestBits(const double* values, std::size_t count)
{
    Longs largest = {};
    for (std::size_t i = 0; i < count; i += kLanes)
    {
        const Longs size = *reinterpret_cast<const LooseLongs*>(values + i) & 0x7fffffffffffffffll;
        largest = size > largest ? size : largest;
    }
    long long most = 0;
    for (std::size_t i = 0; i < kLanes; ++i)
        most = largest[i] > most ? largest[i] : most;
    return std::uint64_t(most);
}

inline bool isUnusual(unsigned exponent) { return exponent - 1 >= kExponentMask - 1; }

void sumInBins(const double* values, std::size_t count, SumBins& bins)
{
#if OROGEN_KERNELS_BYTES > 16
    const Pair kept = {0xffffffffull, 0xfffffull}, one = {0, 1ull << SumBins::kCountBit};
    for (std::size_t i = 0; i < count; ++i)
    {
        const Pair halves = __builtin_convertvector(*reinterpret_cast<const Halves*>(values + i), Pair);
        Pair& bin = *reinterpret_cast<Pair*>(bins.sums[bitsOf(values[i]) >> 52]);
        bin += (halves & kept) | one;
    }
#else
    for (std::size_t i = 0; i < count; ++i)
    {
        const std::uint64_t bits = bitsOf(values[i]);
        std::uint64_t* const bin = bins.sums[bits >> 52];
        bin[0] += bits & 0xffffffffu;
        bin[1] += (bits >> 32 & 0xfffffu) | std::uint64_t(1) << SumBins::kCountBit;
    }
#endif
}

void productsInBins(const double* x, const double* y, std::size_t count, ProductBins& bins)
{
    for (std::size_t i = 0; i < count; ++i)
    {
        const std::uint64_t a = bitsOf(x[i]), b = bitsOf(y[i]);
        const unsigned first = unsigned(a >> 52) & kExponentMask, second = unsigned(b >> 52) & kExponentMask;
        if (__builtin_expect(isUnusual(first) || isUnusual(second), 0))
        {
            addUnusualProduct(bins, a, b);
            continue;
        }
        const WideSum product = WideSum((a & kMantissa) | kHidden) * ((b & kMantissa) | kHidden);
        const unsigned exponents = first + second, shift = exponents & 31;
        std::uint64_t* const sums = bins.sums[(exponents >> 5) + unsigned((a ^ b) >> 63) * (ProductBins::kBins / 2)];
        const std::uint64_t low = std::uint64_t(product), high = std::uint64_t(product >> 64);
        const WideSum lower = WideSum(high << shift | (low >> 1) >> (63 - shift)) << 64 | low << shift;
        WideSum held;
        __builtin_memcpy(&held, sums, sizeof(held));
        const WideSum sum = held + lower;
        __builtin_memcpy(sums, &sum, sizeof(sum));
        sums[2] += ((high >> 1) >> (63 - shift)) + (sum < lower);
    }
}

void sumIntegers(const std::int64_t* values, std::size_t count, IntegerSums& sums)
{
    constexpr std::size_t kMost = std::size_t(1) << 30;  // the sum of so many 32-bit halves fits in 64 bits
    for (std::size_t begin = 0; begin < count; begin += kMost)
    {
        const std::size_t end = count - begin < kMost ? count : begin + kMost;
        std::uint64_t low = 0;
        std::int64_t high = 0;
        for (std::size_t i = begin; i < end; ++i)
        {
            low += std::uint64_t(values[i]) & 0xffffffffu;
            high += std::int64_t(std::uint64_t(values[i]) >> 32) - (values[i] < 0 ? std::int64_t(1) << 32 : 0);
        }
        // Splits low + 2^32 high into a multiple of 2^64 and the rest.
        sums.low += low;
        sums.low += WideSum(std::uint64_t(high) & 0xffffffffu) << 32;
        sums.high += high >> 32;
    }
}

void productsOfIntegers(const std::int64_t* x, const std::int64_t* y, std::size_t count, IntegerSums& sums)
{
    __extension__ using Signed = __int128;
    WideSum low = 0;
    Signed high = 0;
    for (std::size_t i = 0; i < count; ++i)
    {
        const Signed product = Signed(x[i]) * y[i];
        low += std::uint64_t(product);
        high += std::int64_t(product >> 64);
    }
    sums.low += low;
    sums.high += high;
}

void widenSingles(const float* from, double* to, std::size_t count)
{
    for (std::size_t i = 0; i < count; ++i)
        to[i] = double(from[i]);
}

// Shifts exponent and mantissa of a half (float16) to those of a double, which is then too small by the factor 2^1008.
void widenHalves(const std::uint16_t* from, double* to, std::size_t count)
{
    for (std::size_t i = 0; i < count; ++i)
    {
        const std::uint64_t half = from[i], size = half & 0x7fffu;
        const std::uint64_t special = size >= 0x7c00u ? std::uint64_t(0x7ff) << 52 : 0;
        const std::uint64_t small = size << 42;
        double value;
        __builtin_memcpy(&value, &small, sizeof(value));
        const std::uint64_t bits = bitsOf(value * 0x1p1008) | special | (half & 0x8000u) << 48;
        __builtin_memcpy(to + i, &bits, sizeof(bits));
    }
}

void multiply(const double* x, const double* y, double* to, std::size_t count)
{
    for (std::size_t i = 0; i < count; ++i)
        to[i] = x[i] * y[i];
}

std::uint64_t readAll(const double* values, std::size_t count)
{
    Longs found[4] = {};
    std::size_t i = 0;
    for (; i + 4 * kLanes <= count; i += 4 * kLanes)
        for (std::size_t k = 0; k < 4; ++k)
            found[k] ^= *reinterpret_cast<const LooseLongs*>(values + i + k * kLanes);
    std::uint64_t all = 0;
    for (std::size_t k = 0; k < 4; ++k)
        all ^= sumOfLanes(found[k]);
    for (; i < count; ++i)
        all ^= bitsOf(values[i]);
    return all;
}

constexpr ExactKernels kTable = {OROGEN_KERNELS_NAME, sumInWindow,  largestBits, sumInBins, productsInBins, sumIntegers,
                                 productsOfIntegers,  widenSingles, widenHalves, multiply,  readAll};

}  // namespace OROGEN_KERNELS
}  // namespace
}  // namespace orogen::compute
#undef OROGEN_KERNELS
#undef OROGEN_KERNELS_NAME
#undef OROGEN_KERNELS_BYTES
