#include "core/terrain/raster/drape.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <optional>

#include <fmt/format.h>
#include <glm/common.hpp>
#include <glm/matrix.hpp>

#include "core/base/memory.h"
#include "core/base/text.h"
#include "core/base/thread_pool.h"
#include "core/terrain/raster/raster_making.h"

namespace orogen {
namespace {

constexpr int kControlStep = 16;                 // pixels between points that are projected exactly
constexpr int kBorderSteps = 32;                 // points along a side, to follow its curvature
constexpr std::uint64_t kLookTwice = 64u << 20;  // bytes; for larger pictures free memory is checked

// Affine map from a column and a row to map coordinates (metres or degrees).
struct Grid
{
    glm::dmat2 turn;
    glm::dvec2 first;  // coordinates of cell (0, 0)

    explicit Grid(const Placement& placement)
        : turn(glm::dvec2(placement.column().x, placement.column().y),
               glm::dvec2(placement.row().x, placement.row().y)),
          first(placement.x, placement.y)
    {
        if (!placement.geographic) turn *= placement.unit, first *= placement.unit;
    }
    glm::dvec2 at(glm::dvec2 cell) const { return turn * cell + first; }
    glm::dvec2 cellAt(glm::dvec2 point) const { return glm::inverse(turn) * (point - first); }
};

// Pixel coordinates start at the corner of the first pixel, a placement at its centre.
constexpr glm::dvec2 kMiddle{0.5, 0.5};

bool overlaps(const DrapedPicture& draped, const Raster& terrain)
{
    glm::dvec2 low(1e300), high(-1e300);
    for (const double x : {0.0, terrain.width - 1.0})
        for (const double y : {0.0, terrain.height - 1.0})
        {
            low = glm::min(low, draped.at({x, y}));
            high = glm::max(high, draped.at({x, y}));
        }
    return low.x < 1 && low.y < 1 && high.x > 0 && high.y > 0;
}

Error besideTerrain(const Picture& picture, const Raster& terrain)
{
    return inputError(picture.name, fmt::format("lies outside the terrain {}", terrain.name));
}

std::string nameOf(const std::string& crs, const Placement& placement)
{
    return !crs.empty() ? printable(crs) : placement.geographic ? "degrees" : "an unknown coordinate system";
}

std::optional<MapProjection> projectionOf(const std::optional<MapProjection>& said, const std::string& crs,
                                          const Placement& placement)
{
    if (said) return said;
    if (const std::optional<MapProjection> known = MapProjection::ofCrs(crs)) return known;
    return placement.geographic ? std::optional(MapProjection::geographic()) : std::nullopt;
}

bool sameSystem(const Picture& picture, const Raster& terrain)
{
    if (picture.placement->geographic != terrain.placement->geographic) return false;
    return picture.crs == terrain.crs || picture.crs.empty() || terrain.crs.empty();
}

DrapedPicture stretched(Picture picture, const Raster& terrain)
{
    DrapedPicture draped;
    draped.turn = glm::dmat2(1.0 / (terrain.width - 1), 0, 0, 1.0 / (terrain.height - 1));
    draped.stretched = true;
    draped.warnings.push_back(
        fmt::format("{}: {}: stretched over the terrain", printable(picture.name),
                    picture.placement ? "the terrain says no position" : "no georeference and no world file"));
    draped.picture = std::move(picture);
    return draped;
}

DrapedPicture placed(Picture picture, const Raster& terrain)
{
    DrapedPicture draped;
    const Grid from(*terrain.placement), to(*picture.placement);
    const glm::dmat2 inverse = glm::inverse(to.turn);
    const glm::dvec2 size(picture.width, picture.height);
    const glm::dmat2 share(1 / size.x, 0, 0, 1 / size.y);
    draped.turn = share * inverse * from.turn;
    draped.offset = share * (inverse * (from.first - to.first) + kMiddle);
    if (picture.crs.empty() != terrain.crs.empty())
        draped.warnings.push_back(fmt::format("{}: taken to be in {}, as {} is", printable(picture.name),
                                              nameOf(picture.crs + terrain.crs, *terrain.placement),
                                              picture.crs.empty() ? "the terrain" : "the picture"));
    draped.picture = std::move(picture);
    return draped;
}

// ---- from one coordinate system to another --------------------------------------------------------------------------

// Conversion between pixel coordinates of a picture and sample coordinates of a terrain.
class Passage
{
public:
    Passage(const Picture& picture, const MapProjection& pictureMap, const Raster& terrain,
            const MapProjection& terrainMap)
        : picture_(*picture.placement), terrain_(*terrain.placement), pictureMap_(pictureMap), terrainMap_(terrainMap)
    {
    }
    // Returns empty where a projection is not defined.
    std::optional<glm::dvec2> toPicture(glm::dvec2 sample) const
    {
        const std::optional<glm::dvec2> point = across(terrainMap_, terrain_.at(sample), pictureMap_);
        if (!point) return std::nullopt;
        return picture_.cellAt(*point) + kMiddle;
    }
    std::optional<glm::dvec2> toTerrain(glm::dvec2 pixel) const
    {
        const std::optional<glm::dvec2> point = across(pictureMap_, picture_.at(pixel - kMiddle), terrainMap_);
        if (!point) return std::nullopt;
        return terrain_.cellAt(*point);
    }

private:
    static std::optional<glm::dvec2> across(const MapProjection& from, glm::dvec2 point, const MapProjection& to)
    {
        const std::optional<LatLong> place = from.inverse({point.x, point.y});
        if (!place) return std::nullopt;
        const std::optional<MapPoint> there = to.forward(*place);
        if (!there) return std::nullopt;
        return glm::dvec2(there->x, there->y);
    }

