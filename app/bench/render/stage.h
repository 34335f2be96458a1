// A renderer without a window, and a flight over its terrain: what benches of whole frames measure.
#pragma once

#include <cstdint>
#include <memory>

#include "app/gl/context.h"
#include "app/render/renderer.h"
#include "core/terrain/bounds/terrain_bounds.h"
#include "core/terrain/raster/height_field.h"
#include "core/terrain/raster/raster.h"

namespace orogen::app::bench {

struct Ground
{
    Raster raster;
    HeightField field;
    TerrainBounds bounds;
};
Result<Ground> makeGround(const std::string& dem);

class Stage
{
public:
    static constexpr int kWidth = 640, kHeight = 360;

    // `ground` is not needed afterwards.  Errors: of Renderer.
    static Result<std::unique_ptr<Stage>> create(Context& context, const Ground& ground, const Settings& settings);

    // A level flight towards the north-east at a tenth of the relief above the highest point; t in [0, 1].
    Camera flight(double t) const;

    // Draws a frame and waits for all that it does; milliseconds by the CPU's clock.
    double draw(const Camera& camera);
    // Frames until the tree rests, 400 at most; empty: it did not.
    std::optional<int> settle(const Camera& camera);
    int rounds() const { return rounds_; }  // of the tree's update, since the stage was made
    Renderer& renderer() { return *renderer_; }

private:
    std::unique_ptr<Renderer> renderer_;
    std::uint64_t frame_ = 0;
    int rounds_ = 0;
};

}  // namespace orogen::app::bench
