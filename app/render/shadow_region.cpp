#include "app/render/shadow_region.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <glm/geometric.hpp>
#include <glm/gtc/type_ptr.hpp>

#include "core/gpu_layout.h"

namespace orogen::app {
namespace {

constexpr int kLevels = gpu::kRegionLevels;
constexpr int kSide = 384;  // texels
constexpr int kPassRows = kLevels * kSide, kRows = 2 * kPassRows;
constexpr int kRowsAFrame = 64;  // rows per update() once a map is shown, if the caller sets no limit
// Map::base: least value (metres), and metres for each metre of the camera's height.  The result is rounded up to a
// power of two.
constexpr double kLeastBase = 8192, kBasePerHeight = 4;
constexpr double kHighestCamera = 2e5;  // metres; above it, shadows are too small to be seen
constexpr double kMoves = 0.125;        // largest distance of the camera from the centre, in units of Map::base
constexpr double kSunMoves = 0.999998;  // cosine of the largest motion of sun or moon (0.11 degrees)
constexpr GLint kCentre = 40, kEast = 41, kNorth = 42;  // locations in earth_shadow.glsl

double baseFor(double height)
{
    return std::max(kLeastBase, std::exp2(std::ceil(std::log2(kBasePerHeight * std::max(height, 1.0)))));
}

}  // namespace

RegionPrograms::RegionPrograms(ShaderLibrary& library)
    : heights(library.add("heights of the region", {"shaders/earth/region_heights.comp"})),
      shadows(library.add("shadows of the region", {"shaders/earth/region_shadows.comp"}))
{
}

Result<ShadowRegion> ShadowRegion::create(const ShaderLibrary& library, const RegionPrograms& programs)
{
    ShadowRegion region;
    region.library_ = &library;
    region.heightsProgram_ = programs.heights;
    region.shadowsProgram_ = programs.shadows;
    const auto shape = [](GLenum format) {
        return TextureShape{
            .target = GL_TEXTURE_2D_ARRAY, .format = format, .width = kSide, .height = kSide, .depth = kLevels};
    };
    const std::pair<Texture*, GLenum> textures[] = {
        {&region.heights_, GL_R32F}, {&region.shares_[0], GL_R8}, {&region.shares_[1], GL_R8}};
    for (const auto& [texture, format] : textures)
    {
        Result<Texture> made = makeTexture("region", shape(format));
        if (!made) return made.error();
        *texture = std::move(*made);
    }
    region.smooth_ = makeSampler("region", GL_LINEAR, GL_LINEAR);
    region.row_ = kRows;
    return region;
}

bool ShadowRegion::nearEnough(const Map& map, double share) const
{
    const double height = geodeticOf(view_.eye).height, base = baseFor(height);
    const glm::dvec3 offset = map.axes.toLocal(view_.eye - map.centre);
    return map.base >= base && map.base <= 2 * base && std::hypot(offset.x, offset.y) <= share * map.base;
}

bool ShadowRegion::serves(const Map& map) const
{
    return map.base > 0 && nearEnough(map, kMoves) && map.heightScale == view_.heightScale &&
           glm::dot(map.sun, view_.sun) >= kSunMoves && (map.tiles == view_.tiles || !view_.tilesRest);
}

void ShadowRegion::look(const RegionView& view)
{
    view_ = view;
    const Geodetic place = geodeticOf(view.eye);
    if (!view.wanted || place.height > kHighestCamera)
    {
        front_.base = 0;
        row_ = kRows;
        return;
    }
    // Lets a map that is being computed finish, so that a moving camera gets a map at all.  Begins another one only if
    // the camera has left the area or the range of heights of that map.
    const bool works = row_ < kRows;
    if (works ? nearEnough(back_, 0.5) : serves(front_)) return;
    const glm::dvec3 foot = earthFixed({place.latitude, place.longitude, 0});
    back_ = {axesAt(foot), foot, view.sun, baseFor(place.height), view.heightScale, view.tiles};
    row_ = 0;
}

int ShadowRegion::rowsLeft() const { return kRows - row_; }

void ShadowRegion::restart()
{
    front_.base = 0;
    row_ = kRows;
}

void ShadowRegion::update(int rows)
{
    if (row_ >= kRows) return;
    const LocalAxes camera = axesAt(view_.eye);
    const glm::vec3 axes[4] = {glm::vec3(camera.toLocal(back_.centre - view_.eye)),
                               glm::vec3(camera.toLocal(back_.axes.east)), glm::vec3(camera.toLocal(back_.axes.north)),
                               glm::vec3(camera.toLocal(back_.axes.up))};
    const glm::vec3 sun(back_.axes.toLocal(back_.sun));
    if (rows >= kRows && front_.base > 0) rows = kRowsAFrame;
    while (rows > 0 && row_ < kRows)
    {
        const bool shadows = row_ >= kPassRows;
        const int level = row_ / kSide % kLevels, first = row_ % kSide,
                  now = std::min((rows + 7) / 8 * 8, kSide - first);
        // Earlier frames may still read the maps that are written now.
        glMemoryBarrier(GL_SHADER_IMAGE_ACCESS_BARRIER_BIT);
        const GLuint program = library_->program(shadows ? shadowsProgram_ : heightsProgram_);
        glUseProgram(program);
        glUniform1i(0, first);
        glUniform1i(1, level);
        glUniform1f(2, float(back_.base));
        if (shadows)
        {
            glUniform4f(3, sun.x, sun.y, sun.z, float(kHighestGround * back_.heightScale));
            glBindTextureUnit(gpu::kLightTexture, heights_.id());
            glBindSampler(gpu::kLightTexture, smooth_.id());
            glBindImageTexture(0, shares_[1].id(), 0, GL_TRUE, 0, GL_WRITE_ONLY, GL_R8);
        }
        else
        {
            glUniform3fv(3, 4, glm::value_ptr(axes[0]));
            glBindImageTexture(0, heights_.id(), 0, GL_TRUE, 0, GL_WRITE_ONLY, GL_R32F);
        }
        glDispatchCompute(kSide / 8, GLuint(now) / 8, 1);
        glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT);
        row_ += now;
        rows -= now;
    }
    if (row_ < kRows) return;
    std::swap(shares_[0], shares_[1]);
    front_ = back_;
}

void ShadowRegion::use(GLuint program) const
{
    const LocalAxes camera = axesAt(view_.eye);
    const glm::vec3 centre(camera.toLocal(front_.centre - view_.eye)), east(camera.toLocal(front_.axes.east)),
        north(camera.toLocal(front_.axes.north));
    glProgramUniform4f(program, kCentre, centre.x, centre.y, centre.z, float(front_.base));
    glProgramUniform3f(program, kEast, east.x, east.y, east.z);
    glProgramUniform3f(program, kNorth, north.x, north.y, north.z);
    glBindTextureUnit(gpu::kLightTexture, shares_[0].id());
    glBindSampler(gpu::kLightTexture, smooth_.id());
}

std::uint64_t ShadowRegion::bytes() const { return std::uint64_t(kSide) * kSide * kLevels * (4 + 1 + 1); }

}  // namespace orogen::app
