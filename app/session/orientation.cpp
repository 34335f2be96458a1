#include "app/session/orientation.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <glm/geometric.hpp>

#include "app/session/session.h"
#include "core/base/text.h"
#include "core/base/text_file.h"
#include "core/planet/ellipsoid.h"
#include "core/view/earth_view.h"

namespace orogen::app {
namespace {

constexpr const char* kNamesFile = "assets/earth/places.tsv";
constexpr std::uint64_t kLargestList = 16u << 20;  // bytes
constexpr double kWidestBar = 160;                 // longest scale bar (pixels)
constexpr std::size_t kMostNames = 90;             // maximum number of candidates for labels
// Close to the ground, names of areas are shown up to this distance from the camera (camera heights above ground).
constexpr double kMostSlant = 14;
constexpr std::uint32_t kPointIds = 1u << 31;  // first id of named points, beyond those of the shipped names
// Distance within which named points of overlays are shown (metres).  Where labels compete, names with a larger
// distance win: those of continents, oceans and the largest country.
constexpr double kPointsShownWithin = 3e7;
constexpr int kGridSteps = 96;  // pieces of a line of the graticule
const glm::vec4 kGridColour{1.0f, 0.97f, 0.85f, 0.6f};
constexpr float kGridWidth = 1.0f;

double tanHalf(const Camera& camera) { return std::tan(0.5 * camera.fov * std::numbers::pi / 180); }

}  // namespace

void Orientation::forget()
{
    looked_.reset();
    placedFor_.reset();
    placed_.clear();
    inView_.clear();
    region_.reset();
    grid_.clear();
    gridLabels_.clear();
    lines_.clear();
    bar_ = {};
    ++changes_;
}

Result<const PlaceNames*> Orientation::names(const Session& session) const
{
    if (names_) return &*names_;
    const std::string file = (session.root() / kNamesFile).string();
    const Result<std::string> text = readTextFile(file, kLargestList);
    if (!text) return text.error();
    Result<PlaceNames> read = PlaceNames::parse(*text, file);
    if (!read) return read.error();
    names_ = std::move(*read);
    return &*names_;
}

// Finds where the names lie in the open terrain.  Takes some 0.1 s, once for a terrain, where GDAL computes the places.
void Orientation::placeNames(const Session& session)
{
    placedFor_ = session.terrain.opened();
    placed_.clear();
    if (!names_) return;
    const bool plane = session.terrain.world() == World::kPlane;
    const glm::dvec2 size(session.terrain.raster().east(), session.terrain.raster().north());
    const std::span<const NamedPlace> all = names_->all();
    for (std::size_t i = 0; i < all.size(); ++i)
    {
        const NamedPlace& name = all[i];
        if (plane && name.isArea()) continue;
        const std::optional<glm::dvec3> at = session.terrain.placeOf({name.latitude, name.longitude});
        if (!at) continue;
        const double farthest = plane ? std::max(name.farthest(), 1.5 * glm::length(size)) : name.farthest();
        placed_.push_back({std::uint32_t(i), *at, name.nearest(), farthest});
    }
}

void Orientation::readPoints(const Overlays& overlays)
{
    points_.clear();
    pointNames_.clear();
    for (NamedPoint& point : overlays.namedPoints())
    {
        points_.push_back({kPointIds + std::uint32_t(points_.size()), point.place, 0, kPointsShownWithin});
        pointNames_.push_back(std::move(point.name));
    }
    pointsRead_ = overlays.namesChanged();
}

void Orientation::findNames(const Session& session, const ViewSurroundings& around)
{
    inView_.clear();
    const Settings& settings = session.settings.wanted();
    if (!settings.marks.names) return;
    if (!names_ && !namesFailed_ && session.terrain.georeferenced())
    {
        const Result<const PlaceNames*> read = names(session);
        namesFailed_ = !read;  // goToName() reports the error; here the picture just shows no names
        placedFor_.reset();
    }
    if (placedFor_ != session.terrain.opened()) placeNames(session);
    if (pointsRead_ != session.tools.overlays().namesChanged()) readPoints(session.tools.overlays());
    if (placed_.empty() && points_.empty()) return;
    const Camera camera = cameraOf(settings.view);
    const bool earth = around.world() == World::kEarth;
    const double eyeHeight = std::max(session.camera.over(around).heightAboveGround(camera, around), 1.0);
    // On the Earth, names over the sea stand at sea level.
    const double lowest = earth ? 0.0 : -std::numeric_limits<double>::infinity();
    NameSurroundings in{
        .world = around.world(),
        .viewport = around.viewport,
        .lifted = [&](const glm::dvec3& at) { return atHeight(around, at, std::max(groundIn(around, at), lowest)); },
        .hidden = {}};
    if (!earth || eyeHeight < kGroundHidesBelow)
        in.hidden = [&](const glm::dvec3& place) { return groundHides(around, camera.position, place); };
    // Close to the ground, names of areas are shown only near the camera, because such names suit views from above.
    std::vector<WorldName> shown = placed_;
    if (earth && eyeHeight < kGroundHidesBelow)
        for (WorldName& name : shown)
            if (names_->all()[name.id].isArea()) name.farthest = std::min(name.farthest, kMostSlant * eyeHeight);
    shown.insert(shown.end(), points_.begin(), points_.end());
    inView_ = namesInView(shown, camera, in, kMostNames);
}

void Orientation::findGrid(const Session& session, const ViewSurroundings& around, std::uint64_t tiles)
{
    gridLabels_.clear();
    const Settings& settings = session.settings.wanted();
    if (!settings.marks.graticule)
    {
        region_.reset();
        grid_.clear();
        lines_.clear();
        return;
    }
    const Camera camera = cameraOf(settings.view);
    const bool earth = around.world() == World::kEarth;
    const std::optional<TerrainGeography>& geography = session.terrain.geography();
    GridRegion region;
    glm::dvec2 label;  // where the labels stand: near the middle of the view
    if (earth)
    {
        region = gridOnEarth(camera);
        const Geodetic middle = geodeticOf(earthSpotLookedAt(camera, around));
        label = {middle.longitude, middle.latitude};
        while (label.x < region.west)
            label.x += 360;
    }
    else
    {
        const glm::dvec3 spot = spotLookedAt(camera, around.ground, around.terrain);
        const double distance = glm::distance(spot, camera.position);
        const glm::dvec2 half = 0.5 * around.terrain.size;
        const double step = gridStep(distance / 4, false);
        region = {-half.x, -half.y, half.x, half.y, step, step, false};
        label = glm::clamp(glm::dvec2(spot), -half, half);
        if (geography)
        {
            // Takes longitudes relative to the middle's, so that a terrain over the date line has one range of them.
            const double middle = geography->place(0, 0).value_or(LatLong{}).longitude;
            const auto longitude = [middle](const LatLong& at) {
                return middle + wrappedLongitude(at.longitude - middle);
            };
            region = {middle + 180, 90, middle - 180, -90, 1, 1, true};
            for (const glm::dvec2 corner : {glm::dvec2(-1, -1), glm::dvec2(1, -1), glm::dvec2(1, 1), glm::dvec2(-1, 1)})
                if (const auto place = geography->place(half.x * corner.x, half.y * corner.y))
                {
                    region.west = std::min(region.west, longitude(*place));
                    region.east = std::max(region.east, longitude(*place));
                    region.south = std::min(region.south, place->latitude);
                    region.north = std::max(region.north, place->latitude);
                }
            // The borders of a whole turn have one longitude.  A line on it would leap from one border to the other.
            constexpr double kInside = 1e-6;  // degrees
            if (std::abs(region.east - region.west) < kInside)
            {
                region.west = middle - 180 + kInside;
                region.east = middle + 180 - kInside;
            }
            region.step = region.across = gridStep(distance / 4 / 111'000, true);
            if (const auto place = geography->place(label.x, label.y)) label = {longitude(*place), place->latitude};
        }
        // Bounds are multiples of the step, with at most 12 lines to each side of the middle.
        const auto bound = [&](double& low, double& high, double middle) {
            low = region.step * std::ceil(std::max(low, middle - 12 * region.step) / region.step - 1e-9);
            high = region.step * std::floor(std::min(high, middle + 12 * region.step) / region.step + 1e-9);
        };
        bound(region.west, region.east, label.x);
        bound(region.south, region.north, label.y);
    }
    const bool rests = !session.stats.tiles || session.stats.tiles->settled();
    if (region_ != region || (rests && gridTiles_ != tiles))
    {
        region_ = region;
        gridTiles_ = tiles;
        const auto place = [&](double x, double y) -> std::optional<glm::dvec3> {
            if (earth)
            {
                const glm::dvec3 at = earthFixed({y, x, 0});
                return positionAbove(upThrough(at), std::max(around.earthGround(at), 0.0));
            }
            glm::dvec2 metres(x, y);
            if (geography)
            {
                const auto found = geography->metres({y, x});
                if (!found) return std::nullopt;
                metres = {found->east, found->north};
            }
            const glm::dvec2 half = 0.5 * around.terrain.size * (1 + 1e-9);
            if (std::abs(metres.x) > half.x || std::abs(metres.y) > half.y) return std::nullopt;
            return glm::dvec3(metres, around.ground(metres.x, metres.y));
        };
        // On a plane, each line ends at its outermost crossings, because bound() has moved the region's borders to
        // multiples of the step.
        grid_ = gridLines(region, kGridSteps, place, label.x, label.y);
        std::vector<glm::dvec3> places;
        std::vector<std::uint8_t> begins;
        for (const GridLine& line : grid_)
            for (const glm::dvec3& point : line.points)
            {
                begins.push_back(&point == &line.points.front());
                places.push_back(point);
            }
        lines_.clear();
        if (!places.empty())
            lines_.push_back({std::make_shared<const GroundLine>(std::move(places), std::move(begins), false),
                              kGridColour, kGridWidth});
    }
    const PictureProjection picture(camera, around.world(), around.viewport);
    for (const GridLine& line : grid_)
    {
        if (line.label.empty() || (earth && behindGlobe(camera.position, line.labelled))) continue;
        if (const auto at = picture.at(line.labelled, 0)) gridLabels_.push_back({*at, line.label, line.meridian});
    }
}

void Orientation::update(Session& session)
{
    const std::optional<TileStats>& tiles = session.stats.tiles;
    const Settings& settings = session.settings.wanted();
    const ViewSurroundings around = session.surroundings();
    const std::uint64_t loaded = tiles ? tiles->loaded : 0;
    const Looked now{cameraOf(settings.view),
                     around.viewport,
                     loaded,
                     session.terrain.opened(),
                     settings.marks,
                     double(settings.terrain.heightScale),
                     session.tools.overlays().namesChanged()};
    if (looked_ == now) return;
    looked_ = now;
    ++changes_;
    findNames(session, around);
    findGrid(session, around, loaded);
    bar_ = {};
    if (!settings.marks.compass) return;
    const Camera& camera = now.camera;
    if (const std::optional<glm::dvec3> spot = groundMet(camera, camera.shift, around))
        bar_ = scaleBarFor(glm::distance(*spot, camera.position) * 2 * tanHalf(camera) / around.viewport.y, kWidestBar);
}

OrientationState Orientation::state(const Session& session) const
{
    OrientationState state;
    state.bar = bar_;
    state.compass = session.settings.wanted().marks.compass;
    state.grid = gridLabels_;
    for (const NameInView& name : inView_)
    {
        if (name.id >= kPointIds)
        {
            state.names.push_back({name.id, name.at, name.importance, {}, pointNames_[name.id - kPointIds]});
            continue;
        }
        const NamedPlace& place = names_->all()[name.id];
        state.names.push_back({name.id, name.at, name.importance, place.kind, place.name});
    }
    return state;
}

std::vector<FoundPlace> Orientation::find(const std::string& text, std::size_t most, const Session& session) const
{
    std::vector<FoundPlace> found;
    const Result<const PlaceNames*> list = names(session);
    if (!list) return found;
    for (const std::size_t index : (*list)->find(text, most))
        found.push_back({index, (*list)->all()[index].description()});
    return found;
}

Status Orientation::goToName(std::string_view text, Session& session)
{
    const Result<const PlaceNames*> list = names(session);
    if (!list) return list.error();
    const std::vector<std::size_t> found = (*list)->find(text, 1);
    if (found.empty())
        return Error{ExitCode::kUsage,
                     fmt::format("'{}': found no place of this name, expected latitude, longitude and "
                                 "height, or a name of the shipped list",
                                 printableStart(text))};
    return goToPlace(found.front(), session);
}

Status Orientation::goToPlace(std::size_t index, Session& session)
{
    const Result<const PlaceNames*> list = names(session);
    if (!list) return list.error();
    const NamedPlace& place = (*list)->all()[index];
    const double high = place.halfView() / 111'320;  // degrees
    const double wide = std::min(high / std::max(std::cos(place.latitude / kDegreesARadian), 0.1), 179.0);
    return session.places.showExtent(place.longitude - wide, place.latitude - high, place.longitude + wide,
                                     place.latitude + high);
}

}  // namespace orogen::app
