// Algorithms that the benchmark compares with this program's own. They are those of paper 002 and libcbt on the packed
// layout (core/cbt/packed_cbt.h), and ways to update a tree by a criterion in one frame. Also tests whether an update
// depends on the order of the leaves.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/base/thread_pool.h"
#include "core/cbt/cbt.h"
#include "core/cbt/packed_cbt.h"
#include "core/leb/round.h"

namespace orogen::app::bench {

// The algorithms of paper 002 (Grachev and Ushakov 2023) on the packed layout: each count is accessed separately, and
// atomically, since counts share words. Also libcbt's reduction of that layout, in its own steps.
class PaperTree
{
public:
    explicit PaperTree(const PackedCbt& tree);

    int maxDepth() const { return depth_; }
    std::span<const std::uint32_t> words() const { return words_; }

    bool bit(NodeId index) const;
    NodeId leavesBelow(NodeId node) const;  // stored count; at the deepest level the node's bit as it is now
    void split(NodeId leaf);                // split and merge are one atomic operation each
    void merge(NodeId leaf);

    // Sums D = maxDepth() levels, 2^D - 1 counts. Writes each count by clearing its bits and setting them. Uses the
    // executor's threads.
    void reduce(Executor& executor);

    // Reduces in libcbt's steps, on one thread without atomics: the five deepest levels from each word of the field,
    // then count by count. Every read and every write of a count accesses two words. maxDepth() >= 5.
    void reduceByWords();

    // Finds leaves bit by bit by counting zeros after set bits (figure 5 of paper 002), on one thread. Returns their
    // number.
    std::size_t scanBits(std::span<NodeId> out) const;

private:
    std::uint32_t read(std::uint64_t start, int width) const;
    void write(std::uint64_t start, int width, std::uint32_t value);
    // Read and write `width` bits (at most 32) from the start of a node's count on, in two words; not atomic.
    std::uint32_t readPair(NodeId node, int width) const;
    void writePair(NodeId node, int width, std::uint32_t value);

    int depth_;
    TreeWords words_;
};

// ---- updates of a frame ----

// Criterion that refines towards a point: a leaf above `depth` splits if its base edge exceeds `share` times the
// distance of the edge's middle from the point.
struct Focus
{
    double x = 0.5, y = 0.5;  // point, in the unit square
    int depth = 20;           // depth of the finest leaves
    double share = 0.05;

    leb::Wish operator()(NodeId leaf) const;
};

// Runs a frame as libleb and LongestEdgeBisectionDemos do. Even frames split every requested leaf with the chain of
// leaves that must follow; odd frames merge diamonds (two sibling pairs at an edge). Every frame works on a snapshot of
// the leaves, so that no pass reads what it writes. Reduces the tree and returns the number of requested splits, or of
// merged sibling pairs.
NodeId alternatingFrame(Cbt& tree, int frame, const leb::Criterion& criterion, Executor& executor);

// Updates a tree in the steps of leb::runRound(): mark (evaluates the criterion), plan (decides which requests to carry
// out) and apply. Then recounts only what changed, whereas leb::runRound() recounts everything.
leb::RoundCounts incrementalRound(Cbt& tree, const leb::Criterion& criterion, Executor& executor,
                                  ChangedReduction& reduction);

enum class UpdateWay
{
    kRound,        // mark, plan, apply, and a full reduction
    kIncremental,  // incrementalRound()
    kAlternating,  // alternatingFrame()
};

// Runs frames until one changes nothing (kAlternating: two in a row), at most `most`. Returns their number.
int settle(Cbt& tree, UpdateWay way, const leb::Criterion& criterion, Executor& executor, int most = 1000);

// ---- decode and update in one pass, without a list of leaves ----

// Update of a tree in one frame. The fused kinds work as paper 002 does: a thread finds its leaf by a descent and
// splits or merges it at once. Other threads do so at the same time, so a descent may read bits that were just written.
enum class OneFrame
{
    kRound,            // leb::runRound()
    kAlternating,      // alternatingFrame()
    kFusedPlain,       // a leaf splits alone and merges with its sibling: the operations of paper 002
    kFusedConforming,  // splits with the chain that must follow, merges whole diamonds, as terrain needs
};
enum class FusedLayout
{
    kWide,    // the six deepest levels are read from the bits
    kPacked,  // paper 002: only the deepest level is read from the bits
};

struct OrderDependence
{
    int frames = 0, schedules = 0;
    int differing = 0;  // frames after which the leaves depended on the order
    int faulty = 0;     // frames after which, in some order, the mesh had a hole, an overlap or a T-junction
};

// Repeats each frame on copies of one valid tree, in `schedules` orders of its leaf numbers, the first ascending. Uses
// one thread, so that differences come from the order alone. The focus moves a little from frame to frame.
OrderDependence countOrderDependence(OneFrame kind, FusedLayout layout, int maxDepth, int frames, int schedules,
                                     std::uint64_t seed);

}  // namespace orogen::app::bench
