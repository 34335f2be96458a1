#include <algorithm>
#include <cassert>

#include "compute/signed_digit/decimal_method.h"
#include "compute/signed_digit/gmp_numbers.h"

namespace orogen::compute {
namespace {

constexpr std::size_t kCarryDigits = 21;  // of a sum of products beyond theirs, one to spare

class DotMethod : public DecimalMethod
{
public:
    explicit DotMethod(std::span<const FactorRows> rows) : rows_(rows) {}

    std::vector<Band> bands() const override
    {
        std::vector<Band> bands;
        for (const FactorRows& rows : rows_)
            bands.push_back({rows.x.count, std::max<std::size_t>(1, rows.x.width * rows.y.width / kProductsPerDigit),
                             rows.x.exponent,
                             rows.x.exponent + std::int64_t(rows.x.width + rows.y.width + kCarryDigits)});
        return bands;
    }

protected:
    static constexpr std::size_t kProductsPerDigit = 8;  // that take about as long as a digit of a sum

    template <class T>
    void put(SharedTotal& total, std::size_t band, const std::vector<T>& sums, std::size_t step = 1) const
    {
        total.add(rows_[band].x.exponent, std::span<const T>(sums), step, rows_[band].x.negative);
    }

    std::span<const FactorRows> rows_;
};

class DigitLoopDot final : public DotMethod
{
public:
    using DotMethod::DotMethod;

    void addSlice(std::size_t band, std::size_t begin, std::size_t end, SharedTotal& total,
                  const std::stop_token& stop) const override
    {
        const DigitRows &x = rows_[band].x, &y = rows_[band].y;
        const std::size_t width = x.width + y.width;
        std::vector<Digit> sum(width + kCarryDigits), product(width);
        for (std::size_t row = begin; row < end && !stop.stop_requested(); ++row)
        {
            multiply(product, {x.row(row), x.width}, {y.row(row), y.width}, stop);
            addProduct(sum, product);
        }
        put(total, band, sum);
    }

private:
    static void multiply(std::vector<Digit>& product, std::span<const Digit> x, std::span<const Digit> y,
                         const std::stop_token& stop)
    {
        std::ranges::fill(product, Digit(0));
        for (std::size_t i = 0; i < x.size(); ++i)
        {
            if (i % 64 == 63 && stop.stop_requested()) return;
            int carry = 0;
            for (std::size_t j = 0; j < y.size(); ++j)
            {
                const int s = product[i + j] + x[i] * y[j] + carry;
                carry = s / 10;
                product[i + j] = Digit(s - 10 * carry);
            }
            product[i + y.size()] = Digit(carry);
        }
    }

    static void addProduct(std::vector<Digit>& sum, const std::vector<Digit>& product)
    {
        int carry = 0;
        std::size_t i = 0;
        for (; i < product.size() || carry != 0; ++i)
        {
            const int s = sum[i] + (i < product.size() ? product[i] : 0) + carry;
            carry = s > 9;
            sum[i] = Digit(s - 10 * carry);
        }
    }
};

// Each pair's partial products are added into columns (the paper's formula 16), which 32 bits hold for a while.
class PaperDot final : public DotMethod
{
public:
    using DotMethod::DotMethod;

    void addSlice(std::size_t band, std::size_t begin, std::size_t end, SharedTotal& total,
                  const std::stop_token& stop) const override
    {
        const DigitRows &x = rows_[band].x, &y = rows_[band].y;
        const std::size_t most = std::max<std::size_t>(1, rowsInInt32(9, std::min(x.width, y.width)));
        std::vector<std::uint32_t> columns(x.width + y.width);
        for (std::size_t row = begin; row < end && !stop.stop_requested();)
        {
            const std::size_t stopAt = std::min(end, row + most);
            for (; row < stopAt; ++row)
                addPartialProducts(columns.data(), {x.row(row), x.width}, {y.row(row), y.width}, stop);
            put(total, band, columns);
            std::ranges::fill(columns, 0u);
        }
    }

private:
    static void addPartialProducts(std::uint32_t* columns, std::span<const Digit> x, std::span<const Digit> y,
                                   const std::stop_token& stop)
    {
        for (std::size_t i = 0; i < x.size(); ++i)
        {
            if (i % 64 == 63 && stop.stop_requested()) return;
            for (std::size_t j = 0; j < y.size(); ++j)
                columns[i + j] += std::uint32_t(x[i] * y[j]);
        }
    }
};

class ProductDot final : public DotMethod
{
public:
    ProductDot(std::span<const FactorRows> rows, const DigitKernels& kernels) : DotMethod(rows), kernels_(kernels)
    {
        for (const FactorRows& band : rows)
            packed_.push_back({packed(band.x), packed(band.y)});
    }

