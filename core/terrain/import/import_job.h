// Description of an import (ImportJob): all that determines the bytes of its output file, besides the heights.
// ImportPlan divides an import into parts, which different processes can write.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/status.h"
#include "core/terrain/io/source_overrides.h"
#include "core/terrain/raster/georeference.h"
#include "core/terrain/raster/raster.h"
#include "core/terrain/tiles/tile_grid.h"
#include "core/terrain/tiles/tile_source.h"

namespace orogen {

enum class StoredSamples
{
    kInt16,
    kFloat32,
};

enum class ImportCompression
{
    kNone,
    kDeflate,  // zlib level 6 after TIFF's predictor 2 or 3
};

struct ImportJob
{
    int width = 0, height = 0;
    StoredSamples samples = StoredSamples::kInt16;
    ImportCompression compression = ImportCompression::kDeflate;
    double nodata = 0;              // sample value for "no data"; may be NaN
    SampleCode code;                // conversion from a sample to metres
    float unknown = 0;              // height for a source without any known height (metres)
    GeoTags tags;                   // GeoTIFF tags of the first directory
    std::string nodataText;         // content of tag 42113 (GDAL_NODATA)
    std::string metadata;           // content of tag 42112 (GDAL_METADATA); empty: no tag
    std::uint64_t fingerprint = 0;  // hash of all members above and of some heights
    std::string version;            // the source's TileSource::version(), equal in all parts of an import

    TileGrid grid() const { return {width, height}; }
};

// Returns the job for a source. `path`: the source's file, whose geographic keys are kept; empty if it is not a single
// file. `samples`: "int16" or "float32"; if empty, int16 for integer sources of at most 16 bits, otherwise float32.
// Reads 17 single samples for the fingerprint, and the source for its version. Errors: those of reading.
Result<ImportJob> importJob(const TileSource& source, const std::string& path, const SourceOverrides& overrides,
                            std::string_view samples, ImportCompression compression);

// Replaces heights in metres by the samples that reproduce them exactly. Voids stay NaN; heights beyond
// kLargestHeight become NaN. Error, kInput, with `name` and the place: a height without such a sample, for example
// 0.5 m with int16.
Status toSamples(const ImportJob& job, const std::string& name, const TileWindow& window, std::span<float> heights);

// Convert a job to JSON and back. Error, kInput, with `name`: text that is not a valid job.
std::string jobToJson(const ImportJob& job);
Result<ImportJob> jobFromJson(const std::string& name, const std::string& text);

// ---- plan ----
//
// Division of an import into parts, which different processes can write, and of parts into records of blocks.
//
// Shard i of n writes part i, which has a range of the finest level's rows of blocks. The part also has the rows of
// coarser levels, up to sharedLevel_, that depend on this range alone. The last part, finishPart(), has the levels
// coarser than sharedLevel_ and the bounds. So every row of blocks lies in one part, and a block's bytes do not depend
// on the number of shards.

// Samples along a side of a block. Reading the tiles in a circle, 10 tiles in diameter, decodes blocks with 1.6 times
// the tiles' bytes. With blocks of 512 samples per side it would be 2.2 times.
inline constexpr int kBlockSide = 256;
inline constexpr std::size_t kBlockSamples = std::size_t(kBlockSide) * kBlockSide;

inline constexpr int kRecordBlocks = 32;  // maximum number of blocks in a record, adjacent in a row of blocks
inline constexpr int kStripeRows = 2;     // rows of blocks of the finest level read from the source at once
inline constexpr int kUnitSide = 1024;    // intervals of level 0 along a side of a unit (record_maker.h)
inline constexpr int kRecordUnits = 16;   // maximum number of units in a record
inline constexpr int kBoundsLevel = -1;   // replaces the level in records of bounds
inline constexpr int kMostShards = 1000;

// A record of `count` blocks or units from column `first` on, in one row.
struct ImportRecord
{
    int level = 0, row = 0, first = 0, count = 0;
    bool operator==(const ImportRecord&) const = default;
};

class ImportPlan
{
public:
    ImportPlan(const TileGrid& grid, int shards) : grid_(grid), shards_(shards)
    {
        const auto units = [this](int level) { return ((blockRows(0) - 1) >> level) + 1; };
        while (sharedLevel_ + 1 < grid.levels() && units(sharedLevel_ + 1) >= 4 * shards)
            ++sharedLevel_;
        units_ = units(sharedLevel_);
    }

