// Description of an import: everything that determines the bytes of its file, besides the heights.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "core/base/status.h"
#include "core/terrain/io/source_overrides.h"
#include "core/terrain/raster/geo_keys.h"
#include "core/terrain/raster/raster.h"
#include "core/terrain/tiles/tile_grid.h"
#include "core/terrain/tiles/tile_source.h"

namespace orogen {

enum class StoredSamples
{
    kInt16,
    kFloat32,
};

enum class ImportCompression
{
    kNone,
    kDeflate,  // zlib level 6 after TIFF's predictor 2 or 3
};

struct ImportJob
{
    int width = 0, height = 0;
    StoredSamples samples = StoredSamples::kInt16;
    ImportCompression compression = ImportCompression::kDeflate;
    double nodata = 0;              // sample value for "no data"; may be NaN
    SampleCode code;                // conversion from a sample to metres
    float unknown = 0;              // height for a source without any known height (metres)
    GeoTags tags;                   // tags of the first directory
    std::string nodataText;         // tag 42113
    std::string metadata;           // tag 42112; empty: none
    std::uint64_t fingerprint = 0;  // hash of the above and of some heights
    std::string version;            // the source's TileSource::version(), equal in all parts of an import

    TileGrid grid() const { return {width, height}; }
};

// Returns the job for a source. `path`: the source's file, whose geographic keys are kept; empty if it is not a single
// file. `samples`: "int16" or "float32"; if empty, int16 for integer sources of at most 16 bits, otherwise float32.
// Reads 17 single samples for the fingerprint, and the source for its version. Errors: those of reading.
Result<ImportJob> importJob(const TileSource& source, const std::string& path, const SourceOverrides& overrides,
                            std::string_view samples, ImportCompression compression);

// Converts heights in metres to the samples that reproduce them bit for bit; voids stay NaN. Error, kInput: a height
// without such a sample, for example 0.5 m with int16, with `name` and its place.
Status toSamples(const ImportJob& job, const std::string& name, const TileWindow& window, std::span<float> heights);

std::string jobToJson(const ImportJob& job);
Result<ImportJob> jobFromJson(const std::string& name, const std::string& text);

}  // namespace orogen
