#include "compute/signed_digit/digit_kernels.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

#include "compute/signed_digit/digit_kernel_sets.h"

namespace orogen::compute {
namespace {

constexpr std::size_t kRowsInByte = 28;    // of digits up to 9: 252
constexpr std::size_t kBytesInWord = 260;  // of such sums: 65,520
constexpr std::size_t kShortest = 2048;    // bytes of a super-row, which make up for a call
constexpr std::size_t kLongest = 16384;    // bytes of a super-row, whose sums stay in the first-level cache
static_assert(9 * kRowsInByte < 256 && 9 * kRowsInByte * kBytesInWord < 65536 && kRowsInByte % 4 == 0);

std::vector<const DigitKernels*> findKernels()
{
    std::vector<const DigitKernels*> kernels;
#if defined(__x86_64__)
    __builtin_cpu_init();
    const bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
                        __builtin_cpu_supports("avx512vnni");
    if (avx512) kernels.push_back(&kAvx512DigitKernels);
    if (__builtin_cpu_supports("avx2")) kernels.push_back(&kAvx2DigitKernels);
#endif
    kernels.push_back(&kPortableDigitKernels);
    return kernels;
}

// Rows that are added together as one, so that vectors neither straddle lines nor end within one: whole multiples of
// lcm(width, 64) bytes where that is short.
std::size_t rowsTogether(std::size_t width)
{
    const std::size_t whole = std::lcm(width, std::size_t(64));
    if (whole > kLongest) return 1;
    return whole / width * std::max<std::size_t>(1, kShortest / whole);
}

// Sums bytes [first, first + bytes) of every super-row in 8 bits, then 16, then 64.
class ColumnAdder
{
public:
    ColumnAdder(const DigitKernels& kernels, std::size_t bytes)
        : kernels_(kernels), narrow_(bytes + kRowSlack), wide_(bytes + kRowSlack), sums_(bytes)
    {
    }

    void addFour(const Digit* rows, std::size_t stride)
    {
        kernels_.addFourRows(narrow_.data(), rows, stride, sums_.size());
        rowsInBytes_ += 4;
        if (rowsInBytes_ == kRowsInByte) flushBytes();
    }

    std::span<const std::uint64_t> finish()
    {
        flushBytes();
        flushWords();
        return sums_;
    }

private:
    void flushBytes()
    {
        kernels_.widen(wide_.data(), narrow_.data(), sums_.size());
        rowsInBytes_ = 0;
        if (++bytesInWords_ == kBytesInWord) flushWords();
    }
    void flushWords()
    {
        for (std::size_t i = 0; i < sums_.size(); ++i)
            sums_[i] += wide_[i];
        std::ranges::fill(wide_, std::uint16_t(0));
        bytesInWords_ = 0;
    }

    const DigitKernels& kernels_;
    std::vector<std::uint8_t> narrow_;
    std::vector<std::uint16_t> wide_;
    std::vector<std::uint64_t> sums_;
    std::size_t rowsInBytes_ = 0, bytesInWords_ = 0;
};

}  // namespace

std::span<const DigitKernels* const> availableDigitKernels()
{
    static const std::vector<const DigitKernels*> kernels = findKernels();
    return kernels;
}

const DigitKernels& bestDigitKernels() { return *availableDigitKernels().front(); }

void sumColumns(const DigitKernels& kernels, std::uint64_t* sums, const Digit* digits, std::size_t rows,
                std::size_t width)
{
    if (width == 0) return;
    const std::size_t together = rowsTogether(width), stride = together * width, fours = rows / together / 4;
    for (std::size_t first = 0; first < stride && fours > 0; first += kLongest)
    {
        ColumnAdder adder(kernels, std::min(kLongest, stride - first));
        for (std::size_t i = 0; i < fours; ++i)
            adder.addFour(digits + 4 * i * stride + first, stride);
        const std::span<const std::uint64_t> found = adder.finish();
        for (std::size_t i = 0; i < found.size(); ++i)
            sums[(first + i) % width] += found[i];
    }
    for (std::size_t row = 4 * fours * together; row < rows; ++row)
        for (std::size_t i = 0; i < width; ++i)
            sums[i] += digits[row * width + i];
}

std::size_t rowsInInt32(unsigned largest, std::size_t columns)
{
    return std::size_t(std::numeric_limits<std::int32_t>::max()) / (std::size_t(largest) * largest * columns);
}

}  // namespace orogen::compute
