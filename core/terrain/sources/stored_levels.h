// Stored resolutions of an elevation model: the full one, and optional coarser ones (overviews).
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/status.h"
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
    bool eastLeft = false, southUp = false;  // rows or columns run opposite to a Raster's

    // Returns the index of the coarsest image that is at least as fine as the level.
    std::size_t imageFor(int level) const;
    std::vector<int> levels() const;  // levels of the images
};

// Returns the level of an overview of this size; empty if its samples are not a power of two apart, so that it is
// unusable. Error, kInput: no scaling of the full image gives its sides.
Result<std::optional<int>> overviewLevel(const std::string& name, int width, int height, int overviewWidth,
                                         int overviewHeight);

// Function that reads the samples of an image in these columns and rows, which are ascending, distinct and inside it.
// Returns them row by row, in metres, NaN for no data.
using GatherSamples =
    std::function<Status(std::size_t image, std::span<const int> columns, std::span<const int> rows, std::span<float>)>;

// Reads a window as TileReader::read() does, from the best image. Means are interpolated: a mean's position is the
// centre of the samples it covers, half of its spacing beyond the first one.
Status readLevel(const StoredLevels& levels, const TileWindow& window, std::span<float> out,
                 const GatherSamples& gather);

}  // namespace orogen
