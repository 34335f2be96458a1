// What an import makes of a source: everything that the bytes of its file follow from, besides the heights.
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
    kDeflate,  // zlib's level 6 behind TIFF's predictor 2 or 3
};

struct ImportJob
{
    int width = 0, height = 0;
    StoredSamples samples = StoredSamples::kInt16;
    ImportCompression compression = ImportCompression::kDeflate;
    double nodata = 0;              // the sample that means "no data"; NaN
    SampleCode code;                // from a sample to metres
    float unknown = 0;              // metres, where a source has no known height at all
    GeoTags tags;                   // of the first directory
    std::string nodataText;         // its tag 42113
    std::string metadata;           // its tag 42112; empty: none
    std::uint64_t fingerprint = 0;  // of all the above and of some of the heights
    std::string version;            // TileSource::version() of the source: parts of one import have the same

    TileGrid grid() const { return {width, height}; }
};

// `path`: of the source where it is a file of its own, whose geographic keys are then kept; else empty.  Samples are
// 16-bit whole numbers where the source's are whole and have at most 16 bits, else floating, or what `samples` says
// ("int16", "float32"; empty: as the source's).  Reads 17 single samples for the fingerprint, and the source for its
// version. Errors: of reading.
Result<ImportJob> importJob(const TileSource& source, const std::string& path, const SourceOverrides& overrides,
                            std::string_view samples, ImportCompression compression);

// Heights in metres become the samples that give them, bit for bit; voids stay NaN.  Error, kInput: a height that no
// sample gives, such as 0.5 m of 16-bit whole numbers; `name` and the place of the window stand in front.
Status toSamples(const ImportJob& job, const std::string& name, const TileWindow& window, std::span<float> heights);

std::string jobToJson(const ImportJob& job);
Result<ImportJob> jobFromJson(const std::string& name, const std::string& text);

}  // namespace orogen
