#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "app/base/interrupt.h"
#include "app/base/progress.h"
#include "app/bench/linear_algebra/benchmark.h"
#include "app/cli/bench.h"
#include "compute/linear_algebra/peers/openblas_solver.h"
#include "compute/linear_algebra/vector_kernels.h"

namespace orogen::app {
namespace {

using compute::CgBench;
using compute::CgBenchRow;
using Json = nlohmann::ordered_json;

constexpr const char* kCoreVariable = "OPENBLAS_CORETYPE";

struct BenchOptions
{
    bool quick = false, json = false;
};

double loadAverage()
{
    double load = 0;
    return getloadavg(&load, 1) == 1 ? load : 0;
}

// OpenBLAS reads its variable once, when it is loaded, and GDAL brings it along: this program is started again with the
// variable set.  Where that fails, the bench goes on with what OpenBLAS chose, and names it.
void askForBestOpenBlas()
{
    const std::string best = compute::OpenBlas::bestCore();
    if (best.empty() || std::getenv(kCoreVariable)) return;
    setenv(kCoreVariable, best.c_str(), 1);
    if (!compute::OpenBlas::isLoaded()) return;
    std::ifstream file("/proc/self/cmdline", std::ios::binary);
    std::string words(std::istreambuf_iterator<char>(file), {});
    std::vector<char*> arguments;
    for (std::size_t at = 0; at < words.size(); at = words.find('\0', at) + 1)
    {
        arguments.push_back(words.data() + at);
        if (words.find('\0', at) == std::string::npos) return;
    }
    arguments.push_back(nullptr);
    execv("/proc/self/exe", arguments.data());
}

Json rowJson(const CgBenchRow& row)
{
    Json json = {{"operation", row.operation},
                 {"n", row.size},
                 {"algorithm", row.algorithm},
                 {"backend", row.backend},
                 {"threads", row.threads},
                 {"baseline", row.baseline},
                 {"baseline_threads", row.baselineThreads},
                 {"time_ms",
                  {{"prepare", row.prepareMs},
                   {"minimum", row.timing.a.minimumMs},
                   {"median", row.timing.a.medianMs},
                   {"baseline_minimum", row.timing.b.minimumMs},
                   {"baseline_median", row.timing.b.medianMs}}},
                 {"ratio", row.timing.ratio()},
                 {"spread", row.timing.a.spread()},
                 {"baseline_spread", row.timing.b.spread()},
                 {"rounds", row.timing.rounds},
                 {"iterations", row.iterations},
                 {"baseline_iterations", row.baselineIterations},
                 {"products", row.products}};
    if (row.operation == "solve")
        json.update({{"relative_residual", row.error}, {"baseline_relative_residual", row.baselineError}});
    else
        json["difference"] = row.error;
    if (row.bytes > 0) json["gigabytes_per_second"] = row.gigabytesPerSecond();
    json["check"] = row.equal;
    return json;
}

Json benchJson(const CgBench& bench, double load)
{
    Json json = {{"algorithm", "cg"},
                 {"backend", "cpu"},
                 {"tolerance", compute::kBenchTolerance},
                 {"instruction_set", compute::vectorKernels().name},
                 {"eigen", bench.eigen},
                 {"openblas_core", bench.openBlasCore.empty() ? Json(nullptr) : Json(bench.openBlasCore)},
                 {"load_before", load},
                 {"rows", Json::array()},
                 {"left_out", bench.leftOut}};
    double total = 0;
    for (const CgBenchRow& row : bench.rows)
    {
        json["rows"].push_back(rowJson(row));
        total += row.timing.rounds * (row.timing.a.medianMs + row.timing.b.medianMs);
    }
    json["time_ms"]["total"] = total;
    return json;
}

std::string rowText(const CgBenchRow& row)
{
    const std::string speed = row.bytes > 0 ? fmt::format("{:.1f}", row.gigabytesPerSecond()) : "";
    const std::string iterations =
        row.iterations > 0 ? fmt::format("{}/{}", row.iterations, row.baselineIterations) : "";
    return fmt::format("{:<8} {:>5}  {:<20} {:<4} {:>7} {:>8.2f} {:>9.3f} {:>6.0f}% {:>6}  {:<30} {:>9.3f} {:>6.0f}% "
                       "{:>6.2f} {:>8} {:>8.1e}  {}\n",
                       row.operation, row.size, row.algorithm, row.backend, row.threads, row.prepareMs,
                       row.timing.a.minimumMs, 100 * row.timing.a.spread(), speed, row.baseline, row.timing.b.minimumMs,
                       100 * row.timing.b.spread(), row.timing.ratio(), iterations, row.error,
                       row.equal ? "equal" : "DIFFERENT");
}

std::string benchText(const CgBench& bench, double load)
{
    std::string text = fmt::format(
        "A_ij = exp(-|i - j| / 50) + delta_ij, to {:g}. Ratio: how many times as fast as the baseline, of the minima "
        "of turns A B A B; spread: median\nabove minimum; error: the residual, recomputed, or how far the results are "
        "apart.\n{}; Eigen: {}; OpenBLAS: {}; load before: {:.2f}\n\n",
        compute::kBenchTolerance, compute::vectorKernels().name, bench.eigen,
        bench.openBlasCore.empty() ? "not here" : bench.openBlasCore, load);
    text +=
        fmt::format("{:<8} {:>5}  {:<20} {:<4} {:>7} {:>8} {:>9} {:>7} {:>6}  {:<30} {:>9} {:>7} {:>6} {:>8} {:>8}  "
                    "{}\n",
                    "", "n", "algorithm", "on", "threads", "prepare", "ms", "spread", "GB/s", "baseline", "ms",
                    "spread", "ratio", "steps", "error", "check");
    for (const CgBenchRow& row : bench.rows)
        text += rowText(row);
    for (const std::string& reason : bench.leftOut)
        text += "left out: " + reason + "\n";
    return text;
}

Result<ExitCode> runBench(const BenchOptions& options)
{
    askForBestOpenBlas();
    const double load = loadAverage();
    ProgressLine line;
    compute::CgBenchOptions bench;
    bench.quick = options.quick;
    bench.threads = int(std::clamp(std::thread::hardware_concurrency(), 1u, 16u));
    bench.progress = [&](int done, int of, const std::string& next) { return line.show(double(done) / of, next); };
    const CgBench result = benchCg(bench);
    line.clear();
    if (result.stopped) return interruption().value_or(Error{ExitCode::kInterrupted, "interrupted"});
    print(options.json ? benchJson(result, load).dump(2) + "\n" : benchText(result, load));
    const bool equal = std::ranges::all_of(result.rows, [](const CgBenchRow& row) { return row.equal; });
    return equal ? ExitCode::kDone : ExitCode::kNo;
}

}  // namespace

void addCgBench(CLI::App& bench, Command& chosen)
{
    CLI::App* command =
        bench.add_subcommand("cg", "conjugate gradients and Cholesky, against Eigen, LAPACK and the paper's own");
    const auto options = std::make_shared<BenchOptions>();
    command->add_flag("--quick", options->quick, "a small matrix, in a few seconds");
    command->add_flag("--json", options->json, "one JSON object");
    command->callback([options, &chosen] { chosen = [options] { return runBench(*options); }; });
}

}  // namespace orogen::app
