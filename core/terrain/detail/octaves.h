// Waves of the octaves of procedural detail, shared by the plane and the cube.
#pragma once

#include <cmath>
#include <cstdint>

#include <glm/vec2.hpp>

#include "core/gpu_layout.h"

namespace orogen::octaves {

inline constexpr int kRipplingOctaves = 2;

inline float cellTurns(const gpu::DetailUniforms& detail, int octave)
{
    return octave < kRipplingOctaves ? detail.metres.y : 0.5f;
}

// Approximates the sine of `turns` turns with parabolas.
inline float wave(float turns)
{
    const float t = turns - std::floor(turns + 0.5f);
    return 8.0f * t * (1.0f - 2.0f * std::abs(t));
}

// Returns the turns a cell along x and y of a node's wave.
inline glm::vec2 turnsOf(const gpu::DetailUniforms& detail, std::uint32_t hash, std::uint32_t octave)
{
    const float way = float(hash >> 16u) / 65536.0f;
    const float turns = cellTurns(detail, int(octave)) * (0.85f + 0.3f * float(hash & 0xffffu) / 65536.0f);
    return {turns * wave(way + 0.25f), turns * wave(way)};
}

inline float blend(float f) { return f * f * f * (f * (f * 6.0f - 15.0f) + 10.0f); }

// Blends the values of a cell's four corners at a place in it, in [0, 1].
inline float blended(float a, float b, float c, float d, glm::vec2 f)
{
    const float u = blend(f.x), low = a + (b - a) * u, high = c + (d - c) * u;
    return low + (high - low) * blend(f.y);
}

}  // namespace orogen::octaves
