// Random criteria that drive rounds over a pool of bisectors in tests. The scene changes every few frames.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include <glm/geometric.hpp>
#include <glm/vec3.hpp>

#include "core/leb/pool.h"
#include "core/leb/round.h"
#include "tests/support/random.h"

namespace orogen::test {

enum class PoolScene
{
    kSmooth,     // finer near a point
    kCulled,     // as kSmooth, but coarsest on one side of a plane that changes every frame
    kNoise,      // each leaf at random, every frame
    kSparse,     // a few leaves split, all others would merge
    kAllOrNone,  // every leaf splits, then every leaf merges
    kDeep,       // to the last level near a point, without hysteresis
};
constexpr int kPoolScenes = 6;

class PoolFrames
{
public:
    PoolFrames(PoolScene scene, leb::PoolRoots roots, Random& random)
        : scene_(scene), depth_(random.between(6, 36)), target_(0.15 + 0.6 * random.unit()), salt_(random.bits())
    {
        const glm::dvec3 towards = inBox(random);
        const glm::dvec3 size = glm::abs(towards);
        focus_ = towards / std::max({size.x, size.y, size.z});
        if (roots == leb::PoolRoots::kPlane) focus_.x = -1;  // on its face
        nextFrame(random);
    }

    PoolScene scene() const { return scene_; }
    void nextFrame(Random& random)
    {
        ++salt_;
        beyond_ = inBox(random);
    }

    leb::Wish operator()(leb::LeafId id, const leb::CubeLeaf& leaf) const
    {
        switch (scene_)
        {
        case PoolScene::kSmooth:
            return smooth(leaf);
        case PoolScene::kCulled:
            return glm::dot(middleOf(leaf), beyond_) < 0 ? leb::Wish{.merge = true} : smooth(leaf);
        case PoolScene::kNoise:
            return byLot(id, leaf, 3);
        case PoolScene::kSparse:
            return byLot(id, leaf, 8);
        case PoolScene::kAllOrNone:
            return {.split = salt_ % 2 == 0 && leaf.depth() < depth_, .merge = salt_ % 2 == 1};
        case PoolScene::kDeep:
            break;
        }
        const double ratio = ratioOf(leaf) / (1.6 + target_);
        return {.split = ratio > 1, .merge = ratio <= 1, .priority = leb::priorityOf(float(ratio))};
    }

private:
    static glm::dvec3 inBox(Random& random)
    {
        const double x = random.unit(), y = random.unit(), z = random.unit();
        return glm::dvec3(x, y, z) * 2.0 - 1.0;
    }

    // Returns the midpoint of a leaf's base, on the cube with coordinates up to 1.
    static glm::dvec3 middleOf(const leb::CubeLeaf& leaf)
    {
        const leb::CubeTriangle corners = leb::cornersOf(leaf);
        return (glm::dvec3(cubePoint(corners.left)) + glm::dvec3(cubePoint(corners.right))) / double(kCubeSide);
    }

    double ratioOf(const leb::CubeLeaf& leaf) const
    {
        const double length = 2.83 * std::exp2(-0.5 * leaf.depth());
        return length / std::max(glm::distance(middleOf(leaf), focus_), 1e-9);
    }

    leb::Wish smooth(const leb::CubeLeaf& leaf) const
    {
        const double ratio = ratioOf(leaf) / target_;
        return {.split = ratio > 1 && leaf.depth() < depth_,
                .merge = ratio < 0.6 || leaf.depth() > depth_,
                .priority = leb::priorityOf(float(ratio))};
    }

    leb::Wish byLot(leb::LeafId id, const leb::CubeLeaf& leaf, std::uint64_t of) const
    {
        std::uint64_t h = id * 0x9e3779b97f4a7c15u ^ (salt_ * 0x2545f4914f6cdd1du);
        h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9u;
        h = (h ^ (h >> 27)) * 0x94d049bb133111ebu;
        h >>= 32;
        return {.split = h % of == 0 && leaf.depth() < depth_,
                .merge = h % of != 1,
                .priority = std::uint32_t(h >> 20) % leb::kPriorities};
    }

    PoolScene scene_;
    int depth_;
    double target_;
    std::uint64_t salt_;
    glm::dvec3 focus_{0.0}, beyond_{0.0};
};

}  // namespace orogen::test
