#include "core/frames/compare/compare_folders.h"

#include <filesystem>

#include <fmt/format.h>

namespace orogen {
namespace {

// Returns whether the folder is of `capture --interleave`, which puts a capture into each of two subfolders.
bool holdsTwoSides(const std::string& folder)
{
    const auto exists = [&folder](const char* name) {
        std::error_code ignored;
        return std::filesystem::exists(folder + name, ignored);
    };
    return !exists("/report.json") && exists("/a/report.json") && exists("/b/report.json");
}

Result<std::vector<Capture>> readSide(std::span<const std::string> folders, const StopReading& stop)
{
    std::vector<Capture> captures;
    for (const std::string& folder : folders)
    {
        if (stop && stop()) return Error{ExitCode::kInterrupted, "interrupted"};
        if (holdsTwoSides(folder))
            return Error{ExitCode::kInput, fmt::format("{}: found two interleaved captures, expected one of them: "
                                                       "{}/a or {}/b",
                                                       folder, folder, folder)};
        Result<Capture> capture = readCapture(folder);
        if (!capture) return capture.error();
        captures.push_back(std::move(*capture));
    }
    return captures;
}

}  // namespace

Result<ComparedFolders> compareFolders(std::span<const std::string> baseline, std::span<const std::string> candidate,
                                       const ComparisonOptions& options, const StopReading& stop)
{
    Result<std::vector<Capture>> first = readSide(baseline, stop);
    if (!first) return first.error();
    Result<std::vector<Capture>> second = readSide(candidate, stop);
    if (!second) return second.error();
    Result<Comparison> comparison = compareCaptures(*first, *second, options);
    if (!comparison) return comparison.error();
    return ComparedFolders{std::move(*first), std::move(*second), std::move(*comparison)};
}

}  // namespace orogen
