#include "core/terrain/io/geotiff_reader.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core/base/memory.h"
#include "core/base/terminal_text.h"
#include "core/base/text.h"
#include "core/terrain/io/reading.h"
#include "core/terrain/io/tiff_file.h"
#include "core/terrain/raster/georeference.h"

namespace orogen {
namespace {

constexpr std::uint32_t kGdalMetadata = 42112, kGdalNodata = 42113;

struct Compression
{
    std::uint16_t scheme;
    const char* name;
    std::uint64_t ratio;  // bytes that one byte of it can stand for, rounded up
};
// Schemes that carry heights without loss.  LZMA is left out: its header alone makes the decoder take up to 4 GiB.
constexpr std::array<Compression, 7> kCompressions = {{
    {COMPRESSION_NONE, "none", 1},
    {COMPRESSION_LZW, "LZW", 4096},
    {COMPRESSION_ADOBE_DEFLATE, "Deflate", 1040},
    {COMPRESSION_DEFLATE, "Deflate", 1040},
    {COMPRESSION_PACKBITS, "PackBits", 64},
    {COMPRESSION_ZSTD, "Zstandard", 45'000},
    {COMPRESSION_LERC, "LERC", 45'000},
}};
constexpr std::uint64_t kSparseRatio = 1040;  // what a file with left out tiles may claim for each of its bytes

struct Layout
{
    std::uint32_t width = 0, height = 0;
    std::uint32_t chunkWidth = 0, chunkHeight = 0;  // of a tile; of a strip: the width and its rows
    std::uint16_t bands = 1;                        // interleaved in a chunk: 1 if they lie in planes
    Compression compression = kCompressions[0];
    bool tiled = false;
    SampleRule rule;
};

template <class T>
T tagOr(const TiffFile& file, std::uint32_t tag, T otherwise)
{
    T value = otherwise;
    return TIFFGetFieldDefaulted(file.handle(), tag, &value) == 1 ? value : otherwise;
}

Result<SampleType> sampleType(const TiffFile& file)
{
    const auto bits = tagOr<std::uint16_t>(file, TIFFTAG_BITSPERSAMPLE, 1);
    const auto format = tagOr<std::uint16_t>(file, TIFFTAG_SAMPLEFORMAT, SAMPLEFORMAT_UINT);
    const bool isSigned = format == SAMPLEFORMAT_INT;
    if (format == SAMPLEFORMAT_IEEEFP)
    {
        if (bits == 32) return SampleType::kFloat32;
        if (bits == 64) return SampleType::kFloat64;
    }
    else if (isSigned || format == SAMPLEFORMAT_UINT || format == SAMPLEFORMAT_VOID)
    {
        if (bits == 8) return isSigned ? SampleType::kInt8 : SampleType::kUint8;
        if (bits == 16) return isSigned ? SampleType::kInt16 : SampleType::kUint16;
        if (bits == 32) return isSigned ? SampleType::kInt32 : SampleType::kUint32;
    }
    return inputError(file.name(),
                      fmt::format("tags 258 and 339: {} bits of sample format {}, expected 8, 16 or 32 bits "
                                  "of format 1 or 2, or 32 or 64 bits of format 3",
                                  bits, format));
}

Result<Compression> compressionOf(const TiffFile& file)
{
    const auto scheme = tagOr<std::uint16_t>(file, TIFFTAG_COMPRESSION, COMPRESSION_NONE);
    for (const Compression& known : kCompressions)
        if (known.scheme == scheme && TIFFIsCODECConfigured(scheme)) return known;
    return inputError(file.name(), fmt::format("tag 259: compression {}, expected none, LZW, Deflate, PackBits, "
                                               "Zstandard or LERC",
                                               scheme));
}

Status checkBands(const TiffFile& file, std::uint16_t bands, SampleType type, Raster& raster)
{
    const auto photometric = tagOr<std::uint16_t>(file, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
    const bool colour = photometric == PHOTOMETRIC_RGB && bytesOf(type) == 1;
    if (colour || (photometric > PHOTOMETRIC_RGB && photometric < 32768))
        return inputError(file.name(), fmt::format("tag 262: photometric interpretation {} (a colour image), expected "
                                                   "1 (one band of heights)",
                                                   photometric));
    if (bands < 1 || bands > 64)
        return inputError(file.name(), fmt::format("tag 277: {} bands, expected 1 to 64", bands));
    if (bands > 1) raster.warnings.push_back(fmt::format("{} bands: the first is read as heights", bands));
    return Status::ok();
}

// What the whole raster takes uncompressed must be what the file can hold.
Status checkClaim(const TiffFile& file, const Layout& layout, std::uint64_t fileSize)
{
    const std::uint64_t bytes = std::uint64_t(layout.width) * layout.height * bytesOf(layout.rule.type);
    const std::uint64_t ratio = std::max(layout.compression.ratio, kSparseRatio);
    if (bytes / ratio <= fileSize) return Status::ok();
    return inputError(file.name(),
                      fmt::format("tags 256 and 257: {} x {} samples, which is more than {} bytes can hold",
                                  layout.width, layout.height, fileSize));
}

Result<Layout> layoutOf(const TiffFile& file, std::uint64_t fileSize, Raster& raster)
{
    Layout layout;
    layout.width = tagOr<std::uint32_t>(file, TIFFTAG_IMAGEWIDTH, 0);
    layout.height = tagOr<std::uint32_t>(file, TIFFTAG_IMAGELENGTH, 0);
    if (Status status = checkSides(file.name(), layout.width, layout.height); !status) return status.error();
    const Result<SampleType> type = sampleType(file);
    if (!type) return type.error();
    layout.rule.type = *type;
    const Result<Compression> compression = compressionOf(file);
    if (!compression) return compression.error();
    layout.compression = *compression;
    const auto bands = tagOr<std::uint16_t>(file, TIFFTAG_SAMPLESPERPIXEL, 1);
    if (Status status = checkBands(file, bands, *type, raster); !status) return status.error();
    const bool planes = tagOr<std::uint16_t>(file, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG) == PLANARCONFIG_SEPARATE;
    layout.bands = planes ? 1 : bands;
    layout.tiled = TIFFIsTiled(file.handle()) != 0;
    layout.chunkWidth = layout.tiled ? tagOr<std::uint32_t>(file, TIFFTAG_TILEWIDTH, 0) : layout.width;
    layout.chunkHeight = layout.tiled
                             ? tagOr<std::uint32_t>(file, TIFFTAG_TILELENGTH, 0)
                             : std::min(tagOr<std::uint32_t>(file, TIFFTAG_ROWSPERSTRIP, layout.height), layout.height);
    if (layout.chunkWidth < 1 || layout.chunkHeight < 1 || layout.chunkWidth > 4u * kMaxRasterSide ||
        layout.chunkHeight > 4u * kMaxRasterSide)
        return inputError(file.name(), fmt::format("strips or tiles of {} x {} samples, expected 1 to {} a side",
                                                   layout.chunkWidth, layout.chunkHeight, 4 * kMaxRasterSide));
    if (Status status = checkClaim(file, layout, fileSize); !status) return status.error();
    return layout;
}

class Decoder
{
public:
    Decoder(TiffFile& file, const Layout& layout, std::uint64_t fileSize, Raster& raster)
        : file_(file), layout_(layout), fileSize_(fileSize), raster_(raster)
    {
    }

    Status run(const LoadProgress& callback)
    {
        Progress progress(callback, file_.name());
        for (std::uint32_t row = 0; row < layout_.height; row += layout_.chunkHeight)
        {
            if (!progress.at(row, layout_.height)) return progress.interrupted();
            const std::uint32_t rows = std::min(layout_.chunkHeight, layout_.height - row);
            // Only where the raster was not taken at once: it grows with what has really been decoded.
            raster_.heights.resize(std::max(raster_.heights.size(), std::size_t(row + rows) * layout_.width), kVoid);
            if (Status status = layout_.tiled ? readTiles(row, rows) : readStrip(row, rows, progress); !status)
                return status;
        }
        if (missing_ > 0)
            raster_.warnings.push_back(fmt::format("{} strips or tiles are left out of the file: voids", missing_));
        return Status::ok();
    }

private:
    struct Chunk
    {
        std::uint32_t index;
        std::uint64_t bytes;  // when decoded
        bool missing = false;
    };

    std::size_t pixelBytes() const { return std::size_t(layout_.bands) * std::size_t(bytesOf(layout_.rule.type)); }
    std::span<float> samples(std::uint32_t row, std::uint32_t column, std::uint32_t count)
    {
        return std::span(raster_.heights).subspan(std::size_t(row) * layout_.width + column, count);
    }
    std::string place(std::uint32_t index) const
    {
        return fmt::format("{} {}", layout_.tiled ? "tile" : "strip", index);
    }

    // Whether the file really holds the chunk, before anything is allocated for it.
    Result<Chunk> locate(std::uint32_t index, std::uint32_t rows)
    {
        Chunk chunk{index, std::uint64_t(layout_.chunkWidth) * rows * pixelBytes()};
        int failedOffset = 0, failedCount = 0;
        const std::uint64_t offset = TIFFGetStrileOffsetWithErr(file_.handle(), index, &failedOffset);
        const std::uint64_t count = TIFFGetStrileByteCountWithErr(file_.handle(), index, &failedCount);
        if (failedOffset || failedCount) return file_.error(place(index));
        if (offset == 0 && count == 0)
        {
            chunk.missing = true;
            ++missing_;
            return chunk;
        }
        if (offset > fileSize_ || count > fileSize_ - offset)
            return inputError(file_.name(), fmt::format("{}: {} bytes at offset {}, but the file ends at {}",
                                                        place(index), count, offset, fileSize_));
        if (chunk.bytes / layout_.compression.ratio > count)
            return inputError(file_.name(),
                              fmt::format("{}: {} bytes of {} data, expected at least {}", place(index), count,
                                          layout_.compression.name, chunk.bytes / layout_.compression.ratio));
        return chunk;
    }

    // Line by line, so that a file of one strip needs no second copy of the raster.
    Status readStrip(std::uint32_t row, std::uint32_t rows, Progress& progress)
    {
        const Result<Chunk> chunk = locate(row / layout_.chunkHeight, rows);
        if (!chunk) return chunk.error();
        if (chunk->missing) return Status::ok();
        buffer_.resize(std::max(std::size_t(TIFFScanlineSize64(file_.handle())), layout_.width * pixelBytes()));
        for (std::uint32_t i = row; i < row + rows; ++i)
        {
            if (!progress.at(i, layout_.height)) return progress.interrupted();
            if (TIFFReadScanline(file_.handle(), buffer_.data(), i, 0) != 1)
                return file_.error(fmt::format("row {}", i));
            convertSamples(layout_.rule, buffer_.data(), pixelBytes(), samples(i, 0, layout_.width));
        }
        return Status::ok();
    }

    Status readTiles(std::uint32_t row, std::uint32_t rows)
    {
        for (std::uint32_t column = 0; column < layout_.width; column += layout_.chunkWidth)
        {
            const Result<Chunk> chunk = locate(TIFFComputeTile(file_.handle(), column, row, 0, 0), layout_.chunkHeight);
            if (!chunk) return chunk.error();
            if (chunk->missing) continue;
            buffer_.resize(std::size_t(chunk->bytes));
            const tmsize_t size = tmsize_t(chunk->bytes);
            if (TIFFReadEncodedTile(file_.handle(), chunk->index, buffer_.data(), size) != size)
                return file_.error(place(chunk->index));
            const std::uint32_t columns = std::min(layout_.chunkWidth, layout_.width - column);
            for (std::uint32_t i = 0; i < rows; ++i)
                convertSamples(layout_.rule, buffer_.data() + std::size_t(i) * layout_.chunkWidth * pixelBytes(),
                               pixelBytes(), samples(row + i, column, columns));
        }
        return Status::ok();
    }

    TiffFile& file_;
    const Layout& layout_;
    std::uint64_t fileSize_;
    Raster& raster_;
    std::vector<std::byte> buffer_;
    std::uint64_t missing_ = 0;
};

void readNodata(const TiffFile& file, SampleRule& rule, Raster& raster)
{
    const std::string text = file.text(kGdalNodata);
    if (!text.empty())
    {
        rule.nodata = leadingNumber(text);
        if (!rule.nodata)
            raster.warnings.push_back(
                fmt::format("tag 42113: nodata value '{}' is no number: ignored", printable(text)));
        else if (!representable(rule.type, *rule.nodata))
            raster.warnings.push_back(fmt::format("tag 42113: nodata value {:g} is out of the range of {}: ignored",
                                                  *rule.nodata, nameOf(rule.type)));
    }
    else if (rule.type == SampleType::kInt16)
        rule.nodata = -32768;  // SRTM's void; no place on Earth is that deep
}

// <Item name="SCALE" sample="0" role="scale">0.1</Item>, the way GDAL keeps a band's scale, offset and unit.
std::string_view metadataItem(std::string_view xml, const std::string& role)
{
    const std::size_t at = xml.find("role=\"" + role + "\"");
    if (at == std::string::npos) return {};
    const std::size_t begin = xml.find('>', at);
    if (begin == std::string::npos) return {};
    return xml.substr(begin + 1, std::min(xml.find('<', begin), xml.size()) - begin - 1);
}

void readUnit(const std::string& xml, Raster& raster)
{
    const std::string_view words = trimmed(metadataItem(xml, "unittype"));
    if (words.empty()) return;
    raster.heightUnit = heightUnitOfWords(words);
    if (!raster.heightUnit)
        raster.warnings.push_back(
            fmt::format("tag 42112: heights in '{}', a unit that is not known: read as metres (--unit says it)",
                        printable(words.substr(0, 40))));
}

void readScale(const TiffFile& file, SampleRule& rule, Raster& raster)
{
    const std::string xml = file.text(kGdalMetadata);
    readUnit(xml, raster);
    const double scale = leadingNumber(metadataItem(xml, "scale")).value_or(1.0);
    const double offset = leadingNumber(metadataItem(xml, "offset")).value_or(0.0);
    if ((scale == 1.0 && offset == 0.0) || !std::isfinite(scale) || !std::isfinite(offset) || scale == 0.0) return;
    rule.scale = scale;
    rule.offset = offset;
    raster.warnings.push_back(fmt::format("tag 42112: heights are {:g} times the sample plus {:g}", scale, offset));
}

void applyGeoreference(const Georeference& from, Raster& raster)
{
    raster.crs = from.crs;
    raster.placement = from.placement;
    raster.format = from.placement ? "GeoTIFF" : "TIFF";
    raster.projection = from.projection;
    raster.warnings.insert(raster.warnings.end(), from.warnings.begin(), from.warnings.end());
    if (!raster.heightUnit) raster.heightUnit = from.heightUnit;  // a band's own unit goes first
}

// A few bytes of Zstandard or LERC can stand for gigabytes.  What claims that much gets its memory as it is decoded.
Status takeMemory(const Layout& layout, std::uint64_t fileSize, Raster& raster)
{
    const std::uint64_t samples = std::uint64_t(layout.width) * layout.height;
    if (samples * bytesOf(layout.rule.type) / kSparseRatio <= fileSize)
        return allocateHeights(raster, layout.width, layout.height);
    raster.width = int(layout.width);
    raster.height = int(layout.height);
    return checkMemory(printable(raster.name), samples * sizeof(float) * 2);  // twice: a vector that grows
}

// What the tags say, before any sample is read.
struct Header
{
    Raster raster;  // without heights
    Layout layout;
    Georeference geo;
};

Result<Header> readHeader(const TiffFile& file, std::uint64_t fileSize)
{
    Header header;
    Raster& raster = header.raster;
    raster.name = file.name();
    const Result<Layout> layout = layoutOf(file, fileSize, raster);
    if (!layout) return layout.error();
    header.layout = *layout;
    raster.width = int(layout->width);
    raster.height = int(layout->height);
    raster.bits = 8 * bytesOf(layout->rule.type);
    if (raster.bits == 8) raster.warnings.push_back("8 bits a sample: heights come in 256 steps at most");
    readNodata(file, header.layout.rule, raster);
    readScale(file, header.layout.rule, raster);
    const Result<Georeference> geo = georeference(file.name(), file.geoTags(), raster.width, raster.height);
    if (!geo) return geo.error();
    header.geo = *geo;
    applyGeoreference(*geo, raster);
    describeSamples(header.layout.rule, raster);
    return header;
}

}  // namespace

Result<Raster> readGeoTiffHeader(const ByteSource& source)
{
    const Result<TiffFile> file = TiffFile::open(source);
    if (!file) return file.error();
    Result<Header> header = readHeader(*file, source.size());
    if (!header) return header.error();
    return std::move(header->raster);
}

Result<Raster> readGeoTiff(const ByteSource& source, const LoadProgress& progress)
{
    Result<TiffFile> file = TiffFile::open(source);
    if (!file) return file.error();
    Result<Header> header = readHeader(*file, source.size());
    if (!header) return header.error();
    Raster& raster = header->raster;
    if (Status status = takeMemory(header->layout, source.size(), raster); !status) return status.error();
    if (Status status = Decoder(*file, header->layout, source.size(), raster).run(progress); !status)
        return status.error();
    unmirror(raster, header->geo);
    return std::move(raster);
}

}  // namespace orogen
