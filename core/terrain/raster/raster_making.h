// Helpers of all raster readers: one-line errors, memory checks before allocation, progress.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "core/base/status.h"
#include "core/terrain/raster/raster.h"

namespace orogen {

inline constexpr float kVoid = std::numeric_limits<float>::quiet_NaN();  // height of a sample without data
// Limit of valid heights (metres). Larger values are markers such as -3.4e38, and would overflow computations.
inline constexpr float kLargestHeight = 1e7f;

// Returns "NAME: WHAT" with ExitCode::kInput, printable.
Error inputError(std::string_view name, std::string_view what);

// Returns kInput unless 2 <= width, height <= largest.
Status checkSides(const std::string& name, std::uint64_t width, std::uint64_t height,
                  std::uint64_t largest = kMaxRasterSide);

// Sets width and height, and reserves the memory of the heights. A reader appends them as it decodes, so that a false
// size in a file fills no memory. `extraBytes`: further memory of the reader. Error: kLimit.
Status reserveHeights(Raster& raster, std::uint64_t width, std::uint64_t height, std::uint64_t extraBytes = 0);

// Like reserveHeights(), and fills the heights with voids.
Status allocateHeights(Raster& raster, std::uint64_t width, std::uint64_t height, std::uint64_t extraBytes = 0);

// Reporter of a reader's progress to LoadProgress, at most about a hundred times.
class Progress
{
public:
    Progress(const LoadProgress& callback, std::string what) : callback_(callback), what_(std::move(what)) {}
    // Returns false if the reader must stop and return interrupted().
    bool at(std::uint64_t done, std::uint64_t total);
    Error interrupted() const;

private:
    const LoadProgress& callback_;
    std::string what_;
    int lastPercent_ = -1;
};

// Completes a raster: sets its name, extremes and number of voids, turns invalid heights into voids, and warns about
// improbable heights.
void finishRaster(Raster& raster, std::string name);

// Adds a warning if the raster's extremes do not occur on Earth; called by finishRaster().
void warnOfImprobableHeights(Raster& raster);

}  // namespace orogen
