#include "compute/terrain_model/terrain_model.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <new>
#include <numbers>
#include <utility>

#include <fmt/format.h>

#include "core/base/memory.h"

namespace orogen::compute {
namespace {

constexpr std::uint64_t kBytesACell = 160;  // state, drainage, and vectors of the solver

struct Neighbour
{
    int x, y;
    double distance;
};

std::array<Neighbour, 8> neighbours(double alongX, double alongY)
{
    const double diagonal = std::hypot(alongX, alongY);
    return {{{-1, -1, diagonal},
             {0, -1, alongY},
             {1, -1, diagonal},
             {-1, 0, alongX},
             {1, 0, alongX},
             {-1, 1, diagonal},
             {0, 1, alongY},
             {1, 1, diagonal}}};
}

Status checkRates(const ModelRates& rates, double years)
{
    const struct
    {
        const char* name;
        double value, least, most;
    } limits[] = {{"creep", rates.creep, 0, 1e6},
                  {"incision", rates.incision, 0, 1},
                  {"uplift", rates.uplift, -1, 1},
                  {"repose", rates.repose, 1, 90},
                  {"years", years, 1e-6, 1e9}};
    for (const auto& limit : limits)
        if (!(limit.value >= limit.least && limit.value <= limit.most))
            return Error{ExitCode::kUsage, fmt::format("terrain model: {}: found {:g}, expected {:g} to {:g}",
                                                       limit.name, limit.value, limit.least, limit.most)};
    return Status::ok();
}

}  // namespace

double ModelBalance::imbalance() const
{
    const double all = moved();
    return all > 0 ? std::abs(change - (uplifted - cut - left)) / all : 0;
}

Result<TerrainModel> TerrainModel::create(std::span<const float> heights, int width, int height, double alongX,
                                          double alongY)
{
    assert(heights.size() == std::size_t(width) * std::size_t(height) && alongX > 0 && alongY > 0);
    if (width < 3 || height < 3)
        return Error{ExitCode::kInput,
                     fmt::format("terrain model: found {} x {} samples, expected at least 3 x 3", width, height)};
    if (Status s = checkMemory("terrain model", heights.size() * kBytesACell); !s) return s.error();
    for (std::size_t i = 0; i < heights.size(); ++i)
        if (std::isinf(heights[i]))
            return Error{
                ExitCode::kInput,
                fmt::format("terrain model: column {}, row {}: found an infinite height, expected a finite one",
                            i % std::size_t(width), i / std::size_t(width))};
    if (std::ranges::all_of(heights, [](float h) { return std::isnan(h); }))
        return Error{ExitCode::kInput, "terrain model: found no height in any sample, expected at least one"};
    try
    {
        TerrainModel model;
        model.width_ = width;
        model.height_ = height;
        model.alongX_ = alongX;
        model.alongY_ = alongY;
        model.heights_.assign(heights.begin(), heights.end());
        model.remainders_.assign(heights.size(), 0.0f);
        model.shares_.assign(heights.size(), 1.0f);
        model.closed_.resize(heights.size());
        model.kinds_.resize(heights.size());
        const auto isVoid = [&](int x, int y) {
            return x < 0 || y < 0 || x >= width || y >= height ||
                   std::isnan(heights[std::size_t(y) * std::size_t(width) + std::size_t(x)]);
        };
        const auto around = neighbours(alongX, alongY);
        for (int y = 0; y < height; ++y)
            for (int x = 0; x < width; ++x)
            {
                const std::size_t i = std::size_t(y) * std::size_t(width) + std::size_t(x);
                const bool edge =
                    std::ranges::any_of(around, [&](const Neighbour& n) { return isVoid(x + n.x, y + n.y); });
                model.closed_[i] = isVoid(x, y) ? CellKind::kOutside : CellKind::kFree;
                model.kinds_[i] = isVoid(x, y) ? CellKind::kOutside : edge ? CellKind::kFixed : CellKind::kFree;
            }
        return model;
    }
    catch (const std::bad_alloc&)
    {
        return Error{ExitCode::kLimit, "terrain model: out of memory"};
    }
}

void TerrainModel::restore(const ModelHeights& kept)
{
    assert(kept.heights.size() == heights_.size());
    heights_ = kept.heights;
    remainders_ = kept.remainders;
    balance_ = kept.balance;
}

void TerrainModel::setDevice(std::shared_ptr<ModelDevice> device)
{
    device_ = std::move(device);
    deviceSteps_ = device_ ? std::make_unique<DeviceSteps>(*device_) : nullptr;
}

void TerrainModel::setHeight(std::size_t cell, double height)
{
    heights_[cell] = float(height);
    remainders_[cell] = float(height - double(heights_[cell]));
}

Result<ModelStep> TerrainModel::step(const ModelRates& rates, double years, ThreadPool& pool,
                                     const std::stop_token& stop)
{
    if (Status s = checkRates(rates, years); !s) return s.error();
    try
    {
        const bool outlets = rates.incision > 0;
        const std::vector<CellKind>& kinds = outlets ? kinds_ : closed_;
        std::vector<double> h(heights_.size());
        for (std::size_t i = 0; i < h.size(); ++i)
            h[i] = kinds[i] == CellKind::kOutside ? 0 : heightAt(i);
        const auto stopped = [&] { return stop.stop_requested(); };
        const Error interrupted{ExitCode::kInterrupted, "terrain model: interrupted"};

        ModelStep step;
        step.balance.years = years;
        if (rates.uplift != 0)
            for (std::size_t i = 0; i < h.size(); ++i)
                if (kinds[i] == CellKind::kFree)
                {
                    const double raised = rates.uplift * years * double(shares_[i]);
                    h[i] += raised;
                    step.balance.uplifted += raised * area();
                }
        // With a short creep, a small residual relative to the right side bounds the error of the means, too.
        const bool isLong = rates.creep * years > std::min(alongX_ * alongX_, alongY_ * alongY_);
        if (isLong && !outlets && !parts_) parts_.emplace(DiffusionGrid{closed_, width_, height_});
        const LinkedParts* const parts = isLong && !outlets ? &*parts_ : nullptr;
        if (deviceSteps_)
        {
            const ModelRaster raster{kinds, width_, height_, alongX_, alongY_, parts};
            if (Status s = deviceSteps_->step(rates, years, raster, h, drainage_, stop, step); !s) return s.error();
        }
        else
        {
            if (outlets) cut(rates, years, h, pool, step);
            if (stopped()) return interrupted;
            if (rates.repose < 90) fail(rates, outlets, h, pool, step);
            if (stopped()) return interrupted;
            if (rates.creep > 0)
                if (Status s = creep(rates.creep * years, outlets, parts, h, pool, stop, step); !s) return s.error();
        }

        for (std::size_t i = 0; i < h.size(); ++i)
        {
            if (kinds[i] != CellKind::kFree) continue;
            const double before = heightAt(i);
            setHeight(i, h[i]);
            const double change = heightAt(i) - before;
            step.balance.change += change * area();
            step.largestChange = std::max(step.largestChange, std::abs(change));
        }
        for (double ModelBalance::*part :
             {&ModelBalance::years, &ModelBalance::uplifted, &ModelBalance::cut, &ModelBalance::crept,
              &ModelBalance::failed, &ModelBalance::left, &ModelBalance::change})
            balance_.*part += step.balance.*part;
        return step;
    }
    catch (const std::bad_alloc&)
    {
        return Error{ExitCode::kLimit, "terrain model: out of memory"};
    }
}

void TerrainModel::cut(const ModelRates& rates, double years, std::vector<double>& h, ThreadPool& pool, ModelStep& step)
{
    drainage_.route({h, kinds_, width_, height_, alongX_, alongY_}, pool);
    step.depressions = drainage_.depressions();
    const double strength = rates.incision * years * std::sqrt(area());
    for (const std::uint32_t cell : drainage_.order())
    {
        const std::uint32_t receiver = drainage_.receivers()[cell];
        if (receiver == cell || h[cell] <= h[receiver]) continue;
        const double rate = strength * std::sqrt(double(drainage_.cells()[cell])) / drainage_.distance(cell);
        const double lowered = (h[cell] + rate * h[receiver]) / (1 + rate);
        step.balance.cut += (h[cell] - lowered) * area();
        h[cell] = lowered;
    }
}

// Moves material off slopes that are too steep.  A cell that stands too high above neighbours gives them a third of its
// largest excess, in proportion to the excess over each.  Two cells that give to one neighbour therefore do not raise
// it above themselves.  Later passes visit the bands of rows around those that still fail.
void TerrainModel::fail(const ModelRates& rates, bool outlets, std::vector<double>& h, ThreadPool& pool,
                        ModelStep& step) const
{
    const std::vector<CellKind>& kinds = outlets ? kinds_ : closed_;
    const double steepest = std::tan(rates.repose * std::numbers::pi / 180);
    const auto around = neighbours(alongX_, alongY_);
    std::array<double, 8> drops;  // heights that neighbours may differ by
    std::array<std::ptrdiff_t, 8> ways;
    for (std::size_t k = 0; k < around.size(); ++k)
    {
        drops[k] = steepest * around[k].distance;
        ways[k] = around[k].y * std::ptrdiff_t(width_) + around[k].x;
    }
    const auto bands = std::size_t(bandsOf(height_));
    struct Sums
    {
        double failed = 0, left = 0;
        std::uint64_t unstable = 0;
    };
    std::vector<Sums> sums(bands);
    std::vector<double> shares(h.size()), changes(h.size());
    std::vector<std::uint8_t> active(bands, 1), next(bands);

    // Calls use(k, i + ways[k]) for the neighbours in the domain.
    const auto forNeighbours = [&](int x, int y, std::size_t i, const auto& use) {
        const bool inner = x > 0 && y > 0 && x < width_ - 1 && y < height_ - 1;
        for (std::size_t k = 0; k < ways.size(); ++k)
        {
            const int u = x + around[k].x, v = y + around[k].y;
            if (!inner && (u < 0 || v < 0 || u >= width_ || v >= height_)) continue;
            const auto j = std::size_t(std::ptrdiff_t(i) + ways[k]);
            if (kinds[j] != CellKind::kOutside) use(k, j);
        }
    };
    const auto forCells = [&](const std::vector<std::uint8_t>& where, const auto& use) {
        pool.forEach(bands, [&](std::size_t band) {
            if (!where[band]) return;
            for (int y = int(band) * kRowsInBand; y < std::min(height_, (int(band) + 1) * kRowsInBand); ++y)
                for (int x = 0; x < width_; ++x)
                    use(band, x, y, std::size_t(y) * std::size_t(width_) + std::size_t(x));
        });
    };
    for (int pass = 0; pass <= kFailures; ++pass)
    {
        std::ranges::fill(sums, Sums{});
        forCells(active, [&](std::size_t band, int x, int y, std::size_t i) {
            shares[i] = 0;
            if (kinds[i] != CellKind::kFree) return;
            double most = 0, all = 0;
            forNeighbours(x, y, i, [&](std::size_t k, std::size_t j) {
                const double excess = std::max(h[i] - h[j] - drops[k], 0.0);
                most = std::max(most, excess);
                all += excess;
            });
            if (most <= kStands) return;
            shares[i] = most / (3 * all);
            ++sums[band].unstable;
        });
        step.unstable = 0;
        for (std::size_t band = 0; band < bands; ++band)
        {
            step.unstable += sums[band].unstable;
            const auto fails = [&](std::size_t at) { return at < bands && sums[at].unstable > 0; };
            next[band] = fails(band) || fails(band + 1) || fails(band - 1);
        }
        if (step.unstable == 0 || pass == kFailures) return;
        forCells(next, [&](std::size_t band, int x, int y, std::size_t i) {
            double gained = 0, given = 0;
            forNeighbours(x, y, i, [&](std::size_t k, std::size_t j) {
                if (shares[i] > 0) given += shares[i] * std::max(h[i] - h[j] - drops[k], 0.0);
                if (shares[j] > 0) gained += shares[j] * std::max(h[j] - h[i] - drops[k], 0.0);
            });
            sums[band].failed += given;
            if (kinds[i] == CellKind::kFixed) sums[band].left += gained;
            changes[i] = kinds[i] == CellKind::kFree ? gained - given : 0;
        });
        for (const Sums& of : sums)
        {
            step.balance.failed += of.failed * area();
            step.balance.left += of.left * area();
        }
        forCells(next, [&](std::size_t, int, int, std::size_t i) { h[i] += changes[i]; });
        active = next;
    }
}

// Lets the heights creep; `t` is the rate of creep times the duration (m^2).  `parts`: see ModelRaster.
Status TerrainModel::creep(double t, bool outlets, const LinkedParts* parts, std::vector<double>& h, ThreadPool& pool,
                           const std::stop_token& stop, ModelStep& step)
{
    const std::vector<CellKind>& kinds = outlets ? kinds_ : closed_;
    const DiffusionGrid grid{kinds, width_, height_, t / (alongX_ * alongX_), t / (alongY_ * alongY_)};
    if (!creeping_ || creeping_->grid.kinds.data() != grid.kinds.data() || creeping_->grid.alongX != grid.alongX)
        creeping_ = std::make_unique<Creeping>(grid);
    const DiffusionOperator& matrix = creeping_->matrix;
    std::vector<double> b(h.size());
    matrix.laplacian(h.data(), b.data(), pool);
    for (double& value : b)
        value = -value;
    Solution solution = solveByConjugateGradients(
        CgAlgorithm::kHestenesStiefel, matrix, b,
        {.relativeTolerance = kTolerance, .preconditioner = &creeping_->multigrid, .stop = stop}, pool);
    if (stop.stop_requested()) return Error{ExitCode::kInterrupted, "terrain model: interrupted"};
    if (solution.reason != StopReason::kConverged)
        return Error{ExitCode::kNo,
                     fmt::format("terrain model: creep: {} after {} iterations: found a relative residual "
                                 "of {:.3g}, expected {:g}",
                                 textOf(solution.reason), solution.iterations, solution.relativeResidual, kTolerance)};
    step.iterations = solution.iterations;
    step.residual = solution.relativeResidual;
    // The matrix keeps means (eigenvalue 1), and has other eigenvalues up to 1 + 8 t / d^2, where d is the smaller
    // spacing.  With large t, a small residual relative to b does not bound the error of the means.
    if (parts) parts->removeMeans(solution.x);
    double moved = 0;
    for (std::size_t i = 0; i < h.size(); ++i)
    {
        moved += std::abs(solution.x[i]);
        h[i] += solution.x[i];
    }
    const double left = matrix.fluxToFixed(h.data()) * area();
    step.balance.left += left;
    step.balance.crept += (moved * area() + std::abs(left)) / 2;
    return Status::ok();
}

}  // namespace orogen::compute
