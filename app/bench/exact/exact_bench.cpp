// Compares exact sums with Python's math.fsum (implemented by shewchukSum()), with plain and Kahan sums, and with a
// loop that only reads the values. Also compares the reading of numbers from text with strtod().
#include <bit>
#include <cstdlib>
#include <limits>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "app/bench/harness/bench.h"
#include "compute/exact/cpu_sums.h"
#include "compute/exact/value_files.h"

namespace orogen::app::bench {
namespace {

using namespace compute;

constexpr std::size_t kCount = 100'000'000, kQuickCount = 1'000'000;
constexpr ValuePattern kPatterns[] = {ValuePattern::kUniform, ValuePattern::kSigned, ValuePattern::kExponents};

TrialOptions exactTrials(bool quick) { return {.leastRounds = 3, .mostRounds = 21, .seconds = quick ? 0.3 : 8}; }

std::uint64_t bitsOf(double value) { return std::bit_cast<std::uint64_t>(value); }

// Returns the row of one contender. `read`, `fsum`: times of only reading the values, and of fsum. `fsumSums`: fsum
// did not overflow.
Json rowOf(const std::string& data, const std::string& algorithm, int threads, std::size_t count, const Timing& timing,
           const Timing& read, const Timing& fsum, bool fsumSums)
{
    Json json = {{"data", data}, {"algorithm", algorithm}, {"threads", threads}, {"count", count}, {"time_ms", Json()}};
    addPair(json, timing, fsum, "fsum");
    if (!fsumSums) json["ratio"] = nullptr;  // fsum stops at an overflow, so its time is not comparable
    json["values_per_ns"] = 1e-6 * double(count) / timing.minimumMs;
    json["share_of_read"] = read.minimumMs / timing.minimumMs;
    json["read_gigabytes_per_second"] = 8e-6 * double(count) / read.minimumMs;
    json["check"] = timing.checked ? Json(timing.equal) : Json();
    return json;
}

Status measure(BenchRun& run, const BenchOptions& options, ValuePattern pattern)
{
    const std::size_t count = options.quick ? kQuickCount : kCount;
    const std::vector<double> values = makeValues(pattern, count, 1);
    const std::span<const std::byte> bytes = std::as_bytes(std::span(values));
    std::uint64_t read = 0;
    double fsum = 0;
    struct Method
    {
        std::string name;
        CpuSumMethod method;
        int threads;
        double sum = 0;
    };
    std::vector<Method> methods = {{"windows", CpuSumMethod::kWindows, 1}, {"bins", CpuSumMethod::kBins, 1}};
    if (options.threads > 1) methods.push_back({"windows", CpuSumMethod::kWindows, options.threads});
    const auto sumBy = [&](CpuSumMethod method, int threads) {
        CpuSum sum(ExactTerms::kValues, method, threads);
        sum.add(ValueType::kFloat64, bytes);
        return sum.finish().rounded();
    };
    // The result of each exact method is checked against that of another. If fsum overflows (NaN), bins and windows
    // are checked against each other, and fsum has no check.
    const double reference = shewchukSum(values);
    const bool fsumSums = reference == reference;
    const double byBins = sumBy(CpuSumMethod::kBins, 1), byWindows = sumBy(CpuSumMethod::kWindows, 1);

    std::vector<Contender> contenders = {
        {.section = repeated([&] { read ^= exactKernels().readAll(values.data(), values.size()); })},
        {.section = repeated([&] { fsum = shewchukSum(values); })}};
    if (fsumSums) contenders.back().check = [&] { return bitsOf(fsum) == bitsOf(byBins); };
    for (Method& method : methods)
    {
        const double expected = fsumSums ? reference : method.method == CpuSumMethod::kBins ? byWindows : byBins;
        contenders.push_back({.section = repeated([&] { method.sum = sumBy(method.method, method.threads); }),
                              .check = [&method, expected] { return bitsOf(method.sum) == bitsOf(expected); }});
    }
    double plain = 0, kahan = 0;
    contenders.push_back({.section = repeated([&] { plain = plainSum(values); })});
    contenders.push_back({.section = repeated([&] { kahan = kahanSum(values); })});
    const std::string data(textOf(pattern));
    const Result<std::vector<Timing>> timings = run.time(data, std::move(contenders), exactTrials(options.quick));
    if (!timings) return timings.error();
    const Timing &reading = (*timings)[0], &slow = (*timings)[1];
    const auto add = [&](const std::string& name, int threads, const Timing& timing) {
        run.add(rowOf(data, name, threads, count, timing, reading, slow, fsumSums));
    };
    for (std::size_t i = 0; i < methods.size(); ++i)
        add(methods[i].name, methods[i].threads, (*timings)[2 + i]);
    add("plain", 1, (*timings)[2 + methods.size()]);
    add("kahan", 1, (*timings)[3 + methods.size()]);
    add("fsum", 1, slow);
    add("read", 1, reading);
    return Status::ok();
}

// Compares ColumnParser with strtod on text: the shortest decimals that read back to the same values.
Status measureText(BenchRun& run, const BenchOptions& options)
{
    const std::size_t count = options.quick ? kQuickCount / 10 : kQuickCount;
    const std::vector<double> values = makeValues(ValuePattern::kSigned, count, 1);
    std::string text;
    for (const double value : values)
        text += fmt::format("{}\n", value);
    std::vector<double> found(count);
    const auto parse = [&] {
        ColumnParser parser("text", ValueType::kFloat64, 1);
        std::size_t parsed = 0;
        const Result<std::size_t> used = parser.parse(text, true, std::as_writable_bytes(std::span(found)), parsed);
        if (!used || parsed != count) found.front() = std::numeric_limits<double>::quiet_NaN();
    };
    std::vector<double> others(count);
    const auto byStrtod = [&] {
        const char* at = text.c_str();
        for (double& value : others)
        {
            char* end = nullptr;
            value = std::strtod(at, &end);
            at = end;
        }
    };
    const Result<std::vector<Timing>> timings =
        run.time("text",
                 {{.section = repeated(parse), .finalCheck = [&] { return found == values; }},
                  {.section = repeated(byStrtod), .finalCheck = [&] { return others == values; }}},
                 exactTrials(options.quick));
    if (!timings) return timings.error();
    Json json = {{"bytes", text.size()}, {"count", count}, {"algorithm", "column-parser"}, {"time_ms", Json()}};
    addPair(json, (*timings)[0], (*timings)[1], "strtod");
    json["megabytes_per_second"] = 1e-3 * double(text.size()) / (*timings)[0].minimumMs;
    json["check"] = (*timings)[0].equal;
    run.add(std::move(json), 1);
    return Status::ok();
}

Plan exactPlan(const BenchOptions& options)
{
    Plan plan;
    plan.head = {{"algorithm", "exact"},
                 {"backend", "cpu"},
                 {"baseline", "fsum, one thread"},
                 {"instruction_set", exactKernels().name}};
    plan.legend = "Ratio to the algorithm of Python's math.fsum on one thread, of the minima of interleaved trials; "
                  "spread: median "
                  "above minimum; of read: the time of\none thread that only reads the values, over this one.";
    plan.tables = {
        {.columns = {wordColumn("of", "/data"), integerColumn("values", "/count"),
                     wordColumn("algorithm", "/algorithm"), integerColumn("threads", "/threads"),
                     numberColumn("ms", "/time_ms/minimum", 3), percentColumn("spread", "/spread"),
                     numberColumn("values/ns", "/values_per_ns", 3), numberColumn("of read", "/share_of_read", 2),
                     numberColumn("ratio", "/ratio", 1), checkColumn()}},
        {.title = "Numbers in text, one thread; ratio to strtod",
         .columns = {wordColumn("reader", "/algorithm"), integerColumn("values", "/count"),
                     numberColumn("ms", "/time_ms/minimum", 3), percentColumn("spread", "/spread"),
                     numberColumn("MB/s", "/megabytes_per_second", 0), numberColumn("ratio", "/ratio", 2),
                     checkColumn()}}};
    const std::size_t count = options.quick ? kQuickCount : kCount;
    for (const ValuePattern pattern : kPatterns)
        plan.cases.push_back({fmt::format("{}, {}", textOf(pattern), count), 9 * count,
                              [&options, pattern](BenchRun& run) { return measure(run, options, pattern); }});
    plan.cases.push_back({"text", 64 * kQuickCount, [&options](BenchRun& run) { return measureText(run, options); }});
    return plan;
}

}  // namespace

Bench exactBench()
{
    return {"exact", "exact sums and numbers in text, against math.fsum and strtod", "a million values, in a second",
            exactPlan};
}

}  // namespace orogen::app::bench
