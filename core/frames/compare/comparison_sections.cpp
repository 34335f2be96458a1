// Comparison by sections of the camera path: each section's frames are compared as captures of their own.
#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "core/frames/compare/comparison.h"
#include "core/frames/report/report.h"

namespace orogen {
namespace {

using Captures = std::span<const Capture>;

bool hasSection(const Capture& capture, const std::string& name)
{
    return std::ranges::find(capture.report.sections, name, &SectionStatistics::name) != capture.report.sections.end();
}

// Returns the sections of all captures, in the order of the first one.
std::vector<std::string> commonSections(Captures baseline, Captures candidate)
{
    std::vector<std::string> names;
    const auto has = [&](const std::string& name) {
        return [&name](const Capture& capture) { return hasSection(capture, name); };
    };
    for (const SectionStatistics& section : baseline.front().report.sections)
        if (std::ranges::all_of(baseline, has(section.name)) && std::ranges::all_of(candidate, has(section.name)))
            names.push_back(section.name);
    return names;
}

// Returns the captures with the frames of one section alone, without the section's name.
std::vector<Capture> onlySection(Captures captures, const std::string& name)
{
    std::vector<Capture> only;
    for (const Capture& capture : captures)
    {
        Capture& part = only.emplace_back(Capture{capture.folder, capture.report, {}});
        part.report.sections.clear();
        for (std::size_t run = 0; run < capture.rows.size(); ++run)
        {
            std::vector<FrameSample>& rows = part.rows.emplace_back();
            std::ranges::copy_if(capture.rows[run], std::back_inserter(rows),
                                 [&](const FrameSample& row) { return row.measured() && row.section == name; });
            for (FrameSample& row : rows)
                row.section.clear();
            summarize(part.report.runs[run], rows, part.report.statistics.budgetMs);
        }
    }
    return only;
}

}  // namespace

void addSections(Comparison& to, Captures baseline, Captures candidate, const ComparisonOptions& options)
{
    const std::vector<std::string> names = commonSections(baseline, candidate);
    ComparisonOptions each = options;
    each.among = names.size();
    for (const std::string& name : names)
    {
        Result<Comparison> compared = compareCaptures(onlySection(baseline, name), onlySection(candidate, name), each);
        if (compared)
            to.sections.push_back({name, std::move(*compared)});
        else
            to.notes.push_back(fmt::format("section {} is left out: {}", name.empty() ? "before the first mark" : name,
                                           compared.error().message));
    }
}

}  // namespace orogen
