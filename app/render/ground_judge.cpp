#include "app/render/ground_judge.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <utility>
#include <vector>

#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include "core/base/thread_pool.h"

namespace orogen::app {
namespace {

struct Lens
{
    glm::dvec3 forward, right, up;
    double tangent, aspect, focal;  // tangent of half the vertical angle of view; focal length in pixels
};

Lens lensOf(const JudgedPicture& picture)
{
    const Camera& camera = picture.camera;
    const double tangent = std::tan(camera.fov * std::numbers::pi / 360);
    return {forward(camera),
            right(camera),
            up(camera),
            tangent,
            double(picture.width) / picture.height,
            picture.height / (2 * tangent)};
}

struct Span
{
    int x0, x1, y0, y1;  // pixels that the triangle may cover
};

// Returns the pixels that a triangle may cover: none if all corners are nearer than the near plane, all if some are.
std::optional<Span> spanOf(const DrawnTriangle& triangle, const JudgedPicture& picture, const Lens& lens)
{
    glm::dvec2 low(1e30), high(-1e30);
    int nearer = 0;
    for (const glm::vec3& corner : triangle)
    {
        const glm::dvec3 at(corner);
        const double ahead = glm::dot(at, lens.forward);
        if (ahead < picture.nearPlane)
        {
            ++nearer;
            continue;
        }
        const glm::dvec2 seen =
            picture.camera.shift + glm::dvec2(glm::dot(at, lens.right) / (ahead * lens.tangent * lens.aspect),
                                              glm::dot(at, lens.up) / (ahead * lens.tangent));
        low = glm::min(low, seen);
        high = glm::max(high, seen);
    }
    if (nearer == 3) return std::nullopt;
    if (nearer > 0) return Span{0, picture.width - 1, 0, picture.height - 1};
    const auto pixel = [](double ndc, int size) {
        return int(std::floor(std::clamp((ndc + 1) / 2, -1.0, 2.0) * size));
    };
    const Span span{
        std::max(pixel(low.x, picture.width) - 1, 0), std::min(pixel(high.x, picture.width) + 1, picture.width - 1),
        std::max(pixel(low.y, picture.height) - 1, 0), std::min(pixel(high.y, picture.height) + 1, picture.height - 1)};
    if (span.x0 > span.x1 || span.y0 > span.y1) return std::nullopt;
    return span;
}

constexpr double kNothing = std::numeric_limits<double>::infinity();

// Returns the distance to a triangle along a ray from the camera, in lengths of the ray's direction `way`; kNothing if
// the ray misses.  A tolerance ensures that a ray along a shared edge hits at least one of the two triangles.
double distanceTo(const DrawnTriangle& triangle, const glm::dvec3& way)
{
    constexpr double kEdge = 1e-9;
    const glm::dvec3 a(triangle[0]), ab = glm::dvec3(triangle[1]) - a, ac = glm::dvec3(triangle[2]) - a;
    const glm::dvec3 p = glm::cross(way, ac);
    const double det = glm::dot(ab, p);
    if (det == 0) return kNothing;
    const glm::dvec3 q = glm::cross(-a, ab);
    const double u = -glm::dot(a, p) / det, v = glm::dot(way, q) / det;
    return u >= -kEdge && v >= -kEdge && u + v <= 1 + kEdge ? glm::dot(ac, q) / det : kNothing;
}

// Sorts the triangles into bands of picture rows, each triangle with the pixels that it may cover.
std::vector<std::vector<std::pair<std::uint32_t, Span>>> bandsOfTriangles(const JudgedPicture& picture,
                                                                          const Lens& lens)
{
    std::vector<std::vector<std::pair<std::uint32_t, Span>>> bands(std::size_t(bandsOf(picture.height)));
    for (std::size_t i = 0; i < picture.triangles.size(); ++i)
        if (const std::optional<Span> span = spanOf(picture.triangles[i], picture, lens))
            for (int band = span->y0 / kRowsInBand; band <= span->y1 / kRowsInBand; ++band)
                bands[std::size_t(band)].emplace_back(std::uint32_t(i), *span);
    return bands;
}

bool isDrawn(const glm::dvec3& relative, const JudgedPicture& picture)
{
    if (!picture.raster) return true;
    const glm::dvec2 at = glm::abs(glm::dvec2(picture.camera.position + relative));
    return 2 * at.x <= picture.raster->x && 2 * at.y <= picture.raster->y;
}

glm::dvec3 wayThrough(int x, int y, const JudgedPicture& picture, const Lens& lens)
{
    const glm::dvec2 pixel = glm::dvec2(x, y) + glm::dvec2(picture.samplePlace);
    const glm::dvec2 seen = 2.0 * pixel / glm::dvec2(picture.width, picture.height) - 1.0 - picture.camera.shift;
    const double across = seen.x * lens.tangent * lens.aspect, upwards = seen.y * lens.tangent;
    return lens.forward + lens.right * across + lens.up * upwards;
}

}  // namespace

PixelFigures judgeError(const JudgedPicture& picture, const FinestGround& finest)
{
    const Lens lens = lensOf(picture);
    const auto bands = bandsOfTriangles(picture, lens);
    std::vector<double> nearest(std::size_t(picture.width) * std::size_t(picture.height), kNothing);
    ThreadPool pool(threadsForRows(picture.height));
    pool.forEach(bands.size(), [&](std::size_t band) {
        const int first = int(band) * kRowsInBand, last = std::min(first + kRowsInBand, picture.height) - 1;
        for (const auto& [number, span] : bands[band])
            for (int y = std::max(span.y0, first); y <= std::min(span.y1, last); ++y)
                for (int x = span.x0; x <= span.x1; ++x)
                {
                    const glm::dvec3 way = wayThrough(x, y, picture, lens);
                    const double distance = distanceTo(picture.triangles[number], way);
                    double& known = nearest[std::size_t(y) * std::size_t(picture.width) + std::size_t(x)];
                    if (distance >= picture.nearPlane && distance < known && isDrawn(way * distance, picture))
                        known = distance;
                }
    });
    std::vector<double> pixels;
    for (int y = 0; y < picture.height; ++y)
        for (int x = 0; x < picture.width; ++x)
        {
            const double distance = nearest[std::size_t(y) * std::size_t(picture.width) + std::size_t(x)];
            if (distance == kNothing) continue;
            const glm::dvec3 at = wayThrough(x, y, picture, lens) * distance;
            const GroundMiss miss = finest(at);
            const double aside = glm::length(at - miss.up * glm::dot(at, miss.up));
            pixels.push_back(miss.metres * lens.focal * aside / glm::dot(at, at));
        }
    PixelFigures figures;
    figures.pixels = pixels.size();
    if (pixels.empty()) return figures;
    for (const double pixel : pixels)
        figures.mean += pixel / double(pixels.size());
    std::ranges::sort(pixels);
    figures.largest = pixels.back();
    figures.p99 = pixels[(99 * pixels.size() + 99) / 100 - 1];
    return figures;
}

}  // namespace orogen::app
