#include "core/terrain/imagery/image_source.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <list>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/terrain/imagery/gdal_image.h"
#include "core/terrain/io/picture_reader.h"
#include "core/terrain/io/source_files.h"
#include "core/terrain/io/tiff_file.h"
#include "core/terrain/raster/raster.h"
#include "core/terrain/tiles/tile_grid.h"

namespace orogen {
namespace {

// ---- a picture in memory ----

struct Pixels
{
    ImageSize size;
    std::vector<std::uint8_t> rgba;  // multiplied by alpha
};

Pixels halved(const Pixels& from)
{
    Pixels to;
    to.size = {(from.size.width + 1) / 2, (from.size.height + 1) / 2};
    to.rgba.resize(4 * std::size_t(to.size.width) * std::size_t(to.size.height));
    const auto at = [&](int x, int y) {
        x = std::min(x, from.size.width - 1), y = std::min(y, from.size.height - 1);
        return from.rgba.data() + 4 * (std::size_t(y) * std::size_t(from.size.width) + std::size_t(x));
    };
    std::uint8_t* out = to.rgba.data();
    for (int y = 0; y < to.size.height; ++y)
        for (int x = 0; x < to.size.width; ++x)
        {
            const std::uint8_t *a = at(2 * x, 2 * y), *b = at(2 * x + 1, 2 * y);
            const std::uint8_t *c = at(2 * x, 2 * y + 1), *d = at(2 * x + 1, 2 * y + 1);
            for (int i = 0; i < 4; ++i)
                *out++ = std::uint8_t((a[i] + b[i] + c[i] + d[i] + 2) / 4);
        }
    return to;
}

class MemoryImage final : public ImagerySource
{
public:
    explicit MemoryImage(Picture picture)
    {
        raster_.name = picture.name, raster_.crs = picture.crs, raster_.format = std::move(picture.format);
        raster_.width = picture.width, raster_.height = picture.height;
        raster_.placement = picture.placement;
        raster_.projection = MapProjection::ofCrs(raster_.crs);
        raster_.warnings = std::move(picture.warnings);
        credit_ = std::move(picture.credit);
        for (std::size_t i = 0; i < picture.rgba.size(); i += 4)
            for (std::size_t c = 0; c < 3 && picture.rgba[i + 3] != 255; ++c)
                picture.rgba[i + c] = std::uint8_t((picture.rgba[i + c] * picture.rgba[i + 3] + 127) / 255);
        pixels_.push_back({{picture.width, picture.height}, std::move(picture.rgba)});
        while (std::max(pixels_.back().size.width, pixels_.back().size.height) > 1)
            pixels_.push_back(halved(pixels_.back()));
        for (const Pixels& one : pixels_)
            images_.push_back(one.size);
    }

    const Raster& raster() const override { return raster_; }
    std::span<const ImageSize> images() const override { return images_; }
    std::string credit() const override { return credit_; }
    Result<std::unique_ptr<ImageryReader>> openReader() const override
    {
        return std::unique_ptr<ImageryReader>(std::make_unique<Reader>(*this));
    }

private:
    class Reader final : public ImageryReader
    {
    public:
        explicit Reader(const MemoryImage& image) : image_(image) {}
        Status read(std::size_t image, const ImageBox& box, std::span<std::uint8_t> rgba) override
        {
            const Pixels& from = image_.pixels_[image];
            for (int y = 0; y < box.height; ++y)
                std::memcpy(rgba.data() + 4 * std::size_t(y) * std::size_t(box.width),
                            from.rgba.data() +
                                4 * (std::size_t(box.row + y) * std::size_t(from.size.width) + std::size_t(box.column)),
                            4 * std::size_t(box.width));
            return Status::ok();
        }
        std::uint64_t bytesRead() const override { return 0; }

    private:
        const MemoryImage& image_;
    };

