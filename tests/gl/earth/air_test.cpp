// Compares the table of the air's light with the integral that it tabulates.
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include <glm/common.hpp>
#include <glm/exponential.hpp>
#include <glm/geometric.hpp>
#include <glm/vector_relational.hpp>

#include "app/render/air_table.h"
#include "core/gpu_layout.h"
#include "tests/gl/lod_support.h"
#include "tests/support/random.h"

namespace orogen::app::test {
namespace {

constexpr int kRays = 256;
constexpr double kRadius = 6378137.0, kTop = 75000.0, kExposure = 0.42;

// A line of sight (x: up, y: horizontally towards the sun), its length (w), and the light of a black and of a white
// point.
constexpr const char* kProbe = R"(
#include "shaders/air/air_table.glsl"
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

struct Light
{
    glm::dvec3 added{0}, left{1};
};

struct Coefficients
{
    glm::dvec3 air, haze, ozone;
};

Coefficients coefficientsAt(double height, double haze)
{
    return {glm::dvec3(5.802e-6, 13.558e-6, 33.1e-6) * std::exp(-height / 8000),
            glm::dvec3(0.86, 1.0, 1.15) * (haze * std::exp(-height / 1300)),
            glm::dvec3(0.650e-6, 1.881e-6, 0.085e-6) * std::max(1 - std::abs(height - 25000) / 15000, 0.0)};
}

// The sun's light at a place.  `cosine`: between the vertical and the sun.
glm::dvec3 sunAt(double height, double cosine, double haze)
{
    const double start = kRadius + height, lowest = -std::sqrt(height * (2 * kRadius + height)) / start;
    const double shown = std::clamp((cosine - lowest) / 0.0094 + 0.5, 0.0, 1.0);
    if (shown <= 0) return glm::dvec3(0);
    const double c = std::max(cosine, lowest), along = start * c;
    const double length = std::sqrt(along * along + (kTop - height) * (2 * kRadius + kTop + height)) - along;
    glm::dvec3 depth(0);
    constexpr int kSteps = 64;
    for (int i = 0; i < kSteps; ++i)
    {
        const double a = length * i * i / (kSteps * kSteps), b = length * (i + 1) * (i + 1) / (kSteps * kSteps);
        const double at = 0.5 * (a + b), here = std::sqrt(start * start + 2 * start * c * at + at * at) - kRadius;
        const Coefficients k = coefficientsAt(std::max(here, 0.0), haze);
        depth += (k.air + 0.7 * k.haze + k.ozone) * (b - a);
    }
    return shown * glm::exp(-depth);
}

// Integrates along a line by 200 equal steps in the square root of the distance from its lowest point.  Light scattered
// more than once is the table's.
Light integral(const AirLight& air, const AirView& view, double rise, double cosSun, double length)
{
    const double start = glm::length(view.eye), nearest = -start * rise, share = airShown(start - kRadius);
    const double inside = nearest * nearest - start * start + (kRadius + kTop) * (kRadius + kTop);
    Light light;
    if (inside <= 0) return light;
    const double from = std::max(nearest - std::sqrt(inside), 0.0), to = std::min(nearest + std::sqrt(inside), length);
    if (to <= from) return light;
    const double g = 0.78, phaseAir = 0.1875 * (1 + cosSun * cosSun);
    const double phaseHaze = 0.25 * (1 - g * g) / std::pow(1 + g * g - 2 * g * cosSun, 1.5);
    const double turn = std::clamp(nearest, from, to), first = -std::sqrt(turn - from), last = std::sqrt(to - turn);
    constexpr int kSteps = 200;
    glm::dvec3 left(1);
    for (int i = 0; i < kSteps; ++i)
    {
        const auto at = [&](double part) {
            const double s = first + (last - first) * part;
            return turn + s * std::abs(s);
        };
        const double step = at((i + 1.0) / kSteps) - at(double(i) / kSteps), middle = at((i + 0.5) / kSteps);
        const double far = std::sqrt(start * start + 2 * start * rise * middle + middle * middle);
        const double height = std::clamp(far - kRadius, 0.0, kTop);
        const double cosine = (glm::dot(view.eye, view.sun) + middle * cosSun) / (kRadius + height);
        const Coefficients k = coefficientsAt(height, air.haze());
        const glm::dvec3 source = (k.air * phaseAir + k.haze * (0.93 * phaseHaze)) * sunAt(height, cosine, air.haze()) +
                                  (k.air + k.haze * 0.63) * air.scatteredOften(height, cosine);
        const glm::dvec3 all = share * (k.air + 0.7 * k.haze + k.ozone), taken = 1.0 - glm::exp(-all * step);
        light.added += left * taken * share * source / glm::max(all, glm::dvec3(1e-30));
        left *= 1.0 - taken;
        light.left *= glm::exp(-share * (k.air + k.haze) * step);
    }
    light.added *= glm::dvec3(3.62, 3.42, 3.28);
    return light;
}

// Steps of 1/255 of a display (tone.glsl, without its noise).
glm::dvec3 shown(const glm::dvec3& radiance)
{
    const glm::dvec3 x = radiance * kExposure;
    const glm::dvec3 curve = (x * (2.51 * x + 0.03)) / (x * (2.43 * x + 0.59) + 0.14);
    return 255.0 * glm::pow(glm::clamp(curve, 0.0, 1.0), glm::dvec3(1 / 2.2));
}

double horizonCosine(double fromCentre, double radius)
{
    return -std::sqrt(1 - radius * radius / (fromCentre * fromCentre));
}

class AirLines : public GlTest
{
protected:
    void SetUp() override
    {
        GlTest::SetUp();
        ASSERT_TRUE(context_);
        shaders_.emplace();
        shaders_->write("shaders/probe.comp", kProbe);
        library_.emplace(shaders_->root(), ShaderDialect{.glsl460 = false});
        fill_ = library_->add("air", {"shaders/air/air.comp"});
        probe_ = library_->add("probe", {"shaders/probe.comp"});
        ASSERT_TRUE(library_->finish()) << library_->log();
        Result<AirTable> made = AirTable::create();
        ASSERT_TRUE(made);
        table_.emplace(std::move(*made));
    }
    void TearDown() override
    {
        table_.reset();
        library_.reset();
        GlTest::TearDown();
    }

