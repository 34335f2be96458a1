// Threads add slices of the rows to one common total. The total consists of integers, so the order does not matter.
#include "compute/signed_digit/cpu_decimals.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <mutex>

#include "compute/signed_digit/gmp_numbers.h"
#include "core/base/thread_pool.h"

namespace orogen::compute {

// ---- methods ----

// Total that threads add to.
class SharedTotal
{
public:
    SharedTotal(std::int64_t low, std::int64_t high, const std::stop_token& stop) : total_(low, high, stop) {}

    template <class T>
    void add(std::int64_t exponent, std::span<const T> sums, std::size_t step, bool negative)
    {
        const std::lock_guard lock(mutex_);
        total_.add(exponent, sums, step, negative);
    }
    // Counts numbers that were added one after another, to the sum of a slice.
    void countAddends(std::uint64_t addends)
    {
        const std::lock_guard lock(mutex_);
        addends_ += addends;
    }
    const ColumnTotal& total() const { return total_; }
    std::uint64_t addends() const { return addends_; }

private:
    std::mutex mutex_;
    ColumnTotal total_;
    std::uint64_t addends_ = 0;
};

// Method of summation, made once from all rows. Any number of threads can then add slices of the rows. A band is one
// DigitRows or FactorRows of the input (digit_rows.h).
class DecimalMethod
{
public:
    struct Band
    {
        std::size_t rows = 0;
        std::size_t work = 0;            // per row; unit: the work for one digit of a sum
        std::int64_t low = 0, high = 0;  // columns 10^low up to 10^(high - 1)
        std::size_t multiple = 1;        // slices begin at multiples of this
    };

    virtual ~DecimalMethod() = default;
    virtual std::vector<Band> bands() const = 0;
    virtual void addSlice(std::size_t band, std::size_t begin, std::size_t end, SharedTotal& total,
                          const std::stop_token& stop) const = 0;
};

// ---- sums ----

namespace {

constexpr std::size_t kCarryDigits = 21;  // digits of a sum above those of its terms, and a spare one

class SumMethod : public DecimalMethod
{
public:
    explicit SumMethod(std::span<const DigitRows> rows) : rows_(rows) {}

    std::vector<Band> bands() const override
    {
        std::vector<Band> bands;
        for (const DigitRows& rows : rows_)
            bands.push_back({rows.count, std::max<std::size_t>(1, rows.width), rows.exponent,
                             rows.exponent + std::int64_t(rows.width + kCarryDigits)});
        return bands;
    }

protected:
    template <class T>
    void put(SharedTotal& total, std::size_t band, const std::vector<T>& sums, std::size_t step = 1) const
    {
        total.add(rows_[band].exponent, std::span<const T>(sums), step, rows_[band].negative);
    }

    std::span<const DigitRows> rows_;
};

// Schoolbook addition, the baseline of paper 000.
class DigitLoopSum final : public SumMethod
{
public:
    using SumMethod::SumMethod;

    void addSlice(std::size_t band, std::size_t begin, std::size_t end, SharedTotal& total,
                  const std::stop_token&) const override
    {
        const DigitRows& rows = rows_[band];
        std::vector<Digit> sum(rows.width + kCarryDigits);
        for (std::size_t row = begin; row < end; ++row)
            addRow(sum, rows.row(row), rows.width);
        total.countAddends(end - begin);
        put(total, band, sum);
    }

private:
    static void addRow(std::vector<Digit>& sum, const Digit* row, std::size_t width)
    {
        int carry = 0;
        std::size_t i = 0;
        for (; i < width; ++i)
        {
            const int s = sum[i] + row[i] + carry;
            carry = s > 9;
            sum[i] = Digit(s - 10 * carry);
        }
        for (; carry != 0; ++i)
        {
            carry = sum[i] == 9;
            sum[i] = carry ? 0 : Digit(sum[i] + 1);
        }
    }
};

class FirstSum final : public SumMethod
{
public:
    FirstSum(std::span<const DigitRows> rows, DigitSet set) : SumMethod(rows), set_(set) {}

