#include "app/bench/signed_digit/benchmark.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include <fmt/format.h>

#include "compute/device/discovery.h"
#include "compute/device/kernel_target.h"
#include "compute/signed_digit/decimal_file.h"
#include "compute/signed_digit/gmp_numbers.h"
#include "compute/signed_digit/kernels/signed_digit_device.h"
#include "compute/signed_digit/signed_digit.h"
#include "core/base/memory.h"

namespace orogen::compute {
namespace {

using Clock = std::chrono::steady_clock;
using Row = SignedDigitBenchRow;

struct Size
{
    std::uint64_t count, digits;
    bool quick;
};
constexpr Size kSums[] = {{100'000, 50, true}, {100'000, 900, false}, {1'000'000, 50, false}, {1'000'000, 900, false}};
constexpr Size kDots[] = {{10'000, 50, true}, {100'000, 50, false}, {1'000'000, 50, false}};

// On one thread all of them; those that bytes limit on several, and the paper's own beside them on a GPU.
constexpr SumAlgorithm kSumsOnThreads[] = {SumAlgorithm::kColumns, SumAlgorithm::kBase1e9};
constexpr DotAlgorithm kDotsOnThreads[] = {DotAlgorithm::kProduct};
constexpr SumAlgorithm kSumsOnGpu[] = {SumAlgorithm::kSecond, SumAlgorithm::kColumns};
constexpr DotAlgorithm kDotsOnGpu[] = {DotAlgorithm::kPaper, DotAlgorithm::kProduct};
constexpr int kGpuRuns = 5;

// Rows as the paper has them: of one length, not below 0, of random digits.
DigitRows randomRows(const Size& size, std::uint64_t seed)
{
    DigitRows rows{size.count, size.digits, 0, false, RowBuffer<Digit>(size.count * size.digits)};
    const DecimalList one = makeDecimals({1, size.count * size.digits, 0, seed});
    std::ranges::copy(one[0].digits, rows.digits.data());
    return rows;
}

std::vector<DigitRows> oneOf(DigitRows rows)
{
    std::vector<DigitRows> all;
    all.push_back(std::move(rows));
    return all;
}

// The numbers as text, each with `end` behind it.
std::string textOf(const DigitRows& rows, char end)
{
    std::string text(rows.count * (rows.width + 1), end);
    for (std::size_t row = 0; row < rows.count; ++row)
        for (std::size_t i = 0; i < rows.width; ++i)
            text[(row + 1) * (rows.width + 1) - 2 - i] = char('0' + rows.row(row)[i]);
    return text;
}

Decimal decimalOf(const GmpNumber& number) { return canonical({number.digits(), 0, false}); }

// What a user of GMP does who has text.
class GmpFromText
{
public:
    explicit GmpFromText(const std::vector<DigitRows>& rows) : width_(rows[0].width + 1), x_(textOf(rows[0], '\0')) {}
    explicit GmpFromText(const std::vector<FactorRows>& rows)
        : width_(rows[0].x.width + 1), x_(textOf(rows[0].x, '\0')), y_(textOf(rows[0].y, '\0'))
    {
    }

    void read()
    {
        for (std::size_t at = 0; at < x_.size(); at += width_)
            mpz_set_str(a_, x_.data() + at, 10);
    }
    Decimal run()
    {
        mpz_set_ui(sum_, 0);
        for (std::size_t at = 0; at < x_.size(); at += width_)
        {
            mpz_set_str(a_, x_.data() + at, 10);
            if (y_.empty())
                mpz_add(sum_, sum_, a_);
            else
            {
                mpz_set_str(b_, y_.data() + at, 10);
                mpz_addmul(sum_, a_, b_);
            }
        }
        return decimalOf(sum_);
    }

private:
    const std::size_t width_;
    const std::string x_, y_;
    GmpNumber sum_, a_, b_;
};

template <class Body>
TimedBody repeated(Body body)
{
    return [body](std::int64_t times) {
        for (; times > 0; --times)
            body();
    };
}

Result<DecimalKernelRun> runOn(KernelTarget& target, SumAlgorithm algorithm, const std::vector<DigitRows>& rows)
{
    return sumOnTarget(target, algorithm, rows);
}
Result<DecimalKernelRun> runOn(KernelTarget& target, DotAlgorithm algorithm, const std::vector<FactorRows>& rows)
{
    return dotOnTarget(target, algorithm, rows);
}

class Bench
{
public:
    explicit Bench(const SignedDigitBenchOptions& options) : options_(options)
    {
        const CudaReport cuda = discoverCuda();
        cuda_ = cuda.available;
        if (!cuda_) bench_.leftOut.push_back("cuda: no CUDA device: " + cuda.reason);
        timing_.seconds = options.quick ? 0.2 : 2;
        timing_.goOn = [this] { return goOn(next_); };
    }

