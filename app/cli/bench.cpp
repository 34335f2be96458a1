// orogen bench: a subcommand for each benchmark of the registry.
#include <algorithm>
#include <memory>
#include <thread>

#include <CLI/CLI.hpp>

#include "app/base/interrupt.h"
#include "app/base/progress.h"
#include "app/bench/registry.h"
#include "app/cli/command.h"

namespace orogen::app {
namespace {

struct BenchArguments
{
    bool quick = false, fullGpu = false, json = false;
};

Result<bench::BenchReport> measure(const bench::Bench& bench, const BenchArguments& arguments)
{
    const ExitAtOnce exit;
    ProgressLine line;
    bench::BenchOptions options{.quick = arguments.quick, .fullGpu = arguments.fullGpu};
    options.threads = int(std::clamp(std::thread::hardware_concurrency(), 1u, 16u));
    options.progress = [&](double fraction, const std::string& now) { return line.show(fraction, now); };
    return runBench(bench, options);
}

Result<ExitCode> run(const bench::Bench& bench, const BenchArguments& arguments)
{
    if (bench.beforeAll) bench.beforeAll();
    const Result<bench::BenchReport> report = measure(bench, arguments);
    if (!report) return report.error();
    print(arguments.json ? report->json().dump(2) + "\n" : report->text());
    return report->isRight() ? ExitCode::kDone : ExitCode::kNo;
}

void addBench(CLI::App& parent, const bench::Bench& bench, Command& chosen)
{
    CLI::App* command = parent.add_subcommand(bench.name, bench.about);
    const auto arguments = std::make_shared<BenchArguments>();
    command->add_flag("--quick", arguments->quick, bench.quickHelp);
    if (bench.fullGpuHelp) command->add_flag("--full-gpu", arguments->fullGpu, bench.fullGpuHelp);
    command->add_flag("--json", arguments->json, "one JSON object");
    command->callback(
        [arguments, &bench, &chosen] { chosen = [arguments, &bench] { return run(bench, *arguments); }; });
}

}  // namespace

void addBenchCommand(CLI::App& root, Command& chosen)
{
    CLI::App* command =
        root.add_subcommand("bench", "side by side: ours, a paper's, and what a user would take instead");
    command->require_subcommand(1);
    for (const bench::Bench& bench : bench::benches())
        addBench(*command, bench, chosen);
}

}  // namespace orogen::app
