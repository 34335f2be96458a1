#include "compute/terrain_model/drainage.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <queue>
#include <tuple>

namespace orogen::compute {
namespace {

constexpr std::uint32_t kNone = ~std::uint32_t(0);

struct Step
{
    int x, y;
};
constexpr Step kNeighbours[] = {{-1, -1}, {0, -1}, {1, -1}, {-1, 0}, {1, 0}, {-1, 1}, {0, 1}, {1, 1}};

}  // namespace

void Drainage::begin(const DrainedRaster& raster)
{
    const std::size_t size = std::size_t(raster.width) * std::size_t(raster.height);
    assert(raster.heights.size() == size && raster.kinds.size() == size && size < kNone);
    width_ = raster.width;
    alongX_ = raster.alongX;
    alongY_ = raster.alongY;
    diagonal_ = std::hypot(alongX_, alongY_);
    receivers_.resize(size);
    basins_.resize(size);
    cells_.resize(size);
}

void Drainage::join(const DrainedRaster& raster, std::vector<std::uint32_t> receivers)
{
    begin(raster);
    receivers_ = std::move(receivers);
    order_.clear();
    labelBasins(raster);
    if (depressions_ > 0) joinBasins(raster);
}

void Drainage::route(const DrainedRaster& raster, ThreadPool& pool)
{
    begin(raster);
    descend(raster, pool);
    labelBasins(raster);
    if (depressions_ > 0) joinBasins(raster);
    sortCells(raster);
}

double Drainage::distance(std::uint32_t cell) const
{
    const auto width = std::uint32_t(width_);
    const std::uint32_t to = receivers_[cell];
    if (cell / width == to / width) return alongX_;
    return cell % width == to % width ? alongY_ : diagonal_;
}

// Finds the receivers by the steepest descent.  Pits, and cells that are not free, are their own receivers.
void Drainage::descend(const DrainedRaster& raster, ThreadPool& pool)
{
    const auto distanceOf = [this](const Step& s) { return s.x == 0 ? alongY_ : s.y == 0 ? alongX_ : diagonal_; };
    forEachRow(pool, raster.height, [&](int y) {
        for (int x = 0; x < width_; ++x)
        {
            const std::size_t i = std::size_t(y) * std::size_t(width_) + std::size_t(x);
            std::uint32_t best = std::uint32_t(i);
            if (raster.kinds[i] == CellKind::kFree)
            {
                double steepest = 0;
                for (const Step& s : kNeighbours)
                {
                    const int u = x + s.x, v = y + s.y;
                    if (u < 0 || v < 0 || u >= width_ || v >= raster.height) continue;
                    const std::size_t j = std::size_t(v) * std::size_t(width_) + std::size_t(u);
                    if (raster.kinds[j] == CellKind::kOutside) continue;
                    const double slope = (raster.heights[i] - raster.heights[j]) / distanceOf(s);
                    if (slope > steepest) steepest = slope, best = std::uint32_t(j);
                }
            }
            receivers_[i] = best;
        }
    });
}

// Gives every cell the number of its basin: 0 if it drains to an outlet or is outside, else that of a pit, from 1 on.
void Drainage::labelBasins(const DrainedRaster& raster)
{
    std::ranges::fill(basins_, kNone);
    depressions_ = 0;
    std::vector<std::uint32_t> way;
    for (std::uint32_t start = 0; start < basins_.size(); ++start)
    {
        std::uint32_t cell = start;
        for (way.clear(); basins_[cell] == kNone; cell = receivers_[cell])
        {
            way.push_back(cell);
            if (receivers_[cell] != cell) continue;
            basins_[cell] = raster.kinds[cell] == CellKind::kFree ? ++depressions_ : 0;
            way.pop_back();
            break;
        }
        for (const std::uint32_t passed : way)
            basins_[passed] = basins_[cell];
    }
}

// Returns the lowest pass between each two neighbouring basins, in both directions, sorted by basins.
std::vector<Drainage::Pass> Drainage::passes(const DrainedRaster& raster) const
{
    std::vector<Pass> all;
    const auto add = [&](std::uint32_t i, std::uint32_t j) {
        const std::uint32_t a = basins_[i], b = basins_[j];
        if (a == b || raster.kinds[i] == CellKind::kOutside || raster.kinds[j] == CellKind::kOutside) return;
        const double level = std::max(raster.heights[i], raster.heights[j]);
        all.push_back({a, b, i, j, level});
        all.push_back({b, a, j, i, level});
    };
    for (int y = 0; y < raster.height; ++y)
        for (int x = 0; x < width_; ++x)
        {
            const std::uint32_t i = std::uint32_t(y) * std::uint32_t(width_) + std::uint32_t(x);
            const auto width = std::uint32_t(width_);
            if (x + 1 < width_) add(i, i + 1);
            if (y + 1 == raster.height) continue;
            if (x > 0) add(i, i + width - 1);
            add(i, i + width);
            if (x + 1 < width_) add(i, i + width + 1);
        }
    const auto rank = [](const Pass& p) {
        return std::tuple(p.from, p.to, p.level, std::min(p.inside, p.outside), std::max(p.inside, p.outside));
    };
    std::ranges::sort(all, {}, rank);
    const auto same = [](const Pass& p, const Pass& q) { return p.from == q.from && p.to == q.to; };
    all.erase(std::unique(all.begin(), all.end(), same), all.end());
    return all;
}

// Joins basins to those that drain already, the lowest pass first (Prim's algorithm).
void Drainage::joinBasins(const DrainedRaster& raster)
{
    const std::vector<Pass> all = passes(raster);
    std::vector<std::size_t> first(std::size_t(depressions_) + 2);
    for (const Pass& pass : all)
        ++first[pass.from + 1];
    std::partial_sum(first.begin(), first.end(), first.begin());

    // Passes out of joined basins; lowest first, then by cells, so that the order is unique.
    const auto later = [](const Pass* p, const Pass* q) {
        return std::tuple(p->level, p->inside, p->outside) > std::tuple(q->level, q->inside, q->outside);
    };
    std::priority_queue<const Pass*, std::vector<const Pass*>, decltype(later)> queue(later);
    std::vector<std::uint8_t> joined(std::size_t(depressions_) + 1);
    const auto join = [&](std::uint32_t basin) {
        joined[basin] = 1;
        for (std::size_t i = first[basin]; i < first[basin + 1]; ++i)
            if (!joined[all[i].to]) queue.push(&all[i]);
    };
    join(0);
    while (!queue.empty())
    {
        const Pass& pass = *queue.top();
        queue.pop();
        if (joined[pass.to]) continue;
        carve(pass.outside, pass.inside);  // pass.outside lies in the basin that is joined
        join(pass.to);
    }
}

// Lets a basin drain from its cell `inside` to `outside`: reverses the receivers from `inside` down to the basin's pit.
void Drainage::carve(std::uint32_t inside, std::uint32_t outside)
{
    std::uint32_t to = outside;
    for (std::uint32_t cell = inside;;)
    {
        const std::uint32_t next = receivers_[cell];
        receivers_[cell] = to;
        if (next == cell) return;
        to = cell;
        cell = next;
    }
}

// Lists cells from the outlets upstream, and counts those that drain through each.
void Drainage::sortCells(const DrainedRaster& raster)
{
    const std::size_t size = receivers_.size();
    firstDonor_.assign(size + 1, 0);
    for (std::uint32_t i = 0; i < size; ++i)
        if (receivers_[i] != i) ++firstDonor_[receivers_[i] + 1];
    std::partial_sum(firstDonor_.begin(), firstDonor_.end(), firstDonor_.begin());
    donors_.resize(size);
    std::vector<std::uint32_t>& next = cells_;  // used as scratch memory until the counts are computed
    std::copy(firstDonor_.begin(), firstDonor_.end() - 1, next.begin());
    for (std::uint32_t i = 0; i < size; ++i)
        if (receivers_[i] != i) donors_[next[receivers_[i]]++] = i;

    order_.clear();
    order_.reserve(size);
    for (std::uint32_t i = 0; i < size; ++i)
        if (raster.kinds[i] == CellKind::kFixed) order_.push_back(i);
    for (std::size_t done = 0; done < order_.size(); ++done)
        for (std::uint32_t k = firstDonor_[order_[done]]; k < firstDonor_[order_[done] + 1]; ++k)
            order_.push_back(donors_[k]);

    std::ranges::fill(cells_, 1u);
    for (std::size_t k = order_.size(); k-- > 0;)
        if (const std::uint32_t cell = order_[k]; receivers_[cell] != cell) cells_[receivers_[cell]] += cells_[cell];
}

}  // namespace orogen::compute
