// Compares sums and dot products with what users would otherwise use: GMP's mpz_add and mpz_addmul on numbers already
// in binary, contiguous in large pages.
//
// `digit-loop` is T_cpu of paper 000 (section V; see compute/signed_digit/cpu_decimals.h): conventional arithmetic, one
// number after another, one digit after another. It computes the carry without a branch. With random digits, a branch
// would be mispredicted every other time, and the loop would take 4 to 5 times as long. Ratios to the loop would then
// measure the branch.
#include <algorithm>
#include <memory>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "app/bench/harness/bench.h"
#include "compute/device/cuda.h"
#include "compute/device/kernel_target.h"
#include "compute/signed_digit/cpu_decimals.h"
#include "compute/signed_digit/decimal.h"
#include "compute/signed_digit/digit_kernels.h"
#include "compute/signed_digit/digit_rows.h"
#include "compute/signed_digit/gmp_numbers.h"
#include "compute/signed_digit/kernels/signed_digit_device.h"
#include "core/base/clock.h"

namespace orogen::app::bench {
namespace {

using namespace compute;

struct Size
{
    std::uint64_t count, digits;
    bool quick;
};
constexpr Size kSums[] = {{100'000, 50, true}, {100'000, 900, false}, {1'000'000, 50, false}, {1'000'000, 900, false}};
constexpr Size kDots[] = {{10'000, 50, true}, {100'000, 50, false}, {1'000'000, 50, false}};

// Algorithms that run on several CPU threads, and on a GPU. For comparison, the GPU lists include algorithms of paper
// 000. On one CPU thread, all of kSumAlgorithms and kDotAlgorithms run.
constexpr SumAlgorithm kSumsOnThreads[] = {SumAlgorithm::kColumns, SumAlgorithm::kBase1e9};
constexpr DotAlgorithm kDotsOnThreads[] = {DotAlgorithm::kProduct};
constexpr SumAlgorithm kSumsOnGpu[] = {SumAlgorithm::kPaperThreads, SumAlgorithm::kSecond, SumAlgorithm::kColumns};
constexpr DotAlgorithm kDotsOnGpu[] = {DotAlgorithm::kPaperThreads, DotAlgorithm::kPaper, DotAlgorithm::kProduct};
constexpr int kGpuRuns = 5;

TrialOptions decimalTrials(bool quick)
{
    return {.leastRounds = 3, .mostRounds = 41, .seconds = quick ? 0.2 : 2, .batchMs = 2};
}

// Returns the numbers as text, each followed by `end`.
std::string textOf(const DigitRows& rows, char end)
{
    std::string text(rows.count * (rows.width + 1), end);
    for (std::size_t row = 0; row < rows.count; ++row)
        for (std::size_t i = 0; i < rows.width; ++i)
            text[(row + 1) * (rows.width + 1) - 2 - i] = char('0' + rows.row(row)[i]);
    return text;
}

Decimal decimalOf(const GmpNumber& number) { return canonical({number.digits(), 0, false}); }

// GMP on numbers given as text. The timed section includes their conversion from text.
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

// Labels of a row; jsonOf() adds the times.
struct DecimalRow
{
    std::string operation;  // "sum", "dot"; "read": text becomes numbers
    Size size = {};
    std::string algorithm = {};
    std::string input = "resident";  // already in the algorithm's form; "digits", "text": conversion is timed
    std::string backend = "cpu";     // "cuda": kernels only; "cuda, with transfers"
    int threads = 1;
    double convertMs = 0;  // from digits to the resident form; not in the timing

    std::string name() const { return fmt::format("{} {} x {}, {}", operation, size.count, size.digits, algorithm); }
};

Json jsonOf(const DecimalRow& row, const Timing& timing, const Timing& gmp, bool equal)
{
    // Input size in megabytes, with one byte per digit.
    const double bytes = 1e-6 * double(row.size.count) * double(row.size.digits) * (row.operation == "dot" ? 2 : 1);
    Json json = {{"operation", row.operation}, {"count", row.size.count},
                 {"digits", row.size.digits},  {"algorithm", row.algorithm},
                 {"input", row.input},         {"backend", row.backend},
                 {"threads", row.threads},     {"time_ms", {{"convert", row.convertMs}}}};
    addPair(json, timing, gmp, "gmp");
    json["gigabytes_per_second"] = bytes / timing.minimumMs;
    json["gmp_gigabytes_per_second"] = bytes / gmp.minimumMs;
    json["ratio_digit_loop"] = nullptr;  // until addRatiosToDigitLoop()
    json["check"] = equal;
    return json;
}

// Stores in each row of a sum or dot product its speed-up over the digit loop on the same numbers.
void addRatiosToDigitLoop(std::span<Json> rows)
{
    const auto timeOf = [](const Json& row) { return row.at("time_ms").at("minimum").get<double>(); };
    for (Json& row : rows)
        for (const Json& loop : rows)
            if (loop.at("algorithm") == "digit-loop" && loop.at("operation") == row.at("operation"))
                row["ratio_digit_loop"] = timeOf(loop) / timeOf(row);
}

Result<DecimalKernelRun> runOn(KernelTarget& target, SumAlgorithm algorithm, const std::vector<DigitRows>& rows)
{
    return sumOnTarget(target, algorithm, rows);
}
Result<DecimalKernelRun> runOn(KernelTarget& target, DotAlgorithm algorithm, const std::vector<FactorRows>& rows)
{
    return dotOnTarget(target, algorithm, rows);
}

// Numbers of one size, and the algorithms measured on them.
template <class Rows, class Algorithm>
class Comparison
{
public:
    Comparison(BenchRun& run, const BenchOptions& options, DecimalRow row, const std::vector<Rows>& rows)
        : run_(run), options_(options), row_(std::move(row)), rows_(rows), gmp_(Algorithm::kGmp, rows)
    {
    }

