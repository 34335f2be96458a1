// Errors of leaves of a terrain in tiles, as the GPU finds them, against triangles measured on the CPU.
#include <array>
#include <cmath>

#include "core/terrain/bounds/diamond_deviations.h"
#include "core/terrain/io/load_raster.h"
#include "core/terrain/sources/raster_tiles.h"
#include "tests/gl/height_probe.h"
#include "tests/gl/tiles_support.h"

namespace orogen::app::test {
namespace {

// Shown once its tiles are all in memory: every level has seen all finer ones.
class TileError : public TilesTest
{
protected:
    void showTiles()
    {
        ASSERT_NO_FATAL_FAILURE(loadJacksboro(terrain_));
        ASSERT_NO_FATAL_FAILURE(start(terrain_, smallSettings(), 64, 36));
        Result<std::unique_ptr<TileCache>> made = TileCache::create(rasterTiles(terrain_.raster), 64u << 20);
        ASSERT_TRUE(made) << made.error().message;
        cache_ = std::move(*made);
        ASSERT_TRUE(renderer_->setTerrain(terrain_.raster, terrain_.field, terrain_.bounds, cache_));
        Camera camera;
        camera.position = {0, 0, 3000};
        ASSERT_TRUE(renderer_->tiles().settle(camera, 60));
        frame(camera);
    }

    double surface(double x, double y) const
    {
        const Raster& raster = terrain_.raster;
        const double column = std::clamp(lattice_.column(x), 0.0, raster.width - 1.0);
        const double row = std::clamp(lattice_.row(y), 0.0, raster.height - 1.0);
        const int c = std::min(int(column), raster.width - 2), r = std::min(int(row), raster.height - 2);
        const double u = column - c, v = row - r;
        return (1 - v) * ((1 - u) * double(raster.at(c, r)) + u * double(raster.at(c + 1, r))) +
               v * ((1 - u) * double(raster.at(c, r + 1)) + u * double(raster.at(c + 1, r + 1)));
    }

    // Returns how far a drawn triangle is from the surface at a point. Drawn cells have the side `side` and are halved,
    // or cut into quarters.
    double errorAt(double x, double y, double side, bool diagonal) const
    {
        const double cx = std::floor(x / side), cy = std::floor(y / side), fx = x / side - cx, fy = y / side - cy;
        const auto at = [&](double dx, double dy) { return surface((cx + dx) * side, (cy + dy) * side); };
        const double sw = at(0, 0), se = at(1, 0), nw = at(0, 1), ne = at(1, 1), middle = at(0.5, 0.5);
        double drawn = 0;
        if (!diagonal)
        {
            const bool below = fy < fx, left = fx + fy < 1;
            const double depth = 2 * std::min({fx, fy, 1 - fx, 1 - fy});  // 1 in the middle
            const double along = depth < 1 ? ((below == left ? fx : fy) - depth / 2) / (1 - depth) : 0.5;
            const double a = below == left ? (below ? sw : nw) : (left ? sw : se);
            const double b = below == left ? (below ? se : ne) : (left ? nw : ne);
            drawn = depth * middle + (1 - depth) * (a + along * (b - a));
        }
        else if (std::fmod(cx + cy, 2.0) == 0)  // rising
            drawn = fy < fx ? sw + fx * (se - sw) + fy * (ne - se) : sw + fy * (nw - sw) + fx * (ne - nw);
        else
            drawn =
                fx + fy < 1 ? sw + fx * (se - sw) + fy * (nw - sw) : ne - (1 - fx) * (ne - nw) - (1 - fy) * (ne - se);
        return std::fabs(drawn - surface(x, y));
    }

    std::shared_ptr<TileCache> cache_;
    SurfaceLattice lattice_;
};

TEST_F(TileError, OfLeavesBoundsTheirTrianglesAgainstTheFinestSurface)
{
    ASSERT_NO_FATAL_FAILURE(showTiles());
    const Raster& raster = terrain_.raster;
    lattice_ = SurfaceLattice(raster.width, raster.height, raster.pixelWidth, raster.pixelHeight);
    Random random(4);
    constexpr int kLeaves = 600;
    for (const int patch : {0, 2, 4})
    {
        std::vector<glm::ivec2> middles;
        for (int i = 0; i < kLeaves; ++i)
        {
            const int bits = random.between(10, 15);  // unit; a sample is about 2^12 lattice points wide
            const int last = leb::kDrawLatticeBits - bits - 1;
            const int odd = 2 * random.between(0, (1 << last) - 1) + 1, any = random.between(0, 2 << last);
            middles.push_back(glm::ivec2(odd, any) << bits);
            if (random.chance(1, 2)) std::swap(middles.back().x, middles.back().y);
        }
        const std::vector<float> bounds =
            heightsByShaders(*renderer_, middles, "leafError(p, " + std::to_string(patch) + "u)",
                             {{"@heights", "tiles"}, {"OROGEN_PROBE_ERRORS", "1"}});
        double nearest = 0;
        for (int i = 0; i < kLeaves; ++i)
        {
            const glm::ivec2 middle = middles[std::size_t(i)];
            const double unit = double((middle.x | middle.y) & -(middle.x | middle.y)), side = 2 * unit / (1 << patch);
            const bool diagonal = (int(middle.x / unit) & int(middle.y / unit) & 1) != 0;
            for (int k = 0; k < 60; ++k)
            {
                const double dx = 2 * random.unit() - 1, dy = 2 * random.unit() - 1;
                if (!diagonal && std::fabs(dx) + std::fabs(dy) > 1) continue;
                const double x = middle.x + dx * unit, y = middle.y + dy * unit;
                if (x < lattice_.west || x > lattice_.east || y < lattice_.south || y > lattice_.north) continue;
                const double error = errorAt(x, y, side, diagonal), bound = double(bounds[std::size_t(i)]);
                ASSERT_LE(error, bound + 2e-3)
                    << "patch " << patch << ", unit " << unit << " at " << middle.x << ' ' << middle.y;
                nearest = std::max(nearest, error / std::max(bound, 0.05));
            }
        }
        // One bound covers all triangles below half a sample, so that patch level 4 is bounded more loosely.
        EXPECT_GT(nearest, patch < 4 ? 0.85 : 0.55) << "not tight with patch " << patch;
    }
}

}  // namespace
}  // namespace orogen::app::test
