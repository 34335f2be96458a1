// Expected decisions of a round of mark, plan, apply, derived from the positions of the leaves' triangles alone,
// without neighbour arithmetic, leaf counts or bits.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include "core/leb/leb.h"
#include "core/leb/round.h"

namespace orogen::test {

struct RoundOracle
{
    // Requests to a leaf: the highest priority of all paths through it, or -1.
    struct Asked
    {
        std::array<int, 3> priority{-1, -1, -1};  // leaf itself, child 0, child 1
        bool marked = false, wantMerge = false;
        bool operator==(const Asked&) const = default;
    };
    std::vector<Asked> asked;
    std::vector<leb::Plan> plans;
    leb::RoundCounts counts;

    RoundOracle(const std::vector<NodeId>& leaves, int maxDepth, NodeId capacity, const leb::Criterion& criterion)
        : asked(leaves.size()), plans(leaves.size(), leb::Plan::kKeep), leaves_(leaves), served_(leaves.size())
    {
        for (NodeId number = 0; number < leaves.size(); ++number)
            list(number);
        for (NodeId number = 0; number < leaves.size(); ++number)
        {
            const leb::Wish wish = criterion(leaves[number]);
            if (wish.split && depthOf(leaves[number]) < maxDepth)
                walk(number, int(wish.priority));
            else
                asked[number].wantMerge = wish.merge && leaves[number] > 3;
        }
        serve(capacity);
        planSplits();
        for (const auto& [place, family] : families_)
            if (merges(place, family)) mergeAll(family);
    }

    static Asked of(std::uint32_t flags)
    {
        using leb::Round;
        return {{Round::highest(flags, Round::kPin), Round::highest(flags, Round::kChild0),
                 Round::highest(flags, Round::kChild1)},
                (flags & Round::kMarked) != 0,
                (flags & Round::kWantMerge) != 0};
    }

private:
    static constexpr NodeId kNone = 0xffffffffu;

    void list(NodeId number)
    {
        if (leaves_[number] == 1) return;
        const leb::Triangle t = leb::vertices(leaves_[number]);
        triangles_.push_back(t);
        for (const leb::Edge& edge : {leb::baseEdge(t), leb::makeEdge(t.apex, t.base0), leb::makeEdge(t.apex, t.base1)})
        {
            auto [owners, isNew] = owners_.try_emplace(edge, std::array{number, kNone});
            if (!isNew) owners->second[1] = number;
        }
        for (const leb::Point corner : {t.apex, t.base0, t.base1})
            ++corners_[corner];
        families_[t.apex].push_back(number);
    }

    NodeId acrossBase(NodeId number) const
    {
        const std::array<NodeId, 2>& owners = owners_.at(leb::baseEdge(triangles_[number]));
        return owners[0] == number ? owners[1] : owners[0];
    }

    static void raise(int& priority, int to) { priority = std::max(priority, to); }

    // Walks from a leaf to the pair that shares its longest edge, always to the end; records the priority on the way.
    void walk(NodeId number, int priority)
    {
        for (;;)
        {
            raise(asked[number].priority[0], priority);
            const NodeId across = acrossBase(number);
            const leb::Edge base = leb::baseEdge(triangles_[number]);
            if (across == kNone || leb::baseEdge(triangles_[across]) == base)
            {
                asked[number].marked = true;
                if (across == kNone) return;
                asked[across].marked = true;
                raise(asked[across].priority[0], priority);
                return;
            }
            const leb::Triangle& t = triangles_[across];  // child 0 has the leg at base0 as its base
            raise(asked[across].priority[base == leb::makeEdge(t.apex, t.base0) ? 1 : 2], priority);
            number = across;
        }
    }

    // Serves priorities from the highest down, each only if all of it fits; then pairs.
    void serve(NodeId capacity)
    {
        std::uint64_t size = leaves_.size(), cost = 0;
        for (int priority = int(leb::kPriorities) - 1; priority >= 0; --priority, size += cost)
        {
            cost = 0;
            for (const Asked& leaf : asked)
                cost += std::uint64_t(std::ranges::count(leaf.priority, priority));
            if (size + cost > capacity) return servePairs(priority, size, capacity);
            for (NodeId number = 0; number < leaves_.size(); ++number)
                for (std::size_t i = 0; i < 3; ++i)
                    served_[number][i] = served_[number][i] || asked[number].priority[i] == priority;
        }
    }

    void servePairs(int priority, std::uint64_t size, NodeId capacity)
    {
        for (NodeId number = 0; number < leaves_.size(); ++number)
        {
            if (!asked[number].marked || asked[number].priority[0] != priority) continue;
            const NodeId across = acrossBase(number);
            if (across != kNone && across < number) continue;
            size += across == kNone ? 1 : 2;
            if (size > capacity) return;
            served_[number][0] = true;
            if (across != kNone) served_[across][0] = true;
        }
    }

    void planSplits()
    {
        for (NodeId number = 0; number < leaves_.size(); ++number)
        {
            const NodeId wanted = NodeId(3 - std::ranges::count(asked[number].priority, -1));
            const NodeId done = NodeId(std::ranges::count(served_[number], true));
            counts.requested += wanted;
            counts.splits += done;
            counts.refusals += wanted - done;
            const std::uint32_t children = 4u * served_[number][1] + 8u * served_[number][2];
            if (done != 0)
                plans[number] = leb::Plan(1u + children);
            else if (wanted != 0)
                plans[number] = leb::Plan::kRefused;
        }
    }

    // A vertex can be removed if it is the apex of all triangles around it, all would merge, and none of them splits.
    bool merges(leb::Point place, const std::vector<NodeId>& family) const
    {
        for (const NodeId number : family)
            if (!asked[number].wantMerge || served_[number][0]) return false;
        const bool border = place.x == 0 || place.y == 0 || place.x == leb::kSide || place.y == leb::kSide;
        return family.size() == (border ? 2u : 4u) && corners_.at(place) == family.size();
    }

    void mergeAll(const std::vector<NodeId>& family)
    {
        for (const NodeId number : family)
            if (leaves_[number] % 2 == 1) plans[number] = leb::Plan::kMerge, ++counts.merges;
    }

    const std::vector<NodeId>& leaves_;
    std::vector<std::array<bool, 3>> served_;  // served requests of a leaf
    std::vector<leb::Triangle> triangles_;
    std::map<leb::Edge, std::array<NodeId, 2>> owners_;
    std::map<leb::Point, std::size_t> corners_;           // number of triangles at a vertex
    std::map<leb::Point, std::vector<NodeId>> families_;  // leaves by apex
};

}  // namespace orogen::test
