// orogen bench: one subcommand per registered benchmark.
#include <algorithm>
#include <memory>
#include <thread>

#include <CLI/CLI.hpp>

#include "app/base/interrupt.h"
#include "app/base/progress.h"
#include "app/bench/plan/plan_report.h"
#include "app/bench/registry.h"
#include "app/cli/command.h"

namespace orogen::app {
namespace {

struct BenchArguments
{
    bool quick = false, fullGpu = false, json = false, plan = false;
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

void show(const bench::BenchReport& report, const BenchArguments& arguments)
{
    print(arguments.json ? report.json().dump(2) + "\n" : report.text());
}

Result<ExitCode> run(const bench::Bench& bench, const BenchArguments& arguments)
{
    if (bench.beforeAll) bench.beforeAll();
    const Result<bench::BenchReport> report = measure(bench, arguments);
    if (!report) return report.error();
    show(*report, arguments);
    return report->isRight() ? ExitCode::kDone : ExitCode::kNo;
}

Result<ExitCode> plan(const bench::Bench& bench, const BenchArguments& arguments)
{
    const Result<bench::BenchReport> report = bench::planReport(bench.launches);
    if (!report) return report.error();
    show(*report, arguments);
    return ExitCode::kDone;
}

void addBench(CLI::App& parent, const bench::Bench& bench, Command& chosen)
{
    CLI::App* command = parent.add_subcommand(bench.name, bench.about);
    const auto arguments = std::make_shared<BenchArguments>();
    command->add_flag("--quick", arguments->quick, bench.quickHelp);
    if (bench.fullGpuHelp) command->add_flag("--full-gpu", arguments->fullGpu, bench.fullGpuHelp);
    if (bench.launches)
        command->add_flag("--plan", arguments->plan, "estimate each kernel's GPU occupancy; runs nothing")
            ->excludes("--quick");
    command->add_flag("--json", arguments->json, "one JSON object");
    command->callback([arguments, &bench, &chosen] {
        chosen = [arguments, &bench] { return arguments->plan ? plan(bench, *arguments) : run(bench, *arguments); };
    });
}

}  // namespace

void addBenchCommand(CLI::App& root, Command& chosen)
{
    CLI::App* command =
        root.add_subcommand("bench", "compare our algorithms with those of papers and common libraries");
    command->require_subcommand(1);
    for (const bench::Bench& bench : bench::benches())
        addBench(*command, bench, chosen);
}

}  // namespace orogen::app
