// Terrain on a plane: x east, y north, z up (metres), with a light map, a border and an optional draped image.
#pragma once

#include "app/render/world.h"

namespace orogen::app {

class PlaneWorld final : public RenderWorld
{
public:
    PlaneWorld(const std::filesystem::path& dataRoot, ShaderDialect dialect, const ContextInfo& info);

    const TerrainPrograms& terrainPrograms() const { return terrainPrograms_; }

    std::vector<ShaderDefine> choice(const HeightChoice& heights, bool detail) const override;
    int depth(const Settings& settings) const override { return settings.cbt.depth; }
    Status checkDepth(const Limits& limits, int depth) const override;
    std::optional<int> depthForSamples(const Limits& limits, const TerrainGpu& terrain, double spacing) const override;
    LocalAxes axesAt(const glm::dvec3&) const override { return {}; }
    void describe(const FrameView& view, const Settings& settings, const TerrainGpu& terrain,
                  gpu::FrameUniforms& uniforms) const override;
    AirView airView(const FrameView& view, const Settings& settings, const TerrainGpu& terrain) const override;
    SkyView skyOver(const FrameView& view, const Settings& settings, const TerrainGpu& terrain) const override;
    std::uint64_t begin(const FrameView& view, const Settings& settings, TerrainGpu& terrain) override;
    void bind() const override {}
    float finestLeg(const Settings& settings, const TerrainGpu& terrain) const override;
    bool refinesByAim() const override { return false; }
    std::optional<float> seaInGround(const Settings&) const override { return std::nullopt; }
    double viewLength(const glm::dvec3& position, const TerrainGpu& terrain) const override;
    double leastJump(const glm::dvec3& position, const TerrainGpu& terrain) const override;
    std::optional<glm::dvec2> planeSize(const TerrainGpu& terrain) const override { return terrain.extent().size; }
    void askLeaf(LeafPick& pick, const DrawnFrame& frame, const glm::dvec3& place,
                 std::uint64_t question) const override;
    std::unique_ptr<TopView> makeTopView(ShaderLibrary& library) const override;

private:
    TerrainPrograms terrainPrograms_;
};

}  // namespace orogen::app
