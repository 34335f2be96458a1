// Earth for tests, with a ground height that depends on the place only and a refinement that the test chooses; and
// random cameras around it.
#pragma once

#include <atomic>
#include <cmath>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include <glm/geometric.hpp>

#include "core/planet/cube_lattice.h"
#include "core/planet/ellipsoid.h"
#include "core/terrain/tiles/cube_tiles.h"
#include "core/terrain/tiles/tile_cache.h"
#include "tests/support/random.h"

namespace orogen::test {

inline constexpr float kEarthGround = 4000;  // largest distance of the ground to the ellipsoid (metres)

// Returns the height (metres) at a direction with the ellipsoid scaled to a sphere.
inline double earthHeight(const glm::dvec3& n)
{
    const double wide = n.x * n.y * (1 - n.z) + n.z * n.z * n.x;
    return 1400 * wide + 900 * std::sin(90 * n.x + 40 * n.y * n.z) +
           150 * std::sin(4000 * n.x + 1500 * n.y - 3100 * n.z);
}

// Returns the place of a level's sample, which may lie past the edges of the face.
inline FacePlace samplePlaceOnCube(const TileGrid& grid, int face, int level, int column, int row)
{
    const int bits = cubeSampleBits(grid, level);
    return {face, {std::ldexp(double(column), bits), std::ldexp(double(row), bits)}};
}

class EarthTiles final : public TileSource
{
public:
    using Refines = std::function<bool(const TileKey&)>;
    using Height = std::function<double(const glm::dvec3&)>;

    explicit EarthTiles(int levels, Refines refines = {}, Height height = earthHeight)
        : grid_(TileGrid::onCube(levels)), refines_(std::move(refines)), height_(std::move(height))
    {
        raster_.name = "earth";
        raster_.minHeight = -kEarthGround, raster_.maxHeight = kEarthGround;
    }

    // Says that levels below `base` hold elevation models, whose distance (metres) from a direction is `distance`.
    EarthTiles& withModels(int base, Height distance)
    {
        base_ = base;
        distance_ = std::move(distance);
        return *this;
    }

    const Raster& raster() const override { return raster_; }
    TileGrid grid() const override { return grid_; }
    int baseLevel() const override { return base_; }
    bool refines(const TileKey& key) const override { return key.level > 0 && (!refines_ || refines_(key)); }
    Result<std::unique_ptr<TileReader>> openReader() const override
    {
        return std::unique_ptr<TileReader>(std::make_unique<Reader>(*this));
    }
    std::optional<TileBounds> bounds(const TileKey&) const override { return std::nullopt; }
    bool decimated() const override { return true; }

    // Returns whether the tile and all its ancestors exist.
    bool exists(const TileKey& key) const
    {
        return key.level == grid_.levels() - 1 || (refines(key.parent()) && exists(key.parent()));
    }
    std::vector<TileKey> asked() const  // tiles whose windows have been read
    {
        const std::lock_guard lock(mutex_);
        return asked_;
    }

private:
    class Reader final : public TileReader
    {
    public:
        explicit Reader(const EarthTiles& tiles) : tiles_(tiles) {}
        Status read(const TileWindow& window, std::span<float> out) override
        {
            for (int r = 0; r < window.height; ++r)
                for (int c = 0; c < window.width; ++c)
                    out[std::size_t(r * window.width + c)] = float(tiles_.height_(scaledDirection(samplePlaceOnCube(
                        tiles_.grid_, window.face, window.level, window.column + c, window.row + r))));
            bytes_ += out.size_bytes();
            window_ = window;
            const std::lock_guard lock(tiles_.mutex_);
            tiles_.asked_.push_back({window.level, (window.column + kTileApron) / kTileCells,
                                     (window.row + kTileApron) / kTileCells, window.face});
            return Status::ok();
        }
        bool distances(std::span<float> out) const override
        {
            if (!tiles_.distance_ || window_.level >= tiles_.base_) return false;
            for (int r = 0; r < window_.height; ++r)
                for (int c = 0; c < window_.width; ++c)
                    out[std::size_t(r * window_.width + c)] = float(tiles_.distance_(scaledDirection(samplePlaceOnCube(
                        tiles_.grid_, window_.face, window_.level, window_.column + c, window_.row + r))));
            return true;
        }
        std::uint64_t bytesRead() const override { return bytes_; }

    private:
        const EarthTiles& tiles_;
        TileWindow window_;
        std::uint64_t bytes_ = 0;
    };

