#include "core/terrain/detail/roughness.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "core/base/thread_pool.h"

namespace orogen {
namespace {

constexpr int kHalfReach = kRoughnessReach / 2;  // two box means of this radius give a tent-shaped weight
constexpr double kCodesAnOctave = 12;            // steps of roughness
constexpr float kLargest = 20'000;               // metres; sums of its square do not overflow

// Returns a squared second difference (mm^2). Rounding to whole metres adds 1/12 m^2 per sample, weighted 1 + 4 + 1:
// 0.5 m^2, which is subtracted.
std::int64_t squareOf(float before, float here, float after)
{
    const float second = std::clamp((before - here) + (after - here), -kLargest, kLargest);
    const std::int64_t millimetres = std::llround(double(second) * 1000.0);
    const bool whole = here == std::floor(here) && before == std::floor(before) && after == std::floor(after);
    return millimetres * millimetres - (whole ? 500'000 : 0);
}

struct Sums
{
    int width = 0, height = 0;
    std::vector<std::int64_t> values;

    Sums(int w, int h) : width(w), height(h), values(std::size_t(w) * std::size_t(h)) {}
    std::int64_t& at(int x, int y) { return values[std::size_t(y) * std::size_t(width) + std::size_t(x)]; }
};

// Returns sums of 2 kHalfReach + 1 neighbours, along rows or along columns; the grid shrinks by 2 kHalfReach.
Sums summed(Sums& in, bool rows)
{
    const int less = 2 * kHalfReach;
    Sums out(in.width - (rows ? less : 0), in.height - (rows ? 0 : less));
    for (int y = 0; y < out.height; ++y)
        for (int x = 0; x < out.width; ++x)
        {
            std::int64_t sum = 0;
            for (int i = 0; i <= less; ++i)
                sum += rows ? in.at(x + i, y) : in.at(x, y + i);
            out.at(x, y) = sum;
        }
    return out;
}

// Returns the squared second differences, summed over both directions.
Sums secondDifferences(std::span<const float> heights, int width, int height)
{
    constexpr int kMargin = kTileApron - kRoughnessReach;
    Sums squares(width - 2 * kMargin, height - 2 * kMargin);
    const std::size_t row = std::size_t(width);
    for (int y = 0; y < squares.height; ++y)
        for (int x = 0; x < squares.width; ++x)
        {
            const float* here = &heights[std::size_t(y + kMargin) * row + std::size_t(x + kMargin)];
            squares.at(x, y) = squareOf(here[-1], *here, here[1]) +
                               squareOf(*(here - std::ptrdiff_t(row)), *here, here[std::ptrdiff_t(row)]);
        }
    return squares;
}

bool touchesFlat(const float* here, std::ptrdiff_t row)
{
    for (const std::ptrdiff_t up : {-row, std::ptrdiff_t(0)})
        for (const std::ptrdiff_t left : {std::ptrdiff_t(-1), std::ptrdiff_t(0)})
        {
            const float* corner = here + up + left;
            if (corner[0] == *here && corner[1] == *here && corner[row] == *here && corner[row + 1] == *here)
                return true;
        }
    return false;
}

// Returns a roughness code. `sum`: squares (mm^2) weighted by the tent, whose weights add up to (2 kHalfReach + 1)^4,
// for both directions.
std::uint8_t codeOf(std::int64_t sum)
{
    constexpr double kWeights =
        2.0 * (2 * kHalfReach + 1) * (2 * kHalfReach + 1) * (2 * kHalfReach + 1) * (2 * kHalfReach + 1) * 1e6;
    if (sum <= 0) return 0;
    const double metres = std::sqrt(double(sum) / kWeights);
    const double code = 1.0 + kCodesAnOctave * std::log2(metres / double(kRoughnessUnit));
    return std::uint8_t(std::clamp(std::lround(code), 0l, long(kFirstDistance) - 1));
}

}  // namespace

float betweenSamples(glm::vec2 part)
{
    const float x = part.x * (1.0f - part.x), y = part.y * (1.0f - part.y);
    return 1.0f - (1.0f - 16.0f * x * x) * (1.0f - 16.0f * y * y);
}

const std::array<float, 256>& roughnessMetres()
{
    static const std::array<float, 256> metres = [] {
        std::array<float, 256> made{};
        for (std::size_t code = 1; code < std::size_t(kFirstDistance); ++code)
            made[code] = kRoughnessUnit * float(std::exp2(double(code - 1) / kCodesAnOctave));
        return made;
    }();
    return metres;
}

DistanceCode distanceCode(double metres)
{
    const double share = std::clamp(metres / double(kFarthestDistance), 0.0, 1.0);
    const long steps = std::lround(std::sqrt(share) * double(gpu::kMostDistance));
    return {std::uint8_t(kFirstDistance + steps / 256), std::uint8_t(steps % 256)};
}

// shaders/heights/detail_tiles_earth.glsl computes the same.
float metresOfDistance(DistanceCode distance)
{
    const float share = float((distance.code - kFirstDistance) * 256 + distance.fraction) / gpu::kMostDistance;
    return share * share * kFarthestDistance;
}

void roughnessCodes(std::span<const float> heights, int width, int height, std::span<std::uint8_t> out)
{
    Sums sums = secondDifferences(heights, width, height);
    for (const bool rows : {true, false, true, false})
        sums = summed(sums, rows);
    const std::size_t row = std::size_t(width);
    for (int y = 0; y < sums.height; ++y)
        for (int x = 0; x < sums.width; ++x)
        {
            const float* here = &heights[std::size_t(y + kTileApron) * row + std::size_t(x + kTileApron)];
            out[std::size_t(y) * std::size_t(sums.width) + std::size_t(x)] =
                touchesFlat(here, std::ptrdiff_t(row)) ? std::uint8_t(0) : codeOf(sums.at(x, y));
        }
}

namespace {

// Returns a band of rows of an image with an apron around it.
std::vector<float> withApron(const HeightField& field, int firstRow, int rows)
{
    const int width = field.width + 2 * kTileApron;
    std::vector<float> heights;
    heights.reserve(std::size_t(width) * std::size_t(rows + 2 * kTileApron));
    for (int y = firstRow - kTileApron; y < firstRow + rows + kTileApron; ++y)
        for (int x = -kTileApron; x < field.width + kTileApron; ++x)
            heights.push_back(field.at(std::clamp(x, 0, field.width - 1), std::clamp(y, 0, field.height - 1)));
    return heights;
}

// Returns the mean squared second difference (square metres) of samples `step` apart.
double meanSquare(const HeightField& field, int step)
{
    double sum = 0;
    std::size_t count = 0;
    for (int y = step; y + step < field.height; ++y)
        for (int x = step; x + step < field.width; ++x)
        {
            const float here = field.at(x, y);
            sum += 1e-6 * double(squareOf(field.at(x - step, y), here, field.at(x + step, y)) +
                                 squareOf(field.at(x, y - step), here, field.at(x, y + step)));
            count += 2;
        }
    return count == 0 ? 0.0 : sum / double(count);
}

}  // namespace

std::vector<std::uint8_t> roughnessCodes(const HeightField& field)
{
    const std::size_t width = std::size_t(field.width);
    std::vector<std::uint8_t> codes(width * std::size_t(field.height));
    ThreadPool pool(threadsForRows(field.height));
    forRows(pool, field.height, [&](int begin, int end) {
        const std::vector<float> heights = withApron(field, begin, end - begin);
        roughnessCodes(heights, field.width + 2 * kTileApron, end - begin + 2 * kTileApron,
                       std::span(codes).subspan(std::size_t(begin) * width, std::size_t(end - begin) * width));
    });
    return codes;
}

void evenCoarseCodes(std::span<std::uint8_t> codes, double spacing)
{
    constexpr double kTypical = 150, kLevel = 3;  // metres
    const double share = 0.33 * std::clamp(std::log2(spacing / 1000.0) / std::log2(9.0), 0.0, 1.0);
    const double global = 0.55 * std::clamp(std::log2(spacing / 3000.0), 0.0, 1.0);
    if (share <= 0) return;
    const double typical = 1.0 + kCodesAnOctave * std::log2(kTypical / double(kRoughnessUnit));
    const double level = 1.0 + kCodesAnOctave * std::log2(kLevel / double(kRoughnessUnit));
    for (std::uint8_t& code : codes)
    {
        const double hilly = std::clamp((double(code) - level) / (3.0 * kCodesAnOctave), 0.0, 1.0);
        if (code > 0)
            code = std::uint8_t(std::lround(double(code) + (share + global * hilly) * (typical - double(code))));
    }
}

double roughnessExponent(const HeightField& field)
{
    const double one = meanSquare(field, 1), two = meanSquare(field, 2);
    if (one <= 1e-6 || two <= 1e-6) return 1.0;
    return std::clamp(0.5 * std::log2(two / one), 0.5, 1.8);
}

}  // namespace orogen
