#include "core/terrain/import/block_codec.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <cstring>

#include <zlib.h>

#include "core/terrain/io/tiff_directory.h"
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
        throw std::bad_alloc();  // the only possible error: the output is large enough
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

}  // namespace orogen
