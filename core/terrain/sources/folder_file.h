// Access to one file of a folder of tiles; its samples are read on request.
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

    // Opens a file. Error, kInput: it cannot be read, or has changed since the folder was scanned.
    static Result<std::unique_ptr<FolderFile>> open(const FolderTile& tile, const SourceOverrides& overrides);

    // Reads samples; see GatherSamples.
    virtual Status gather(std::span<const int> columns, std::span<const int> rows, std::span<float> out) = 0;
    virtual std::uint64_t bytesRead() const = 0;
    virtual bool isUnpacked() const { return false; }  // the whole file is in memory
};

}  // namespace orogen
