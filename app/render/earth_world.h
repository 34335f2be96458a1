// The Earth: ground in tiles on a cube, earth-fixed positions (core/planet/ellipsoid.h), a pool of bisectors
// (core/leb/pool.h) as triangulation, and an atmosphere.  The sea is part of the ground.
#pragma once

#include "app/render/world.h"

namespace orogen::app {

class EarthWorld final : public RenderWorld
{
public:
    // Adds the programs without compiling them.  Error kLimit.
    static Result<std::unique_ptr<EarthWorld>> create(const std::filesystem::path& dataRoot, ShaderDialect dialect,
                                                      const ContextInfo& info);

    // Creates the GPU resources of the ground.  `tiles`: the whole Earth (TileGrid::onCube()).  Error kLimit.
    Result<TerrainGpu> makeTerrain(const Limits& limits, std::shared_ptr<TileCache> tiles) const;

    std::vector<ShaderDefine> choice(const HeightChoice& heights, bool detail) const override;
    int depth(const Settings& settings) const override { return settings.earth.depth; }
    // Always succeeds: the memory of a pool depends on its capacity only.
    Status checkDepth(const Limits&, int) const override { return Status::ok(); }
    std::optional<int> depthForSamples(const Limits&, const TerrainGpu&, double) const override { return std::nullopt; }
    LocalAxes axesAt(const glm::dvec3& position) const override { return orogen::axesAt(position); }
    void describe(const FrameView& view, const Settings& settings, const TerrainGpu& terrain,
                  gpu::FrameUniforms& uniforms) const override;
    AirView airView(const FrameView& view, const Settings& settings, const TerrainGpu& terrain) const override;
    SkyView skyOver(const FrameView& view, const Settings& settings, const TerrainGpu& terrain) const override;
    std::uint64_t begin(const FrameView& view, const Settings& settings, TerrainGpu& terrain) override;
    void bind() const override;
    float finestLeg(const Settings& settings, const TerrainGpu& terrain) const override;
    bool refinesByAim() const override { return true; }
    std::optional<float> seaInGround(const Settings& settings) const override { return settings.terrain.waterLevel; }
    double viewLength(const glm::dvec3& position, const TerrainGpu& terrain) const override;
    double leastJump(const glm::dvec3& position, const TerrainGpu& terrain) const override;
    std::optional<glm::dvec2> planeSize(const TerrainGpu&) const override { return std::nullopt; }
    void askLeaf(LeafPick& pick, const DrawnFrame& frame, const glm::dvec3& place,
                 std::uint64_t question) const override;
    std::unique_ptr<TopView> makeTopView(ShaderLibrary& library) const override;

private:
    EarthWorld(const std::filesystem::path& dataRoot, ShaderDialect dialect, const ContextInfo& info);

    RegionPrograms regionPrograms_;
    Buffer earth_;  // EarthUniforms
};

}  // namespace orogen::app
