#include "app/bench/tree/tree_algorithms.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <numeric>
#include <set>

#include "core/cbt/tree.h"
#include "core/leb/conformity.h"
#include "core/leb/leb.h"

namespace orogen::app::bench {

// ---- packed tree ----

namespace {

int widthAt(int depth, int maxDepth) { return maxDepth - depth + 1; }

// Returns the index of the first bit of a node's count: equation 25 of paper 002, corrected.
std::uint64_t startOf(NodeId node, int maxDepth)
{
    const int depth = depthOf(node);
    return (std::uint64_t(2) << depth) + std::uint64_t(node) * std::uint64_t(widthAt(depth, maxDepth));
}

std::uint32_t load(const std::uint32_t& word)
{
    return std::atomic_ref(const_cast<std::uint32_t&>(word)).load(std::memory_order_relaxed);
}

void setBits(std::uint32_t& word, std::uint32_t bits)
{
    std::atomic_ref(word).fetch_or(bits, std::memory_order_relaxed);
}

void clearBits(std::uint32_t& word, std::uint32_t bits)
{
    std::atomic_ref(word).fetch_and(~bits, std::memory_order_relaxed);
}

std::uint32_t lowMask(int bits) { return std::uint32_t((std::uint64_t(1) << bits) - 1); }

// Returns a mask of every second group of `bits` bits, the lowest included.
constexpr std::uint32_t evenGroups(int bits) { return 0xffffffffu / ((1u << bits) + 1); }

// Removes the gaps between sums of `below` + 1 bits that are stored 2^below bits apart.
std::uint32_t packed(std::uint32_t sums, int below)
{
    const int apart = 1 << below, width = below + 1;
    std::uint32_t bits = 0;
    for (int i = 0; i < 32 / apart; ++i)
        bits |= (sums >> (apart * i) & lowMask(width)) << (width * i);
    return bits;
}

}  // namespace

PaperTree::PaperTree(const PackedCbt& tree) : depth_(tree.maxDepth()), words_(tree.words().begin(), tree.words().end())
{
}

std::uint32_t PaperTree::read(std::uint64_t start, int width) const
{
    const std::size_t word = start / 32;
    std::uint64_t pair = load(words_[word]);
    if (start % 32 + std::uint64_t(width) > 32) pair |= std::uint64_t(load(words_[word + 1])) << 32;
    return std::uint32_t(pair >> start % 32 & ((std::uint64_t(1) << width) - 1));
}

void PaperTree::write(std::uint64_t start, int width, std::uint32_t value)
{
    const std::size_t word = start / 32;
    const std::uint64_t mask = ((std::uint64_t(1) << width) - 1) << start % 32;
    const std::uint64_t bits = std::uint64_t(value) << start % 32;
    clearBits(words_[word], std::uint32_t(mask));
    setBits(words_[word], std::uint32_t(bits));
    if (mask >> 32 == 0) return;
    clearBits(words_[word + 1], std::uint32_t(mask >> 32));
    setBits(words_[word + 1], std::uint32_t(bits >> 32));
}

bool PaperTree::bit(NodeId index) const { return read((std::uint64_t(3) << depth_) + index, 1) != 0; }

NodeId PaperTree::leavesBelow(NodeId node) const { return read(startOf(node, depth_), widthAt(depthOf(node), depth_)); }

void PaperTree::split(NodeId leaf)
{
    if (depthOf(leaf) == depth_) return;
    const std::uint64_t at = (std::uint64_t(3) << depth_) + firstBit(2 * leaf + 1, depth_);
    setBits(words_[at / 32], 1u << at % 32);
}

void PaperTree::merge(NodeId leaf)
{
    if (leaf == 1) return;
    const std::uint64_t at = (std::uint64_t(3) << depth_) + firstBit(leaf | 1, depth_);
    clearBits(words_[at / 32], 1u << at % 32);
}

void PaperTree::reduce(Executor& executor)
{
    for (int depth = depth_ - 1; depth >= 0; --depth)
        executor.run(NodeId(1) << depth, [&](NodeId begin, NodeId end) {
            for (NodeId node = (NodeId(1) << depth) + begin; node < (NodeId(1) << depth) + end; ++node)
                write(startOf(node, depth_), widthAt(depth, depth_), leavesBelow(2 * node) + leavesBelow(2 * node + 1));
        });
}

std::uint32_t PaperTree::readPair(NodeId node, int width) const
{
    const std::uint64_t start = startOf(node, depth_);
    const std::size_t low = start / 32, high = std::min(low + 1, words_.size() - 1);
    const int offset = int(start % 32), lowBits = std::min(32 - offset, width);
    const std::uint32_t below = words_[low] >> offset & lowMask(lowBits);
    const std::uint32_t above = words_[high] & lowMask(width - lowBits);
    return below | std::uint32_t(std::uint64_t(above) << lowBits);
}

void PaperTree::writePair(NodeId node, int width, std::uint32_t value)
{
    const std::uint64_t start = startOf(node, depth_);
    const std::size_t low = start / 32, high = std::min(low + 1, words_.size() - 1);
    const int offset = int(start % 32), lowBits = std::min(32 - offset, width);
    words_[low] &= ~(lowMask(lowBits) << offset);
    words_[low] |= value << offset;
    words_[high] &= ~lowMask(width - lowBits);
    words_[high] |= std::uint32_t(std::uint64_t(value) >> lowBits);
}

void PaperTree::reduceByWords()
{
    const NodeId words = NodeId(1) << (depth_ - 5);
    for (NodeId i = words; i < 2 * words; ++i)
    {
        std::uint32_t sums = words_[std::size_t(2) * words + i];  // the field starts at word 3 * 2^(D - 5)
        for (int below = 1; below <= 5; ++below)
        {
            const int half = 1 << (below - 1);  // distance of the previous sums (bits)
            sums = (sums & evenGroups(half)) + (sums >> half & evenGroups(half));
            writePair(i << (5 - below), (32 >> below) * (below + 1), packed(sums, below));
        }
    }
    for (int depth = depth_ - 6; depth >= 0; --depth)
    {
        const int width = widthAt(depth, depth_);
        for (NodeId node = NodeId(1) << depth; node < NodeId(2) << depth; ++node)
            writePair(node, width, readPair(2 * node, width - 1) + readPair(2 * node + 1, width - 1));
    }
}

std::size_t PaperTree::scanBits(std::span<NodeId> out) const
{
    const NodeId bits = NodeId(1) << depth_;
    std::size_t leaves = 0;
    for (NodeId first = 0, next; first < bits; first = next)
    {
        for (next = first + 1; next < bits && !bit(next);)
            ++next;
        out[leaves++] = (bits + first) >> std::countr_zero(next - first);
    }
    return leaves;
}

// ---- updates of a frame ----

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

// Splits a leaf and the chain of leaves that must split with it, like libleb: up to the root, without reading the tree.
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

// Returns whether the leaf is a right child, and all leaves of its diamond request to merge. A diamond is the two
// sibling pairs on both sides of an edge, which merge together.
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

// Returns leaf `number` by the current counts. Descends at most to tree.maxDepth().
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

// Executor that runs indices one by one in a given order, if there are as many as in `order`; else all at once.
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
    std::vector<std::uint32_t> field;  // bit field of the tree
    bool faulty = false;
};

// Recounts the tree and checks its mesh: the mesh is faulty if leaves overlap, leave a hole or form a T-junction.
Outcome judged(Cbt& tree)
{
    tree.reduce();
    const std::span<const std::uint32_t> words = tree.words();
    Outcome outcome{.field = {words.begin() + std::ptrdiff_t(words.size() / 2), words.end()}};
    outcome.faulty = !isWellFormed(tree) || !leb::conformityFault(tree).empty();
    return outcome;
}

// Copies the bits of a packed tree to a wide one, without counts.
Cbt wideOf(const PaperTree& packed)
{
    Cbt wide(packed.maxDepth());
    for (NodeId bit = 1; bit < NodeId(1) << packed.maxDepth(); ++bit)
    {
        if (!packed.bit(bit)) continue;
        NodeId node = (NodeId(1) << packed.maxDepth()) + bit;
        node >>= std::countr_zero(node);
        wide.split(node / 2);  // sets the bit of the right child, `node`
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

// Shuffles (Fisher-Yates) with a generator whose sequence does not depend on the standard library.
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
