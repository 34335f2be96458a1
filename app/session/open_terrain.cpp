#include "app/session/open_terrain.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>

#include "app/render/renderer.h"
#include "app/session/picture_scene.h"
#include "core/base/text.h"
#include "core/terrain/detail/detail.h"
#include "core/terrain/raster/height_field.h"
#include "core/terrain/sources/changed_tiles.h"
#include "core/terrain/tiles/cube_tiles.h"
#include "core/terrain/tiles/tiled_ground.h"
#include "core/view/camera_path.h"

namespace orogen::app {
namespace {

TerrainInfo describe(const Raster& raster)
{
    return {.name = raster.name,
            .format = raster.format,
            .crs = raster.crs,
            .width = raster.width,
            .height = raster.height,
            .pixelWidth = raster.pixelWidth,
            .pixelHeight = raster.pixelHeight,
            .minHeight = raster.minHeight,
            .maxHeight = raster.maxHeight,
            .voids = raster.voids,
            .synthetic = raster.synthetic,
            .warnings = raster.warnings};
}

}  // namespace

Status OpenTerrain::open(const std::string& dem, const SourceOverrides& overrides, const TileChoices& choices,
                         const ImageryToLoad& imagery)
{
    cancelOpening();
    Result<std::unique_ptr<TerrainLoading>> loading = startLoading(dem, overrides, choices, imagery);
    if (!loading) return loading.error();
    loading_ = std::move(*loading);
    return Status::ok();
}

Status OpenTerrain::openEarth(const EarthToLoad& wanted, const TileChoices& choices, const ImageryToLoad& imagery)
{
    cancelOpening();
    Result<std::unique_ptr<TerrainLoading>> loading = startLoadingEarth(wanted, choices, imagery);
    if (!loading) return loading.error();
    loading_ = std::move(*loading);
    return Status::ok();
}

Status OpenTerrain::openSame(const OpenTerrain& other, const TileChoices& choices, const ImageryToLoad& imagery)
{
    cancelOpening();
    Result<std::unique_ptr<TerrainLoading>> loading =
        startSharing({other.raster_, other.field_, other.overrides_, other.source_, other.earth_, other.surroundings_},
                     choices, imagery);
    if (!loading) return loading.error();
    loading_ = std::move(*loading);
    return Status::ok();
}

namespace {

constexpr double kLargeSide = 100'000;  // metres: seen as a whole, a larger terrain looks flat and hazy

// Returns the first key of the camera path NAME.home.path (metres), a file beside NAME.tif.  Without that file, returns
// a view with relief for a synthetic or large terrain, and nothing for others.
std::optional<Camera> homeOf(const Raster& raster, const HeightField& field, Messages& messages)
{
    std::error_code none;
    const std::filesystem::path file = std::filesystem::path(raster.name).replace_extension(".home.path");
    if (raster.synthetic || !std::filesystem::is_regular_file(file, none))
    {
        if (!raster.synthetic && std::max(raster.east(), raster.north()) <= kLargeSide) return std::nullopt;
        return viewOfRelief([&](double east, double north) { return double(heightAt(field, east, north)); },
                            {raster.east(), raster.north()}, std::max(field.pixelWidth, field.pixelHeight));
    }
    const Result<CameraPath> path = readCameraPath(file.string());
    if (!path)
        messages.report(MessageKind::kWarning, path.error().message);
    else if (path->units != PathUnits::kMetres)
        messages.report(MessageKind::kWarning, file.string() + ": found another unit, expected units metres");
    else
    {
        const PathKey& key = path->keys.front();
        return Camera{key.position, key.yaw, key.pitch, key.fov};
    }
    return std::nullopt;
}

}  // namespace

Result<bool> OpenTerrain::takeLoaded(Renderer& renderer, Messages& messages)
{
    if (!loading_ || loading_->running()) return false;
    const std::unique_ptr<TerrainLoading> loading = std::move(loading_);
    Result<LoadedTerrain> loaded = loading->take();
    if (!loaded) return loaded.error();
    std::shared_ptr<const MadeRelief> relief = loaded->bounds.relief;
    const Status shown = loaded->earth
                             ? renderer.setEarth(loaded->cache, loaded->imagery.cache)
                             : renderer.setTerrain(loaded->raster, loaded->field, std::move(loaded->bounds),
                                                   loaded->cache, loaded->imagery.cache, loaded->surroundings);
    if (!shown) return shown.error();
    earth_ = std::move(loaded->earth);
    nextField_.reset();
    nextSamples_ = everChanged_ = {};
    voids_.forget();
    overrides_ = loaded->overrides;
    info_ = describe(loaded->raster);
    if (!loaded->raster.synthetic) info_->name = std::filesystem::path(info_->name).filename().string();
    if (const TileSource* tiles = loaded->tiles.get(); tiles && !earth_)
        info_->estimated = !tiles->bounds({tiles->grid().levels() - 1, 0, 0});
    field_ = std::move(loaded->field);
    relief_ = std::move(relief);
    raster_ = std::move(loaded->raster);
    geography_ = earth_ ? std::nullopt : TerrainGeography::of(raster_);
    map_ = std::move(loaded->map);
    homeCamera_ = earth_ ? std::nullopt : homeOf(raster_, field_, messages);
    raster_.heights = {};  // frees the raster's heights: the field holds them in half the memory
    source_ = std::move(loaded->tiles);
    cache_ = std::move(loaded->cache);
    imagery_ = std::move(loaded->imagery);
    surroundings_ = std::move(loaded->surroundings);
    if (earth_)
        detail_ = detailUniformsOnCube(cubeSampleMetres(cache_->grid(), 0), kEarthExponent, cache_->baseLevel());
    else if (cache_)
        detail_ =
            detailUniforms(std::max(raster_.east(), raster_.north()),
                           std::sqrt(raster_.pixelWidth * raster_.pixelHeight), relief_ ? relief_->exponent() : 1.0);
    ++opened_;
    ++heights_;
    return true;
}

bool OpenTerrain::takeChangedHeights(Renderer& renderer, Messages& messages)
{
    std::optional<Result<ChangedHeights>> taken = voids_.take();
    if (!taken) return false;
    if (!*taken && taken->error().code == ExitCode::kInterrupted) return false;
    if (!*taken) return messages.reportError(taken->error()), false;
    ChangedHeights& changed = **taken;
    TerrainBounds others = follower_ ? changed.bounds : TerrainBounds();
    std::shared_ptr<const MadeRelief> relief = changed.bounds.relief;
    if (const Status s = renderer.changeHeights(raster_, changed.field, std::move(changed.bounds)); !s)
        return messages.reportError(s), false;
    voids_.shown(changed);
    raster_.voids = info_->voids = changed.voids;
    ++heights_;
    field_ = std::move(changed.field);
    relief_ = std::move(relief);
    messages.reportError(
        lead([&](Renderer& other) { return other.changeHeights(raster_, field_, std::move(others)); }));
    if (changed.filled > 0)
        messages.report(MessageKind::kNote,
                        fmt::format("{} filled: {}, residual {:.2g}, {:.0f} ms", counted(changed.filled, "void"),
                                    counted(changed.iterations, "iteration"), changed.relativeResidual,
                                    changed.solveMs));
    else
        messages.report(MessageKind::kNote, "restored " + counted(changed.voids, "void"));
    return true;
}

// Gives the heights of this terrain to the follower, which is another picture of the terrain.  `show` then shows them
// on the follower's renderer.
Status OpenTerrain::lead(const std::function<Status(Renderer&)>& show)
{
    if (!follower_) return Status::ok();
    OpenTerrain& other = *follower_->terrain;
    other.field_ = field_;
    other.relief_ = relief_;
    other.raster_ = raster_;
    other.info_ = info_;
    ++other.heights_;
    return show(*follower_->renderer);
}

void OpenTerrain::takeRange(float low, float high)
{
    raster_.minHeight = low;
    raster_.maxHeight = high;
    info_->minHeight = double(low);
    info_->maxHeight = double(high);
    ++heights_;
}

void OpenTerrain::takeHeights(HeightField field, std::shared_ptr<const MadeRelief> relief)
{
    field_ = std::move(field);
    relief_ = std::move(relief);
    const LowHigh range = rangeOf(field_);
    takeRange(range.low, range.high);
}

Status OpenTerrain::showHeights(Renderer& renderer, const ChangingBounds& bounds, PatchErrors patch)
{
    if (Status s = renderer.terrain().replaceHeights(raster_, field_, bounds, std::move(patch)); !s) return s;
    return lead([&](Renderer& other) { return other.terrain().replaceHeights(raster_, field_, bounds, {}); });
}

bool OpenTerrain::changeHeights(Renderer& renderer, ChangingBounds& bounds, std::span<const float> heights,
                                const IndexBox& box)
{
    const bool fits = encodeBox(field_, heights, box);
    const BoundsChange change = bounds.update(field_, box);
    const PyramidLevel::Cell& whole = bounds.heights().levels.back().cells[0];
    takeRange(field_.offset + field_.scale * float(whole.lowest), field_.offset + field_.scale * float(whole.highest));
    const auto show = [&](Renderer& on) {
        on.terrain().changeHeights(raster_, field_, bounds, change);
        return Status::ok();
    };
    (void)show(renderer);
    (void)lead(show);
    return fits;
}

Status OpenTerrain::showDrainage(Renderer& renderer, std::span<const std::uint32_t> cells)
{
    if (Status s = renderer.terrain().showDrainage(cells); !s) return s;
    return lead([&](Renderer& other) { return other.terrain().showDrainage(cells); });
}

Status OpenTerrain::showOriginal(Renderer& renderer, HeightField field, TerrainBounds bounds)
{
    const LowHigh range = rangeOf(field);
    std::shared_ptr<const MadeRelief> relief = bounds.relief;
    Raster raster = raster_;
    raster.minHeight = range.low;
    raster.maxHeight = range.high;
    TerrainBounds others = follower_ ? bounds : TerrainBounds();
    if (Status s = renderer.changeHeights(raster, field, std::move(bounds)); !s) return s;
    takeHeights(std::move(field), std::move(relief));
    return lead([&](Renderer& other) { return other.changeHeights(raster_, field_, std::move(others)); });
}

void OpenTerrain::changeTiles(std::shared_ptr<const TileSource> source, const IndexBox& samples, HeightField overview)
{
    source_ = std::move(source);
    cache_->change(source_, samples);
    nextSamples_ = joined(nextSamples_, samples);
    everChanged_ = joined(everChanged_, samples);
    if (follower_) follower_->terrain->changeTiles(source_, samples, overview);
    nextField_ = std::move(overview);
}

// A change makes requested tiles within its box obsolete.  The tiles in view therefore get kFramesBetweenChanges frames
// to load between two changes.
bool OpenTerrain::tilesChanging() const
{
    const bool missing = framesUnchanged_ < kFramesBetweenChanges && cache_ && cache_->stats().missing > 0;
    return nextField_ || missing || (follower_ && follower_->terrain->tilesChanging());
}

bool OpenTerrain::takeTiles(Renderer& renderer, Messages& messages)
{
    if (follower_) (void)follower_->terrain->takeTiles(*follower_->renderer, messages);
    framesUnchanged_ = std::min(framesUnchanged_ + 1, kFramesBetweenChanges);
    if (!nextField_ || cache_->changing()) return false;
    framesUnchanged_ = 0;
    field_ = std::move(*nextField_);
    nextField_.reset();
    takeRange(source_->raster().minHeight, source_->raster().maxHeight);
    const IndexBox box = overviewBox(field_, source_->grid(), std::exchange(nextSamples_, {}));
    messages.reportError(renderer.terrain().changeOverview(raster_, field_, box));
    return true;
}

// Sets the follower, and passes on to it the changes of tiles that were made before.
void OpenTerrain::lead(const std::optional<Follower>& follower)
{
    follower_ = follower;
    if (follower_ && !everChanged_.empty() && follower_->terrain->source_ != source_)
        follower_->terrain->changeTiles(source_, everChanged_, nextField_ ? *nextField_ : field_);
}

Status OpenTerrain::showOn(Renderer& renderer) const
{
    if (!info_) return Status::ok();
    if (earth_)
    {
        cache_->uploadAgain();
        return renderer.setEarth(cache_, imagery_.cache);
    }
    if (cache_) cache_->uploadAgain();
    TerrainBounds bounds =
        cache_ ? TerrainBounds{.heights = {}, .errors = {}, .relief = relief_} : boundsWithoutErrors(field_);
    return renderer.setTerrain(raster_, field_, std::move(bounds), cache_, imagery_.cache, surroundings_);
}

Status OpenTerrain::fillVoids()
{
    if (earth_) return Error{ExitCode::kUsage, "voids in the Earth show what lies below: there is nothing to fill"};
    if (source_)
        return Error{ExitCode::kUsage,
                     "voids are filled in a terrain that is one image, and this one is in tiles: "
                     "orogen info FILE --fill-voids OUT.tif fills those of a file that fits in memory"};
    return voids_.fill(field_);
}

Result<std::optional<double>> OpenTerrain::sourceHeight(double east, double north) const
{
    if (source_) return sourceHeightAt(*source_, east, north);
    return std::optional(double(heightAt(field_, east, north)));
}

Result<std::optional<double>> OpenTerrain::sourceHeight(const Camera& camera) const
{
    if (!earth_) return sourceHeight(camera.position.x, camera.position.y);
    const Geodetic place = geodeticOf(camera.position);
    return earth_->heightAt(place.latitude, place.longitude);
}

Status OpenTerrain::checkGeoreferenced() const
{
    if (georeferenced()) return Status::ok();
    const auto error = [this](const std::string& what) {
        return Error{ExitCode::kInput, fmt::format("{}: {}", info_ ? printable(info_->name) : "no terrain", what)};
    };
    if (!raster_.placement || !raster_.placement->positioned)
        return error("found no georeference, expected one to find a latitude and longitude");
    return error(fmt::format("found {}, expected a coordinate system whose latitudes Orogen or GDAL computes",
                             raster_.crs.empty() ? "an unknown coordinate system" : printable(raster_.crs)));
}

std::optional<glm::dvec3> OpenTerrain::positionOf(const Geodetic& place) const
{
    if (earth_) return earthFixed(place);
    if (map_)
    {
        const glm::dvec2 sample = map_->sampleOf({place.latitude, place.longitude});
        if (!std::isfinite(sample.x + sample.y)) return std::nullopt;
        return glm::dvec3((sample.x - 0.5 * (raster_.width - 1)) * raster_.pixelWidth,
                          (0.5 * (raster_.height - 1) - sample.y) * raster_.pixelHeight, place.height);
    }
    const auto at = geography_ ? geography_->metres({place.latitude, place.longitude}) : std::nullopt;
    return at ? std::optional(glm::dvec3(at->east, at->north, place.height)) : std::nullopt;
}

std::optional<glm::dvec3> OpenTerrain::placeOf(const LatLong& place) const
{
    const std::optional<glm::dvec3> at = positionOf({place.latitude, place.longitude, 0});
    const bool outside =
        at && !earth_ && (std::abs(at->x) > 0.5 * raster_.east() || std::abs(at->y) > 0.5 * raster_.north());
    return outside ? std::nullopt : at;
}

std::optional<Geodetic> OpenTerrain::placeAt(const glm::dvec3& position) const
{
    if (earth_) return geodeticOf(position);
    const std::optional<LatLong> place = geography_ ? geography_->place(position.x, position.y) : std::nullopt;
    return place ? std::optional(Geodetic{place->latitude, place->longitude, position.z}) : std::nullopt;
}

double OpenTerrain::spacing() const
{
    return earth_ ? earth_->relief().spacing() : std::min(raster_.pixelWidth, raster_.pixelHeight);
}

std::optional<double> OpenTerrain::syntheticBelow(const Settings& settings) const
{
    if (!info_ || !settings.detailShown()) return std::nullopt;
    const double spacing = spacingAt(settings.view.position);
    return earth_ ? detailBelow(spacing, spacing) : detailBelow(raster_.pixelWidth, raster_.pixelHeight);
}

double OpenTerrain::spacingAt(const glm::dvec3& position) const
{
    if (!earth_) return std::min(raster_.pixelWidth, raster_.pixelHeight);
    return cubeSampleMetres(cache_->grid(), cache_->levelAt(facePlaceOf(scaledDirectionUnder(position))));
}

double OpenTerrain::dataSpacingAt(const glm::dvec3& position) const
{
    if (!earth_) return spacing();
    const glm::dvec3 under = scaledDirectionUnder(position);
    return earth_->spacingAt(cache_->levelAt(facePlaceOf(under)), placeOfDirection(under));
}

double OpenTerrain::groundAt(const glm::dvec3& position, const Settings& settings) const
{
    EarthLook look{.heightScale = double(settings.terrain.heightScale),
                   .sea = {},
                   .detail = settings.detailShown() ? &detail_ : nullptr};
    if (settings.terrain.waterLevel) look.sea = double(*settings.terrain.waterLevel);
    return drawnGroundUnder(*cache_, position, look);
}

// Returns the height of procedural detail (metres, unscaled).
double OpenTerrain::madeAt(double east, double north) const
{
    if (!cache_) return relief_ ? relief_->heightAt(field_, east, north) : 0.0;
    const double side = std::max(raster_.east(), raster_.north());
    return madeHeight(detail_, side, cache_->reliefAt(east, north), east, north);
}

double OpenTerrain::groundAt(double east, double north, double heightScale, bool detail) const
{
    const float height = cache_   ? cache_->heightAt(east, north)
                         : detail ? drawnHeightAt(field_, east, north)
                                  : heightAt(field_, east, north);
    return (double(height) + (detail ? madeAt(east, north) : 0.0)) * heightScale;
}

const LandAround& OpenTerrain::land() const
{
    if (!land_ || landHeights_ != heights_) land_.emplace(field_, surroundings_);
    landHeights_ = heights_;
    return *land_;
}

std::unique_ptr<PictureScene> OpenTerrain::scene(double squareSide) const
{
    if (earth_) return std::make_unique<EarthScene>(*cache_, earth_.get());
    return std::make_unique<PlaneScene>(field_, raster_, cache_.get(), squareSide, geography_);
}

ViewSurroundings OpenTerrain::surroundings(const Settings& settings, glm::dvec2 viewport) const
{
    const double heightScale = settings.terrain.heightScale;
    const bool detail = settings.detailShown();
    ViewSurroundings around;
    if (earth_)
        around.earthGround = [this, settings](const glm::dvec3& position) { return groundAt(position, settings); };
    else
        around.ground = [this, heightScale, detail](double east, double north) {
            return groundAt(east, north, heightScale, detail);
        };
    if (!earth_ && settings.render.border == Border::kGround)
    {
        around.withoutLand = around.ground;
        around.ground = [this, heightScale, terrain = around.ground](double east, double north) {
            const bool outside = std::abs(east) > 0.5 * raster_.east() || std::abs(north) > 0.5 * raster_.north();
            return outside ? land().heightAt(east, north, heightScale, terrain) : terrain(east, north);
        };
    }
    const double sea = earth_ ? double(settings.terrain.waterLevel.value_or(raster_.minHeight)) : raster_.minHeight;
    around.terrain = {{raster_.east(), raster_.north()},
                      std::max(sea, double(raster_.minHeight)) * heightScale,
                      std::max(sea, double(raster_.maxHeight)) * heightScale};
    if (around.withoutLand && surroundings_) around.terrain.landHeight = double(surroundings_->highest) * heightScale;
    around.home = homeCamera_;
    if (around.home) around.home->position.z *= heightScale;
    around.viewport = {std::max(viewport.x, 1.0), std::max(viewport.y, 1.0)};
    return around;
}

}  // namespace orogen::app
