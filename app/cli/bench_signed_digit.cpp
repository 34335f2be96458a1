#include <algorithm>
#include <cstdlib>
#include <memory>
#include <thread>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/base/interrupt.h"
#include "app/base/progress.h"
#include "app/bench/signed_digit/benchmark.h"
#include "app/cli/bench.h"
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

Json timeJson(const SignedDigitBenchRow& row)
{
    Json json = {{"convert", row.convertMs},
                 {"minimum", row.timing.a.minimumMs},
                 {"median", row.timing.a.medianMs},
                 {"gmp_minimum", row.timing.b.minimumMs},
                 {"gmp_median", row.timing.b.medianMs}};
    if (row.backend != "cpu")
        json.update({{"upload", row.uploadMs}, {"kernel", row.kernelMs}, {"download", row.downloadMs}});
    return json;
}

Json rowJson(const SignedDigitBench& bench, const SignedDigitBenchRow& row)
{
    return {{"operation", row.operation},
            {"count", row.count},
            {"digits", row.digits},
            {"algorithm", row.algorithm},
            {"input", row.input},
            {"backend", row.backend},
            {"threads", row.threads},
            {"time_ms", timeJson(row)},
            {"gigabytes_per_second", row.gigabytesPerSecond()},
            {"gmp_gigabytes_per_second", row.gmpGigabytesPerSecond()},
            {"ratio", row.timing.ratio()},
            {"ratio_digit_loop", overDigitLoop(bench, row)},
            {"spread", row.timing.a.spread()},
            {"gmp_spread", row.timing.b.spread()},
            {"rounds", row.timing.rounds},
            {"check", row.equal}};
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
        json["rows"].push_back(rowJson(bench, row));
        total += row.timing.rounds * (row.timing.a.medianMs + row.timing.b.medianMs);
    }
    json["time_ms"]["total"] = total;
    return json;
}

std::string rowText(const SignedDigitBench& bench, const SignedDigitBenchRow& row)
{
    std::string text =
        fmt::format("{:<4} {:>9} {:>7}  {:<12} {:<8} {:<20} {:>7} {:>10.2f} {:>11.4f} {:>6.0f}% {:>7.2f}",
                    row.operation, row.count, row.digits, row.algorithm, row.input, row.backend, row.threads,
                    row.convertMs, row.timing.a.minimumMs, 100 * row.timing.a.spread(), row.gigabytesPerSecond());
    text +=
        fmt::format("  {:>10.4f} {:>7.2f} {:>8.2f} {:>9.1f}  {}", row.timing.b.minimumMs, row.gmpGigabytesPerSecond(),
                    row.timing.ratio(), overDigitLoop(bench, row), row.equal ? "equal" : "DIFFERENT");
    if (row.backend != "cpu")
        text += fmt::format("  up {:.4f}, kernels {:.4f}, down {:.4f} ms", row.uploadMs, row.kernelMs, row.downloadMs);
    return text + "\n";
}

std::string benchText(const SignedDigitBench& bench, double load)
{
    std::string text = fmt::format(
        "Ratio to mpz_add and mpz_addmul on binary numbers (of `read`: to mpz_set_str) on one thread, of the minima of "
        "turns A B A B; spread: median\nabove minimum; GB/s: of decimal digits, a byte each; x loop: how many times as "
        "fast as digit after digit.\n{}; load before: {:.2f}\n\n",
        compute::bestDigitKernels().name, load);
    text += fmt::format("{:<4} {:>9} {:>7}  {:<12} {:<8} {:<20} {:>7} {:>10} {:>11} {:>7} {:>7}  {:>10} {:>7} {:>8} "
                        "{:>9}  {}\n",
                        "of", "numbers", "digits", "algorithm", "input", "back end", "threads", "convert ms", "ms",
                        "spread", "GB/s", "gmp ms", "GB/s", "ratio", "x loop", "check");
    for (const SignedDigitBenchRow& row : bench.rows)
        text += rowText(bench, row);
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
    bench.threads = int(std::clamp(std::thread::hardware_concurrency(), 1u, 16u));
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
