// Ways to bring a tree's leaves closer to a criterion in one frame, and what they cost in order dependence.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/executor.h"
#include "core/cbt/cbt.h"
#include "core/cbt/changed_reduction.h"
#include "core/leb/round.h"

namespace orogen::app::bench {

// Finer near a point: a leaf splits while its base edge is longer than a share of its distance from the point.
struct Focus
{
    double x = 0.5, y = 0.5;  // in the unit square
    int depth = 20;           // of the finest leaves
    double share = 0.05;

    leb::Wish operator()(NodeId leaf) const;
};

// The peers' frame (libleb, LongestEdgeBisectionDemos): in even frames every leaf that wants to splits with its whole
// forced chain, in odd ones diamonds merge.  From a snapshot of leaves, so that no pass reads what it writes.
// Reduced; returns how many splits and merges were written.
NodeId alternatingFrame(Cbt& tree, int frame, const leb::Criterion& criterion, Executor& executor);

// mark, plan, apply with a reduction that follows the change; leb::runRound() reduces fully.
leb::RoundCounts incrementalRound(Cbt& tree, const leb::Criterion& criterion, Executor& executor,
                                  ChangedReduction& reduction);

enum class UpdateWay
{
    kRound,        // mark, plan, apply, and a full reduction
    kIncremental,  // mark, plan, apply, and a reduction of what changed
    kAlternating,
};

// Frames until nothing changes any more: two in a row, for the ways that alternate.  `most` if it never settles.
int settle(Cbt& tree, UpdateWay way, const leb::Criterion& criterion, Executor& executor, int most = 1000);

// ---- decode and update in one pass, without a list of leaves ----

// What a frame does to a tree, and in which layout.  The fused ones are the paper's: leaf `number` is found and at once
// split or merged while others do the same, so that a descent may meet bits that were written a moment ago.
enum class OneFrame
{
    kRound,
    kAlternating,
    kFusedPlain,       // a leaf splits alone and merges with its sibling: the paper's own operations
    kFusedConforming,  // splits with the forced chain, merges whole diamonds: what terrain needs
};
enum class FusedLayout
{
    kWide,    // the six deepest levels are read from the bits
    kPacked,  // the paper's: the deepest level is
};

struct OrderDependence
{
    int frames = 0, schedules = 0;
    int differing = 0;  // frames after which the leaves depended on the order
    int faulty = 0;     // frames after which, in some order, the mesh had a hole, an overlap or a T-junction
};

// Does each frame from the same sound tree in `schedules` orders of its leaf numbers, the first of them ascending, one
// after the other on one thread: what shows here needs no race.  The focus moves a little from frame to frame.
OrderDependence countOrderDependence(OneFrame kind, FusedLayout layout, int maxDepth, int frames, int schedules,
                                     std::uint64_t seed);

}  // namespace orogen::app::bench
