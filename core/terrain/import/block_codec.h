// Codec for blocks of samples in the file, which TIFF calls tiles.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/terrain/import/import_job.h"

namespace orogen {

// Samples along a side of a block. A view of a disc of tiles 10 tiles across needs 1.6 times their bytes with this
// size, and 2.2 times with 512.
inline constexpr int kBlockSide = 256;
inline constexpr std::size_t kBlockSamples = std::size_t(kBlockSide) * kBlockSide;

// Samples as floats, NaN where missing. Both stored sample types round-trip exactly.
using BlockSamples = std::span<float, kBlockSamples>;

class BlockCodec
{
public:
    explicit BlockCodec(const ImportJob& job) : job_(job) {}

    // Appends the block in its stored form: 4 bytes of length, its bytes, and its last 4 bytes again (GDAL's
    // BLOCK_LEADER and BLOCK_TRAILER). Returns the length; 0 if all samples are missing. Then nothing is appended, and
    // the file omits the block.
    std::uint32_t encode(std::span<const float, kBlockSamples> samples, std::vector<std::byte>& out);

    // Decodes a block; `bytes` excludes leader and trailer. Returns false if it is damaged.
    [[nodiscard]] bool decode(std::span<const std::byte> bytes, BlockSamples samples);

private:
    template <class T>
    void pack(std::span<const float, kBlockSamples> samples, bool predicted);
    template <class T>
    void unpack(BlockSamples samples, bool predicted) const;

    const ImportJob& job_;
    std::vector<std::byte> raw_;
};

}  // namespace orogen
