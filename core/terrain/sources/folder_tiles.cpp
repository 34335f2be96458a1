#include "core/terrain/sources/folder_tiles.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <list>
#include <memory>
#include <span>
#include <vector>

#include <fmt/format.h>

#include "core/terrain/io/hgt_reader.h"
#include "core/terrain/io/source_files.h"
#include "core/terrain/io/source_overrides.h"
#include "core/terrain/raster/raster.h"
#include "core/terrain/sources/geotiff_tiles.h"
#include "core/terrain/sources/stored_source.h"
#include "core/terrain/tiles/tile_grid.h"

namespace orogen {

// Access to one file of the folder.
class FolderFile
{
public:
    virtual ~FolderFile() = default;

    // Opens a file. Errors: kInput (unreadable, or changed since the folder was scanned), kLimit (memory).
    static Result<std::unique_ptr<FolderFile>> open(const FolderTile& tile, const SourceOverrides& overrides);

    // Reads samples as GatherSamples (stored_source.h) does.
    virtual Status gather(std::span<const int> columns, std::span<const int> rows, std::span<float> out) = 0;
    virtual std::uint64_t bytesRead() const = 0;
    virtual bool isUnpacked() const { return false; }  // whether the whole unpacked file is in memory
};

namespace {

constexpr std::size_t kDecodedBytes = 4u << 20;  // decoded bytes kept per file; few, since many files are open

Error changed(const std::string& path) { return inputError(path, "the file has changed since the folder was opened"); }

bool sameSides(const Raster& a, const Raster& b) { return a.width == b.width && a.height == b.height; }

class TiffFolderFile : public FolderFile
{
public:
    TiffFolderFile(std::unique_ptr<TiffSamples> samples, const GeoTiffHeader& header, const SourceOverrides& overrides)
        : samples_(std::move(samples)), geo_(header.geo), width_(header.raster.width), height_(header.raster.height),
          metres_(inMetres(header.raster, overrides), overrides)
    {
    }

    Status gather(std::span<const int> columns, std::span<const int> rows, std::span<float> out) override
    {
        const std::vector<int> x = along(columns, width_, geo_.eastLeft), y = along(rows, height_, geo_.southUp);
        if (Status status = samples_->gather(0, x, y, out); !status) return status;
        const std::size_t stride = columns.size();
        if (geo_.southUp)
            for (std::size_t row = 0; row < rows.size() / 2; ++row)
                std::swap_ranges(out.begin() + std::ptrdiff_t(row * stride),
                                 out.begin() + std::ptrdiff_t((row + 1) * stride),
                                 out.begin() + std::ptrdiff_t((rows.size() - 1 - row) * stride));
        if (geo_.eastLeft)
            for (std::size_t row = 0; row < rows.size(); ++row)
                std::ranges::reverse(out.subspan(row * stride, stride));
        metres_.apply(out);
        return Status::ok();
    }
    std::uint64_t bytesRead() const override { return samples_->bytesRead(); }

private:
    static Raster inMetres(Raster header, const SourceOverrides& overrides)
    {
        takeMetres(header, overrides);
        return header;
    }
    // Converts positions along a side to ascending ones in the file, whose order may be mirrored.
    static std::vector<int> along(std::span<const int> at, int side, bool mirrored)
    {
        std::vector<int> result(at.begin(), at.end());
        if (!mirrored) return result;
        for (int& position : result)
            position = side - 1 - position;
        std::ranges::reverse(result);
        return result;
    }

    std::unique_ptr<TiffSamples> samples_;
    Georeference geo_;
    int width_, height_;
    HeightsInMetres metres_;
};

Result<std::unique_ptr<FolderFile>> openTiff(const FolderTile& tile, const SourceOverrides& overrides)
{
    const Result<ByteSource> source = ByteSource::open(tile.path);
    if (!source) return source.error();
    Result<TiffFile> file = TiffFile::open(*source, TiffFile::Index::kOnDemand);
    if (!file) return file.error();
    const Result<std::vector<std::uint64_t>> directory = file->directories(1);
    if (!directory) return directory.error();
    const Result<GeoTiffHeader> header = readGeoTiffHeader(*file, kMaxTiledSide);
    if (!header) return header.error();
    if (!sameSides(header->raster, tile.header)) return changed(tile.path);
    const TiffImage image{directory->front(), header->layout};
    if (Status status = checkChunks(*file, image, source->size()); !status) return status.error();
    Result<std::unique_ptr<TiffSamples>> samples = TiffSamples::open(tile.path, {image}, kDecodedBytes);
    if (!samples) return samples.error();
    return std::unique_ptr<FolderFile>(std::make_unique<TiffFolderFile>(std::move(*samples), *header, overrides));
}

// .hgt file: big-endian int16 without a header.
class HgtFolderFile : public FolderFile
{
public:
    HgtFolderFile(ByteSource source, int side, const HeightsInMetres& metres)
        : source_(std::move(source)), side_(side), metres_(metres)
    {
    }

