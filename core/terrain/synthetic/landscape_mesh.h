// A square lattice with displaced nodes.
//
// On a regular lattice water flows in eight directions and carves them into the terrain. A fixed random displacement
// keeps the lattice's neighbours and removes its preferred directions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/terrain/synthetic/noise.h"

namespace orogen {

// Offset of a node from the centre of its cell, in 1/256 of a cell.
struct NodeOffset
{
    std::int8_t x, y;
};

// Returns an offset of at most 0.43 cells each way, so that a node never leaves its cell.
inline NodeOffset offsetOf(int x, int y, std::uint32_t seed)
{
    const std::uint32_t hash = hashOf(std::uint32_t(x), std::uint32_t(y), seed);
    return {std::int8_t(int((hash & 0xffffu) % 221u) - 110), std::int8_t(int((hash >> 16) % 221u) - 110)};
}

// Returns the squared distance (cells) between nodes that are (dx, dy) cells apart.
inline float distanceSquared(NodeOffset from, NodeOffset to, int dx, int dy)
{
    const float x = float(dx) + float(to.x - from.x) * (1.0f / 256.0f);
    const float y = float(dy) + float(to.y - from.y) * (1.0f / 256.0f);
    return x * x + y * y;
}

// A piece of a landscape during erosion, row-major.
struct LandscapeMesh
{
    int width = 0, height = 0;
    std::vector<float> heights;  // metres
    std::vector<NodeOffset> offsets;

    std::size_t index(int x, int y) const { return std::size_t(y) * std::size_t(width) + std::size_t(x); }
    bool onBorder(int x, int y) const { return x == 0 || y == 0 || x == width - 1 || y == height - 1; }
    void resize(int newWidth, int newHeight)
    {
        width = newWidth;
        height = newHeight;
        heights.resize(std::size_t(width) * std::size_t(height));
        offsets.resize(heights.size());
    }
};

}  // namespace orogen
