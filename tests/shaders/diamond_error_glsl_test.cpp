// shaders/heights/diamond_error.glsl, compiled as C++, against core's reading of the same bytes.
#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "core/glsl_types.h"
#include "core/gpu_layout.h"
#include "core/leb/leb.h"
#include "core/terrain/bounds/diamond_errors.h"
#include "core/terrain/raster/height_field.h"

namespace orogen::test {
namespace {

using namespace orogen::gpu;

struct ErrorTwin
{
    TerrainUniforms terrain{};
    std::vector<std::uint8_t> codes;

    uint errorCode(uint index) const { return codes.at(index); }

#define const static constexpr  // a global constant of GLSL becomes a member of this struct
#include "shaders/tree/leb.glsl"

#include "shaders/tree/lattice_plane.glsl"

#include "shaders/tree/diamond.glsl"

#include "shaders/heights/diamond_error.glsl"
#undef const

    ErrorTwin(const DiamondErrors& errors, int patchLevel) : codes(errors.codes)
    {
        const std::vector<std::uint8_t> patch = patchErrors(errors, patchLevel);
        codes.resize(codes.size() + 100);  // parts of the image may start in the middle of a row
        terrain.errorPatchOffset = uint(codes.size() - errors.patchOffset());
        codes.insert(codes.end(), patch.begin(), patch.end());
        const auto gridOf = [](const DiamondGrid& grid) {
            return uvec4(grid.offset, grid.originX | grid.originY << 16, grid.width | grid.height << 16, 0);
        };
        for (std::size_t i = 0; i < errors.levels.size(); ++i)
            terrain.errorGrids[i] = gridOf(errors.levels[i]);
        terrain.errorGrids[kMaxErrorLevels] = gridOf(errors.fine);
        terrain.errorFinestBits = uint(errors.finestBits);
        terrain.errorFineScale = errors.fineScale;
        for (int code = 0; code < 256; ++code)
            terrain.errorMetres[code / 4][code % 4] = errors.metres[std::size_t(code)];
    }
};

HeightField roughField(int width, int height, double pixelHeight)
{
    std::mt19937 random(7);
    HeightField field;
    field.width = width, field.height = height;
    field.pixelHeight = pixelHeight;
    for (int i = 0; i < width * height; ++i)
        field.codes.push_back(std::uint16_t(random() % 300));
    return field;
}

TEST(DiamondErrorGlsl, ReadsWhatCoreReads)
{
    std::mt19937 random(1);
    for (const HeightField& field : {roughField(90, 50, 1.0), roughField(40, 70, 1.5), roughField(33, 33, 1.0)})
    {
        const Result<DiamondErrors> errors = buildDiamondErrors(field);
        ASSERT_TRUE(errors);
        for (int patchLevel = 0; patchLevel <= 6; ++patchLevel)
        {
            ErrorTwin twin(*errors, patchLevel);
            const std::vector<std::uint8_t> patch = patchErrors(*errors, patchLevel);
            int found = 0;
            for (int i = 0; i < 20'000; ++i)
            {
                const uint bits = uint(random()) % leb::kDrawLatticeBits, points = leb::kDrawSide >> bits;
                const leb::Point p{uint(random() % (points + 1)) << bits, uint(random() % (points + 1)) << bits};
                if (!leb::isDiamond(p)) continue;
                const float vertex = vertexError(*errors, p);
                ASSERT_EQ(twin.leafError(uvec2(p.x, p.y), 0u), vertex) << p.x << ' ' << p.y;
                found += vertex > 0;
                if (bits < kPatchBits - 1) continue;  // no leaf is this small
                ASSERT_EQ(twin.leafError(uvec2(p.x, p.y), uint(patchLevel)), leafError(*errors, patch, patchLevel, p))
                    << "patch level " << patchLevel << " at " << p.x << ' ' << p.y;
            }
            EXPECT_GT(found, 5'000);
        }
    }
}

}  // namespace
}  // namespace orogen::test
