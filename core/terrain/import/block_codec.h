// Blocks of samples as they stand in the file: what TIFF calls tiles.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/terrain/import/import_job.h"

namespace orogen {

// Samples along a side of a block.  A view of a disc of tiles 10 tiles across needs 1.6 times their bytes of blocks of
// this size, and 2.2 times of blocks of 512.
inline constexpr int kBlockSide = 256;
inline constexpr std::size_t kBlockSamples = std::size_t(kBlockSide) * kBlockSide;

// Samples as floats, NaN for what is missing, which both kinds of stored samples give back exactly.
using BlockSamples = std::span<float, kBlockSamples>;

class BlockCodec
{
public:
    explicit BlockCodec(const ImportJob& job) : job_(job) {}

    // Appends the block as it stands in the file: 4 bytes of its length, its bytes, the last 4 of them again (GDAL's
    // BLOCK_LEADER and BLOCK_TRAILER).  Returns that length; 0, and nothing is appended: all samples are missing, and
    // the file leaves the block out.
    std::uint32_t encode(std::span<const float, kBlockSamples> samples, std::vector<std::byte>& out);

    // `bytes`: without what stands before and behind them.  False: damaged.
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