    Raster raster_;
    std::string credit_;
    std::vector<Pixels> pixels_;
    std::vector<ImageSize> images_;
};

// ---- a tiled TIFF with overviews ----

constexpr std::size_t kMostDirectories = 64;
constexpr std::uint32_t kLargestTile = 4096;       // pixels per side
constexpr std::size_t kDecodedPixels = 48u << 20;  // bytes of decoded tiles that a reader keeps
constexpr std::size_t kLeastTiles = 2;             // decoded tiles that are kept even if larger than kDecodedPixels

struct TiledImage
{
    std::uint64_t directory = 0;
    ImageSize size, tile;
    std::uint64_t mask = 0;  // directory of its mask, which has tiles of the same size; 0: no mask
};

template <class T>
T tagOf(TiffFile& file, std::uint32_t tag)
{
    T value{};
    TIFFGetFieldDefaulted(file.handle(), tag, &value);
    return value;
}

// Returns the image of the current directory. Its size is zero if the image is not tiled.
TiledImage tiledImage(TiffFile& file, std::uint64_t directory)
{
    TiledImage image{directory, {}, {}, 0};
    if (TIFFIsTiled(file.handle()) == 0) return image;
    const auto side = [&](std::uint32_t tag) {
        return int(std::min<std::uint32_t>(tagOf<std::uint32_t>(file, tag), kMaxTiledSide + 1));
    };
    image.size = {side(TIFFTAG_IMAGEWIDTH), side(TIFFTAG_IMAGELENGTH)};
    image.tile = {side(TIFFTAG_TILEWIDTH), side(TIFFTAG_TILELENGTH)};
    return image;
}

bool sameTiles(const TiledImage& a, const TiledImage& b)
{
    return a.size.width == b.size.width && a.size.height == b.size.height && a.tile.width == b.tile.width &&
           a.tile.height == b.tile.height;
}

Status checkImage(TiffFile& file, const TiledImage& image)
{
    if (image.size.width > kMaxTiledSide || image.size.height > kMaxTiledSide)
        return inputError(file.name(), fmt::format("{} x {} pixels, expected at most {} a side", image.size.width,
                                                   image.size.height, kMaxTiledSide));
    const int largest = std::max(image.tile.width, image.tile.height);
    if (image.tile.width < 1 || image.tile.height < 1 || largest > int(kLargestTile))
        return inputError(file.name(), fmt::format("tiles of {} x {} pixels, expected 1 to {} a side", image.tile.width,
                                                   image.tile.height, kLargestTile));
    if (tagOf<std::uint16_t>(file, TIFFTAG_BITSPERSAMPLE) != 8)
        return inputError(file.name(), fmt::format("tag 258: {} bits a sample, expected 8 of a picture",
                                                   tagOf<std::uint16_t>(file, TIFFTAG_BITSPERSAMPLE)));
    char why[1024] = "";
    if (TIFFRGBAImageOK(file.handle(), why) == 0) return inputError(file.name(), std::string(why));
    return Status::ok();
}

bool halves(const ImageSize& finer, const ImageSize& coarser)
{
    const double x = double(finer.width) / coarser.width, y = double(finer.height) / coarser.height;
    return coarser.width < finer.width && x < 1.1 * y + 1 && y < 1.1 * x + 1;
}

class TiffImage final : public ImagerySource
{
public:
    // Returns null if the file must be read as a whole: it is not in tiles, has no overviews, or is mirrored.
    static Result<std::shared_ptr<const TiffImage>> open(const std::string& name);

    const Raster& raster() const override { return raster_; }
    std::span<const ImageSize> images() const override { return sizes_; }
    Result<std::unique_ptr<ImageryReader>> openReader() const override;
    std::string credit() const override { return credit_; }

private:
    friend class TiffImageReader;
    Raster raster_;
    std::vector<TiledImage> images_;
    std::vector<ImageSize> sizes_;
    std::string credit_;
};

class TiffImageReader final : public ImageryReader
{
public:
    TiffImageReader(const TiffImage& image, ByteSource source) : image_(image), source_(std::move(source)) {}

    Status open()
    {
        for (const TiledImage& image : image_.images_)
        {
            Result<TiffFile> file = TiffFile::open(source_, TiffFile::Index::kOnDemand);
            if (!file) return file.error();
            if (Status s = file->select(image.directory); !s) return s;
            if (!sameTiles(tiledImage(*file, image.directory), image))
                return inputError(source_.name(), "the file has changed since it was opened");
            files_.push_back(std::move(*file));
            masks_.emplace_back();
            if (image.mask == 0) continue;
            Result<TiffFile> mask = TiffFile::open(source_, TiffFile::Index::kOnDemand);
            if (!mask) return mask.error();
            if (Status s = mask->select(image.mask); !s) return s;
            const int bits = tagOf<std::uint16_t>(*mask, TIFFTAG_BITSPERSAMPLE);
            const int samples = tagOf<std::uint16_t>(*mask, TIFFTAG_SAMPLESPERPIXEL);
            if ((bits != 1 && bits != 8) || samples != 1 || !sameTiles(tiledImage(*mask, image.mask), image))
                return inputError(
                    source_.name(),
                    fmt::format("a mask with {} samples of {} bits, expected one of 1 or 8", samples, bits));
            masks_.back().emplace(std::move(*mask));
        }
        return Status::ok();
    }

