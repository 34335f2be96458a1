// orogen bench: one subcommand per registered benchmark.  orogen reproduce: the papers' figures, measured here.
#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/base/output.h"
#include "app/base/process.h"
#include "app/bench/figures/figure.h"
#include "app/bench/harness/bench.h"
#include "app/cli/command.h"
#include "core/base/atomic_file.h"
#include "core/base/folder_listing.h"
#include "core/base/text.h"

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

// ---- reproduce ------------------------------------------------------------------------------------------------------

using bench::Figure;
using bench::FigureData;

struct ReproduceOptions
{
    std::vector<std::string> names;
    std::string out;
    double seconds = 30;
    std::vector<std::uint64_t> sizes = {};
};

Result<std::vector<const Figure*>> chosenFigures(const std::vector<std::string>& names)
{
    const std::vector<const Figure*> all = bench::allFigures();
    std::vector<const Figure*> chosen;
    for (const std::string& name : names)
    {
        const auto found = std::ranges::find(all, name, &Figure::name);
        if (found == all.end())
            return Error{ExitCode::kUsage,
                         fmt::format("reproduce: {}: unknown figure (without a name: the list)", name)};
        chosen.push_back(*found);
    }
    return chosen;
}

Result<FigureData> measure(const Figure& figure, const ReproduceOptions& options)
{
    const ExitAtOnce exit;  // a signal ends the process at once: files of earlier figures are complete
    ProgressLine line;
    bench::FigureOptions measuring;
    measuring.secondsPerPoint = options.seconds;
    measuring.sizes = options.sizes;
    measuring.progress = [&](double fraction, const std::string& next) {
        return line.show(fraction, figure.name + ", " + next);
    };
    return figure.measure(measuring);
}

Status reproduce(const Figure& figure, const ReproduceOptions& options)
{
    const Result<FigureData> data = measure(figure, options);
    if (!data) return data.error();
    const std::string base = options.out + "/" + figure.name;
    if (Status status = writeFileAtomically(base + ".csv", bench::figureCsv(*data)); !status) return status;
    if (Status status = writeFileAtomically(base + ".svg", bench::figureSvg(figure, *data)); !status) return status;
    print(fmt::format("{0}.csv\n{0}.svg\n", printable(base)));
    for (const std::string& note : data->notes)
        print("  " + printable(note) + "\n");
    return Status::ok();
}

Result<ExitCode> runReproduce(const ReproduceOptions& options)
{
    if (options.names.empty())
    {
        for (const Figure* figure : bench::allFigures())
            print(fmt::format("{:<28} {}\n", figure->name, figure->about));
        return ExitCode::kDone;
    }
    const Result<std::vector<const Figure*>> figures = chosenFigures(options.names);
    if (!figures) return figures.error();
    if (!std::ranges::is_sorted(options.sizes, std::ranges::less_equal{}))
        return Error{ExitCode::kUsage, "--sizes: expected ascending numbers, each once"};
    for (const Figure* figure : *figures)
        if (!options.sizes.empty() && !figure->takesSizes)
            return Error{ExitCode::kUsage, fmt::format("--sizes: {} is no figure over a size", figure->name)};
    if (options.out.empty()) return Error{ExitCode::kUsage, "--out: expected a folder for the figures"};
    if (const Status status = makeFolder(options.out); !status) return status.error();
    for (const Figure* figure : *figures)
        if (const Status status = reproduce(*figure, options); !status) return status.error();
    return ExitCode::kDone;
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

void addReproduceCommand(CLI::App& root, Command& chosen)
{
    CLI::App* command =
        root.add_subcommand("reproduce", "the papers' figures, measured here; without a name, the list");
    const auto options = std::make_shared<ReproduceOptions>();
    command->add_option("NAME", options->names, "figures");
    command->add_option("--out", options->out, "folder for a CSV and an SVG file each")->type_name("DIR");
    command->add_option("--seconds", options->seconds, "limit for a point; slower ones stay empty (30)")
        ->type_name("S")
        ->check(realIn(0.001, 86400));
    command->add_option("--sizes", options->sizes, "x of the points instead of the figure's own: A,B,C ascending")
        ->delimiter(',')
        ->type_name("A,B,...")
        ->check(CLI::Range(std::uint64_t(1), std::uint64_t(1) << 40));
    command->callback([options, &chosen] { chosen = [options] { return runReproduce(*options); }; });
}

}  // namespace orogen::app
