#include "core/terrain/synthetic/landscape_ground.h"

#include <algorithm>
#include <cmath>

#include "core/terrain/synthetic/noise.h"

namespace orogen {
namespace {

constexpr float kMargin = LandscapeGround::kSide / 4;
constexpr int kSamples = 513;

float smoothStep(float t) { return t * t * (3.0f - 2.0f * t); }

// Returns the uplift. Ranges follow the zero crossings of a warped noise, with uneven heights along them.
float upliftAt(float x, float y, std::uint32_t seed)
{
    constexpr float kPlains = 0.07f;
    const float warpedX = x + 6.0f * fractalNoise(x / 26.0f, y / 26.0f, 3, seed + 100);
    const float warpedY = y + 6.0f * fractalNoise(x / 26.0f, y / 26.0f, 3, seed + 200);
    const float ridge = 1.0f - std::fabs(fractalNoise(warpedX / 34.0f, warpedY / 34.0f, 3, seed + 300));
    const float range = smoothStep(std::clamp(ridge * 1.6f - 0.6f, 0.0f, 1.0f));
    const float uneven = 0.75f + 0.35f * fractalNoise(x / 7.0f, y / 7.0f, 3, seed + 400);
    return std::clamp(range * uneven, 0.0f, 1.0f) * (1.0f - kPlains) + kPlains;
}

float hardnessAt(float x, float y, std::uint32_t seed)
{
    return std::clamp(1.0f + 0.4f * fractalNoise(x / 3.0f, y / 3.0f, 4, seed + 500), 0.4f, 1.8f);
}

}  // namespace

LandscapeGround::LandscapeGround(std::uint32_t seed, ThreadPool& pool) : samples_(std::size_t(kSamples) * kSamples)
{
    static_assert(kSamples == kCells + 1);
    const float step = kSide / kCells;
    // Mix the seed: octaves use consecutive seeds, which neighbouring landscapes must not share.
    const std::uint32_t mixed = hashOf(seed, 0, 1);
    forRows(pool, kSamples, [&](int begin, int end) {
        for (int j = begin; j < end; ++j)
            for (int i = 0; i < kSamples; ++i)
            {
                const float x = float(i) * step - kMargin, y = float(j) * step - kMargin;
                samples_[std::size_t(j) * kSamples + std::size_t(i)] = {upliftAt(x, y, mixed), hardnessAt(x, y, mixed)};
            }
    });
}

LandscapeGround::Sample LandscapeGround::at(float x, float y) const
{
    const float u = std::clamp((x + kMargin) * (kCells / kSide), 0.0f, float(kCells));
    const float v = std::clamp((y + kMargin) * (kCells / kSide), 0.0f, float(kCells));
    const int i = std::min(int(u), kCells - 1), j = std::min(int(v), kCells - 1);
    const float a = u - float(i), b = v - float(j);
    const Sample* top = &samples_[std::size_t(j) * kSamples + std::size_t(i)];
    const Sample* bottom = top + kSamples;
    const auto mix = [&](float Sample::*field) {
        const float north = top[0].*field + a * (top[1].*field - top[0].*field);
        const float south = bottom[0].*field + a * (bottom[1].*field - bottom[0].*field);
        return north + b * (south - north);
    };
    return {mix(&Sample::uplift), mix(&Sample::hardness)};
}

}  // namespace orogen
