// Stores Laplace's equation over the voids as links between unknowns, not as a matrix: 12 bytes per void, no branches.
#include "compute/voids/void_filling.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <new>
#include <optional>

#include <fmt/format.h>

#include "core/base/clock.h"
#include "core/base/memory.h"

namespace orogen::compute {
namespace {

constexpr std::size_t kPiece = 16384;  // nodes per task; fewer are not worth a second thread
constexpr std::size_t kSmallest = 64;  // nodes: smaller levels are not coarsened
constexpr int kCoarsestSweeps = 16;    // sweeps in each direction; enough for kSmallest nodes
constexpr std::uint32_t kNoNode = ~std::uint32_t(0);

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
    fine.parents.assign(fine.nodes.size(), kNoNode);
    std::vector<std::uint32_t> newest;  // coarse node in each column
    for (std::size_t i = 0; i < fine.nodes.size(); ++i)
    {
        if (isAlone(fine.nodes[i])) continue;
        const Place place = {fine.places[i].x / 2, fine.places[i].y / 2};
        if (place.x >= newest.size()) newest.resize(place.x + 1, kNoNode);
        std::uint32_t& at = newest[place.x];
        if (at == kNoNode || coarse.places[at].y != place.y)
        {
            at = std::uint32_t(coarse.nodes.size());
            coarse.nodes.push_back({.to = {at, at, at, at}, .weight = {}, .diagonal = 0, .inverse = 0});
            coarse.places.push_back(place);
            coarse.children.insert(coarse.children.end(), 4, kNoNode);
        }
        fine.parents[i] = at;
        *std::find(coarse.children.begin() + 4 * std::ptrdiff_t(at), coarse.children.end(), kNoNode) = std::uint32_t(i);
    }
}

// Sums the fine matrix's entries into the coarse matrix.  Two links join full adjacent blocks of 2 x 2 nodes, so half
// of the sum is the five-point stencil again.
void VoidMultigrid::sumUp(const Level& fine, Level& coarse)
{
    constexpr float kScale = 0.5f;
    for (std::size_t i = 0; i < fine.nodes.size(); ++i)
    {
        if (fine.parents[i] == kNoNode) continue;
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
        for (std::size_t k = 4 * i; k < 4 * i + 4 && coarse.children[k] != kNoNode; ++k)
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
            if (level.parents[i] != kNoNode) z[i] += coarse.answer[level.parents[i]];
        });
    }
    for (int i = 0; i < sweeps; ++i)
        sweep(level, 1, r, z, pool), sweep(level, 0, r, z, pool);
}

void VoidMultigrid::apply(const double* r, double* z, ThreadPool& pool) const { cycle(0, r, z, pool); }

namespace {

constexpr std::uint64_t kBytesAVoid = 210;  // system, multigrid and vectors of the solver

// Indices of a void's neighbours among the unknowns.  A neighbour that is not a void is replaced by the cell itself,
// and `centre` compensates, so that a product has no branches.
struct Links
{
    std::uint32_t north, south;
    std::uint8_t west, east;  // 1: the previous or next unknown; 0: the cell itself
    std::uint8_t neighbours;  // number within the raster
    std::uint8_t centre;      // neighbours plus the number of links to itself
};

class VoidOperator final : public LinearOperator
{
public:
    explicit VoidOperator(std::vector<Links> links) : links_(std::move(links)) {}
    std::size_t size() const override { return links_.size(); }

    void apply(const double* x, double* y, ThreadPool& pool) const override
    {
        constexpr std::size_t kRows = 4096;
        pool.forEach((size() + kRows - 1) / kRows, [&](std::size_t piece) {
            for (std::size_t i = piece * kRows; i < std::min(size(), (piece + 1) * kRows); ++i)
            {
                const Links& at = links_[i];
                y[i] = at.centre * x[i] - ((x[at.north] + x[at.south]) + (x[i - at.west] + x[i + at.east]));
            }
        });
    }
    void diagonal(double* d) const override
    {
        std::ranges::transform(links_, d, [](const Links& at) { return double(at.neighbours); });
    }

private:
    std::vector<Links> links_;
};

// The voids of a raster as unknowns, numbered row by row.
class VoidSystem
{
public:
    VoidSystem(std::span<const float> heights, int width, int height, std::size_t voids)
        : heights_(heights), width_(std::size_t(width)), height_(std::size_t(height)), numbers_(width_)
    {
        links_.reserve(voids);
        sums_.reserve(voids);
        known_.reserve(voids);
        for (std::size_t y = 0; y < height_; ++y)
            for (std::size_t x = 0; x < width_; ++x)
                if (isVoid(x, y)) add(x, y);
    }