    void addSlice(std::size_t band, std::size_t begin, std::size_t end, SharedTotal& total,
                  const std::stop_token&) const override
    {
        const DigitRows& rows = rows_[band];
        std::vector<SignedDigit> sum(rows.width + kCarryDigits), addend(rows.width + 1);
        for (std::size_t row = begin; row < end; ++row)
        {
            bringIntoSet(addend, rows.row(row));
            const int out = addInto(sum, addend, set_);
            assert(out == 0);
            (void)out;
        }
        total.countAddends(end - begin);
        put(total, band, sum);
    }

private:
    // Converts digits into the digit set like intoSet(), for digits that are not negative.
    void bringIntoSet(std::vector<SignedDigit>& to, const Digit* digits) const
    {
        const std::size_t width = to.size() - 1;
        const int threshold = set_.threshold();
        int below = 0;
        for (std::size_t i = 0; i < width; ++i)
        {
            const int transfer = digits[i] >= threshold;
            to[i] = SignedDigit(digits[i] - 10 * transfer + below);
            below = transfer;
        }
        to[width] = SignedDigit(below);
    }

    const DigitSet set_;
};

class ColumnsSum final : public SumMethod
{
public:
    ColumnsSum(std::span<const DigitRows> rows, const DigitKernels& kernels) : SumMethod(rows), kernels_(kernels) {}

    void addSlice(std::size_t band, std::size_t begin, std::size_t end, SharedTotal& total,
                  const std::stop_token&) const override
    {
        std::vector<std::uint64_t> sums(rows_[band].width);
        sumColumns(kernels_, sums.data(), rows_[band].row(begin), end - begin, rows_[band].width);
        put(total, band, sums);
    }

private:
    const DigitKernels& kernels_;
};

class WordsSum final : public SumMethod
{
public:
    WordsSum(std::span<const DigitRows> rows, const DigitKernels& kernels, const std::stop_token& stop)
        : SumMethod(rows), kernels_(kernels)
    {
        for (const DigitRows& band : rows)
            words_.push_back(packed(band, stop));
    }

    void addSlice(std::size_t band, std::size_t begin, std::size_t end, SharedTotal& total,
                  const std::stop_token&) const override
    {
        const std::size_t width = wordsOf(rows_[band].width);
        std::vector<std::uint64_t> sums(width);
        sumWords(kernels_, sums.data(), words_[band].data() + begin * width, end - begin, width);
        put(total, band, sums, kDigits);
    }

private:
    static constexpr std::size_t kDigits = 9;
    static std::size_t wordsOf(std::size_t digits) { return (digits + kDigits - 1) / kDigits; }

    static RowBuffer<std::uint32_t> packed(const DigitRows& rows, const std::stop_token& stop)
    {
        const std::size_t width = wordsOf(rows.width);
        RowBuffer<std::uint32_t> words(rows.count * width, stop);
        std::uint32_t* to = words.data();
        for (std::size_t row = 0; row < rows.count && !stop.stop_requested(); ++row)
            for (std::size_t i = 0; i < rows.width; i += kDigits)
            {
                std::uint32_t word = 0;
                for (std::size_t j = std::min(rows.width, i + kDigits); j-- > i;)
                    word = 10 * word + rows.row(row)[j];
                *to++ = word;
            }
        return words;
    }

    const DigitKernels& kernels_;
    std::vector<RowBuffer<std::uint32_t>> words_;
};

class GmpSum final : public SumMethod
{
public:
    GmpSum(std::span<const DigitRows> rows, const std::stop_token& stop) : SumMethod(rows)
    {
        for (const DigitRows& band : rows)
            numbers_.emplace_back(band, stop);
    }

