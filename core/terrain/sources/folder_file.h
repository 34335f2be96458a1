// One file of a folder of tiles, whose samples are read as they are asked for.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "core/terrain/io/source_overrides.h"
#include "core/terrain/io/tiles.h"

namespace orogen {

class FolderFile
{
public:
    virtual ~FolderFile() = default;

    // Error, kInput: it cannot be read any more, or is another one than when the folder was looked at.
    static Result<std::unique_ptr<FolderFile>> open(const FolderTile& tile, const SourceOverrides& overrides);

    // See GatherSamples.
    virtual Status gather(std::span<const int> columns, std::span<const int> rows, std::span<float> out) = 0;
    virtual std::uint64_t bytesRead() const = 0;
    virtual bool isUnpacked() const { return false; }  // the whole of it is in memory
};

}  // namespace orogen