    std::vector<Links> takeLinks() { return std::move(links_); }

    std::vector<VoidCell> cells() const
    {
        std::vector<VoidCell> cells;
        cells.reserve(links_.size());
        for (std::size_t y = 0; y < height_; ++y)
            for (std::size_t x = 0; x < width_; ++x)
                if (isVoid(x, y))
                {
                    const auto i = std::uint32_t(cells.size());
                    const Links& at = links_[i];
                    cells.push_back({.x = std::uint32_t(x),
                                     .y = std::uint32_t(y),
                                     .to = {at.north, at.south, i - at.west, i + at.east},
                                     .neighbours = at.neighbours});
                }
        return cells;
    }

    // Returns the sums of the known neighbours' heights above `level`.
    std::vector<double> rightSide(double level) const
    {
        std::vector<double> b(sums_.size());
        for (std::size_t i = 0; i < b.size(); ++i)
            b[i] = sums_[i] - known_[i] * level;
        return b;
    }

    // Returns the height whose subtraction minimises the right-hand side.  Rounded to float: flat ground stays exact.
    double level() const
    {
        double product = 0, square = 0;
        for (std::size_t i = 0; i < sums_.size(); ++i)
        {
            product += known_[i] * sums_[i];
            square += double(known_[i]) * known_[i];
        }
        return double(float(product / square));
    }

private:
    float at(std::size_t x, std::size_t y) const { return heights_[y * width_ + x]; }
    bool isVoid(std::size_t x, std::size_t y) const { return std::isnan(at(x, y)); }

    void add(std::size_t x, std::size_t y)
    {
        const auto i = std::uint32_t(links_.size());
        Links links = {.north = i, .south = i, .west = 0, .east = 0, .neighbours = 0, .centre = 0};
        sums_.push_back(0);
        known_.push_back(0);
        if (y > 0 && look(x, y - 1, links))
        {
            links.north = numbers_[x];
            links_[numbers_[x]].south = i;
        }
        links.west = x > 0 && look(x - 1, y, links);
        links.east = x + 1 < width_ && look(x + 1, y, links);
        if (y + 1 < height_) (void)look(x, y + 1, links);  // a void there adds the link to this one later
        links.centre = std::uint8_t(4 + known_.back());
        links_.push_back(links);
        numbers_[x] = i;
    }

    // Counts a neighbour of the newest unknown, and returns whether the neighbour is a void.
    bool look(std::size_t x, std::size_t y, Links& links)
    {
        ++links.neighbours;
        if (isVoid(x, y)) return true;
        sums_.back() += double(at(x, y));
        ++known_.back();
        return false;
    }

    std::span<const float> heights_;
    const std::size_t width_, height_;
    std::vector<std::uint32_t> numbers_;  // newest unknown in each column
    std::vector<Links> links_;
    std::vector<double> sums_;         // sums of the heights of known neighbours
    std::vector<std::uint8_t> known_;  // number of known neighbours
};

Status checkOutcome(const Solution& solution, const VoidFillingOptions& options)
{
    if (solution.reason == StopReason::kConverged) return Status::ok();
    if (options.stop.stop_requested()) return Error{ExitCode::kInterrupted, "filling voids: interrupted"};
    if (solution.reason == StopReason::kNotFinite)
        return Error{ExitCode::kInput, "filling voids: found a height that is not finite"};
    return Error{
        ExitCode::kNo,
        fmt::format("filling voids: {} after {} iterations: found a relative residual of {:.3g}, expected {:g}",
                    textOf(solution.reason), solution.iterations, solution.relativeResidual, options.tolerance)};
}

Result<VoidFilling> solve(std::span<const float> heights, int width, int height, std::size_t voids,
                          const VoidFillingOptions& options)
{
    VoidSystem system(heights, width, height, voids);
    const double level = system.level();
    const std::vector<double> b = system.rightSide(level);
    const Clock::time_point begin = Clock::now();
    std::optional<VoidMultigrid> multigrid;
    if (options.multigrid) multigrid.emplace(system.cells(), options.stop);
    const VoidOperator laplace(system.takeLinks());
    const SolveOptions solver = {.relativeTolerance = options.tolerance,
                                 .maxIterations = options.maxIterations,
                                 .preconditioner = multigrid ? &*multigrid : nullptr,
                                 .stop = options.stop,
                                 .watch = options.watch};
    ThreadPool pool(options.threads);
    Solution solution = solveByConjugateGradients(CgAlgorithm::kHestenesStiefel, laplace, b, solver, pool);
    if (Status status = checkOutcome(solution, options); !status) return status.error();
    for (double& value : solution.x)
        value += level;
    return VoidFilling{.heights = std::move(solution.x),
                       .iterations = solution.iterations,
                       .relativeResidual = solution.relativeResidual,
                       .history = std::move(solution.history),
                       .solveMs = millisecondsSince(begin)};
}

}  // namespace