    Status gather(std::span<const int> columns, std::span<const int> rows, std::span<float> out) override
    {
        const SampleRule rule{.type = SampleType::kInt16, .bigEndian = true, .nodata = -32768.0};
        const int first = columns.front();
        row_.resize(std::size_t(columns.back() - first + 1) * 2);
        for (const int row : rows)
        {
            const std::uint64_t at = (std::uint64_t(row) * std::uint64_t(side_) + std::uint64_t(first)) * 2;
            if (source_.read(at, row_.data(), row_.size()) != row_.size())
                return inputError(source_.name(),
                                  fmt::format("row {}: {} bytes at offset {} cannot be read", row, row_.size(), at));
            bytes_ += row_.size();
            for (const int column : columns)
            {
                convertSamples(rule, row_.data() + std::size_t(column - first) * 2, 2, out.first(1));
                metres_.apply(out.first(1));
                out = out.subspan(1);
            }
        }
        return Status::ok();
    }
    std::uint64_t bytesRead() const override { return bytes_; }

private:
    ByteSource source_;
    int side_;
    HeightsInMetres metres_;
    std::vector<std::byte> row_;
    std::uint64_t bytes_ = 0;
};

// .hgt file of a zip archive, unpacked in memory.
class UnpackedFolderFile : public FolderFile
{
public:
    UnpackedFolderFile(Raster raster, std::uint64_t bytes) : raster_(std::move(raster)), bytes_(bytes) {}

    Status gather(std::span<const int> columns, std::span<const int> rows, std::span<float> out) override
    {
        float* to = out.data();
        for (const int row : rows)
            for (const int column : columns)
                *to++ = raster_.at(column, row);
        return Status::ok();
    }
    std::uint64_t bytesRead() const override { return bytes_; }
    bool isUnpacked() const override { return true; }

private:
    Raster raster_;
    std::uint64_t bytes_;
};

Result<std::unique_ptr<FolderFile>> openHgt(const FolderTile& tile, const SourceOverrides& overrides)
{
    Result<ByteSource> source = ByteSource::open(tile.path);
    if (!source) return source.error();
    Raster header = tile.header;
    takeMetres(header, overrides);
    const HeightsInMetres metres(header, overrides);
    if (isHgtName(tile.path))
    {
        const Result<Raster> now = readHgtHeader(*source);
        if (!now) return now.error();
        if (!sameSides(*now, tile.header)) return changed(tile.path);
        return std::unique_ptr<FolderFile>(std::make_unique<HgtFolderFile>(std::move(*source), header.width, metres));
    }
    Result<Raster> raster = readHgtZip(*source);
    if (!raster) return raster.error();
    if (!sameSides(*raster, tile.header)) return changed(tile.path);
    metres.apply(raster->heights);
    return std::unique_ptr<FolderFile>(std::make_unique<UnpackedFolderFile>(std::move(*raster), source->size()));
}

}  // namespace

Result<std::unique_ptr<FolderFile>> FolderFile::open(const FolderTile& tile, const SourceOverrides& overrides)
{
    return hgtPosition(tile.path) && !isTiffName(tile.path) ? openHgt(tile, overrides) : openTiff(tile, overrides);
}

namespace {

constexpr std::size_t kMostOpen = 48;     // files per reader
constexpr std::size_t kMostUnpacked = 2;  // unpacked archives per reader, 52 MB each

// The part of the requested positions along one side that lies in a file: indices from `begin`, positions in the file.
struct Overlap
{
    std::size_t begin = 0;
    std::vector<int> positions;
};

Overlap overlapOf(std::span<const int> at, std::int64_t first, int side)
{
    Overlap overlap;
    overlap.begin = std::size_t(std::lower_bound(at.begin(), at.end(), first) - at.begin());
    for (std::size_t i = overlap.begin; i < at.size() && at[i] < first + side; ++i)
        overlap.positions.push_back(int(at[i] - first));
    return overlap;
}

}  // namespace

class FolderTileReader : public TileReader
{
public:
    explicit FolderTileReader(const FolderTiles& source) : source_(source)
    {
        levels_.images.push_back({source.raster_.width, source.raster_.height, 0});
    }

