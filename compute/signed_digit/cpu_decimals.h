// Exact decimal arithmetic: sums and dot products of any magnitude, with the same digits for any order of terms. Has
// the methods of paper 000 (Otsokov, Magomedov), their baselines, and faster methods based on column sums.
//
//   decimal.h          numbers as text, as doubles, and exactly
//   signed_digits.h    the paper's formats and their addition, column sums that become one number, errata
//   digit_rows.h       many numbers, aligned
//   digit_kernels.h    loops over digits by AVX-512, AVX2 or neither
//   fourier.h          the discrete Fourier transform
//   comparisons.h      checks, and floating point
//   kernels/           kernels for a GPU, which also run on the host
//   module.cpp         the module for the command line and panels
//
// Erratum 8, on the paper's dot product of k pairs of d digits: a column reaches 81 d k. Signed 32 bits hold it only
// while k d <= 26,512,143. Here the columns are added to 64-bit sums before they can overflow. The result has up to
// 2 d + ceil(lg k) digits (lg: decimal logarithm).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string_view>

#include "compute/signed_digit/digit_kernels.h"
#include "compute/signed_digit/digit_rows.h"
#include "compute/signed_digit/signed_digits.h"

namespace orogen {
class ThreadPool;
}

namespace orogen::compute {

class Module;
const Module& signedDigitModule();  // `orogen signed-digit --help` lists its parameters

enum class SumAlgorithm
{
    kDigitLoop,     // one digit after another, one number after another: the paper's baseline
    kFirst,         // the paper's first method: one number after another, all digits of an addition at once
    kSecond,        // the paper's second: each column sum becomes a row of digits, and the first method adds the rows
    kRegrouped,     // like kSecond, but row j has the j-th digit of every column sum (erratum 7)
    kColumns,       // column sums, at first in 8 bits by vector instructions, then carries from column to column
    kBase1e9,       // like kColumns, with columns of nine digits
    kGmp,           // mpz_add
    kPaperThreads,  // kernels only: kSecond divided as in the paper, one thread per column
};
inline constexpr SumAlgorithm kSumAlgorithms[] = {  // on the CPU
    SumAlgorithm::kDigitLoop, SumAlgorithm::kFirst,   SumAlgorithm::kSecond, SumAlgorithm::kRegrouped,
    SumAlgorithm::kColumns,   SumAlgorithm::kBase1e9, SumAlgorithm::kGmp};
std::string_view nameOf(SumAlgorithm algorithm);                  // "digit-loop", "first", ...
std::optional<SumAlgorithm> sumAlgorithm(std::string_view name);  // for any SumAlgorithm; empty for another name

enum class DotAlgorithm
{
    kDigitLoop,     // every product by the schoolbook method, added digit by digit
    kPaper,         // sums of partial products column by column, then the second method
    kProduct,       // anti-diagonal sums of X^T Y, where a row of X or Y is a number in base 100; then carries
    kGmp,           // mpz_addmul
    kPaperThreads,  // kernels only: divided as in the paper, one thread per partial product, then one per column
};
inline constexpr DotAlgorithm kDotAlgorithms[] = {  // on the CPU
    DotAlgorithm::kDigitLoop, DotAlgorithm::kPaper, DotAlgorithm::kProduct, DotAlgorithm::kGmp};
std::string_view nameOf(DotAlgorithm algorithm);  // "digit-loop", "paper", ...
std::optional<DotAlgorithm> dotAlgorithm(std::string_view name);

struct CpuDecimalOptions
{
    int threads = 1;                        // maximum; short sums use fewer
    const DigitKernels* kernels = nullptr;  // null: the fastest available
    DigitSet set = {};
    std::size_t digitsPerThread = std::size_t(1) << 17;  // minimum: waking a thread takes some 10 us
    bool packAhead = true;  // kProduct packs factors in the constructor, unless rows are few and long; false: in run()
};

// Counts of sequential additions. An addition adds all digits of two numbers. A synchronisation, the metric of paper
// 000, is one wait of the digits' processors for each other after an addition of all digits at once. Sections IV and V
// of the paper give k - 1 additions and as many synchronisations for k numbers (kFirst). They give d - 1 of each for
// sums of d columns (kSecond). Erratum 7 gives L - 1 of each, where L is the number of digits of the largest column sum
// (kRegrouped). Numbers that are 0 are excluded, and so are columns that no number reaches. As in the paper, the one
// wait after the column sums is not counted.
struct DigitOperations
{
    std::uint64_t additions = 0;         // 0 for kColumns, kBase1e9, kProduct; kDigitLoop and kGmp of dot products
    std::uint64_t synchronisations = 0;  // 0 also if digits are added in sequence: kDigitLoop, kGmp
};

class DecimalMethod;

// Rows in the form that an algorithm adds, and their sum. The rows must outlive this object.
class CpuDecimals
{
public:
    // After a stop the object may only be destroyed.
    CpuDecimals(SumAlgorithm algorithm, std::span<const DigitRows> rows, const CpuDecimalOptions& options = {},
                const std::stop_token& stop = {});
    CpuDecimals(DotAlgorithm algorithm, std::span<const FactorRows> rows, const CpuDecimalOptions& options = {},
                const std::stop_token& stop = {});
    ~CpuDecimals();

    // Returns the sum or the dot product. May be called repeatedly; undefined after a stop.
    Decimal run(const std::stop_token& stop = {});

    const DigitOperations& operations() const { return operations_; }  // in the last run()

private:
    // Last step, which turns column sums into one number.
    enum class End
    {
        kCarries,       // carries from the lowest column up
        kRowPerColumn,  // numberByColumns()
        kRowPerDigit,   // numberByDigits()
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
    bool atOnce_ = false;  // each addition handles all digits at once, and so counts as a synchronisation
    DigitOperations operations_;
};

}  // namespace orogen::compute
