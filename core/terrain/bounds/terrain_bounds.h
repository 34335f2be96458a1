// All that level of detail and culling want to know of a terrain beforehand.
#pragma once

#include <utility>

#include "core/terrain/bounds/diamond_errors.h"
#include "core/terrain/bounds/height_pyramid.h"

namespace orogen {

struct TerrainBounds
{
    HeightPyramid heights;
    DiamondErrors errors;
};

// Error kInterrupted: `progress` said so.
inline Result<TerrainBounds> buildBounds(const HeightField& field, const BoundsProgress& progress = {})
{
    Result<DiamondErrors> errors = buildDiamondErrors(field, progress);
    if (!errors) return errors.error();
    return TerrainBounds{buildPyramid(field), std::move(*errors)};
}

}  // namespace orogen
