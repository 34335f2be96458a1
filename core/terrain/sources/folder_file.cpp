#include "core/terrain/sources/folder_file.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "core/terrain/io/hgt_reader.h"
#include "core/terrain/io/settling.h"
#include "core/terrain/sources/heights_in_metres.h"
#include "core/terrain/sources/tiff_samples.h"
#include "core/terrain/tiles/tile_grid.h"

namespace orogen {
namespace {

constexpr std::size_t kDecodedBytes = 4u << 20;  // per file, because many are open

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
    // Returns the positions in the file's order, ascending.
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

}  // namespace orogen
