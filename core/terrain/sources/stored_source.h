// Shared parts of tile sources that read files: the stored resolutions, the conversion of heights to metres, and the
// description with an estimate of the height range. Stored images coarser than the full one are called overviews.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/status.h"
#include "core/terrain/io/source_overrides.h"
#include "core/terrain/raster/raster.h"
#include "core/terrain/tiles/tile_source.h"

namespace orogen {

struct StoredImage
{
    int width = 0, height = 0;  // samples
    int level = 0;              // samples are 2^level samples of the finest image apart
};

struct StoredLevels
{
    std::vector<StoredImage> images;         // the finest first
    bool means = false;                      // samples of coarser images are means
    bool eastLeft = false, southUp = false;  // columns run westwards, rows northwards, unlike a Raster's

    // Returns the index of the coarsest image that is at least as fine as the level.
    std::size_t imageFor(int level) const;
    std::vector<int> levels() const;  // levels of the images
};

// Returns the level of an overview of this size; empty if its samples are not a power of two apart, so that it is
// unusable. Error, kInput: no scaling of the full image gives its sides.
Result<std::optional<int>> overviewLevel(const std::string& name, int width, int height, int overviewWidth,
                                         int overviewHeight);

// Function that reads the samples of an image in these columns and rows, which are ascending, distinct and inside it.
// Writes them row by row to the last argument, in metres, NaN for no data.
using GatherSamples =
    std::function<Status(std::size_t image, std::span<const int> columns, std::span<const int> rows, std::span<float>)>;

// Reads a window as TileReader::read() does, from the image that imageFor() chooses. Means are interpolated: a mean
// lies at the centre of the samples that it covers, not at the first one.
Status readLevel(const StoredLevels& levels, const TileWindow& window, std::span<float> out,
                 const GatherSamples& gather);

// ---- heights ----

// Conversion of a reader's heights for a tile, equivalent to takeMetres() and finishRaster() for a whole raster.
class HeightsInMetres
{
public:
    // `described`: the source's description after takeMetres(). It gives the unit of the heights that apply() gets.
    HeightsInMetres(const Raster& described, const SourceOverrides& overrides);

    // Converts heights to metres; samples of overrides.nodata and invalid heights become NaN.
    void apply(std::span<float> heights) const;

private:
    bool masked_ = false;
    // Heights of samples with the user's "no data" value, as given and as a file of float32 samples rounds it.
    float exact_ = 0, rounded_ = 0;
    double unit_ = 1.0;  // metres per unit of the source's heights
};

// Does the work of takeMetres() and finalizePlacement() for a raster whose heights are stored elsewhere. Errors,
// kInput: those of finalizePlacement(); a raster with neither a georeference nor a pixel size in the overrides.
Status finalizeDescription(Raster& raster, const SourceOverrides& overrides);

// Sets the height range of `raster`, the source's description: the source's bounds, if it has them. Otherwise the range
// of the coarsest level or, if that is expensive, of 64 small windows of the finest one. Warns about heights that do
// not occur on Earth. Without any known height the range stays as it is. Errors: those of reading.
Status estimateHeightRange(const TileSource& source, const StoredLevels& levels, Raster& raster);

inline constexpr const char* kSlowWithoutOverviews =
    "no overviews: coarse levels are read from the full resolution, which is slow (orogen import makes a file that has "
    "them)";

}  // namespace orogen