    Status addAll(std::span<const Algorithm> all, std::span<const Algorithm> onThreads,
                  std::span<const Algorithm> onGpu)
    {
        for (const Algorithm algorithm : all)
            if (algorithm != Algorithm::kGmp)
                if (Status status = add(algorithm); !status) return status;
        for (const Algorithm algorithm : onThreads)
            if (options_.threads > 1)
                if (Status status = add(algorithm, {.threads = options_.threads}); !status) return status;
        DecimalRow row = row_;
        row.algorithm = "gmp";
        row.input = "text";
        GmpFromText text(rows_);
        if (Status status = time(row, [&] { return text.run(); }); !status) return status;
        for (const Algorithm algorithm : onGpu)
            if (discoverCuda().available)
                if (Status status = addCuda(algorithm); !status) return status;
        return Status::ok();
    }

    Status add(Algorithm algorithm, const CpuDecimalOptions& options = {}, const char* input = "resident")
    {
        DecimalRow row = row_;
        row.algorithm = nameOf(algorithm);
        row.input = input;
        row.threads = options.threads;
        const Clock::time_point start = Clock::now();
        CpuDecimals decimals(algorithm, rows_, options);
        row.convertMs = millisecondsSince(start);
        return time(row, [&] { return decimals.run(); });
    }

private:
    template <class Body>
    Status time(const DecimalRow& row, Body body)
    {
        Decimal found, expected;
        const Result<std::vector<Timing>> timings = run_.time(
            row.name(),
            {{.section = repeated([&] { found = body(); })},
             {.section = repeated([&] { expected = gmp_.run(); }), .check = [&] { return found == expected; }}},
            decimalTrials(options_.quick));
        if (!timings) return timings.error();
        run_.add(jsonOf(row, (*timings)[0], (*timings)[1], (*timings)[1].equal));
        return Status::ok();
    }

    // Reports transfers and kernels separately; the numbers start in host memory.
    Status addCuda(Algorithm algorithm)
    {
        DecimalRow row = row_;
        row.algorithm = nameOf(algorithm);
        Decimal expected;
        const Result<std::vector<Timing>> timings = run_.time(
            row.name(), {{.section = repeated([&] { expected = gmp_.run(); })}}, decimalTrials(options_.quick));
        if (!timings) return timings.error();
        Result<std::unique_ptr<KernelTarget>> target = makeCudaTarget(processCuda(), 0);
        DecimalKernelRun best;
        for (int i = 0; i < kGpuRuns; ++i)
        {
            Result<DecimalKernelRun> run =
                target ? runOn(**target, algorithm, rows_) : Result<DecimalKernelRun>(target.error());
            if (!run)
            {
                run_.leaveOut(fmt::format("{}, {}", row.name(), run.error().message));
                return Status::ok();
            }
            if (i == 0 || run->kernelMs < best.kernelMs) best = std::move(*run);
        }
        const double whole = best.uploadMs + best.kernelMs + best.downloadMs;
        for (const auto& [backend, ms] : {std::pair{"cuda", best.kernelMs}, std::pair{"cuda, with transfers", whole}})
        {
            row.backend = backend;
            Json json = jsonOf(row, {.minimumMs = ms, .medianMs = ms}, timings->front(), best.number == expected);
            json["time_ms"].update({{"pack", best.packMs},
                                    {"allocate", best.allocateMs},
                                    {"upload", best.uploadMs},
                                    {"kernel", best.kernelMs},
                                    {"download", best.downloadMs}});
            run_.add(std::move(json));
        }
        return Status::ok();
    }