Result<VoidFilling> solveVoids(std::span<const float> heights, int width, int height, const VoidFillingOptions& options)
{
    assert(width >= 0 && height >= 0 && heights.size() == std::size_t(width) * std::size_t(height));
    const auto voids = std::size_t(std::ranges::count_if(heights, [](float h) { return std::isnan(h); }));
    if (voids == 0) return VoidFilling{};
    if (voids == heights.size())
        return Error{ExitCode::kInput, "filling voids: no sample has data to fill the voids from"};
    if (Status status = checkMemory("filling voids", voids * kBytesAVoid); !status) return status.error();
    try
    {
        return solve(heights, width, height, voids, options);
    }
    catch (const std::bad_alloc&)
    {
        return Error{ExitCode::kLimit, "filling voids: out of memory"};
    }
}

Result<std::vector<double>> membraneOver(std::span<const float> heights, int width, int height)
{
    Result<VoidFilling> filled = solveVoids(heights, width, height, {.tolerance = 1e-5});
    if (!filled) return filled.error();
    return std::move(filled->heights);
}

double progressOf(double residual, double first, double tolerance)
{
    if (!(residual > tolerance)) return 1;
    if (!(first > residual)) return 0;
    return std::log(first / residual) / std::log(first / tolerance);
}

}  // namespace orogen::compute

namespace orogen {
namespace {

constexpr float kFinestStep = 1.0f / 16.0f;  // metres

// Refines an exact field (HeightField::exact), whose step of up to a metre is too coarse for a smooth fill.  Halves the
// step while it exceeds kFinestStep and the codes fit in 16 bits.  All heights stay unchanged.
void refine(HeightField& field)
{
    unsigned factor = 1;
    const unsigned highest = *std::ranges::max_element(field.codes);
    while (field.exact && field.scale > kFinestStep && 2 * factor * highest <= 65535)
    {
        factor *= 2;
        field.scale /= 2;
    }
    for (std::uint16_t& code : field.codes)
        code = std::uint16_t(code * factor);
}

}  // namespace

Raster withVoidsFilled(const Raster& raster, std::span<const double> heights)
{
    assert(heights.size() == raster.voids);
    const bool whole = std::ranges::all_of(raster.heights, [](float h) { return std::isnan(h) || h == std::floor(h); });
    Raster filled = raster;
    std::size_t next = 0;
    for (float& height : filled.heights)
    {
        if (!std::isnan(height)) continue;
        const double value = whole ? std::floor(heights[next] + 0.5) : heights[next];
        height = std::clamp(float(value), raster.minHeight, raster.maxHeight);
        ++next;
    }
    filled.voids = 0;
    return filled;
}

HeightField withVoidsFilled(const HeightField& field, std::span<const double> heights)
{
    HeightField filled = field;
    filled.voidMask.clear();
    refine(filled);
    std::size_t next = 0;
    for (std::size_t i = 0; i < field.voidMask.size(); ++i)
    {
        if (field.voidMask[i] == 0) continue;
        assert(next < heights.size());
        const double code = (heights[next++] - double(filled.offset)) / double(filled.scale);
        filled.codes[i] = std::uint16_t(std::clamp(std::floor(code + 0.5), 0.0, 65535.0));
    }
    return filled;
}

std::vector<float> knownHeights(const HeightField& field)
{
    std::vector<float> heights(field.codes.size());
    for (std::size_t i = 0; i < heights.size(); ++i)
        heights[i] = field.offset + field.scale * float(field.codes[i]);
    for (std::size_t i = 0; i < field.voidMask.size(); ++i)
        if (field.voidMask[i] != 0) heights[i] = std::numeric_limits<float>::quiet_NaN();
    return heights;
}

}  // namespace orogen
