// An import from start to end, in one or several processes, which may be killed and resumed at any point.
//
//   OUT.part-I-of-N    output of shard I of N (I from 0); one process is shard 0 of 1
//   OUT.part-finish    data that span shards: coarse levels, bounds
//   OUT.joining        the file itself, while the parts are joined
//
// All are removed once OUT exists. An existing part is resumed where it ends. The bytes of OUT depend only on the
// source and the options, not on shards, threads or interruptions.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/base/status.h"
#include "core/terrain/import/import_job.h"
#include "core/terrain/io/source_files.h"
#include "core/terrain/raster/raster.h"
#include "core/terrain/tiles/tile_source.h"

namespace orogen {

struct ImportPlace
{
    std::string path;      // OUT
    int shards = 1;        // at most kMostShards
    bool replace = false;  // replace parts of other imports
    int threads = 1;
    std::uint64_t bigFrom = 0xf000'0000u;  // bytes from which OUT is a BigTIFF: a little below 4 GiB; tests use less
};

// Return the paths of a shard's part and of the part that finishImport() writes.
std::string shardPath(const std::string& out, int shard, int shards);
std::string finishPath(const std::string& out);

// Returns the numbers of shards N for which parts of `out` exist, ascending.
std::vector<int> shardsThere(const std::string& out);

struct WrittenShard
{
    int firstRow = 0, endRow = 0;  // rows of the finest level
    std::uint64_t bytes = 0;
};

// Writes the missing rest of a shard's part. Memory: 50 MB a thread, and 16 bytes per 2 million samples of the shard.
// Errors: kInput, from the source, or for a height that the stored samples cannot represent; kOutput, from the part, or
// if parts of another import exist and `place.replace` is not set; kLimit, too little memory; kInterrupted. After an
// error the part keeps its records. Only if the source has changed meanwhile, or has a height that the stored samples
// cannot represent (kInput), the part is removed.
Result<WrittenShard> writeShard(const TileSource& source, const ImportJob& job, const ImportPlace& place, int shard,
                                const LoadProgress& progress);

struct ImportSummary
{
    ImportJob job;
    std::uint64_t bytes = 0;        // size of OUT
    std::vector<float> deviations;  // largest TileBounds::deviation of each level (metres)
};

// Writes the data that span shards, joins all parts to OUT, replacing it, and removes the parts of this import. With
// `place.replace`, also removes parts of other imports to OUT. Errors: those of writeShard(); kInput with the path of a
// missing or incomplete part.
Result<ImportSummary> finishImport(const ImportPlace& place, const LoadProgress& progress);

// Removes the parts of the import that produced `out`, in case its process was killed before doing so.
void removeFinishedParts(const std::string& out);

// Source of an in-memory raster for import: windows of the finest level only. It avoids the time and memory that
// rasterTiles() spends on coarse levels, bounds and slopes, which an import computes itself.
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
