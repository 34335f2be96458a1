// Adds bands (each a set of rows of one width and exponent), one after another, into one number.
#include "compute/signed_digit/kernels/signed_digit_device.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <limits>
#include <numeric>

#include "compute/signed_digit/kernels/columns.h"
#include "compute/signed_digit/kernels/products.h"
#include "compute/signed_digit/kernels/row_addition.h"
#include "compute/signed_digit/kernels/target_work.h"

namespace orogen::compute {
namespace {

constexpr std::uint64_t kAnyNumber = std::numeric_limits<std::uint64_t>::max();  // SteppedShape::most: no maximum

unsigned blocksFor(std::uint64_t threads, unsigned ofEach) { return unsigned(dividedUp(threads, ofEach)); }

constexpr std::size_t kSpareDigits = 21;  // digits of a sum above its columns

// One sum or dot product on a target. For each band, kernels produce column sums or a row of digits. The host makes one
// number of them.
class TargetSum : private TargetWork
{
public:
    // Makes columns for 10^low up to 10^(high - 1).
    TargetSum(KernelTarget& target, const DecimalKernelOptions& options, std::int64_t low, std::int64_t high)
        : TargetWork(target, options.stop, options.mostSteps), set_(options.set), total_(low, high, options.stop)
    {
    }

    Status addSum(SumAlgorithm algorithm, const DigitRows& rows);
    Status addDot(DotAlgorithm algorithm, const FactorRows& rows);
    // Finishes the second or the regrouped method after all bands. Makes a row of each column of the total (kColumns),
    // or of each digit of the columns (kDigits), and adds the rows on the target.
    Status addColumns(RowSource source);
    Result<DecimalKernelRun> finish();

private:
    // Rows made from `from`, which has numbers or column sums on the target.
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

    // ---- results ----
    Status takeColumns(const TargetMemory& memory, std::size_t width, std::size_t step, const DigitRows& rows);
    Status addRows(ColumnTotal& total, const Rows& rows, std::int64_t exponent, bool negative);

