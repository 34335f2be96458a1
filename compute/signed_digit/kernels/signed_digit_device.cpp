// Kernels leave sums of columns or rows of digits; what is left then is short, and the host turns it into one number.
#include "compute/signed_digit/kernels/signed_digit_device.h"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <utility>

#include "compute/device/kernel_target.h"
#include "compute/signed_digit/kernels/columns.h"
#include "compute/signed_digit/kernels/products.h"
#include "compute/signed_digit/kernels/row_addition.h"

namespace orogen::compute {
namespace {

constexpr std::uint64_t kRowBlocks = 64;  // of a grid along the rows, at most
constexpr std::size_t kSpareDigits = 21;

unsigned dividedUp(std::uint64_t count, std::uint64_t part) { return unsigned((count + part - 1) / part); }

// One sum on a target: memory, launches, and the time of each.
class TargetSum
{
public:
    TargetSum(KernelTarget& target, const DecimalKernelOptions& options, std::int64_t low, std::int64_t high)
        : target_(target), options_(options), total_(low, high)
    {
    }

    Status addSum(SumAlgorithm algorithm, const DigitRows& rows)
    {
        // Super-rows of whole pairs of limbs; the rows that fill up the last are 0.
        const std::size_t together = std::lcm(rows.width, std::size_t(16)) / rows.width;
        const std::size_t superRows = (rows.count + together - 1) / together;
        TargetMemory digits, sums;
        if (Status status =
                upload(digits, rows.digits.data(), rows.count * rows.width, superRows * together * rows.width);
            !status)
            return status;
        if (algorithm == SumAlgorithm::kFirst)
            return addRowsOf(RowSource::kNumbers, digits, rows.width, rows.count, rows.width + kSpareDigits, rows);
        if (Status status = zeros(sums, rows.width * sizeof(std::uint64_t)); !status) return status;
        const std::uint64_t pairs = together * rows.width / 16;
        const Dim3 grid = {dividedUp(pairs, kColumnsThreads), unsigned(std::min<std::uint64_t>(kRowBlocks, superRows))};
        if (Status status = launch(
                sumDigitColumnsKernel(), {grid, {kColumnsThreads}},
                ColumnsArguments{digits.as<std::uint64_t>(), superRows, pairs, rows.width, sums.as<std::uint64_t>()});
            !status)
            return status;
        return algorithm == SumAlgorithm::kColumns
                   ? takeColumns(sums, rows.width, 1, rows)
                   : addRowsOf(algorithm == SumAlgorithm::kSecond ? RowSource::kColumns : RowSource::kDigits, sums,
                               rows.width, 0, rows.width + kSpareDigits, rows);
    }

    Status addDot(DotAlgorithm algorithm, const FactorRows& rows)
    {
        const bool paper = algorithm == DotAlgorithm::kPaper;
        const std::size_t step = paper ? 1 : 2, xWidth = rows.x.width / step, yWidth = rows.y.width / step;
        TargetMemory x, y, sums;
        if (Status status = uploadFactor(x, rows.x, paper); !status) return status;
        if (Status status = uploadFactor(y, rows.y, paper); !status) return status;
        if (Status status = zeros(sums, (xWidth + yWidth) * sizeof(std::uint64_t)); !status) return status;
        const ProductsArguments arguments = {
            x.as<std::uint8_t>(), y.as<std::uint8_t>(), rows.x.count, xWidth, yWidth, sums.as<std::uint64_t>()};
        const auto blocks =
            unsigned(std::min<std::uint64_t>(kRowBlocks, dividedUp(rows.x.count, paper ? 1 : kTileDepth)));
        const Status launched =
            paper ? launch(addPartialProductsKernel(),
                           {{dividedUp(xWidth + yWidth, kPartialThreads), blocks}, {kPartialThreads}}, arguments)
                  : launch(
                        multiplyTilesKernel(),
                        {{dividedUp(xWidth, kTileSide), dividedUp(yWidth, kTileSide), blocks}, {kTileSide * kTileSide}},
                        arguments);
        if (!launched) return launched;
        if (!paper) return takeColumns(sums, xWidth + yWidth, 2, rows.x);
        return addRowsOf(RowSource::kColumns, sums, xWidth + yWidth, 0, xWidth + yWidth + kSpareDigits, rows.x);
    }

    DecimalKernelRun finish()
    {
        run_.number = total_.number();
        const HostLaunch launched = target_.hostLaunches();
        run_.executor = launched.counts;
        run_.barriers = launched.barriers;
        return std::move(run_);
    }

private:
    Status allocate(TargetMemory& memory, std::size_t bytes)
    {
        Result<TargetMemory> made = target_.allocate(bytes);
        if (!made) return made.error();
        memory = std::move(*made);
        return Status::ok();
    }

    Status zeros(TargetMemory& memory, std::size_t bytes)
    {
        if (Status status = allocate(memory, bytes); !status) return status;
        return target_.fill(memory, 0);
    }

    Status upload(TargetMemory& memory, const std::uint8_t* from, std::size_t bytes, std::size_t padded)
    {
        if (Status status = zeros(memory, padded); !status) return status;
        if (Status status = target_.startClock(); !status) return status;
        if (Status status = target_.upload(memory.as<void>(), from, bytes); !status) return status;
        return stopClock(run_.uploadMs);
    }

