#include "core/terrain/import/block_store.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <cstring>
#include <numeric>

#include <fmt/format.h>
#include <zlib.h>

#include "core/terrain/io/byte_source.h"
#include "core/terrain/io/geotiff_writer.h"
#include "core/terrain/raster/raster_making.h"

namespace orogen {
namespace {

constexpr int kDeflateLevel = 6;
constexpr std::size_t kSide = kBlockSide;

// TIFF's predictor 2: stores the difference to the previous sample.
void difference(std::uint16_t* row)
{
    for (std::size_t i = kSide - 1; i > 0; --i)
        row[i] = std::uint16_t(row[i] - row[i - 1]);
}

void sum(std::uint16_t* row)
{
    for (std::size_t i = 1; i < kSide; ++i)
        row[i] = std::uint16_t(row[i] + row[i - 1]);
}

// TIFF's predictor 3: the most significant bytes of all samples, then the next ones, and differences between bytes.
void difference(std::uint32_t* row)
{
    std::array<std::uint8_t, 4 * kSide> bytes;
    for (std::size_t i = 0; i < kSide; ++i)
        for (std::size_t b = 0; b < 4; ++b)
            bytes[b * kSide + i] = std::uint8_t(row[i] >> (24 - 8 * b));
    for (std::size_t i = bytes.size() - 1; i > 0; --i)
        bytes[i] = std::uint8_t(bytes[i] - bytes[i - 1]);
    std::memcpy(row, bytes.data(), bytes.size());
}

void sum(std::uint32_t* row)
{
    std::array<std::uint8_t, 4 * kSide> bytes;
    std::memcpy(bytes.data(), row, bytes.size());
    for (std::size_t i = 1; i < bytes.size(); ++i)
        bytes[i] = std::uint8_t(bytes[i] + bytes[i - 1]);
    for (std::size_t i = 0; i < kSide; ++i)
    {
        row[i] = 0;
        for (std::size_t b = 0; b < 4; ++b)
            row[i] |= std::uint32_t(bytes[b * kSide + i]) << (24 - 8 * b);
    }
}

std::uint16_t bitsOf(std::uint16_t, float sample) { return std::uint16_t(std::int16_t(sample)); }
std::uint32_t bitsOf(std::uint32_t, float sample)
{
    std::uint32_t bits;
    std::memcpy(&bits, &sample, sizeof bits);
    return bits;
}
float sampleOf(std::uint16_t bits) { return float(std::int16_t(bits)); }
float sampleOf(std::uint32_t bits)
{
    float sample;
    std::memcpy(&sample, &bits, sizeof sample);
    return sample;
}

}  // namespace

template <class T>
void BlockCodec::pack(std::span<const float, kBlockSamples> samples, bool predicted)
{
    raw_.resize(kBlockSamples * sizeof(T));
    const T missing = bitsOf(T{}, std::isnan(job_.nodata) ? kVoid : float(job_.nodata));
    std::array<T, kSide> row;
    for (std::size_t y = 0; y < kSide; ++y)
    {
        const float* from = samples.data() + y * kSide;
        std::transform(from, from + kSide, row.begin(),
                       [missing](float sample) { return std::isnan(sample) ? missing : bitsOf(T{}, sample); });
        if (predicted) difference(row.data());
        std::memcpy(raw_.data() + y * sizeof row, row.data(), sizeof row);
    }
}

template <class T>
void BlockCodec::unpack(BlockSamples samples, bool predicted) const
{
    const T missing = bitsOf(T{}, std::isnan(job_.nodata) ? kVoid : float(job_.nodata));
    std::array<T, kSide> row;
    for (std::size_t y = 0; y < kSide; ++y)
    {
        std::memcpy(row.data(), raw_.data() + y * sizeof row, sizeof row);
        if (predicted) sum(row.data());
        std::transform(row.begin(), row.end(), samples.data() + y * kSide,
                       [missing](T bits) { return bits == missing ? kVoid : sampleOf(bits); });
    }
}

std::uint32_t BlockCodec::encode(std::span<const float, kBlockSamples> samples, std::vector<std::byte>& out)
{
    if (std::all_of(samples.begin(), samples.end(), [](float sample) { return std::isnan(sample); })) return 0;
    const bool deflated = job_.compression == ImportCompression::kDeflate;
    if (job_.samples == StoredSamples::kInt16)
        pack<std::uint16_t>(samples, deflated);
    else
        pack<std::uint32_t>(samples, deflated);
    const std::size_t begin = out.size() + 4;
    uLongf length = uLongf(raw_.size());
    if (deflated) length = compressBound(uLong(raw_.size()));
    out.resize(begin + length);
    if (!deflated)
        std::copy(raw_.begin(), raw_.end(), out.begin() + std::ptrdiff_t(begin));
    else if (compress2(reinterpret_cast<Bytef*>(out.data() + begin), &length,
                       reinterpret_cast<const Bytef*>(raw_.data()), uLong(raw_.size()), kDeflateLevel) != Z_OK)
        throw std::bad_alloc();  // the only possible error, since the output buffer is large enough
    const auto bytes = std::uint32_t(length);
    std::memcpy(out.data() + begin - 4, &bytes, 4);
    out.resize(begin + length);
    std::array<std::byte, 4> last;
    std::copy_n(out.end() - 4, 4, last.begin());
    out.insert(out.end(), last.begin(), last.end());
    return bytes;
}

bool BlockCodec::decode(std::span<const std::byte> bytes, BlockSamples samples)
{
    const bool whole = job_.samples == StoredSamples::kInt16,
               deflated = job_.compression == ImportCompression::kDeflate;
    raw_.resize(kBlockSamples * (whole ? 2 : 4));
    uLongf length = uLongf(raw_.size());
    if (!deflated && bytes.size() == raw_.size())
        std::copy(bytes.begin(), bytes.end(), raw_.begin());
    else if (!deflated || uncompress(reinterpret_cast<Bytef*>(raw_.data()), &length,
                                     reinterpret_cast<const Bytef*>(bytes.data()), uLong(bytes.size())) != Z_OK)
        return false;
    if (length != raw_.size()) return false;
    if (whole)
        unpack<std::uint16_t>(samples, deflated);
    else
        unpack<std::uint32_t>(samples, deflated);
    return true;
}

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
        place.level = kBoundsLevel, place.lastUse = 0;  // marks the cache entry as empty
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
