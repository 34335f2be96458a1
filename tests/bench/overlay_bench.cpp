// Processor time that overlays of 100,000 places cost the frame's thread: choosing the vertices of a view, and copying
// them into memory as for an upload.  Run it by hand on an idle machine.
//
//     build/release/tests/orogen_overlay_bench
#include <algorithm>
#include <cmath>
#include <cstring>
#include <ctime>
#include <vector>

#include <fmt/format.h>
#include <glm/geometric.hpp>

#include "core/terrain/overlays/ground_line.h"

namespace {

using namespace orogen;

constexpr std::size_t kPlaces = 100'000;
constexpr double kSide = 60'000;  // metres, of the ground that they cover
constexpr double kPixels = 0.7;   // as app/render/ground_lines.cpp allows
constexpr int kFrames = 101;

// A walk, or points all over the ground.
GroundLine made(bool points)
{
    std::vector<glm::dvec3> places;
    std::vector<std::uint8_t> begins(kPlaces, 0);
    std::uint64_t state = 1;
    const auto next = [&state] {
        state = state * 6364136223846793005u + 1442695040888963407u;
        return double(state >> 11) / double(1ull << 53);
    };
    glm::dvec3 at(0);
    double heading = 0;
    for (std::size_t i = 0; i < kPlaces; ++i)
    {
        heading += next() - 0.5;
        at += 12.0 * glm::dvec3(std::sin(heading), std::cos(heading), 0);
        for (int axis = 0; axis < 2; ++axis)
            if (std::abs(at[axis]) > kSide / 2) at[axis] = -at[axis];
        places.push_back(points ? glm::dvec3((next() - 0.5) * kSide, (next() - 0.5) * kSide, 300 * next()) : at);
        begins[i] = i == 0 || glm::distance(places[i], places[i == 0 ? 0 : i - 1]) > 1000;
    }
    return {std::move(places), std::move(begins), points};
}

double threadMs()  // processor time of this thread
{
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return 1e3 * double(now.tv_sec) + 1e-6 * double(now.tv_nsec);
}

}  // namespace

int main()
{
    for (const bool points : {false, true})
    {
        const GroundLine line = made(points);
        for (const double height : {300.0, 3'000.0, 30'000.0, 90'000.0})
        {
            std::vector<LineVertex> drawn, copy(2 * kPlaces);
            std::vector<double> ms;
            for (int frame = 0; frame < kFrames; ++frame)
            {
                // The camera moves over the ground and looks down at 45 degrees.
                const LineView view{.eye = {50.0 * frame, -height, height},
                                    .forward = glm::normalize(glm::dvec3(0, 1, -1)),
                                    .coneAngle = 0.87,
                                    .pixelsPerRadian = 1200};
                const double start = threadMs();
                drawn.clear();
                line.thinned(view, kPixels, drawn);
                std::memcpy(copy.data(), drawn.data(), drawn.size() * sizeof(LineVertex));
                ms.push_back(threadMs() - start);
            }
            std::ranges::sort(ms);
            fmt::print("{:6} from {:6.0f} m: {:6} of {} drawn, {:.3f} ms a frame (median), {:.3f} ms (p95)\n",
                       points ? "points" : "line", height, drawn.size(), kPlaces, ms[ms.size() / 2],
                       ms[ms.size() * 95 / 100]);
        }
    }
    return 0;
}
