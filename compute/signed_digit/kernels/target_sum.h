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
    Result<DecimalKernelRun> finish();

private:
    Status uploadPacked(TargetMemory& memory, const DigitRows& rows);

    // ---- columns ----
    Status sumColumns(TargetMemory& sums, const TargetMemory& digits, const DigitRows& rows);
    Status sumColumnsByThreads(TargetMemory& sums, const TargetMemory& digits, const DigitRows& rows);
    Status sumPartialProducts(TargetMemory& sums, const FactorRows& rows);
    Status sumPaperColumns(TargetMemory& sums, const FactorRows& rows);
    Status multiply(TargetMemory& sums, const FactorRows& rows);

    // ---- what becomes of them ----
    Status takeColumns(const TargetMemory& memory, std::size_t width, std::size_t step, const DigitRows& rows);
    // `memory` holds the source's numbers, or its sums of columns; 0 rows: as many as the source has.
    Status addRowsOf(RowSource source, const TargetMemory& memory, std::size_t width, std::size_t rows,
                     const DigitRows& of);
    Result<std::size_t> digitsOfColumns(const TargetMemory& memory, std::size_t width);

    const DigitSet set_;
    ColumnTotal total_;
    DecimalKernelRun run_;
};

}  // namespace orogen::compute
