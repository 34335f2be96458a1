// One sum or dot product on a target.
#pragma once

#include "compute/signed_digit/kernels/row_addition.h"
#include "compute/signed_digit/kernels/signed_digit_device.h"
#include "compute/signed_digit/kernels/target_work.h"

namespace orogen::compute {

constexpr std::size_t kSpareDigits = 21;  // of a sum beyond its columns

class TargetSum : private TargetWork
{
public:
    // Columns for 10^low up to 10^(high - 1).
    TargetSum(KernelTarget& target, const DecimalKernelOptions& options, std::int64_t low, std::int64_t high)
        : TargetWork(target, options.stop, options.mostSteps), set_(options.set), total_(low, high, options.stop)
    {
    }

    Status addSum(SumAlgorithm algorithm, const DigitRows& rows);
    Status addDot(DotAlgorithm algorithm, const FactorRows& rows);
    // Behind all bands, by the second method: makes a row of each column of the total (kColumns), or of each digit that
    // the columns have (kDigits), and adds the rows on the target.
    Status addColumns(RowSource source);
    Result<DecimalKernelRun> finish();

private:
    // `count` rows that are made of `from`, numbers or sums of columns of the target.
    struct Rows
    {
        RowSource source;
        const void* from;
        std::size_t width, count;
    };

    Status uploadPacked(TargetMemory& memory, const DigitRows& rows);

    // ---- columns ----
    Status sumColumns(TargetMemory& sums, const TargetMemory& digits, const DigitRows& rows);
    Status sumColumnsByThreads(TargetMemory& sums, const TargetMemory& digits, const DigitRows& rows);
    Status sumPartialProducts(TargetMemory& sums, const FactorRows& rows);
    Status sumPaperColumns(TargetMemory& sums, const FactorRows& rows);
    Status multiply(TargetMemory& sums, const FactorRows& rows);

    // ---- what becomes of them ----
    Status takeColumns(const TargetMemory& memory, std::size_t width, std::size_t step, const DigitRows& rows);
    Status addRows(ColumnTotal& total, const Rows& rows, std::int64_t exponent, bool negative);

    const DigitSet set_;
    ColumnTotal total_;
    std::uint64_t addends_ = 0;  // rows that were added one after another; the host adds those of further bands
    DecimalKernelRun run_;
};

}  // namespace orogen::compute
