// Heights of a terrain in one image: bounds of cells, geometric errors (diamond_errors.h), roughness and drained area,
// a texture each.  TerrainGpu has the samples and slopes: terrain in tiles needs them, too, as an overview.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <glm/vec4.hpp>

#include "app/gl/objects.h"
#include "app/render/height_store.h"
#include "core/base/background_task.h"

namespace orogen::app {

// Geometric errors measured in the background, with the codes of the patch level in use.
struct MeasuredErrors
{
    DiamondErrors errors;
    PatchErrors patch;
};

class ImageHeights final : public HeightStore
{
public:
    // Uploads the bounds of `field`, and the errors if `bounds` has them, and describes both in `uniforms`.
    // `anisotropy`: maximum anisotropy when shaders sample the drained area.  Error kLimit: out of memory.
    static Result<std::unique_ptr<HeightStore>> create(const HeightField& field, TerrainBounds bounds,
                                                       std::shared_ptr<const MadeRelief> relief, float anisotropy,
                                                       gpu::TerrainUniforms& uniforms);

    HeightChoice choice() const override { return {}; }
    void bind() const override;
    Status prepareDetail() override;
    void setPatchLevel(int level) override;
    FinestGround finestGround(const TerrainGpu& terrain, const Camera& camera, const Settings& settings,
                              const HeightField& field) const override;
    bool hasErrors() const override { return diamondErrors_ != nullptr; }
    Result<bool> measureErrors(const std::function<HeightField()>& heights, bool wait,
                               gpu::TerrainUniforms& uniforms) override;
    Status replace(const ChangingBounds& bounds, PatchErrors patch, gpu::TerrainUniforms& uniforms) override;
    void change(const ChangingBounds& bounds, const BoundsChange& change) override;
    Status showDrainage(std::span<const std::uint32_t> cells) override;
    std::vector<BufferUse> memory() const override;

private:
    static constexpr std::size_t kErrorPage = std::size_t(1) << gpu::kErrorPageBits;  // texels of a row of error codes

    ImageHeights() = default;
    Status makeRanges(const HeightPyramid& pyramid, gpu::TerrainUniforms& uniforms);
    Status makeErrorTexture(int width, int height, int depth);
    Status makeErrors(gpu::TerrainUniforms& uniforms);
    void writePatchErrors(PatchErrors patch);
    std::size_t patchOffset() const;
    void describeErrors(gpu::TerrainUniforms& uniforms) const;
    void writePyramid(const HeightPyramid& pyramid, const std::vector<IndexBox>& boxes);
    void writePyramid(const HeightPyramid& pyramid);
    void writeErrors(std::size_t first, std::span<const std::uint8_t> codes);
    void writeErrors(const DiamondGrid& grid, int blocks, const IndexBox& box, std::span<const std::uint8_t> codes,
                     std::size_t offset, std::size_t first);

    int width_ = 0, height_ = 0;                                 // samples
    std::shared_ptr<const DiamondErrors> diamondErrors_;         // null: not measured
    std::unique_ptr<BackgroundTask<MeasuredErrors>> measuring_;  // null: no measurement is running
    std::shared_ptr<const MadeRelief> relief_;
    Texture range_, errors_;
    Texture roughness_;              // empty until prepareDetail()
    Texture drainage_;               // empty until showDrainage()
    std::vector<glm::ivec4> cells_;  // rectangle of each uploaded level in range_ (texels): x, y, width, height
    Sampler smooth_, exact_, nearest_;
    int patchLevel_ = -1;
    bool changed_ = false;                  // heights changed since creation
    std::vector<std::uint8_t> patchCodes_;  // error codes of the patch level in use, once heights changed
};

}  // namespace orogen::app
