#include "core/leb/conformity.h"

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <iterator>

#include <fmt/format.h>

namespace orogen::leb {
namespace {

constexpr std::size_t kBlock = 1u << 13;  // edges of one direction in a block, which is sorted within the CPU cache
static_assert(kLatticeBits < 16, "a coordinate takes 16 bits of a key");

std::uint64_t keyOf(const Edge& e)
{
    return std::uint64_t(e.low.x) << 48 | std::uint64_t(e.low.y) << 32 | std::uint64_t(e.high.x) << 16 | e.high.y;
}

std::string edgeText(std::uint64_t key)
{
    return fmt::format("({}, {})-({}, {})", key >> 48, key >> 32 & 0xffff, key >> 16 & 0xffff, key & 0xffff);
}

bool onBorder(Point a, Point b)
{
    return (a.x == b.x && (a.x == 0 || a.x == kSide)) || (a.y == b.y && (a.y == 0 || a.y == kSide));
}

// Returns twice the signed area, counter-clockwise positive.
std::int64_t doubleArea(const Triangle& t)
{
    const std::int64_t ax = t.base0.x - std::int64_t(t.apex.x), ay = t.base0.y - std::int64_t(t.apex.y);
    const std::int64_t bx = t.base1.x - std::int64_t(t.apex.x), by = t.base1.y - std::int64_t(t.apex.y);
    return ax * by - ay * bx;
}

}  // namespace

ConformityCheck::ConformityCheck()
{
    forward_.reserve(kBlock + 3);
    backward_.reserve(kBlock + 3);
}

void ConformityCheck::add(const Triangle& triangle)
{
    const std::int64_t area = doubleArea(triangle);
    doubleArea_ += std::uint64_t(std::abs(area));
    const Point a = triangle.apex;
    const Point b = area > 0 ? triangle.base0 : triangle.base1;
    const Point c = area > 0 ? triangle.base1 : triangle.base0;
    addEdge(a, b);
    addEdge(b, c);
    addEdge(c, a);
    if (forward_.size() >= kBlock || backward_.size() >= kBlock) flush();
}

void ConformityCheck::addEdge(Point from, Point to)
{
    if (onBorder(from, to)) return;
    (from < to ? forward_ : backward_).push_back(keyOf(makeEdge(from, to)));
}

void ConformityCheck::flush()
{
    strikeOut(forward_, backward_);
    waitingForward_.insert(waitingForward_.end(), forward_.begin(), forward_.end());
    waitingBackward_.insert(waitingBackward_.end(), backward_.begin(), backward_.end());
    forward_.clear();
    backward_.clear();
    if (waitingForward_.size() + waitingBackward_.size() < waitingLimit_) return;
    strikeOut(waitingForward_, waitingBackward_);
    waitingLimit_ = kBlock + 2 * (waitingForward_.size() + waitingBackward_.size());
}

// Removes the edges that occur in both directions, so that only edges with one owner remain.
void ConformityCheck::strikeOut(std::vector<Key>& forward, std::vector<Key>& backward)
{
    for (std::vector<Key>* keys : {&forward, &backward})
    {
        std::ranges::sort(*keys);
        const auto twice = std::ranges::adjacent_find(*keys);
        if (twice != keys->end()) fault_ = fmt::format("edge {} has two owners on one side", edgeText(*twice));
    }
    std::vector<Key> ahead, behind;
    std::ranges::set_difference(forward, backward, std::back_inserter(ahead));
    std::ranges::set_difference(backward, forward, std::back_inserter(behind));
    forward.swap(ahead);
    backward.swap(behind);
}

std::string ConformityCheck::finish()
{
    flush();
    strikeOut(waitingForward_, waitingBackward_);
    if (!fault_.empty()) return fault_;
    for (const std::vector<Key>* keys : {&waitingForward_, &waitingBackward_})
        if (!keys->empty()) return fmt::format("edge {} has an owner on one side only", edgeText(keys->front()));
    constexpr std::uint64_t kWhole = 2 * std::uint64_t(kSide) * kSide;
    if (doubleArea_ != kWhole) return fmt::format("the areas sum to {} of {} of the square", doubleArea_, kWhole);
    return {};
}

// ---- leaves of a pool ----

namespace {

// Number of a vertex, equal on all faces that contain the vertex.  The number consists of the lowest of these faces and
// half of x and y on that face.  x and y are even down to the deepest leaves.
using Vertex = std::uint64_t;

Vertex vertexOf(const CubePlace& place)
{
    assert(place.x % 2 == 0 && place.y % 2 == 0);
    const CubePoint point = cubePoint(place);
    int face = 0;
    while (!isOnFace(point, face))
        ++face;
    const CubePlace first = placeOnFace(point, face);
    return Vertex(face) << 60 | Vertex(first.x) / 2 << 30 | Vertex(first.y) / 2;
}

std::string describe(Vertex vertex)
{
    constexpr Vertex kCoordinate = (Vertex(1) << 30) - 1;
    return fmt::format("face {} ({}, {})", vertex >> 60, 2 * (vertex >> 30 & kCoordinate), 2 * (vertex & kCoordinate));
}

// One side of an edge: its leaf and the leaf's edge number.
struct Side
{
    Vertex low, high;
    NodeId slot;
    unsigned edge;
    bool forward, border;

