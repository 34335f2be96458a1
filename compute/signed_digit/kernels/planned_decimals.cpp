#include "compute/signed_digit/kernels/planned_decimals.h"

#include <algorithm>
#include <cmath>
#include <string>

#include <fmt/format.h>

#include "compute/signed_digit/kernels/columns.h"
#include "compute/signed_digit/kernels/decimal_shapes.h"
#include "compute/signed_digit/kernels/paper_threads.h"
#include "compute/signed_digit/kernels/products.h"
#include "compute/signed_digit/kernels/row_addition.h"
#include "compute/signed_digit/kernels/turns.h"

namespace orogen::compute {
namespace {

constexpr double kSum = sizeof(std::uint64_t), kVector = 16;
constexpr std::uint64_t kSpareDigits = 21;

struct Problem
{
    std::uint64_t count, digits;

    std::string text() const { return fmt::format("1e{} x {}", std::lround(std::log10(double(count))), digits); }
    double bytes() const { return double(count) * double(digits); }
};

class DecimalPlan
{
public:
    explicit DecimalPlan(const ResidentBlocks& residentBlocks) : residentBlocks_(residentBlocks) {}

    void addSum(const Problem& sum)
    {
        addColumns("columns", sum);
        addRows("first", sum.text(), sum.count, sum.digits, sum.bytes(), 2 * kRowsAhead);
        addColumns("second", sum);
        addRowsOfColumns("second", sum.text(), sum.digits, sum.digits);
        addColumns("regrouped", sum);
        addRowsOfColumns("regrouped", sum.text(), lengthOf(9 * sum.count), sum.digits);
        const SteppedShape threads = shapeOfThreadColumns(sum.count, sum.digits);
        add({"paper-threads: sumColumnsByThreads", sum.text(), sumColumnsByThreadsKernel(), threads.shape,
             sum.bytes() + kSum * double(sum.digits), sum.bytes() + kSum * double(sum.digits), 1, kOwnMethod});
        addRowsOfColumns("paper-threads", sum.text(), sum.digits, sum.digits);
    }

    void addDot(const Problem& dot)
    {
        addProduct("product", dot.text(), dot.count, dot.digits / 2, dot.digits / 2, 1);
        const std::uint64_t columns = 2 * dot.digits, reached = columns - 1;
        const double floor = 2 * dot.bytes() + kSum * double(columns);
        const SteppedShape paper =
            shapeOfPartialColumns(dot.count, columns, blocks(addPartialProductsKernel(), kPartialThreads));
        add({"paper: addPartialProducts", dot.text(), addPartialProductsKernel(), paper.shape, floor, floor, 2,
             kOwnMethod});
        addRowsOfColumns("paper", dot.text(), reached, reached);
        const PartialProductsShape products = shapeOfPartialProducts(dot.count, dot.digits, dot.digits);
        const double formed = double(products.most) * double(columns);
        const double factors = double(products.most) * (1 + double(dot.digits) / double(dot.digits));
        add({"paper-threads: formPartialProducts", dot.text(), formPartialProductsKernel(), products.shape,
             formed + factors, formed + factors, 1, kOwnMethod});
        add({"paper-threads: sumColumnsByThreads", dot.text(), sumColumnsByThreadsKernel(), products.columns,
             formed + kSum * double(columns), formed + kSum * double(columns), 1, kOwnMethod});
        addRowsOfColumns("paper-threads", dot.text(), reached, reached);
    }

    void addTransform(std::uint64_t n, std::uint64_t digits)
    {
        const std::string size = fmt::format("dft of {} x {}", n, digits);
        const std::uint64_t groups = groupsOfRows(n), width = digits / 2 + 1;
        const std::uint64_t outputs = outputsAtATime(groups * width, n);
        const double written = kVector * double(outputs * groups * width), table = double(n * width);
        add({"dft product: gatherTurns", size, gatherTurnsKernel(), stepOfTurns(outputs * groups * width).shape,
             written + table, written + table, kVector,
             "16 bytes are gathered one by one, from a table that stays in the cache"});
        addProduct("dft product", size, n, digits / 2, width, outputs);
    }

