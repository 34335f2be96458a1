// Compares the table of the air's light with the integral that it tabulates.
#include <algorithm>
#include <cmath>
#include <vector>

#include <glm/common.hpp>
#include <glm/exponential.hpp>
#include <glm/geometric.hpp>

#include "app/render/air_table.h"
#include "core/gpu_layout.h"
#include "tests/gl/lod_support.h"
#include "tests/support/random.h"

namespace orogen::app::test {
namespace {

constexpr int kRays = 512;
constexpr double kRadius = 6378137.0, kFloor = 600.0;

// A line of sight (x: up, y: horizontally towards the sun), its length (w), and the light of a black and of a white
// point.
constexpr const char* kProbe = R"(
#include "shaders/earth/air_table.glsl"
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer D { vec4 data[]; };
void main()
{
    uint i = 3u * gl_GlobalInvocationID.x;
    vec3 relative = data[i].xyz * data[i].w;
    data[i + 1u].xyz = throughTheAir(vec3(0.0), relative);
    data[i + 2u].xyz = throughTheAir(vec3(1.0), relative);
}
)";

double column(double height, double scale, double cosine)
{
    const double from = (kRadius + height) / scale, root = std::sqrt(from), density = std::exp(-height / scale);
    const double up = density * root / (root * std::abs(cosine) + 1.0);
    if (cosine >= 0) return scale * up;
    const double lowest = std::sqrt(std::max(1 - cosine * cosine, 0.0)) * from;
    return scale * (2 * std::sqrt(lowest) * std::exp(std::min(kRadius / scale - lowest, 30.0)) - up);
}

double smoothstep(double a, double b, double x)
{
    const double t = std::clamp((x - a) / (b - a), 0.0, 1.0);
    return t * t * (3 - 2 * t);
}

struct Light
{
    glm::dvec3 added{0}, left{1};
};

struct Sky
{
    double height, share, haze, sunRise;  // camera (metres); see AirUniforms
};

// Integrates along a line by 400 equal steps in the square root of the distance from its lowest point.
Light integral(const Sky& sky, double rise, double cosSun, double length)
{
    const double start = kRadius + sky.height, top = kRadius + double(gpu::kAirTop), nearest = -start * rise;
    const double inside = nearest * nearest - start * start + top * top;
    Light light;
    if (inside <= 0) return light;
    const double from = std::max(nearest - std::sqrt(inside), 0.0), to = std::min(nearest + std::sqrt(inside), length);
    if (to <= from) return light;
    const glm::dvec3 clear = glm::dvec3(5.8e-6, 13.5e-6, 33.1e-6) * sky.share, tint(0.86, 1.0, 1.15);
    const double g = 0.78, phaseAir = 0.1875 * (1 + cosSun * cosSun);
    const double phaseHaze = 0.25 * (1 - g * g) / std::pow(1 + g * g - 2 * g * cosSun, 1.5);
    const double turn = std::clamp(nearest, from, to), first = -std::sqrt(turn - from), last = std::sqrt(to - turn);
    constexpr int kSteps = 400;
    for (int i = 0; i < kSteps; ++i)
    {
        const auto at = [&](double share) {
            const double s = first + (last - first) * share;
            return turn + s * std::abs(s);
        };
        const double step = at((i + 1.0) / kSteps) - at(double(i) / kSteps), middle = at((i + 0.5) / kSteps);
        const double far = std::sqrt(start * start + 2 * start * rise * middle + middle * middle);
        const double height = std::max(far - kRadius, 0.0);
        const double cosine = (start * sky.sunRise + middle * cosSun) / (kRadius + height);
        const glm::dvec3 air = clear * std::exp(-height / 8000), haze = tint * (sky.haze * std::exp(-height / 1300));
        const double ozone = std::clamp(2 - height / 20000, 0.0, 1.0) / std::sqrt(cosine * cosine + 0.0066);
        const glm::dvec3 sunDepth = clear * column(height, 8000, cosine) +
                                    tint * (sky.haze * column(height, 1300, cosine)) +
                                    glm::dvec3(0.013, 0.038, 0.0018) * ozone;
        const glm::dvec3 sun = glm::exp(-glm::min(sunDepth, glm::dvec3(60)));
        const glm::dvec3 again =
            (air + haze * 0.93) * 0.080 *
            (std::pow(sun.g, 0.25) * smoothstep(-0.20, 0.25, cosine) + glm::dvec3(0.0016, 0.0022, 0.0036));
        const glm::dvec3 all = air + haze, taken = 1.0 - glm::exp(-all * step);
        const glm::dvec3 source = (air * phaseAir + haze * (0.93 * phaseHaze)) * sun + again;
        light.added += light.left * taken * source / glm::max(all, glm::dvec3(1e-30));
        light.left *= 1.0 - taken;
    }
    light.added *= glm::dvec3(3.62, 3.42, 3.28);
    return light;
}

// Steps of 1/255 of a display (tone.glsl, without its noise).
glm::dvec3 shown(const glm::dvec3& radiance)
{
    const glm::dvec3 x = radiance * 0.58;
    const glm::dvec3 curve = (x * (2.51 * x + 0.03)) / (x * (2.43 * x + 0.59) + 0.14);
    return 255.0 * glm::pow(glm::clamp(curve, 0.0, 1.0), glm::dvec3(1 / 2.2));
}

double horizonCosine(double fromCentre, double radius)
{
    return -std::sqrt(1 - radius * radius / (fromCentre * fromCentre));
}

gpu::AirUniforms uniformsOf(const Sky& sky)
{
    const double fromCentre = kRadius + sky.height;
    gpu::AirUniforms u{};
    u.east = {1, 0, 0, float(sky.share)};
    u.north = {0, 1, 0, float(horizonCosine(fromCentre, kRadius - kFloor))};
    u.up = {0, 0, 1,
            sky.height > double(gpu::kAirTop) ? float(horizonCosine(fromCentre, kRadius + double(gpu::kAirTop)))
                                              : 1.0f};
    u.camera = {1, 0, 0, float(sky.height)};
    u.sun = {float(sky.sunRise), float(std::sqrt(1 - sky.sunRise * sky.sunRise)), 0, float(sky.haze)};
    return u;
}

class EarthAir : public GlTest
{
};

TEST_F(EarthAir, IsItsIntegralToTwoStepsOfADisplay)
{
    const ShaderCopy shaders;
    shaders.write("shaders/probe.comp", kProbe);
    ShaderLibrary library(shaders.root(), {.glsl460 = false});
    const ProgramHandle fill = library.add("air", {"shaders/earth/air.comp"});
    const ProgramHandle probe = library.add("probe", {"shaders/probe.comp"});
    ASSERT_TRUE(library.finish()) << library.log();
    Result<AirTable> table = AirTable::create();
    ASSERT_TRUE(table);
    orogen::test::Random random(27);
    for (const double height : {2.0, 1000.0, 12000.0, 100e3, 400e3, 19e6})
        for (const double sunRise : {0.7, 0.05, -0.05})
        {
            SCOPED_TRACE(testing::Message() << height << " m, sine of the sun's elevation " << sunRise);
            const Sky sky{height, 1 - 0.6 * random.unit(), 1e-5 + 4e-5 * random.unit(), sunRise};
            const double start = kRadius + height, horizon = horizonCosine(start, kRadius);
            const double top =
                height > double(gpu::kAirTop) ? horizonCosine(start, kRadius + double(gpu::kAirTop)) : 1.0;
            std::vector<glm::vec4> data(3 * kRays);
            for (int i = 0; i < kRays; ++i)
            {
                const bool ground = i % 2 == 0;
                const double rise = horizon + random.unit() * random.unit() * ((ground ? -1 : top) - horizon);
                const double turn = 3.14159265 * random.unit(), across = std::sqrt(1 - rise * rise);
                const double chord2 = start * start * rise * rise - start * start + kRadius * kRadius;
                const double far = ground ? -start * rise - std::sqrt(std::max(chord2, 0.0)) : 1e9;
                const double length = i % 4 < 2 ? far : far * random.unit();
                data[std::size_t(3 * i)] = glm::vec4(rise, across * std::cos(turn), across * std::sin(turn), length);
            }
            const gpu::AirUniforms air = uniformsOf(sky);
            Result<Buffer> uniforms = makeBuffer("air", sizeof air, 0, &air);
            Result<Buffer> rays = makeBuffer("rays", data.size() * sizeof data[0], 0, data.data());
            ASSERT_TRUE(uniforms && rays);
            glBindBufferBase(GL_UNIFORM_BUFFER, gpu::kAirBinding, uniforms->id());
            table->fill(library.program(fill));
            table->bind();
            glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, rays->id());
            glUseProgram(library.program(probe));
            glDispatchCompute(kRays / 64, 1, 1);
            glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
            glGetNamedBufferSubData(rays->id(), 0, GLsizeiptr(rays->bytes()), data.data());
            int off = 0;
            const glm::dvec3 sun(sunRise, std::sqrt(1 - sunRise * sunRise), 0);
            for (std::size_t i = 0; i < data.size(); i += 3)
            {
                const glm::dvec3 way(data[i]);
                const Light exact = integral(sky, way.x, glm::dot(way, sun), double(data[i].w));
                const glm::dvec3 black = shown(glm::dvec3(data[i + 1])) - shown(exact.added);
                const glm::dvec3 white = shown(glm::dvec3(data[i + 2])) - shown(exact.added + exact.left);
                const glm::dvec3 worst = glm::max(glm::abs(black), glm::abs(white));
                off += std::max({worst.x, worst.y, worst.z}) > 2;
            }
            EXPECT_LE(off,
                      kRays / 16);  // half of the rays pass close to the horizon, where a picture has few pixels
        }
}

}  // namespace
}  // namespace orogen::app::test
