// What is timed on the GPU, each with the check of what it left behind.  The tree is a uniform one that nothing has
// changed, and must stay where it is.
#pragma once

#include "app/bench/harness/interleaved_trials.h"
#include "app/bench/tree/gpu_tree.h"
#include "app/bench/tree/tree_experiments.h"

namespace orogen::app {

// Timed by the CPU's clock, between two moments at which the GPU has nothing to do: timers of a software rasteriser
// cannot be trusted, and a batch is long enough for the waiting not to count.
bench::TrialOptions gpuTrialOptions(int rounds = 9, double seconds = 1e9);

// The tree that all variants of an experiment work on: kFull or kQuarter, of leaves of one depth.
template <class Tree>
Tree uniformTree(bench::Fill fill, int depth)
{
    return Tree(depth, fill == bench::Fill::kFull ? depth : depth - 2);
}

bench::Contender gpuReduction(const GpuTree& tree, bench::Fill fill);  // of counts that were spoilt
bench::Contender gpuPlainPass(const GpuTree& tree, bench::Fill fill);  // wide
bench::Contender gpuScan(const GpuTree& tree, bench::Fill fill);
bench::Contender gpuDecode(const GpuTree& tree, bench::Fill fill);
bench::Contender gpuReductionAndDecode(const GpuTree& tree, bench::Fill fill);
// A hundred uses of a quarter-full tree, splitting and merging alternately; depth <= 24.
bench::Contender gpuCycle(const GpuTree& tree, bench::Fill fill);
bench::Contender gpuCycleAtRest(const GpuTree& tree, bench::Fill fill);

}  // namespace orogen::app
