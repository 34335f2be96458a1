// Tile source for GeoTIFF and BigTIFF of any size, without GDAL: in tiles or strips, with or without overviews.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/terrain/io/geotiff_reader.h"
#include "core/terrain/io/source_files.h"
#include "core/terrain/io/source_overrides.h"
#include "core/terrain/sources/stored_source.h"
#include "core/terrain/tiles/stored_bounds.h"
#include "core/terrain/tiles/tile_source.h"

namespace orogen {

// ---- samples of a TIFF's images, decoded on request ----

struct TiffImage
{
    std::uint64_t directory = 0;  // offset in the file
    TiffLayout layout;
};

inline constexpr std::size_t kDecodedTiffBytes = 64u << 20;  // decoded bytes that a reader keeps
inline constexpr std::uint64_t kLargestChunk = 256u << 20;   // limit on decoded bytes of compressed or packed chunks

// Checks an image's strips or tiles; its directory must be selected in `file`. Errors: kInput, the file cannot hold or
// does not list all of them, or they are too large to be read one at a time; kLimit, too many for the free memory.
Status checkChunks(TiffFile& file, const TiffImage& image, std::uint64_t fileSize);

// Decoder of samples. Not thread-safe.
class TiffSamples
{
public:
    // Opens the file again. Caches the last used strips and tiles, decoded: about `cacheBytes` at most, and at least
    // one. Errors, kInput: those of the file; an image differs from the expected one.
    static Result<std::unique_ptr<TiffSamples>> open(const std::string& path, const std::vector<TiffImage>& images,
                                                     std::size_t cacheBytes = kDecodedTiffBytes);

    // Reads the samples of an image in these columns and rows, which are ascending, distinct and inside it. Writes them
    // row by row to `out`, in the unit of the file, NaN for no data. Decodes only strips and tiles with requested
    // samples. If they are neither compressed nor packed, reads only the samples and short gaps between them.
    Status gather(std::size_t image, std::span<const int> columns, std::span<const int> rows, std::span<float> out);

    std::uint64_t bytesRead() const;
    std::size_t decodedBytes() const { return decodedBytes_; }  // in the cache

private:
    using Key = std::pair<std::size_t, std::uint32_t>;  // image, chunk
    struct Decoded
    {
        Key key;
        std::vector<std::byte> bytes;
    };
    struct Image
    {
        TiffFile file;
        TiffLayout layout;
    };
    struct Part;  // part of a request in one chunk

    TiffSamples(ByteSource source, std::size_t cacheBytes);
    Status gatherChunk(std::size_t image, const Part& part);
    Status readPlain(Image& image, const TiffChunk& chunk, const Part& part);
    Result<std::span<const std::byte>> decoded(std::size_t image, const TiffChunk& chunk);

    ByteSource source_;
    std::vector<Image> images_;
    std::size_t cacheBytes_, decodedBytes_ = 0;
    std::list<Decoded> decoded_;  // most recently used first
    std::map<Key, std::list<Decoded>::iterator> where_;
    std::vector<std::byte> plain_;
    std::uint64_t plainBytes_ = 0;
};

// ---- tile source ----

class GeoTiffTiles : public TileSource
{
public:
    // Opens a file that readGeoTiff() can read, up to kMaxTiledSide samples per side; reads its header and a few
    // samples. Overviews are the images of reduced resolution chained to the first one. Their samples count as means,
    // except in a file written by `orogen import`, whose stored bounds are used, too (unless overrides change heights).
    // A level without an overview takes samples of the next finer image, and decodes every strip or tile that holds
    // one. A file of more than two levels without overviews causes a warning. Errors: those of TiffFile::open(),
    // readGeoTiffHeader(), checkChunks(), finalizeDescription() and reading; kInput: an overview of other samples, or
    // whose size matches no scaling; a missing level in a file written by `orogen import`.
    static Result<std::shared_ptr<const GeoTiffTiles>> open(const std::string& path,
                                                            const SourceOverrides& overrides = {});

    const Raster& raster() const override { return raster_; }
    Result<std::unique_ptr<TileReader>> openReader() const override;
    std::optional<TileBounds> bounds(const TileKey& key) const override;
    bool decimated() const override { return !levels_.means; }

    std::vector<int> storedLevels() const override { return levels_.levels(); }
    Result<std::string> version() const override { return filesVersion({raster_.name}); }

    const StoredLevels& levels() const { return levels_; }

private:
    friend class GeoTiffTileReader;
    GeoTiffTiles() = default;
    Status readStoredBounds(const SourceOverrides& overrides, std::size_t directories);
    Status addOverviews(TiffFile& file, const std::vector<std::uint64_t>& directories);
    Result<std::optional<int>> levelOf(const TiffLayout& overview) const;
    Status addOverview(const TiffFile& file, const TiffImage& image);

    Raster raster_;
    std::vector<TiffImage> images_;
    StoredLevels levels_;
    std::optional<HeightsInMetres> metres_;
    std::unique_ptr<const ByteSource> boundsFile_;  // from which bounds_ reads
    std::unique_ptr<const StoredBounds> bounds_;    // null: none
    bool imported_ = false;                         // written by `orogen import`: coarse levels are samples, not means
};

}  // namespace orogen
