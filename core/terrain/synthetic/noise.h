// Gradient noise with the same values on every machine: it uses only integer hashes, + - * and floor().
#pragma once

#include <cmath>
#include <cstdint>

namespace orogen {

// Returns a well mixed 32-bit hash: "lowbias32" (Wellons, 2018) of a sum of odd multiples of the arguments.
inline std::uint32_t hashOf(std::uint32_t x, std::uint32_t y, std::uint32_t seed)
{
    std::uint32_t h = x * 0x9e3779b1u + y * 0x85ebca77u + seed * 0xc2b2ae3du;
    h ^= h >> 16;
    h *= 0x7feb352du;
    h ^= h >> 15;
    h *= 0x846ca68bu;
    return h ^ (h >> 16);
}

// Returns a uniform value in [0, 1).
inline float unitOf(std::uint32_t hash) { return float(hash >> 8) * (1.0f / 16'777'216.0f); }

// Returns Perlin's gradient noise with a quintic fade: mostly in [-1, 1], always in [-1.5, 1.5]. `seed` selects the
// field.
inline float gradientNoise(float x, float y, std::uint32_t seed)
{
    const float fx = std::floor(x), fy = std::floor(y);
    const std::uint32_t ix = std::uint32_t(std::int32_t(fx)), iy = std::uint32_t(std::int32_t(fy));
    const float u = x - fx, v = y - fy;
    const auto corner = [&](std::uint32_t i, std::uint32_t j) {
        // Components uniform in [-1, 1]: more directions than a fixed table of gradients has.
        const std::uint32_t hash = hashOf(ix + i, iy + j, seed);
        const float gx = float(hash & 0xffffu) * (2.0f / 65535.0f) - 1.0f;
        const float gy = float(hash >> 16) * (2.0f / 65535.0f) - 1.0f;
        return gx * (u - float(i)) + gy * (v - float(j));
    };
    const float su = u * u * u * (u * (u * 6.0f - 15.0f) + 10.0f);
    const float sv = v * v * v * (v * (v * 6.0f - 15.0f) + 10.0f);
    const float top = corner(0, 0) + su * (corner(1, 0) - corner(0, 0));
    const float bottom = corner(0, 1) + su * (corner(1, 1) - corner(0, 1));
    return 1.5f * (top + sv * (bottom - top));
}

// Returns a sum of octaves of gradientNoise(). Each has twice the frequency and half the amplitude of the previous one.
inline float fractalNoise(float x, float y, int octaves, std::uint32_t seed)
{
    float sum = 0, amplitude = 1;
    for (int i = 0; i < octaves; ++i)
    {
        sum += amplitude * gradientNoise(x, y, seed + std::uint32_t(i));
        // Shift octaves against each other, so that their lattices do not coincide at the origin.
        x = 2.0f * x + 17.31f;
        y = 2.0f * y - 9.73f;
        amplitude *= 0.5f;
    }
    return sum;
}

}  // namespace orogen
