// A picture in memory, such as an aerial photograph or a scanned map, with its georeference.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/terrain/raster/raster.h"

namespace orogen {

// Row 0 is the northern one. Four bytes a pixel: red, green and blue in sRGB, and alpha.
struct Picture
{
    int width = 0, height = 0;
    std::vector<std::uint8_t> rgba;
    std::optional<Placement> placement;  // refers to pixel centres; empty: not in the source
    std::string name, crs;               // as in Raster
    std::vector<std::string> warnings;
};

}  // namespace orogen
