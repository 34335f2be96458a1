// Reading and comparing captures in folders, for the command line and the Capture panel.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/base/text_file.h"
#include "core/frames/compare/comparison.h"

namespace orogen {

struct ComparedFolders
{
    std::vector<Capture> baseline, candidate;
    Comparison comparison;

    std::string html() const { return comparisonToHtml(comparison, baseline, candidate); }
};

// Errors: those of readCapture() and compareCaptures(); kInput for a folder with the two sides of one capture;
// kInterrupted after `stop`.
Result<ComparedFolders> compareFolders(std::span<const std::string> baseline, std::span<const std::string> candidate,
                                       const ComparisonOptions& options, const StopReading& stop = {});

}  // namespace orogen
