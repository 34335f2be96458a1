// An elevation model as its file stores it: in its full resolution, and perhaps in coarser ones (overviews).
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
    int level = 0;              // they lie 2^level samples of the finest image apart
};

struct StoredLevels
{
    std::vector<StoredImage> images;         // the finest first
    bool means = false;                      // a sample of a coarser image is the mean of those that it stands for
    bool eastLeft = false, southUp = false;  // rows or columns run the other way round than a Raster's

    // The coarsest image that is as fine as the level.
    std::size_t imageFor(int level) const;
    std::vector<int> levels() const;  // of the images
};

// The level of an overview of that size.  Empty: its samples do not lie a power of two apart; it is of no use here.
// Error, kInput: no scaling makes its sides out of those of the full image.
Result<std::optional<int>> overviewLevel(const std::string& name, int width, int height, int overviewWidth,
                                         int overviewHeight);

// Hands out the samples of an image in these columns and rows, which are ascending, distinct and inside it: row by row,
// in metres, NaN where there is no data.
using GatherSamples =
    std::function<Status(std::size_t image, std::span<const int> columns, std::span<const int> rows, std::span<float>)>;

// A window as TileReader::read() hands it out, from the image that suits.  Means are interpolated: the middle of the
// samples that one stands for lies half of its spacing beyond the first of them.
Status readLevel(const StoredLevels& levels, const TileWindow& window, std::span<float> out,
                 const GatherSamples& gather);

}  // namespace orogen