    void addSlice(std::size_t band, std::size_t begin, std::size_t end, SharedTotal& total,
                  const std::stop_token& stop) const override
    {
        const Packed &x = packed_[band].x, &y = packed_[band].y;
        std::vector<std::uint64_t> sums(x.width + y.width + 2 * kProductBlock);
        if (end - begin >= std::min(x.width, y.width) / kProductBlock)
            addBlocks(sums.data(), x, y, begin, end, stop);
        else
            for (std::size_t row = begin; row < end; ++row)
                addLongProduct(sums.data(), x.row(row), y.row(row), stop);
        sums.resize(x.width + y.width);
        put(total, band, sums, 2);
    }

private:
    // Pairs of digits.
    struct Packed
    {
        std::size_t width = 0;
        RowBuffer<std::uint8_t> pairs;

        std::span<const std::uint8_t> row(std::size_t i) const { return {pairs.data() + i * width, width}; }
    };
    struct PackedFactors
    {
        Packed x, y;
    };

    Packed packed(const DigitRows& rows) const
    {
        assert(rows.width % 2 == 0);  // as alignedFactors() makes them
        Packed packed{rows.width / 2, RowBuffer<std::uint8_t>(rows.count * rows.width / 2)};
        kernels_.packPairs(packed.pairs.data(), rows.digits.data(), packed.pairs.size());
        return packed;
    }

    // Many rows: the columns of X and Y in blocks.
    void addBlocks(std::uint64_t* sums, const Packed& x, const Packed& y, std::size_t begin, std::size_t end,
                   const std::stop_token& stop) const
    {
        for (std::size_t i = 0; i < x.width && !stop.stop_requested(); i += kProductBlock)
            for (std::size_t j = 0; j < y.width; j += kProductBlock)
                kernels_.addProducts(sums + i + j, blockOf(x, begin, i), blockOf(y, begin, j), end - begin, kLargest);
    }
    static ByteRows blockOf(const Packed& rows, std::size_t row, std::size_t column)
    {
        return {rows.row(row).data() + column, rows.width, std::min(kProductBlock, rows.width - column)};
    }

    // Long rows: each in blocks a, b of 64 digits, whose products of one a + b are the rows of a product of matrices.
    void addLongProduct(std::uint64_t* sums, std::span<const std::uint8_t> x, std::span<const std::uint8_t> y,
                        const std::stop_token& stop) const
    {
        const std::size_t xBlocks = blocksIn(x), yBlocks = blocksIn(y);
        RowBuffer<std::uint8_t> forward(xBlocks * kProductBlock), backward(yBlocks * kProductBlock);
        std::ranges::copy(x, forward.data());
        for (std::size_t i = 0; i < y.size(); ++i)
            backward.data()[(yBlocks - 1 - i / kProductBlock) * kProductBlock + i % kProductBlock] = y[i];
        for (std::size_t sum = 0; sum + 1 < xBlocks + yBlocks && !stop.stop_requested(); ++sum)
        {
            const std::size_t first = sum < yBlocks ? 0 : sum - yBlocks + 1, last = std::min(sum, xBlocks - 1);
            const std::uint8_t* const from = backward.data() + (yBlocks - 1 - (sum - first)) * kProductBlock;
            kernels_.addProducts(sums + sum * kProductBlock,
                                 {forward.data() + first * kProductBlock, kProductBlock, kProductBlock},
                                 {from, kProductBlock, kProductBlock}, last - first + 1, kLargest);
        }
    }
    static std::size_t blocksIn(std::span<const std::uint8_t> row)
    {
        return (row.size() + kProductBlock - 1) / kProductBlock;
    }

    static constexpr unsigned kLargest = 99;
    const DigitKernels& kernels_;
    std::vector<PackedFactors> packed_;
};

class GmpDot final : public DotMethod
{
public:
    explicit GmpDot(std::span<const FactorRows> rows) : DotMethod(rows)
    {
        for (const FactorRows& band : rows)
            numbers_.emplace_back(gmpNumbers(band.x), gmpNumbers(band.y));
    }

    void addSlice(std::size_t band, std::size_t begin, std::size_t end, SharedTotal& total,
                  const std::stop_token& stop) const override
    {
        GmpNumber sum;
        for (std::size_t row = begin; row < end && !stop.stop_requested(); ++row)
            mpz_addmul(sum, numbers_[band].first[row], numbers_[band].second[row]);
        put(total, band, sum.digits());
    }

private:
    std::vector<std::pair<std::vector<GmpNumber>, std::vector<GmpNumber>>> numbers_;
};

}  // namespace

std::unique_ptr<DecimalMethod> makeDotMethod(DotAlgorithm algorithm, std::span<const FactorRows> rows,
                                             const CpuDecimalOptions& options)
{
    switch (algorithm)
    {
    case DotAlgorithm::kDigitLoop:
        return std::make_unique<DigitLoopDot>(rows);
    case DotAlgorithm::kPaper:
        return std::make_unique<PaperDot>(rows);
    case DotAlgorithm::kProduct:
        return std::make_unique<ProductDot>(rows, *options.kernels);
    case DotAlgorithm::kGmp:
        return std::make_unique<GmpDot>(rows);
    }
    assert(false && "no such algorithm");
    return nullptr;
}

}  // namespace orogen::compute