    TileGrid grid_;
    Refines refines_;
    Height height_, distance_;
    int base_ = 0;
    Raster raster_;
    mutable std::mutex mutex_;
    mutable std::vector<TileKey> asked_;
};

// Returns the tile of a level that contains a place.
inline TileKey tileAt(const TileGrid& grid, const FacePlace& place, int level)
{
    const int last = (1 << (grid.levels() - 1 - level)) - 1;
    const double cells = std::ldexp(double(kTileCells), cubeSampleBits(grid, level));
    const auto index = [&](double at) { return std::clamp(int(std::floor(at / cells)), 0, last); };
    return {level, index(place.at.x), index(place.at.y), place.face};
}

// Refines all tiles to `everywhere` levels, and further within 1.5 tile widths of each point.
inline EarthTiles::Refines refinedAround(int levels, int everywhere, std::vector<glm::dvec3> points)
{
    const TileGrid grid = TileGrid::onCube(levels);
    return [=](const TileKey& key) {
        if (key.level >= levels - everywhere) return true;
        for (const glm::dvec3& point : points)
        {
            const glm::dvec3 at = onEllipsoid(point);
            const FacePlace middle = samplePlaceOnCube(grid, key.face, key.level, key.x * kTileCells + kTileCells / 2,
                                                       key.y * kTileCells + kTileCells / 2);
            const double side = cubeSampleMetres(grid, key.level) * kTileCells;
            if (glm::length(onEllipsoid(scaledDirection(middle)) - at) < 1.5 * side) return true;
        }
        return false;
    };
}

inline glm::dvec3 randomDirection(Random& random)
{
    for (;;)
    {
        const glm::dvec3 v(2 * random.unit() - 1, 2 * random.unit() - 1, 2 * random.unit() - 1);
        const double length = glm::length(v);
        if (length > 0.1 && length < 1) return v / length;
    }
}

// Returns a view along `forward` with a symmetric frustum; halfAngle applies to both axes.
inline TileView earthView(const glm::dvec3& position, const glm::dvec3& forward, double halfAngle = 0.7,
                          double pixelsPerRadian = 600)
{
    TileView view;
    view.position = position;
    view.pixelsPerRadian = pixelsPerRadian;
    const glm::dvec3 aside = std::abs(forward.z) < 0.9 ? glm::dvec3(0, 0, 1) : glm::dvec3(1, 0, 0);
    const glm::dvec3 right = glm::normalize(glm::cross(forward, aside)), up = glm::cross(right, forward);
    const double c = std::cos(halfAngle), s = std::sin(halfAngle);
    view.planes = {glm::vec4(glm::vec3(s * forward + c * right), 0), glm::vec4(glm::vec3(s * forward - c * right), 0),
                   glm::vec4(glm::vec3(s * forward + c * up), 0), glm::vec4(glm::vec3(s * forward - c * up), 0),
                   glm::vec4(glm::vec3(forward), -0.1f)};
    return view;
}

// Returns a direction to a pole, the date line, a corner or an edge of the cube, or any other.
inline glm::dvec3 awkwardDirection(Random& random)
{
    const glm::dvec3 any = randomDirection(random);
    switch (random.below(5))
    {
    case 0:
        return glm::normalize(glm::dvec3(1e-7 * any.x, 1e-7 * any.y, any.z < 0 ? -1 : 1));
    case 1:
        return scaledDirectionOf(170 * random.unit() - 85, 180 + 1e-6 * any.x);
    case 2:
        return glm::normalize(glm::sign(any) + 1e-5 * any);
    case 3:
        return glm::normalize(glm::dvec3(any.x, any.x + 1e-7 * any.z, 0.9 * any.x * (2 * random.unit() - 1)));
    default:
        return any;
    }
}

// Returns a view from 2 m to 20,000 km above the ground, with any orientation, at rest or moving.
inline TileView randomEarthView(Random& random)
{
    const glm::dvec3 n = awkwardDirection(random);
    const double height = earthHeight(n) + 2 * std::pow(1e7, random.unit());
    const glm::dvec3 up = normalAt(n);
    const glm::dvec3 forward = glm::normalize(randomDirection(random) - up * random.unit() * 1.5);
    TileView view = earthView(raised(n, height), forward, 0.3 + 0.6 * random.unit(), 200 + 600 * random.unit());
    if (random.chance(1, 2)) view.velocity = randomDirection(random) * height * 0.3;
    return view;
}

}  // namespace orogen::test