    const DigitSet set_;
    ColumnTotal total_;
    std::uint64_t addends_ = 0;  // rows added one after another on the target
    DecimalKernelRun run_;
};

// ---- columns ----

// A step adds `stride` vectors of 16 digits, usually one per thread.
struct ColumnsShape : SteppedShape
{
    std::uint64_t vectors = 0, stride = 0;
};
ColumnsShape shapeOfColumns(std::uint64_t rows, std::uint64_t width, unsigned residentBlocks)
{
    // Bytes of the first launch per resident block: some 2 ms on the slowest GPU (100 blocks, 50 GB/s).
    constexpr std::uint64_t kFirstBytes = 1 << 20;
    ColumnsShape columns;
    columns.vectors = dividedUp(rows * width, kColumnsOfVector);
    // Each thread gets at least one batch of loads.
    const std::uint64_t useful = dividedUp(columns.vectors, kColumnsThreads * kVectorsInFlight);
    // A quarter of the resident threads has enough loads in flight. More blocks would slow each other down at their
    // ends, where all add to the same few words.
    const std::uint64_t blocks = std::clamp<std::uint64_t>(useful, 1, dividedUp(residentBlocks, 4));
    const std::uint64_t period = width / std::gcd(width, std::uint64_t(kColumnsOfVector));
    columns.stride = std::max<std::uint64_t>(1, blocks * kColumnsThreads / period) * period;
    columns.shape = {{unsigned(blocks)}, {kColumnsThreads}};
    columns.steps = dividedUp(columns.vectors, columns.stride);
    columns.first = std::max<std::uint64_t>(1, residentBlocks * kFirstBytes / kColumnsOfVector / columns.stride);
    columns.most = kMostColumnTurns;
    return columns;
}

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
    constexpr std::uint64_t kFirstRows = 4096;
    // A step is one row of numbers.
    const SteppedShape shape = {
        {{blocksFor(rows.width, kPaperThreads)}, {kPaperThreads}}, rows.count, kFirstRows, kAnyNumber};
    return launchSteps(shape, [&](std::uint64_t first, std::uint64_t count) {
        return launch(sumColumnsByThreadsKernel(), shape.shape,
                      ThreadColumnsArguments{digits.as<std::uint8_t>() + first * rows.width, count, rows.width,
                                             sums.as<std::uint64_t>()});
    });
}

Status TargetSum::addSum(SumAlgorithm algorithm, const DigitRows& rows)
{
    static_assert(kRowSlack >= kColumnsOfVector);  // kernels read whole vectors; zeros follow the last row
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

// A step is one row of partial products.
struct PartialProductsShape : SteppedShape
{
    LaunchShape columns;
};

// Returns the launch that forms `rows` rows of partial products.
LaunchShape shapeOfPartialProductsLaunch(std::uint64_t rows)
{
    return {{blocksFor(rows, kPaperThreads)}, {kPaperThreads}};
}

PartialProductsShape shapeOfPartialProducts(std::uint64_t pairs, std::uint64_t xWidth, std::uint64_t yWidth)
{
    // Bytes of products in memory at most, and in the first launch.
    constexpr std::uint64_t kMostBytes = 256 << 20, kFirstBytes = 1 << 20;
    const std::uint64_t width = xWidth + yWidth;
    PartialProductsShape products;
    products.steps = pairs * yWidth;
    products.most = std::max<std::uint64_t>(1, std::min(products.steps, kMostBytes / width));
    products.first = std::max<std::uint64_t>(1, kFirstBytes / width);
    products.shape = shapeOfPartialProductsLaunch(products.most);
    products.columns = {{blocksFor(width, kPaperThreads)}, {kPaperThreads}};
    return products;
}

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

// A step is one row of each factor.
SteppedShape shapeOfPartialColumns(std::uint64_t rows, std::uint64_t columns, unsigned residentBlocks)
{
    constexpr std::uint64_t kFirstRows = 1 << 16, kMostY = 65535;
    const unsigned x = blocksFor(columns, kPartialThreads);
    const std::uint64_t y = std::clamp<std::uint64_t>(residentBlocks / x, 1, std::min(rows, kMostY));
    return {{{x, unsigned(y)}, {kPartialThreads}},
            rows,
            std::max<std::uint64_t>(1, kFirstRows * 100 / columns),
            kAnyNumber};
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

// Rows of digits packed for the matrix instructions; see ProductsArguments.
struct PackedFactor
{
    std::size_t groups = 0, width = 0;  // groups of 16 rows; pairs of digits per row
    RowBuffer<std::uint8_t> bytes;      // 16 * width per group

    std::size_t size() const { return 16 * groups * width; }
};

constexpr std::size_t kRowsOfVector = 16, kWord = kRowsInGroup;

// Interleaves four groups of four rows each into vectors of 16 bytes. `words`: the groups, one after another, with
// `width` words of four bytes each.
void interleave(std::uint8_t* to, const std::uint8_t* words, std::size_t width)
{
    for (std::size_t i = 0; i < width; ++i)
        for (std::size_t group = 0; group < kRowsOfVector / kRowsInGroup; ++group)
            std::memcpy(to + kRowsOfVector * i + kWord * group, words + kWord * (group * width + i), kWord);
}

// Packs rows of even width on the calling thread. packGroups() packs four rows at a time into words of four bytes, and
// interleave() joins four words to 16 bytes. Undefined after a stop.
PackedFactor packedFactor(const DigitRows& rows, const std::stop_token& stop)
{
    assert(rows.width % 2 == 0);
    const std::size_t width = rows.width / 2, groups = groupsOfRows(rows.count);
    PackedFactor packed{groups, width, RowBuffer<std::uint8_t>(groups * width * kRowsOfVector, stop)};
    RowBuffer<std::uint8_t> words(kRowsOfVector * width + kGroupSlack);
    for (std::size_t row = 0; row < rows.count && !stop.stop_requested(); row += kRowsOfVector)
    {
        const std::size_t count = std::min(kRowsOfVector, rows.count - row);
        bestDigitKernels().packGroups(words.data(), {rows.row(row), rows.width, rows.width}, count);
        const std::size_t packedRows = (count + kRowsInGroup - 1) / kRowsInGroup * kRowsInGroup;
        std::fill(words.data() + packedRows * width, words.data() + kRowsOfVector * width, std::uint8_t(0));
        interleave(packed.bytes.data() + row * width, words.data(), width);
    }
    return packed;
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

// ---- results ----

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

// A step is one row.
struct RowAdditionShape : SteppedShape
{
    std::uint64_t own = 0, halo = 0;  // places per block, as in RowAdditionArguments
};
RowAdditionShape shapeOfRowAddition(std::uint64_t rows, std::uint64_t places)
{
    constexpr std::uint64_t kHalo = kRowAdditionThreads / 4, kLanes = 32, kFirstRows = 64;
    RowAdditionShape addition;
    addition.steps = rows;
    addition.first = kFirstRows;
    if (places <= kRowAdditionThreads)
    {
        addition.own = places;
        addition.most = kAnyNumber;
        addition.shape = {{1}, {unsigned(dividedUp(places, kLanes) * kLanes)}};
        return addition;
    }
    addition.own = kRowAdditionThreads - kHalo;
    addition.halo = addition.most = kHalo;
    addition.shape = {{unsigned(dividedUp(places, addition.own))}, {kRowAdditionThreads}};
    return addition;
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

// ---- bands ----

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

bool inKernels(SumAlgorithm algorithm) { return std::ranges::find(kSumKernels, algorithm) != std::end(kSumKernels); }
bool inKernels(DotAlgorithm algorithm) { return std::ranges::find(kDotKernels, algorithm) != std::end(kDotKernels); }

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
    const bool byColumns = algorithm == SumAlgorithm::kSecond || algorithm == SumAlgorithm::kPaperThreads;
    if (byColumns || algorithm == SumAlgorithm::kRegrouped)
        if (Status status = sum.addColumns(byColumns ? RowSource::kColumns : RowSource::kDigits); !status)
            return status.error();
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
    if (algorithm != DotAlgorithm::kProduct)
        if (Status status = sum.addColumns(RowSource::kColumns); !status) return status.error();
    return sum.finish();
}

}  // namespace orogen::compute