    Grid picture_, terrain_;
    MapProjection pictureMap_, terrainMap_;
};

struct Box
{
    glm::dvec2 low{1e300}, high{-1e300};
    bool empty() const { return !(low.x < high.x && low.y < high.y); }
};

// Returns the part of the terrain that the picture covers, in samples.
Box covered(const Passage& passage, const Picture& picture, const Raster& terrain)
{
    Box box;
    for (int i = 0; i <= kBorderSteps; ++i)
    {
        const double t = double(i) / kBorderSteps, w = picture.width, h = picture.height;
        for (const glm::dvec2 pixel :
             {glm::dvec2(t * w, 0), glm::dvec2(t * w, h), glm::dvec2(0, t * h), glm::dvec2(w, t * h)})
            if (const std::optional<glm::dvec2> sample = passage.toTerrain(pixel))
            {
                box.low = glm::min(box.low, *sample);
                box.high = glm::max(box.high, *sample);
            }
    }
    box.low = glm::max(box.low, glm::dvec2(0));
    box.high = glm::min(box.high, glm::dvec2(terrain.width - 1, terrain.height - 1));
    return box;
}

// Returns a bilinear sample; pixels outside the picture are transparent.
std::array<float, 4> sampleAt(const Picture& picture, glm::dvec2 pixel)
{
    const glm::dvec2 p = pixel - kMiddle, base = glm::floor(p), f = p - base;
    std::array<float, 4> sum{};
    for (int k = 0; k < 4; ++k)
    {
        const int x = int(base.x) + (k & 1), y = int(base.y) + (k >> 1);
        if (x < 0 || y < 0 || x >= picture.width || y >= picture.height) continue;
        const double weight = (k & 1 ? f.x : 1 - f.x) * (k >> 1 ? f.y : 1 - f.y);
        const std::uint8_t* from = &picture.rgba[4 * (std::size_t(y) * std::size_t(picture.width) + std::size_t(x))];
        const float cover = float(weight) * float(from[3]);
        for (std::size_t c = 0; c < 3; ++c)
            sum[c] += cover * float(from[c]);  // transparent pixels contribute no colour
        sum[3] += cover;
    }
    for (std::size_t c = 0; c < 3 && sum[3] > 0; ++c)
        sum[c] /= sum[3];
    return sum;
}

// Resampling of a picture to a grid aligned with the terrain's samples.
class Resampling
{
public:
    Resampling(const Passage& passage, const Picture& from, const Box& box, const std::function<bool()>& goOn)
        : passage_(passage), from_(from), box_(box), goOn_(goOn)
    {
    }