    Status read(std::size_t image, const ImageBox& box, std::span<std::uint8_t> rgba) override
    {
        const ImageSize tile = image_.images_[image].tile;
        for (int y = box.row / tile.height; y * tile.height < box.row + box.height; ++y)
            for (int x = box.column / tile.width; x * tile.width < box.column + box.width; ++x)
            {
                const Result<std::span<const std::uint8_t>> decoded = decode(image, x, y);
                if (!decoded) return decoded.error();
                copy(*decoded, {x * tile.width, y * tile.height, tile.width, tile.height}, box, rgba);
            }
        return Status::ok();
    }
    std::uint64_t bytesRead() const override
    {
        std::uint64_t bytes = 0;
        for (const TiffFile& file : files_)
            bytes += file.bytesRead();
        for (const std::optional<TiffFile>& mask : masks_)
            bytes += mask ? mask->bytesRead() : 0;
        return bytes;
    }

private:
    struct Key
    {
        std::size_t image;
        int x, y;
        auto operator<=>(const Key&) const = default;
    };
    struct Decoded
    {
        Key key;
        std::vector<std::uint8_t> rgba;
    };

    static void copy(std::span<const std::uint8_t> tile, const ImageBox& at, const ImageBox& box,
                     std::span<std::uint8_t> out)
    {
        const int left = std::max(at.column, box.column),
                  right = std::min(at.column + at.width, box.column + box.width);
        const int top = std::max(at.row, box.row), bottom = std::min(at.row + at.height, box.row + box.height);
        for (int y = top; y < bottom; ++y)
        {
            const std::size_t from = std::size_t(y - at.row) * std::size_t(at.width) + std::size_t(left - at.column);
            const std::size_t to = std::size_t(y - box.row) * std::size_t(box.width) + std::size_t(left - box.column);
            std::memcpy(out.data() + 4 * to, tile.data() + 4 * from, 4 * std::size_t(right - left));
        }
    }

    Result<std::span<const std::uint8_t>> decode(std::size_t image, int x, int y)
    {
        const Key key{image, x, y};
        if (const auto known = where_.find(key); known != where_.end())
        {
            decoded_.splice(decoded_.begin(), decoded_, known->second);
            return std::span<const std::uint8_t>(known->second->rgba);
        }
        const ImageSize tile = image_.images_[image].tile;
        const std::size_t stride = 4 * std::size_t(tile.width), bytes = stride * std::size_t(tile.height);
        std::vector<std::uint32_t> packed(bytes / 4);
        if (TIFFReadRGBATileExt(files_[image].handle(), std::uint32_t(x * tile.width), std::uint32_t(y * tile.height),
                                packed.data(), 1) == 0)
            return files_[image].error(fmt::format("tile {}, {} of image {}", x, y, image));
        std::vector<std::uint8_t> rgba(bytes);
        std::uint8_t* out = rgba.data();
        for (int row = tile.height - 1; row >= 0; --row)  // libtiff's rows begin at the bottom
            for (int column = 0; column < tile.width; ++column)
            {
                const std::uint32_t pixel = packed[std::size_t(row) * std::size_t(tile.width) + std::size_t(column)];
                *out++ = std::uint8_t(TIFFGetR(pixel)), *out++ = std::uint8_t(TIFFGetG(pixel));
                *out++ = std::uint8_t(TIFFGetB(pixel)), *out++ = std::uint8_t(TIFFGetA(pixel));
            }
        if (masks_[image])
            if (Status s = cover(*masks_[image], tile, x, y, rgba); !s) return s.error();
        while (!decoded_.empty() && decodedBytes_ + bytes > kDecodedPixels && decoded_.size() >= kLeastTiles)
        {
            decodedBytes_ -= decoded_.back().rgba.size();
            where_.erase(decoded_.back().key);
            decoded_.pop_back();
        }
        decoded_.push_front({key, std::move(rgba)});
        decodedBytes_ += bytes;
        where_[key] = decoded_.begin();
        return std::span<const std::uint8_t>(decoded_.front().rgba);
    }

