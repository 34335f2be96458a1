#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <thread>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/base/interrupt.h"
#include "app/base/progress.h"
#include "app/bench/multiword/benchmark.h"
#include "app/cli/bench.h"
#include "compute/multiword/limb_kernels.h"
#include "core/base/memory.h"

namespace orogen::app {
namespace {

using compute::MultiwordBench;
using compute::MultiwordBenchRow;
using Json = nlohmann::ordered_json;

struct BenchOptions
{
    bool quick = false, json = false;
};

// Jobs that want to run, of the last minute: what a benchmark on a busy machine is worth.
double loadAverage()
{
    double load = 0;
    return getloadavg(&load, 1) == 1 ? load : 0;
}

const char* checkText(const MultiwordBenchRow& row) { return !row.checked ? "-" : row.equal ? "equal" : "DIFFERENT"; }

Json rowJson(const MultiwordBenchRow& row)
{
    return {{"algorithm", row.algorithm},
            {"backend", row.backend},
            {"threads", row.threads},
            {"data", row.data},
            {"bytes", row.bytes},
            {"time_ms",
             {{"minimum", row.timing.a.minimumMs},
              {"median", row.timing.a.medianMs},
              {"gmp_minimum", row.timing.b.minimumMs},
              {"gmp_median", row.timing.b.medianMs}}},
            {"gigabytes_per_second", row.gigabytesPerSecond()},
            {"ratio", row.timing.ratio()},
            {"spread", row.timing.a.spread()},
            {"gmp_spread", row.timing.b.spread()},
            {"rounds", row.timing.rounds},
            {"check", row.checked ? Json(row.equal) : Json(nullptr)}};
}

Json benchJson(const MultiwordBench& bench, double load, double ms)
{
    Json json = {{"algorithm", "multiword"},      {"backend", "cpu"},
                 {"baseline", "gmp, one thread"}, {"instruction_set", compute::bestLimbKernels().name},
                 {"load_before", load},           {"rows", Json::array()},
                 {"left_out", bench.leftOut},     {"time_ms", {{"total", ms}}}};
    for (const MultiwordBenchRow& row : bench.rows)
        json["rows"].push_back(rowJson(row));
    return json;
}

std::string benchText(const MultiwordBench& bench, double load)
{
    std::string text =
        fmt::format("GB/s of both operands and the sum; ratio to mpn_add_n on one thread, of the minima of turns "
                    "A B A B; spread: median above minimum.\n{}; load before: {:.2f}\n\n",
                    compute::bestLimbKernels().name, load);
    text += fmt::format("{:<7} {:>9}  {:<10} {:<21} {:>7} {:>9} {:>7}  {:>9} {:>7}  {:>6}  {}\n", "data", "operand",
                        "algorithm", "back end", "threads", "GB/s", "spread", "gmp GB/s", "spread", "ratio", "check");
    for (const MultiwordBenchRow& row : bench.rows)
        text += fmt::format("{:<7} {:>9}  {:<10} {:<21} {:>7} {:>9.2f} {:>6.0f}%  {:>9.2f} {:>6.0f}%  {:>6.2f}  {}\n",
                            row.data, bytesText(double(row.bytes)), row.algorithm, row.backend, row.threads,
                            row.gigabytesPerSecond(), 100 * row.timing.a.spread(), row.gmpGigabytesPerSecond(),
                            100 * row.timing.b.spread(), row.timing.ratio(), checkText(row));
    for (const std::string& reason : bench.leftOut)
        text += "left out: " + reason + "\n";
    return text;
}

Result<ExitCode> runBench(const BenchOptions& options)
{
    const auto start = std::chrono::steady_clock::now();
    const double load = loadAverage();
    ProgressLine line;
    compute::MultiwordBenchOptions bench;
    bench.quick = options.quick;
    bench.threads = int(std::clamp(std::thread::hardware_concurrency(), 1u, 16u));
    bench.progress = [&](int done, int of, const std::string& next) { return line.show(double(done) / of, next); };
    const Result<MultiwordBench> result = benchMultiword(bench);
    line.clear();
    if (!result) return result.error();
    if (result->stopped) return interruption().value_or(Error{ExitCode::kInterrupted, "interrupted"});
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
    print(options.json ? benchJson(*result, load, took.count()).dump(2) + "\n" : benchText(*result, load));
    const bool equal = std::ranges::all_of(result->rows, [](const MultiwordBenchRow& row) { return row.equal; });
    return equal ? ExitCode::kDone : ExitCode::kNo;
}

}  // namespace

void addMultiwordBench(CLI::App& bench, Command& chosen)
{
    CLI::App* command = bench.add_subcommand("multiword", "additions from 1 KiB to 512 MiB, against mpn_add_n");
    const auto options = std::make_shared<BenchOptions>();
    command->add_flag("--quick", options->quick, "up to 4 MiB, in a few seconds");
    command->add_flag("--json", options->json, "one JSON object");
    command->callback([options, &chosen] { chosen = [options] { return runBench(*options); }; });
}

}  // namespace orogen::app
