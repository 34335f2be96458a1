#include "app/render/ground_judge.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <optional>
#include <utility>
#include <vector>

#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include "core/base/thread_pool.h"
#include "core/planet/cube_lattice.h"
#include "core/planet/ellipsoid.h"
#include "core/terrain/detail/detail.h"
#include "core/terrain/tiles/tile_place.h"

namespace orogen::app {
namespace {

// ---- the finest surface ----

// Lookup of the active tiles by key.
class ActiveTiles
{
public:
    explicit ActiveTiles(const TileCache& cache) : grid_(cache.grid())
    {
        for (const ActiveTile& tile : cache.active())
            tiles_.emplace(tile.key, &tile);
    }
    // Returns the finest active tile of level `from` or coarser that contains the place (samples of level 0; borders
    // included), or null.
    const ActiveTile* finest(int face, const glm::dvec2& sample, int from = 0) const
    {
        const SamplePlace column = samplePlace(sample.x, grid_.width() - 1);
        const SamplePlace row = samplePlace(sample.y, grid_.height() - 1);
        for (int level = from; level < grid_.levels(); ++level)
        {
            const int x = firstCell(column, level, grid_.width() - 1).tile;
            const int y = firstCell(row, level, grid_.height() - 1).tile;
            if (const auto found = tiles_.find({level, x, y, face}); found != tiles_.end()) return found->second;
        }
        return nullptr;
    }

private:
    TileGrid grid_;
    std::map<TileKey, const ActiveTile*> tiles_;
};

double deviationOf(const ActiveTile* tile)
{
    return tile && tile->key.level > 0 ? double(tile->bounds.deviation) : 0.0;
}

// Returns the squared distance of a place, divided by the square of TileCache::reach(); it selects the tile level.
// `squared`: squared distance from the point below the camera (m^2).
float ratioOf(const TiledHeights& tiles, double squared)
{
    return float((squared + double(tiles.uniforms().cameraPart.z)) * double(tiles.uniforms().cameraPart.w));
}

FinestGround ofImage(const TerrainGpu& terrain, const Camera& camera, bool detail, const HeightField& field)
{
    const MadeRelief* relief = detail ? terrain.relief().get() : nullptr;
    return [=, &terrain, &field](const glm::dvec3& relative) {
        const glm::dvec3 at = camera.position + relative;
        const double made = relief ? relief->heightAt(at.x, at.y) : 0.0;
        const double ground = double(heightAt(field, at.x, at.y)) + made;
        return GroundMiss{std::abs(at.z - ground * double(terrain.uniforms().pixelSize.z)), {0, 0, 1}};
    };
}

FinestGround ofTiles(const TerrainGpu& terrain, const Camera& camera, bool detail)
{
    const TileCache& cache = terrain.tiles()->cache();
    const double scale = double(terrain.uniforms().pixelSize.z);
    return [=, &terrain, &cache, active = ActiveTiles(cache)](const glm::dvec3& relative) {
        const glm::dvec3 at = camera.position + relative;
        const ActiveTile* tile = active.finest(0, terrain.texelAt(at));
        double ground = double(cache.heightAt(at.x, at.y));
        if (detail && tile && tile->key.level == 0)
        {
            const float ratio = ratioOf(*terrain.tiles(), relative.x * relative.x + relative.y * relative.y);
            const double shown = double(distanceWeight(ratio, 0, terrain.tiles()->uniforms().reach.y));
            ground += madeHeight(terrain.detail(), terrain.squareSide(), cache.reliefAt(at.x, at.y), at.x, at.y) *
                      std::min(shown, double(tile->weight));
        }
        return GroundMiss{std::abs(at.z - ground * scale) + deviationOf(tile) * scale, {0, 0, 1}};
    };
}

// Returns the height of procedural detail on the Earth (metres) where the data lie `above` metres above the sea.
// Follows detailGroundAt(), which uses the finest active tile of the levels that are shown at that distance.  `sample`
// as in ActiveTiles, `squared` as in ratioOf().
double madeOnEarth(const TerrainGpu& terrain, const ActiveTiles& active, const FacePlace& place,
                   const glm::dvec2& sample, double squared, double above)
{
    const TileCache& cache = terrain.tiles()->cache();
    const float ratio = ratioOf(*terrain.tiles(), squared);
    const int last = cache.grid().levels() - 1, from = std::min(shownLevel(ratio), last);
    const ActiveTile* tile = active.finest(place.face, sample, from);
    if (!tile) return 0;
    const int level = tile->key.level;
    const float far = level < last ? distanceWeight(ratio, level, terrain.tiles()->uniforms().reach.y) : 1.0f;
    const DataRelief data = cache.reliefAt(place, from, std::min(far, tile->weight));
    return madeHeightOnCube(terrain.detail(), place, level, data, above);
}

// ---- rays ----

struct Lens
{
    glm::dvec3 forward, right, up;
    double tangent, aspect, focal;  // tangent of half the vertical angle of view; focal length in pixels
};

Lens lensOf(const JudgedPicture& picture)
{
    const Camera& camera = picture.camera;
    const double tangent = std::tan(camera.fov * std::numbers::pi / 360);
    return {forward(camera),
            right(camera),
            up(camera),
            tangent,
            double(picture.width) / picture.height,
            picture.height / (2 * tangent)};
}

struct Span
{
    int x0, x1, y0, y1;  // pixels that the triangle may cover
};

// Returns the pixels that a triangle may cover: none if the triangle lies in front of the near plane, all if it crosses
// that plane.
std::optional<Span> spanOf(const DrawnTriangle& triangle, const JudgedPicture& picture, const Lens& lens)
{
    glm::dvec2 low(1e30), high(-1e30);
    int nearer = 0;
    for (const glm::vec3& corner : triangle)
    {
        const glm::dvec3 at(corner);
        const double ahead = glm::dot(at, lens.forward);
        if (ahead < picture.nearPlane)
        {
            ++nearer;
            continue;
        }
        const glm::dvec2 seen(glm::dot(at, lens.right) / (ahead * lens.tangent * lens.aspect),
                              glm::dot(at, lens.up) / (ahead * lens.tangent));
        low = glm::min(low, seen);
        high = glm::max(high, seen);
    }
    if (nearer == 3) return std::nullopt;
    if (nearer > 0) return Span{0, picture.width - 1, 0, picture.height - 1};
    const auto pixel = [](double ndc, int size) {
        return int(std::floor(std::clamp((ndc + 1) / 2, -1.0, 2.0) * size));
    };
    const Span span{
        std::max(pixel(low.x, picture.width) - 1, 0), std::min(pixel(high.x, picture.width) + 1, picture.width - 1),
        std::max(pixel(low.y, picture.height) - 1, 0), std::min(pixel(high.y, picture.height) + 1, picture.height - 1)};
    if (span.x0 > span.x1 || span.y0 > span.y1) return std::nullopt;
    return span;
}

constexpr double kNothing = std::numeric_limits<double>::infinity();

// Returns the distance to a triangle along a ray from the camera, in lengths of the vector `way`.  A tolerance ensures
// that a ray along a shared edge hits at least one of the two triangles.
double distanceTo(const DrawnTriangle& triangle, const glm::dvec3& way)
{
    constexpr double kEdge = 1e-9;
    const glm::dvec3 a(triangle[0]), ab = glm::dvec3(triangle[1]) - a, ac = glm::dvec3(triangle[2]) - a;
    const glm::dvec3 p = glm::cross(way, ac);
    const double det = glm::dot(ab, p);
    if (det == 0) return kNothing;
    const glm::dvec3 q = glm::cross(-a, ab);
    const double u = -glm::dot(a, p) / det, v = glm::dot(way, q) / det;
    return u >= -kEdge && v >= -kEdge && u + v <= 1 + kEdge ? glm::dot(ac, q) / det : kNothing;
}

// Sorts the triangles into bands of picture rows, each with the pixels that it may cover.
std::vector<std::vector<std::pair<std::uint32_t, Span>>> bandsOfTriangles(const JudgedPicture& picture,
                                                                          const Lens& lens)
{
    std::vector<std::vector<std::pair<std::uint32_t, Span>>> bands(std::size_t(bandsOf(picture.height)));
    for (std::size_t i = 0; i < picture.triangles.size(); ++i)
        if (const std::optional<Span> span = spanOf(picture.triangles[i], picture, lens))
            for (int band = span->y0 / kRowsInBand; band <= span->y1 / kRowsInBand; ++band)
                bands[std::size_t(band)].emplace_back(std::uint32_t(i), *span);
    return bands;
}

bool isDrawn(const glm::dvec3& relative, const JudgedPicture& picture)
{
    if (!picture.raster) return true;
    const glm::dvec2 at = glm::abs(glm::dvec2(picture.camera.position + relative));
    return 2 * at.x <= picture.raster->x && 2 * at.y <= picture.raster->y;
}

glm::dvec3 wayThrough(int x, int y, const JudgedPicture& picture, const Lens& lens)
{
    const double across = (2 * (x + double(picture.samplePlace.x)) / picture.width - 1) * lens.tangent * lens.aspect;
    const double upwards = (2 * (y + double(picture.samplePlace.y)) / picture.height - 1) * lens.tangent;
    return lens.forward + lens.right * across + lens.up * upwards;
}

}  // namespace

FinestGround finestGroundOnPlane(const TerrainGpu& terrain, const Camera& camera, const Settings& settings,
                                 const HeightField& field)
{
    const bool detail = settings.detailShown();
    return terrain.tiles() ? ofTiles(terrain, camera, detail) : ofImage(terrain, camera, detail, field);
}

FinestGround finestGroundOnEarth(const TerrainGpu& terrain, const Camera& camera, const Settings& settings)
{
    const bool detail = settings.detailShown();
    const std::optional<float> waterLevel = settings.terrain.waterLevel;
    const TileCache& cache = terrain.tiles()->cache();
    const double scale = double(terrain.uniforms().pixelSize.z);
    const double sea = waterLevel ? double(*waterLevel) : -std::numeric_limits<double>::infinity();
    const Geodetic over = geodeticOf(camera.position);
    const double samples = double(cache.grid().width() - 1) / double(kCubeSide);
    return [=, &terrain, &cache, axes = axesAt(camera.position), active = ActiveTiles(cache),
            foot = earthFixed({over.latitude, over.longitude, 0})](const glm::dvec3& relative) {
        const glm::dvec3 at = camera.position + axes.toEarthFixed(relative), under = scaledDirectionUnder(at);
        const FacePlace place = facePlaceOf(under);
        const glm::dvec2 sample = place.at * samples;
        const ActiveTile* tile = active.finest(place.face, sample);
        double ground = double(cache.heightAt(place));
        const glm::dvec3 way = onEllipsoid(under) - foot;
        if (detail) ground += madeOnEarth(terrain, active, place, sample, glm::dot(way, way), ground - sea);
        const double height = glm::dot(at - onEllipsoid(under), normalAt(under));
        return GroundMiss{std::abs(height - std::max(ground, sea) * scale) + deviationOf(tile) * scale,
                          axes.toLocal(normalAt(under))};
    };
}

PixelFigures judgeError(const JudgedPicture& picture, const FinestGround& finest)
{
    const Lens lens = lensOf(picture);
    const auto bands = bandsOfTriangles(picture, lens);
    std::vector<double> nearest(std::size_t(picture.width) * std::size_t(picture.height), kNothing);
    ThreadPool pool(threadsForRows(picture.height));
    pool.forEach(bands.size(), [&](std::size_t band) {
        const int first = int(band) * kRowsInBand, last = std::min(first + kRowsInBand, picture.height) - 1;
        for (const auto& [number, span] : bands[band])
            for (int y = std::max(span.y0, first); y <= std::min(span.y1, last); ++y)
                for (int x = span.x0; x <= span.x1; ++x)
                {
                    const glm::dvec3 way = wayThrough(x, y, picture, lens);
                    const double distance = distanceTo(picture.triangles[number], way);
                    double& known = nearest[std::size_t(y) * std::size_t(picture.width) + std::size_t(x)];
                    if (distance >= picture.nearPlane && distance < known && isDrawn(way * distance, picture))
                        known = distance;
                }
    });
    std::vector<double> pixels;
    for (int y = 0; y < picture.height; ++y)
        for (int x = 0; x < picture.width; ++x)
        {
            const double distance = nearest[std::size_t(y) * std::size_t(picture.width) + std::size_t(x)];
            if (distance == kNothing) continue;
            const glm::dvec3 at = wayThrough(x, y, picture, lens) * distance;
            const GroundMiss miss = finest(at);
            const double aside = glm::length(at - miss.up * glm::dot(at, miss.up));
            pixels.push_back(miss.metres * lens.focal * aside / glm::dot(at, at));
        }
    PixelFigures figures;
    figures.pixels = pixels.size();
    if (pixels.empty()) return figures;
    for (const double pixel : pixels)
        figures.mean += pixel / double(pixels.size());
    std::ranges::sort(pixels);
    figures.largest = pixels.back();
    figures.p99 = pixels[(99 * pixels.size() + 99) / 100 - 1];
    return figures;
}

}  // namespace orogen::app