    std::vector<PlannedLaunch> take() { return std::move(launches_); }

private:
    static constexpr const char* kOwnMethod = "the paper's own division of work";
    static constexpr const char* kFewDigits = "a thread a digit, one addition after another: no more threads have work";

    void add(PlannedLaunch launch) { launches_.push_back(std::move(launch)); }
    unsigned blocks(const KernelEntry& kernel, unsigned threads) const { return residentBlocks_(kernel, threads); }
    static std::uint64_t lengthOf(std::uint64_t number) { return fmt::to_string(number).size(); }

    void addColumns(const std::string& algorithm, const Problem& sum)
    {
        const ColumnsShape shape =
            shapeOfColumns(sum.count, sum.digits, blocks(sumDigitColumnsKernel(), kColumnsThreads));
        const double floor = sum.bytes() + kSum * double(sum.digits);
        const double slots = double(std::min<std::uint64_t>(sum.digits, kColumnSlots));
        add({algorithm + ": sumDigitColumns", sum.text(), sumDigitColumnsKernel(), shape.shape,
             kVector * double(shape.vectors) + 2 * kSum * slots * double(shape.shape.grid.count()), floor,
             kVector * kVectorsInFlight});
    }

    // `bytes` that the rows' digits are made of; in flight of a thread `ahead`.
    void addRows(const std::string& algorithm, const std::string& size, std::uint64_t rows, std::uint64_t width,
                 double bytes, double ahead)
    {
        const std::uint64_t places = width + kSpareDigits;
        const RowAdditionShape shape = shapeOfRowAddition(rows, places);
        const double all = bytes + 2 * double(places);
        add({algorithm + ": addRows", size, addRowsKernel(), shape.shape, all, all, ahead, kFewDigits});
    }
    void addRowsOfColumns(const std::string& algorithm, const std::string& size, std::uint64_t rows,
                          std::uint64_t columns)
    {
        addRows(algorithm, size, rows, columns, kSum * double(columns), kSum * kRowsAhead);
    }

    void addProduct(const std::string& algorithm, const std::string& size, std::uint64_t rows, std::uint64_t xWidth,
                    std::uint64_t yWidth, std::uint64_t items)
    {
        const std::uint64_t groups = groupsOfRows(rows);
        const ProductsShape shape =
            shapeOfProducts(groups, xWidth, yWidth, items, blocks(multiplyTilesKernel(), productThreads(groups)));
        const double x = kVector * double(groups * xWidth), y = kVector * double(groups * yWidth) * double(items);
        const double sums = kSum * double((xWidth + yWidth) * items);
        // Tiles of one stretch are worked on at the same time or find x in the cache; y is read once for each of x.
        const double again = double(shape.xTiles - 1) * y + double(shape.yTiles * items - 1) * x;
        add({algorithm + ": multiplyTiles", size, multiplyTilesKernel(), shape.shape, x + y + again + sums,
             x + y + sums, kBytesInFlight,
             again > 0 ? "bytes: tiles that share a factor read it again, most of it from the cache" : ""});
    }

    const ResidentBlocks& residentBlocks_;
    std::vector<PlannedLaunch> launches_;
};

}  // namespace

std::vector<PlannedLaunch> plannedDecimals(const ResidentBlocks& residentBlocks)
{
    DecimalPlan plan(residentBlocks);
    for (const Problem& sum : {Problem{1'000'000, 50}, Problem{1'000'000, 900}})
        plan.addSum(sum);
    for (const Problem& dot : {Problem{1'000'000, 50}, Problem{10'000, 900}})
        plan.addDot(dot);
    plan.addTransform(1024, 50);
    return plan.take();
}

}  // namespace orogen::compute
