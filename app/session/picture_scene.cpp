#include "app/session/picture_scene.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>

#include <fmt/format.h>
#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include "core/base/text.h"
#include "core/leb/cube_leaf.h"
#include "core/leb/leb.h"
#include "core/planet/ellipsoid.h"
#include "core/terrain/tiles/cube_tiles.h"
#include "core/terrain/tiles/tiled_ground.h"
#include "core/view/earth_view.h"
#include "core/view/name_labels.h"

namespace orogen::app {

namespace {

constexpr double kTopStep = 0.01;     // step in which the top view's region follows the camera (share of its side)
constexpr int kBorderPoints = 12;     // points per side of the picture at which the border in view is found
constexpr double kTopViewShare = 8;   // least initial side of the Earth's top view (camera heights above ground);
                                      // the halvings of topSide() make it up to twice that
constexpr double kWholeEarth = 1.02;  // largest side of the Earth's top view (Earth diameters)
constexpr double kLeafSlack = 2;      // tolerance for the rounding of a point to the lattice (lattice units)

glm::dvec2 cornerPlace(const leb::Point& corner, double squareSide)
{
    return (glm::dvec2(corner.x, corner.y) / double(leb::kSide) - 0.5) * squareSide;
}

// Returns latitude and longitude as columns, to a millimetre.
std::vector<ProfileColumn> degreeColumns(std::function<LatLong(const glm::dvec3&)> placeAt)
{
    return {
        {"latitude", [placeAt](const ProfileSample& s) { return fmt::format("{:.8f}", placeAt(s.place).latitude); }},
        {"longitude", [placeAt = std::move(placeAt)](const ProfileSample& s) {
             return fmt::format("{:.8f}", placeAt(s.place).longitude);
         }}};
}

}  // namespace

SeenPoint PictureScene::seen(const glm::dvec3& position) const
{
    const glm::dvec3 drawn = atHeight(around, position, groundIn(around, position));
    return {drawn, hides(drawn)};
}

double PictureScene::pixelMetres(double distance) const
{
    return 2 * std::tan(0.5 * camera.fov / kDegreesARadian) / around.viewport.y * distance;
}

// ---- on a plane ----

GroundPoint PlaneScene::pointAt(const glm::dvec3& position) const
{
    if (!tiles_) return groundPointAt(field_, position.x, position.y);
    return groundPointAt(field_, tiledGround(*tiles_, raster_, position.x, position.y), position.x, position.y);
}

double PlaneScene::samplesAt(const glm::dvec3& position) const
{
    if (!tiles_) return std::max(field_.pixelWidth, field_.pixelHeight);
    return std::ldexp(std::max(raster_.pixelWidth, raster_.pixelHeight),
                      finestLevelAt(tiles_->active(), raster_, position.x, position.y));
}

// Returns the spacing of the source, so that the figures of a line do not depend on which tiles are resident.
double PlaneScene::finestSamplesAt(const glm::dvec3&) const
{
    return tiles_ ? std::min(raster_.pixelWidth, raster_.pixelHeight) : std::min(field_.pixelWidth, field_.pixelHeight);
}

std::string PlaneScene::coordinates(const glm::dvec3& position, double metres) const
{
    if (const auto place = geography_ ? geography_->place(position.x, position.y) : std::nullopt)
        return placeText(place->latitude, place->longitude, degreeDigits(metres));
    const int digits = metres < 3 ? 1 : 0;
    return fmt::format("{} m east, {} m north", grouped(position.x, digits), grouped(position.y, digits));
}

bool PlaneScene::hides(const glm::dvec3& place) const
{
    const glm::dvec3 way = place - camera.position;
    const double distance = glm::length(way);
    if (distance < 1) return false;
    const auto met = groundAlong(camera.position, way, around.ground, around.terrain);
    return met && glm::distance(*met, camera.position) < 0.985 * distance - 1;
}

ProfileHeightAt PlaneScene::heightsAlong() const
{
    return [&field = field_, &raster = raster_, tiles = tiles_](const glm::dvec3& at) {
        const GroundPoint point = tiles ? groundPointAt(field, tiledGround(*tiles, raster, at.x, at.y), at.x, at.y)
                                        : groundPointAt(field, at.x, at.y);
        return ProfileHeight{point.height, point.isVoid};
    };
}

std::vector<ProfileColumn> PlaneScene::columns() const
{
    std::vector<ProfileColumn> columns = {
        {"east_m", [](const ProfileSample& s) { return fmt::format("{:.3f}", s.place.x); }},
        {"north_m", [](const ProfileSample& s) { return fmt::format("{:.3f}", s.place.y); }}};
    if (!geography_) return columns;
    for (ProfileColumn& column : degreeColumns([&geography = *geography_](const glm::dvec3& at) {
             return geography.place(at.x, at.y).value_or(LatLong{NAN, NAN});
         }))
        columns.push_back(std::move(column));
    return columns;
}

std::optional<LeafShape> PlaneScene::shapeOf(const PickedLeaf& leaf) const
{
    if (leaf.id < 2) return std::nullopt;
    const leb::Triangle t = leb::vertices(NodeId(leaf.id));
    return LeafShape{
        {cornerPlace(t.apex, side_), cornerPlace(t.base0, side_), cornerPlace(t.base1, side_)}, 0, 1e-6 * side_};
}

// Returns the whole square, or a part around the camera.
TopRegion PlaneScene::topRegion(const TopRegion&, double side) const
{
    const double reach = (side_ - side) / 2;
    const glm::dvec2 middle = glm::clamp(glm::dvec2(camera.position), glm::dvec2(-reach), glm::dvec2(reach));
    const double step = side * kTopStep;
    return {glm::dvec3(0), glm::round(glm::dvec2(middle.x - side / 2, middle.y + side / 2) / step) * step, side};
}

// Approximates the ground by the horizontal plane through the ground below the camera.
std::vector<glm::dvec3> PlaneScene::borderInView() const
{
    const double ground = groundIn(around, camera.position);
    const double far = 3 * std::max(around.terrain.size.x, around.terrain.size.y);
    std::vector<glm::dvec3> border;
    for (const glm::dvec2 corner : {glm::dvec2(-1, -1), glm::dvec2(-1, 1), glm::dvec2(1, 1), glm::dvec2(1, -1)})
    {
        const glm::dvec3 ray = rayAt(camera, corner, around.viewport);
        const double across = std::max(glm::length(glm::dvec2(ray)), 1e-9);
        const double reach = ray.z < 0 ? std::min((ground - camera.position.z) / ray.z, far / across) : far / across;
        border.push_back(camera.position + ray * reach);
    }
    return border;
}

// ---- on the Earth ----

namespace {

// Returns the height of the elevation model, without sea and procedural detail (metres).
double modelHeight(const TileCache& tiles, const glm::dvec3& position)
{
    return drawnGroundUnder(tiles, position, {.heightScale = 1, .sea = std::nullopt, .detail = nullptr});
}

}  // namespace

int EarthScene::levelAt(const glm::dvec3& position) const
{
    return tiles_.levelAt(facePlaceOf(scaledDirectionUnder(position)));
}

double EarthScene::finestSamplesAt(const glm::dvec3& position) const
{
    return cubeSampleMetres(tiles_.grid(), levelAt(position));
}

double EarthScene::samplesAt(const glm::dvec3& position) const
{
    return source_ ? source_->spacingAt(levelAt(position), placeOfDirection(scaledDirectionUnder(position)))
                   : finestSamplesAt(position);
}

GroundPoint EarthScene::pointAt(const glm::dvec3& position) const
{
    GroundPoint point;
    point.inside = true;
    point.height = modelHeight(tiles_, position);
    const LocalAxes axes = axesAt(position);
    const double apart = samplesAt(position);
    const auto rise = [&](const glm::dvec3& way) {
        return (modelHeight(tiles_, position + way * (apart / 2)) - modelHeight(tiles_, position - way * (apart / 2))) /
               apart;
    };
    const double east = rise(axes.east), north = rise(axes.north);
    point.slope = std::atan(std::hypot(east, north)) * kDegreesARadian;
    if (point.slope > 0) point.aspect = std::fmod(std::atan2(-east, -north) * kDegreesARadian + 360.0, 360.0);
    return point;
}

std::string EarthScene::coordinates(const glm::dvec3& position, double metres) const
{
    const Geodetic place = geodeticOf(position);
    return placeText(place.latitude, place.longitude, degreeDigits(metres));
}

bool EarthScene::hides(const glm::dvec3& place) const
{
    // behindGlobe() tests against the ellipsoid at sea level.  A place below sea level, such as a dry sea bed, is
    // tested at sea level.
    const glm::dvec3 raised = heightIn(around, place) < 0 ? atHeight(around, place, 0) : place;
    if (behindGlobe(camera.position, raised)) return true;
    return geodeticOf(camera.position).height < kGroundHidesBelow && groundHides(around, camera.position, place);
}

ProfileLeg EarthScene::leg(const glm::dvec3& from, const glm::dvec3& to) const
{
    const Geodesic line(geodeticOf(from), geodeticOf(to));
    return {line.length(), line.azimuth(), [line](double along) { return earthFixed(line.at(along)); }};
}

ProfileHeightAt EarthScene::heightsAlong() const
{
    return [&tiles = tiles_](const glm::dvec3& at) { return ProfileHeight{modelHeight(tiles, at), false}; };
}

std::vector<ProfileColumn> EarthScene::columns() const
{
    return degreeColumns([](const glm::dvec3& at) {
        const Geodetic place = geodeticOf(at);
        return LatLong{place.latitude, place.longitude};
    });
}

std::optional<LeafShape> EarthScene::shapeOf(const PickedLeaf& leaf) const
{
    const leb::CubeTriangle t = leb::cornersOf(leb::leafOfId(leaf.id));
    const auto place = [](const CubePlace& corner) { return glm::dvec2(corner.x, corner.y); };
    return LeafShape{{place(t.apex), place(t.left), place(t.right)}, t.apex.face, kLeafSlack};
}

std::optional<glm::dvec2> EarthScene::onLattice(const glm::dvec3& position, int face) const
{
    const FacePlace place = facePlaceOf(scaledDirectionUnder(position));
    return place.face == face ? std::optional(place.at) : std::nullopt;
}

glm::dvec3 EarthScene::offLattice(const glm::dvec2& at, int face) const
{
    return onEllipsoid(scaledDirection(FacePlace{face, at}));
}

double EarthScene::topSide() const { return 2 * kEarthEquatorRadius * kWholeEarth; }

int EarthScene::startZoom() const
{
    const double height = std::max(heightIn(around, camera.position) - groundIn(around, camera.position), kEyeHeight);
    return std::clamp(int(std::floor(std::log2(topSide() / (kTopViewShare * height)))), 0, mostTopZoom());
}

TopRegion EarthScene::topRegion(const TopRegion& before, double side) const
{
    const bool near = before.side == side && glm::distance(before.origin, camera.position) < side * kTopStep;
    return {near ? before.origin : camera.position, {-side / 2, side / 2}, side};
}

glm::dvec2 EarthScene::onTop(const TopRegion& region, const glm::dvec3& place) const
{
    return axesAt(region.origin).toLocal(place - region.origin);
}

// Approximates the ground by the ellipsoid raised to the ground below the camera.
std::vector<glm::dvec3> EarthScene::borderInView() const
{
    const EarthPose pose = poseOf(camera);
    const double ground = groundIn(around, camera.position);
    constexpr glm::dvec2 kCorners[] = {{-1, -1}, {-1, 1}, {1, 1}, {1, -1}, {-1, -1}};
    std::vector<glm::dvec3> border;
    for (int side = 0; side < 4; ++side)
        for (int i = 0; i < kBorderPoints; ++i)
        {
            const glm::dvec2 at = glm::mix(kCorners[side], kCorners[side + 1], double(i) / kBorderPoints);
            border.push_back(raisedEllipsoidOrHorizon(camera.position, earthRay(pose, at, around.viewport), ground));
        }
    return border;
}

}  // namespace orogen::app
