// Compares windows of a tiled terrain with the whole raster in memory.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "core/terrain/raster/raster.h"
#include "core/terrain/tiles/tile_source.h"
#include "tests/support/random.h"

namespace orogen::test {

inline bool sameHeight(float a, float b) { return a == b || (std::isnan(a) && std::isnan(b)); }

inline float clampedAt(const Raster& raster, std::int64_t x, std::int64_t y)
{
    return raster.at(int(std::clamp<std::int64_t>(x, 0, raster.width - 1)),
                     int(std::clamp<std::int64_t>(y, 0, raster.height - 1)));
}

// Compares random windows of the levels up to `coarsest` with the corresponding samples of the whole raster.
inline void expectSamplesOf(const Raster& whole, const TileSource& source, std::uint64_t seed, int coarsest = 99)
{
    const Result<std::unique_ptr<TileReader>> reader = source.openReader();
    ASSERT_TRUE(reader) << reader.error().message;
    Random random(seed);
    for (int i = 0; i < 24; ++i)
    {
        TileWindow window{.level = random.between(0, std::min(source.grid().levels() - 1, coarsest))};
        window.width = random.between(1, 40), window.height = random.between(1, 40);
        window.column = random.between(-9, (whole.width >> window.level) + 3);
        window.row = random.between(-9, (whole.height >> window.level) + 3);
        std::vector<float> heights(std::size_t(window.width * window.height));
        const Status status = (*reader)->read(window, heights);
        ASSERT_TRUE(status) << status.error().message;
        for (int y = 0; y < window.height; ++y)
            for (int x = 0; x < window.width; ++x)
                ASSERT_TRUE(sameHeight(heights[std::size_t(y * window.width + x)],
                                       clampedAt(whole, std::int64_t(window.column + x) << window.level,
                                                 std::int64_t(window.row + y) << window.level)))
                    << "level " << window.level << ", " << window.column + x << ", " << window.row + y;
    }
    EXPECT_GT((*reader)->bytesRead(), 0u);
}

}  // namespace orogen::test