    // Makes the pixels transparent that the mask leaves out.
    Status cover(TiffFile& mask, ImageSize tile, int x, int y, std::span<std::uint8_t> rgba)
    {
        const bool bits = tagOf<std::uint16_t>(mask, TIFFTAG_BITSPERSAMPLE) == 1;
        const std::size_t stride = std::size_t(bits ? (tile.width + 7) / 8 : tile.width);
        std::vector<std::uint8_t> covers(stride * std::size_t(tile.height));
        if (TIFFTileSize64(mask.handle()) != covers.size() ||
            TIFFReadTile(mask.handle(), covers.data(), std::uint32_t(x * tile.width), std::uint32_t(y * tile.height), 0,
                         0) < 0)
            return mask.error(fmt::format("tile {}, {} of a mask", x, y));
        for (std::size_t row = 0; row < std::size_t(tile.height); ++row)
            for (std::size_t column = 0; column < std::size_t(tile.width); ++column)
            {
                const std::uint8_t* line = covers.data() + row * stride;
                const bool covered = bits ? (line[column / 8] >> (7 - column % 8) & 1) != 0 : line[column] != 0;
                if (!covered)
                    std::fill_n(rgba.begin() + std::ptrdiff_t(4 * (row * std::size_t(tile.width) + column)), 4,
                                std::uint8_t(0));
            }
        return Status::ok();
    }

    const TiffImage& image_;
    ByteSource source_;
    std::vector<TiffFile> files_;                 // one for each image
    std::vector<std::optional<TiffFile>> masks_;  // one for each image, empty without a mask
    std::list<Decoded> decoded_;                  // most recently used first
    std::map<Key, std::list<Decoded>::iterator> where_;
    std::size_t decodedBytes_ = 0;
};

Result<std::shared_ptr<const TiffImage>> TiffImage::open(const std::string& name)
{
    const Result<ByteSource> source = ByteSource::open(name);
    if (!source) return source.error();
    Result<TiffFile> file = TiffFile::open(*source, TiffFile::Index::kOnDemand);
    if (!file) return file.error();
    const Result<std::vector<std::uint64_t>> directories = file->directories(kMostDirectories);
    if (!directories) return directories.error();
    const auto made = std::make_shared<TiffImage>();
    std::vector<TiledImage> masks;
    for (const std::uint64_t directory : *directories)
    {
        if (Status s = file->select(directory); !s) return s.error();
        const TiledImage image = tiledImage(*file, directory);
        if (image.size.width < 1 || image.size.height < 1) continue;
        if ((tagOf<std::uint32_t>(*file, TIFFTAG_SUBFILETYPE) & FILETYPE_MASK) != 0)
        {
            masks.push_back(image);
            continue;
        }
        if (!made->sizes_.empty() && !halves(made->sizes_.back(), image.size)) continue;
        if (made->images_.empty() && directory != directories->front()) break;  // the full image is not in tiles
        if (Status s = checkImage(*file, image); !s) return s.error();
        made->images_.push_back(image);
        made->sizes_.push_back(image.size);
    }
    if (made->images_.size() < 2) return std::shared_ptr<const TiffImage>();
    for (TiledImage& image : made->images_)
        if (const auto mask = std::ranges::find_if(masks, [&](const TiledImage& m) { return sameTiles(m, image); });
            mask != masks.end())
            image.mask = mask->directory;
    if (Status s = file->select(directories->front()); !s) return s.error();
    const ImageSize size = made->sizes_.front();
    const Result<Georeference> geo = georeference(name, file->geoTags(), size.width, size.height);
    if (!geo) return geo.error();
    if (geo->southUp || geo->eastLeft) return std::shared_ptr<const TiffImage>();
    Raster& raster = made->raster_;
    raster.name = name, raster.format = "GeoTIFF", raster.crs = geo->crs;
    raster.width = size.width, raster.height = size.height;
    raster.placement = geo->placement;
    raster.projection = geo->projection ? geo->projection : MapProjection::ofCrs(geo->crs);
    raster.warnings = geo->warnings;
    const char* credit = nullptr;
    if (TIFFGetField(file->handle(), TIFFTAG_COPYRIGHT, &credit) == 1 && credit) made->credit_ = printable(credit);
    return std::shared_ptr<const TiffImage>(made);
}

Result<std::unique_ptr<ImageryReader>> TiffImage::openReader() const
{
    Result<ByteSource> source = ByteSource::open(raster_.name);
    if (!source) return source.error();
    auto reader = std::make_unique<TiffImageReader>(*this, std::move(*source));
    if (Status s = reader->open(); !s) return s.error();
    return std::unique_ptr<ImageryReader>(std::move(reader));
}

// ---- kinds of files ----

// The first bytes of a file; empty if it cannot be read.
struct Head
{
    std::array<char, 32> bytes{};
    std::size_t count = 0;

