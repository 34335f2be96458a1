// Kernels leave sums of columns or rows of digits; what is left then is short, and the host turns it into one number.
#include "compute/signed_digit/kernels/target_sum.h"

#include <algorithm>

#include "compute/signed_digit/kernels/columns.h"
#include "compute/signed_digit/kernels/packed_factors.h"
#include "compute/signed_digit/kernels/paper_threads.h"
#include "compute/signed_digit/kernels/products.h"

namespace orogen::compute {
// ---- columns ----

Status TargetSum::sumColumns(TargetMemory& sums, const TargetMemory& digits, const DigitRows& rows)
{
    const Result<unsigned> resident = target_.residentBlocks(sumDigitColumnsKernel(), kColumnsThreads);
    if (!resident) return resident.error();
    const ColumnsShape shape = shapeOfColumns(rows.count, rows.width, *resident);
    return launchSteps(shape, [&](std::uint64_t first, std::uint64_t count) {
        return launch(sumDigitColumnsKernel(), shape.shape,
                      ColumnsArguments{digits.as<std::uint64_t>(), shape.vectors, shape.stride, first, count,
                                       rows.width, sums.as<std::uint64_t>()});
    });
}

Status TargetSum::sumColumnsByThreads(TargetMemory& sums, const TargetMemory& digits, const DigitRows& rows)
{
    const SteppedShape shape = shapeOfThreadColumns(rows.count, rows.width);
    return launchSteps(shape, [&](std::uint64_t first, std::uint64_t count) {
        return launch(sumColumnsByThreadsKernel(), shape.shape,
                      ThreadColumnsArguments{digits.as<std::uint8_t>() + first * rows.width, count, rows.width,
                                             sums.as<std::uint64_t>()});
    });
}

Status TargetSum::addSum(SumAlgorithm algorithm, const DigitRows& rows)
{
    static_assert(kRowSlack >= kColumnsOfVector);  // whole vectors; zeros lie behind the last row
    const std::size_t bytes = rows.count * rows.width;
    TargetMemory digits, sums;
    if (Status status =
            upload(digits, rows.digits.data(), (bytes + kColumnsOfVector - 1) / kColumnsOfVector * kColumnsOfVector);
        !status)
        return status;
    if (algorithm == SumAlgorithm::kFirst) return addRowsOf(RowSource::kNumbers, digits, rows.width, rows.count, rows);
    if (Status status = zeros(sums, rows.width * sizeof(std::uint64_t)); !status) return status;
    const Status summed = algorithm == SumAlgorithm::kPaperThreads ? sumColumnsByThreads(sums, digits, rows)
                                                                   : sumColumns(sums, digits, rows);
    if (!summed) return summed;
    if (algorithm == SumAlgorithm::kColumns) return takeColumns(sums, rows.width, 1, rows);
    if (algorithm != SumAlgorithm::kRegrouped)
        return addRowsOf(RowSource::kColumns, sums, rows.width, rows.width, rows);
    const Result<std::size_t> length = digitsOfColumns(sums, rows.width);
    if (!length) return length.error();
    return addRowsOf(RowSource::kDigits, sums, rows.width, *length, rows);
}

// ---- columns of products ----

Status TargetSum::sumPartialProducts(TargetMemory& sums, const FactorRows& rows)
{
    const std::size_t xWidth = rows.x.width, yWidth = rows.y.width, width = xWidth + yWidth;
    const PartialProductsShape shape = shapeOfPartialProducts(rows.x.count, xWidth, yWidth);
    TargetMemory x, y, products;
    if (Status status = upload(x, rows.x.digits.data(), rows.x.count * xWidth); !status) return status;
    if (Status status = upload(y, rows.y.digits.data(), rows.y.count * yWidth); !status) return status;
    if (Status status = allocate(products, shape.most * width); !status) return status;
    return launchSteps(shape, [&](std::uint64_t first, std::uint64_t count) {
        const PartialProductsArguments form = {
            x.as<std::uint8_t>(), y.as<std::uint8_t>(), first, count, xWidth, yWidth, products.as<std::uint8_t>()};
        if (Status status = launch(formPartialProductsKernel(), shapeOfPartialProductsLaunch(count), form); !status)
            return status;
        return launch(sumColumnsByThreadsKernel(), shape.columns,
                      ThreadColumnsArguments{products.as<std::uint8_t>(), count, width, sums.as<std::uint64_t>()});
    });
}

Status TargetSum::sumPaperColumns(TargetMemory& sums, const FactorRows& rows)
{
    const std::size_t xWidth = rows.x.width, yWidth = rows.y.width;
    const Result<unsigned> resident = target_.residentBlocks(addPartialProductsKernel(), kPartialThreads);
    if (!resident) return resident.error();
    const SteppedShape shape = shapeOfPartialColumns(rows.x.count, xWidth + yWidth, *resident);
    TargetMemory x, y;
    if (Status status = upload(x, rows.x.digits.data(), rows.x.count * xWidth); !status) return status;
    if (Status status = upload(y, rows.y.digits.data(), rows.y.count * yWidth); !status) return status;
    return launchSteps(shape, [&](std::uint64_t first, std::uint64_t count) {
        return launch(addPartialProductsKernel(), shape.shape,
                      PartialColumnsArguments{x.as<std::uint8_t>(), y.as<std::uint8_t>(), first, count, xWidth, yWidth,
                                              sums.as<std::uint64_t>()});
    });
}

Status TargetSum::uploadPacked(TargetMemory& memory, const DigitRows& rows)
{
    const Clock::time_point start = Clock::now();
    const PackedFactor packed = packedFactor(rows, stop_);
    times_.packMs += millisecondsSince(start);
    if (stopped()) return cancelled();
    return upload(memory, packed.bytes.data(), packed.size());
}

Status TargetSum::multiply(TargetMemory& sums, const FactorRows& rows)
{
    const std::uint64_t groups = groupsOfRows(rows.x.count);
    const std::size_t xWidth = rows.x.width / 2, yWidth = rows.y.width / 2;
    const Result<unsigned> resident = target_.residentBlocks(multiplyTilesKernel(), productThreads(groups));
    if (!resident) return resident.error();
    const ProductsShape shape = shapeOfProducts(groups, xWidth, yWidth, 1, *resident);
    TargetMemory x, y;
    if (Status status = uploadPacked(x, rows.x); !status) return status;
    if (Status status = uploadPacked(y, rows.y); !status) return status;
    return launchSteps(shape, [&](std::uint64_t first, std::uint64_t count) {
        return launch(multiplyTilesKernel(), shape.shape,
                      ProductsArguments{x.as<std::uint32_t>(), y.as<std::uint32_t>(), groups, xWidth, yWidth,
                                        shape.xTiles, shape.yTiles, shape.stretches, first, count, 0, 0,
                                        sums.as<std::uint64_t>()});
    });
}

Status TargetSum::addDot(DotAlgorithm algorithm, const FactorRows& rows)
{
    const std::size_t width = rows.x.width + rows.y.width;
    TargetMemory sums;
    if (algorithm == DotAlgorithm::kProduct)
    {
        if (Status status = zeros(sums, width / 2 * sizeof(std::uint64_t)); !status) return status;
        if (Status status = multiply(sums, rows); !status) return status;
        return takeColumns(sums, width / 2, 2, rows.x);
    }
    if (Status status = zeros(sums, width * sizeof(std::uint64_t)); !status) return status;
    const Status summed =
        algorithm == DotAlgorithm::kPaperThreads ? sumPartialProducts(sums, rows) : sumPaperColumns(sums, rows);
    if (!summed) return summed;
    return addRowsOf(RowSource::kColumns, sums, width, width, rows.x);
}

// ---- what becomes of them ----

Status TargetSum::takeColumns(const TargetMemory& memory, std::size_t width, std::size_t step, const DigitRows& rows)
{
    std::vector<std::uint64_t> sums(width);
    if (Status status = download(sums, memory); !status) return status;
    total_.add(rows.exponent, std::span<const std::uint64_t>(sums), step, rows.negative);
    return Status::ok();
}

Result<std::size_t> TargetSum::digitsOfColumns(const TargetMemory& memory, std::size_t width)
{
    std::vector<std::uint64_t> sums(width);
    if (Status status = download(sums, memory); !status) return status.error();
    const std::int64_t largest[] = {std::int64_t(*std::ranges::max_element(sums))};
    return std::size_t(digitsOfLargest(largest));
}

Status TargetSum::addRowsOf(RowSource source, const TargetMemory& memory, std::size_t width, std::size_t rows,
                            const DigitRows& of)
{
    const std::size_t places = width + kSpareDigits;
    const RowAdditionShape shape = shapeOfRowAddition(rows, places);
    TargetMemory before, after;
    if (Status status = zeros(before, places); !status) return status;
    if (Status status = allocate(after, places); !status) return status;
    const Status added = launchSteps(shape, [&](std::uint64_t first, std::uint64_t count) {
        const RowAdditionArguments arguments = {source,
                                                std::uint32_t(set_.threshold()),
                                                memory.as<std::uint8_t>(),
                                                memory.as<std::uint64_t>(),
                                                width,
                                                first,
                                                count,
                                                places,
                                                shape.own,
                                                shape.halo,
                                                before.as<std::int8_t>(),
                                                after.as<std::int8_t>()};
        Status status = launch(addRowsKernel(), shape.shape, arguments);
        std::swap(before, after);
        return status;
    });
    if (!added) return added;
    std::vector<SignedDigit> number(places);
    if (Status status = download(number, before); !status) return status;
    run_.additions += rows - 1;
    total_.add(of.exponent, std::span<const SignedDigit>(number), 1, of.negative);
    return Status::ok();
}

Result<DecimalKernelRun> TargetSum::finish()
{
    run_.number = total_.number(stop_);
    if (stopped()) return cancelled();
    const HostLaunch launched = target_.hostLaunches();
    static_cast<KernelTimes&>(run_) = times_;
    run_.executor = launched.counts;
    run_.barriers = launched.barriers;
    return std::move(run_);
}

}  // namespace orogen::compute
