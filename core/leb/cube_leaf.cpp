#include "core/leb/cube_leaf.h"

#include <cassert>

namespace orogen::leb {
namespace {

constexpr std::int32_t kAlong[4][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
constexpr std::int32_t kDiagonal[4][2] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}};

// Returns the length L (even depths) or h (odd depths) that cube_leaf.h defines at CubeLeaf, in lattice units.
std::int32_t reachOf(int depth) { return std::int32_t(1) << (kCubeBits - (depth + 1) / 2); }

CubeLeaf made(std::int32_t x, std::int32_t y, int depth, int turn, int face)
{
    return {x, y, std::uint32_t(depth) | std::uint32_t(turn & 3) << 6 | std::uint32_t(face) << 8};
}

CubePlace placed(const CubeLeaf& leaf, int turn)
{
    const std::int32_t(&towards)[2] = leaf.depth() % 2 == 0 ? kAlong[turn & 3] : kDiagonal[turn & 3];
    const std::int32_t reach = reachOf(leaf.depth());
    return {leaf.face(), leaf.x + reach * towards[0], leaf.y + reach * towards[1]};
}

}  // namespace

CubeLeaf rootLeaf(std::uint32_t root)
{
    assert(root < kCubeRoots);
    const bool second = root % 2 == 1;
    const std::int32_t corner = second ? kCubeSide : 0;
    return made(corner, corner, 0, second ? 2 : 0, int(root / 2));
}

CubeLeaf childOf(const CubeLeaf& leaf, unsigned child)
{
    const bool even = leaf.depth() % 2 == 0;
    const std::int32_t(&towards)[2] = even ? kDiagonal[leaf.turn()] : kAlong[(leaf.turn() + 1) & 3];
    const std::int32_t reach = reachOf(leaf.depth() + 1);
    const int turned = (even ? 2 : 3) - int(child);
    return made(leaf.x + reach * towards[0], leaf.y + reach * towards[1], leaf.depth() + 1, leaf.turn() + turned,
                leaf.face());
}

CubeLeaf parentOfChild0(const CubeLeaf& child)
{
    assert(child.depth() > 0);
    const CubePlace apex = placed(child, child.turn());
    const bool even = child.depth() % 2 == 1;  // whether the parent's depth is even
    return made(apex.x, apex.y, child.depth() - 1, child.turn() - (even ? 2 : 3), child.face());
}

CubeTriangle cornersOf(const CubeLeaf& leaf)
{
    return {{leaf.face(), leaf.x, leaf.y}, placed(leaf, leaf.turn()), placed(leaf, leaf.turn() + 1)};
}

CubeLeaf leafOfId(LeafId id)
{
    CubeLeaf leaf = rootLeaf(rootOfId(id));
    for (int level = depthOfId(id) - 1; level >= 0; --level)
        leaf = childOf(leaf, unsigned(id >> level & 1));
    return leaf;
}

}  // namespace orogen::leb
