#include "core/leb/round.h"

#include <algorithm>
#include <cassert>

#include "core/cbt/tree.h"
#include "core/leb/leb.h"

namespace orogen::leb {

Round::Round(Cbt& tree, Executor& executor)
    : tree_(tree), executor_(executor), leaves_(tree.leafCount()), flags_(leaves_.size()), plans_(leaves_.size())
{
    assert(tree.leafCount() >= 2);
    decodeLeaves(tree_, leaves_, executor_);
}

void Round::mark(const Criterion& criterion)
{
    executor_.run(NodeId(leaves_.size()), [&](NodeId begin, NodeId end) {
        for (NodeId number = begin; number < end; ++number)
        {
            const NodeId leaf = leaves_[number];
            const Wish wish = criterion(leaf);
            if (wish.merge && leaf > 3) flags_[number].fetch_or(kWantMerge, std::memory_order_relaxed);
            if (wish.split && depthOf(leaf) < tree_.maxDepth()) markFrom(number);
        }
    });
}

bool Round::pin(NodeId number) { return (flags_[number].fetch_or(kPin, std::memory_order_relaxed) & kPin) == 0; }

void Round::markFrom(NodeId number)
{
    while (pin(number))  // else another thread walks on from here
    {
        const NodeId across = neighbours(leaves_[number]).edge;
        if (across == 0 || tree_.isLeaf(across))
        {
            flags_[number].fetch_or(kMarked, std::memory_order_relaxed);
            if (across != 0) flags_[tree_.leafNumber(across)].fetch_or(kMarked | kPin, std::memory_order_relaxed);
            return;
        }
        assert(tree_.isLeaf(across / 2));
        number = tree_.leafNumber(across / 2);
    }
}

RoundCounts Round::plan(NodeId capacity)
{
    std::atomic<NodeId> splits = 0, merging = 0;
    executor_.run(NodeId(leaves_.size()), [&](NodeId begin, NodeId end) {
        for (NodeId number = begin; number < end; ++number)
        {
            const bool marked = (flags(number) & kMarked) != 0;
            plans_[number] = marked ? Plan::kSplit : merges(number) ? Plan::kMerge : Plan::kKeep;
            if (marked) splits.fetch_add(1, std::memory_order_relaxed);
            if (plans_[number] == Plan::kMerge) merging.fetch_add(1, std::memory_order_relaxed);
        }
    });
    RoundCounts counts{.requested = splits, .splits = splits, .merges = merging};
    if (leaves_.size() + counts.requested > capacity)
    {
        refuseBeyond(capacity);
        counts.refusals = NodeId(std::ranges::count(plans_, Plan::kRefused));
        counts.splits -= counts.refusals;
    }
    return counts;
}

// Serial: one pair after the other, by the lower number.
void Round::refuseBeyond(NodeId capacity)
{
    std::size_t count = leaves_.size();
    bool full = false;
    for (NodeId number = 0; number < leaves_.size(); ++number)
    {
        if (plans_[number] != Plan::kSplit) continue;
        const NodeId across = neighbours(leaves_[number]).edge;
        const NodeId partner = across == 0 ? number : tree_.leafNumber(across);
        if (partner < number) continue;  // decided with its pair
        const std::size_t cost = partner == number ? 1 : 2;
        full = full || count + cost > capacity;
        count += full ? 0 : cost;
        if (full) plans_[number] = plans_[partner] = Plan::kRefused;
    }
}

// Only a leaf has a number: an inner node's lookup would find the flags of another.
bool Round::mayMerge(NodeId node) const { return tree_.isLeaf(node) && flags(tree_.leafNumber(node)) == kWantMerge; }

bool Round::merges(NodeId number) const
{
    const NodeId leaf = leaves_[number];
    if (leaf % 2 == 0 || flags(number) != kWantMerge || !mayMerge(leaf - 1)) return false;
    const NodeId across = neighbours(leaf / 2).edge;
    return across == 0 || (mayMerge(2 * across) && mayMerge(2 * across + 1));
}

void Round::apply()
{
    executor_.run(NodeId(leaves_.size()), [&](NodeId begin, NodeId end) {
        for (NodeId number = begin; number < end; ++number)
        {
            if (plans_[number] == Plan::kSplit) tree_.split(leaves_[number]);
            if (plans_[number] == Plan::kMerge) tree_.merge(leaves_[number]);
        }
    });
}

std::vector<NodeId> Round::changedBits() const
{
    std::vector<NodeId> bits;
    for (NodeId number = 0; number < leaves_.size(); ++number)
    {
        if (plans_[number] == Plan::kSplit) bits.push_back(firstBit(2 * leaves_[number] + 1, tree_.maxDepth()));
        if (plans_[number] == Plan::kMerge) bits.push_back(firstBit(leaves_[number], tree_.maxDepth()));
    }
    return bits;
}

RoundCounts runRound(Cbt& tree, NodeId capacity, const Criterion& criterion, Executor& executor)
{
    Round round(tree, executor);
    round.mark(criterion);
    const RoundCounts counts = round.plan(capacity);
    round.apply();
    tree.reduce(executor);
    return counts;
}

}  // namespace orogen::leb
