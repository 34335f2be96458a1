// Levels are lists of nodes instead of grids, because voids may be few and scattered in a large raster.
#include "compute/voids/void_multigrid.h"

#include <algorithm>

namespace orogen::compute {
namespace {

constexpr std::size_t kPiece = 16384;  // nodes per task; fewer are not worth a second thread
constexpr std::size_t kSmallest = 64;  // nodes: smaller levels are not coarsened
constexpr int kCoarsestSweeps = 16;    // forward and backward; enough for kSmallest nodes
constexpr std::uint32_t kNone = ~std::uint32_t(0);

template <class Work>
void forEachNode(std::size_t size, ThreadPool& pool, const Work& work)
{
    pool.forEach((size + kPiece - 1) / kPiece, [&](std::size_t piece) {
        for (std::size_t i = piece * kPiece; i < std::min(size, (piece + 1) * kPiece); ++i)
            work(i);
    });
}

template <class Node>
double sumAround(const Node& node, const double* z)
{
    return (double(node.weight[0]) * z[node.to[0]] + double(node.weight[1]) * z[node.to[1]]) +
           (double(node.weight[2]) * z[node.to[2]] + double(node.weight[3]) * z[node.to[3]]);
}

template <class Node>
bool isAlone(const Node& node)
{
    return std::ranges::all_of(node.weight, [](float weight) { return weight == 0; });
}

}  // namespace

VoidMultigrid::Level VoidMultigrid::finest(std::span<const VoidCell> cells)
{
    Level level;
    level.nodes.reserve(cells.size());
    level.places.reserve(cells.size());
    for (std::size_t i = 0; i < cells.size(); ++i)
    {
        Node node = {.to = {}, .weight = {}, .diagonal = float(cells[i].neighbours), .inverse = 0};
        for (int side = 0; side < 4; ++side)
        {
            node.to[side] = cells[i].to[side];
            node.weight[side] = cells[i].to[side] == i ? 0.0f : 1.0f;
        }
        level.nodes.push_back(node);
        level.places.push_back({cells[i].x, cells[i].y});
    }
    return level;
}

// Assigns fine nodes to coarse ones by blocks of 2 x 2.  An isolated node gets no parent: a sweep solves it exactly,
// and scattered voids would otherwise be on every level.  Nodes are sorted by row but not within a row.  The newest
// coarse node of each column therefore suffices to find the one of the same block.
void VoidMultigrid::join(Level& fine, Level& coarse)
{
    fine.parents.assign(fine.nodes.size(), kNone);
    std::vector<std::uint32_t> newest;  // coarse node in each column
    for (std::size_t i = 0; i < fine.nodes.size(); ++i)
    {
        if (isAlone(fine.nodes[i])) continue;
        const Place place = {fine.places[i].x / 2, fine.places[i].y / 2};
        if (place.x >= newest.size()) newest.resize(place.x + 1, kNone);
        std::uint32_t& at = newest[place.x];
        if (at == kNone || coarse.places[at].y != place.y)
        {
            at = std::uint32_t(coarse.nodes.size());
            coarse.nodes.push_back({.to = {at, at, at, at}, .weight = {}, .diagonal = 0, .inverse = 0});
            coarse.places.push_back(place);
            coarse.children.insert(coarse.children.end(), 4, kNone);
        }
        fine.parents[i] = at;
        *std::find(coarse.children.begin() + 4 * std::ptrdiff_t(at), coarse.children.end(), kNone) = std::uint32_t(i);
    }
}

// Sums the fine matrix's entries into the coarse matrix; the header states the scale.
void VoidMultigrid::sumUp(const Level& fine, Level& coarse)
{
    constexpr float kScale = 0.5f;
    for (std::size_t i = 0; i < fine.nodes.size(); ++i)
    {
        if (fine.parents[i] == kNone) continue;
        const Node& from = fine.nodes[i];
        Node& node = coarse.nodes[fine.parents[i]];
        node.diagonal += kScale * from.diagonal;
        for (int side = 0; side < 4; ++side)
        {
            const std::uint32_t parent = fine.parents[from.to[side]];
            if (parent == fine.parents[i])
            {
                node.diagonal -= kScale * from.weight[side];
                continue;
            }
            node.to[side] = parent;
            node.weight[side] += kScale * from.weight[side];
        }
    }
}

VoidMultigrid::VoidMultigrid(std::span<const VoidCell> cells, const std::stop_token& stop)
{
    levels_.push_back(finest(cells));
    while (levels_.back().nodes.size() > kSmallest && !stop.stop_requested())
    {
        const std::size_t size = levels_.back().nodes.size();
        Level coarse;
        join(levels_.back(), coarse);
        sumUp(levels_.back(), coarse);
        coarse.right.resize(coarse.nodes.size());
        coarse.answer.resize(coarse.nodes.size());
        if (coarse.nodes.empty() || coarse.nodes.size() > size - size / 8) break;  // saves too few nodes for its memory
        levels_.push_back(std::move(coarse));
    }
    for (Level& level : levels_)
        for (Node& node : level.nodes)
            node.inverse = 1 / node.diagonal;
}

void VoidMultigrid::sweep(const Level& level, std::uint32_t colour, const double* r, double* z, ThreadPool& pool)
{
    forEachNode(level.nodes.size(), pool, [&](std::size_t i) {
        if (level.places[i].colour() != colour) return;
        const Node& node = level.nodes[i];
        z[i] = (r[i] + sumAround(node, z)) * double(node.inverse);
    });
}

void VoidMultigrid::restrictResidual(const Level& fine, const Level& coarse, const double* r, const double* z,
                                     ThreadPool& pool)
{
    forEachNode(coarse.nodes.size(), pool, [&](std::size_t i) {
        double sum = 0;
        for (std::size_t k = 4 * i; k < 4 * i + 4 && coarse.children[k] != kNone; ++k)
        {
            const std::uint32_t child = coarse.children[k];
            const Node& node = fine.nodes[child];
            sum += r[child] + sumAround(node, z) - double(node.diagonal) * z[child];
        }
        coarse.right[i] = sum;
    });
}

void VoidMultigrid::cycle(std::size_t depth, const double* r, double* z, ThreadPool& pool) const
{
    const Level& level = levels_[depth];
    const bool coarsest = depth + 1 == levels_.size();
    const int sweeps = coarsest && level.nodes.size() <= kSmallest ? kCoarsestSweeps : 1;
    std::fill_n(z, level.nodes.size(), 0.0);
    for (int i = 0; i < sweeps; ++i)
        sweep(level, 0, r, z, pool), sweep(level, 1, r, z, pool);
    if (!coarsest)
    {
        const Level& coarse = levels_[depth + 1];
        restrictResidual(level, coarse, r, z, pool);
        cycle(depth + 1, coarse.right.data(), coarse.answer.data(), pool);
        forEachNode(level.nodes.size(), pool, [&](std::size_t i) {
            if (level.parents[i] != kNone) z[i] += coarse.answer[level.parents[i]];
        });
    }
    for (int i = 0; i < sweeps; ++i)
        sweep(level, 1, r, z, pool), sweep(level, 0, r, z, pool);
}

void VoidMultigrid::apply(const double* r, double* z, ThreadPool& pool) const { cycle(0, r, z, pool); }

}  // namespace orogen::compute