    Status uploadFactor(TargetMemory& memory, const DigitRows& rows, bool digits)
    {
        const std::size_t size = rows.count * rows.width;
        if (digits) return upload(memory, rows.digits.data(), size, size);
        RowBuffer<std::uint8_t> pairs(size / 2);
        bestDigitKernels().packPairs(pairs.data(), rows.digits.data(), size / 2);
        return upload(memory, pairs.data(), size / 2, size / 2);
    }

    template <class Arguments>
    Status launch(const Kernel<Arguments>& kernel, const LaunchShape& shape, const Arguments& arguments)
    {
        if (Status status = target_.startClock(); !status) return status;
        if (Status status = target_.launch(kernel, shape, arguments); !status) return status;
        return stopClock(run_.kernelMs);
    }

    template <class T>
    Status download(std::vector<T>& to, const TargetMemory& from)
    {
        if (Status status = target_.startClock(); !status) return status;
        if (Status status = target_.download(to.data(), from.as<void>(), to.size() * sizeof(T)); !status) return status;
        return stopClock(run_.downloadMs);
    }

    Status stopClock(double& sum)
    {
        const Result<double> took = target_.stopClock();
        if (!took) return took.error();
        sum += *took;
        return Status::ok();
    }

    Status takeColumns(const TargetMemory& memory, std::size_t width, std::size_t step, const DigitRows& rows)
    {
        std::vector<std::uint64_t> sums(width);
        if (Status status = download(sums, memory); !status) return status;
        total_.add(rows.exponent, std::span<const std::uint64_t>(sums), step, rows.negative);
        return Status::ok();
    }

    // `memory` holds the source's numbers, or its sums of columns; 0 rows: as many as the source has.
    Status addRowsOf(RowSource source, const TargetMemory& memory, std::size_t width, std::size_t rows,
                     std::size_t places, const DigitRows& of)
    {
        if (source == RowSource::kColumns) rows = width;
        if (source == RowSource::kDigits)
        {
            std::vector<std::uint64_t> sums(width);
            if (Status status = download(sums, memory); !status) return status;
            const std::vector<std::int64_t> columns(sums.begin(), sums.end());
            rows = std::size_t(digitsOfLargest(columns));
        }
        TargetMemory digits, transfers;
        if (Status status = zeros(digits, places); !status) return status;
        if (Status status = zeros(transfers, 2 * (places + 1)); !status) return status;
        const RowAdditionArguments arguments = {source,
                                                std::uint32_t(options_.set.threshold()),
                                                memory.as<std::uint8_t>(),
                                                memory.as<std::uint64_t>(),
                                                width,
                                                rows,
                                                places,
                                                digits.as<std::int8_t>(),
                                                transfers.as<std::int8_t>()};
        if (Status status = launch(addRowsKernel(), {{1}, {kRowAdditionThreads}}, arguments); !status) return status;
        std::vector<SignedDigit> number(places);
        if (Status status = download(number, digits); !status) return status;
        run_.additions += rows - 1;
        total_.add(of.exponent, std::span<const SignedDigit>(number), 1, of.negative);
        return Status::ok();
    }

    KernelTarget& target_;
    const DecimalKernelOptions& options_;
    ColumnTotal total_;
    DecimalKernelRun run_;
};

struct Places
{
    std::int64_t low = 0, high = 0;
    bool any = false;

    void take(std::int64_t exponent, std::size_t width)
    {
        const std::int64_t end = exponent + std::int64_t(width + kSpareDigits);
        low = any ? std::min(low, exponent) : exponent;
        high = any ? std::max(high, end) : end;
        any = true;
    }
};

const Error kStopped = {ExitCode::kInterrupted, "signed-digit: cancelled"};

}  // namespace

bool inKernels(SumAlgorithm algorithm)
{
    return algorithm == SumAlgorithm::kFirst || algorithm == SumAlgorithm::kSecond ||
           algorithm == SumAlgorithm::kRegrouped || algorithm == SumAlgorithm::kColumns;
}

bool inKernels(DotAlgorithm algorithm)
{
    return algorithm == DotAlgorithm::kPaper || algorithm == DotAlgorithm::kProduct;
}

Result<DecimalKernelRun> sumOnTarget(KernelTarget& target, SumAlgorithm algorithm, std::span<const DigitRows> rows,
                                     const DecimalKernelOptions& options)
{
    assert(inKernels(algorithm));
    Places places;
    for (const DigitRows& band : rows)
        places.take(band.exponent, band.width);
    TargetSum sum(target, options, places.low, places.high);
    for (const DigitRows& band : rows)
    {
        if (options.stop.stop_requested()) return kStopped;
        if (Status status = sum.addSum(algorithm, band); !status) return status.error();
    }
    return sum.finish();
}

Result<DecimalKernelRun> dotOnTarget(KernelTarget& target, DotAlgorithm algorithm, std::span<const FactorRows> rows,
                                     const DecimalKernelOptions& options)
{
    assert(inKernels(algorithm));
    Places places;
    for (const FactorRows& band : rows)
        places.take(band.x.exponent, band.x.width + band.y.width);
    TargetSum sum(target, options, places.low, places.high);
    for (const FactorRows& band : rows)
    {
        if (options.stop.stop_requested()) return kStopped;
        if (Status status = sum.addDot(algorithm, band); !status) return status.error();
    }
    return sum.finish();
}

}  // namespace orogen::compute