    SignedDigitBench run()
    {
        for (const Size& size : kSums)
            if (isWanted(size, 1)) addSums(size);
        for (const Size& size : kDots)
            if (isWanted(size, 2)) addDots(size);
        return std::move(bench_);
    }

private:
    bool isWanted(const Size& size, std::uint64_t factors)
    {
        if (bench_.stopped || (options_.quick && !size.quick)) return false;
        const std::string name = fmt::format("{} x {}", size.count, size.digits);
        const Status fits = checkMemory(name, 6 * factors * size.count * (size.digits + 16));
        if (!fits) bench_.leftOut.push_back(fits.error().message);
        return bool(fits);
    }

    int rowsInAll() const
    {
        const bool threads = options_.threads > 1;
        const int gpu = cuda_ ? 4 : 0, sums = 8 + 2 * threads + gpu, dots = 5 + threads + gpu;
        return options_.quick ? sums + dots : int(std::size(kSums)) * sums + int(std::size(kDots)) * dots;
    }

    // False: stopped.
    bool goOn(const std::string& next)
    {
        if (!bench_.stopped && options_.progress && !options_.progress(int(bench_.rows.size()), rowsInAll(), next))
            bench_.stopped = true;
        return !bench_.stopped;
    }

    // False: stopped, before the row or in it.
    template <class Body, class Gmp>
    bool time(Row& row, Body body, Gmp gmp)
    {
        next_ = fmt::format("{} {} x {}, {}", row.operation, row.count, row.digits, row.algorithm);
        if (!goOn(next_)) return false;
        row.timing = timePair(repeated(body), repeated(gmp), timing_);
        return !row.timing.stopped;
    }

    void addSums(const Size& size)
    {
        const std::vector<DigitRows> rows = oneOf(randomRows(size, 1));
        Row row{.operation = "sum", .count = size.count, .digits = size.digits};
        addRows(row, rows, kSumAlgorithms, kSumsOnThreads, kSumsOnGpu);
        addReading(row, rows);
    }

    void addDots(const Size& size)
    {
        std::vector<FactorRows> rows;
        rows.push_back({randomRows(size, 1), randomRows(size, 2)});
        Row row{.operation = "dot", .count = size.count, .digits = size.digits};
        addRows(row, rows, kDotAlgorithms, kDotsOnThreads, kDotsOnGpu);
        row.input = "digits";
        CpuDecimals gmp(DotAlgorithm::kGmp, rows);
        addRow(row, DotAlgorithm::kProduct, rows, {.packAhead = false}, gmp);
    }

    template <class Rows, class Algorithm>
    void addRows(const Row& row, const Rows& rows, std::span<const Algorithm> all, std::span<const Algorithm> onThreads,
                 std::span<const Algorithm> onGpu)
    {
        CpuDecimals gmp(Algorithm::kGmp, rows);
        for (const Algorithm algorithm : all)
            if (algorithm != Algorithm::kGmp) addRow(row, algorithm, rows, {}, gmp);
        for (const Algorithm algorithm : onThreads)
            if (options_.threads > 1) addRow(row, algorithm, rows, {.threads = options_.threads}, gmp);
        addFromText(row, rows, gmp);
        for (const Algorithm algorithm : onGpu)
            if (cuda_) addCudaRows(row, algorithm, rows, gmp);
    }
    template <class Rows, std::size_t kAll, std::size_t kThreads, std::size_t kGpu, class Algorithm>
    void addRows(const Row& row, const Rows& rows, const Algorithm (&all)[kAll], const Algorithm (&onThreads)[kThreads],
                 const Algorithm (&onGpu)[kGpu])
    {
        addRows(row, rows, std::span<const Algorithm>(all), std::span<const Algorithm>(onThreads),
                std::span<const Algorithm>(onGpu));
    }

