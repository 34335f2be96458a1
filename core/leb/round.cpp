#include "core/leb/round.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>

#include "core/cbt/tree.h"
#include "core/leb/leb.h"

namespace orogen::leb {
namespace {

constexpr int kFields[] = {MarkedRound::kPin, MarkedRound::kChild0, MarkedRound::kChild1};
constexpr std::uint32_t kSplitsChild[] = {4, 8};  // bits of a Plan

std::uint32_t fieldOf(std::uint32_t flags, int field) { return flags >> field & MarkedRound::kField; }

Plan splitOf(bool child0, bool child1)
{
    return Plan(std::uint32_t(Plan::kSplit) | (child0 ? kSplitsChild[0] : 0) | (child1 ? kSplitsChild[1] : 0));
}

}  // namespace

std::uint32_t priorityOf(float ratio)
{
    const int exponent = int(std::bit_cast<std::uint32_t>(ratio) >> 23 & 255) - 127;
    return std::uint32_t(std::clamp(exponent, 0, int(kPriorities) - 1));
}

bool splitsLeaf(Plan plan) { return (std::uint32_t(plan) & 3) == std::uint32_t(Plan::kSplit); }
bool splitsChild(Plan plan, unsigned child) { return (std::uint32_t(plan) & kSplitsChild[child]) != 0; }

NodeId splitsOf(Plan plan) { return NodeId(splitsLeaf(plan)) + splitsChild(plan, 0) + splitsChild(plan, 1); }

int MarkedRound::highest(std::uint32_t flags, int field) { return std::bit_width(fieldOf(flags, field)) - 1; }

MarkedRound::MarkedRound(Executor& executor, std::span<const NodeId> numbers, NodeId end)
    : executor_(executor), numbers_(numbers), leafTotal_(NodeId(numbers.size())), flags_(end), plans_(end)
{
}

MarkedRound::MarkedRound(Executor& executor, NodeId leaves)
    : executor_(executor), leafTotal_(leaves), flags_(leaves), plans_(leaves)
{
}

void MarkedRound::forEachNumber(const std::function<void(NodeId number)>& body) const
{
    executor_.run(leafTotal_, [&](NodeId begin, NodeId end) {
        for (NodeId index = begin; index < end; ++index)
            body(numberAt(index));
    });
}

void MarkedRound::markEach(const std::function<Wish(NodeId number)>& wishOf)
{
    executor_.run(leafTotal_, [&](NodeId begin, NodeId end) {
        NodeId asked = 0;
        for (NodeId index = begin; index < end; ++index)
        {
            const NodeId number = numberAt(index);
            const Wish wish = wishOf(number);
            if (wish.split)
                asked += markFrom(number, 1u << wish.priority);
            else if (wish.merge)
                flags_[number].fetch_or(kWantMerge, std::memory_order_relaxed);
        }
        requested_.fetch_add(asked, std::memory_order_relaxed);
    });
}

// Sets flags; returns how many of the mask's fields were empty before, each of them a newly requested split.
NodeId MarkedRound::addFlags(NodeId number, std::uint32_t mask, std::uint32_t* before)
{
    const std::uint32_t old = flags_[number].fetch_or(mask, std::memory_order_relaxed);
    if (before) *before = old;
    NodeId added = 0;
    for (const int field : kFields)
        added += fieldOf(mask, field) != 0 && fieldOf(old, field) == 0;
    return added;
}

NodeId MarkedRound::markFrom(NodeId number, std::uint32_t bit)
{
    NodeId asked = 0;
    for (std::uint32_t mask = bit;;)
    {
        std::uint32_t before = 0;
        asked += addFlags(number, mask, &before);
        if (fieldOf(before, kPin) >= bit) return asked;  // another walk continues with this or a higher priority
        const Across beyond = across(number);
        if (beyond.beyond == Beyond::kBorder || beyond.beyond == Beyond::kPair)
            return asked + markPair(number, beyond, bit);
        number = beyond.number;
        mask = bit | bit << (beyond.beyond == Beyond::kChild0 ? kChild0 : kChild1);
    }
}

NodeId MarkedRound::markPair(NodeId number, const Across& across, std::uint32_t bit)
{
    addFlags(number, kMarked);
    return across.beyond == Beyond::kBorder ? 0 : addFlags(across.number, kMarked | bit);
}

RoundCounts MarkedRound::plan(NodeId capacity)
{
    RoundCounts counts{.requested = requested_};
    firstServed_ = 0;
    pair_.clear();
    if (leafTotal_ + counts.requested > capacity) cut(capacity);
    std::atomic<NodeId> splits = 0, merging = 0;
    executor_.run(leafTotal_, [&](NodeId begin, NodeId end) {
        NodeId splitsHere = 0, mergesHere = 0;
        for (NodeId index = begin; index < end; ++index)
        {
            const NodeId number = numberAt(index);
            plans_[number] = decide(number);
            splitsHere += splitsOf(plans_[number]);
            mergesHere += plans_[number] == Plan::kMerge;
        }
        splits.fetch_add(splitsHere, std::memory_order_relaxed);
        merging.fetch_add(mergesHere, std::memory_order_relaxed);
    });
    counts.splits = splits;
    counts.merges = merging;
    counts.refusals = counts.requested - counts.splits;
    return counts;
}

// Finds the lowest priority whose splits all fit beside those of higher priorities.  This and higher priorities are
// served: their splits are carried out.  Then serves pairs with the remaining room.
void MarkedRound::cut(NodeId capacity)
{
    std::array<NodeId, kPriorities> cost{};
    for (NodeId index = 0; index < leafTotal_; ++index)
        for (const int field : kFields)
            if (const int priority = highest(flags(numberAt(index)), field); priority >= 0)
                ++cost[std::size_t(priority)];
    NodeId room = capacity - std::min(capacity, leafTotal_);
    firstServed_ = int(kPriorities);
    for (; firstServed_ > 0 && cost[std::size_t(firstServed_ - 1)] <= room; --firstServed_)
        room -= cost[std::size_t(firstServed_ - 1)];
    servePairs(room);
}

// Serves pairs of the next lower priority, serially, in the order of their lower number.
void MarkedRound::servePairs(NodeId room)
{
    pair_.assign(flags_.size(), 0);
    for (NodeId index = 0; index < leafTotal_; ++index)
    {
        const NodeId number = numberAt(index);
        if ((flags(number) & kMarked) == 0 || highest(flags(number), kPin) + 1 != firstServed_) continue;
        const Across other = across(number);
        const NodeId partner = other.beyond == Beyond::kBorder ? number : other.number;
        if (partner < number) continue;  // decided together with its partner, which has the lower number
        const NodeId cost = partner == number ? 1 : 2;
        if (cost > room) return;
        room -= cost;
        pair_[number] = pair_[partner] = 1;
    }
}

bool MarkedRound::served(NodeId number) const
{
    const int priority = highest(flags(number), kPin);
    return priority >= 0 && (priority >= firstServed_ || (!pair_.empty() && pair_[number] != 0));
}

Plan MarkedRound::decide(NodeId number) const
{
    const std::uint32_t flags = this->flags(number);
    if (served(number))
    {
        const auto child = [&](int field) {
            return fieldOf(flags, field) != 0 && highest(flags, field) >= firstServed_;
        };
        return splitOf(child(kChild0), child(kChild1));
    }
    if (merges(number)) return Plan::kMerge;
    return fieldOf(flags, kPin) != 0 ? Plan::kRefused : Plan::kKeep;
}

bool MarkedRound::freeToMerge(NodeId number) const { return (flags(number) & kWantMerge) != 0 && !served(number); }

Round::Round(Cbt& tree, Executor& executor)
    : MarkedRound(executor, tree.leafCount()), tree_(tree), leaves_(tree.leafCount())
{
    assert(tree.leafCount() >= 2);
    decodeLeaves(tree_, leaves_, executor_);
}

void Round::mark(const Criterion& criterion)
{
    markEach([&](NodeId number) {
        const NodeId leaf = leaves_[number];
        Wish wish = criterion(leaf);
        wish.split = wish.split && depthOf(leaf) < tree_.maxDepth();
        wish.merge = wish.merge && leaf > 3;
        return wish;
    });
}

Across Round::across(NodeId number) const
{
    const NodeId same = neighbours(leaves_[number]).edge;
    if (same == 0) return {};
    if (tree_.isLeaf(same)) return {Beyond::kPair, tree_.leafNumber(same)};
    assert(tree_.isLeaf(same / 2));
    return {same % 2 == 0 ? Beyond::kChild0 : Beyond::kChild1, tree_.leafNumber(same / 2)};
}

// Looks up the flags of leaves only: an inner node's number would be that of another leaf.
bool Round::mayMerge(NodeId node) const { return tree_.isLeaf(node) && freeToMerge(tree_.leafNumber(node)); }

bool Round::merges(NodeId number) const
{
    const NodeId leaf = leaves_[number];
    if (leaf % 2 == 0 || (flags(number) & kWantMerge) == 0 || !mayMerge(leaf - 1)) return false;
    const NodeId across = neighbours(leaf / 2).edge;
    return across == 0 || (mayMerge(2 * across) && mayMerge(2 * across + 1));
}

void Round::apply()
{
    forEachNumber([&](NodeId number) {
        const Plan plan = plans()[number];
        if (splitsLeaf(plan)) tree_.split(leaves_[number]);
        for (const NodeId child : {0u, 1u})
            if (splitsChild(plan, child)) tree_.split(2 * leaves_[number] + child);
        if (plan == Plan::kMerge) tree_.merge(leaves_[number]);
    });
}

std::vector<NodeId> Round::changedBits() const
{
    std::vector<NodeId> bits;
    const auto add = [&](NodeId node) { bits.push_back(firstBit(node, tree_.maxDepth())); };
    for (NodeId number = 0; number < leaves_.size(); ++number)
    {
        const NodeId leaf = leaves_[number];
        if (splitsLeaf(plans()[number])) add(2 * leaf + 1);
        for (const NodeId child : {0u, 1u})
            if (splitsChild(plans()[number], child)) add(2 * (2 * leaf + child) + 1);
        if (plans()[number] == Plan::kMerge) add(leaf);
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
