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

// How much of a run is one addition after another.  An addition is of two numbers, all digits of both.  A
// synchronisation, the metric of paper 000, is one wait of the digits' processors for each other behind an addition
// that is made of all digits at once.  By its sections IV and V there are k - 1 of both for k numbers (first), d - 1
// for sums of d columns (second), L - 1 for their L digits (regrouped, erratum 7).  Numbers that are 0 are left out,
// and so are columns that no number reaches.  The one wait behind the sums of columns is not counted, as in the paper.
struct DigitOperations
{
    std::uint64_t additions = 0;         // 0 also where there are none of two numbers: `columns`, `base1e9`, `product`
    std::uint64_t synchronisations = 0;  // 0 also where digits follow one another: `digit-loop`, `gmp`
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

    const DigitOperations& operations() const { return operations_; }  // of the last run

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
    bool atOnce_ = false;  // all digits of an addition
    DigitOperations operations_;
};

}  // namespace orogen::compute
