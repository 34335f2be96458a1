// Precomputed data of a terrain for level of detail and culling, and the procedural detail below its samples.
#pragma once

#include <memory>
#include <utility>

#include "core/terrain/bounds/diamond_errors.h"
#include "core/terrain/bounds/height_pyramid.h"
#include "core/terrain/detail/detail.h"

namespace orogen {

struct TerrainBounds
{
    HeightPyramid heights;
    DiamondErrors errors;
    std::shared_ptr<const MadeRelief> relief;
};

// Builds all bounds. Error kInterrupted: `progress` returned false.
inline Result<TerrainBounds> buildBounds(const HeightField& field, const BoundsProgress& progress = {})
{
    Result<DiamondErrors> errors = buildDiamondErrors(field, progress);
    if (!errors) return errors.error();
    return TerrainBounds{buildPyramid(field), std::move(*errors), std::make_shared<const MadeRelief>(field)};
}

}  // namespace orogen
