// Kernels leave sums of columns or rows of digits for each band; what is left then is short, and the host adds the
// bands and turns their total into one number.
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
    if (algorithm == SumAlgorithm::kFirst)
        return addRows(total_, {RowSource::kNumbers, digits.as<void>(), rows.width, rows.count}, rows.exponent,
                       rows.negative);
    if (Status status = zeros(sums, rows.width * sizeof(std::uint64_t)); !status) return status;
    const Status summed = algorithm == SumAlgorithm::kPaperThreads ? sumColumnsByThreads(sums, digits, rows)
                                                                   : sumColumns(sums, digits, rows);
    if (!summed) return summed;
    return takeColumns(sums, rows.width, 1, rows);
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
    return takeColumns(sums, rows.columns(), 1, rows.x);
}

// ---- what becomes of them ----

Status TargetSum::takeColumns(const TargetMemory& memory, std::size_t width, std::size_t step, const DigitRows& rows)
{
    std::vector<std::uint64_t> sums(width);
    if (Status status = download(sums, memory); !status) return status;
    total_.add(rows.exponent, std::span<const std::uint64_t>(sums), step, rows.negative);
    return Status::ok();
}

Status TargetSum::addColumns(RowSource source)
{
    const std::vector<ColumnRun> reached = total_.reached();
    if (reached.empty()) return Status::ok();
    TargetMemory sums;
    const std::span<const std::int64_t> columns = total_.columns();
    if (Status status = upload(sums, columns.data(), columns.size_bytes()); !status) return status;
    ColumnTotal number(total_.exponent(), total_.exponent() + std::int64_t(columns.size()), stop_);
    const auto add = [&](const ColumnRun& run, std::size_t rows) {
        return addRows(number, {source, sums.as<std::int64_t>() + run.begin, run.end - run.begin, rows},
                       total_.exponent() + std::int64_t(run.begin), false);
    };
    if (source == RowSource::kDigits)
    {
        const ColumnRun all = {reached.front().begin, reached.back().end};
        if (Status status = add(all, std::size_t(digitsOfLargest(columns))); !status) return status;
    }
    else
        for (const ColumnRun& run : reached)
            if (Status status = add(run, run.end - run.begin); !status) return status;
    total_ = std::move(number);
    return Status::ok();
}

Status TargetSum::addRows(ColumnTotal& total, const Rows& rows, std::int64_t exponent, bool negative)
{
    const std::size_t places = rows.width + kSpareDigits;
    const RowAdditionShape shape = shapeOfRowAddition(rows.count, places);
    TargetMemory before, after;
    if (Status status = zeros(before, places); !status) return status;
    if (Status status = allocate(after, places); !status) return status;
    const Status added = launchSteps(shape, [&](std::uint64_t first, std::uint64_t count) {
        const RowAdditionArguments arguments = {rows.source,
                                                std::uint32_t(set_.threshold()),
                                                static_cast<const std::uint8_t*>(rows.from),
                                                static_cast<const std::int64_t*>(rows.from),
                                                rows.width,
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
    addends_ += rows.count;
    total.add(exponent, std::span<const SignedDigit>(number), 1, negative);
    return Status::ok();
}

Result<DecimalKernelRun> TargetSum::finish()
{
    run_.number = total_.number(stop_);
    if (stopped()) return cancelled();
    const HostLaunch launched = target_.hostLaunches();
    static_cast<KernelTimes&>(run_) = times_;
    const std::uint64_t additions = addends_ - (addends_ > 0);
    run_.operations = {additions, additions};
    run_.executor = launched.counts;
    run_.barriers = launched.barriers;
    return std::move(run_);
}

}  // namespace orogen::compute
