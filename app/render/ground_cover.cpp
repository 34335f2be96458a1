#include "app/render/ground_cover.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/gpu_layout.h"

namespace orogen::app {
namespace {

// Height of a contour line above its nominal height, as a fraction of the contour interval.
constexpr float kContourLift = 0.002f;

gpu::CoverUniforms coverOf(const Settings& settings, const TerrainGpu& terrain, double interval, const ColourRamp* ramp,
                           const std::optional<HeightRange>& view)
{
    gpu::CoverUniforms cover{};
    const float scale = settings.terrain.heightScale;
    cover.sea.x = settings.terrain.waterLevel.value_or(0.0f) * scale;
    cover.contours.x = std::max(float(interval) * scale, 1e-3f);
    cover.contours.y = kContourLift * cover.contours.x;
    cover.imagery.x = settings.imagery.opacity;
    const double drawn = terrain.shaderScale(scale);
    const RampStretch stretch = stretchOf(ramp, settings, terrain.tintRange(scale), view);
    cover.tints = {stretch.at * drawn, stretch.hinge, stretch.below / drawn, stretch.above / drawn};
    if (!ramp) return cover;
    const auto colour = [](const glm::dvec3& rgb) { return glm::vec4(glm::vec3(rgb), 1.0f); };
    cover.ramp = {float(ramp->pieces.size()), ramp->cyclic ? 1.0f : 0.0f, float(ramp->low()), float(ramp->high())};
    cover.below = colour(ramp->below.value_or(ramp->pieces.front().from));
    cover.above = colour(ramp->above.value_or(ramp->pieces.back().to));
    if (ramp->none) cover.none = colour(*ramp->none);
    return cover;
}

}  // namespace

Status GroundCover::readRampOf(const std::string& name)
{
    if (name == name_) return Status::ok();
    std::shared_ptr<const ColourRamp> ramp;
    Texture texture;
    if (!name.empty())
    {
        Result<ColourRamp> read = readRamp(name);
        if (!read) return read.error();
        const int pieces = int(read->pieces.size());
        Result<Texture> made = makeTexture("colour ramp", {.format = GL_RGBA32F, .width = pieces, .height = 2});
        if (!made) return made.error();
        texture = std::move(*made);
        glTextureSubImage2D(texture.id(), 0, 0, 0, pieces, 2, GL_RGBA, GL_FLOAT, rampTexels(*read).data());
        ramp = std::make_shared<const ColourRamp>(std::move(*read));
    }
    name_ = name;
    ramp_ = std::move(ramp);
    texture_ = std::move(texture);
    return Status::ok();
}

Status GroundCover::prepare(const Settings& settings)
{
    if (!uniforms_)
    {
        Result<Buffer> made = makeBuffer("cover uniforms", sizeof(gpu::CoverUniforms), GL_DYNAMIC_STORAGE_BIT);
        if (!made) return made.error();
        uniforms_ = std::move(*made);
    }
    return readRampOf(settings.render.ramp);
}

void GroundCover::use(const Settings& settings, const TerrainGpu& terrain) const
{
    const gpu::CoverUniforms uniforms = coverOf(settings, terrain, contourInterval_, ramp_.get(), viewHeights_);
    glNamedBufferSubData(uniforms_.id(), 0, sizeof uniforms, &uniforms);
    glBindBufferBase(GL_UNIFORM_BUFFER, gpu::kCoverBinding, uniforms_.id());
    glBindTextureUnit(gpu::kRampTexture, ramp_ ? texture_.id() : 0);
    glBindSampler(gpu::kRampTexture, 0);
}

}  // namespace orogen::app
