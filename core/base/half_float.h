// Half floats (IEEE 754 binary16) as bit patterns.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

namespace orogen {

inline constexpr float kLargestHalf = 65'504.0f;

// Returns the half float nearest to a finite number, ties away from 0, clamped to the largest one.
inline std::uint16_t halfOf(float value)
{
    const std::uint32_t sign = (std::bit_cast<std::uint32_t>(value) >> 16) & 0x8000u;
    const float size = std::min(value < 0 ? -value : value, kLargestHalf);
    if (size < 0x1p-14f)  // subnormal: steps of 2^-24
        return std::uint16_t(sign | std::uint32_t(size * 0x1p24f + 0.5f));
    // Adds half a step, so that truncation rounds. The exponent's bias changes by 112: 127 - 15.
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(size) + 0x1000u;
    return std::uint16_t(sign | std::min((bits - (112u << 23)) >> 13, 0x7bffu));
}

// Returns the value of a finite half float.
inline float floatOfHalf(std::uint16_t half)
{
    const std::uint32_t size = half & 0x7fffu;
    const float value = size < 0x400u ? float(size) * 0x1p-24f : std::bit_cast<float>((size << 13) + (112u << 23));
    return half & 0x8000u ? -value : value;
}

// Returns the least half float >= `value` (>= 0), clamped to the largest one.
inline std::uint16_t halfAbove(float value)
{
    const std::uint16_t nearest = halfOf(value);
    return std::uint16_t(nearest + std::uint16_t(floatOfHalf(nearest) < value && nearest < 0x7bffu));
}

}  // namespace orogen
