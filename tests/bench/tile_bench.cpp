// Benchmark of TileCache::update() over a flight around the whole Earth, in CPU time of the frame's thread.
//
//     orogen_tile_bench [frames [flight]]
//
// The ground is fine everywhere (60 cm between samples), which requests more tiles than real data would. Flies low and
// high, with budgets of 128 MB and 2 GB, at 1080 and 2160 rows of 60 degrees.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string_view>
#include <vector>

#include <glm/geometric.hpp>

#include "tests/support/earth_tiles.h"

namespace orogen {
namespace {

using namespace orogen::test;

// Source of level ground, whose reads take no time.
class LevelEarth final : public TileSource
{
public:
    LevelEarth()
    {
        raster_.name = "level";
        raster_.minHeight = -kEarthGround, raster_.maxHeight = kEarthGround;
    }
    const Raster& raster() const override { return raster_; }
    TileGrid grid() const override { return TileGrid::onCube(kMostCubeLevels); }
    Result<std::unique_ptr<TileReader>> openReader() const override
    {
        return std::unique_ptr<TileReader>(std::make_unique<Reader>());
    }
    std::optional<TileBounds> bounds(const TileKey&) const override { return TileBounds{}; }
    bool decimated() const override { return true; }

private:
    class Reader final : public TileReader
    {
    public:
        Status read(const TileWindow&, std::span<float> out) override
        {
            std::fill(out.begin(), out.end(), 0.0f);
            return Status::ok();
        }
        std::uint64_t bytesRead() const override { return 0; }
    };
    Raster raster_;
};

double threadMilliseconds()
{
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return double(time.tv_sec) * 1e3 + double(time.tv_nsec) * 1e-6;
}

struct Flight
{
    const char* name;
    double height, speed, tilt;  // height (m), speed (m/s), tilt (0: level, 1: straight down)
};

// Returns a view over the pole along a meridian, starting shortly before it.
TileView viewAt(const Flight& flight, double seconds, double pixelsPerRadian)
{
    const double angle = 1.5 + seconds * flight.speed / kEarthEquatorRadius;
    const glm::dvec3 n(std::cos(angle), 0, std::sin(angle)), ahead(-std::sin(angle), 0, std::cos(angle));
    const glm::dvec3 forward = glm::normalize((1 - flight.tilt) * ahead - flight.tilt * n);
    TileView view = earthView(raised(n, flight.height), forward, 0.7, pixelsPerRadian);
    view.velocity = ahead * flight.speed;
    return view;
}

void measure(const Flight& flight, double megabytes, double rows, int frames)
{
    auto cache = std::move(*TileCache::create(std::make_shared<LevelEarth>(), std::uint64_t(megabytes * 1e6)));
    const double pixelsPerRadian = rows / 2 / std::tan(0.5236);
    cache->settle(viewAt(flight, 0, pixelsPerRadian), 60, [] {});
    const TileStats still = cache->stats();
    std::vector<double> times;
    for (int frame = 1; frame <= frames; ++frame)
    {
        const TileView view = viewAt(flight, frame / 60.0, pixelsPerRadian);
        const double before = threadMilliseconds();
        cache->update(view, 8, 0.1f);
        times.push_back(threadMilliseconds() - before);
    }
    std::sort(times.begin(), times.end());
    const auto at = [&](double share) { return times[std::size_t(share * double(times.size() - 1))]; };
    std::printf(
        "%-8s %6.0f MB %5.0f rows: median %6.3f ms, 95 %% %6.3f, most %6.3f; %d wanted in view, %d resident of %d, "
        "coarser %.2f, %llu loaded on the way\n",
        flight.name, megabytes, rows, at(0.5), at(0.95), at(1), still.wanted, still.resident, still.capacity,
        double(still.coarser), (unsigned long long)(cache->stats().loaded - still.loaded));
}

}  // namespace
}  // namespace orogen

int main(int argc, char** argv)
{
    using namespace orogen;
    std::setvbuf(stdout, nullptr, _IOLBF, 0);
    const int frames = argc > 1 ? std::atoi(argv[1]) : 300;
    const std::string_view only = argc > 2 ? argv[2] : "";
    for (const Flight& flight : {Flight{"ground", 2, 30, 0.1},
                                 {"low", 2000, 600, 0.3},
                                 {"high", 200'000, 8000, 0.5},
                                 {"orbit", 8e6, 100'000, 1}})
        for (const double rows : {1080.0, 2160.0})
            for (const double megabytes : {128.0, 2048.0})
                if (only.empty() || only == flight.name) measure(flight, megabytes, rows, frames);
}
