#include "app/render/image_heights.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <glm/common.hpp>

#include "app/render/terrain_gpu.h"
#include "core/terrain/bounds/diamond_errors.h"
#include "core/terrain/detail/detail.h"

namespace orogen::app {
namespace {

// Writes codes and their mip levels.  A coarser texel is the maximum of 2 x 2 finer ones; the last row and column
// include an odd remainder.
void writeMaxima(const Texture& texture, std::vector<std::uint8_t> codes)
{
    int width = texture.shape().width, height = texture.shape().height;
    std::vector<std::uint8_t> coarser;
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    for (int level = 0; level < texture.shape().levels; ++level)
    {
        glTextureSubImage2D(texture.id(), level, 0, 0, width, height, GL_RED, GL_UNSIGNED_BYTE, codes.data());
        const int half = std::max(width / 2, 1), lower = std::max(height / 2, 1);
        coarser.assign(std::size_t(half) * std::size_t(lower), 0);
        for (int y = 0; y < height; ++y)
            for (int x = 0; x < width; ++x)
            {
                const std::size_t row = std::size_t(std::min(y / 2, lower - 1)) * std::size_t(half);
                std::uint8_t& most = coarser[row + std::size_t(std::min(x / 2, half - 1))];
                most = std::max(most, codes[std::size_t(y) * std::size_t(width) + std::size_t(x)]);
            }
        codes.swap(coarser);
        width = half;
        height = lower;
    }
}

Result<Texture> makeCodes(const char* label, int width, int height)
{
    return makeTexture(label, {.format = GL_R8, .width = width, .height = height, .levels = mipLevels(width, height)});
}

}  // namespace

Result<std::unique_ptr<HeightStore>> ImageHeights::create(const HeightField& field, TerrainBounds bounds,
                                                          std::shared_ptr<const MadeRelief> relief, float anisotropy,
                                                          gpu::TerrainUniforms& uniforms)
{
    std::unique_ptr<ImageHeights> made(new ImageHeights);
    made->width_ = field.width;
    made->height_ = field.height;
    if (bounds.errors.measured())
        made->diamondErrors_ = std::make_shared<const DiamondErrors>(std::move(bounds.errors));
    made->relief_ = std::move(relief);
    made->smooth_ = makeSampler("drained area", GL_LINEAR_MIPMAP_LINEAR, GL_LINEAR);
    setAnisotropy(made->smooth_, anisotropy);
    made->exact_ = makeSampler("height ranges", GL_LINEAR, GL_LINEAR);
    made->nearest_ = makeSampler("codes", GL_NEAREST, GL_NEAREST);
    if (Status s = made->makeRanges(bounds.heights, uniforms); !s) return s.error();
    // Until errors are measured, every triangle counts as finer than the stored levels, so it finds no code.
    uniforms.errorFinestBits = leb::kDrawLatticeBits;
    if (Status s = made->diamondErrors_ ? made->makeErrors(uniforms) : made->makeErrorTexture(1, 1, 1); !s)
        return s.error();
    return std::unique_ptr<HeightStore>(std::move(made));
}

// Makes one texture for all levels: the finest at the left, the others stacked beside it.
Status ImageHeights::makeRanges(const HeightPyramid& pyramid, gpu::TerrainUniforms& uniforms)
{
    glm::ivec2 whole(1), origin(0);
    for (const PyramidLevel& level : pyramid.levels)
    {
        const glm::ivec2 size(level.width, level.height);
        cells_.emplace_back(origin, size);
        whole = glm::max(whole, origin + size);
        origin = {cells_.front().z, cells_.size() > 1 ? origin.y + size.y : 0};
    }
    Result<Texture> range = makeTexture("height ranges", {.format = GL_RG16, .width = whole.x, .height = whole.y});
    if (!range) return range.error();
    range_ = std::move(*range);
    cells_.resize(std::min<std::size_t>(cells_.size(), gpu::kMaxPyramidLevels));
    uniforms.pyramidLevelCount = gpu::uint(cells_.size());
    std::ranges::copy(cells_, uniforms.pyramidLevels);
    writePyramid(pyramid);
    return Status::ok();
}

Status ImageHeights::makeErrorTexture(int width, int height, int depth)
{
    Result<Texture> texture = makeTexture(
        "errors", {.target = GL_TEXTURE_2D_ARRAY, .format = GL_R8UI, .width = width, .height = height, .depth = depth});
    if (!texture) return texture.error();
    errors_ = std::move(*texture);
    return Status::ok();
}

Status ImageHeights::makeErrors(gpu::TerrainUniforms& uniforms)
{
    const std::size_t rows = (patchOffset() + diamondErrors_->patchBytes() + kErrorPage - 1) / kErrorPage;
    if (Status s = makeErrorTexture(int(kErrorPage), int(std::min(rows, kErrorPage)),
                                    int((rows + kErrorPage - 1) / kErrorPage));
        !s)
        return diamondErrors_.reset(), s;
    writeErrors(0, diamondErrors_->codes);
    describeErrors(uniforms);
    return Status::ok();
}

Result<bool> ImageHeights::measureErrors(const std::function<HeightField()>& heights, bool wait,
                                         gpu::TerrainUniforms& uniforms)
{
    if (!measuring_)
    {
        auto measure = [field = heights(), level = patchLevel_](const TaskContext& context) -> Result<MeasuredErrors> {
            Result<DiamondErrors> errors = buildDiamondErrors(field, [&context](double fraction) {
                context.progress.set(fraction);
                return !context.stop.stop_requested();
            });
            if (!errors) return errors.error();
            PatchErrors patch{level, patchErrors(*errors, level, context.stop)};
            if (context.stop.stop_requested()) return Error{ExitCode::kInterrupted, "errors of triangles: cancelled"};
            return MeasuredErrors{std::move(*errors), std::move(patch)};
        };
        Result<std::unique_ptr<BackgroundTask<MeasuredErrors>>> task =
            BackgroundTask<MeasuredErrors>::start("errors of triangles", std::move(measure));
        if (!task) return task.error();
        measuring_ = std::move(*task);
    }
    if (!wait && measuring_->running()) return false;
    Result<MeasuredErrors> measured = std::exchange(measuring_, nullptr)->take();
    if (!measured) return measured.error();
    diamondErrors_ = std::make_shared<const DiamondErrors>(std::move(measured->errors));
    if (Status s = makeErrors(uniforms); !s) return s.error();
    writePatchErrors(std::move(measured->patch));
    return true;
}

// Returns the index in the error texture of the first code of the patch level in use.  This code begins a row.
std::size_t ImageHeights::patchOffset() const
{
    return (diamondErrors_->codes.size() + kErrorPage - 1) / kErrorPage * kErrorPage;
}

void ImageHeights::describeErrors(gpu::TerrainUniforms& uniforms) const
{
    const DiamondErrors& errors = *diamondErrors_;
    const auto gridOf = [](const DiamondGrid& grid) {
        return glm::uvec4(grid.offset, grid.originX | grid.originY << 16, grid.width | grid.height << 16, 0);
    };
    for (std::size_t i = 0; i < errors.levels.size(); ++i)
        uniforms.errorGrids[i] = gridOf(errors.levels[i]);
    uniforms.errorGrids[gpu::kMaxErrorLevels] = gridOf(errors.fine);
    uniforms.errorFinestBits = gpu::uint(errors.finestBits);
    uniforms.errorPatchOffset = gpu::uint(patchOffset() - errors.patchOffset());
    uniforms.errorFineScale = errors.fineScale;
    for (std::size_t code = 0; code < errors.metres.size(); ++code)
        uniforms.errorMetres[code / 4][int(code % 4)] = errors.metres[code];
}

void ImageHeights::bind() const
{
    const auto use = [](gpu::uint unit, const Texture& texture, const Sampler& sampler) {
        glBindTextureUnit(unit, texture.id());
        glBindSampler(unit, sampler.id());
    };
    use(gpu::kRangeTexture, range_, exact_);
    use(gpu::kErrorTexture, errors_, nearest_);
    use(gpu::kDrainageTexture, drainage_, smooth_);
    if (roughness_) use(gpu::kRoughnessTexture, roughness_, nearest_);
}

Status ImageHeights::prepareDetail()
{
    Result<Texture> roughness = makeCodes("roughness", width_, height_);
    if (!roughness) return roughness.error();
    writeMaxima(*roughness, {relief_->codes().begin(), relief_->codes().end()});
    roughness_ = std::move(*roughness);
    return Status::ok();
}

void ImageHeights::setPatchLevel(int level)
{
    if (level == patchLevel_) return;
    patchLevel_ = level;
    if (diamondErrors_) writePatchErrors({});
}

// Writes the codes of the patch level in use: `patch`, if it is of that level, otherwise newly computed ones.
void ImageHeights::writePatchErrors(PatchErrors patch)
{
    if (patch.level != patchLevel_) patch.codes = patchErrors(*diamondErrors_, patchLevel_);
    writeErrors(patchOffset(), patch.codes);
    if (changed_) patchCodes_ = std::move(patch.codes);
}

FinestGround ImageHeights::finestGround(const TerrainGpu& terrain, const Camera& camera, const Settings& settings,
                                        const HeightField& field) const
{
    const MadeRelief* relief = settings.detailShown() ? relief_.get() : nullptr;
    return [=, &terrain, &field](const glm::dvec3& relative) {
        const glm::dvec3 at = camera.position + relative;
        const double made = relief ? relief->heightAt(field, at.x, at.y) : 0.0;
        const double ground = double(heightAt(field, at.x, at.y)) + made;
        return GroundMiss{std::abs(at.z - ground * double(terrain.uniforms().pixelSize.z)), {0, 0, 1}};
    };
}

// ---- changed heights ----

Status ImageHeights::replace(const ChangingBounds& bounds, PatchErrors patch, gpu::TerrainUniforms& uniforms)
{
    changed_ = true;
    relief_ = bounds.relief();
    writePyramid(bounds.heights());
    measuring_.reset();  // measures the old heights
    if (std::exchange(diamondErrors_, bounds.errors()))
    {
        writeErrors(0, diamondErrors_->codes);
        describeErrors(uniforms);
    }
    else if (Status s = makeErrors(uniforms); !s)
        return s;
    writePatchErrors(std::move(patch));
    return Status::ok();
}

void ImageHeights::change(const ChangingBounds& bounds, const BoundsChange& change)
{
    changed_ = true;
    writePyramid(bounds.heights(), change.heights);
    const DiamondErrors& errors = *diamondErrors_;
    for (std::size_t level = 0; level < errors.levels.size(); ++level)
        writeErrors(errors.levels[level], DiamondGrid::kBlocks, change.errors[level], errors.codes, 0, 0);
    writeErrors(errors.fine, 1, change.errors[0], errors.codes, 0, 0);
    if (patchLevel_ <= 0) return;
    const std::vector<IndexBox> patches = updatePatchErrors(errors, patchLevel_, change.errors, patchCodes_);
    for (std::size_t level = 1; level < errors.levels.size(); ++level)
        writeErrors(errors.levels[level], DiamondGrid::kBlocks, patches[level], patchCodes_, errors.patchOffset(),
                    patchOffset());
}

void ImageHeights::writePyramid(const HeightPyramid& pyramid)
{
    std::vector<IndexBox> boxes;
    for (const PyramidLevel& level : pyramid.levels)
        boxes.push_back({0, 0, level.width, level.height});
    writePyramid(pyramid, boxes);
}

// Writes a box of each level's cells.
void ImageHeights::writePyramid(const HeightPyramid& pyramid, const std::vector<IndexBox>& boxes)
{
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    for (std::size_t l = 0; l < cells_.size(); ++l)
    {
        const PyramidLevel& level = pyramid.levels[l];
        const IndexBox& box = boxes[l];
        if (box.empty()) continue;
        glPixelStorei(GL_UNPACK_ROW_LENGTH, level.width);
        glTextureSubImage2D(range_.id(), 0, cells_[l].x + box.x0, cells_[l].y + box.y0, box.x1 - box.x0,
                            box.y1 - box.y0, GL_RG, GL_UNSIGNED_SHORT,
                            &level.cells[std::size_t(box.y0) * std::size_t(level.width) + std::size_t(box.x0)]);
    }
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
}

// Writes codes to the error texture from index `first` on, which must begin a row.
void ImageHeights::writeErrors(std::size_t first, std::span<const std::uint8_t> codes)
{
    for (std::size_t done = 0; done < codes.size();)
    {
        const std::size_t row = (first + done) / kErrorPage, left = codes.size() - done;
        const std::size_t width = std::min(left, kErrorPage);
        const std::size_t rows = std::max<std::size_t>(1, std::min(left / kErrorPage, kErrorPage - row % kErrorPage));
        glTextureSubImage3D(errors_.id(), 0, 0, GLint(row % kErrorPage), GLint(row / kErrorPage), GLsizei(width),
                            GLsizei(rows), 1, GL_RED_INTEGER, GL_UNSIGNED_BYTE, codes.data() + done);
        done += width * rows;
    }
}

// Writes the codes of a box of entries, in whole rows of the texture.  `offset`: index of codes[0] as
// DiamondGrid::index() counts.  `first`: index of codes[0] in the texture, at the start of a row.
void ImageHeights::writeErrors(const DiamondGrid& grid, int blocks, const IndexBox& box,
                               std::span<const std::uint8_t> codes, std::size_t offset, std::size_t first)
{
    const IndexBox inside = {std::max(box.x0, grid.originX), std::max(box.y0, grid.originY),
                             std::min(box.x1, grid.originX + grid.width), std::min(box.y1, grid.originY + grid.height)};
    if (inside.empty()) return;
    for (int block = 0; block < blocks; ++block)
    {
        const std::size_t from = (grid.index(block, inside.x0, inside.y0) - offset) / kErrorPage * kErrorPage;
        const std::size_t last = grid.index(block, inside.x1 - 1, inside.y1 - 1) - offset;
        const std::size_t end = std::min((last / kErrorPage + 1) * kErrorPage, codes.size());
        writeErrors(first + from, codes.subspan(from, end - from));
    }
}

Status ImageHeights::showDrainage(std::span<const std::uint32_t> cells)
{
    if (!drainage_)
    {
        Result<Texture> made = makeCodes("drained area", width_, height_);
        if (!made) return made.error();
        drainage_ = std::move(*made);
    }
    const double scale = 255 / std::log(double(cells.size()));
    std::vector<std::uint8_t> codes(cells.size());
    for (std::size_t i = 0; i < cells.size(); ++i)
        codes[i] = std::uint8_t(std::lround(scale * std::log(double(std::max(cells[i], 1u)))));
    writeMaxima(drainage_, std::move(codes));
    return Status::ok();
}

std::vector<BufferUse> ImageHeights::memory() const
{
    std::vector<BufferUse> uses = {{"height ranges, errors", range_.bytes() + errors_.bytes()}};
    if (drainage_) uses.push_back({"drained area", drainage_.bytes()});
    if (roughness_) uses.push_back({"roughness", roughness_.bytes()});
    return uses;
}

}  // namespace orogen::app
