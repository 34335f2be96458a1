#include "core/terrain/earth/earth_source.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <span>
#include <vector>

#include <fmt/format.h>
#include <glm/vec2.hpp>

#include "core/base/text.h"
#include "core/planet/ellipsoid.h"
#include "core/terrain/earth/earth_inset.h"
#include "core/terrain/earth/earth_reader.h"
#include "core/terrain/earth/inset_membrane.h"
#include "core/terrain/io/load_raster.h"
#include "core/terrain/raster/georeference.h"
#include "core/terrain/raster/raster.h"
#include "core/terrain/tiles/cube_tiles.h"
#include "core/terrain/tiles/tile_source.h"

namespace orogen {
namespace {

bool near(double a, double b, double step) { return std::fabs(a - b) < 0.01 * step; }

Status checkWholeEarth(const Raster& raster)
{
    const auto fail = [&](const std::string& what) {
        return inputError(raster.name, what + ", expected the whole Earth in degrees");
    };
    if (!raster.placement || !raster.placement->positioned || !raster.placement->geographic)
        return fail("no position in degrees");
    const Placement& at = *raster.placement;
    if (!at.upright() || !near(at.stepEast * raster.width, 360.0, at.stepEast))
        return fail(fmt::format("{} columns, each {:g} degrees wide", raster.width, at.stepEast));
    if (!near(at.y, 90.0, at.stepSouth) || !near(at.stepSouth * (raster.height - 1), 180.0, at.stepSouth))
        return fail(
            fmt::format("{} rows from {:g} degrees north, {:g} degrees apart", raster.height, at.y, at.stepSouth));
    if (raster.voids > 0) return fail(counted(raster.voids, "sample") + " without data");
    if (raster.minHeight < -32768.0f || raster.maxHeight > 32767.0f)
        return fail(fmt::format("heights of {:g} to {:g} m", raster.minHeight, raster.maxHeight));
    return Status::ok();
}

}  // namespace

Result<EarthRelief> EarthRelief::read(const std::string& path)
{
    const Result<Raster> raster = loadRaster(path);
    return raster ? of(*raster) : Result<EarthRelief>(raster.error());
}

Result<EarthRelief> EarthRelief::of(const Raster& raster)
{
    if (const Status status = checkWholeEarth(raster); !status) return status.error();
    EarthRelief relief;
    relief.columns_ = raster.width;
    relief.rows_ = raster.height;
    relief.west_ = raster.placement->x;
    relief.lowest_ = raster.minHeight;
    relief.highest_ = raster.maxHeight;
    relief.heights_.resize(raster.heights.size());
    std::ranges::transform(raster.heights, relief.heights_.begin(),
                           [](float height) { return std::int16_t(std::lrint(height)); });
    // A pole is one place: different samples along its row would make a step in the ground, so they are averaged.
    for (const int row : {0, relief.rows_ - 1})
    {
        const auto begin = relief.heights_.begin() + std::ptrdiff_t(row) * relief.columns_;
        const auto end = begin + relief.columns_;
        std::fill(begin, end, std::int16_t(std::lrint(std::accumulate(begin, end, 0.0) / relief.columns_)));
    }
    return relief;
}

double EarthRelief::spacing() const { return 180.0 / (rows_ - 1) * metresPerDegree(45.0).north; }

float EarthRelief::heightAt(double latitude, double longitude) const
{
    const double column = (longitude - west_) * columns_ / 360.0, aroundEarth = std::floor(column / columns_);
    const double x = column - aroundEarth * columns_;
    const double y = std::clamp((90.0 - latitude) / 180.0, 0.0, 1.0) * (rows_ - 1);
    const int left = std::min(int(x), columns_ - 1), right = left + 1 == columns_ ? 0 : left + 1;
    const int upper = std::min(int(y), rows_ - 2);
    const float s = float(x - left), t = float(y - upper);
    const float north = at(left, upper) + (at(right, upper) - at(left, upper)) * s;
    const float south = at(left, upper + 1) + (at(right, upper + 1) - at(left, upper + 1)) * s;
    return north + (south - north) * t;
}

namespace {

constexpr double kHaloCells = 16.0;  // limit on the distance from an inset to refined tiles (samples of their level)

// Returns the number of levels of a grid on the cube, at most kMostCubeLevels, with samples as dense as the inset's.
int levelsFor(const EarthInset& inset)
{
    const double coarsest = double(kCubeSide) / kTileCells;
    return std::clamp(1 + int(std::ceil(std::log2(coarsest / inset.latticeSpacing()))), 1, kMostCubeLevels);
}

}  // namespace

EarthSource::~EarthSource() = default;

Status EarthSource::openInsets(const std::vector<InsetRequest>& requests, const LoadProgress& progress, Insets& insets)
{
    for (const InsetRequest& request : requests)
    {
        Result<std::shared_ptr<const EarthInset>> inset = EarthInset::open(request, progress);
        if (!inset) return inset.error();
        auto laid = std::make_shared<Laid>();
        laid->inset = std::move(*inset);
        laid->reach = membraneReach(*laid->inset);
        insets.push_back(std::move(laid));
    }
    return Status::ok();
}

Result<std::shared_ptr<EarthSource>> EarthSource::open(const std::filesystem::path& relief,
                                                       std::vector<InsetRequest> requests, SolveVoids solve,
                                                       const LoadProgress& progress,
                                                       const std::optional<InsetRequest>& replaced)
{
    Result<EarthRelief> read = EarthRelief::read(relief.string());
    if (!read) return read.error();
    Insets insets;
    if (replaced) requests.insert(requests.begin(), *replaced);
    if (const Status status = openInsets(requests, progress, insets); !status) return status.error();
    return make(std::make_shared<const EarthRelief>(std::move(*read)), std::move(insets), replaced ? 1 : 0,
                std::move(solve));
}

Result<std::shared_ptr<EarthSource>> EarthSource::with(std::vector<InsetRequest> more,
                                                       const LoadProgress& progress) const
{
    Insets insets = insets_;
    if (const Status status = openInsets(more, progress, insets); !status) return status.error();
    return make(relief_, std::move(insets), replaced_, solve_);
}

Result<std::shared_ptr<EarthSource>> EarthSource::make(std::shared_ptr<const EarthRelief> relief, Insets insets,
                                                       std::size_t replaced, SolveVoids solve)
{
    const std::shared_ptr<EarthSource> earth(new EarthSource);
    earth->relief_ = std::move(relief);
    earth->insets_ = std::move(insets);
    earth->replaced_ = replaced;
    earth->solve_ = std::move(solve);
    earth->layOut();
    earth->describe();
    return earth;
}

Result<const InsetMembrane*> EarthSource::membraneOf(std::size_t number) const
{
    Laid& laid = *insets_[number];
    if (laid.inset->map().period()) return nullptr;
    // Making the membrane may lock the mutexes of insets named earlier, but never of later ones. So no deadlock occurs.
    const std::lock_guard lock(laid.mutex);
    if (!laid.membrane)
    {
        bool overData = false;
        for (std::size_t k = replaced_; k < number; ++k)
            overData = overData || laid.inset->meets(*insets_[k]->inset, laid.reach);
        EarthReader reader(*this);
        const Result<InsetReader*> inset = reader.readerOf(number);
        if (!inset) return inset.error();
        const auto base = [&](LatLong place, double metres) { return reader.groundBelow(number, place, metres); };
        Result<InsetMembrane> made = InsetMembrane::make(**inset, base, overData, solve_);
        if (!made) return made.error();
        laid.membrane = std::move(*made);
    }
    return &*laid.membrane;
}

void EarthSource::layOut()
{
    int levels = kReliefLevels;
    for (const auto& laid : insets_)
        levels = std::max(levels, levelsFor(*laid->inset));
    grid_ = TileGrid::onCube(levels);
    for (const auto& laid : insets_)
        levels_.push_back(levels - levelsFor(*laid->inset));
}

void EarthSource::describe()
{
    raster_.name = raster_.format = kEarthName;
    raster_.crs = "WGS 84";
    raster_.heightUnit = HeightUnit::kMetre;
    raster_.width = grid_.width(), raster_.height = grid_.height();
    raster_.pixelWidth = raster_.pixelHeight = latticeStep(grid_, 0) * metresOfCubeUnit();
    raster_.minHeight = relief_->lowest(), raster_.maxHeight = relief_->highest();
    for (const auto& laid : insets_)
    {
        const std::shared_ptr<const EarthInset>& inset = laid->inset;
        about_.push_back(inset->about());
        raster_.minHeight = std::min(raster_.minHeight, inset->raster().minHeight);
        raster_.maxHeight = std::max(raster_.maxHeight, inset->raster().maxHeight);
        decimated_ = decimated_ && !inset->tiles();
        for (const std::string& warning : inset->about().warnings)
            raster_.warnings.push_back(fmt::format("{}: {}", printable(inset->about().name), warning));
    }
}

bool EarthSource::remote() const
{
    return std::ranges::any_of(insets_,
                               [](const auto& laid) { return laid->inset->tiles() && laid->inset->tiles()->remote(); });
}

bool EarthSource::refines(const TileKey& key) const
{
    if (key.level == 0) return false;
    if (key.level > reliefLevel()) return true;
    const double side = latticeStep(grid_, key.level) * kTileCells;
    const glm::dvec2 low = glm::dvec2(key.x, key.y) * side;
    const FaceBox box{key.face, low, low + side};
    // Around an inset samples get sparser in proportion to the distance, as the membrane gets smoother.
    const double halo = kHaloCells * cubeSampleMetres(grid_, key.level);
    for (std::size_t i = 0; i < insets_.size(); ++i)
        if (levels_[i] < key.level && insets_[i]->inset->meets(box, std::min(insets_[i]->reach, halo))) return true;
    return false;
}

Result<std::unique_ptr<TileReader>> EarthSource::openReader() const
{
    return std::unique_ptr<TileReader>(std::make_unique<EarthReader>(*this));
}

Status EarthSource::groundAt(std::span<const LatLong> places, std::span<float> out) const
{
    const std::lock_guard lock(mutex_);
    if (!own_) own_ = std::make_unique<EarthReader>(*this);
    return own_->readPlaces(places, out);
}

Result<std::optional<double>> EarthSource::heightAt(double latitude, double longitude) const
{
    if (!(std::fabs(latitude) <= 90.0) || !std::isfinite(longitude)) return std::optional<double>();
    const std::lock_guard lock(mutex_);
    if (!own_) own_ = std::make_unique<EarthReader>(*this);
    const Result<double> height = own_->heightAt({latitude, wrappedLongitude(longitude)});
    if (!height) return height.error();
    return std::optional(*height);
}

std::vector<std::shared_ptr<const EarthInset>> EarthSource::models() const
{
    std::vector<std::shared_ptr<const EarthInset>> models;
    for (const std::shared_ptr<Laid>& laid : insets_)
        models.push_back(laid->inset);
    return models;
}

double EarthSource::spacingAt(int level, LatLong place) const
{
    const double base = replaced_ > 0 ? about_.front().spacing : relief_->spacing();
    const auto lies = [&](const Inset& inset) {
        const double east = std::remainder(place.longitude - inset.extent.west, 360.0);
        return place.latitude >= inset.extent.south && place.latitude <= inset.extent.north &&
               (east < 0 ? east + 360 : east) <= inset.extent.east - inset.extent.west;
    };
    const bool finer = level < baseLevel() && std::ranges::any_of(insets(), lies);
    return std::max(cubeSampleMetres(grid_, level), finer ? 0.0 : base);
}

}  // namespace orogen
