// All methods sum products by column first and carry last: carries are then handled once, and not once a product.
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
        std::vector<std::uint32_t> columns;
        for (std::size_t row = begin; row < end && !stop.stop_requested();)
        {
            const std::size_t stopAt = std::min(end, row + most);
            columns.assign(x.width + y.width, 0u);
            for (; row < stopAt; ++row)
                addPartialProducts(columns.data(), {x.row(row), x.width}, {y.row(row), y.width}, stop);
            columns.resize(rows_[band].columns());
            put(total, band, columns);
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
    ProductDot(std::span<const FactorRows> rows, const CpuDecimalOptions& options, const std::stop_token& stop)
        : DotMethod(rows), kernels_(*options.kernels)
    {
        if (!options.packAhead) return;
        for (const FactorRows& band : rows)
            packed_.push_back(isLong(band) ? PackedFactors()
                                           : PackedFactors{packed(band.x, stop), packed(band.y, stop)});
    }

    std::vector<Band> bands() const override
    {
        std::vector<Band> bands = DotMethod::bands();
        for (Band& band : bands)
            band.multiple = kRowsInGroup;
        return bands;
    }

    void addSlice(std::size_t band, std::size_t begin, std::size_t end, SharedTotal& total,
                  const std::stop_token& stop) const override
    {
        const DigitRows &x = rows_[band].x, &y = rows_[band].y;
        std::vector<std::uint64_t> sums((x.width + y.width) / 2 + 2 * kProductBlock);
        if (isLong(rows_[band]))
            for (std::size_t row = begin; row < end; ++row)
                addLongProduct(sums.data(), {x.row(row), x.width}, {y.row(row), y.width}, stop);
        else if (packed_.empty())
            addRows(sums.data(), rowsFrom(x, begin), rowsFrom(y, begin), end - begin, stop);
        else
            addGroups(sums.data(), groupsFrom(packed_[band].x, begin), groupsFrom(packed_[band].y, begin),
                      groupsOf(end - begin), stop);
        sums.resize((x.width + y.width) / 2);
        put(total, band, sums, 2);
    }

private:
    // Pairs of digits, in groups of rows.
    struct Packed
    {
        std::size_t pairs = 0;
        RowBuffer<std::uint8_t> groups;
    };
    struct PackedFactors
    {
        Packed x, y;
    };

    static std::size_t groupsOf(std::size_t rows) { return (rows + kRowsInGroup - 1) / kRowsInGroup; }
    static ByteRows rowsFrom(const DigitRows& rows, std::size_t row) { return {rows.row(row), rows.width, rows.width}; }
    static RowGroups groupsFrom(const Packed& packed, std::size_t row)
    {
        return {packed.groups.data() + row * packed.pairs, kRowsInGroup * packed.pairs, packed.pairs};
    }
    // A product of matrices needs as many rows as columns to be worth while.
    static bool isLong(const FactorRows& band)
    {
        return band.x.count < std::min(band.x.width, band.y.width) / 2 / kProductBlock;
    }

    Packed emptyPacked(std::size_t rows, std::size_t pairs, const std::stop_token& stop) const
    {
        return {pairs, RowBuffer<std::uint8_t>(groupsOf(rows) * kRowsInGroup * pairs + kGroupSlack, stop)};
    }
    Packed packed(const DigitRows& rows, const std::stop_token& stop) const
    {
        assert(rows.width % 2 == 0);  // as alignedFactors() makes them
        Packed packed = emptyPacked(rows.count, rows.width / 2, stop);
        const std::size_t between = (1 + kPackedBetweenLooks / (rows.width + 1)) * kRowsInGroup;
        for (std::size_t row = 0; row < rows.count && !stop.stop_requested(); row += between)
            kernels_.packGroups(packed.groups.data() + row * packed.pairs, rowsFrom(rows, row),
                                std::min(between, rows.count - row));
        return packed;
    }

    void addGroups(std::uint64_t* sums, const RowGroups& x, const RowGroups& y, std::size_t groups,
                   const std::stop_token& stop) const
    {
        for (std::size_t i = 0; i < x.count && !stop.stop_requested(); i += kProductBlock)
            for (std::size_t j = 0; j < y.count; j += kProductBlock)
                kernels_.addProducts(sums + i + j, blockOf(x, i), blockOf(y, j), groups, kLargest);
    }
    static RowGroups blockOf(const RowGroups& groups, std::size_t column)
    {
        return {groups.data + kRowsInGroup * column, groups.stride, std::min(kProductBlock, groups.count - column)};
    }

    // Packs so many rows at a time as stay in the second-level cache.
    void addRows(std::uint64_t* sums, const ByteRows& x, const ByteRows& y, std::size_t rows,
                 const std::stop_token& stop) const
    {
        const std::size_t most = std::max<std::size_t>(1, kPackedBytes / 2 / (x.count + y.count)) * kRowsInGroup;
        const std::size_t piece = std::min(rows, most);
        Packed left = emptyPacked(piece, x.count / 2, stop), right = emptyPacked(piece, y.count / 2, stop);
        for (std::size_t begin = 0; begin < rows && !stop.stop_requested(); begin += piece)
        {
            const std::size_t count = std::min(piece, rows - begin);
            kernels_.packGroups(left.groups.data(), {x.data + begin * x.stride, x.stride, x.count}, count);
            kernels_.packGroups(right.groups.data(), {y.data + begin * y.stride, y.stride, y.count}, count);
            addGroups(sums, groupsFrom(left, 0), groupsFrom(right, 0), groupsOf(count), stop);
        }
    }

    // Long rows: each in blocks a, b of 64 pairs, whose products of one a + b are the rows of a product of matrices.
    void addLongProduct(std::uint64_t* sums, std::span<const Digit> x, std::span<const Digit> y,
                        const std::stop_token& stop) const
    {
        constexpr std::size_t kBlock = 2 * kProductBlock;
        const std::size_t xBlocks = (x.size() + kBlock - 1) / kBlock, yBlocks = (y.size() + kBlock - 1) / kBlock;
        RowBuffer<Digit> forward(xBlocks * kBlock), backward(yBlocks * kBlock);
        std::ranges::copy(x, forward.data());
        for (std::size_t i = 0; i < y.size(); ++i)
            backward.data()[(yBlocks - 1 - i / kBlock) * kBlock + i % kBlock] = y[i];
        for (std::size_t sum = 0; sum + 1 < xBlocks + yBlocks && !stop.stop_requested(); ++sum)
        {
            const std::size_t first = sum < yBlocks ? 0 : sum - yBlocks + 1, last = std::min(sum, xBlocks - 1);
            const Digit* const from = backward.data() + (yBlocks - 1 - (sum - first)) * kBlock;
            addRows(sums + sum * kProductBlock, {forward.data() + first * kBlock, kBlock, kBlock},
                    {from, kBlock, kBlock}, last - first + 1, stop);
        }
    }

    static constexpr unsigned kLargest = 99;
    static constexpr std::size_t kPackedBetweenLooks = std::size_t(1) << 20;  // digits, of a row in four
    static constexpr std::size_t kPackedBytes = std::size_t(1) << 17;         // of a piece of both factors
    const DigitKernels& kernels_;
    std::vector<PackedFactors> packed_;  // as many as there are bands, or none
};

