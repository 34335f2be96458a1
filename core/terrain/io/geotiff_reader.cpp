#include "core/terrain/io/geotiff_reader.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>

#include <fmt/format.h>

#include "core/base/memory.h"
#include "core/base/text.h"

namespace orogen {
namespace {

constexpr std::uint32_t kGdalMetadata = 42112, kGdalNodata = 42113;

// Accepted compression schemes. Those for pictures are excluded, and LZMA: its header alone can make the decoder
// allocate up to 4 GiB.
constexpr std::array<TiffCompression, 7> kCompressions = {{
    {COMPRESSION_NONE, "none", 1},
    {COMPRESSION_LZW, "LZW", 4096},
    {COMPRESSION_ADOBE_DEFLATE, "Deflate", 1040},
    {COMPRESSION_DEFLATE, "Deflate", 1040},
    {COMPRESSION_PACKBITS, "PackBits", 64},
    {COMPRESSION_ZSTD, "Zstandard", 45'000},
    {COMPRESSION_LERC, "LERC", 45'000},
}};

template <class T>
T tagOr(const TiffFile& file, std::uint32_t tag, T otherwise)
{
    T value = otherwise;
    return TIFFGetFieldDefaulted(file.handle(), tag, &value) == 1 ? value : otherwise;
}

// Bits of the packed samples that libtiff returns as three bytes in native order. Packed samples of other sizes follow
// one another in a row without gaps, the highest bit first.
constexpr int kTriple = 24;

// Storage of a sample: in whole bytes, or packed to some bits (GDAL's NBITS).
struct StoredSample
{
    SampleType type;
    int packedBits = 0;
};

Result<StoredSample> sampleType(const TiffFile& file)
{
    const auto bits = tagOr<std::uint16_t>(file, TIFFTAG_BITSPERSAMPLE, 1);
    const auto format = tagOr<std::uint16_t>(file, TIFFTAG_SAMPLEFORMAT, SAMPLEFORMAT_UINT);
    const bool isSigned = format == SAMPLEFORMAT_INT;
    if (format == SAMPLEFORMAT_IEEEFP)
    {
        if (bits == 16) return StoredSample{SampleType::kFloat16};
        if (bits == 32) return StoredSample{SampleType::kFloat32};
        if (bits == 64) return StoredSample{SampleType::kFloat64};
    }
    else if (isSigned || format == SAMPLEFORMAT_UINT || format == SAMPLEFORMAT_VOID)
    {
        if (bits == 8) return StoredSample{isSigned ? SampleType::kInt8 : SampleType::kUint8};
        if (bits == 16) return StoredSample{isSigned ? SampleType::kInt16 : SampleType::kUint16};
        if (bits == 32) return StoredSample{isSigned ? SampleType::kInt32 : SampleType::kUint32};
        if (bits == 64) return StoredSample{isSigned ? SampleType::kInt64 : SampleType::kUint64};
        if (bits > 8 && bits < 16 && !isSigned) return StoredSample{SampleType::kUint16, bits};
        if (bits == kTriple && !isSigned) return StoredSample{SampleType::kUint32, bits};
    }
    return inputError(file.name(),
                      fmt::format("tags 258 and 339: {} bits of sample format {}, expected 8 to 16, 24, 32 or 64 bits "
                                  "of format 1, 8, 16, 32 or 64 of format 2, or 16, 32 or 64 of format 3",
                                  bits, format));
}

Result<TiffCompression> compressionOf(const TiffFile& file)
{
    const auto scheme = tagOr<std::uint16_t>(file, TIFFTAG_COMPRESSION, COMPRESSION_NONE);
    for (const TiffCompression& known : kCompressions)
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

Result<TiffLayout> layoutOf(const TiffFile& file, std::uint64_t largestSide, Raster& raster)
{
    TiffLayout layout;
    layout.width = tagOr<std::uint32_t>(file, TIFFTAG_IMAGEWIDTH, 0);
    layout.height = tagOr<std::uint32_t>(file, TIFFTAG_IMAGELENGTH, 0);
    if (Status status = checkSides(file.name(), layout.width, layout.height, largestSide); !status)
        return status.error();
    const Result<StoredSample> stored = sampleType(file);
    if (!stored) return stored.error();
    layout.rule.type = stored->type;
    layout.packedBits = stored->packedBits;
    const Result<TiffCompression> compression = compressionOf(file);
    if (!compression) return compression.error();
    layout.compression = *compression;
    const auto bands = tagOr<std::uint16_t>(file, TIFFTAG_SAMPLESPERPIXEL, 1);
    if (Status status = checkBands(file, bands, stored->type, raster); !status) return status.error();
    const bool planes = tagOr<std::uint16_t>(file, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG) == PLANARCONFIG_SEPARATE;
    layout.bands = planes ? 1 : bands;
    layout.tiled = TIFFIsTiled(file.handle()) != 0;
    layout.chunkWidth = layout.tiled ? tagOr<std::uint32_t>(file, TIFFTAG_TILEWIDTH, 0) : layout.width;
    layout.chunkHeight = layout.tiled
                             ? tagOr<std::uint32_t>(file, TIFFTAG_TILELENGTH, 0)
                             : std::min(tagOr<std::uint32_t>(file, TIFFTAG_ROWSPERSTRIP, layout.height), layout.height);
    const std::uint64_t widest = 4 * largestSide;
    if (layout.chunkWidth < 1 || layout.chunkHeight < 1 || layout.chunkWidth > widest || layout.chunkHeight > widest)
        return inputError(file.name(), fmt::format("strips or tiles of {} x {} samples, expected 1 to {} a side",
                                                   layout.chunkWidth, layout.chunkHeight, widest));
    return layout;
}

void readNodata(const TiffFile& file, SampleRule& rule, Raster& raster)
{
    const std::string text = file.text(kGdalNodata);
    if (!text.empty())
    {
        rule.nodata = leadingNumber(text);
        if (!rule.nodata)
            raster.warnings.push_back(
                fmt::format("tag 42113: nodata value '{}' is not a number: ignored", printable(text)));
        else if (!representable(rule.type, *rule.nodata))
            raster.warnings.push_back(fmt::format("tag 42113: nodata value {:g} is out of the range of {}: ignored",
                                                  *rule.nodata, nameOf(rule.type)));
    }
    else if (rule.type == SampleType::kInt16)
        rule.nodata = -32768;  // the void of SRTM; no height on Earth is so low
}

// Returns the content of an item such as <Item name="SCALE" sample="0" role="scale">0.1</Item> (GDAL's format).
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
            fmt::format("tag 42112: heights in '{}', a unit that is not known: read as metres (--unit sets it)",
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

// Returns a number of `bits` bits, at most 16, the highest first. `first`: index of its first bit in the row, where
// index 0 is the highest bit of the first byte.
std::uint16_t bitsAt(const std::byte* row, std::size_t first, int bits)
{
    std::uint32_t value = 0;
    std::size_t at = first / 8;
    int left = bits + int(first % 8);  // bits still to read, counted from the first byte's highest bit
    for (; left > 0; left -= 8)
        value = value << 8 | std::to_integer<std::uint32_t>(row[at++]);
    return std::uint16_t(value >> -left & ((1u << bits) - 1));
}

void applyGeoreference(const Georeference& from, Raster& raster)
{
    raster.crs = from.crs;
    raster.placement = from.placement;
    raster.format = from.placement ? "GeoTIFF" : "TIFF";
    raster.projection = from.projection;
    raster.warnings.insert(raster.warnings.end(), from.warnings.begin(), from.warnings.end());
    raster.aboveEllipsoid = from.aboveEllipsoid;
    if (!raster.heightUnit) raster.heightUnit = from.heightUnit;  // a band's own unit takes precedence
}

}  // namespace

void TiffLayout::unpack(std::vector<std::byte>& rows) const
{
    if (packedBits == 0) return;
    const std::size_t samples = std::size_t(chunkWidth) * bands, size = std::size_t(bytesOf(rule.type));
    const std::size_t packed = rowBytes(chunkWidth), count = rows.size() / packed;
    std::vector<std::byte> whole(count * samples * size);
    for (std::size_t row = 0; row < count; ++row)
    {
        const std::byte* from = rows.data() + row * packed;
        std::byte* to = whole.data() + row * samples * size;
        for (std::size_t i = 0; i < samples; ++i, to += size)
            if (packedBits == kTriple)
                std::memcpy(to + (std::endian::native == std::endian::big ? 1 : 0), from + 3 * i, 3);
            else
            {
                const std::uint16_t sample = bitsAt(from, i * std::size_t(packedBits), packedBits);
                std::memcpy(to, &sample, sizeof sample);
            }
    }
    rows = std::move(whole);
}

std::string TiffLayout::chunkName(std::uint64_t index) const
{
    return fmt::format("{} {}", tiled ? "tile" : "strip", index);
}

Result<TiffChunk> locateChunk(TiffFile& file, const TiffLayout& layout, std::uint32_t index, std::uint32_t rows,
                              std::uint64_t fileSize)
{
    TiffChunk chunk{.index = index, .bytes = std::uint64_t(rows) * layout.rowBytes(layout.chunkWidth)};
    int failedOffset = 0, failedCount = 0;
    chunk.offset = TIFFGetStrileOffsetWithErr(file.handle(), index, &failedOffset);
    chunk.count = TIFFGetStrileByteCountWithErr(file.handle(), index, &failedCount);
    if (failedOffset || failedCount) return file.error(layout.chunkName(index));
    chunk.missing = chunk.offset == 0 && chunk.count == 0;
    if (chunk.missing) return chunk;
    if (chunk.offset > fileSize || chunk.count > fileSize - chunk.offset)
        return inputError(file.name(), fmt::format("{}: {} bytes at offset {}, but the file ends at {}",
                                                   layout.chunkName(index), chunk.count, chunk.offset, fileSize));
    if (chunk.bytes / layout.compression.ratio > chunk.count)
        return inputError(file.name(),
                          fmt::format("{}: {} bytes of {} data, expected at least {}", layout.chunkName(index),
                                      chunk.count, layout.compression.name, chunk.bytes / layout.compression.ratio));
    return chunk;
}

Result<GeoTiffHeader> readGeoTiffHeader(const TiffFile& file, std::uint64_t largestSide)
{
    GeoTiffHeader header;
    Raster& raster = header.raster;
    raster.name = file.name();
    const Result<TiffLayout> layout = layoutOf(file, largestSide, raster);
    if (!layout) return layout.error();
    header.layout = *layout;
    raster.width = int(layout->width);
    raster.height = int(layout->height);
    raster.bits = layout->packedBits > 0 ? layout->packedBits : 8 * bytesOf(layout->rule.type);
    if (raster.bits == 8) raster.warnings.push_back("8 bits a sample: heights come in 256 steps at most");
    readNodata(file, header.layout.rule, raster);
    readScale(file, header.layout.rule, raster);
    const Result<Georeference> geo = georeference(file.name(), file.geoTags(), raster.width, raster.height);
    if (!geo) return geo.error();
    header.geo = *geo;
    applyGeoreference(*geo, raster);
    describeSamples(header.layout.rule, raster);
    const bool named = raster.nodata && !file.text(kGdalNodata).empty();
    header.layout.missing = named ? kVoid : heightOfZero(header.layout.rule);
    return header;
}

namespace {

constexpr std::uint64_t kSparseRatio = 1040;      // maximum of decoded bytes per byte of a file with omitted tiles
constexpr std::uint64_t kLargestTile = 1u << 30;  // decoded bytes, which are allocated at once
// Compressed bytes of a strip or tile above which free memory is checked first, since libtiff allocates them at once.
constexpr std::uint64_t kLargeChunk = 64u << 20;

Status checkClaim(const TiffFile& file, const TiffLayout& layout, std::uint64_t fileSize)
{
    if (canHoldImage(layout, fileSize)) return Status::ok();
    return inputError(file.name(),
                      fmt::format("tags 256 and 257: {} x {} samples, which is more than {} bytes can hold",
                                  layout.width, layout.height, fileSize));
}

class Decoder
{
public:
    Decoder(TiffFile& file, const TiffLayout& layout, std::uint64_t fileSize, Raster& raster)
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
            if (Status status = layout_.tiled ? readTiles(row, rows) : readStrip(row, rows, progress); !status)
                return status;
        }
        if (missing_ > 0)
            raster_.warnings.push_back(fmt::format(
                "{} left out of the file: {}",
                missing_ == 1 ? "1 strip or tile is" : grouped(missing_) + " strips or tiles are",
                std::isnan(layout_.missing) ? "voids"
                                            : fmt::format("{:g} m, since it names no nodata value", layout_.missing)));
        return Status::ok();
    }

private:
    // Resizes the heights, within reserved memory, to the rows decoded so far.
    void growTo(std::uint32_t rows)
    {
        const std::size_t count = std::size_t(rows) * layout_.width;
        if (raster_.heights.size() < count) raster_.heights.resize(count, layout_.missing);
    }
    std::span<float> samples(std::uint32_t row, std::uint32_t column, std::uint32_t count)
    {
        return std::span(raster_.heights).subspan(std::size_t(row) * layout_.width + column, count);
    }
    Result<TiffChunk> locate(std::uint32_t index, std::uint32_t rows)
    {
        Result<TiffChunk> chunk = locateChunk(file_, layout_, index, rows, fileSize_);
        if (!chunk) return chunk;
        if (chunk->missing) ++missing_;
        if (layout_.compression.scheme != COMPRESSION_NONE && chunk->count > kLargeChunk)
            if (Status status = checkMemory(printable(file_.name()), chunk->count); !status) return status.error();
        return chunk;
    }

    // Reads line by line, so that a file of one strip needs no second copy of the raster.
    Status readStrip(std::uint32_t row, std::uint32_t rows, Progress& progress)
    {
        const Result<TiffChunk> chunk = locate(row / layout_.chunkHeight, rows);
        if (!chunk) return chunk.error();
        if (chunk->missing) return growTo(row + rows), Status::ok();
        for (std::uint32_t i = row; i < row + rows; ++i)
        {
            if (!progress.at(i, layout_.height)) return progress.interrupted();
            buffer_.resize(std::max(std::size_t(TIFFScanlineSize64(file_.handle())), layout_.rowBytes(layout_.width)));
            if (TIFFReadScanline(file_.handle(), buffer_.data(), i, 0) != 1)
                return file_.error(fmt::format("row {}", i));
            buffer_.resize(layout_.rowBytes(layout_.width));
            layout_.unpack(buffer_);
            growTo(i + 1);
            convertSamples(layout_.rule, buffer_.data(), layout_.pixelBytes(), samples(i, 0, layout_.width));
        }
        return Status::ok();
    }

    Status readTiles(std::uint32_t row, std::uint32_t rows)
    {
        for (std::uint32_t column = 0; column < layout_.width; column += layout_.chunkWidth)
        {
            const Result<TiffChunk> chunk =
                locate(TIFFComputeTile(file_.handle(), column, row, 0, 0), layout_.chunkHeight);
            if (!chunk) return chunk.error();
            if (chunk->missing) continue;
            if (chunk->bytes > kLargestTile)
                return inputError(file_.name(),
                                  fmt::format("{}: {} bytes decoded, expected at most {}",
                                              layout_.chunkName(chunk->index), chunk->bytes, kLargestTile));
            buffer_.resize(std::size_t(chunk->bytes));
            const tmsize_t size = tmsize_t(chunk->bytes);
            if (TIFFReadEncodedTile(file_.handle(), chunk->index, buffer_.data(), size) != size)
                return file_.error(layout_.chunkName(chunk->index));
            layout_.unpack(buffer_);
            growTo(row + rows);
            const std::uint32_t columns = std::min(layout_.chunkWidth, layout_.width - column);
            for (std::uint32_t i = 0; i < rows; ++i)
                convertSamples(layout_.rule,
                               buffer_.data() + std::size_t(i) * layout_.chunkWidth * layout_.pixelBytes(),
                               layout_.pixelBytes(), samples(row + i, column, columns));
        }
        growTo(row + rows);
        return Status::ok();
    }

    TiffFile& file_;
    const TiffLayout& layout_;
    std::uint64_t fileSize_;
    Raster& raster_;
    std::vector<std::byte> buffer_;
    std::uint64_t missing_ = 0;
};

Result<GeoTiffHeader> readHeader(const TiffFile& file, std::uint64_t fileSize)
{
    Result<GeoTiffHeader> header = readGeoTiffHeader(file, kMaxRasterSide);
    if (!header) return header;
    if (Status status = checkClaim(file, header->layout, fileSize); !status) return status.error();
    return header;
}

}  // namespace

bool isTiff(std::span<const unsigned char> head)
{
    if (head.size() < 4) return false;
    const bool little = head[0] == 'I' && head[1] == 'I' && head[3] == 0;
    const bool big = head[0] == 'M' && head[1] == 'M' && head[2] == 0;
    const unsigned char version = little ? head[2] : head[3];
    return (little || big) && (version == 42 || version == 43);
}

bool canHoldImage(const TiffLayout& layout, std::uint64_t fileSize)
{
    const std::uint64_t bytes = std::uint64_t(layout.width) * layout.height * bytesOf(layout.rule.type);
    return bytes / std::max(layout.compression.ratio, kSparseRatio) <= fileSize;
}

Result<Raster> readGeoTiffHeader(const ByteSource& source)
{
    const Result<TiffFile> file = TiffFile::open(source);
    if (!file) return file.error();
    Result<GeoTiffHeader> header = readHeader(*file, source.size());
    if (!header) return header.error();
    return std::move(header->raster);
}

Result<Raster> readGeoTiff(const ByteSource& source, const LoadProgress& progress)
{
    Result<TiffFile> file = TiffFile::open(source);
    if (!file) return file.error();
    Result<GeoTiffHeader> header = readHeader(*file, source.size());
    if (!header) return header.error();
    Raster& raster = header->raster;
    if (Status status = reserveHeights(raster, header->layout.width, header->layout.height); !status)
        return status.error();
    if (Status status = Decoder(*file, header->layout, source.size(), raster).run(progress); !status)
        return status.error();
    unmirror(raster, header->geo);
    return std::move(raster);
}

}  // namespace orogen
