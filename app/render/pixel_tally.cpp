#include "app/render/pixel_tally.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include <glm/common.hpp>

#include "core/planet/ellipsoid.h"

namespace orogen::app {
namespace {

constexpr std::uint64_t kTallyBytes = sizeof(gpu::PixelTally) + gpu::kTallyBins * sizeof(std::uint32_t);
constexpr int kGroupSide = 8;

// Returns the middle of a bin.  Bin 0 holds values that count as zero.
double valueOf(std::size_t bin)
{
    if (bin == 0) return 0.0;
    return double(std::bit_cast<float>(std::uint32_t((gpu::kTallyFirstStep + bin - 1) << 16 | 0x8000u)));
}

// Sets the transform from the axes of the earlier camera to those of the current one.
void relateThen(const PictureView& picture, const Camera& before, gpu::GroundView& view)
{
    const bool earth = picture.terrain.onEarth();
    const LocalAxes now = earth ? axesAt(picture.camera.position) : LocalAxes();
    const LocalAxes then = earth ? axesAt(before.position) : LocalAxes();
    const glm::dvec3 offset = now.toLocal(before.position - picture.camera.position);
    const auto row = [&](const glm::dvec3& axis, double metres) {
        return glm::vec4(glm::vec3(then.toLocal(axis)), float(metres));
    };
    view.thenEast = row(now.east, offset.x);
    view.thenNorth = row(now.north, offset.y);
    view.thenUp = row(now.up, offset.z);
}

gpu::GroundView viewOf(const PictureView& picture, const std::optional<Camera>& before)
{
    const int width = picture.target.drawnWidth(), height = picture.target.drawnHeight();
    const Projection projection = project(picture.camera, width, height, picture.nearPlane);
    const LatticePoint place = picture.terrain.place(picture.camera.position);
    const glm::dvec2 texel = picture.terrain.texelAt(picture.camera.position);
    const glm::dvec2 whole = glm::floor(texel);
    const glm::vec2 sample = picture.target.samplePlace();
    gpu::GroundView view{};
    view.relativeFromClip = projection.relativeFromClip;
    view.cameraCell = place.cell;
    view.cameraFraction = place.fraction;
    view.cameraTexel = glm::vec4(glm::dvec4(whole, texel - whole));
    view.viewport = glm::vec4(float(width), float(height), 1.0f / float(width), 1.0f / float(height));
    view.lens = glm::vec4(sample, projection.pixelsPerRadian, float(picture.nearPlane));
    relateThen(picture, before.value_or(picture.camera), view);
    return view;
}

}  // namespace

Result<PixelTally> PixelTally::create(ShaderLibrary& library, const std::string& name, const std::string& shader)
{
    PixelTally made;
    made.library_ = &library;
    made.single_ = library.add(name, {shader});
    made.multisampled_ = library.add(name + ", multisampled", {shader}, {{"OROGEN_MULTISAMPLED", "1"}});
    Result<ReadbackRing> readback = ReadbackRing::create(name, kTallyBytes);
    if (!readback) return readback.error();
    made.readback_ = std::move(*readback);
    Result<Buffer> view = makeBuffer(name + ", view", sizeof(gpu::GroundView), GL_DYNAMIC_STORAGE_BIT);
    if (!view) return view.error();
    made.view_ = std::move(*view);
    Result<Buffer> tally = makeBuffer(name + ", tally", kTallyBytes);
    if (!tally) return tally.error();
    made.tally_ = std::move(*tally);
    return made;
}

void PixelTally::bindPicture(const PictureView& picture, const std::optional<Camera>& before)
{
    const gpu::GroundView view = viewOf(picture, before);
    glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
    glNamedBufferSubData(view_.id(), 0, sizeof view, &view);
    glClearNamedBufferData(tally_.id(), GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT, nullptr);
    glBindBufferBase(GL_UNIFORM_BUFFER, gpu::kGroundViewBinding, view_.id());
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, gpu::kTallyBinding, tally_.id());
    glBindTextureUnit(gpu::kDepthTexture, picture.target.depth());
    glBindSampler(gpu::kDepthTexture, 0);
}

void PixelTally::measure(const PictureView& picture, std::uint64_t frame, const std::optional<Camera>& before)
{
    bindPicture(picture, before);
    const auto groups = [](int pixels) { return GLuint((pixels + kGroupSide - 1) / kGroupSide); };
    glUseProgram(library_->program(picture.target.samples() > 1 ? multisampled_ : single_));
    glDispatchCompute(groups(picture.target.drawnWidth()), groups(picture.target.drawnHeight()), 1);
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
    readback_.enqueue(tally_.id(), 0, frame);
    glBindTextureUnit(gpu::kDepthTexture, 0);
}

std::optional<PixelFigures> PixelTally::poll(std::uint64_t nanoseconds)
{
    const std::optional<Readback> arrived = readback_.poll(nanoseconds);
    if (!arrived) return std::nullopt;
    gpu::PixelTally tally;
    std::memcpy(&tally, arrived->data.data(), sizeof tally);
    std::vector<std::uint32_t> bins(gpu::kTallyBins);
    std::memcpy(bins.data(), arrived->data.data() + sizeof tally, bins.size() * sizeof bins[0]);
    PixelFigures figures = figuresOf(tally, bins.data());
    figures.frame = arrived->frame;
    return figures;
}

PixelFigures figuresOf(const gpu::PixelTally& tally, const std::uint32_t* bins)
{
    PixelFigures figures;
    figures.largest = double(std::bit_cast<float>(tally.largest));
    double sum = 0;
    for (std::size_t i = 0; i < gpu::kTallyBins; ++i)
    {
        figures.pixels += bins[i];
        sum += bins[i] * valueOf(i);
    }
    if (figures.pixels == 0) return figures;
    figures.mean = sum / double(figures.pixels);
    std::uint64_t seen = 0;
    std::size_t bin = 0;
    for (; bin + 1 < gpu::kTallyBins; ++bin)
    {
        seen += bins[bin];
        if (100 * seen >= 99 * figures.pixels) break;
    }
    figures.p99 = std::min(valueOf(bin), figures.largest);
    return figures;
}

}  // namespace orogen::app
