// Reduction at a cost that follows the change instead of 2^D.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/base/executor.h"
#include "core/cbt/cbt.h"
#include "core/cbt/word_kernels.h"

namespace orogen {

// How the counts are made right again.  Each way leaves the same words.
enum class ReductionWay
{
    kChosen,  // paths at the deep levels, whole levels from where those are cheaper, up to all of them
    kPaths,   // the ancestors of changed bits alone, but where a level has no more nodes than there are changes
    kFull,    // every level whole
};

// What recounting one node of a path costs, in sums of a level that is summed whole.  Measured on EPYC 9004 (Zen 4)
// with scattered changes; too high or too low by a half, and the choice costs a tenth at its worst.
struct ReductionCosts
{
    double fieldNode = 20;  // counted from the bits
    double node = 20;
};

// Changes are those since the last reduction, as indices of bits in any order; a bit may be named twice, or without
// having changed.  In the order of the leaves is best: what neighbours share is recounted once.
//
// With m changes, paths are followed up to about depth log2 m + 4: above, they have met.  A tree that changed all over
// is reduced as Cbt::reduce() does.  Threads take whole subtrees, so that the words depend on neither their number nor
// their order.
class ChangedReduction
{
public:
    explicit ChangedReduction(Executor& executor, const WordKernels& kernels = bestWordKernels(),
                              const ReductionCosts& costs = {})
        : executor_(executor), kernels_(kernels), costs_(costs)
    {
    }

    // Returns whether every level was summed whole.
    bool reduce(Cbt& tree, std::span<const NodeId> changedBits, ReductionWay way = ReductionWay::kChosen);

    // Whether kChosen takes the full reduction for so many changes.
    bool prefersFull(int maxDepth, std::size_t changes) const;

private:
    struct Subtrees  // neighbours
    {
        NodeId first, count;
        int depth;
    };
    void gather(const Cbt& tree, std::span<const NodeId> changedBits, NodeId first, NodeId end,
                std::vector<NodeId>& nodes) const;
    void followPaths(Cbt& tree, std::vector<NodeId>& nodes, const Subtrees& subtrees, double cost) const;

    Executor& executor_;
    const WordKernels& kernels_;
    const ReductionCosts costs_;
    std::vector<std::vector<NodeId>> scratch_;  // by subtree; kept for their memory
};

}  // namespace orogen
