#include "compute/terrain_model/model_device.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>
#include <utility>

#include <fmt/format.h>

#include "compute/terrain_model/terrain_model.h"

namespace orogen::compute {
namespace {

constexpr std::uint64_t kMostIterations = 1000;  // limit on the creep's iterations; with multigrid it takes about ten

}  // namespace

Status DeviceSteps::array(ModelArray& array, std::size_t bytes)
{
    if (array != kNoArray) return Status::ok();
    const Result<ModelArray> made = device_.allocate(bytes);
    if (!made) return made.error();
    array = *made;
    return Status::ok();
}

Status DeviceSteps::run(ModelPass pass, ModelValues values,
                        std::initializer_list<std::pair<ModelSlot, ModelArray>> arrays)
{
    ModelArrays slots;
    slots.fill(kNoArray);
    for (const auto& [slot, array] : arrays)
        slots[slot] = array;
    return device_.run(pass, values, slots);
}

// Allocates the arrays that every step needs, and uploads the raster's kinds if their address differs from the last
// step's.
Status DeviceSteps::place(const ModelRaster& raster)
{
    const std::size_t cells = raster.cells();
    for (Status s : {array(kinds_, cells * sizeof(std::uint32_t)), array(heights_, cells * sizeof(double)),
                     array(next_, cells * sizeof(double)), array(terms_, 2 * cells * sizeof(double)),
                     array(pieces_, kMostPieces * sizeof(double)), array(totals_, kTotals * sizeof(double)),
                     array(found_, sizeof(std::uint32_t))})
        if (!s) return s;
    if (raster_.kinds.data() == raster.kinds.data()) return Status::ok();
    const DiffusionGrid grid{raster.kinds, raster.width, raster.height};
    std::vector<std::uint32_t> kinds(cells);
    for (int y = 0; y < raster.height; ++y)
        for (int x = 0; x < raster.width; ++x)
        {
            const std::size_t i = std::size_t(y) * std::size_t(raster.width) + std::size_t(x);
            kinds[i] = std::uint32_t(raster.kinds[i]) | std::uint32_t(linksOf(grid, x, y)) << 2;
        }
    if (Status s = device_.upload(kinds_, kinds.data(), cells * sizeof(std::uint32_t)); !s) return s;
    raster_ = raster;
    values_ = {.cells = std::uint32_t(cells),
               .columns = std::uint32_t(raster.width),
               .rows = std::uint32_t(raster.height),
               .alongX = raster.alongX,
               .alongY = raster.alongY,
               .diagonal = std::hypot(raster.alongX, raster.alongY)};
    return Status::ok();
}

Status DeviceSteps::step(const ModelRates& rates, double years, const ModelRaster& raster, std::vector<double>& h,
                         Drainage& drainage, const std::stop_token& stop, ModelStep& step)
{
    const Error interrupted{ExitCode::kInterrupted, "terrain model: interrupted"};
    const double area = raster.alongX * raster.alongY;
    if (Status s = device_.begin(); !s) return s;
    if (Status s = place(raster); !s) return s;
    if (Status s = device_.upload(heights_, h.data(), h.size() * sizeof(double)); !s) return s;
    if (rates.incision > 0)
        if (Status s = cut(rates.incision * years * std::sqrt(area), h, drainage, step); !s) return s;
    if (stop.stop_requested()) return interrupted;
    if (rates.repose < 90)
        if (Status s = fail(std::tan(rates.repose * std::numbers::pi / 180), step); !s) return s;
    if (stop.stop_requested()) return interrupted;
    if (rates.creep > 0)
        if (Status s = creep(rates.creep * years, raster.parts, stop, step); !s) return s;
    return device_.download(h.data(), heights_, h.size() * sizeof(double));
}

Result<std::uint32_t> DeviceSteps::found()
{
    std::uint32_t count = 0;
    if (Status s = device_.download(&count, found_, sizeof(count)); !s) return s.error();
    if (count > 0)
        if (Status s = device_.clear(found_); !s) return s.error();
    return count;
}

// Sums the first `terms` elements of terms_, those at even indices and those at odd indices separately.  The order of
// the additions depends on `terms` alone.
Result<DeviceSteps::Sums> DeviceSteps::sums(std::size_t terms)
{
    constexpr std::size_t kTermsOfPiece = 32;
    const std::size_t pieces = std::clamp(terms / kTermsOfPiece, std::size_t(2), kMostPieces) & ~std::size_t(1);
    const auto total = [this](ModelArray from, std::size_t number, ModelArray to, std::size_t parts) {
        return run(
            ModelPass::sumTerms,
            {.cells = std::uint32_t(parts), .otherColumns = std::uint32_t(parts), .number = std::uint32_t(number)},
            {{kTermsSlot, from}, {kMadeSlot, to}});
    };
    if (Status s = total(terms_, terms, pieces_, pieces); !s) return s.error();
    if (Status s = total(pieces_, pieces, totals_, kTotals); !s) return s.error();
    std::vector<double> totals(kTotals);
    if (Status s = device_.download(totals.data(), totals_, kTotals * sizeof(double)); !s) return s.error();
    Sums sums;
    for (std::size_t i = 0; i < kTotals; i += 2)
        sums.even += totals[i], sums.odd += totals[i + 1];
    return sums;
}

// ---- rivers ----

// Cuts rivers into the heights on the device.  `strength`: K t sqrt(area of a cell), see terrain_model.h.
Status DeviceSteps::cut(double strength, std::vector<double>& h, Drainage& drainage, ModelStep& step)
{
    const std::size_t cells = raster_.cells(), words = cells * sizeof(std::uint32_t);
    for (Status s : {array(receivers_, words), array(pointers_[0], words), array(pointers_[1], words),
                     array(counts_[0], words), array(counts_[1], words), array(cuts_[0], 3 * cells * sizeof(double)),
                     array(cuts_[1], 3 * cells * sizeof(double))})
        if (!s) return s;
    if (Status s =
            run(ModelPass::descend, values_,
                {{kHeightsSlot, heights_}, {kKindsSlot, kinds_}, {kPointersSlot, receivers_}, {kFoundSlot, found_}});
        !s)
        return s;
    const Result<std::uint32_t> pits = found();
    if (!pits) return pits.error();
    if (*pits > 0)
    {
        std::vector<std::uint32_t> receivers(cells);
        if (Status s = device_.download(receivers.data(), receivers_, words); !s) return s;
        drainage.join({h, raster_.kinds, raster_.width, raster_.height, raster_.alongX, raster_.alongY},
                      std::move(receivers));
        if (Status s = device_.upload(receivers_, drainage.receivers().data(), words); !s) return s;
    }
    step.depressions = *pits;

    // Calls pass(), which doubles the length of all pointers downstream, until all have reached the ends of rivers.
    const auto doubled = [this](const auto& pass) -> Status {
        for (;;)
        {
            if (Status s = pass(); !s) return s;
            std::swap(pointers_[0], pointers_[1]);
            const Result<std::uint32_t> goesOn = found();
            if (!goesOn) return goesOn.error();
            if (*goesOn == 0) return Status::ok();
        }
    };
    if (Status s = run(ModelPass::startCounts, values_,
                       {{kPointersSlot, receivers_}, {kNextPointersSlot, pointers_[0]}, {kCountsSlot, counts_[0]}});
        !s)
        return s;
    const Status counted = doubled([this]() -> Status {
        if (Status s = device_.copy(counts_[1], counts_[0]); !s) return s;
        std::swap(counts_[0], counts_[1]);
        return run(ModelPass::doubleCounts, values_,
                   {{kPointersSlot, pointers_[0]},
                    {kNextPointersSlot, pointers_[1]},
                    {kCountsSlot, counts_[1]},
                    {kNextCountsSlot, counts_[0]},
                    {kFoundSlot, found_}});
    });
    if (!counted) return counted;
    std::vector<std::uint32_t> drained(cells);
    if (Status s = device_.download(drained.data(), counts_[0], words); !s) return s;
    drainage.setCells(std::move(drained));

    ModelValues values = values_;
    values.a = strength;
    if (Status s = run(ModelPass::startCuts, values,
                       {{kHeightsSlot, heights_},
                        {kPointersSlot, receivers_},
                        {kCountsSlot, counts_[0]},
                        {kMadeSlot, cuts_[0]},
                        {kNextPointersSlot, pointers_[0]}});
        !s)
        return s;
    const Status solved = doubled([this]() -> Status {
        std::swap(cuts_[0], cuts_[1]);
        return run(ModelPass::doubleCuts, values_,
                   {{kPointersSlot, pointers_[0]},
                    {kNextPointersSlot, pointers_[1]},
                    {kGivenSlot, cuts_[1]},
                    {kMadeSlot, cuts_[0]},
                    {kFoundSlot, found_}});
    });
    if (!solved) return solved;
    if (Status s =
            run(ModelPass::cut, values_, {{kHeightsSlot, heights_}, {kGivenSlot, cuts_[0]}, {kTermsSlot, terms_}});
        !s)
        return s;
    const Result<Sums> lowered = sums(cells);
    if (!lowered) return lowered.error();
    step.balance.cut += (lowered->even + lowered->odd) * raster_.alongX * raster_.alongY;
    return Status::ok();
}

// ---- failing slopes ----

Status DeviceSteps::fail(double steepest, ModelStep& step)
{
    const std::size_t cells = raster_.cells();
    ModelValues values = values_;
    values.a = steepest;
    values.b = TerrainModel::kStands;
    if (Status s = array(shares_, cells * sizeof(double)); !s) return s;
    if (Status s = device_.clear(terms_); !s) return s;
    for (int pass = 0;; ++pass)
    {
        if (Status s =
                run(ModelPass::shareFailures, values,
                    {{kHeightsSlot, heights_}, {kKindsSlot, kinds_}, {kMadeSlot, shares_}, {kFoundSlot, found_}});
            !s)
            return s;
        const Result<std::uint32_t> unstable = found();
        if (!unstable) return unstable.error();
        step.unstable = *unstable;
        if (*unstable == 0 || pass == TerrainModel::kFailures) break;
        if (Status s = run(ModelPass::fail, values,
                           {{kHeightsSlot, heights_},
                            {kGivenSlot, shares_},
                            {kKindsSlot, kinds_},
                            {kMadeSlot, next_},
                            {kTermsSlot, terms_}});
            !s)
            return s;
        std::swap(heights_, next_);
    }
    const Result<Sums> moved = sums(2 * cells);
    if (!moved) return moved.error();
    step.balance.failed += moved->even * raster_.alongX * raster_.alongY;
    step.balance.left += moved->odd * raster_.alongX * raster_.alongY;
    return Status::ok();
}

// ---- creep ----

Status DeviceSteps::placeLevels(const DiffusionGrid& grid)
{
    if (levelsKinds_ == grid.kinds.data() && levelsAlongX_ == grid.alongX && levelsAlongY_ == grid.alongY)
        return Status::ok();
    const GridMultigrid multigrid{stencilOf(grid)};
    std::vector<float> stencil;
    levels_.resize(std::max(levels_.size(), multigrid.grids().size()));
    depth_ = multigrid.grids().size();
    for (std::size_t depth = 0; depth < depth_; ++depth)
    {
        const GridLevel& from = multigrid.grids()[depth];
        Level& level = levels_[depth];
        level.width = std::uint32_t(from.width);
        level.height = std::uint32_t(from.height);
        level.sweeps = multigrid.sweeps(depth);
        stencil.clear();
        for (std::size_t i = 0; i < from.east.size(); ++i)
            stencil.insert(stencil.end(), {from.east[i], from.south[i], from.diagonal[i], from.inverse[i]});
        for (Status s : {array(level.stencil, stencil.size() * sizeof(float)),
                         array(level.right, from.east.size() * sizeof(float)),
                         array(level.answer, from.east.size() * sizeof(float))})
            if (!s) return s;
        if (Status s = device_.upload(level.stencil, stencil.data(), stencil.size() * sizeof(float)); !s) return s;
    }
    levelsKinds_ = grid.kinds.data();
    levelsAlongX_ = grid.alongX;
    levelsAlongY_ = grid.alongY;
    return Status::ok();
}

// Runs a multigrid cycle as GridMultigrid::cycle() does.
Status DeviceSteps::cycle(std::size_t depth)
{
    const Level& level = levels_[depth];
    ModelValues values = {
        .cells = level.width * level.height, .columns = level.width, .rows = level.height, .otherColumns = 0};
    Status status = Status::ok();
    const auto sweep = [&](ModelPass pass, std::uint32_t colour) {
        values.number = colour;
        if (status)
            status = run(pass, values,
                         {{kStencilSlot, level.stencil}, {kRightSlot, level.right}, {kAnswerSlot, level.answer}});
    };
    sweep(ModelPass::startSweep, 0);
    sweep(ModelPass::sweep, 1);
    for (int i = 1; i < level.sweeps; ++i)
        sweep(ModelPass::sweep, 0), sweep(ModelPass::sweep, 1);
    if (status && depth + 1 < depth_)
    {
        const Level& coarse = levels_[depth + 1];
        values.otherColumns = coarse.width;
        ModelValues ofCoarse = values;
        ofCoarse.cells = coarse.width * coarse.height;
        status = run(ModelPass::restrictResidual, ofCoarse,
                     {{kStencilSlot, level.stencil},
                      {kRightSlot, level.right},
                      {kAnswerSlot, level.answer},
                      {kCoarseSlot, coarse.right}});
        if (status) status = cycle(depth + 1);
        if (status)
            status = run(ModelPass::prolong, values, {{kAnswerSlot, level.answer}, {kCoarseSlot, coarse.answer}});
    }
    for (int i = 0; i < level.sweeps; ++i)
        sweep(ModelPass::sweep, 1), sweep(ModelPass::sweep, 0);
    return status;
}

// Lets the heights creep; `t` is the rate of creep times the duration (m^2).  Conjugate gradients as in
// hestenesStiefelStep(), with the residual r = b - A x, whose norm is recomputed from x at the end.
Status DeviceSteps::creep(double t, const LinkedParts* parts, const std::stop_token& stop, ModelStep& step)
{
    const std::size_t cells = raster_.cells();
    ModelValues flow = values_;
    flow.a = t / (raster_.alongX * raster_.alongX);
    flow.b = t / (raster_.alongY * raster_.alongY);
    for (ModelArray* v : {&x_, &r_, &p_, &q_, &z_})
        if (Status s = array(*v, cells * sizeof(double)); !s) return s;
    if (Status s = placeLevels({raster_.kinds, raster_.width, raster_.height, flow.a, flow.b}); !s) return s;

    // After an error, sums are NaN, and `status` has the first error.
    Status status = Status::ok();
    const auto check = [&](const Status& s) {
        if (status && !s) status = s;
    };
    const auto sum = [&] {
        const Result<Sums> found = status ? sums(cells) : Result<Sums>(status.error());
        if (!found) check(found.error());
        return found ? found->even + found->odd : std::nan("");
    };
    const auto product = [&](ModelPass pass, ModelArray given, ModelArray made) {
        if (status)
            check(run(pass, flow,
                      {{kHeightsSlot, heights_},
                       {kGivenSlot, given},
                       {kKindsSlot, kinds_},
                       {kMadeSlot, made},
                       {kTermsSlot, terms_}}));
        return sum();
    };
    const auto combine = [&](ModelPass pass, ModelArray made, double ofMade, ModelArray given, double ofGiven) {
        ModelValues values = values_;
        values.a = ofMade;
        values.b = ofGiven;
        if (status) check(run(pass, values, {{kGivenSlot, given}, {kMadeSlot, made}, {kTermsSlot, terms_}}));
    };
    const auto precondition = [&](double norm) {
        ModelValues values = values_;
        values.a = 1 / norm;
        if (status) check(run(ModelPass::startCycle, values, {{kGivenSlot, r_}, {kRightSlot, levels_[0].right}}));
        if (status) check(cycle(0));
        values.a = norm;
        if (status)
            check(run(ModelPass::endCycle, values,
                      {{kGivenSlot, r_}, {kMadeSlot, z_}, {kTermsSlot, terms_}, {kAnswerSlot, levels_[0].answer}}));
        return sum();
    };

    check(device_.clear(x_));
    check(device_.clear(p_));
    const double size = std::sqrt(product(ModelPass::startCreep, x_, r_));
    double residual = size, lastRz = 0, found = 0;
    while (status && residual > 0)
    {
        if (stop.stop_requested()) return Error{ExitCode::kInterrupted, "terrain model: interrupted"};
        const double rz = precondition(residual);
        combine(ModelPass::combine, p_, lastRz > 0 ? rz / lastRz : 0, z_, 1);
        const double length = rz / product(ModelPass::multiply, p_, q_);
        combine(ModelPass::combine, x_, 1, p_, length);
        combine(ModelPass::combineSquares, r_, 1, q_, -length);
        residual = std::sqrt(sum());
        lastRz = rz;
        ++step.iterations;
        const bool ends = !(residual > TerrainModel::kTolerance * size) || step.iterations == kMostIterations;
        if (!ends || !status) continue;
        product(ModelPass::multiply, x_, q_);
        product(ModelPass::startCreep, x_, z_);
        combine(ModelPass::combineSquares, z_, 1, q_, -1);
        found = std::sqrt(sum()) / size;
        if (found <= TerrainModel::kTolerance) break;
        if (!(step.iterations < kMostIterations))
            return Error{ExitCode::kNo, fmt::format("terrain model: creep: no convergence after {} iterations: found a "
                                                    "relative residual of {:.3g}, expected {:g}",
                                                    step.iterations, found, TerrainModel::kTolerance)};
        check(device_.copy(r_, z_));
        residual = found * size;
        lastRz = 0;
    }
    if (!status) return status;
    step.residual = found;
    if (parts)  // as in TerrainModel::creep()
    {
        std::vector<double> x(cells);
        if (Status s = device_.download(x.data(), x_, cells * sizeof(double)); !s) return s;
        parts->removeMeans(x);
        if (Status s = device_.upload(x_, x.data(), cells * sizeof(double)); !s) return s;
    }
    if (Status s = run(ModelPass::crept, values_, {{kHeightsSlot, heights_}, {kGivenSlot, x_}, {kTermsSlot, terms_}});
        !s)
        return s;
    const double moved = sum(), left = product(ModelPass::flowOut, x_, z_), area = raster_.alongX * raster_.alongY;
    step.balance.left += left * area;
    step.balance.crept += (moved + std::abs(left)) * area / 2;
    return status;
}

}  // namespace orogen::compute
