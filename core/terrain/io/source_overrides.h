// What a person knows of an elevation model better than its file says.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/base/status.h"
#include "core/terrain/raster/height_unit.h"

namespace orogen {

struct PixelSize
{
    double x = 0, y = 0;  // metres on the ground, each 0.001 ... 1,000,000
    bool operator==(const PixelSize&) const = default;
};

// Empty members: as the file says.
struct SourceOverrides
{
    std::optional<double> nodata;  // samples of this value are voids, as well as those that the file names
    std::optional<PixelSize> pixelSize;
    std::string crs;                 // "EPSG:32611"; empty: as the file says
    std::optional<HeightUnit> unit;  // of the samples

    bool any() const { return nodata || pixelSize || !crs.empty() || unit; }
    bool operator==(const SourceOverrides&) const = default;
};

// Each reads what an option's argument or a field says.  Errors, kUsage: one line with what was found and what is
// expected.
Result<double> parseNodata(std::string_view text);          // a finite number
Result<PixelSize> parsePixelSize(std::string_view text);    // "30", "30,31.5"
Result<std::string> parseCrs(std::string_view text);        // "EPSG:32611", "epsg:32611" or "32611": the first
Result<HeightUnit> parseHeightUnit(std::string_view text);  // "metre", "foot", "us-foot"

// The same as the options of the command line: " --nodata -9999 --crs EPSG:32611"; empty: none.
std::string optionsOf(const SourceOverrides& overrides);

}  // namespace orogen
