#include "app/render/night_sky.h"

#include <algorithm>
#include <cmath>
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

// Reads lines "right ascension, declination, magnitude, B-V" (degrees, J2000); lines with # are comments.
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
