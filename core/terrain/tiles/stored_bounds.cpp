#include "core/terrain/tiles/stored_bounds.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <string_view>

#include <zlib.h>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/terrain/raster/raster.h"

namespace orogen {
namespace {

constexpr std::string_view kMagic = "OROGENTB";
constexpr std::size_t kRecordBytes = 12;
constexpr std::uint64_t kHeaderBytes = 16'384;  // usually contains the first directory of a TIFF
constexpr std::uint64_t kMostEntries = 4096;    // entries read of a directory; real ones have about twenty

Error boundsError(const std::string& name, const std::string& what)
{
    return {ExitCode::kInput, printable(name) + ": stored bounds: " + what};
}

std::uint32_t checksum(std::span<const std::byte> bytes)
{
    return std::uint32_t(crc32(0, reinterpret_cast<const Bytef*>(bytes.data()), uInt(bytes.size())));
}

template <class T>
void append(std::vector<std::byte>& bytes, T value)
{
    const std::size_t at = bytes.size();
    bytes.resize(at + sizeof value);
    std::memcpy(bytes.data() + at, &value, sizeof value);
}

template <class T>
T valueAt(std::span<const std::byte> bytes, std::size_t at)
{
    assert(at + sizeof(T) <= bytes.size());
    T value;
    std::memcpy(&value, bytes.data() + at, sizeof value);
    return value;
}

// Returns whether an import can have written this record. A correct checksum does not prove it, since any program can
// compute one. NaN fails each comparison.
bool areBounds(const TileBounds& bounds)
{
    return bounds.lowest >= -kLargestHeight && bounds.lowest <= bounds.highest && bounds.highest <= kLargestHeight &&
           bounds.deviation >= 0 && bounds.deviation <= 2 * kLargestHeight;
}

// The beginning of a file in memory; the rest is read on request.
class HeaderReader
{
public:
    HeaderReader(std::uint64_t fileSize, const ReadBytes& read) : fileSize_(fileSize), read_(read) {}

