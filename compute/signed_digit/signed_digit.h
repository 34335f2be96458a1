// Exact decimal arithmetic: sums and dot products of any magnitude, the same digits in any order.  The methods of paper
// 000 (Otsokov, Magomedov) and what it compares itself with, and faster ones from its columns.
//
//   decimal.h          numbers as text, as doubles, and exactly
//   signed_digits.h    the paper's format and its addition, with what is to be mended in it
//   digit_rows.h       many numbers, aligned
//   digit_kernels.h    loops over digits by AVX-512, AVX2 or neither
//   column_total.h     columns become one number
//   kernels/           the same on a GPU, and the GPU's source on the host
//   module.h           all of it as something that a command or a panel runs
//
// Of the paper's dot product, erratum 8: a column reaches 81 d k, so 32 bits with a sign hold it only while k d <=
// 26,512,143; here columns are emptied into 64 bits before.  The result has up to 2 d + ceil(lg k) digits.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string_view>

#include "compute/signed_digit/column_total.h"
#include "compute/signed_digit/digit_kernels.h"
#include "compute/signed_digit/digit_rows.h"
#include "compute/signed_digit/signed_digits.h"

namespace orogen {
class ThreadPool;
}

namespace orogen::compute {

enum class SumAlgorithm
{
    kDigitLoop,     // digit after digit, number after number: the paper's processor
    kFirst,         // its first method: one number after another, all digits of an addition at once
    kSecond,        // its second: sums of columns, each then a row of digits, and the first method over these
    kRegrouped,     // the same with a row for each digit that a column's sum has
    kColumns,       // sums of columns, 64 at a time in bytes, and carries
    kBase1e9,       // the same with columns of nine digits
    kGmp,           // mpz_add
    kPaperThreads,  // kernels alone: the second method as the paper divides its work, a thread a column
};
inline constexpr SumAlgorithm kSumAlgorithms[] = {  // of the processor
    SumAlgorithm::kDigitLoop, SumAlgorithm::kFirst,   SumAlgorithm::kSecond, SumAlgorithm::kRegrouped,
    SumAlgorithm::kColumns,   SumAlgorithm::kBase1e9, SumAlgorithm::kGmp};
std::string_view nameOf(SumAlgorithm algorithm);                  // "digit-loop", "first", ...
std::optional<SumAlgorithm> sumAlgorithm(std::string_view name);  // any

enum class DotAlgorithm
{
    kDigitLoop,     // every product by the schoolbook method, added digit by digit
    kPaper,         // partial products, a column of them at a time, and the second method
    kProduct,       // X^T Y as a product of small integers in base 100, its anti-diagonals, and carries
    kGmp,           // mpz_addmul
    kPaperThreads,  // kernels alone: as the paper divides its work, a thread a partial product, then a thread a column
};
inline constexpr DotAlgorithm kDotAlgorithms[] = {  // of the processor
    DotAlgorithm::kDigitLoop, DotAlgorithm::kPaper, DotAlgorithm::kProduct, DotAlgorithm::kGmp};
std::string_view nameOf(DotAlgorithm algorithm);  // "digit-loop", "paper", "product", "gmp"
std::optional<DotAlgorithm> dotAlgorithm(std::string_view name);

struct CpuDecimalOptions
{
    int threads = 1;                        // at most; short sums take fewer
    const DigitKernels* kernels = nullptr;  // null: the fastest here
    DigitSet set = {};
    std::size_t digitsPerThread = std::size_t(1) << 17;  // at least: waking a thread takes some 10 us
    bool packAhead = true;  // `product` keeps the factors as it multiplies them; else it packs them each time
};

class DecimalMethod;

// Rows, brought into the form that an algorithm adds, and added.  The rows must outlive it.
class CpuDecimals
{
public:
    // After a stop it is good for nothing but its end.
    CpuDecimals(SumAlgorithm algorithm, std::span<const DigitRows> rows, const CpuDecimalOptions& options = {},
                const std::stop_token& stop = {});
    CpuDecimals(DotAlgorithm algorithm, std::span<const FactorRows> rows, const CpuDecimalOptions& options = {},
                const std::stop_token& stop = {});
    ~CpuDecimals();

    // The sum, or the dot product.  Any number of times; after a stop, anything.
    Decimal run(const std::stop_token& stop = {});

    // Of the last run: additions one after the other, each over all digits, by `first`, `second`, `regrouped`, `paper`;
    // else 0.
    std::uint64_t additions() const { return additions_; }

private:
    enum class End
    {
        kCarries,
        kRowPerColumn,
        kRowPerDigit,
    };
    struct Slice
    {
        std::size_t band, begin, end;
    };

    void arrange(std::size_t digitsPerSlice);
    Decimal finish(const ColumnTotal& total, const std::stop_token& stop);

    CpuDecimalOptions options_;
    End end_ = End::kCarries;
    std::unique_ptr<DecimalMethod> method_;
    std::unique_ptr<ThreadPool> pool_;
    std::vector<Slice> slices_;
    std::uint64_t additions_ = 0;
};

// How a method's columns become a number, for whoever has them: `additions` as above.
Decimal numberBySecondMethod(const ColumnTotal& total, DigitSet set, bool regrouped, std::uint64_t& additions);

}  // namespace orogen::compute
