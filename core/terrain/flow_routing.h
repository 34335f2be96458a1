// Where water goes on a grid: every cell's receiver and the area that drains through it, also across depressions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace orogen {

// Works on one grid after another and keeps its memory.  One thread; O(cells).
class FlowRouting
{
public:
    // Floods the grid from its border inwards, lowest first, so that depressions fill and overflow where they are
    // lowest.  `heights` are row-major; `inflow` is the area that each cell adds (its own included).
    void route(std::span<const float> heights, std::span<const float> inflow, int width, int height);

    // Cells so that each comes after its receiver.
    std::span<const std::uint32_t> order() const { return order_; }
    // The neighbour that a cell drains to; itself at an outlet, which lies on the border.
    std::uint32_t receiver(std::uint32_t cell) const { return receivers_[cell]; }
    // Through the cell, in the unit of `inflow`.
    float area(std::uint32_t cell) const { return areas_[cell]; }
    // The height of the water over it, rising a little against the flow; its own height where it is dry.
    float water(std::uint32_t cell) const { return water_[cell]; }

private:
    void flood();
    void visit(std::uint32_t cell);
    void push(std::uint32_t cell);
    std::uint32_t steepestReceiver(std::uint32_t cell, std::uint32_t floodedFrom) const;
    void accumulate(std::span<const float> inflow);

    // A queue of queues: heights are sorted into buckets, within a bucket first come, first served.
    std::vector<std::uint32_t> bucketHead_, bucketTail_, next_;
    int bucket_ = 0;
    float lowest_ = 0, bucketsPerMetre_ = 0;

    int width_ = 0, height_ = 0;
    std::span<const float> heights_;
    std::vector<float> water_, areas_;
    std::vector<std::uint32_t> receivers_, order_;
    enum State : std::uint8_t
    {
        kUnseen,
        kQueued,
        kDone
    };
    std::vector<State> states_;
};

}  // namespace orogen
