// Comparison of several sides with the first one, for one output.  A side is a named list of captures.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/frames/compare/comparison.h"

namespace orogen {

inline constexpr std::size_t kLeastSides = 3, kMostSides = 6;  // number of sides in such a comparison

struct NamedFolders
{
    std::string name;
    std::vector<std::string> folders;
};

struct ComparedSides
{
    std::vector<std::string> names;              // the first one is the baseline
    std::vector<std::vector<Capture>> captures;  // one list per name
    std::vector<Comparison> comparisons;         // names[i + 1] with names[0]

    bool anySlower() const;
};

// Compares every other side with the first one.  Errors: as compareFolders(). p-values are multiplied by the number of
// candidates.
Result<ComparedSides> compareSides(std::span<const NamedFolders> sides, const ComparisonOptions& options,
                                   const StopReading& stop = {});

// Return all sides in the formats of a single comparison.
std::string sidesToJson(const ComparedSides& sides, double milliseconds);
std::string sidesToHtml(const ComparedSides& sides);
std::string sidesToMarkdown(const ComparedSides& sides);
std::string sidesToJunit(const ComparedSides& sides);
std::string sidesToGithub(const ComparedSides& sides);

}  // namespace orogen
