// The GPU's part of `orogen bench cbt`: the renderer's passes over the tree beside the paper's, in the
// same interleaved trials.
#pragma once

#include <functional>
#include <vector>

#include "app/bench/tree/experiment.h"
#include "app/bench/tree/tree_experiments.h"

namespace orogen::app {

struct GpuParameters
{
    int depth = 24;
    int rounds = 9;
    std::function<bool()> shouldStop = {};  // empty: never
};

// Rows as of tree_experiments.h; the first is ours.  Errors: kLimit (a tree does not fit), kInterrupted.
Result<std::vector<bench::TreeRow>> measureGpuReductions(GpuLab& lab,
                                                         const GpuParameters& parameters);            // 2^D / 4 leaves
Result<std::vector<bench::TreeRow>> measureGpuDecodes(GpuLab& lab, const GpuParameters& parameters);  // 2^D / 4 leaves
// A use of the tree: update, reduction, decoded leaves; and where nothing changes.
Result<std::vector<bench::TreeRow>> measureGpuCycles(GpuLab& lab, const GpuParameters& parameters);

}  // namespace orogen::app
