// What a round of mark, plan, apply must decide, found from the positions of the leaves' triangles: no neighbour
// arithmetic, no leaf counts, no bits.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include "core/leb/leb.h"
#include "core/leb/round.h"

namespace orogen::test {

struct RoundOracle
{
    std::vector<std::uint32_t> flags;  // as leb::Round has them
    std::vector<leb::Plan> plans;
    leb::RoundCounts counts;

    RoundOracle(const std::vector<NodeId>& leaves, int maxDepth, NodeId capacity, const leb::Criterion& criterion)
        : flags(leaves.size()), plans(leaves.size(), leb::Plan::kKeep), leaves_(leaves)
    {
        for (NodeId number = 0; number < leaves.size(); ++number)
            list(number);
        for (NodeId number = 0; number < leaves.size(); ++number)
        {
            const leb::Wish wish = criterion(leaves[number]);
            if (wish.merge && leaves[number] > 3) flags[number] |= leb::Round::kWantMerge;
            if (wish.split && depthOf(leaves[number]) < maxDepth) walk(number);
        }
        serve(capacity);
        for (const auto& [place, family] : families_)
            if (merges(place, family)) mergeAll(family);
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

    // To the pair of leaves whose longest edge is one edge.
    void walk(NodeId number)
    {
        for (;;)
        {
            flags[number] |= leb::Round::kPin;
            const NodeId across = acrossBase(number);
            if (across == kNone || leb::baseEdge(triangles_[across]) == leb::baseEdge(triangles_[number]))
            {
                flags[number] |= leb::Round::kMarked;
                if (across != kNone) flags[across] |= leb::Round::kMarked | leb::Round::kPin;
                return;
            }
            number = across;
        }
    }

    void serve(NodeId capacity)
    {
        std::uint64_t size = leaves_.size();
        bool full = false;
        for (NodeId number = 0; number < leaves_.size(); ++number)
        {
            if ((flags[number] & leb::Round::kMarked) == 0) continue;
            const NodeId across = acrossBase(number);
            if (across != kNone && across < number) continue;
            const NodeId cost = across == kNone ? 1 : 2;
            full = full || size + cost > capacity;
            counts.requested += cost;
            (full ? counts.refusals : counts.splits) += cost;
            if (!full) size += cost;
            plans[number] = full ? leb::Plan::kRefused : leb::Plan::kSplit;
            if (across != kNone) plans[across] = plans[number];
        }
    }

    // A vertex can go if all triangles around it have it as their apex and would merge, and nothing else is at work
    // there.
    bool merges(leb::Point place, const std::vector<NodeId>& family) const
    {
        for (const NodeId number : family)
            if (flags[number] != leb::Round::kWantMerge) return false;
        const bool border = place.x == 0 || place.y == 0 || place.x == leb::kSide || place.y == leb::kSide;
        return family.size() == (border ? 2u : 4u) && corners_.at(place) == family.size();
    }

    void mergeAll(const std::vector<NodeId>& family)
    {
        for (const NodeId number : family)
            if (leaves_[number] % 2 == 1) plans[number] = leb::Plan::kMerge, ++counts.merges;
    }

    const std::vector<NodeId>& leaves_;
    std::vector<leb::Triangle> triangles_;
    std::map<leb::Edge, std::array<NodeId, 2>> owners_;
    std::map<leb::Point, std::size_t> corners_;           // how many triangles touch a vertex
    std::map<leb::Point, std::vector<NodeId>> families_;  // leaves by apex
};

}  // namespace orogen::test
