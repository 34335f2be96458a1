// Algorithms on trees that the benchmark compares with ours: the paper's and libcbt's on the packed layout, and ways to
// bring a tree's leaves closer to a criterion in one frame, with their dependence on order.
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

// The algorithms of Grachev and Ushakov 2023 on the packed layout, as in the paper: each count separately, with atomic
// access to words that several counts share. Also libcbt's reduction of that layout, in its own steps. PackedCbt needs
// fewer accesses: it reads a second word only if a count extends into it.
class PaperTree
{
public:
    explicit PaperTree(const PackedCbt& tree);

    int maxDepth() const { return depth_; }
    std::span<const std::uint32_t> words() const { return words_; }

    bool bit(NodeId index) const;
    NodeId leavesBelow(NodeId node) const;  // stored count; at depth D the current bit
    void split(NodeId leaf);                // one atomic operation each
    void merge(NodeId leaf);

    // Computes D levels, 2^D - 1 sums, each written by clearing its bits and setting them. Uses several threads.
    void reduce(Executor& executor);

    // Reduces in libcbt's steps, on one thread without atomics: the five deepest levels from each word of the field,
    // then count by count. Every read and every write accesses two words.
    void reduceByWords();

    // Finds leaves bit by bit, counting zeros after each set bit (figure 5), on one thread. Returns their number.
    std::size_t scanBits(std::span<NodeId> out) const;

private:
    std::uint32_t read(std::uint64_t start, int width) const;
    void write(std::uint64_t start, int width, std::uint32_t value);
    std::uint32_t readPair(NodeId node, int width) const;
    void writePair(NodeId node, int width, std::uint32_t value);

    int depth_;
    TreeWords words_;
};

// ---- updates of a frame ----

// Criterion that is finer near a point: a leaf splits if its base edge exceeds a share of its distance from there.
struct Focus
{
    double x = 0.5, y = 0.5;  // in the unit square
    int depth = 20;           // depth of the finest leaves
    double share = 0.05;

    leb::Wish operator()(NodeId leaf) const;
};

// Runs a frame as libleb and LongestEdgeBisectionDemos do. Even frames split every requested leaf with its whole forced
// chain; odd frames merge diamonds. Both use a snapshot of leaves, so that no pass reads what it writes. Reduces the
// tree and returns the number of splits and merges.
NodeId alternatingFrame(Cbt& tree, int frame, const leb::Criterion& criterion, Executor& executor);

// Runs mark, plan and apply, and reduces only what changed; leb::runRound() reduces fully.
leb::RoundCounts incrementalRound(Cbt& tree, const leb::Criterion& criterion, Executor& executor,
                                  ChangedReduction& reduction);

enum class UpdateWay
{
    kRound,        // mark, plan, apply, and a full reduction
    kIncremental,  // mark, plan, apply, and a reduction of what changed
    kAlternating,
};

// Returns the frames until nothing changes any more (twice in a row for kAlternating), at most `most`.
int settle(Cbt& tree, UpdateWay way, const leb::Criterion& criterion, Executor& executor, int most = 1000);

// ---- decode and update in one pass, without a list of leaves ----

// Update of a tree in one frame. The fused kinds are the paper's: a thread finds leaf `number` and at once splits or
// merges it while others do the same. A descent may therefore read bits that were just written.
enum class OneFrame
{
    kRound,
    kAlternating,
    kFusedPlain,       // a leaf splits alone and merges with its sibling: the paper's own operations
    kFusedConforming,  // splits with the forced chain, merges whole diamonds, as terrain needs
};
enum class FusedLayout
{
    kWide,    // the six deepest levels are read from the bits
    kPacked,  // the paper's: only the deepest level is
};

struct OrderDependence
{
    int frames = 0, schedules = 0;
    int differing = 0;  // frames after which the leaves depended on the order
    int faulty = 0;     // frames after which, in some order, the mesh had a hole, an overlap or a T-junction
};

// Runs each frame from the same valid tree in `schedules` orders of its leaf numbers, the first ascending. All run on
// one thread, so that differences need no race. The focus moves a little from frame to frame.
OrderDependence countOrderDependence(OneFrame kind, FusedLayout layout, int maxDepth, int frames, int schedules,
                                     std::uint64_t seed);

}  // namespace orogen::app::bench
