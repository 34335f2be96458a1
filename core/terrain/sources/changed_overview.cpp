#include "core/terrain/sources/changed_overview.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "core/terrain/raster/changing_field.h"

namespace orogen {
namespace {

// Returns the sample of level 0 nearest to a sample of the overview.
int finestAt(int sample, int count, int side)
{
    return int(std::lround(double(sample) * (side - 1) / std::max(count - 1, 1)));
}

float changedHeight(const HeightField& below, const ChangedTiles& source, int x, int y)
{
    const int column = finestAt(x, below.width, source.raster().width);
    const int row = finestAt(y, below.height, source.raster().height);
    return below.at(x, y) + source.differenceAt(0, column, row);
}

StillWater awayFrom(StillWater water, const IndexBox& box)
{
    std::erase_if(water.bodies, [&](const WaterBody& body) {
        return body.west < box.x1 && body.east + 1 >= box.x0 && body.north < box.y1 && body.south + 1 >= box.y0;
    });
    return water.bodies.empty() ? StillWater() : std::move(water);
}

}  // namespace

IndexBox overviewBox(const HeightField& overview, const TileGrid& grid, const IndexBox& samples)
{
    if (samples.empty()) return {};
    const auto first = [](int at, int count, int side) {
        return int(std::floor(double(at) * (count - 1) / std::max(side - 1, 1)));
    };
    return clipped({first(samples.x0, overview.width, grid.width()), first(samples.y0, overview.height, grid.height()),
                    first(samples.x1, overview.width, grid.width()) + 2,
                    first(samples.y1, overview.height, grid.height()) + 2},
                   overview.width, overview.height);
}

HeightField changedOverview(const HeightField& below, const ChangedTiles& source, const HeightField& shown,
                            const IndexBox& box)
{
    StillWater water = awayFrom(shown.water, box);
    std::vector<float> heights(below.codes.size());
    const auto compute = [&](const IndexBox& part) {
        for (int y = part.y0; y < part.y1; ++y)
            for (int x = part.x0; x < part.x1; ++x)
                heights[std::size_t(y) * std::size_t(below.width) + std::size_t(x)] =
                    changedHeight(below, source, x, y);
    };
    // Steps of an exact field (HeightField::exact) are up to 1 m and would show as terraces: that field is coded anew.
    if (!shown.exact)
    {
        HeightField field = shown;
        field.water = water;
        compute(box);
        if (encodeBox(field, heights, box)) return field;
    }
    compute({0, 0, below.width, below.height});
    HeightField field = encodedField(heights, below, shown.exact ? nullptr : &shown);
    field.water = std::move(water);
    return field;
}

}  // namespace orogen
