// Incremental reduction, at a cost that follows the number of changes instead of 2^D.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/base/executor.h"
#include "core/cbt/cbt.h"
#include "core/cbt/word_kernels.h"

namespace orogen {

// Methods of updating the counts; all give the same words.
enum class ReductionWay
{
    kChosen,  // paths at the deep levels, whole levels once those are cheaper
    kPaths,   // only ancestors of changed bits, except on levels with no more nodes than changes
    kFull,    // every level whole
};

// Cost of recounting one node of a path, relative to one node of a level that is summed whole.  Measured on EPYC 9004
// (Zen 4) with scattered changes; an error of a half costs at most a tenth.
struct ReductionCosts
{
    double fieldNode = 20;  // node that is counted from the bits
    double node = 20;
};

// Updates the counts after changes, given as indices of bits in any order.  Indices may repeat, and bits may be
// unchanged. Leaf order is fastest: shared ancestors are recounted once.
//
// With m changes, paths are followed up to about depth log2 m + 4, where they have met.  If most of the tree changed,
// the reduction is that of Cbt::reduce().  Threads take whole subtrees, so that the words are deterministic.
class ChangedReduction
{
public:
    explicit ChangedReduction(Executor& executor, const WordKernels& kernels = bestWordKernels(),
                              const ReductionCosts& costs = {})
        : executor_(executor), kernels_(kernels), costs_(costs)
    {
    }

    // Returns true if every level was summed whole.
    bool reduce(Cbt& tree, std::span<const NodeId> changedBits, ReductionWay way = ReductionWay::kChosen);

    // Returns whether kChosen takes the full reduction for this number of changes.
    bool prefersFull(int maxDepth, std::size_t changes) const;

private:
    struct Subtrees  // adjacent ones
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
    std::vector<std::vector<NodeId>> scratch_;  // per subtree; reused
};

}  // namespace orogen