    void addSlice(std::size_t band, std::size_t begin, std::size_t end, SharedTotal& total,
                  const std::stop_token& stop) const override
    {
        GmpNumber sum;
        const GmpNumbers& numbers = numbers_[band];
        untilStopped(begin, end, rows_[band].width, stop, [&](std::size_t row) { mpz_add(sum, sum, numbers[row]); });
        total.countAddends(end - begin);
        put(total, band, sum.digits());
    }

private:
    std::vector<GmpNumbers> numbers_;
};

std::unique_ptr<DecimalMethod> makeSumMethod(SumAlgorithm algorithm, std::span<const DigitRows> rows,
                                             const CpuDecimalOptions& options, const std::stop_token& stop)
{
    switch (algorithm)
    {
    case SumAlgorithm::kDigitLoop:
        return std::make_unique<DigitLoopSum>(rows);
    case SumAlgorithm::kFirst:
        return std::make_unique<FirstSum>(rows, options.set);
    case SumAlgorithm::kSecond:
    case SumAlgorithm::kRegrouped:
    case SumAlgorithm::kColumns:
        return std::make_unique<ColumnsSum>(rows, *options.kernels);
    case SumAlgorithm::kBase1e9:
        return std::make_unique<WordsSum>(rows, *options.kernels, stop);
    case SumAlgorithm::kGmp:
        return std::make_unique<GmpSum>(rows, stop);
    case SumAlgorithm::kPaperThreads:
        break;
    }
    assert(false && "no such algorithm");
    return nullptr;
}

// ---- dot products ----
//
// kPaper and kProduct sum products by column first and carry last, so that carries are handled once and not per
// product. kDigitLoop and kGmp, the baselines, add whole products.

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
    static constexpr std::size_t kProductsPerDigit = 8;  // products that take about as long as a digit of a sum

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

// Method that adds each pair's partial products into columns of 32 bits (formula 16 of paper 000). Columns go to the
// total before they can overflow.
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
    // Pairs of digits in groups of rows.
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
    // Returns whether the band has few rows of many columns, for which a matrix product over the rows does not pay off.
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
        assert(rows.width % 2 == 0);  // guaranteed by alignedFactors()
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

    // Packs as many rows at a time as stay in the L2 cache.
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

    // Multiplies long rows in blocks of 64 pairs of digits. Blocks a of x and b of y with the same a + b become rows of
    // one matrix product.
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

