#include "core/terrain/raster/height_field.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "core/base/thread_pool.h"

namespace orogen {
namespace {

bool allMultiplesOf(float step, const std::vector<float>& heights)
{
    const float steps = 1.0f / step;  // exact: a power of two
    return std::all_of(heights.begin(), heights.end(),
                       [steps](float h) { return std::isnan(h) || h * steps == std::floor(h * steps); });
}

// Returns the largest step of 1, 1/2 ... 1/16 m that loses nothing; 0 if there is none.
float exactStep(const Raster& raster, double span)
{
    for (float step = 1.0f; step >= 1.0f / 16.0f && span <= 65535.0 * double(step); step /= 2)
        if (allMultiplesOf(step, raster.heights)) return step;
    return 0.0f;
}

// Chooses scale and offset for the raster's heights.
void chooseCodes(HeightField& field, const Raster& raster)
{
    const double span = double(raster.maxHeight) - double(raster.minHeight);
    field.offset = raster.minHeight;
    field.scale = span == 0.0 ? 1.0f : exactStep(raster, span);
    field.exact = field.scale > 0.0f;
    if (field.exact) return;
    // Heights that differ by less than a float's precision still need a scale to divide by.
    field.scale = std::max(float(span / 65535.0), std::numeric_limits<float>::min());
}

void encode(const std::vector<float>& heights, HeightField& field)
{
    field.codes.resize(heights.size());
    const double inverse = 1.0 / double(field.scale), offset = field.offset;
    const std::size_t width = std::size_t(field.width);
    ThreadPool pool(threadsForRows(field.height));
    forRows(pool, field.height, [&](int begin, int end) {
        for (std::size_t i = std::size_t(begin) * width; i < std::size_t(end) * width; ++i)
            field.codes[i] =
                std::uint16_t(std::clamp(std::floor((double(heights[i]) - offset) * inverse + 0.5), 0.0, 65535.0));
    });
}

std::vector<std::uint8_t> maskOf(const std::vector<float>& heights)
{
    std::vector<std::uint8_t> mask(heights.size());
    std::transform(heights.begin(), heights.end(), mask.begin(),
                   [](float h) { return std::isnan(h) ? std::uint8_t(255) : std::uint8_t(0); });
    return mask;
}

// One level of the pyramid on which voids are filled.
struct FillLevel
{
    int width = 0, height = 0;
    std::vector<float> owned;          // coarse levels only
    std::span<float> values;           // NaN: not known yet
    std::vector<std::uint32_t> voids;  // indices

    float& at(int x, int y) { return values[std::size_t(y) * std::size_t(width) + std::size_t(x)]; }
};

void listVoids(FillLevel& level)
{
    for (std::size_t i = 0; i < level.values.size(); ++i)
        if (std::isnan(level.values[i])) level.voids.push_back(std::uint32_t(i));
}

// Returns the next coarser level: each cell is the mean of the known cells of its 2x2 block.
FillLevel coarser(FillLevel& fine)
{
    FillLevel coarse;
    coarse.width = (fine.width + 1) / 2;
    coarse.height = (fine.height + 1) / 2;
    coarse.owned.resize(std::size_t(coarse.width) * std::size_t(coarse.height));
    coarse.values = coarse.owned;
    for (int y = 0; y < coarse.height; ++y)
        for (int x = 0; x < coarse.width; ++x)
        {
            float sum = 0;
            int known = 0;
            for (int v = 2 * y; v < std::min(2 * y + 2, fine.height); ++v)
                for (int u = 2 * x; u < std::min(2 * x + 2, fine.width); ++u)
                    if (!std::isnan(fine.at(u, v))) sum += fine.at(u, v), ++known;
            coarse.at(x, y) = known > 0 ? sum / float(known) : std::numeric_limits<float>::quiet_NaN();
        }
    listVoids(coarse);
    return coarse;
}

float interpolate(FillLevel& coarse, int x, int y)
{
    const float u = std::clamp((float(x) - 0.5f) / 2, 0.0f, float(coarse.width - 1));
    const float v = std::clamp((float(y) - 0.5f) / 2, 0.0f, float(coarse.height - 1));
    const int x0 = int(u), y0 = int(v);
    const int x1 = std::min(x0 + 1, coarse.width - 1), y1 = std::min(y0 + 1, coarse.height - 1);
    const float top = std::lerp(coarse.at(x0, y0), coarse.at(x1, y0), u - float(x0));
    const float bottom = std::lerp(coarse.at(x0, y1), coarse.at(x1, y1), u - float(x0));
    return std::lerp(top, bottom, v - float(y0));
}

// Does a Gauss-Seidel sweep: each void becomes the mean of its neighbours.
void relax(FillLevel& level)
{
    for (const std::uint32_t index : level.voids)
    {
        const int x = int(index % std::uint32_t(level.width)), y = int(index / std::uint32_t(level.width));
        float sum = 0;
        int count = 0;
        const auto add = [&](int u, int v) {
            if (u < 0 || v < 0 || u >= level.width || v >= level.height) return;
            sum += level.at(u, v);
            ++count;
        };
        add(x - 1, y), add(x + 1, y), add(x, y - 1), add(x, y + 1);
        if (count > 0) level.values[index] = sum / float(count);
    }
}

void fillFrom(FillLevel& coarse, FillLevel& fine)
{
    constexpr int kSweeps = 12;
    for (const std::uint32_t index : fine.voids)
        fine.values[index] =
            interpolate(coarse, int(index % std::uint32_t(fine.width)), int(index / std::uint32_t(fine.width)));
    for (int i = 0; i < kSweeps; ++i)
        relax(fine);
}

}  // namespace

void fillVoids(std::vector<float>& heights, int width, int height)
{
    std::vector<FillLevel> levels(1);
    levels[0].width = width;
    levels[0].height = height;
    levels[0].values = heights;
    listVoids(levels[0]);
    while (!levels.back().voids.empty() && levels.back().values.size() > 1)
        levels.push_back(coarser(levels.back()));
    if (!levels.back().voids.empty()) levels.back().values[0] = 0.0f;  // no height is known
    for (std::size_t i = levels.size() - 1; i > 0; --i)
        fillFrom(levels[i], levels[i - 1]);
}

HeightField quantise(const Raster& raster)
{
    HeightField field;
    field.width = raster.width;
    field.height = raster.height;
    field.pixelWidth = raster.pixelWidth;
    field.pixelHeight = raster.pixelHeight;
    chooseCodes(field, raster);
    if (raster.voids == 0)
    {
        encode(raster.heights, field);
        return field;
    }
    field.voidMask = maskOf(raster.heights);
    std::vector<float> filled = raster.heights;
    fillVoids(filled, raster.width, raster.height);
    encode(filled, field);
    return field;
}

float heightAt(const HeightField& field, double east, double north)
{
    const double x = std::clamp(east / field.pixelWidth + (field.width - 1) / 2.0, 0.0, field.width - 1.0);
    const double y = std::clamp((field.height - 1) / 2.0 - north / field.pixelHeight, 0.0, field.height - 1.0);
    const int x0 = std::min(int(x), field.width - 2), y0 = std::min(int(y), field.height - 2);
    const double u = x - x0, v = y - y0;
    const double top = (1 - u) * double(field.at(x0, y0)) + u * double(field.at(x0 + 1, y0));
    const double bottom = (1 - u) * double(field.at(x0, y0 + 1)) + u * double(field.at(x0 + 1, y0 + 1));
    return float((1 - v) * top + v * bottom);
}

}  // namespace orogen
