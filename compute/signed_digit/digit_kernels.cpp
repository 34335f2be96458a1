// Portable loops over digits, the choice among the tables of loops, and sums of many rows by them.
#include "compute/signed_digit/digit_kernels.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

#include "core/base/cpu.h"

namespace orogen::compute {

// ---- portable loops ----

namespace {

void addFourRows(std::uint8_t* sum, const std::uint8_t* rows, std::size_t stride, std::size_t bytes)
{
    for (std::size_t i = 0; i < bytes; ++i)
        sum[i] = std::uint8_t(sum[i] + rows[i] + rows[stride + i] + rows[2 * stride + i] + rows[3 * stride + i]);
}

void widen(std::uint16_t* wide, std::uint8_t* narrow, std::size_t count)
{
    for (std::size_t i = 0; i < count; ++i)
    {
        wide[i] = std::uint16_t(wide[i] + narrow[i]);
        narrow[i] = 0;
    }
}

void addFourWordRows(std::uint64_t* sums, const std::uint32_t* rows, std::size_t stride, std::size_t words)
{
    for (std::size_t i = 0; i < words; ++i)
        sums[i] += rows[i] + rows[stride + i] + rows[2 * stride + i] + rows[3 * stride + i];
}

void packPairs(std::uint8_t* pairs, const Digit* digits, std::size_t count)
{
    for (std::size_t i = 0; i < count; ++i)
        pairs[i] = std::uint8_t(digits[2 * i] + 10 * digits[2 * i + 1]);
}

void packGroups(std::uint8_t* groups, const ByteRows& digits, std::size_t rows)
{
    for (std::size_t row = 0; row < (rows + 3) / 4 * 4; ++row)
    {
        std::uint8_t* const to = groups + row / 4 * 2 * digits.count + row % 4;
        const Digit* const from = digits.data + row * digits.stride;
        for (std::size_t i = 0; i < digits.count / 2; ++i)
            to[4 * i] = row < rows ? std::uint8_t(from[2 * i] + 10 * from[2 * i + 1]) : std::uint8_t(0);
    }
}

void addProducts(std::uint64_t* sums, const RowGroups& x, const RowGroups& y, std::size_t groups, unsigned largest)
{
    ProductMatrix matrix;
    inPieces(matrix, sums, x, y, groups, largest, 128, [&](std::size_t begin, std::size_t count) {
        for (std::size_t group = begin; group < begin + count; ++group)
            for (std::size_t i = 0; i < 4 * x.count; ++i)
                for (std::size_t j = 0; j < y.count; ++j)
                    matrix.entries[i / 4 * kProductBlock + j] +=
                        x.data[group * x.stride + i] * y.data[group * y.stride + 4 * j + i % 4];
    });
}

}  // namespace

// wordBlock is 2: a block has one even and one odd word, so that the sums have the order of the words.
const DigitKernels kPortableDigitKernels = {"portable", addFourRows, widen,      addFourWordRows,
                                            2,          packPairs,   packGroups, addProducts};

// ---- choice, and sums of many rows ----

namespace {

constexpr std::size_t kRowsInByte = 28;    // rows of digits that fit into a byte: 28 * 9 = 252
constexpr std::size_t kBytesInWord = 260;  // bytes of up to 252 that fit into 16 bits: 65,520
constexpr std::size_t kShortest = 2048;    // minimum bytes of a super-row (rowsTogether()), to outweigh a call's cost
constexpr std::size_t kLongest = 16384;    // maximum bytes of a super-row, so that its sums stay in the L1 cache
static_assert(9 * kRowsInByte < 256 && 9 * kRowsInByte * kBytesInWord < 65536 && kRowsInByte % 4 == 0);

const KernelSets<DigitKernels>& digitKernelSets()
{
    static const KernelSets<DigitKernels> sets = {
#if defined(__x86_64__)
        {&kAvx512DigitKernels, InstructionSet::kAvx512, "avx512vnni"},
        {&kAvx2DigitKernels, InstructionSet::kAvx2},
#endif
        {&kPortableDigitKernels, InstructionSet::kPortable}
    };
    return sets;
}

// Returns how many consecutive rows of `bytes` bytes are added as one super-row, so that vectors neither straddle cache
// lines nor end within one. A super-row has a multiple of lcm(bytes, 64) bytes. Returns 1 if lcm(bytes, 64)
// exceeds `longest`.
std::size_t rowsTogether(std::size_t bytes, std::size_t longest)
{
    const std::size_t whole = std::lcm(bytes, std::size_t(64));
    if (whole > longest) return 1;
    return whole / bytes * std::max<std::size_t>(1, kShortest / whole);
}

// Sums of the digits of rows, in 8 bits, then 16, then 64.
class ColumnAdder
{
public:
    static constexpr std::size_t kMost = kLongest;

