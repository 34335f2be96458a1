// The GPU's part of `orogen bench cbt`: the renderer's passes over the tree beside the paper's, in the same turns.
#pragma once

#include <functional>
#include <vector>

#include "app/bench/tree/experiment.h"
#include "app/bench/tree/tree_experiments.h"

namespace orogen::app {

struct GpuTurns
{
    int depth = 24;
    int rounds = 9;
    std::function<bool()> goOn = {};  // asked now and then; empty: always
};

// Rows as of tree_experiments.h; the first is ours.  Empty if goOn() said no.  Error kLimit: a tree does not fit.
Result<std::vector<lab::Row>> measureGpuReductions(GpuLab& lab, const GpuTurns& turns);  // 2^D / 4 leaves
Result<std::vector<lab::Row>> measureGpuDecodes(GpuLab& lab, const GpuTurns& turns);     // 2^D / 4 leaves
// A use of the tree: update, reduction, decoded leaves; and where nothing changes.
Result<std::vector<lab::Row>> measureGpuCycles(GpuLab& lab, const GpuTurns& turns);

}  // namespace orogen::app
