// Flow routing on a mesh: every node's receiver and drainage area, across depressions, too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/terrain/synthetic/landscape_mesh.h"

namespace orogen {

// Router for one mesh after another; reuses its memory. Not thread-safe; O(nodes).
class FlowRouting
{
public:
    // Floods the mesh from its border inwards, lowest first, so that depressions fill and overflow at their lowest
    // point. `inflow`: the area that each node adds, including its own.
    void route(const LandscapeMesh& mesh, std::span<const float> inflow);

    // Returns the nodes, each after its receiver.
    std::span<const std::uint32_t> order() const { return order_; }
    // Returns the neighbour that a node drains to; the node itself at an outlet, which lies on the border.
    std::uint32_t receiver(std::uint32_t node) const { return receivers_[node]; }
    // Returns the drainage area of a node, in the unit of `inflow`.
    float area(std::uint32_t node) const { return areas_[node]; }
    // Returns the height of the water surface, which rises slightly upstream; the node's own height where it is dry.
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

    // Queue of the flood: buckets by water level, first in, first out within a bucket.
    std::vector<std::uint32_t> bucketHead_, bucketTail_, next_;
    int bucket_ = 0;
    float lowest_ = 0, bucketsPerMetre_ = 0;
};

}  // namespace orogen
