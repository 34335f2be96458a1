// Pairing of runs from an interleaved capture, whose sides took turns.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "core/frames/report/report_json.h"

namespace orogen {

// A run with its origin.
struct RunOf
{
    const Capture* capture;
    const ReportRun* run;
    std::span<const FrameSample> rows;

    std::string name() const { return capture->folder + '/' + run->file; }
};

struct RunPair
{
    std::size_t baseline = 0, candidate = 0;  // indices of runs
    bool candidateFirst = false;
};

// Returns the pairs in the order of capture.  Empty if any run's capture was not interleaved with one of the other
// side.
std::vector<RunPair> pairsOf(std::span<const RunOf> baseline, std::span<const RunOf> candidate);

}  // namespace orogen
