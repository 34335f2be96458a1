// Inputs of a landscape: uplift and hardness of the ground.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/thread_pool.h"

namespace orogen {

// Two smooth fields over a square of kSide kilometres around the landscape, independent of the resolution.
class LandscapeGround
{
public:
    static constexpr float kSide = 81.92f;  // kilometres: the landscape's 40.96, and half as much on each side

    LandscapeGround(std::uint32_t seed, ThreadPool& pool);

    struct Sample
    {
        float uplift;    // 0.07 in the plains to 1 under the ranges
        float hardness;  // about 0.4 to 1.6; hard ground erodes slowly and stands steep
    };
    // Returns the fields; x east, y south in kilometres from the landscape's north-western corner; bilinear, clamped.
    Sample at(float x, float y) const;

private:
    static constexpr int kCells = 512;  // 160 m: an eleventh of the shortest wave of the uplift

    std::vector<Sample> samples_;
};

}  // namespace orogen