    Status read(const TileWindow& window, std::span<float> out) override
    {
        return readLevel(levels_, window, out,
                         [this](std::size_t, std::span<const int> columns, std::span<const int> rows,
                                std::span<float> heights) { return gather(columns, rows, heights); });
    }

    std::uint64_t bytesRead() const override
    {
        std::uint64_t bytes = closedBytes_;
        for (const Open& open : open_)
            bytes += open.file->bytesRead();
        return bytes;
    }

private:
    struct Open
    {
        std::size_t tile;
        std::unique_ptr<FolderFile> file;
    };

    Status gather(std::span<const int> columns, std::span<const int> rows, std::span<float> out)
    {
        std::ranges::fill(out, kVoid);
        for (std::size_t i = 0; i < source_.tiles_.size(); ++i)
        {
            const FolderTile& tile = source_.tiles_[i];
            const Overlap x = overlapOf(columns, tile.column, tile.header.width);
            const Overlap y = overlapOf(rows, tile.row, tile.header.height);
            if (x.positions.empty() || y.positions.empty()) continue;
            if (Status status = copy(i, x, y, out, columns.size()); !status) return status;
        }
        return Status::ok();
    }

    // Copies a file's heights. They replace voids, and heights of files with an earlier name.
    Status copy(std::size_t tile, const Overlap& x, const Overlap& y, std::span<float> out, std::size_t stride)
    {
        const Result<FolderFile*> file = fileOf(tile);
        if (!file) return file.error();
        part_.resize(x.positions.size() * y.positions.size());
        if (Status status = (*file)->gather(x.positions, y.positions, part_); !status)
        {
            close(open_.begin());
            return status;
        }
        const float* from = part_.data();
        for (std::size_t row = 0; row < y.positions.size(); ++row)
            for (std::size_t column = 0; column < x.positions.size(); ++column, ++from)
                if (!std::isnan(*from)) out[(y.begin + row) * stride + x.begin + column] = *from;
        return Status::ok();
    }

    // Returns a file, opened if necessary, and moves it to the front of the list.
    Result<FolderFile*> fileOf(std::size_t tile)
    {
        const auto known = std::ranges::find(open_, tile, &Open::tile);
        if (known != open_.end())
        {
            open_.splice(open_.begin(), open_, known);
            return open_.front().file.get();
        }
        Result<std::unique_ptr<FolderFile>> file = FolderFile::open(source_.tiles_[tile], source_.overrides_);
        if (!file) return file.error();
        // Unpacked archives are limited separately, so that they do not crowd out open files, which take little memory.
        const auto unpacked = [](const Open& open) { return open.file->isUnpacked(); };
        if ((*file)->isUnpacked() && std::size_t(std::ranges::count_if(open_, unpacked)) >= kMostUnpacked)
            close(std::prev(std::ranges::find_if(open_.rbegin(), open_.rend(), unpacked).base()));
        if (open_.size() >= kMostOpen) close(std::prev(open_.end()));
        open_.push_front({tile, std::move(*file)});
        return open_.front().file.get();
    }

    void close(std::list<Open>::iterator open)
    {
        closedBytes_ += open->file->bytesRead();
        open_.erase(open);
    }

    const FolderTiles& source_;
    StoredLevels levels_;
    std::list<Open> open_;
    std::vector<float> part_;
    std::uint64_t closedBytes_ = 0;
};

Result<std::shared_ptr<const FolderTiles>> FolderTiles::open(const std::string& folder,
                                                             const SourceOverrides& overrides)
{
    Result<TileFolder> look = lookAtFolder(folder, kMaxTiledSide);
    if (!look) return look.error();
    const std::shared_ptr<FolderTiles> tiles(new FolderTiles);
    tiles->raster_ = std::move(look->raster);
    tiles->tiles_ = std::move(look->tiles);
    tiles->overrides_ = overrides;
    if (Status status = finalizeDescription(tiles->raster_, overrides); !status) return status.error();
    if (tiles->grid().levels() > 2) tiles->raster_.warnings.push_back(kSlowWithoutOverviews);
    StoredLevels levels;
    levels.images.push_back({tiles->raster_.width, tiles->raster_.height, 0});
    if (Status status = estimateHeightRange(*tiles, levels, tiles->raster_); !status) return status.error();
    return std::shared_ptr<const FolderTiles>(tiles);
}

Result<std::string> FolderTiles::version() const
{
    std::vector<std::string> files;
    for (const FolderTile& tile : tiles_)
        files.push_back(tile.path);
    return filesVersion(files);
}

Result<std::unique_ptr<TileReader>> FolderTiles::openReader() const
{
    return std::unique_ptr<TileReader>(std::make_unique<FolderTileReader>(*this));
}

}  // namespace orogen
