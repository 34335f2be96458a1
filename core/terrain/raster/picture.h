// A picture in memory: an aerial photograph or a scanned map, and what its file said about where it lies.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/terrain/raster/raster.h"

namespace orogen {

// Row 0 is the northern one.  Four bytes a pixel: red, green, blue as a display shows them (sRGB), and how much of it
// covers what is below.
struct Picture
{
    int width = 0, height = 0;
    std::vector<std::uint8_t> rgba;
    std::optional<Placement> placement;  // of the pixels' middles; empty: the source does not say
    std::string name, crs;               // as Raster has them
    std::vector<std::string> warnings;
};

}  // namespace orogen