    // Fills in the light of the rays, see kProbe.
    void look(const AirView& view, double kilometres, std::vector<glm::vec4>& rays)
    {
        table_->setVisibility(kilometres);
        (void)table_->look(view);
        table_->bind();
        table_->fill(library_->program(fill_));
        Result<Buffer> data = makeBuffer("rays", rays.size() * sizeof rays[0], 0, rays.data());
        ASSERT_TRUE(data);
        glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, data->id());
        glUseProgram(library_->program(probe_));
        glDispatchCompute(kRays / 64, 1, 1);
        glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
        glGetNamedBufferSubData(data->id(), 0, GLsizeiptr(data->bytes()), rays.data());
    }

    std::optional<ShaderCopy> shaders_;
    std::optional<ShaderLibrary> library_;
    std::optional<AirTable> table_;
    ProgramHandle fill_, probe_;
};

AirView viewAt(double height, double sunSine)
{
    AirView view;
    view.axes = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    view.eye = {kRadius + height, 0, 0};
    view.sun = {sunSine, std::sqrt(1 - sunSine * sunSine), 0};
    view.sunSine = sunSine;
    return view;
}

// Rays to the ground and past it, whole and shortened; half of them pass the horizon closely, which a picture shows in
// few pixels.
std::vector<glm::vec4> raysAt(double height, orogen::test::Random& random)
{
    const double start = kRadius + height, horizon = horizonCosine(start, kRadius);
    const double top = height > kTop ? horizonCosine(start, kRadius + kTop) : 1.0;
    std::vector<glm::vec4> rays(3 * kRays);
    for (int i = 0; i < kRays; ++i)
    {
        const bool ground = i % 2 == 0;
        const double rise = horizon + random.unit() * random.unit() * ((ground ? -1 : top) - horizon);
        const double turn = 3.14159265 * random.unit(), across = std::sqrt(1 - rise * rise);
        const double chord2 = start * start * rise * rise - start * start + kRadius * kRadius;
        const double far = ground ? -start * rise - std::sqrt(std::max(chord2, 0.0)) : 1e9;
        const double length = i % 4 < 2 ? far : far * random.unit();
        rays[std::size_t(3 * i)] = glm::vec4(rise, across * std::cos(turn), across * std::sin(turn), length);
    }
    return rays;
}

using AirLinesThorough = AirLines;

TEST_F(AirLinesThorough, AreTheirIntegralsToTwoPercentAndTwoStepsOfADisplay)
{
    orogen::test::Random random(27);
    for (const double height : {2.0, 1000.0, 12000.0, 100e3, 400e3, 19e6})
        for (const double sunSine : {0.7, 0.05, -0.05})
        {
            SCOPED_TRACE(testing::Message() << height << " m, sine of the sun's elevation " << sunSine);
            const double kilometres = 40 + 120 * random.unit();
            const AirLight air(hazeOfVisibility(1000 * kilometres));
            const AirView view = viewAt(height, sunSine);
            std::vector<glm::vec4> rays = raysAt(height, random);
            look(view, kilometres, rays);
            int coarse = 0, visible = 0;
            for (std::size_t i = 0; i < rays.size(); i += 3)
            {
                const glm::dvec3 way(rays[i]), black(rays[i + 1]), white(rays[i + 2]);
                const Light exact = integral(air, view, way.x, glm::dot(way, view.sun), double(rays[i].w));
                const glm::dvec3 allowed = 0.02 * exact.added + 1e-4;
                coarse += glm::any(glm::greaterThan(glm::abs(black - exact.added), allowed));
                const glm::dvec3 steps = glm::max(glm::abs(shown(black) - shown(exact.added)),
                                                  glm::abs(shown(white) - shown(exact.added + exact.left)));
                visible += std::max({steps.x, steps.y, steps.z}) > 2;
            }
            EXPECT_LE(visible, kRays / 32);
            EXPECT_LE(coarse, kRays / 12);
        }
}

}  // namespace
}  // namespace orogen::app::test
