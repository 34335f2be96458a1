#include "core/terrain/import/cog_writer.h"

#include <algorithm>
#include <array>
#include <functional>
#include <optional>

#include <fmt/format.h>

#include "core/base/atomic_file.h"
#include "core/terrain/import/record_maker.h"
#include "core/terrain/io/geotiff_writer.h"
#include "core/terrain/raster/raster.h"
#include "core/terrain/tiles/stored_bounds.h"

namespace orogen {
namespace {

// Returns the text behind the TIFF header by which GDAL recognises a Cloud Optimized GeoTIFF.
std::string layoutNote()
{
    const std::string items = "LAYOUT=IFDS_BEFORE_DATA\nBLOCK_ORDER=ROW_MAJOR\nBLOCK_LEADER=SIZE_AS_UINT4\n"
                              "BLOCK_TRAILER=LAST_4_BYTES_REPEATED\nKNOWN_INCOMPATIBLE_EDITION=NO\n ";
    return fmt::format("GDAL_STRUCTURAL_METADATA_SIZE={:06} bytes\n", items.size()) + items;
}

class CogWriter
{
public:
    CogWriter(const BlockStore& store, const LoadProgress& progress, std::uint64_t bigFrom)
        : store_(store), job_(store.job), plan_(store.plan), grid_(job_.grid()), layout_(grid_), progress_(progress),
          bigFrom_(bigFrom)
    {
    }

    Result<FinishedImport> write(const std::string& path);

private:
    // Function called for each record of a level, in the order of its blocks.
    using WithRecord = std::function<Status(const PartFile& part, std::uint64_t number, const BlockRecord& record)>;
    Status forRecords(int level, const WithRecord& work) const;
    Status measure();
    TiffDirectory directoryOf(int level) const;
    void setLists(int level, TiffDirectory& directory) const;
    void placeArrays();
    std::vector<std::byte> header() const;
    Status writeArrays(AtomicFile& file);
    Status writeLists(int level, AtomicFile& file) const;
    Status writeBlocks(AtomicFile& file);
    Status writeBounds(AtomicFile& file);
    Result<std::vector<TileBounds>> boundsPage(int level, int x, int y);
    Result<TileBounds> boundsOf(const TileKey& key);
    Result<const UnitBounds*> unit(int column, int row);
    bool goesOn(std::uint64_t bytes)
    {
        return done_ += bytes, !progress_ || progress_(double(done_) / double(size_), "joining");
    }

    std::uint64_t blocks(int level) const
    {
        return std::uint64_t(plan_.blockRows(level)) * std::uint64_t(plan_.blockColumns(level));
    }
    std::size_t positionBytes() const { return big_ ? 8 : 4; }
    static std::uint64_t padded(std::uint64_t size) { return (size + 7) / 8 * 8; }

    const BlockStore& store_;
    const ImportJob& job_;
    const ImportPlan& plan_;
    TileGrid grid_;
    BoundsLayout layout_;
    const LoadProgress& progress_;