    bool sameEdge(const Side& other) const { return low == other.low && high == other.high; }
    bool operator<(const Side& other) const
    {
        if (low != other.low) return low < other.low;
        return high != other.high ? high < other.high : slot < other.slot;
    }
};

std::string describe(const Side& side) { return describe(side.low) + " - " + describe(side.high); }

class Check
{
public:
    explicit Check(const Pool& pool) : pool_(pool)
    {
        sides_.reserve(3 * pool.leaves.size());
        vertices_.reserve(3 * pool.leaves.size());
    }

    std::string run()
    {
        for (const auto step : {&Check::slots, &Check::leaves, &Check::area, &Check::edges, &Check::euler})
            if (const std::string fault = (this->*step)(); !fault.empty()) return fault;
        return {};
    }

private:
    std::string slots();
    std::string leaves();
    std::string area();
    std::string edges();
    std::string euler();
    void add(NodeId slot, const CubeTriangle& corners);
    void addSide(NodeId slot, unsigned edge, const CubePlace& from, const CubePlace& to, Vertex first, Vertex second);
    std::string pairFault(const Side& a, const Side& b) const;
    std::string borderFault(const Side& side) const;

    const Pool& pool_;
    std::vector<Side> sides_;
    std::vector<Vertex> vertices_;
    std::uint64_t edges_ = 0;
};

std::string Check::slots()
{
    std::size_t listed = 0;
    for (NodeId slot = 0; slot < pool_.slots(); ++slot)
    {
        if (pool_.live.bit(slot) != (pool_.ids[slot] != 0))
            return fmt::format("slot {}: its bit is {}, its id {:#x}", slot, int(pool_.live.bit(slot)),
                               pool_.ids[slot]);
        if (pool_.ids[slot] == 0) continue;
        if (listed >= pool_.leaves.size() || pool_.leaves[listed] != slot)
            return fmt::format("slot {} is in use and not listed in order", slot);
        ++listed;
    }
    if (listed == pool_.leaves.size()) return {};
    return fmt::format("{} slots are listed, {} in use", pool_.leaves.size(), listed);
}

std::string Check::leaves()
{
    for (const NodeId slot : pool_.leaves)
    {
        const LeafId id = pool_.ids[slot];
        if (id < idOfRoot(0) || depthOfId(id) > kMostCubeDepth || rootOfId(id) >= std::uint32_t(pool_.roots))
            return fmt::format("slot {}: {:#x} is no id", slot, id);
        const CubeLeaf leaf = leafOfId(id);
        const CubeLeaf& kept = pool_.geometry[slot];
        if (kept != leaf)
            return fmt::format("slot {}: kept at ({}, {}) with shape {:#x}, its id says ({}, {}) with {:#x}", slot,
                               kept.x, kept.y, kept.shape, leaf.x, leaf.y, leaf.shape);
        add(slot, cornersOf(leaf));
    }
    return {};
}

void Check::add(NodeId slot, const CubeTriangle& corners)
{
    const Vertex a = vertexOf(corners.apex), l = vertexOf(corners.left), r = vertexOf(corners.right);
    vertices_.insert(vertices_.end(), {a, l, r});
    addSide(slot, 0, corners.apex, corners.left, a, l);
    addSide(slot, 1, corners.right, corners.apex, r, a);
    addSide(slot, 2, corners.left, corners.right, l, r);
}

void Check::addSide(NodeId slot, unsigned edge, const CubePlace& from, const CubePlace& to, Vertex first, Vertex second)
{
    const auto atEnd = [](std::int32_t a, std::int32_t b) { return a == b && (a == 0 || a == kCubeSide); };
    const bool border = pool_.roots == PoolRoots::kPlane && (atEnd(from.x, to.x) || atEnd(from.y, to.y));
    sides_.push_back({std::min(first, second), std::max(first, second), slot, edge, first < second, border});
}

// Checks the sum of the areas.  A leaf of depth d has 2^-d of the area of a root.
std::string Check::area()
{
    constexpr std::uint64_t kRoot = std::uint64_t(1) << kMostCubeDepth;
    std::uint64_t sum = 0;  // < 2^62 for a valid pool of at most 12 roots; overflow hides only a multiple of 2^64
    for (const NodeId slot : pool_.leaves)
        sum += kRoot >> depthOfId(pool_.ids[slot]);
    if (sum == std::uint64_t(pool_.roots) * kRoot) return {};
    return fmt::format("the areas sum to {} of {} of the surface", sum, std::uint64_t(pool_.roots) * kRoot);
}

std::string Check::edges()
{
    std::ranges::sort(sides_, [](const Side& a, const Side& b) { return a < b; });
    for (std::size_t i = 0; i < sides_.size(); ++edges_)
    {
        std::size_t end = i + 1;
        while (end < sides_.size() && sides_[end].sameEdge(sides_[i]))
            ++end;
        const std::size_t expected = sides_[i].border ? 1 : 2;
        if (end - i != expected)
            return fmt::format("edge {} has {} sides, expected {}", describe(sides_[i]), end - i, expected);
        const std::string fault = expected == 1 ? borderFault(sides_[i]) : pairFault(sides_[i], sides_[i + 1]);
        if (!fault.empty()) return fault;
        i = end;
    }
    return {};
}

std::string Check::borderFault(const Side& side) const
{
    const NodeId link = pool_.links[side.slot][side.edge];
    if (link == kNoSlot) return {};
    return fmt::format("edge {} lies on the border, but slot {} is linked to {}", describe(side), side.slot, link);
}

std::string Check::pairFault(const Side& a, const Side& b) const
{
    if (a.forward == b.forward) return fmt::format("edge {} runs the same way on both sides", describe(a));
    for (const auto& [one, other] : {std::pair(&a, &b), std::pair(&b, &a)})
        if (const NodeId link = pool_.links[one->slot][one->edge]; link != other->slot)
            return fmt::format("edge {}: slot {} is linked to {}, expected {}", describe(a), one->slot, link,
                               other->slot);
    return {};
}

std::string Check::euler()
{
    std::ranges::sort(vertices_);
    const std::int64_t vertices = std::unique(vertices_.begin(), vertices_.end()) - vertices_.begin();
    const std::int64_t found = vertices - std::int64_t(edges_) + std::int64_t(pool_.leaves.size());
    const std::int64_t expected = pool_.roots == PoolRoots::kPlane ? 1 : 2;
    if (found == expected) return {};
    return fmt::format("vertices - edges + leaves is {}, expected {}", found, expected);
}

}  // namespace

std::string conformityFault(const Pool& pool) { return Check(pool).run(); }

}  // namespace orogen::leb