    static constexpr unsigned kLargest = 99;  // largest pair of digits
    // packed() packs about kRowsInGroup times as many digits between two checks for a stop.
    static constexpr std::size_t kPackedBetweenLooks = std::size_t(1) << 20;
    static constexpr std::size_t kPackedBytes = std::size_t(1) << 17;  // bytes of a piece of addRows()
    const DigitKernels& kernels_;
    std::vector<PackedFactors> packed_;  // one per band, or empty
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

// ---- slices and their total ----

constexpr std::string_view kSumNames[] = {"digit-loop", "first",   "second", "regrouped",
                                          "columns",    "base1e9", "gmp",    "paper-threads"};
constexpr std::string_view kDotNames[] = {"digit-loop", "paper", "product", "gmp", "paper-threads"};

// Digits that a thread adds between two stop checks: 20 ms with the slowest method. Fast methods add 16 times as many.
constexpr std::size_t kDigitsPerSlice = std::size_t(4) << 20;
// Rows.  The length of a longer slice is a multiple of this, since loops add many rows at once.
constexpr std::size_t kRowMultiple = 256;
static_assert(kRowMultiple % kRowsInGroup == 0);

CpuDecimalOptions complete(CpuDecimalOptions options)
{
    if (!options.kernels) options.kernels = &bestDigitKernels();
    return options;
}

}  // namespace

std::string_view nameOf(SumAlgorithm algorithm) { return kSumNames[int(algorithm)]; }
std::string_view nameOf(DotAlgorithm algorithm) { return kDotNames[int(algorithm)]; }

std::optional<SumAlgorithm> sumAlgorithm(std::string_view name)
{
    const auto found = std::ranges::find(kSumNames, name);
    if (found == std::end(kSumNames)) return std::nullopt;
    return SumAlgorithm(found - kSumNames);
}

std::optional<DotAlgorithm> dotAlgorithm(std::string_view name)
{
    const auto found = std::ranges::find(kDotNames, name);
    if (found == std::end(kDotNames)) return std::nullopt;
    return DotAlgorithm(found - kDotNames);
}

CpuDecimals::CpuDecimals(SumAlgorithm algorithm, std::span<const DigitRows> rows, const CpuDecimalOptions& options,
                         const std::stop_token& stop)
    : options_(complete(options)), end_(algorithm == SumAlgorithm::kSecond      ? End::kRowPerColumn
                                        : algorithm == SumAlgorithm::kRegrouped ? End::kRowPerDigit
                                                                                : End::kCarries),
      method_(makeSumMethod(algorithm, rows, options_, stop)), atOnce_(algorithm == SumAlgorithm::kFirst)
{
    const bool slow = algorithm == SumAlgorithm::kDigitLoop || algorithm == SumAlgorithm::kFirst;
    arrange(slow ? kDigitsPerSlice : 16 * kDigitsPerSlice);
}

CpuDecimals::CpuDecimals(DotAlgorithm algorithm, std::span<const FactorRows> rows, const CpuDecimalOptions& options,
                         const std::stop_token& stop)
    : options_(complete(options)), end_(algorithm == DotAlgorithm::kPaper ? End::kRowPerColumn : End::kCarries),
      method_(makeDotMethod(algorithm, rows, options_, stop))
{
    const bool fast = algorithm == DotAlgorithm::kProduct || algorithm == DotAlgorithm::kGmp;
    arrange(fast ? 16 * kDigitsPerSlice : kDigitsPerSlice);
}

CpuDecimals::~CpuDecimals() = default;

// Makes slices that keep all threads busy and allow quick stops.
void CpuDecimals::arrange(std::size_t digitsPerSlice)
{
    const std::vector<DecimalMethod::Band> bands = method_->bands();
    std::size_t digits = 0;
    for (const DecimalMethod::Band& band : bands)
        digits += band.rows * band.work;
    const std::size_t useful = std::max<std::size_t>(1, digits / options_.digitsPerThread);
    const std::size_t threads = std::min<std::size_t>(std::size_t(options_.threads), useful);
    const std::size_t most = std::min(digitsPerSlice, std::max<std::size_t>(1, (digits + threads - 1) / threads));
    for (std::size_t band = 0; band < bands.size(); ++band)
    {
        std::size_t rows = std::max<std::size_t>(1, (most + bands[band].work - 1) / bands[band].work);
        const std::size_t multiple = rows > kRowMultiple ? kRowMultiple : bands[band].multiple;
        rows = (rows + multiple - 1) / multiple * multiple;
        for (std::size_t begin = 0; begin < bands[band].rows; begin += rows)
            slices_.push_back({band, begin, std::min(bands[band].rows, begin + rows)});
    }
    if (threads > 1 && slices_.size() > 1) pool_ = std::make_unique<ThreadPool>(int(threads));
}

Decimal CpuDecimals::run(const std::stop_token& stop)
{
    std::int64_t low = 0, high = 0;
    const std::vector<DecimalMethod::Band> bands = method_->bands();
    for (std::size_t i = 0; i < bands.size(); ++i)
    {
        low = i == 0 ? bands[i].low : std::min(low, bands[i].low);
        high = i == 0 ? bands[i].high : std::max(high, bands[i].high);
    }
    SharedTotal total(low, high, stop);
    const auto addSlice = [&](std::size_t i) {
        if (!stop.stop_requested()) method_->addSlice(slices_[i].band, slices_[i].begin, slices_[i].end, total, stop);
    };
    if (pool_)
        pool_->forEach(slices_.size(), addSlice);
    else
        for (std::size_t i = 0; i < slices_.size(); ++i)
            addSlice(i);
    const std::uint64_t additions = total.addends() - (total.addends() > 0);
    operations_ = {additions, atOnce_ ? additions : 0};
    return stop.stop_requested() ? Decimal() : finish(total.total(), stop);
}

Decimal CpuDecimals::finish(const ColumnTotal& total, const std::stop_token& stop)
{
    if (end_ == End::kCarries) return total.number(stop);
    ColumnNumber number = end_ == End::kRowPerDigit ? numberByDigits(total.columns(), options_.set)
                                                    : numberByColumns(total.columns(), options_.set, total.reached());
    operations_ = {number.additions, number.additions};
    return decimal({options_.set, std::move(number.digits), total.exponent()});
}

}  // namespace orogen::compute
