// Bounds stored in an imported file for every tile of TileGrid, at all levels: the lowest and highest height of the
// finest surface in it, and the distance of its level's surface from the finest one.
//
// Files with these bounds are written by core/terrain/import. They are Cloud Optimized GeoTIFFs whose directory l is
// level l of TileGrid, sample for sample. It has TileGrid::samplesOf(side, l) columns and rows, including those beyond
// the raster, for l = 0 ... levels() - 1.
//
// Place  In the file itself, so that every copy has them: pages at its very end. A descriptor of 72 bytes in a
//        private tag of the first directory locates them. Programs that convert the file (gdal_translate) drop the tag.
// Pages  One for each kBoundsPageSide^2 tiles of a level, smaller at the eastern and southern edge: records row by row,
//        then their CRC-32. Levels are ordered from the coarsest to the finest, pages row by row, without gaps. The
//        place of each page is therefore known in advance, and the coarse levels take one read.
// Record Three little-endian 32-bit floats: lowest, highest, deviation (metres), as in TileBounds. Samples are
//        those after TileMaker has filled voids from the next coarser level.
// Size   12 bytes per tile: 0.04 % of the tiles' uncompressed 16-bit samples.
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

inline constexpr std::uint16_t kStoredBoundsTag = 65'170;  // type UNDEFINED (7); 65000 to 65535 are for private use
inline constexpr std::uint32_t kStoredBoundsVersion = 1;
inline constexpr int kBoundsPageSide = 32;  // tiles along a side of a page

// Positions of the pages of a grid in the file. O(levels) to construct, O(1) to query.
class BoundsLayout
{
public:
    struct Page
    {
        std::uint64_t offset = 0;   // bytes from the beginning of the first page
        int columns = 0, rows = 0;  // size of the page in tiles
        std::size_t bytes() const { return std::size_t(columns) * std::size_t(rows) * 12 + 4; }
    };

    explicit BoundsLayout(const TileGrid& grid);

    const TileGrid& grid() const { return grid_; }
    int pageColumns(int level) const { return (grid_.columns(level) - 1) / kBoundsPageSide + 1; }
    int pageRows(int level) const { return (grid_.rows(level) - 1) / kBoundsPageSide + 1; }
    Page page(int level, int x, int y) const;       // x, y: column and row, counted in pages
    std::uint64_t bytes() const { return bytes_; }  // size of all pages

private:
    TileGrid grid_;
    std::array<std::uint64_t, kMostTileLevels + 1> begins_{};  // offset of each level's first page
    std::uint64_t bytes_ = 0;
};

// Returns a page as stored in the file; `records` are row by row.
std::vector<std::byte> packBoundsPage(std::span<const TileBounds> records);

// Value of kStoredBoundsTag: position of the bounds in the file, and identity of the file.
struct BoundsDescriptor
{
    int width = 0, height = 0;      // size of the raster (samples)
    std::uint64_t offset = 0;       // position of the first page in the file (bytes)
    std::uint64_t fileSize = 0;     // size of the file (bytes), which ends with the last page
    std::uint64_t fingerprint = 0;  // identifies the imported source, see core/terrain/import/import_job.h

    static constexpr std::size_t kBytes = 72;
    std::vector<std::byte> pack() const;
};

// Reads exactly `to.size()` bytes at `offset`; returns false on failure. Called from any thread.
using ReadBytes = std::function<bool(std::uint64_t offset, std::span<std::byte> to)>;

// Returns the descriptor of a little-endian TIFF or BigTIFF; empty if the file has none or is no such TIFF. Error,
// kInput: the file cannot be read; its size has changed; GDAL has marked it as changed by another program; or the
// descriptor is damaged, or not as this version writes it. Reads 16 KiB, rarely more.
Result<std::optional<BoundsDescriptor>> findBoundsDescriptor(const std::string& name, std::uint64_t fileSize,
                                                             const ReadBytes& read);

// Stored bounds of a file. Thread-safe; memory: at most kHeadBytes and kMostPages pages of 12 KiB.
class StoredBounds
{
public:
    static constexpr std::uint64_t kHeadBytes = 1 << 16;  // coarse levels, read on opening
    static constexpr std::size_t kMostPages = 512;        // pages kept; the least recently used one is dropped first

    // Returns null if the file has no bounds. Error, kInput: as findBoundsDescriptor(), or a different raster size.
    static Result<std::unique_ptr<const StoredBounds>> open(std::string name, std::uint64_t fileSize,
                                                            const TileGrid& grid, ReadBytes read);

    // Returns a tile's bounds; reads at most one page. `key` must be in the grid. Error: kInput if the page cannot be
    // read, is damaged or has values that cannot be bounds of heights. After an error, the next call reads the page
    // again.
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
    mutable std::unordered_map<std::uint64_t, KeptPage> pages_;  // by offset
    mutable std::uint64_t uses_ = 0;
};

}  // namespace orogen
