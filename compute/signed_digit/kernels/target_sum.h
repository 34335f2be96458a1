// One sum or dot product on a target: memory, launches, and the time of each.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "compute/device/kernel_target.h"
#include "compute/device/launch_slices.h"
#include "compute/signed_digit/kernels/decimal_shapes.h"
#include "compute/signed_digit/kernels/row_addition.h"
#include "compute/signed_digit/kernels/signed_digit_device.h"

namespace orogen::compute {

constexpr std::size_t kSpareDigits = 21;  // of a sum beyond its columns

class TargetSum
{
public:
    // Columns for 10^low up to 10^(high - 1).
    TargetSum(KernelTarget& target, const DecimalKernelOptions& options, std::int64_t low, std::int64_t high)
        : target_(target), options_(options), total_(low, high)
    {
    }

    Status addSum(SumAlgorithm algorithm, const DigitRows& rows);
    Status addDot(DotAlgorithm algorithm, const FactorRows& rows);
    Result<DecimalKernelRun> finish();

private:
    // ---- memory ----
    Status allocate(TargetMemory& memory, std::size_t bytes);
    Status zeros(TargetMemory& memory, std::size_t bytes);
    // In pieces, with a look at the stop between them.
    Status upload(TargetMemory& memory, const std::uint8_t* from, std::size_t bytes);
    Status uploadPacked(TargetMemory& memory, const DigitRows& rows);
    template <class T>
    Status download(std::vector<T>& to, const TargetMemory& from)
    {
        return timed(run_.downloadMs,
                     [&] { return target_.download(to.data(), from.as<void>(), to.size() * sizeof(T)); });
    }

    // ---- launches ----
    template <class Work>
    Status timed(double& ms, const Work& work)
    {
        if (Status status = target_.startClock(); !status) return status;
        if (Status status = work(); !status) return status;
        const Result<double> took = target_.stopClock();
        if (!took) return took.error();
        ms += *took;
        return Status::ok();
    }
    Status launchSteps(const SteppedShape& steps, const LaunchSteps& launch);
    template <class Arguments>
    Status launch(const Kernel<Arguments>& kernel, const LaunchShape& shape, const Arguments& arguments)
    {
        return target_.launch(kernel, shape, arguments);
    }

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

    bool stopped() const { return options_.stop.stop_requested(); }

    KernelTarget& target_;
    const DecimalKernelOptions& options_;
    ColumnTotal total_;
    DecimalKernelRun run_;
};

}  // namespace orogen::compute
