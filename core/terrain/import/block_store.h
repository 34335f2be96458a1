// Blocks that an import has written, in whatever part they lie, read again: coarser levels and bounds follow from them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/status.h"
#include "core/terrain/import/block_codec.h"
#include "core/terrain/import/import_plan.h"
#include "core/terrain/import/part_file.h"
#include "core/terrain/tiles/tile_source.h"

namespace orogen {

// What lies where; shared by all readers.  parts[i] is part i, null where it is of no concern.
struct BlockStore
{
    const ImportJob& job;
    const ImportPlan& plan;
    std::vector<const PartFile*> parts;
};

// A row of blocks in a record: their lengths, then the blocks with what stands before and behind each.
struct BlockRecord
{
    std::vector<std::uint32_t> lengths;  // 0: left out

    static std::uint64_t stored(std::uint32_t length) { return length == 0 ? 0 : std::uint64_t(length) + 8; }
    std::uint64_t begin() const { return 4 * lengths.size(); }  // of the first block in the payload
    std::uint64_t bytes() const;                                // of all blocks
};
Result<BlockRecord> blockRecord(const PartFile& part, std::uint64_t number, int count);

// One thread's access.  Keeps the blocks that it read last, kKept of them.
class BlockReader
{
public:
    static constexpr std::size_t kKept = 80;  // 256 KiB each

    explicit BlockReader(const BlockStore& store) : store_(store), codec_(store.job) {}

    // Samples, not metres, of a window that lies in the level; NaN where they are missing.  Errors, kInput.
    Status read(const TileWindow& window, std::span<float> out);

private:
    struct Kept
    {
        int level = 0, column = 0, row = 0;
        std::uint64_t lastUse = 0;
        std::vector<float> samples;
    };

    Result<const float*> block(int level, int column, int row);
    Status load(Kept& place);

    const BlockStore& store_;
    BlockCodec codec_;
    std::vector<Kept> kept_;
    std::uint64_t uses_ = 0;
};

}  // namespace orogen
