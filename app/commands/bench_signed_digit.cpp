#include <algorithm>
#include <cstdlib>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/commands/bench.h"
#include "app/commands/progress.h"
#include "app/interrupt.h"
#include "compute/signed_digit/benchmark.h"
#include "compute/signed_digit/digit_kernels.h"

namespace orogen::app {
namespace {

using compute::SignedDigitBench;
using compute::SignedDigitBenchRow;
using Json = nlohmann::ordered_json;

struct BenchOptions
{
    bool quick = false, json = false;
};

double loadAverage()
{
    double load = 0;
    return getloadavg(&load, 1) == 1 ? load : 0;
}

// The time of the digit loop on the same numbers, over this row's.
double overDigitLoop(const SignedDigitBench& bench, const SignedDigitBenchRow& row)
{
    const auto loop = std::ranges::find_if(bench.rows, [&](const SignedDigitBenchRow& other) {
        return other.algorithm == "digit-loop" && other.operation == row.operation && other.count == row.count &&
               other.digits == row.digits;
    });
    return loop == bench.rows.end() ? 0 : loop->timing.a.minimumMs / row.timing.a.minimumMs;
}

Json benchJson(const SignedDigitBench& bench, double load)
{
    Json json = {{"algorithm", "signed-digit"},
                 {"backend", "cpu"},
                 {"baseline", "gmp, binary, one thread"},
                 {"instruction_set", compute::bestDigitKernels().name},
                 {"load_before", load},
                 {"rows", Json::array()},
                 {"left_out", bench.leftOut}};
    double total = 0;
    for (const SignedDigitBenchRow& row : bench.rows)
    {
        const compute::PairTiming& timing = row.timing;
        json["rows"].push_back({{"operation", row.operation},
                                {"count", row.count},
                                {"digits", row.digits},
                                {"algorithm", row.algorithm},
                                {"time_ms",
                                 {{"convert", row.convertMs},
                                  {"minimum", timing.a.minimumMs},
                                  {"median", timing.a.medianMs},
                                  {"gmp_minimum", timing.b.minimumMs},
                                  {"gmp_median", timing.b.medianMs}}},
                                {"ratio", timing.ratio()},
                                {"ratio_digit_loop", overDigitLoop(bench, row)},
                                {"spread", timing.a.spread()},
                                {"gmp_spread", timing.b.spread()},
                                {"rounds", timing.rounds},
                                {"check", row.equal}});
        total += timing.rounds * (timing.a.medianMs + timing.b.medianMs);
    }
    json["time_ms"]["total"] = total;
    return json;
}

std::string benchText(const SignedDigitBench& bench, double load)
{
    std::string text =
        fmt::format("Resident numbers, one thread; ratio to mpz_add and mpz_addmul on binary numbers, of "
                    "the minima of turns A B A B; spread: median above minimum.\n{}; load before: "
                    "{:.2f}\n\n{:<4} {:>9} {:>7}  {:<11} {:>12} {:>12} {:>7}  {:>12} {:>8} {:>9}  {}\n",
                    compute::bestDigitKernels().name, load, "of", "numbers", "digits", "algorithm", "convert ms", "ms",
                    "spread", "gmp ms", "ratio", "x loop", "check");
    for (const SignedDigitBenchRow& row : bench.rows)
        text += fmt::format(
            "{:<4} {:>9} {:>7}  {:<11} {:>12.4f} {:>12.4f} {:>6.0f}%  {:>12.4f} {:>8.2f} {:>9.1f}  {}\n", row.operation,
            row.count, row.digits, row.algorithm, row.convertMs, row.timing.a.minimumMs, 100 * row.timing.a.spread(),
            row.timing.b.minimumMs, row.timing.ratio(), overDigitLoop(bench, row), row.equal ? "equal" : "DIFFERENT");
    for (const std::string& reason : bench.leftOut)
        text += "left out: " + reason + "\n";
    return text;
}

Result<ExitCode> runBench(const BenchOptions& options)
{
    const double load = loadAverage();
    ProgressLine line;
    compute::SignedDigitBenchOptions bench;
    bench.quick = options.quick;
    bench.progress = [&](int done, int of, const std::string& next) { return line.show(double(done) / of, next); };
    const SignedDigitBench result = benchSignedDigit(bench);
    line.clear();
    if (result.stopped) return interruption().value_or(Error{ExitCode::kInterrupted, "interrupted"});
    print(options.json ? benchJson(result, load).dump(2) + "\n" : benchText(result, load));
    const bool equal = std::ranges::all_of(result.rows, [](const SignedDigitBenchRow& row) { return row.equal; });
    return equal ? ExitCode::kDone : ExitCode::kNo;
}

}  // namespace

void addSignedDigitBench(CLI::App& bench, Command& chosen)
{
    CLI::App* command =
        bench.add_subcommand("signed-digit", "decimal sums and dot products, against mpz_add and mpz_addmul");
    const auto options = std::make_shared<BenchOptions>();
    command->add_flag("--quick", options->quick, "short ones, in a few seconds");
    command->add_flag("--json", options->json, "one JSON object");
    command->callback([options, &chosen] { chosen = [options] { return runBench(*options); }; });
}

}  // namespace orogen::app
