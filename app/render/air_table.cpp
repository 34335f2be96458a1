#include "app/render/air_table.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <sstream>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <glm/geometric.hpp>
#include <glm/gtc/type_ptr.hpp>
#include <glm/trigonometric.hpp>

#include "core/base/text_file.h"

namespace orogen::app {
namespace {

constexpr GLuint kAirGroupSide = 8;            // local size in air.comp
constexpr double kLowestLand = 600;            // lowest land that the table covers, as drawn (metres below the sphere)
constexpr double kSteepestHorizon = 1 - 1e-6;  // sine of the angle between vertical and horizon for a camera 6 m up

// The table of light along lines of sight is computed for a rounded height and sun, so that most frames of a flight
// keep it: it takes a software rasteriser some milliseconds.  A step changes a picture by about 1 / 255.
constexpr double kHeightStep = 0.02;                // share of the height above kHeightBase
constexpr double kHeightBase = -kLowestLand - 100;  // metres
constexpr double kSunStep = 1e-4;                   // step of the sine of the sun's elevation

// Shapes of the tables of light along lines of sight and of the optical depths there (air.comp).
TextureShape lightShape()
{
    return {.target = GL_TEXTURE_3D,
            .format = GL_RGBA16F,
            .width = gpu::kAirTableSize.x,
            .height = 2 * gpu::kAirTableSize.y,
            .depth = gpu::kAirTableSize.z};
}

TextureShape depthShape()
{
    return {.format = GL_RG16F, .width = 2 * gpu::kAirTableSize.y, .height = gpu::kAirTableSize.z};
}

TextureShape shapeOf(const glm::ivec4& size) { return {.format = GL_RGBA16F, .width = size.x, .height = size.y}; }

std::uint64_t texelsOf(const TextureShape& s)
{
    return std::uint64_t(s.width) * std::uint64_t(s.height) * std::uint64_t(s.depth);
}

// Returns the cosine of the angle between the vertical and the lines of sight to the horizon of a sphere below.
// `fromCentre`: distance of the eye from the sphere's centre (metres).
double horizonCosine(double fromCentre, double radius)
{
    const double sine = std::min(radius / fromCentre, kSteepestHorizon);
    return -std::sqrt(1.0 - sine * sine);
}

// `sunSine`: sine of the sun's elevation where the moonlight falls.
glm::dvec3 moonlightOf(const AirView& view, double sunSine)
{
    const glm::dvec3 sun(glm::dot(view.axes.east, view.sun), glm::dot(view.axes.north, view.sun),
                         glm::dot(view.axes.up, view.sun));
    return moonlight(glm::normalize(sun), view.moon, sunSine);
}

// Sets the camera's height (metres above the sphere) and what follows from it.
void setHeight(gpu::AirUniforms& u, double height)
{
    const double radius = double(gpu::kAirRadius), top = radius + double(gpu::kAirTop), fromCentre = radius + height;
    u.east.w = float(airShown(height));
    u.north.w = float(horizonCosine(fromCentre, radius - kLowestLand));
    u.up.w = fromCentre > top ? float(horizonCosine(fromCentre, top)) : 1.0f;
    u.camera.w = float(height);
}

gpu::AirUniforms uniformsOf(const AirView& view, const AirLight& air)
{
    const double overhead = glm::dot(view.eye, view.sun) / glm::length(view.eye);
    gpu::AirUniforms u{};
    u.east = glm::vec4(glm::vec3(view.axes.east), 0.0f);
    u.north = glm::vec4(glm::vec3(view.axes.north), 0.0f);
    u.up = glm::vec4(glm::vec3(view.axes.up), 0.0f);
    u.camera = glm::vec4(glm::vec3(glm::normalize(view.eye)), 0.0f);
    setHeight(u, std::max(glm::length(view.eye) - double(gpu::kAirRadius), 1 - kLowestLand));
    u.sun = glm::vec4(glm::vec3(view.sun), float(air.haze()));
    const glm::dvec3 white(gpu::kSunlight);
    u.sunlight = glm::vec4(glm::vec3(white * air.transmittance(view.groundHeight, overhead)), 0.0f);
    u.skylight = glm::vec4(glm::vec3(white * air.skylight(view.groundHeight, overhead)), 0.0f);
    u.moon = glm::vec4(glm::vec3(view.moon), view.moonCasts ? 1.0f : 0.0f);
    u.moonlight = glm::vec4(glm::vec3(moonlightOf(view, view.globe ? -1.0 : view.sunSine)), 0.0f);
    return u;
}

// Returns the uniforms for which air.comp fills the table of a view: those that it reads, rounded.
gpu::AirUniforms filledFor(const gpu::AirUniforms& view)
{
    const double above = std::log(double(view.camera.w) - kHeightBase) / std::log1p(kHeightStep);
    const double sine = double(glm::dot(glm::vec3(view.camera), glm::vec3(view.sun)));
    const double rounded = std::clamp(kSunStep * std::round(sine / kSunStep), -1.0, 1.0);
    gpu::AirUniforms u{};
    u.camera = glm::vec4(0.0f, 0.0f, 1.0f, 0.0f);
    setHeight(u, kHeightBase + std::exp(std::round(above) * std::log1p(kHeightStep)));
    u.sun = glm::vec4(float(std::sqrt(1 - rounded * rounded)), 0.0f, float(rounded), view.sun.w);
    return u;
}

}  // namespace

Result<AirTable> AirTable::create()
{
    AirTable table;
    const std::pair<Texture*, TextureShape> textures[] = {
        {&table.light_, lightShape()},
        {&table.depth_, depthShape()},
        {&table.transmittance_, shapeOf(gpu::kAirTransmittanceSize)},
        {&table.scattered_, shapeOf(gpu::kAirScatteredSize)},
        {&table.sky_, shapeOf(gpu::kAirScatteredSize)},
    };
    for (const auto& [texture, shape] : textures)
    {
        Result<Texture> made = makeTexture("air", shape);
        if (!made) return made.error();
        *texture = std::move(*made);
    }
    for (Buffer* uniforms : {&table.uniforms_, &table.filledUniforms_})
    {
        Result<Buffer> made =
            makeBuffer("air uniforms", sizeof(gpu::AirUniforms), GL_DYNAMIC_STORAGE_BIT, &table.view_);
        if (!made) return made.error();
        *uniforms = std::move(*made);
    }
    table.between_ = makeSampler("between air texels");
    for (const GLenum filter : {GL_TEXTURE_MIN_FILTER, GL_TEXTURE_MAG_FILTER})
        glSamplerParameteri(table.between_.id(), filter, GL_LINEAR);
    for (const GLenum axis : {GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T, GL_TEXTURE_WRAP_R})
        glSamplerParameteri(table.between_.id(), axis, GL_CLAMP_TO_EDGE);
    return table;
}

void AirTable::upload(const Texture& texture, std::span<const glm::vec3> texels) const
{
    glTextureSubImage2D(texture.id(), 0, 0, 0, texture.shape().width, texture.shape().height, GL_RGB, GL_FLOAT,
                        texels.data());
}

void AirTable::setVisibility(double kilometres)
{
    const double haze = hazeOfVisibility(1000 * kilometres);
    if (air_ && air_->haze() == haze) return;
    air_.emplace(haze);
    upload(transmittance_, air_->transmittanceTexels());
    upload(scattered_, air_->scatteredTexels());
    upload(sky_, air_->skyTexels());
    filledBy_ = 0;
}

float AirTable::look(const AirView& view)
{
    view_ = uniformsOf(view, *air_);
    glNamedBufferSubData(uniforms_.id(), 0, sizeof view_, &view_);
    const glm::dvec3 moon = moonlightOf(view, view.sunSine) * std::max(view.moonSine, 0.0);
    return float(air_->exposure(double(view_.camera.w), view.sunSine, moon));
}

void AirTable::fill(GLuint program)
{
    const gpu::AirUniforms wanted = filledFor(view_);
    if (filledBy_ == program && std::memcmp(&wanted, &filled_, sizeof wanted) == 0) return;
    filledBy_ = program;
    filled_ = wanted;
    glNamedBufferSubData(filledUniforms_.id(), 0, sizeof filled_, &filled_);
    glBindBufferBase(GL_UNIFORM_BUFFER, gpu::kAirBinding, filledUniforms_.id());
    glUseProgram(program);
    glBindImageTexture(0, light_.id(), 0, GL_TRUE, 0, GL_WRITE_ONLY, GL_RGBA16F);
    glBindImageTexture(1, depth_.id(), 0, GL_FALSE, 0, GL_WRITE_ONLY, GL_RG16F);
    glDispatchCompute(GLuint(light_.shape().width) / kAirGroupSide, GLuint(light_.shape().height) / kAirGroupSide, 1);
    afterDispatch(GL_TEXTURE_FETCH_BARRIER_BIT);
    glBindBufferBase(GL_UNIFORM_BUFFER, gpu::kAirBinding, uniforms_.id());
}

void AirTable::bind() const
{
    glBindBufferBase(GL_UNIFORM_BUFFER, gpu::kAirBinding, uniforms_.id());
    const std::pair<GLuint, const Texture*> units[] = {{gpu::kAirLightTexture, &light_},
                                                       {gpu::kAirDepthTexture, &depth_},
                                                       {gpu::kAirTransmittanceTexture, &transmittance_},
                                                       {gpu::kAirScatteredTexture, &scattered_},
                                                       {gpu::kAirSkyTexture, &sky_}};
    for (const auto& [unit, texture] : units)
    {
        glBindTextureUnit(unit, texture->id());
        glBindSampler(unit, between_.id());
    }
}

std::uint64_t AirTable::bytes() const
{
    std::uint64_t bytes = texelsOf(light_.shape()) * 8 + texelsOf(depth_.shape()) * 4;
    for (const Texture* table : {&transmittance_, &scattered_, &sky_})
        bytes += texelsOf(table->shape()) * 8;
    return bytes + uniforms_.bytes() + filledUniforms_.bytes();
}

namespace {

constexpr const char* kCatalogue = "assets/earth/stars.csv";
constexpr std::uint64_t kMostBytes = 1 << 24;
constexpr double kTwilight = -0.05;  // sine of the sun's elevation below which stars show
constexpr double kThinAir = 25'000;  // metres: above, stars show by day

struct Star
{
    glm::vec3 direction;  // unit, in the axes of the catalogue
    float magnitude;
    glm::vec3 tint;
    float unused = 0;
};

// Returns a star's tint by its colour index B-V: blue below 0, yellow at 0.8, red above 1.5.
glm::vec3 tintOf(double index)
{
    const auto t = float(std::clamp((index + 0.3) / 2.0, 0.0, 1.0));
    return glm::vec3(0.72f + 0.45f * t, 0.86f + 0.06f * t - 0.22f * t * t, 1.15f - 0.65f * t);
}

// Reads lines "right ascension, declination, magnitude, B-V" (degrees, J2000); skips lines with # in front.
Result<std::vector<Star>> readStars(const std::filesystem::path& file)
{
    const Result<std::string> text = readTextFile(file.string(), kMostBytes);
    if (!text) return text.error();
    std::vector<Star> stars;
    std::istringstream lines(*text);
    int number = 0;
    for (std::string line; std::getline(lines, line);)
    {
        ++number;
        if (line.empty() || line.front() == '#') continue;
        double ascension = 0, declination = 0, magnitude = 0, index = 0;
        char comma = 0;
        std::istringstream values(line);
        if (!(values >> ascension >> comma >> declination >> comma >> magnitude >> comma >> index))
            return Error{ExitCode::kInput,
                         fmt::format("{}:{}: found '{}', expected four numbers", file.string(), number, line)};
        const double a = glm::radians(ascension), d = glm::radians(declination);
        stars.push_back({glm::vec3(std::cos(d) * std::cos(a), std::cos(d) * std::sin(a), std::sin(d)), float(magnitude),
                         tintOf(index)});
    }
    return stars;
}

}  // namespace

SkyView skyView(std::optional<UtcSeconds> time, const LocalAxes& axes, const glm::dvec3& eye, const glm::dvec3& sun,
                double height)
{
    SkyView sky;
    const glm::dmat3 fromEarth = glm::transpose(glm::dmat3(axes.east, axes.north, axes.up));
    sky.fromStars = glm::mat3(fromEarth * (time ? starsToEarth(*time) : glm::dmat3(1)));
    sky.moon = time ? axes.toLocal(glm::normalize(moonPosition(*time) - eye)) : -sun;
    sky.dark = sun.z < kTwilight || height > kThinAir;
    return sky;
}

Result<NightSky> NightSky::create(const std::filesystem::path& dataRoot)
{
    Result<std::vector<Star>> stars = readStars(dataRoot / kCatalogue);
    if (!stars) return stars.error();
    stars->insert(stars->begin(), Star{});  // the moon, see stars.vert
    NightSky sky;
    Result<Buffer> buffer = makeBuffer("stars", stars->size() * sizeof(Star), 0, stars->data());
    if (!buffer) return buffer.error();
    sky.stars_ = std::move(*buffer);
    sky.count_ = int(stars->size());
    sky.points_ = makeVertexArray("stars");
    glVertexArrayVertexBuffer(sky.points_.id(), 0, sky.stars_.id(), 0, sizeof(Star));
    for (const GLuint attribute : {0u, 1u})
    {
        glEnableVertexArrayAttrib(sky.points_.id(), attribute);
        glVertexArrayAttribFormat(sky.points_.id(), attribute, 4, GL_FLOAT, GL_FALSE, 16 * attribute);
        glVertexArrayAttribBinding(sky.points_.id(), attribute, 0);
    }
    return sky;
}

void NightSky::draw(GLuint program, const SkyView& view) const
{
    const int end = view.dark ? count_ : 1;  // the moon comes first
    const glm::vec3 moon(view.moon);
    glProgramUniformMatrix3fv(program, 0, 1, GL_FALSE, glm::value_ptr(view.fromStars));
    glProgramUniform3f(program, 1, moon.x, moon.y, moon.z);
    glUseProgram(program);
    glBindVertexArray(points_.id());
    glEnable(GL_PROGRAM_POINT_SIZE);
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE);
    glDrawArrays(GL_POINTS, 0, end);
    glDisable(GL_BLEND);
    glDisable(GL_PROGRAM_POINT_SIZE);
}

}  // namespace orogen::app
