#include "app/bench/tree/updates.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <numeric>
#include <set>

#include "app/bench/tree/paper_tree.h"
#include "core/cbt/tree.h"
#include "core/leb/conformity.h"
#include "core/leb/leb.h"

namespace orogen::app::bench {

leb::Wish Focus::operator()(NodeId leaf) const
{
    const auto wants = [this](NodeId node) {
        if (depthOf(node) >= depth) return false;
        const leb::Edge base = leb::baseEdge(leb::vertices(node));
        const double scale = 0.5 / leb::kSide;
        const double dx = (base.low.x + base.high.x) * scale - x, dy = (base.low.y + base.high.y) * scale - y;
        return std::exp2(1.0 - depthOf(node)) > share * share * (dx * dx + dy * dy);  // squared lengths
    };
    return {.split = wants(leaf), .merge = leaf > 3 && !wants(leaf / 2)};
}

namespace {

// Sets the bits of a leaf's forced chain as libleb walks it: to the root, without a look at the tree.  Bits of nodes
// that are inner already are set again.
template <class Tree>
void splitWithChain(Tree& tree, NodeId leaf)
{
    tree.split(leaf);
    for (NodeId node = leb::neighbours(leaf).edge; node > 1;)
    {
        tree.split(node);
        node /= 2;
        if (node <= 1) break;
        tree.split(node);
        node = leb::neighbours(node).edge;
    }
}

// Bits that a splitting or merging pass writes for a leaf, of its own pair of siblings.
bool mergesInSnapshot(const Cbt& tree, NodeId leaf, const leb::Criterion& criterion)
{
    if (leaf <= 3 || leaf % 2 == 0 || !criterion(leaf).merge) return false;
    const NodeId across = leb::neighbours(leaf / 2).edge;
    const auto merges = [&](NodeId node) { return tree.isLeaf(node) && criterion(node).merge; };
    return merges(leaf - 1) && (across == 0 || (merges(2 * across) && merges(2 * across + 1)));
}

}  // namespace

NodeId alternatingFrame(Cbt& tree, int frame, const leb::Criterion& criterion, Executor& executor)
{
    std::vector<NodeId> leaves(tree.leafCount());
    decodeLeaves(tree, leaves, executor);
    const bool splitting = frame % 2 == 0;
    std::vector<std::uint8_t> chosen(leaves.size());
    std::atomic<NodeId> changes = 0;
    executor.run(NodeId(leaves.size()), [&](NodeId begin, NodeId end) {
        NodeId here = 0;
        for (NodeId number = begin; number < end; ++number)
        {
            const NodeId leaf = leaves[number];
            chosen[number] = splitting ? criterion(leaf).split && depthOf(leaf) < tree.maxDepth()
                                       : mergesInSnapshot(tree, leaf, criterion);
            here += chosen[number];
        }
        changes.fetch_add(here, std::memory_order_relaxed);
    });
    executor.run(NodeId(leaves.size()), [&](NodeId begin, NodeId end) {
        for (NodeId number = begin; number < end; ++number)
            if (chosen[number]) splitting ? splitWithChain(tree, leaves[number]) : tree.merge(leaves[number]);
    });
    tree.reduce(executor);
    return changes;
}

leb::RoundCounts incrementalRound(Cbt& tree, const leb::Criterion& criterion, Executor& executor,
                                  ChangedReduction& reduction)
{
    leb::Round round(tree, executor);
    round.mark(criterion);
    const leb::RoundCounts counts = round.plan(~NodeId(0));
    round.apply();
    reduction.reduce(tree, round.changedBits());
    return counts;
}

int settle(Cbt& tree, UpdateWay way, const leb::Criterion& criterion, Executor& executor, int most)
{
    ChangedReduction reduction(executor);
    for (int frame = 0, quiet = 0; frame < most; ++frame)
    {
        NodeId changes = 0;
        if (way == UpdateWay::kAlternating)
            changes = alternatingFrame(tree, frame, criterion, executor);
        else
        {
            const leb::RoundCounts counts = way == UpdateWay::kRound
                                                ? leb::runRound(tree, ~NodeId(0), criterion, executor)
                                                : incrementalRound(tree, criterion, executor, reduction);
            changes = counts.splits + counts.merges;
        }
        quiet = changes == 0 ? quiet + 1 : 0;
        if (quiet == (way == UpdateWay::kAlternating ? 2 : 1)) return frame + 1;
    }
    return most;
}

// ---- decode and update in one pass ----

namespace {

// By what is stored now, never below depth D whatever it meets.
template <class Tree>
NodeId descend(const Tree& tree, NodeId number)
{
    NodeId node = 1;
    while (depthOf(node) < tree.maxDepth() && tree.leavesBelow(node) > 1)
    {
        node *= 2;
        if (const NodeId left = tree.leavesBelow(node); number >= left)
        {
            number -= left;
            ++node;
        }
    }
    return node;
}

template <class Tree>
bool isLeafByCounts(const Tree& tree, NodeId node)
{
    return tree.leavesBelow(node) == 1 && (node == 1 || tree.leavesBelow(node / 2) > 1);
}

template <class Tree>
void updateAlone(Tree& tree, NodeId leaf, const leb::Wish& wish)
{
    if (wish.split)
        tree.split(leaf);
    else if (wish.merge && isLeafByCounts(tree, leaf ^ 1u))
        tree.merge(leaf);
}

template <class Tree>
void updateConforming(Tree& tree, NodeId leaf, const leb::Wish& wish)
{
    if (wish.split && depthOf(leaf) < tree.maxDepth()) return splitWithChain(tree, leaf);
    if (!wish.merge || leaf <= 3) return;
    const NodeId across = leb::neighbours(leaf / 2).edge;
    const bool whole = isLeafByCounts(tree, leaf ^ 1u) &&
                       (across == 0 || (isLeafByCounts(tree, 2 * across) && isLeafByCounts(tree, 2 * across + 1)));
    if (whole) tree.merge(leaf);
}

template <class Tree>
void fusedFrame(Tree& tree, bool conforming, const leb::Criterion& criterion, const std::vector<NodeId>& order)
{
    for (const NodeId number : order)
    {
        const NodeId leaf = descend(tree, number);
        if (leaf <= 1) continue;
        conforming ? updateConforming(tree, leaf, criterion(leaf)) : updateAlone(tree, leaf, criterion(leaf));
    }
}

// Runs single indices in a given order.
class OrderedExecutor final : public Executor
{
public:
    explicit OrderedExecutor(const std::vector<NodeId>& order) : order_(order) {}
    void run(std::uint32_t count, const Body& body) override
    {
        if (count != order_.size())
            body(0, count);
        else
            for (const NodeId index : order_)
                body(index, index + 1);
    }

private:
    const std::vector<NodeId>& order_;
};

struct Outcome
{
    std::vector<std::uint32_t> field;  // the bits
    bool faulty = false;
};

// What a mesh is, read off the bits: a tree whose leaves do not tile has no conforming mesh either.
Outcome judged(Cbt& tree)
{
    tree.reduce();
    const std::span<const std::uint32_t> words = tree.words();
    Outcome outcome{.field = {words.begin() + std::ptrdiff_t(words.size() / 2), words.end()}};
    outcome.faulty = !isWellFormed(tree) || !leb::conformityFault(tree).empty();
    return outcome;
}

// The bits of a packed tree in a wide one.
Cbt wideOf(const PaperTree& packed)
{
    Cbt wide(packed.maxDepth());
    for (NodeId bit = 1; bit < NodeId(1) << packed.maxDepth(); ++bit)
    {
        if (!packed.bit(bit)) continue;
        NodeId node = (NodeId(1) << packed.maxDepth()) + bit;
        node >>= std::countr_zero(node);
        wide.split(node / 2);  // sets the bit of its right child
    }
    return wide;
}

Outcome outcomeOf(OneFrame kind, FusedLayout layout, const Cbt& before, int frame, const leb::Criterion& criterion,
                  const std::vector<NodeId>& order)
{
    Cbt tree = before;
    if (kind == OneFrame::kRound || kind == OneFrame::kAlternating)
    {
        OrderedExecutor executor(order);
        if (kind == OneFrame::kRound)
            leb::runRound(tree, ~NodeId(0), criterion, executor);
        else
            alternatingFrame(tree, frame, criterion, executor);
        return judged(tree);
    }
    const bool conforming = kind == OneFrame::kFusedConforming;
    if (layout == FusedLayout::kWide)
    {
        fusedFrame(tree, conforming, criterion, order);
        return judged(tree);
    }
    PaperTree packed(reencoded<PackedCbt>(before, before.maxDepth(), before.maxDepth()));
    fusedFrame(packed, conforming, criterion, order);
    Cbt result = wideOf(packed);
    return judged(result);
}

// Fisher and Yates, by a generator that is the same everywhere.
void shuffle(std::vector<NodeId>& order, std::uint64_t& state)
{
    for (std::size_t i = order.size(); i > 1; --i)
    {
        state = state * 6364136223846793005u + 1442695040888963407u;
        std::swap(order[i - 1], order[(state >> 33) % i]);
    }
}

}  // namespace

OrderDependence countOrderDependence(OneFrame kind, FusedLayout layout, int maxDepth, int frames, int schedules,
                                     std::uint64_t seed)
{
    OrderDependence found{.frames = frames, .schedules = schedules};
    Cbt tree(maxDepth, 4);
    SerialExecutor serial;
    for (int frame = 0; frame < frames; ++frame)
    {
        const double turn = 0.37 * frame;
        const Focus focus{.x = 0.5 + 0.3 * std::cos(turn), .y = 0.5 + 0.3 * std::sin(turn), .depth = maxDepth};
        std::vector<NodeId> order(tree.leafCount());
        std::iota(order.begin(), order.end(), NodeId(0));
        std::set<std::vector<std::uint32_t>> fields;
        bool faulty = false;
        for (int schedule = 0; schedule < schedules; ++schedule)
        {
            if (schedule > 0) shuffle(order, seed);
            Outcome outcome = outcomeOf(kind, layout, tree, frame, focus, order);
            fields.insert(std::move(outcome.field));
            faulty = faulty || outcome.faulty;
        }
        found.differing += fields.size() > 1;
        found.faulty += faulty;
        leb::runRound(tree, ~NodeId(0), focus, serial);
    }
    return found;
}

}  // namespace orogen::app::bench