    const TileGrid& grid() const { return grid_; }
    int shards() const { return shards_; }
    int parts() const { return shards_ + 1; }
    int finishPart() const { return shards_; }

    int blockRows(int level) const { return (TileGrid::samplesOf(grid_.height(), level) - 1) / kBlockSide + 1; }
    int blockColumns(int level) const { return (TileGrid::samplesOf(grid_.width(), level) - 1) / kBlockSide + 1; }
    int unitRows() const { return (grid_.height() - 2) / kUnitSide + 1; }
    int unitColumns() const { return (grid_.width() - 2) / kUnitSide + 1; }

    // Returns the rows of blocks or units of a level in a part, as [first, second).
    std::pair<int, int> rowsOf(int part, int level) const
    {
        if (part == finishPart())
        {
            if (level == kBoundsLevel) return {0, unitRows()};
            return {0, level > sharedLevel_ ? blockRows(level) : 0};
        }
        if (level == kBoundsLevel || level > sharedLevel_) return {0, 0};
        const auto begin = [&](int shard) {
            const int unit = int(std::int64_t(units_) * shard / shards_);
            return std::min(unit << (sharedLevel_ - level), blockRows(level));
        };
        // The last shard's part also has a coarser level's extra row of blocks, for the samples beyond the raster.
        return {begin(part), part == shards_ - 1 ? blockRows(level) : begin(part + 1)};
    }
    // Returns the part that has a row of blocks or units.
    int partOf(int level, int row) const
    {
        if (level == kBoundsLevel || level > sharedLevel_) return finishPart();
        int part =
            int(std::min<std::int64_t>(std::int64_t(row >> (sharedLevel_ - level)) * shards_ / units_, shards_ - 1));
        while (part + 1 < shards_ && row >= rowsOf(part, level).second)
            ++part;
        while (row < rowsOf(part, level).first)
            --part;
        return part;
    }

    // Records of a part are numbered in the order of writing: levels from the finest, then the bounds. Within a level
    // they are numbered by stripe of rows, then by columns, then by row of the stripe.
    std::uint64_t records(int part) const
    {
        std::uint64_t count = 0;
        for (int level = 0; level < grid_.levels(); ++level)
            count += recordsOf(part, level);
        return count + recordsOf(part, kBoundsLevel);
    }
    ImportRecord record(int part, std::uint64_t number) const
    {
        int level = 0;
        for (; number >= recordsOf(part, level); level = level + 1 < grid_.levels() ? level + 1 : kBoundsLevel)
            number -= recordsOf(part, level);
        const auto [begin, end] = rowsOf(part, level);
        const std::uint64_t chunks = std::uint64_t(chunksOf(level)), stripe = std::uint64_t(stripeOf(level));
        const int top = begin + int(number / (chunks * stripe) * stripe);
        const std::uint64_t rows = std::min(stripe, std::uint64_t(end - top));
        number %= chunks * stripe;
        const int first = int(number / rows) * perRecord(level);
        return {level, top + int(number % rows), first, std::min(perRecord(level), columnsOf(level) - first)};
    }
    // Returns the number of the record that holds a block or a unit.
    std::uint64_t numberOf(int level, int row, int column) const
    {
        const int part = partOf(level, row);
        std::uint64_t number = 0;
        for (int before = 0; before != level && before < grid_.levels(); ++before)
            number += recordsOf(part, before);
        const auto [begin, end] = rowsOf(part, level);
        const int stripe = stripeOf(level), top = begin + (row - begin) / stripe * stripe;
        const int rows = std::min(stripe, end - top);
        return number + std::uint64_t(top - begin) * std::uint64_t(chunksOf(level)) +
               std::uint64_t(column / perRecord(level)) * std::uint64_t(rows) + std::uint64_t(row - top);
    }

private:
    int columnsOf(int level) const { return level == kBoundsLevel ? unitColumns() : blockColumns(level); }
    static int perRecord(int level) { return level == kBoundsLevel ? kRecordUnits : kRecordBlocks; }
    static int stripeOf(int level) { return level == 0 ? kStripeRows : 1; }
    int chunksOf(int level) const { return (columnsOf(level) - 1) / perRecord(level) + 1; }
    std::uint64_t recordsOf(int part, int level) const
    {
        const auto [begin, end] = rowsOf(part, level);
        return std::uint64_t(end - begin) * std::uint64_t(chunksOf(level));
    }

    TileGrid grid_;
    int shards_ = 1, sharedLevel_ = 0, units_ = 1;  // units_: rows of blocks of sharedLevel_, divided among the shards
};

}  // namespace orogen
