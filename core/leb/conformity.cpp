#include "core/leb/conformity.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

namespace orogen::leb {
namespace {

constexpr std::size_t kBlock = 1u << 13;  // edges of one direction per block: sorted within the cache
static_assert(kLatticeBits < 16, "a coordinate takes 16 bits of a key");

std::uint64_t keyOf(const Edge& e)
{
    return std::uint64_t(e.low.x) << 48 | std::uint64_t(e.low.y) << 32 | std::uint64_t(e.high.x) << 16 | e.high.y;
}

std::string describe(std::uint64_t key)
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

// Removes matched pairs and keeps the edges that have an owner on one side only.
void ConformityCheck::strikeOut(std::vector<Key>& forward, std::vector<Key>& backward)
{
    for (std::vector<Key>* keys : {&forward, &backward})
    {
        std::ranges::sort(*keys);
        const auto twice = std::ranges::adjacent_find(*keys);
        if (twice != keys->end()) fault_ = fmt::format("edge {} has two owners on one side", describe(*twice));
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
        if (!keys->empty()) return fmt::format("edge {} has an owner on one side only", describe(keys->front()));
    constexpr std::uint64_t kWhole = 2 * std::uint64_t(kSide) * kSide;
    if (doubleArea_ != kWhole) return fmt::format("the areas sum to {} of {} of the square", doubleArea_, kWhole);
    return {};
}

}  // namespace orogen::leb
