#include "core/terrain/tiles/overview.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "core/terrain/raster/raster.h"

namespace orogen {
namespace {

// Position of a sample of the overview along a side: number of a sample of the level that is read, and the fraction of
// the way to the next one.
struct Place
{
    int sample;
    float fraction;
};

std::vector<Place> placesAlong(int side, int count, int level)
{
    std::vector<Place> places;
    const int last = TileGrid::samplesOf(side, level) - 1;
    for (int i = 0; i < count; ++i)
    {
        const double at = std::ldexp(double(i) * (side - 1) / (count - 1), -level);
        const int sample = std::min(int(at), last - 1);
        places.push_back({sample, float(at - sample)});
    }
    return places;
}

// Interpolates between two samples. A void (NaN) with weight 0 does not make the result a void.
float blended(float a, float b, float t)
{
    if (t == 0) return a;
    return t == 1 ? b : a + (b - a) * t;
}

// Access to the rows of a level. Keeps the last two bands of kRows rows, so that each row is read once.
class LevelRows
{
public:
    LevelRows(TileReader& reader, int level, int width) : reader_(reader), level_(level), width_(width) {}

    // Returns row `row`. The result is valid until a row other than this or the next one is requested.
    Result<const float*> row(int row)
    {
        const int band = row / kRows;
        for (std::size_t i = 0; i < 2; ++i)
            if (numbers_[i] == band) return bands_[i].data() + std::size_t(row % kRows) * std::size_t(width_);
        std::swap(bands_[0], bands_[1]);
        std::swap(numbers_[0], numbers_[1]);
        bands_[1].resize(std::size_t(kRows) * std::size_t(width_));
        numbers_[1] = -1;
        if (Status read = reader_.read({level_, 0, band * kRows, width_, kRows}, bands_[1]); !read) return read.error();
        numbers_[1] = band;
        return bands_[1].data() + std::size_t(row % kRows) * std::size_t(width_);
    }

private:
    static constexpr int kRows = kTileCells;  // a row of tiles

    TileReader& reader_;
    int level_, width_;
    std::vector<float> bands_[2];
    int numbers_[2] = {-1, -1};
};

Raster describe(const TileSource& source)
{
    const Raster& whole = source.raster();
    Raster overview;
    overview.name = whole.name;
    overview.format = whole.format;
    overview.crs = whole.crs;
    overview.bits = whole.bits;
    overview.synthetic = whole.synthetic;
    overview.heightUnit = whole.heightUnit;
    overview.aboveEllipsoid = whole.aboveEllipsoid;
    overview.placement = whole.placement;
    overview.projection = whole.projection;
    return overview;
}

}  // namespace

Result<Raster> readOverview(const TileSource& source, const LoadProgress& progress)
{
    const Raster& whole = source.raster();
    const double finer = std::max(1.0, double(std::max(whole.width, whole.height) - 1) / (kOverviewSide - 1));
    const auto samples = [&](int side) { return std::clamp(int(std::lround((side - 1) / finer)) + 1, 2, side); };
    // A level slightly coarser than the overview is sufficient.
    const int level = std::min(int(std::log2(finer) + 0.25), source.grid().levels() - 1);
    Raster overview = describe(source);
    if (Status s = allocateHeights(overview, std::uint64_t(samples(whole.width)), std::uint64_t(samples(whole.height)));
        !s)
        return s.error();
    overview.pixelWidth = whole.east() / (overview.width - 1);
    overview.pixelHeight = whole.north() / (overview.height - 1);
    if (overview.placement)
    {
        overview.placement->stepEast *= double(whole.width - 1) / (overview.width - 1);
        overview.placement->stepSouth *= double(whole.height - 1) / (overview.height - 1);
    }
    const std::vector<Place> columns = placesAlong(whole.width, overview.width, level);
    const std::vector<Place> rows = placesAlong(whole.height, overview.height, level);
    Result<std::unique_ptr<TileReader>> reader = source.openReader();
    if (!reader) return reader.error();
    LevelRows read(**reader, level, TileGrid::samplesOf(whole.width, level));
    Progress steps(progress, "reading the overview of " + whole.name);
    float* out = overview.heights.data();
    for (std::size_t r = 0; r < rows.size(); ++r)
    {
        if (!steps.at(r, rows.size())) return steps.interrupted();
        const Result<const float*> above = read.row(rows[r].sample);
        if (!above) return above.error();
        const Result<const float*> below = read.row(rows[r].sample + 1);
        if (!below) return below.error();
        for (const Place& c : columns)
        {
            const float top = blended((*above)[c.sample], (*above)[c.sample + 1], c.fraction);
            const float bottom = blended((*below)[c.sample], (*below)[c.sample + 1], c.fraction);
            *out++ = blended(top, bottom, rows[r].fraction);
        }
    }
    finishRaster(overview, whole.name);
    overview.warnings.clear();  // the description of the source has the warnings
    return overview;
}

}  // namespace orogen
