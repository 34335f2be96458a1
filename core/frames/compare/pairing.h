// Which runs of two sides were taken one after the other: those of a capture whose sides took turns.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "core/frames/report/report_json.h"

namespace orogen {

// A run and where it comes from.
struct RunOf
{
    const Capture* capture;
    const ReportRun* run;
    std::span<const FrameSample> rows;

    std::string name() const { return capture->folder + '/' + run->file; }
};

struct RunPair
{
    std::size_t baseline = 0, candidate = 0;  // numbers of runs, from 0
    bool candidateFirst = false;
};

// The pairs among the runs, in the order in which they were taken.  Empty where a run comes from a capture that did not
// take turns with one of the other side: then no run has a partner.
std::vector<RunPair> pairsOf(std::span<const RunOf> baseline, std::span<const RunOf> candidate);

}  // namespace orogen
