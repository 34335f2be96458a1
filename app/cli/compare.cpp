#include <chrono>
#include <filesystem>
#include <memory>
#include <set>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/base/interrupt.h"
#include "app/cli/checks.h"
#include "app/cli/command.h"
#include "app/cli/compare_text.h"
#include "core/base/atomic_file.h"
#include "core/base/output_file.h"
#include "core/frames/compare/compare_folders.h"
#include "core/frames/sample/metric.h"

namespace orogen::app {
namespace {

using Clock = std::chrono::steady_clock;
using Folders = std::vector<std::string>;

struct CompareOptions
{
    Folders baseline, candidate;
    ComparisonOptions comparison;
    std::string html;  // output page; empty: none
    bool json = false;
};

// Rejects duplicates: a run counted twice would make a side look more certain than it is.
Status checkDistinct(const char* option, const Folders& folders)
{
    std::set<std::filesystem::path> seen;
    for (const std::string& folder : folders)
    {
        std::error_code ignored;
        if (seen.insert(std::filesystem::weakly_canonical(folder, ignored)).second) continue;
        return Error{ExitCode::kUsage, fmt::format("{}: found {} twice, expected each capture once", option, folder)};
    }
    return Status::ok();
}

// Checks that the page does not replace one of the compared captures; other files may be replaced.
Status checkPage(const CompareOptions& options)
{
    if (options.html.empty()) return Status::ok();
    Folders read = options.baseline;
    read.insert(read.end(), options.candidate.begin(), options.candidate.end());
    return checkOutputFile(options.html, read, Existing::kReplace);
}

Result<ExitCode> runCompare(const CompareOptions& options)
{
    const Clock::time_point start = Clock::now();
    if (Status status = checkPage(options); !status) return status.error();
    if (Status status = checkDistinct("--baseline", options.baseline); !status) return status.error();
    if (Status status = checkDistinct("--candidate", options.candidate); !status) return status.error();
    const Result<ComparedFolders> compared =
        compareFolders(options.baseline, options.candidate, options.comparison, interrupted);
    if (const std::optional<Error> stop = interruption()) return *stop;
    if (!compared) return compared.error();
    if (!options.html.empty())
        if (Status status = writeFileAtomically(options.html, compared->html()); !status) return status.error();
    const double milliseconds = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
    const Comparison& comparison = compared->comparison;
    print(options.json ? comparisonToJson(comparison, milliseconds) : comparisonText(comparison));
    return comparison.anySlower() ? ExitCode::kNo : ExitCode::kDone;
}

std::string checkMetric(const std::string& name)
{
    if (Metric::named(name)) return {};
    return fmt::format("{}: expected one of {}", name, fmt::join(Metric::allNames(), ", "));
}

}  // namespace

void addCompareCommand(CLI::App& root, Command& chosen)
{
    CLI::App* command = root.add_subcommand("compare", "whether one side's captures are slower than the other's");
    const auto options = std::make_shared<CompareOptions>();
    command->add_option("--baseline", options->baseline, "captures to compare with")->required()->type_name("DIR");
    command->add_option("--candidate", options->candidate, "captures to judge")->required()->type_name("DIR");
    command->add_option("--html", options->html, "write the comparison as a page")->type_name("FILE");
    command
        ->add_option("--metric", options->comparison.metrics,
                     fmt::format("what to compare; may be repeated ({})", fmt::join(usualMetricNames(), ", ")))
        ->allow_extra_args(false)
        ->check(CLI::Validator(checkMetric, ""))
        ->type_name("NAME");
    command
        ->add_option("--margin", options->comparison.marginPercent,
                     fmt::format("ratios within this much of 1 are equivalent ({:g})", kDefaultMarginPercent))
        ->check(realIn(0.01, 100))
        ->type_name("PERCENT");
    command->add_flag("--json", options->json, "one JSON object");
    command->callback([options, &chosen] { chosen = [options] { return runCompare(*options); }; });
}

}  // namespace orogen::app
