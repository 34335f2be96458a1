// User-supplied metadata that replaces that of an elevation model's file.
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

// Overrides; empty members leave the file's value.
struct SourceOverrides
{
    std::optional<double> nodata;  // samples of this value are voids, in addition to the file's nodata value
    std::optional<PixelSize> pixelSize;
    std::string crs;                 // "EPSG:32611"; empty: the file's
    std::optional<HeightUnit> unit;  // unit of the samples

    bool any() const { return nodata || pixelSize || !crs.empty() || unit; }
    bool operator==(const SourceOverrides&) const = default;
};

// Parse an option's argument or a text field. Errors, kUsage: one line with the found and the expected text.
Result<double> parseNodata(std::string_view text);          // a finite number
Result<PixelSize> parsePixelSize(std::string_view text);    // "30", "30,31.5"
Result<std::string> parseCrs(std::string_view text);        // "EPSG:32611", "epsg:32611", "32611": the first
Result<HeightUnit> parseHeightUnit(std::string_view text);  // "metre", "foot", "us-foot"

// Returns the overrides as command-line options: " --nodata -9999 --crs EPSG:32611"; empty if there are none.
std::string optionsOf(const SourceOverrides& overrides);

}  // namespace orogen
