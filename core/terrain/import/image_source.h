// Source of an in-memory raster for import: windows of the finest level only. It avoids the time and memory that
// rasterTiles() spends on coarse levels, bounds and slopes, which an import computes itself.
#pragma once

#include <algorithm>
#include <cassert>
#include <memory>
#include <utility>
#include <vector>

#include "core/terrain/io/source_files.h"
#include "core/terrain/tiles/tile_source.h"

namespace orogen {

class ImageSource final : public TileSource
{
public:
    explicit ImageSource(Raster raster) : heights_(std::exchange(raster.heights, {})), raster_(std::move(raster)) {}

    const Raster& raster() const override { return raster_; }
    std::optional<TileBounds> bounds(const TileKey&) const override { return std::nullopt; }
    bool decimated() const override { return true; }
    Result<std::string> version() const override { return heightsVersion(heights_); }
    Result<std::unique_ptr<TileReader>> openReader() const override
    {
        return std::unique_ptr<TileReader>(std::make_unique<Reader>(*this));
    }

private:
    class Reader final : public TileReader
    {
    public:
        explicit Reader(const ImageSource& source) : source_(source) {}
        std::uint64_t bytesRead() const override { return 0; }
        Status read(const TileWindow& window, std::span<float> out) override
        {
            const Raster& raster = source_.raster_;
            assert(window.level == 0 && window.column >= 0 && window.column + window.width <= raster.width &&
                   window.row >= 0 && window.row + window.height <= raster.height);
            for (int row = 0; row < window.height; ++row)
                std::copy_n(source_.heights_.begin() + std::ptrdiff_t(window.row + row) * raster.width + window.column,
                            window.width, out.begin() + std::ptrdiff_t(row) * window.width);
            return Status::ok();
        }

    private:
        const ImageSource& source_;
    };

    std::vector<float> heights_;
    Raster raster_;
};

}  // namespace orogen
