// What everything that makes a raster shares: errors of one line, memory that is asked for before it is taken,
// progress.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "core/base/status.h"
#include "core/terrain/raster/raster.h"

namespace orogen {

inline constexpr float kVoid = std::numeric_limits<float>::quiet_NaN();
// Metres.  What lies beyond is no height but a mark, such as -3.4e38, and would overflow what is computed from heights.
inline constexpr float kLargestHeight = 1e7f;

// "NAME: WHAT" with ExitCode::kInput, printable.
Error inputError(std::string_view name, std::string_view what);

// kInput unless 2 <= width, height <= largest.
Status checkSides(const std::string& name, std::uint64_t width, std::uint64_t height,
                  std::uint64_t largest = kMaxRasterSide);

// Sets width and height and asks for the memory of the heights, which a reader appends as it decodes them: none of it
// is filled before, whatever a file claims.  `extraBytes`: what the reader needs besides.  Error: kLimit.
Status reserveHeights(Raster& raster, std::uint64_t width, std::uint64_t height, std::uint64_t extraBytes = 0);

// The same, and all heights are there as voids.
Status allocateHeights(Raster& raster, std::uint64_t width, std::uint64_t height, std::uint64_t extraBytes = 0);

// Tells LoadProgress how far a reader is, at most about a hundred times.
class Progress
{
public:
    Progress(const LoadProgress& callback, std::string what) : callback_(callback), what_(std::move(what)) {}
    // False: stop, and return interrupted().
    bool at(std::uint64_t done, std::uint64_t total);
    Error interrupted() const;

private:
    const LoadProgress& callback_;
    std::string what_;
    int lastPercent_ = -1;
};

// The last step: extremes and voids are counted, a name is given, what is no height becomes a void, and
// improbable heights are warned about.
void finishRaster(Raster& raster, std::string name);

// A part of it: a warning where the raster's extremes are heights that the Earth does not have.
void warnOfImprobableHeights(Raster& raster);

}  // namespace orogen
