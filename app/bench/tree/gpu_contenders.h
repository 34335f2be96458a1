// What is timed on the GPU, each with the check of what it left behind.  The tree is a uniform one that nothing has
// changed, and must stay where it is.
#pragma once

#include "app/bench/harness/gpu_measurement.h"
#include "app/bench/tree/gpu_tree.h"
#include "app/bench/tree/tree_experiments.h"

namespace orogen::app {

// The tree that all variants of an experiment work on: kFull or kQuarter, of leaves of one depth.
template <class Tree>
Tree uniformTree(lab::Fill fill, int depth)
{
    return Tree(depth, fill == lab::Fill::kFull ? depth : depth - 2);
}

GpuContender gpuReduction(const GpuTree& tree, lab::Fill fill);  // of counts that were spoilt
GpuContender gpuPlainPass(const GpuTree& tree, lab::Fill fill);  // wide
GpuContender gpuScan(const GpuTree& tree, lab::Fill fill);
GpuContender gpuDecode(const GpuTree& tree, lab::Fill fill);
GpuContender gpuReductionAndDecode(const GpuTree& tree, lab::Fill fill);
// A hundred uses of a quarter-full tree, in turns splitting and merging; depth <= 24.
GpuContender gpuCycle(const GpuTree& tree, lab::Fill fill);
GpuContender gpuCycleAtRest(const GpuTree& tree, lab::Fill fill);

}  // namespace orogen::app
