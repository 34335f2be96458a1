// Uniforms and textures of what lies over the ground: sea, contour lines, imagery, and colours by height.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "app/gl/objects.h"
#include "app/render/terrain_gpu.h"
#include "core/base/status.h"
#include "core/colour/colour_ramp.h"
#include "core/settings.h"

namespace orogen::app {

class GroundCover
{
public:
    // Creates the resources for these settings, if missing, and reads their colour ramp.  Errors kLimit, and kInput for
    // a ramp that cannot be read.
    Status prepare(const Settings& settings);
    // Sets the distance of contour lines (metres, unscaled, > 0), and the heights in view for colours that follow them.
    void follow(double interval, const std::optional<HeightRange>& view)
    {
        contourInterval_ = interval;
        viewHeights_ = view;
    }
    // Writes and binds what shaders read (shaders/shading/cover.glsl).
    void use(const Settings& settings, const TerrainGpu& terrain) const;

    const std::shared_ptr<const ColourRamp>& ramp() const { return ramp_; }  // from the last prepare(); null: no ramp

private:
    Status readRampOf(const std::string& name);

    Buffer uniforms_;
    Texture texture_;  // rampTexels()
    std::string name_;
    std::shared_ptr<const ColourRamp> ramp_;
    double contourInterval_ = 100;
    std::optional<HeightRange> viewHeights_;
};

}  // namespace orogen::app