    template <class Rows, class Algorithm>
    void addRow(Row row, Algorithm algorithm, const Rows& rows, const CpuDecimalOptions& options, CpuDecimals& gmp)
    {
        if (bench_.stopped) return;
        row.algorithm = nameOf(algorithm);
        row.threads = options.threads;
        const Clock::time_point start = Clock::now();
        CpuDecimals decimals(algorithm, rows, options);
        row.convertMs = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
        Decimal found, expected;
        if (!time(
                row, [&] { found = decimals.run(); }, [&] { expected = gmp.run(); }))
            return;
        row.equal = found == expected;
        bench_.rows.push_back(row);
    }

    template <class Rows>
    void addFromText(Row row, const Rows& rows, CpuDecimals& gmp)
    {
        if (bench_.stopped) return;
        row.algorithm = "gmp";
        row.input = "text";
        GmpFromText text(rows);
        Decimal found, expected;
        if (!time(
                row, [&] { found = text.run(); }, [&] { expected = gmp.run(); }))
            return;
        row.equal = found == expected;
        bench_.rows.push_back(row);
    }

    // The same numbers from text by this program's reader and by GMP.
    void addReading(Row row, const std::vector<DigitRows>& rows)
    {
        if (bench_.stopped) return;
        row.operation = "read";
        row.algorithm = "decimal-file";
        row.input = "text";
        const std::string text = textOf(rows[0], '\n');
        GmpFromText gmp(rows);
        DecimalList found;
        const auto read = [&] { found = std::move(*decimalsInText(text, DecimalMeaning::kItself, "text")); };
        if (!time(row, read, [&] { gmp.read(); })) return;
        row.equal = found.size() == rows[0].count && CpuDecimals(SumAlgorithm::kColumns, alignedRows(found)).run() ==
                                                         CpuDecimals(SumAlgorithm::kColumns, rows).run();
        bench_.rows.push_back(row);
    }

    // Transfers and kernels apart; the numbers lie in this machine's memory before.
    template <class Rows, class Algorithm>
    void addCudaRows(Row row, Algorithm algorithm, const Rows& rows, CpuDecimals& gmp)
    {
        if (bench_.stopped) return;
        row.algorithm = nameOf(algorithm);
        Decimal expected;
        if (!time(
                row, [&] { expected = gmp.run(); }, [&] { expected = gmp.run(); }))
            return;
        Result<std::unique_ptr<KernelTarget>> target = makeCudaTarget(processCuda(), 0);
        DecimalKernelRun best;
        for (int i = 0; i < kGpuRuns; ++i)
        {
            Result<DecimalKernelRun> run =
                target ? runOn(**target, algorithm, rows) : Result<DecimalKernelRun>(target.error());
            if (!run)
            {
                bench_.leftOut.push_back(fmt::format("{}, {}", next_, run.error().message));
                return;
            }
            if (i == 0 || run->kernelMs < best.kernelMs) best = std::move(*run);
        }
        row.uploadMs = best.uploadMs;
        row.kernelMs = best.kernelMs;
        row.downloadMs = best.downloadMs;
        row.equal = best.number == expected;
        const double whole = best.uploadMs + best.kernelMs + best.downloadMs;
        for (const auto& [backend, ms] : {std::pair{"cuda", best.kernelMs}, std::pair{"cuda, with transfers", whole}})
        {
            row.backend = backend;
            row.timing.a = {ms, ms};
            bench_.rows.push_back(row);
        }
    }

    const SignedDigitBenchOptions& options_;
    PairTimingOptions timing_;
    std::string next_;
    bool cuda_ = false;
    SignedDigitBench bench_;
};

}  // namespace

SignedDigitBench benchSignedDigit(const SignedDigitBenchOptions& options) { return Bench(options).run(); }

}  // namespace orogen::compute
