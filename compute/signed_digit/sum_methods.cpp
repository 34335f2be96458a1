#include <algorithm>
#include <cassert>

#include "compute/signed_digit/decimal_method.h"
#include "compute/signed_digit/gmp_numbers.h"

namespace orogen::compute {
namespace {

constexpr std::size_t kCarryDigits = 21;  // of a sum beyond those of its summands, one to spare

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

// The rules of arithmetic as one learns them at school; what the paper's processor does.
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
    // As intoSet, of digits that are not negative.
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

}  // namespace

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

}  // namespace orogen::compute
