// Creation of the payloads of an import's records.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/base/status.h"
#include "core/terrain/import/block_store.h"
#include "core/terrain/import/unit_bounds.h"
#include "core/terrain/tiles/tile_source.h"

namespace orogen {

// Maker of record payloads. Not thread-safe; each thread has its own.
class RecordMaker
{
public:
    // `source` may be null if no record of the finest level is made, `coarsest` if no bounds are.
    RecordMaker(const BlockStore& store, const TileSource* source, const CoarsestLevel* coarsest)
        : store_(store), source_(source), coarsest_(coarsest), codec_(store.job), reader_(store)
    {
    }

    // Makes the payloads of consecutive records of a stripe: the same columns, one row below the other.
    Status make(const ImportRecord& first, int rows, std::vector<std::vector<std::byte>>& payloads);

private:
    Status makeFinest(const ImportRecord& first, int rows, std::vector<std::vector<std::byte>>& payloads);
    Result<std::vector<std::byte>> makeCoarse(const ImportRecord& record);
    Result<std::vector<std::byte>> makeBounds(const ImportRecord& record);
    Status decimate(int level, int column, int row);
    std::vector<std::byte> payload(std::span<const std::uint32_t> lengths, std::span<const std::byte> blocks) const;

    const BlockStore& store_;
    const TileSource* source_;
    const CoarsestLevel* coarsest_;
    BlockCodec codec_;
    BlockReader reader_;
    std::unique_ptr<TileReader> tiles_;
    std::unique_ptr<UnitBounder> bounder_;
    std::vector<float> window_, block_ = std::vector<float>(kBlockSamples);
};

}  // namespace orogen