    bool begins(std::string_view with, std::size_t at = 0) const
    {
        return count >= at + with.size() && std::memcmp(bytes.data() + at, with.data(), with.size()) == 0;
    }
    bool isTiff() const { return begins("II") || begins("MM"); }
    bool isPng() const { return begins("\x89PNG"); }
    // Returns whether the file is JPEG, WebP or MBTiles (SQLite): a picture, which GDAL need not open first.
    bool isForeignPicture() const
    {
        return begins("\xff\xd8\xff") || (begins("RIFF") && begins("WEBP", 8)) || begins("SQLite format 3");
    }
};

Head headOf(const std::string& name)
{
    Head head;
    const Result<ByteSource> source = ByteSource::open(name);
    if (source) head.count = source->read(0, head.bytes.data(), head.bytes.size());
    return head;
}

// Returns whether a TIFF has colours: samples of 8 bits with a palette, or at least three of them per pixel in RGB or
// YCbCr.
bool isColouredTiff(const std::string& name)
{
    const Result<ByteSource> source = ByteSource::open(name);
    if (!source) return false;
    Result<TiffFile> file = TiffFile::open(*source, TiffFile::Index::kOnDemand);
    if (!file || tagOf<std::uint16_t>(*file, TIFFTAG_BITSPERSAMPLE) != 8) return false;
    std::uint16_t photometric = PHOTOMETRIC_MINISBLACK;
    TIFFGetField(file->handle(), TIFFTAG_PHOTOMETRIC, &photometric);
    return photometric == PHOTOMETRIC_PALETTE || (tagOf<std::uint16_t>(*file, TIFFTAG_SAMPLESPERPIXEL) >= 3 &&
                                                  (photometric == PHOTOMETRIC_RGB || photometric == PHOTOMETRIC_YCBCR));
}

}  // namespace

bool isPicture(const std::string& name)
{
    if (isWebService(name)) return true;
    if (isGdalPath(name) || name.find("://") != std::string::npos) return false;
    const Head head = headOf(name);
    if (head.isForeignPicture()) return true;
    // Byte 24 of a PNG is the bits per sample. Byte 25 is the colour type: 0 for grey and 4 for grey with alpha. All
    // other types have the bit of value 2.
    if (head.isPng()) return head.count > 25 && (head.bytes[25] & 2) != 0 && head.bytes[24] <= 8;
    if (head.isTiff()) return isColouredTiff(name);
    const bool described = head.begins("<VRTDataset") || head.begins("jP  ", 4) || head.begins("\xff\x4f\xff\x51");
    return described && isGdalPicture(name);
}

Result<std::shared_ptr<const ImagerySource>> openImage(const std::string& name, const LoadProgress& progress)
{
    if (isGdalPath(name)) return openGdalImage(name);
    if (name.starts_with("http://") || name.starts_with("https://")) return openGdalImage("/vsicurl/" + name);
    const Head head = headOf(name);
    if (head.count > 0 && !head.isTiff() && !head.isPng()) return openGdalImage(name);
    if (head.isTiff())
    {
        Result<std::shared_ptr<const TiffImage>> tiff = TiffImage::open(name);
        if (!tiff) return tiff.error();
        if (*tiff) return std::shared_ptr<const ImagerySource>(std::move(*tiff));
    }
    Result<Picture> picture = loadPicture(name, progress);
    if (!picture) return picture.error();
    return std::shared_ptr<const ImagerySource>(std::make_shared<MemoryImage>(std::move(*picture)));
}

}  // namespace orogen
