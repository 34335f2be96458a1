// What an imported file says of its tiles beforehand: of every tile of TileGrid, at all levels, the lowest and the
// highest height of the finest surface in it, and how far its level's surface lies from the finest one.
//
// A file that has these bounds was written by core/terrain/import.  It is a Cloud Optimized GeoTIFF in which directory
// l has level l of TileGrid, sample for sample: TileGrid::samplesOf(side, l) columns and rows, those of the last column
// or row that lie beyond the raster included, for l = 0 ... levels() - 1.
//
// Where  In the file itself, so that every copy has them: pages at its very end, found by a descriptor of 72 bytes in a
//        private tag of the first directory.  Whoever makes another file of it (gdal_translate) leaves the tag out.
// Pages  One for each kBoundsPageSide^2 tiles of a level, smaller at the eastern and southern edge: records row by row,
//        then CRC-32 of them.  Levels from the coarsest to the finest, pages row by row, nothing between them, so that
//        the place of each is known beforehand, and the coarse levels take one read.
// Record Three little-endian 32-bit floats: lowest, highest, deviation in metres, as in TileBounds.  A tile without any
//        known sample has 0, 0, 0, which is what its voids are filled with.
// Voids  Do not count: neither a missing sample, nor a cell of a level of which a corner is missing.
// Size   12 bytes a tile: 0.05 % of a file of 16-bit samples that are not compressed.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/base/status.h"
#include "core/terrain/tiles/tile_grid.h"
#include "core/terrain/tiles/tile_source.h"

namespace orogen {

inline constexpr std::uint16_t kStoredBoundsTag = 65'170;  // of type UNDEFINED (7); TIFF leaves 65000 to 65535 to all
inline constexpr std::uint32_t kStoredBoundsVersion = 1;
inline constexpr int kBoundsPageSide = 32;  // tiles

// Where the pages of a grid lie.  O(levels) to make, O(1) to ask.
class BoundsLayout
{
public:
    struct Page
    {
        std::uint64_t offset = 0;   // from the first page
        int columns = 0, rows = 0;  // tiles
        std::size_t bytes() const { return std::size_t(columns) * std::size_t(rows) * 12 + 4; }
    };

    explicit BoundsLayout(const TileGrid& grid);

    const TileGrid& grid() const { return grid_; }
    int pageColumns(int level) const { return (grid_.columns(level) - 1) / kBoundsPageSide + 1; }
    int pageRows(int level) const { return (grid_.rows(level) - 1) / kBoundsPageSide + 1; }
    Page page(int level, int x, int y) const;
    std::uint64_t bytes() const { return bytes_; }  // of all pages

private:
    TileGrid grid_;
    std::array<std::uint64_t, kMostTileLevels + 1> begins_{};  // of each level's first page
    std::uint64_t bytes_ = 0;
};

// A page as it stands in the file; `records` row by row.
std::vector<std::byte> packBoundsPage(std::span<const TileBounds> records);

// The value of kStoredBoundsTag.
struct BoundsDescriptor
{
    int width = 0, height = 0;      // of the raster
    std::uint64_t offset = 0;       // of the first page in the file
    std::uint64_t fileSize = 0;     // which ends with the last page
    std::uint64_t fingerprint = 0;  // of what was imported, see core/terrain/import/import_job.h

    static constexpr std::size_t kBytes = 72;
    std::vector<std::byte> pack() const;
};

// Reads exactly `to.size()` bytes at `offset`; false where that fails.  Called from any thread.
using ReadBytes = std::function<bool(std::uint64_t offset, std::span<std::byte> to)>;

// The descriptor of a little-endian TIFF or BigTIFF; empty where it has none.  Errors, kInput with the name and what
// was found and expected: another version or a damaged descriptor, a file that has grown, was cut off, or was changed
// by another program (which GDAL notes in the file).  Reads 16 KiB, seldom more.
Result<std::optional<BoundsDescriptor>> findBoundsDescriptor(const std::string& name, std::uint64_t fileSize,
                                                             const ReadBytes& read);

// The stored bounds of a file.  Thread-safe; memory: at most kHeadBytes and kMostPages pages of 12 KiB.
class StoredBounds
{
public:
    static constexpr std::uint64_t kHeadBytes = 1 << 16;  // read when it is opened: the coarse levels
    static constexpr std::size_t kMostPages = 512;        // kept; the least recently used one goes first

    // Null: the file has none.  Errors as of findBoundsDescriptor(), and another size of the raster.
    static Result<std::unique_ptr<const StoredBounds>> open(std::string name, std::uint64_t fileSize,
                                                            const TileGrid& grid, ReadBytes read);

    // Reads at most one page.  `key` must be in the grid.  Error: kInput, a page cannot be read, is damaged or has
    // values that are no bounds of heights; it is read again at the next call.
    Result<TileBounds> at(const TileKey& key) const;

    const BoundsDescriptor& descriptor() const { return descriptor_; }

private:
    struct KeptPage
    {
        std::vector<TileBounds> records;
        std::uint64_t lastUse = 0;
    };

    StoredBounds(std::string name, const BoundsDescriptor& descriptor, const TileGrid& grid, ReadBytes read)
        : name_(std::move(name)), descriptor_(descriptor), layout_(grid), read_(std::move(read))
    {
    }
    Result<std::vector<TileBounds>> readPage(const BoundsLayout::Page& page) const;
    void keep(std::uint64_t offset, const std::vector<TileBounds>& records) const;

    std::string name_;
    BoundsDescriptor descriptor_;
    BoundsLayout layout_;
    ReadBytes read_;
    std::vector<std::byte> head_;
    mutable std::mutex mutex_;
    mutable std::unordered_map<std::uint64_t, KeptPage> pages_;  // by their offsets
    mutable std::uint64_t uses_ = 0;
};

}  // namespace orogen