    bool readHead()
    {
        head_.resize(std::size_t(std::min(fileSize_, kHeaderBytes)));
        return read_(0, head_);
    }
    std::span<const std::byte> head() const { return head_; }
    std::optional<std::vector<std::byte>> at(std::uint64_t offset, std::uint64_t count) const
    {
        if (offset > fileSize_ || count > fileSize_ - offset) return std::nullopt;
        std::vector<std::byte> bytes(std::size_t(count), std::byte{0});
        if (offset + count <= head_.size())
            std::copy_n(head_.begin() + std::ptrdiff_t(offset), count, bytes.begin());
        else if (!read_(offset, bytes))
            return std::nullopt;
        return bytes;
    }

private:
    std::uint64_t fileSize_;
    const ReadBytes& read_;
    std::vector<std::byte> head_;
};

// Returns the value of kStoredBoundsTag in the first directory. Empty without the tag, or if the file is no readable
// little-endian TIFF.
std::optional<std::vector<std::byte>> descriptorBytes(const HeaderReader& file)
{
    const auto header = file.at(0, 16);
    if (!header || valueAt<std::uint16_t>(*header, 0) != 0x4949) return std::nullopt;
    const bool big = valueAt<std::uint16_t>(*header, 2) == 43;
    if (!big && valueAt<std::uint16_t>(*header, 2) != 42) return std::nullopt;
    const std::uint64_t directory = big ? valueAt<std::uint64_t>(*header, 8) : valueAt<std::uint32_t>(*header, 4);
    const std::size_t countBytes = big ? 8 : 2, entryBytes = big ? 20 : 12;
    const auto count = file.at(directory, countBytes);
    if (!count) return std::nullopt;
    const std::uint64_t entries = big ? valueAt<std::uint64_t>(*count, 0) : valueAt<std::uint16_t>(*count, 0);
    const auto table = file.at(directory + countBytes, std::min(entries, kMostEntries) * entryBytes);
    if (!table) return std::nullopt;
    for (std::size_t at = 0; at < table->size(); at += entryBytes)
    {
        if (valueAt<std::uint16_t>(*table, at) != kStoredBoundsTag) continue;
        const std::uint64_t bytes =
            big ? valueAt<std::uint64_t>(*table, at + 4) : valueAt<std::uint32_t>(*table, at + 4);
        const std::uint64_t offset =
            big ? valueAt<std::uint64_t>(*table, at + 12) : valueAt<std::uint32_t>(*table, at + 8);
        // A value that is too short or cannot be read means that the descriptor is invalid, not absent.
        return file.at(offset, std::min<std::uint64_t>(bytes, BoundsDescriptor::kBytes))
            .value_or(std::vector<std::byte>());
    }
    return std::nullopt;
}

Result<BoundsDescriptor> parse(const std::string& name, std::span<const std::byte> bytes)
{
    if (bytes.size() < BoundsDescriptor::kBytes || std::memcmp(bytes.data(), kMagic.data(), kMagic.size()) != 0)
        return boundsError(name, "the descriptor is invalid");
    if (const auto version = valueAt<std::uint32_t>(bytes, 8); version != kStoredBoundsVersion)
        return boundsError(name, fmt::format("version {}, expected {}", version, kStoredBoundsVersion));
    if (checksum(bytes.first(68)) != valueAt<std::uint32_t>(bytes, 68))
        return boundsError(name, "the descriptor is damaged");
    if (valueAt<std::uint32_t>(bytes, 12) != kTileCells || valueAt<std::uint32_t>(bytes, 16) != kBoundsPageSide)
        return boundsError(name, "other tiles than this program has");
    const auto width = valueAt<std::uint32_t>(bytes, 20), height = valueAt<std::uint32_t>(bytes, 24);
    if (width < 2 || height < 2 || width > kMaxTiledSide || height > kMaxTiledSide)
        return boundsError(
            name, fmt::format("of a raster of {} x {} samples, expected 2 to {} a side", width, height, kMaxTiledSide));
    BoundsDescriptor result;
    result.width = int(width);
    result.height = int(height);
    result.offset = valueAt<std::uint64_t>(bytes, 32);
    result.fileSize = valueAt<std::uint64_t>(bytes, 40);
    result.fingerprint = valueAt<std::uint64_t>(bytes, 48);
    return result;
}

}  // namespace

BoundsLayout::BoundsLayout(const TileGrid& grid) : grid_(grid)
{
    for (int level = grid.levels() - 1; level >= 0; --level)
    {
        begins_[std::size_t(level)] = bytes_;
        const std::uint64_t pages = std::uint64_t(pageColumns(level)) * std::uint64_t(pageRows(level));
        bytes_ += grid.tiles(level) * kRecordBytes + pages * 4;
    }
}

BoundsLayout::Page BoundsLayout::page(int level, int x, int y) const
{
    const int left = x * kBoundsPageSide, top = y * kBoundsPageSide;
    Page page;
    page.columns = std::min(kBoundsPageSide, grid_.columns(level) - left);
    page.rows = std::min(kBoundsPageSide, grid_.rows(level) - top);
    assert(page.columns > 0 && page.rows > 0);
    const std::uint64_t pagesBefore = std::uint64_t(y) * std::uint64_t(pageColumns(level)) + std::uint64_t(x);
    const std::uint64_t tilesBefore =
        std::uint64_t(top) * std::uint64_t(grid_.columns(level)) + std::uint64_t(page.rows) * std::uint64_t(left);
    page.offset = begins_[std::size_t(level)] + tilesBefore * kRecordBytes + pagesBefore * 4;
    return page;
}

std::vector<std::byte> packBoundsPage(std::span<const TileBounds> records)
{
    std::vector<std::byte> bytes;
    bytes.reserve(records.size() * kRecordBytes + 4);
    for (const TileBounds& bounds : records)
    {
        append(bytes, bounds.lowest);
        append(bytes, bounds.highest);
        append(bytes, bounds.deviation);
    }
    append(bytes, checksum(bytes));
    return bytes;
}

std::vector<std::byte> BoundsDescriptor::pack() const
{
    std::vector<std::byte> bytes;
    for (const char c : kMagic)
        append(bytes, c);
    for (const int value : {int(kStoredBoundsVersion), kTileCells, kBoundsPageSide, width, height, 0})
        append(bytes, std::uint32_t(value));
    for (const std::uint64_t value : {offset, fileSize, fingerprint})
        append(bytes, value);
    bytes.resize(68);
    append(bytes, checksum(bytes));
    return bytes;
}

Result<std::optional<BoundsDescriptor>> findBoundsDescriptor(const std::string& name, std::uint64_t fileSize,
                                                             const ReadBytes& read)
{
    HeaderReader file(fileSize, read);
    if (!file.readHead()) return boundsError(name, "the file cannot be read");
    const std::optional<std::vector<std::byte>> bytes = descriptorBytes(file);
    if (!bytes) return std::optional<BoundsDescriptor>();
    Result<BoundsDescriptor> descriptor = parse(name, *bytes);
    if (!descriptor) return descriptor.error();
    // On changing a Cloud Optimized GeoTIFF, GDAL writes a note behind the TIFF header.
    const std::string_view text(reinterpret_cast<const char*>(file.head().data()),
                                std::min<std::size_t>(file.head().size(), 512));
    if (text.find("KNOWN_INCOMPATIBLE_EDITION=YES") != std::string_view::npos)
        return boundsError(name, "another program has changed the file since its import");
    const std::uint64_t pages = BoundsLayout(TileGrid(descriptor->width, descriptor->height)).bytes();
    if (fileSize != descriptor->fileSize)
        return boundsError(name, fmt::format("the file has {} bytes, expected {} as when it was imported", fileSize,
                                             descriptor->fileSize));
    if (pages > fileSize || descriptor->offset != fileSize - pages)
        return boundsError(name, fmt::format("{} bytes at offset {}, expected them at the end of the file's {} bytes",
                                             pages, descriptor->offset, fileSize));
    return std::optional(*descriptor);
}

Result<std::unique_ptr<const StoredBounds>> StoredBounds::open(std::string name, std::uint64_t fileSize,
                                                               const TileGrid& grid, ReadBytes read)
{
    const Result<std::optional<BoundsDescriptor>> descriptor = findBoundsDescriptor(name, fileSize, read);
    if (!descriptor) return descriptor.error();
    if (!*descriptor) return std::unique_ptr<const StoredBounds>();
    if ((*descriptor)->width != grid.width() || (*descriptor)->height != grid.height())
        return boundsError(name, fmt::format("of {} x {} samples, expected {} x {}", (*descriptor)->width,
                                             (*descriptor)->height, grid.width(), grid.height()));
    std::unique_ptr<StoredBounds> bounds(new StoredBounds(std::move(name), **descriptor, grid, std::move(read)));
    bounds->head_.resize(std::size_t(std::min(kHeadBytes, bounds->layout_.bytes())));
    if (!bounds->read_(bounds->descriptor_.offset, bounds->head_))
        return boundsError(bounds->name_, fmt::format("cannot be read at offset {}", bounds->descriptor_.offset));
    return std::unique_ptr<const StoredBounds>(std::move(bounds));
}

Result<std::vector<TileBounds>> StoredBounds::readPage(const BoundsLayout::Page& page) const
{
    const std::uint64_t place = descriptor_.offset + page.offset;
    std::vector<std::byte> bytes(page.bytes());
    if (page.offset + bytes.size() <= head_.size())
        std::copy_n(head_.begin() + std::ptrdiff_t(page.offset), bytes.size(), bytes.begin());
    else if (!read_(place, bytes))
        return boundsError(name_, fmt::format("cannot be read at offset {}", place));
    const std::span records = std::span<const std::byte>(bytes).first(bytes.size() - 4);
    if (checksum(records) != valueAt<std::uint32_t>(bytes, records.size()))
        return boundsError(name_, fmt::format("damaged at offset {}", place));
    std::vector<TileBounds> result(records.size() / kRecordBytes);
    for (std::size_t i = 0; i < result.size(); ++i)
    {
        const std::size_t at = i * kRecordBytes;
        result[i] = {valueAt<float>(records, at), valueAt<float>(records, at + 4), valueAt<float>(records, at + 8)};
        if (!areBounds(result[i]))
            return boundsError(name_, fmt::format("lowest {:g}, highest {:g}, deviation {:g} at offset {}, expected "
                                                  "heights within {:g} m in this order and a distance between them",
                                                  result[i].lowest, result[i].highest, result[i].deviation, place + at,
                                                  kLargestHeight));
    }
    return result;
}

void StoredBounds::keep(std::uint64_t offset, const std::vector<TileBounds>& records) const
{
    const std::scoped_lock lock(mutex_);
    if (pages_.size() >= kMostPages)
        pages_.erase(std::ranges::min_element(pages_, {}, [](const auto& page) { return page.second.lastUse; }));
    pages_.insert_or_assign(offset, KeptPage{records, ++uses_});
}

Result<TileBounds> StoredBounds::at(const TileKey& key) const
{
    assert(layout_.grid().has(key));
    const BoundsLayout::Page page = layout_.page(key.level, key.x / kBoundsPageSide, key.y / kBoundsPageSide);
    const std::size_t record =
        std::size_t(key.y % kBoundsPageSide) * std::size_t(page.columns) + std::size_t(key.x % kBoundsPageSide);
    {
        const std::scoped_lock lock(mutex_);
        if (const auto kept = pages_.find(page.offset); kept != pages_.end())
        {
            kept->second.lastUse = ++uses_;
            return kept->second.records[record];
        }
    }
    const Result<std::vector<TileBounds>> records = readPage(page);  // without holding the lock
    if (!records) return records.error();
    keep(page.offset, *records);
    return (*records)[record];
}

}  // namespace orogen
