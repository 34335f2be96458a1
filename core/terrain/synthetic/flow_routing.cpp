#include "core/terrain/synthetic/flow_routing.h"

#include <algorithm>
#include <cassert>

namespace orogen {
namespace {

constexpr std::uint32_t kNone = 0xffffffffu;
constexpr int kBuckets = 1 << 12;
constexpr float kRise = 1e-3f;  // rise of the water from a node to the next one upstream (metres)

}  // namespace

void FlowRouting::route(const LandscapeMesh& mesh, std::span<const float> inflow)
{
    assert(inflow.size() == mesh.heights.size());
    mesh_ = &mesh;
    water_ = mesh.heights;
    receivers_.resize(water_.size());
    next_.resize(water_.size());
    states_.assign(water_.size(), kUnseen);
    order_.clear();
    order_.reserve(water_.size());
    flood();
    accumulate(inflow);
}

void FlowRouting::push(std::uint32_t node)
{
    states_[node] = kQueued;
    const int rank = int((water_[node] - lowest_) * bucketsPerMetre_);
    // Never before the bucket being emptied.
    const std::size_t bucket = std::size_t(std::max(bucket_, std::min(rank, kBuckets - 1)));
    next_[node] = kNone;
    if (bucketHead_[bucket] == kNone)
        bucketHead_[bucket] = node;
    else
        next_[bucketTail_[bucket]] = node;
    bucketTail_[bucket] = node;
}

void FlowRouting::pushBorder()
{
    const auto pushOnce = [&](int x, int y) {
        const std::uint32_t node = std::uint32_t(mesh_->index(x, y));
        if (states_[node] != kUnseen) return;
        receivers_[node] = node;
        push(node);
    };
    for (int x = 0; x < mesh_->width; ++x)
        pushOnce(x, 0), pushOnce(x, mesh_->height - 1);
    for (int y = 0; y < mesh_->height; ++y)
        pushOnce(0, y), pushOnce(mesh_->width - 1, y);
}

void FlowRouting::flood()
{
    const auto [lowest, highest] = std::minmax_element(mesh_->heights.begin(), mesh_->heights.end());
    lowest_ = *lowest;
    bucketsPerMetre_ = float(kBuckets - 1) / std::max(*highest - *lowest, 1e-3f);
    bucketHead_.assign(kBuckets, kNone);
    bucketTail_.assign(kBuckets, kNone);
    bucket_ = 0;
    pushBorder();
    for (; bucket_ < kBuckets; ++bucket_)
        for (std::uint32_t& head = bucketHead_[std::size_t(bucket_)]; head != kNone;)
        {
            const std::uint32_t node = head;
            head = next_[node];
            visit(node);
        }
}

// Fixes the node's receiver and visits its unseen neighbours. Water in a depression leaves the way the flood came; dry
// ground drains along the steepest descent. The border is a cut through a larger landscape: water crosses it, but does
// not run along it.
void FlowRouting::visit(std::uint32_t node)
{
    const LandscapeMesh& mesh = *mesh_;
    const int x = int(node % std::uint32_t(mesh.width)), y = int(node / std::uint32_t(mesh.width));
    const bool border = mesh.onBorder(x, y), dry = water_[node] <= mesh.heights[node];
    float steepest = 0;  // squared
    for (int v = std::max(y - 1, 0); v <= std::min(y + 1, mesh.height - 1); ++v)
        for (int u = std::max(x - 1, 0); u <= std::min(x + 1, mesh.width - 1); ++u)
        {
            const std::uint32_t other = std::uint32_t(mesh.index(u, v));
            if (states_[other] == kUnseen)
            {
                water_[other] = std::max(mesh.heights[other], water_[node] + kRise);
                receivers_[other] = node;
                push(other);
            }
            else if (dry && states_[other] == kDone && water_[other] < water_[node] && !(border && mesh.onBorder(u, v)))
            {
                const float drop = water_[node] - water_[other];
                const float slope =
                    drop * drop / distanceSquared(mesh.offsets[node], mesh.offsets[other], u - x, v - y);
                if (slope > steepest) receivers_[node] = other, steepest = slope;
            }
        }
    states_[node] = kDone;
    order_.push_back(node);
}

void FlowRouting::accumulate(std::span<const float> inflow)
{
    areas_.assign(inflow.begin(), inflow.end());
    for (auto node = order_.rbegin(); node != order_.rend(); ++node)
        if (receivers_[*node] != *node) areas_[receivers_[*node]] += areas_[*node];
}

}  // namespace orogen
