// Where water goes on a mesh: every node's receiver and the area that drains through it, also across depressions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/terrain/synthetic/landscape_mesh.h"

namespace orogen {

// Works on one mesh after another and keeps its memory.  One thread; O(nodes).
class FlowRouting
{
public:
    // Floods the mesh from its border inwards, lowest first, so that depressions fill and overflow where they are
    // lowest.  `inflow` is the area that each node adds, its own included.
    void route(const LandscapeMesh& mesh, std::span<const float> inflow);

    // Nodes so that each comes after its receiver.
    std::span<const std::uint32_t> order() const { return order_; }
    // The neighbour that a node drains to; itself at an outlet, which lies on the border.
    std::uint32_t receiver(std::uint32_t node) const { return receivers_[node]; }
    // Through the node, in the unit of `inflow`.
    float area(std::uint32_t node) const { return areas_[node]; }
    // The height of the water over it, rising a little against the flow; its own height where it is dry.
    float water(std::uint32_t node) const { return water_[node]; }

private:
    void push(std::uint32_t node);
    void pushBorder();
    void flood();
    void visit(std::uint32_t node);
    void accumulate(std::span<const float> inflow);

    const LandscapeMesh* mesh_ = nullptr;
    std::vector<float> water_, areas_;
    std::vector<std::uint32_t> receivers_, order_;
    enum State : std::uint8_t
    {
        kUnseen,
        kQueued,
        kDone,
    };
    std::vector<State> states_;

    // The flood's queue: water levels are sorted into buckets, within a bucket first come, first served.
    std::vector<std::uint32_t> bucketHead_, bucketTail_, next_;
    int bucket_ = 0;
    float lowest_ = 0, bucketsPerMetre_ = 0;
};

}  // namespace orogen
