// Compiles the loops for each instruction set, and picks the set for this processor.
#include "compute/exact/sum_kernels.h"

#include <algorithm>

#include "core/base/cpu.h"

#define OROGEN_KERNELS portable
#define OROGEN_KERNELS_NAME "portable"
#define OROGEN_KERNELS_BYTES 16
#include "compute/exact/sum_kernels_body.h"

#if defined(__x86_64__)
#include "core/base/target_avx2.h"
#define OROGEN_KERNELS avx2
#define OROGEN_KERNELS_NAME "avx2"
#define OROGEN_KERNELS_BYTES 32
#include "compute/exact/sum_kernels_body.h"
#pragma GCC pop_options

#include "core/base/target_avx512.h"
#define OROGEN_KERNELS avx512
#define OROGEN_KERNELS_NAME "avx512"
#define OROGEN_KERNELS_BYTES 64
#include "compute/exact/sum_kernels_body.h"
#pragma GCC pop_options
#endif

namespace orogen::compute {
namespace {

constexpr int kUnitOfProductBins = -2150, kBitsOfBin = 32;
constexpr std::uint64_t kSign = std::uint64_t(1) << 63;

const KernelSets<ExactKernels>& exactKernelSets()
{
    static const KernelSets<ExactKernels> sets = {
#if defined(__x86_64__)
        {&avx512::kTable, InstructionSet::kAvx512},
        {&avx2::kTable, InstructionSet::kAvx2},
#endif
        {&portable::kTable, InstructionSet::kPortable}
    };
    return sets;
}

template <class Bins>
void takeSpecials(Bins& bins, ExactTotal& total)
{
    if (bins.nan) total.addNan();
    for (const bool negative : {false, true})
        if (bins.infinity[negative]) total.addInfinity(negative);
    if (bins.otherThanMinusZero) total.addOtherThanMinusZero();
}

bool isNan(std::uint64_t bits) { return (bits & ~kSign) > std::uint64_t(kExponentMask) << 52; }
bool isInfinite(std::uint64_t bits) { return (bits & ~kSign) == std::uint64_t(kExponentMask) << 52; }

}  // namespace

const ExactKernels& exactKernels() { return exactKernelSets().best(); }
const ExactKernels* exactKernels(std::string_view name) { return exactKernelSets().find(name); }

bool Window::forLargest(std::uint64_t largest, Window& window)
{
    // Between the lowest and the highest unit, both splitters (splitterOf() in sum_kernels_body.h) are normal doubles.
    constexpr int kSpareBits = 3, kLowestUnit = -1023, kHighestUnit = 970;
    const int exponent = int(largest >> 52) - 1023;  // largest < 2^(exponent + 1)
    if (exponent > 1023) return false;
    window.unit = std::clamp(exponent + 1 - kPartBits + kSpareBits, kLowestUnit, kHighestUnit);
    return true;
}

void SumBins::emptyInto(ExactTotal& total)
{
    for (unsigned bin = 0; bin < kBins; ++bin)
    {
        auto& [low, high] = sums[bin];
        if (high == 0) continue;
        const std::uint64_t count = high >> kCountBit;
        const bool negative = bin > kExponentMask;
        const unsigned exponent = bin & kExponentMask;
        WideSum mantissas = low + (WideSum(high & ((std::uint64_t(1) << kCountBit) - 1)) << 32);
        low = high = 0;
        if (!negative || exponent > 0 || mantissas > 0) total.addOtherThanMinusZero();
        if (exponent == kExponentMask)
        {
            // Mantissas of infinities are 0, so a sum above 0 shows a NaN, beside which infinities do not matter.
            mantissas > 0 ? total.addNan() : total.addInfinity(negative);
            continue;
        }
        if (exponent > 0) mantissas += WideSum(count) << 52;
        total.addWords(negative, std::uint64_t(mantissas), std::uint64_t(mantissas >> 64), 0,
                       std::max(1, int(exponent)) - 1075);
    }
}

void ProductBins::emptyInto(ExactTotal& total)
{
    for (int bin = 0; bin < kBins; ++bin)
    {
        auto& words = sums[bin];
        if ((words[0] | words[1] | words[2]) == 0) continue;
        otherThanMinusZero = true;
        total.addWords(bin >= kBins / 2, words[0], words[1], words[2],
                       kUnitOfProductBins + kBitsOfBin * (bin % (kBins / 2)));
        words[0] = words[1] = words[2] = 0;
    }
    takeSpecials(*this, total);
}

void IntegerSums::emptyInto(ExactTotal& total)
{
    constexpr int kBitsOfWord = 64;
    total.addWords(false, std::uint64_t(low), std::uint64_t(low >> kBitsOfWord), 0, 0);
    const bool negative = high < 0;
    const WideSum size = negative ? -WideSum(high) : WideSum(high);
    total.addWords(negative, std::uint64_t(size), std::uint64_t(size >> kBitsOfWord), 0, kBitsOfWord);
    low = 0;
    high = 0;
}

void addUnusualProduct(ProductBins& bins, std::uint64_t x, std::uint64_t y)
{
    const bool negative = ((x ^ y) & kSign) != 0, zero = (x & ~kSign) == 0 || (y & ~kSign) == 0;
    const bool infinite = isInfinite(x) || isInfinite(y);
    if (isNan(x) || isNan(y) || (infinite && zero))
        bins.nan = true;
    else if (infinite)
        bins.infinity[negative] = true;
    else if (zero)
        bins.otherThanMinusZero = bins.otherThanMinusZero || !negative;
    else
    {
        const auto exponentOf = [](std::uint64_t bits) { return unsigned(bits >> 52) & kExponentMask; };
        const auto mantissaOf = [&](std::uint64_t bits) {
            return (bits & kMantissa) | (exponentOf(bits) ? kHidden : 0);
        };
        addProduct(bins, negative, std::max(1u, exponentOf(x)) + std::max(1u, exponentOf(y)), mantissaOf(x),
                   mantissaOf(y));
    }
}

void addProduct(ProductBins& bins, bool negative, unsigned exponents, std::uint64_t x, std::uint64_t y)
{
    const WideSum product = WideSum(x) * y;
    const unsigned shift = exponents % kBitsOfBin;
    auto& words = bins.sums[exponents / kBitsOfBin + (negative ? ProductBins::kBins / 2 : 0)];
    const WideSum lower = product << shift;
    const std::uint64_t upper = shift > 0 ? std::uint64_t(product >> (128 - shift)) : 0;
    const WideSum sum = (WideSum(words[1]) << 64 | words[0]) + lower;
    words[0] = std::uint64_t(sum);
    words[1] = std::uint64_t(sum >> 64);
    words[2] += upper + (sum < lower);
}

}  // namespace orogen::compute