    ColumnAdder(const DigitKernels& kernels, std::size_t digits)
        : kernels_(kernels), narrow_(digits + kRowSlack), wide_(digits + kRowSlack), sums_(digits)
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

// Sums of the words of rows: of four rows in 32 bits, of all in 64.
class WordAdder
{
public:
    static constexpr std::size_t kMost = kLongest / sizeof(std::uint64_t);

    WordAdder(const DigitKernels& kernels, std::size_t words)
        : kernels_(kernels), sums_((words + kernels.wordBlock - 1) / kernels.wordBlock * kernels.wordBlock),
          inOrder_(words)
    {
    }

    void addFour(const std::uint32_t* rows, std::size_t stride)
    {
        kernels_.addFourWordRows(sums_.data(), rows, stride, sums_.size());
    }

    std::span<const std::uint64_t> finish()
    {
        const std::size_t block = kernels_.wordBlock;
        for (std::size_t i = 0; i < inOrder_.size(); ++i)
            inOrder_[i] = sums_[i / block * block + i % 2 * (block / 2) + i % block / 2];
        return inOrder_;
    }

private:
    const DigitKernels& kernels_;
    std::vector<std::uint64_t> sums_, inOrder_;
};

template <class Adder, class Element>
class RowSummer
{
public:
    RowSummer(const DigitKernels& kernels, std::uint64_t* sums, std::size_t width)
        : kernels_(kernels), sums_(sums), width_(width)
    {
    }

    void add(const Element* from, std::size_t rows)
    {
        for (const std::size_t together :
             {rowsTogether(width_ * sizeof(Element), Adder::kMost * sizeof(Element)), std::size_t(1)})
        {
            const std::size_t fours = rows / together / 4;
            addFours(from, together * width_, fours);
            from += 4 * fours * together * width_;
            rows -= 4 * fours * together;
        }
        for (; rows > 0; --rows, from += width_)
            for (std::size_t i = 0; i < width_; ++i)
                sums_[i] += from[i];
    }

private:
    // Adds four adjacent stretches of memory, each of `rows` super-rows of `length` elements.
    void addFours(const Element* from, std::size_t length, std::size_t rows)
    {
        for (std::size_t first = 0; first < length && rows > 0; first += Adder::kMost)
        {
            Adder adder(kernels_, std::min(Adder::kMost, length - first));
            for (std::size_t row = 0; row < rows; ++row)
                adder.addFour(from + row * length + first, rows * length);
            std::size_t column = first % width_;
            for (const std::uint64_t sum : adder.finish())
            {
                sums_[column] += sum;
                if (++column == width_) column = 0;
            }
        }
    }

    const DigitKernels& kernels_;
    std::uint64_t* const sums_;
    const std::size_t width_;
};

}  // namespace

const DigitKernels& bestDigitKernels() { return digitKernelSets().best(); }
std::span<const DigitKernels* const> availableDigitKernels() { return digitKernelSets().available(); }

void sumColumns(const DigitKernels& kernels, std::uint64_t* sums, const Digit* digits, std::size_t rows,
                std::size_t width)
{
    if (width > 0) RowSummer<ColumnAdder, Digit>(kernels, sums, width).add(digits, rows);
}

void sumWords(const DigitKernels& kernels, std::uint64_t* sums, const std::uint32_t* words, std::size_t rows,
              std::size_t width)
{
    if (width > 0) RowSummer<WordAdder, std::uint32_t>(kernels, sums, width).add(words, rows);
}

std::size_t rowsInInt32(unsigned largest, std::size_t columns)
{
    return std::size_t(std::numeric_limits<std::int32_t>::max()) / (std::size_t(largest) * largest * columns);
}

}  // namespace orogen::compute
