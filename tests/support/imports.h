// Imported terrains for tests: sources, whole imports in one call, and files that are large but sparse on disk.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/terrain/import/import_job.h"
#include "core/terrain/import/import_run.h"
#include "core/terrain/io/byte_source.h"
#include "core/terrain/raster/raster.h"
#include "core/terrain/tiles/stored_bounds.h"
#include "tests/support/random.h"

namespace orogen::test {

// Hills with noise in whole metres (16 bits). Unless `voidOf` is 0, one sample and a rectangle of it are missing.
inline Raster hills(int width, int height, std::uint32_t voidOf = 0, std::uint64_t seed = 1)
{
    Random random(seed);
    Raster raster;
    raster.width = width;
    raster.height = height;
    raster.pixelWidth = raster.pixelHeight = 30;
    raster.placement = Placement{.x = 500'000, .y = 4'000'000, .stepEast = 30, .stepSouth = 30};
    raster.crs = "EPSG:32611";
    raster.name = "hills";
    raster.heights.resize(std::size_t(width) * std::size_t(height));
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
        {
            const bool hole =
                voidOf > 0 && (random.chance(1, voidOf) || (x > width / 3 && x < width / 2 && y < height / 4));
            const double hill = 500 * std::sin(x * 0.003) * std::cos(y * 0.005) + random.between(-20, 20);
            raster.heights[std::size_t(y) * std::size_t(width) + std::size_t(x)] =
                hole ? kVoid : std::round(float(hill));
            raster.voids += hole;
        }
    return raster;
}

// Imports to `out` in that many shards, written in descending order.
inline ImportSummary importAll(const TileSource& source, const std::string& out, int shards = 1, int threads = 1,
                               ImportCompression compression = ImportCompression::kDeflate, bool big = false)
{
    const Result<ImportJob> job = importJob(source, "", {}, "", compression);
    EXPECT_TRUE(job) << job.error().message;
    ImportPlace place{out, shards, false, threads};
    if (big) place.bigFrom = 0;
    for (int shard = shards - 1; shard >= 0; --shard)
    {
        const Result<WrittenShard> written = writeShard(source, *job, place, shard, {});
        EXPECT_TRUE(written) << written.error().message;
    }
    Result<ImportSummary> summary = finishImport(place, {});
    EXPECT_TRUE(summary) << summary.error().message;
    return summary ? *summary : ImportSummary{};
}

inline std::unique_ptr<const StoredBounds> boundsOf(const std::string& path, const TileGrid& grid)
{
    Result<ByteSource> file = ByteSource::open(path);
    EXPECT_TRUE(file);
    const auto shared = std::make_shared<ByteSource>(std::move(*file));
    auto bounds =
        StoredBounds::open(path, shared->size(), grid, [shared](std::uint64_t offset, std::span<std::byte> to) {
            return shared->read(offset, to.data(), to.size()) == to.size();
        });
    EXPECT_TRUE(bounds && *bounds) << (bounds ? "none" : bounds.error().message);
    return bounds && *bounds ? std::move(*bounds) : nullptr;
}

// Source of any size without memory: whole metres in every `every`-th square of kIslandSide samples in either
// direction, void elsewhere, so that an import leaves most blocks out. 131,072 samples per side are 34 GB of 16-bit
// samples; with `every` = 32, about 260 squares are present.
class Islands final : public TileSource
{
public:
    static constexpr int kIslandSide = 512;

    Islands(int side, int every) : every_(every)
    {
        raster_.width = raster_.height = side;
        raster_.pixelWidth = raster_.pixelHeight = 30;
        raster_.placement = Placement{.x = 500'000, .y = 4'000'000, .stepEast = 30, .stepSouth = 30};
        raster_.crs = "EPSG:32611";
        raster_.name = "islands";
        raster_.maxHeight = 1000;
    }

    float at(std::int64_t column, std::int64_t row) const
    {
        const auto square = [this](std::int64_t sample) { return sample / kIslandSide % every_ == 0; };
        if (!square(column) || !square(row)) return kVoid;
        return float((column * 7 + row * 13) % 1000);
    }
    const Raster& raster() const override { return raster_; }
    std::optional<TileBounds> bounds(const TileKey&) const override { return std::nullopt; }
    bool decimated() const override { return true; }
    Result<std::unique_ptr<TileReader>> openReader() const override
    {
        return std::unique_ptr<TileReader>(std::make_unique<Reader>(*this));
    }

private:
    class Reader final : public TileReader
    {
    public:
        explicit Reader(const Islands& source) : source_(source) {}
        std::uint64_t bytesRead() const override { return 0; }
        Status read(const TileWindow& window, std::span<float> out) override
        {
            const std::int64_t last = source_.raster_.width - 1;
            const auto place = [&](int sample) {
                return std::clamp<std::int64_t>(std::int64_t(sample) << window.level, 0, last);
            };
            std::fill(out.begin(), out.end(), kVoid);
            for (int row = 0; row < window.height; ++row)
            {
                const std::int64_t y = place(window.row + row);
                if (y / kIslandSide % source_.every_ != 0) continue;
                float* line = out.data() + std::ptrdiff_t(row) * window.width;
                for (int column = 0; column < window.width; ++column)
                    line[column] = source_.at(place(window.column + column), y);
            }
            return Status::ok();
        }

    private:
        const Islands& source_;
    };

    int every_;
    Raster raster_;
};

// Writes a Cloud Optimized GeoTIFF of side x side 16-bit samples, with all levels and bounds; kilobytes on disk.
inline void makeSparseCog(const std::string& path, int side, int every, int threads = 2)
{
    importAll(Islands(side, every), path, 1, threads);
}

}  // namespace orogen::test
