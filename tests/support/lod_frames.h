// Random criteria that drive rounds of split and merge in tests. The scene changes every few frames.
#pragma once

#include <cmath>
#include <cstdint>

#include "core/leb/leb.h"
#include "core/leb/round.h"
#include "tests/support/random.h"

namespace orogen::test {

enum class Scene
{
    kSmooth,   // finer near a point
    kCulled,   // as kSmooth, but coarsest on one side of a line: view culling while the camera turns
    kNoise,    // each leaf at random, every frame
    kSparse,   // a few leaves split, all others would merge
    kOutside,  // smooth inside a part of the square; outside it, never split and always merge
};
constexpr int kScenes = 5;

// Requests splits and merges from the base edges of a leaf and of its parent, as the renderer's criterion does. Noise
// depends on the leaf itself.
class LodScene
{
public:
    LodScene(Random& random, int maxDepth)
        : scene_(Scene(random.below(kScenes))), depth_(random.between(3, maxDepth)), x_(random.unit()),
          y_(random.unit()), slope_(random.unit() * 2 - 1), width_(0.3 + 0.7 * random.unit()), salt_(random.bits())
    {
    }

    Scene scene() const { return scene_; }
    void nextFrame() { ++salt_; }  // only noise changes

    leb::Wish operator()(NodeId leaf) const
    {
        if (scene_ == Scene::kNoise || scene_ == Scene::kSparse) return byLot(leaf);
        const double ratio = ratioOf(leaf);
        return {
            .split = ratio > 1, .merge = leaf > 3 && ratioOf(leaf / 2) <= 1, .priority = leb::priorityOf(float(ratio))};
    }

private:
    // Returns the ratio of the measure to its threshold; a leaf splits above 1.
    double ratioOf(NodeId node) const
    {
        const leb::Edge base = leb::baseEdge(leb::vertices(node));
        const double scale = 0.5 / leb::kSide;
        const double x = (base.low.x + base.high.x) * scale, y = (base.low.y + base.high.y) * scale;
        if (scene_ == Scene::kCulled && y - y_ < slope_ * (x - x_)) return 0;
        if (scene_ == Scene::kOutside && x > width_) return 0;
        const double length = std::exp2(-0.5 * (depthOf(node) - 2));
        return depthOf(node) < depth_ ? length / (0.4 * std::hypot(x - x_, y - y_) + 1e-6) : 0;
    }
    leb::Wish byLot(NodeId leaf) const
    {
        std::uint64_t h = (leaf + (std::uint64_t(salt_) << 32)) * 0x9e3779b97f4a7c15u;
        h = (h ^ (h >> 29)) * 0xbf58476d1ce4e5b9u;
        h >>= 40;
        const std::uint32_t priority = std::uint32_t(h >> 20) % leb::kPriorities;
        if (scene_ == Scene::kSparse) return {.split = h % 16 == 0, .merge = true, .priority = priority};
        return {.split = h % 4 == 0, .merge = h / 4 % 3 != 0, .priority = priority};
    }

    Scene scene_;
    int depth_;
    double x_, y_, slope_, width_;
    std::uint32_t salt_;
};

}  // namespace orogen::test