class GmpDot final : public DotMethod
{
public:
    GmpDot(std::span<const FactorRows> rows, const std::stop_token& stop) : DotMethod(rows)
    {
        for (const FactorRows& band : rows)
            numbers_.emplace_back(GmpNumbers(band.x, stop), GmpNumbers(band.y, stop));
    }

    void addSlice(std::size_t band, std::size_t begin, std::size_t end, SharedTotal& total,
                  const std::stop_token& stop) const override
    {
        GmpNumber sum;
        const auto& [x, y] = numbers_[band];
        untilStopped(begin, end, rows_[band].x.width + rows_[band].y.width, stop,
                     [&, &x = x, &y = y](std::size_t row) { mpz_addmul(sum, x[row], y[row]); });
        put(total, band, sum.digits());
    }

private:
    std::vector<std::pair<GmpNumbers, GmpNumbers>> numbers_;
};

}  // namespace

std::unique_ptr<DecimalMethod> makeDotMethod(DotAlgorithm algorithm, std::span<const FactorRows> rows,
                                             const CpuDecimalOptions& options, const std::stop_token& stop)
{
    switch (algorithm)
    {
    case DotAlgorithm::kDigitLoop:
        return std::make_unique<DigitLoopDot>(rows);
    case DotAlgorithm::kPaper:
        return std::make_unique<PaperDot>(rows);
    case DotAlgorithm::kProduct:
        return std::make_unique<ProductDot>(rows, options, stop);
    case DotAlgorithm::kGmp:
        return std::make_unique<GmpDot>(rows, stop);
    case DotAlgorithm::kPaperThreads:
        break;
    }
    assert(false && "no such algorithm");
    return nullptr;
}

}  // namespace orogen::compute
