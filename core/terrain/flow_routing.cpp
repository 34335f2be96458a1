#include "core/terrain/flow_routing.h"

#include <algorithm>
#include <array>
#include <cassert>

namespace orogen {
namespace {

constexpr std::uint32_t kNone = 0xffffffffu;
constexpr int kBuckets = 1 << 13;
constexpr float kRise = 1e-3f;  // metres that water rises from a cell to the next one upstream
constexpr float kInverseSqrt2 = 0.70710678f;

// Calls use(neighbour, 1 / distance in cells) for the neighbours inside the grid.
template <class Use>
void forNeighbours(std::uint32_t cell, int width, int height, const Use& use)
{
    const int x = int(cell % std::uint32_t(width)), y = int(cell / std::uint32_t(width));
    for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx)
        {
            if ((dx == 0 && dy == 0) || x + dx < 0 || y + dy < 0 || x + dx >= width || y + dy >= height) continue;
            use(std::uint32_t((y + dy) * width + x + dx), dx != 0 && dy != 0 ? kInverseSqrt2 : 1.0f);
        }
}

}  // namespace

void FlowRouting::route(std::span<const float> heights, std::span<const float> inflow, int width, int height)
{
    assert(heights.size() == std::size_t(width) * std::size_t(height) && inflow.size() == heights.size());
    width_ = width;
    height_ = height;
    heights_ = heights;
    water_.assign(heights.begin(), heights.end());
    receivers_.resize(heights.size());
    next_.resize(heights.size());
    states_.assign(heights.size(), kUnseen);
    order_.clear();
    order_.reserve(heights.size());
    flood();
    accumulate(inflow);
}

void FlowRouting::push(std::uint32_t cell)
{
    states_[cell] = kQueued;
    const float rank = (water_[cell] - lowest_) * bucketsPerMetre_;
    // Never before the bucket that is being emptied.
    const int bucket = std::max(bucket_, std::min(int(rank), kBuckets - 1));
    next_[cell] = kNone;
    if (bucketHead_[std::size_t(bucket)] == kNone)
        bucketHead_[std::size_t(bucket)] = cell;
    else
        next_[bucketTail_[std::size_t(bucket)]] = cell;
    bucketTail_[std::size_t(bucket)] = cell;
}

void FlowRouting::flood()
{
    const auto [lowest, highest] = std::minmax_element(heights_.begin(), heights_.end());
    lowest_ = *lowest;
    bucketsPerMetre_ = float(kBuckets - 1) / std::max(*highest - *lowest, 1e-3f);
    bucketHead_.assign(kBuckets, kNone);
    bucketTail_.assign(kBuckets, kNone);
    bucket_ = 0;
    const auto pushBorder = [&](int x, int y) {
        const std::uint32_t cell = std::uint32_t(y * width_ + x);
        if (states_[cell] != kUnseen) return;
        receivers_[cell] = cell;
        push(cell);
    };
    for (int x = 0; x < width_; ++x)
        pushBorder(x, 0), pushBorder(x, height_ - 1);
    for (int y = 0; y < height_; ++y)
        pushBorder(0, y), pushBorder(width_ - 1, y);
    for (; bucket_ < kBuckets; ++bucket_)
        for (std::uint32_t& head = bucketHead_[std::size_t(bucket_)]; head != kNone;)
        {
            const std::uint32_t cell = head;
            head = next_[cell];
            visit(cell);
        }
}

void FlowRouting::visit(std::uint32_t cell)
{
    receivers_[cell] = steepestReceiver(cell, receivers_[cell]);
    states_[cell] = kDone;
    order_.push_back(cell);
    forNeighbours(cell, width_, height_, [&](std::uint32_t neighbour, float) {
        if (states_[neighbour] != kUnseen) return;
        water_[neighbour] = std::max(heights_[neighbour], water_[cell] + kRise);
        receivers_[neighbour] = cell;
        push(neighbour);
    });
}

// Water in a depression leaves the way the flood came; on dry ground it takes the steepest way down.
std::uint32_t FlowRouting::steepestReceiver(std::uint32_t cell, std::uint32_t floodedFrom) const
{
    if (water_[cell] > heights_[cell]) return floodedFrom;
    std::uint32_t best = floodedFrom;
    float steepest = 0;
    forNeighbours(cell, width_, height_, [&](std::uint32_t neighbour, float inverseDistance) {
        if (states_[neighbour] != kDone) return;
        const float slope = (water_[cell] - water_[neighbour]) * inverseDistance;
        if (slope > steepest) best = neighbour, steepest = slope;
    });
    return best;
}

void FlowRouting::accumulate(std::span<const float> inflow)
{
    areas_.assign(inflow.begin(), inflow.end());
    for (auto cell = order_.rbegin(); cell != order_.rend(); ++cell)
        if (receivers_[*cell] != *cell) areas_[receivers_[*cell]] += areas_[*cell];
}

}  // namespace orogen