    std::uint64_t bigFrom_;
    bool big_ = false;
    std::array<std::uint64_t, kMostTileLevels> levelBytes_{};           // size of a level's blocks
    std::array<std::uint64_t, kMostTileLevels> levelBegins_{};          // offset of a level's blocks
    std::array<std::uint64_t, kMostTileLevels> offsets_{}, lengths_{};  // where the lists of offsets and lengths begin
    std::array<std::vector<std::uint32_t>, kMostTileLevels> few_;       // lengths, for a level of one or two blocks
    std::uint64_t dataBegin_ = 0, boundsBegin_ = 0, size_ = 0, done_ = 0;
    std::vector<float> deviations_;
    std::vector<UnitBounds> units_;  // bounds of units (see record_maker.h) in the record that was read last
    ImportRecord unitsOf_{0, -1, 0, 0};
};

Status CogWriter::forRecords(int level, const WithRecord& work) const
{
    for (int row = 0; row < plan_.blockRows(level); ++row)
        for (int column = 0; column < plan_.blockColumns(level); column += kRecordBlocks)
        {
            const PartFile& part = *store_.parts[std::size_t(plan_.partOf(level, row))];
            const std::uint64_t number = plan_.numberOf(level, row, column);
            const Result<BlockRecord> record =
                blockRecord(part, number, std::min(kRecordBlocks, plan_.blockColumns(level) - column));
            if (!record) return record.error();
            if (Status s = work(part, number, *record); !s) return s;
        }
    return Status::ok();
}

Status CogWriter::measure()
{
    std::uint64_t all = layout_.bytes();
    for (int level = 0; level < grid_.levels(); ++level)
    {
        std::uint64_t& bytes = levelBytes_[std::size_t(level)];
        const Status s = forRecords(level, [&](const PartFile&, std::uint64_t, const BlockRecord& record) {
            bytes += record.bytes();
            std::vector<std::uint32_t>& few = few_[std::size_t(level)];
            if (blocks(level) <= 2) few.insert(few.end(), record.lengths.begin(), record.lengths.end());
            return Status::ok();
        });
        if (!s) return s;
        all += bytes + blocks(level) * 12;
    }
    big_ = all >= bigFrom_;
    return Status::ok();
}

TiffDirectory CogWriter::directoryOf(int level) const
{
    const bool whole = job_.samples == StoredSamples::kInt16,
               deflated = job_.compression == ImportCompression::kDeflate;
    TiffDirectory directory(big_);
    const auto shortTag = [&directory](std::uint16_t tag, int value) {
        directory.set(tag, kTiffShort, std::vector{std::uint16_t(value)});
    };
    directory.set(254, kTiffLong, std::vector{std::uint32_t(level == 0 ? 0 : 1)});
    directory.set(256, kTiffLong, std::vector{std::uint32_t(TileGrid::samplesOf(job_.width, level))});
    directory.set(257, kTiffLong, std::vector{std::uint32_t(TileGrid::samplesOf(job_.height, level))});
    shortTag(258, whole ? 16 : 32);
    shortTag(259, deflated ? 8 : 1);
    shortTag(262, 1);
    shortTag(277, 1);
    shortTag(284, 1);
    if (deflated) shortTag(317, whole ? 2 : 3);
    shortTag(322, kBlockSide);
    shortTag(323, kBlockSide);
    setLists(level, directory);
    shortTag(339, whole ? 2 : 3);
    directory.set(42113, job_.nodataText);
    if (level > 0) return directory;
    directory.set(job_.tags);
    if (!job_.metadata.empty()) directory.set(42112, job_.metadata);
    const BoundsDescriptor bounds = {job_.width, job_.height, boundsBegin_, size_, job_.fingerprint};
    directory.set(kStoredBoundsTag, kTiffUndefined, bounds.pack());
    return directory;
}

// Sets the lists of block offsets and lengths; a list that fits into its directory entry is stored there.
void CogWriter::setLists(int level, TiffDirectory& directory) const
{
    const std::uint64_t count = blocks(level);
    const std::vector<std::uint32_t>& few = few_[std::size_t(level)];
    if (count == 1)
        directory.setPosition(324, few[0] == 0 ? 0 : levelBegins_[std::size_t(level)] + 4);
    else
        directory.setArray(324, big_ ? kTiffLong8 : kTiffLong, count, offsets_[std::size_t(level)]);
    if (count * 4 <= positionBytes())
        directory.set(325, kTiffLong, few);
    else
        directory.setArray(325, kTiffLong, count, lengths_[std::size_t(level)]);
}

void CogWriter::placeArrays()
{
    std::uint64_t at = padded((big_ ? 16 : 8) + layoutNote().size());
    for (int level = 0; level < grid_.levels(); ++level)
        at += directoryOf(level).size();
    for (int level = 0; level < grid_.levels(); ++level)
    {
        offsets_[std::size_t(level)] = at;
        lengths_[std::size_t(level)] = at + padded(blocks(level) * positionBytes());
        at = lengths_[std::size_t(level)] + padded(blocks(level) * 4);
    }
    dataBegin_ = at;
    for (int level = grid_.levels() - 1; level >= 0; --level)
    {
        levelBegins_[std::size_t(level)] = at;
        at += levelBytes_[std::size_t(level)];
    }
    boundsBegin_ = at;
    size_ = at + layout_.bytes();
}

std::vector<std::byte> CogWriter::header() const
{
    const std::string note = layoutNote();
    const std::uint64_t first = padded((big_ ? 16 : 8) + note.size());
    std::vector<std::byte> out = tiffHeader(big_, first);
    const auto text = std::as_bytes(std::span(note));
    out.insert(out.end(), text.begin(), text.end());
    out.resize(first);
    for (int level = 0; level < grid_.levels(); ++level)
    {
        const TiffDirectory directory = directoryOf(level);
        const bool last = level + 1 == grid_.levels();
        const std::vector<std::byte> built = directory.build(out.size(), last ? 0 : out.size() + directory.size());
        out.insert(out.end(), built.begin(), built.end());
    }
    return out;
}

// Writes the offsets of a level's blocks, then their lengths.
Status CogWriter::writeLists(int level, AtomicFile& file) const
{
    for (const bool offsets : {true, false})
    {
        std::uint64_t at = levelBegins_[std::size_t(level)];
        const Status s = forRecords(level, [&](const PartFile&, std::uint64_t, const BlockRecord& record) {
            std::vector<std::byte> list;
            for (const std::uint32_t length : record.lengths)
            {
                const std::uint64_t value = !offsets ? length : length == 0 ? 0 : at + 4;
                if (offsets && big_)
                    appendBytes(list, value);
                else
                    appendBytes(list, std::uint32_t(value));
                at += BlockRecord::stored(length);
            }
            return file.write(list);
        });
        if (!s) return s;
        const std::uint64_t bytes = blocks(level) * (offsets ? positionBytes() : 4);
        if (Status padding = file.write(std::vector<std::byte>(padded(bytes) - bytes)); !padding) return padding;
    }
    return Status::ok();
}

Status CogWriter::writeArrays(AtomicFile& file)
{
    for (int level = 0; level < grid_.levels(); ++level)
        if (Status s = writeLists(level, file); !s) return s;
    return Status::ok();
}

Status CogWriter::writeBlocks(AtomicFile& file)
{
    done_ = dataBegin_;
    for (int level = grid_.levels() - 1; level >= 0; --level)
    {
        const Status s = forRecords(level, [&](const PartFile& part, std::uint64_t number, const BlockRecord& record) {
            const Result<std::vector<std::byte>> payload = part.readChecked(number);
            if (!payload) return Status(payload.error());
            if (!goesOn(record.bytes())) return Status(Error{ExitCode::kInterrupted, "interrupted"});
            return file.write(std::span(*payload).subspan(record.begin()));
        });
        if (!s) return s;
    }
    return Status::ok();
}

Result<const UnitBounds*> CogWriter::unit(int column, int row)
{
    const std::uint64_t number = plan_.numberOf(kBoundsLevel, row, column);
    const ImportRecord record = plan_.record(plan_.finishPart(), number);
    if (!(record == unitsOf_))
    {
        const Result<std::vector<std::byte>> payload = store_.parts.back()->readChecked(number);
        if (!payload) return payload.error();
        units_.clear();
        for (int i = 0; i < record.count; ++i)
            units_.push_back(UnitBounds::unpack(
                std::span(*payload).subspan(std::size_t(i) * UnitBounds::kBytes, UnitBounds::kBytes)));
        unitsOf_ = record;
    }
    return static_cast<const UnitBounds*>(&units_[std::size_t(column - record.first)]);
}

// Returns a tile's bounds: stored in a unit, or combined from several units for a larger tile.
Result<TileBounds> CogWriter::boundsOf(const TileKey& key)
{
    const int inUnit = kUnitLevels - 1 - key.level;
    if (inUnit >= 0)
    {
        const Result<const UnitBounds*> holder = unit(key.x >> inUnit, key.y >> inUnit);
        if (!holder) return holder.error();
        const int mask = (1 << inUnit) - 1;
        return (*holder)->tiles[std::size_t(key.level)][std::size_t(((key.y & mask) << inUnit) + (key.x & mask))];
    }
    std::optional<TileBounds> all;
    for (int row = key.y << -inUnit; row < std::min((key.y + 1) << -inUnit, plan_.unitRows()); ++row)
        for (int column = key.x << -inUnit; column < std::min((key.x + 1) << -inUnit, plan_.unitColumns()); ++column)
        {
            const Result<const UnitBounds*> part = unit(column, row);
            if (!part) return part.error();
            const float deviation = (*part)->deviations[std::size_t(key.level)];
            if (!all) all = (*part)->whole(), all->deviation = deviation;
            all->lowest = std::min(all->lowest, (*part)->whole().lowest);
            all->highest = std::max(all->highest, (*part)->whole().highest);
            all->deviation = std::max(all->deviation, deviation);
        }
    return *all;
}

Result<std::vector<TileBounds>> CogWriter::boundsPage(int level, int x, int y)
{
    const BoundsLayout::Page page = layout_.page(level, x, y);
    std::vector<TileBounds> records;
    for (int row = 0; row < page.rows; ++row)
        for (int column = 0; column < page.columns; ++column)
        {
            const Result<TileBounds> bounds =
                boundsOf({level, x * kBoundsPageSide + column, y * kBoundsPageSide + row});
            if (!bounds) return bounds.error();
            records.push_back(*bounds);
            deviations_[std::size_t(level)] = std::max(deviations_[std::size_t(level)], bounds->deviation);
        }
    return records;
}

Status CogWriter::writeBounds(AtomicFile& file)
{
    deviations_.assign(std::size_t(grid_.levels()), 0.0f);
    for (int level = grid_.levels() - 1; level >= 0; --level)
        for (int y = 0; y < layout_.pageRows(level); ++y)
            for (int x = 0; x < layout_.pageColumns(level); ++x)
            {
                const Result<std::vector<TileBounds>> records = boundsPage(level, x, y);
                if (!records) return records.error();
                const std::vector<std::byte> page = packBoundsPage(*records);
                if (!goesOn(page.size())) return Error{ExitCode::kInterrupted, "interrupted"};
                if (Status s = file.write(page); !s) return s;
            }
    return Status::ok();
}

Result<FinishedImport> CogWriter::write(const std::string& path)
{
    if (Status s = measure(); !s) return s.error();
    placeArrays();
    Result<AtomicFile> file = AtomicFile::create(path, systemFileCalls(), path + ".joining");
    if (!file) return file.error();
    if (Status s = file->write(header()); !s) return s.error();
    if (Status s = writeArrays(*file); !s) return s.error();
    if (Status s = writeBlocks(*file); !s) return s.error();
    if (Status s = writeBounds(*file); !s) return s.error();
    if (Status s = file->commit(); !s) return s.error();
    return FinishedImport{size_, deviations_};
}

}  // namespace

Result<FinishedImport> writeCog(const BlockStore& store, const std::string& path, const LoadProgress& progress,
                                std::uint64_t bigFrom)
{
    return CogWriter(store, progress, bigFrom).write(path);
}

}  // namespace orogen