    Result<Picture> run(glm::ivec2 size)
    {
        const std::uint64_t bytes = 4 * std::uint64_t(size.x) * std::uint64_t(size.y);
        if (bytes > kLookTwice)
            if (Status s = checkMemory(printable(from_.name), bytes); !s) return s.error();
        Picture to;
        to.width = size.x;
        to.height = size.y;
        to.name = from_.name;
        to.rgba.resize(bytes);
        step_ = (box_.high - box_.low) / glm::dvec2(size);
        ThreadPool pool(threadsForRows(size.y));
        std::atomic<bool> stopped = false;
        static_assert(kRowsInBand == kControlStep);
        forRows(pool, size.y, [&](int begin, int end) {
            if (!stopped && goOn_ && !goOn_()) stopped = true;
            for (int x = 0; x < size.x && !stopped; x += kControlStep)
                block(to, {x, begin}, {std::min(x + kControlStep, size.x), end});
        });
        if (stopped) return Error{ExitCode::kInterrupted, from_.name + ": interrupted"};
        return to;
    }

private:
    // Projects the corners of a block exactly and interpolates within: over kControlStep pixels the error is small.
    void block(Picture& to, glm::ivec2 low, glm::ivec2 high) const
    {
        std::array<glm::dvec2, 4> corners;
        for (int k = 0; k < 4; ++k)
        {
            const glm::dvec2 pixel(k & 1 ? high.x : low.x, k >> 1 ? high.y : low.y);
            const std::optional<glm::dvec2> there = passage_.toPicture(box_.low + step_ * pixel);
            if (!there) return;  // outside the projection: transparent
            corners[std::size_t(k)] = *there;
        }
        const glm::dvec2 span(high - low);
        for (int y = low.y; y < high.y; ++y)
            for (int x = low.x; x < high.x; ++x)
            {
                const glm::dvec2 t = (glm::dvec2(x - low.x, y - low.y) + kMiddle) / span;
                const glm::dvec2 place =
                    glm::mix(glm::mix(corners[0], corners[1], t.x), glm::mix(corners[2], corners[3], t.x), t.y);
                const std::array<float, 4> colour = sampleAt(from_, place);
                std::uint8_t* pixel = &to.rgba[4 * (std::size_t(y) * std::size_t(to.width) + std::size_t(x))];
                for (std::size_t c = 0; c < 4; ++c)
                    pixel[c] = std::uint8_t(std::lround(std::clamp(colour[c], 0.0f, 255.0f)));
            }
    }

    const Passage& passage_;
    const Picture& from_;
    const Box& box_;
    const std::function<bool()>& goOn_;
    glm::dvec2 step_{1.0};
};

// Returns a size at which pixels are as large as the picture's own, in the middle of the covered part.
glm::ivec2 sizeOf(const Passage& passage, const Box& box)
{
    const glm::dvec2 middle = (box.low + box.high) / 2.0;
    const std::optional<glm::dvec2> here = passage.toPicture(middle);
    const std::optional<glm::dvec2> right = passage.toPicture(middle + glm::dvec2(1, 0));
    const std::optional<glm::dvec2> below = passage.toPicture(middle + glm::dvec2(0, 1));
    if (!here || !right || !below) return glm::ivec2(1);
    const glm::dvec2 pixels =
        (box.high - box.low) * glm::dvec2(glm::length(*right - *here), glm::length(*below - *here));
    return glm::ivec2(glm::clamp(glm::ceil(pixels), glm::dvec2(1), glm::dvec2(kMaxRasterSide)));
}

// Reprojects the picture into the terrain's coordinate system.
Result<DrapedPicture> led(const Picture& picture, const Raster& terrain, const std::function<bool()>& goOn)
{
    const std::optional<MapProjection> from = projectionOf(std::nullopt, picture.crs, *picture.placement);
    const std::optional<MapProjection> to = projectionOf(terrain.projection, terrain.crs, *terrain.placement);
    if (!from || !to)
        return inputError(picture.name,
                          fmt::format("in {}, expected {}, as the terrain is, or a system that can be converted to it",
                                      nameOf(picture.crs, *picture.placement),
                                      nameOf(terrain.crs, *terrain.placement)));
    const Passage passage(picture, *from, terrain, *to);
    const Box box = covered(passage, picture, terrain);
    if (box.empty()) return besideTerrain(picture, terrain);
    Result<Picture> resampled = Resampling(passage, picture, box, goOn).run(sizeOf(passage, box));
    if (!resampled) return resampled.error();
    DrapedPicture draped;
    const glm::dvec2 span = box.high - box.low;
    draped.turn = glm::dmat2(1 / span.x, 0, 0, 1 / span.y);
    draped.offset = -box.low / span;
    draped.warnings.push_back(fmt::format("{}: reprojected from {} to {}", printable(picture.name),
                                          nameOf(picture.crs, *picture.placement),
                                          nameOf(terrain.crs, *terrain.placement)));
    draped.picture = std::move(*resampled);
    return draped;
}

}  // namespace

Result<DrapedPicture> drape(Picture picture, const Raster& terrain, const std::function<bool()>& goOn)
{
    const bool here = picture.placement && picture.placement->positioned;
    const bool there = terrain.placement && terrain.placement->positioned;
    if (!here || !there) return stretched(std::move(picture), terrain);
    if (!sameSystem(picture, terrain)) return led(picture, terrain, goOn);
    DrapedPicture draped = placed(std::move(picture), terrain);
    if (!overlaps(draped, terrain)) return besideTerrain(draped.picture, terrain);
    return draped;
}

}  // namespace orogen
