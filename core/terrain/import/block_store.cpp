#include "core/terrain/import/block_store.h"

#include <algorithm>
#include <cassert>
#include <numeric>

#include <fmt/format.h>

#include "core/terrain/io/reading.h"

namespace orogen {

std::uint64_t BlockRecord::bytes() const
{
    return std::accumulate(lengths.begin(), lengths.end(), std::uint64_t(0),
                           [](std::uint64_t sum, std::uint32_t length) { return sum + stored(length); });
}

Result<BlockRecord> blockRecord(const PartFile& part, std::uint64_t number, int count)
{
    BlockRecord record{std::vector<std::uint32_t>(std::size_t(count))};
    if (Status s = part.read(number, 0, std::as_writable_bytes(std::span(record.lengths))); !s) return s.error();
    if (record.begin() + record.bytes() != part.bytesOf(number))
        return inputError(part.path(), fmt::format("record {}: lengths that do not fit", number));
    return record;
}

Status BlockReader::load(Kept& place)
{
    place.samples.resize(kBlockSamples);
    const ImportPlan& plan = store_.plan;
    const int partNumber = plan.partOf(place.level, place.row);
    const PartFile& part = *store_.parts[std::size_t(partNumber)];
    const std::uint64_t number = plan.numberOf(place.level, place.row, place.column);
    const ImportRecord at = plan.record(partNumber, number);
    const Result<BlockRecord> record = blockRecord(part, number, at.count);
    if (!record) return record.error();
    const std::size_t index = std::size_t(place.column - at.first);
    std::uint64_t offset = record->begin();
    for (std::size_t i = 0; i < index; ++i)
        offset += BlockRecord::stored(record->lengths[i]);
    if (record->lengths[index] == 0)
    {
        std::fill(place.samples.begin(), place.samples.end(), kVoid);
        return Status::ok();
    }
    std::vector<std::byte> bytes(record->lengths[index]);
    if (Status s = part.read(number, offset + 4, bytes); !s) return s;
    if (!codec_.decode(bytes, BlockSamples(place.samples)))
        return inputError(part.path(), fmt::format("record {}: damaged (delete the file and import again)", number));
    return Status::ok();
}

Result<const float*> BlockReader::block(int level, int column, int row)
{
    const auto found = std::ranges::find_if(
        kept_, [&](const Kept& kept) { return kept.level == level && kept.column == column && kept.row == row; });
    if (found != kept_.end())
    {
        found->lastUse = ++uses_;
        return static_cast<const float*>(found->samples.data());
    }
    if (kept_.size() < kKept) kept_.emplace_back();
    Kept& place = *std::ranges::min_element(kept_, {}, &Kept::lastUse);
    place.level = level, place.column = column, place.row = row, place.lastUse = ++uses_;
    if (Status s = load(place); !s)
    {
        place.level = kBoundsLevel, place.lastUse = 0;  // empty cache entry
        return s.error();
    }
    return static_cast<const float*>(place.samples.data());
}

Status BlockReader::read(const TileWindow& window, std::span<float> out)
{
    assert(out.size() == std::size_t(window.width) * std::size_t(window.height));
    const int right = window.column + window.width, bottom = window.row + window.height;
    for (int y = window.row / kBlockSide; y * kBlockSide < bottom; ++y)
        for (int x = window.column / kBlockSide; x * kBlockSide < right; ++x)
        {
            const Result<const float*> samples = block(window.level, x, y);
            if (!samples) return samples.error();
            const int left = std::max(window.column, x * kBlockSide), end = std::min(right, (x + 1) * kBlockSide);
            for (int row = std::max(window.row, y * kBlockSide); row < std::min(bottom, (y + 1) * kBlockSide); ++row)
                std::copy_n(*samples + std::ptrdiff_t(row - y * kBlockSide) * kBlockSide + (left - x * kBlockSide),
                            end - left,
                            out.begin() + std::ptrdiff_t(row - window.row) * window.width + (left - window.column));
        }
    return Status::ok();
}

}  // namespace orogen