    BenchRun& run_;
    const BenchOptions& options_;
    const DecimalRow row_;
    const std::vector<Rows>& rows_;
    CpuDecimals gmp_;
};

// Reads the numbers from text, by this program's reader and by GMP.
Status addReading(BenchRun& run, const BenchOptions& options, const Size& size, const std::vector<DigitRows>& rows)
{
    const DecimalRow row{.operation = "read", .size = size, .algorithm = "decimal-file", .input = "text"};
    const std::string text = textOf(rows[0], '\n');
    GmpFromText gmp(rows);
    DecimalList found;
    const auto isRight = [&] {
        return found.size() == rows[0].count && CpuDecimals(SumAlgorithm::kColumns, alignedRows(found)).run() ==
                                                    CpuDecimals(SumAlgorithm::kColumns, rows).run();
    };
    const auto read = [&] { found = std::move(*decimalsInText(text, DecimalMeaning::kItself, "text")); };
    const Result<std::vector<Timing>> timings = run.time(
        row.name(), {{.section = repeated(read), .finalCheck = isRight}, {.section = repeated([&] { gmp.read(); })}},
        decimalTrials(options.quick));
    if (!timings) return timings.error();
    run.add(jsonOf(row, (*timings)[0], (*timings)[1], (*timings)[0].equal));
    return Status::ok();
}

Status measureSums(BenchRun& run, const BenchOptions& options, const Size& size)
{
    const std::size_t first = run.rows().size();
    const std::vector<DigitRows> rows = randomSum(size.count, size.digits);
    Comparison<DigitRows, SumAlgorithm> comparison(run, options, {.operation = "sum", .size = size}, rows);
    if (Status status = comparison.addAll(kSumAlgorithms, kSumsOnThreads, kSumsOnGpu); !status) return status;
    if (Status status = addReading(run, options, size, rows); !status) return status;
    addRatiosToDigitLoop(std::span(run.rows()).subspan(first));
    return Status::ok();
}

Status measureDots(BenchRun& run, const BenchOptions& options, const Size& size)
{
    const std::size_t first = run.rows().size();
    const std::vector<FactorRows> rows = randomDot(size.count, size.digits);
    Comparison<FactorRows, DotAlgorithm> comparison(run, options, {.operation = "dot", .size = size}, rows);
    if (Status status = comparison.addAll(kDotAlgorithms, kDotsOnThreads, kDotsOnGpu); !status) return status;
    if (Status status = comparison.add(DotAlgorithm::kProduct, {.packAhead = false}, "digits"); !status) return status;
    addRatiosToDigitLoop(std::span(run.rows()).subspan(first));
    return Status::ok();
}

std::string transfersText(const Json& row)
{
    const Json& ms = row.at("time_ms");
    if (!ms.contains("upload")) return "";
    return fmt::format("pack {:.4f}, allocate {:.4f}, up {:.4f}, kernels {:.4f}, down {:.4f} ms",
                       ms.at("pack").get<double>(), ms.at("allocate").get<double>(), ms.at("upload").get<double>(),
                       ms.at("kernel").get<double>(), ms.at("download").get<double>());
}

std::vector<Column> decimalColumns()
{
    return {wordColumn("of", "/operation"),
            integerColumn("numbers", "/count"),
            integerColumn("digits", "/digits"),
            wordColumn("algorithm", "/algorithm"),
            wordColumn("input", "/input"),
            wordColumn("back end", "/backend"),
            integerColumn("threads", "/threads"),
            numberColumn("convert ms", "/time_ms/convert", 2),
            numberColumn("ms", "/time_ms/minimum", 4),
            percentColumn("spread", "/spread"),
            numberColumn("GB/s", "/gigabytes_per_second", 2),
            numberColumn("gmp ms", "/time_ms/gmp_minimum", 4),
            numberColumn("GB/s", "/gmp_gigabytes_per_second", 2),
            numberColumn("ratio", "/ratio", 2),
            numberColumn("x loop", "/ratio_digit_loop", 1),
            checkColumn(),
            {"", transfersText, true}};
}

template <class Measure>
void addCase(Plan& plan, const BenchOptions& options, const Size& size, std::uint64_t factors, Measure measure)
{
    if (options.quick && !size.quick) return;
    plan.cases.push_back({fmt::format("{} x {}", size.count, size.digits),
                          6 * factors * size.count * (size.digits + 16),
                          [&options, size, measure](BenchRun& run) { return measure(run, options, size); }});
}

Plan decimalPlan(const BenchOptions& options)
{
    Plan plan;
    plan.head = {{"algorithm", "signed-digit"},
                 {"backend", "cpu"},
                 {"baseline", "gmp, binary, one thread; of read: mpz_set_str"},
                 {"instruction_set", bestDigitKernels().name}};
    plan.legend =
        "Ratio to mpz_add and mpz_addmul on binary numbers (of `read`: to mpz_set_str) on one thread, of the minima of "
        "interleaved trials; spread:\nmedian above minimum; GB/s: of decimal digits, a byte each; x loop: how many "
        "times as fast as digit after digit.";
    plan.tables = {{.columns = decimalColumns()}};
    plan.totalIsOfSections = true;
    for (const Size& size : kSums)
        addCase(plan, options, size, 1, measureSums);
    for (const Size& size : kDots)
        addCase(plan, options, size, 2, measureDots);
    const CudaReport cuda = discoverCuda();
    if (!cuda.available) plan.leftOut.push_back("cuda: no CUDA device: " + cuda.reason);
    return plan;
}

}  // namespace

Bench signedDigitBench()
{
    Bench bench{"signed-digit", "decimal sums and dot products, against mpz_add and mpz_addmul",
                "short ones, in a few seconds", decimalPlan};
    return bench;
}

}  // namespace orogen::app::bench
