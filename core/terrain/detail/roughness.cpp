#include "core/terrain/detail/roughness.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>

#include "core/base/thread_pool.h"

namespace orogen {
namespace {

constexpr int kHalfReach = kRoughnessReach / 2;  // two box means of this radius give a tent-shaped weight
constexpr double kCodesAnOctave = 12;            // codes for each factor of 2 in roughness
constexpr float kLargest = 20'000;               // limit of second differences (metres), against overflow of sums

// Rounds to whole millimetres, half away from zero. Within 20 km a float times 1000 has so few digits that adding 0.5
// is exact. Compiles to vector instructions, unlike llround().
std::int32_t millimetresOf(float metres)
{
    const double exact = double(metres) * 1000.0;
    return std::int32_t(exact + std::copysign(0.5, exact));
}

bool isWhole(float height) { return float(std::int32_t(height)) == height; }

// Heights of a row (metres), and which of them are integers.
struct RowOfHeights
{
    std::vector<float> heights;
    std::vector<std::uint8_t> whole;  // 1: whole metres

    void resize(int width)
    {
        heights.resize(std::size_t(width));
        whole.resize(std::size_t(width));
    }
    void setWhole()
    {
        for (std::size_t x = 0; x < heights.size(); ++x)
            whole[x] = isWhole(heights[x]);
    }
};

// Returns a squared second difference (mm^2). Rounding to whole metres adds 1/12 m^2 per sample, weighted 1 + 4 + 1:
// 0.5 m^2, which is subtracted.
std::int64_t squareOf(float before, float here, float after, bool whole)
{
    const float second = std::clamp((before - here) + (after - here), -kLargest, kLargest);
    const std::int64_t millimetres = millimetresOf(second);
    return millimetres * millimetres - (whole ? 500'000 : 0);
}

// Adds up the squared second differences of both directions, at `count` samples of row `here` from `first` on.
void secondDifferences(const RowOfHeights& above, const RowOfHeights& here, const RowOfHeights& below, int step,
                       int first, int count, std::int64_t* out)
{
    const float *h = here.heights.data(), *up = above.heights.data(), *down = below.heights.data();
    const std::uint8_t *w = here.whole.data(), *wUp = above.whole.data(), *wDown = below.whole.data();
    for (int i = 0, x = first; i < count; ++i, ++x)
        out[i] = squareOf(h[x - step], h[x], h[x + step], w[x - step] & w[x] & w[x + step]) +
                 squareOf(up[x], h[x], down[x], wUp[x] & w[x] & wDown[x]);
}

using SumRow = std::vector<std::int64_t>;

// Replaces a row by sums of 2 kHalfReach + 1 neighbours; the row shrinks by 2 kHalfReach.
void sumNeighbours(SumRow& row)
{
    static_assert(kHalfReach == 3);
    std::int64_t* v = row.data();
    const std::size_t shorter = row.size() - 2 * kHalfReach;
    for (std::size_t x = 0; x < shorter; ++x)
        v[x] = ((v[x] + v[x + 1]) + (v[x + 2] + v[x + 3])) + ((v[x + 4] + v[x + 5]) + v[x + 6]);
    row.resize(shorter);
}

// The sum of the 2 kHalfReach + 1 rows that were added last.
class RowSums
{
public:
    explicit RowSums(std::size_t width) : sum_(width), rows_(2 * kHalfReach + 1, SumRow(width)) {}
    const SumRow& add(const SumRow& row)
    {
        SumRow& oldest = rows_[next_];
        next_ = (next_ + 1) % rows_.size();
        for (std::size_t x = 0; x < sum_.size(); ++x)
        {
            sum_[x] += row[x] - oldest[x];
            oldest[x] = row[x];
        }
        return sum_;
    }

private:
    SumRow sum_;
    std::vector<SumRow> rows_;
    std::size_t next_ = 0;
};

// Writes 1 where a cell, south-east of a sample, has four equal corners.
void findFlatCells(const RowOfHeights& north, const RowOfHeights& south, std::vector<std::uint8_t>& flat)
{
    const float *a = north.heights.data(), *b = south.heights.data();
    for (std::size_t x = 0; x < flat.size(); ++x)
        flat[x] = (a[x] == a[x + 1]) & (b[x] == b[x + 1]) & (a[x] == b[x]);
}

// Converts weighted sums of squared second differences to codes of roughness.
class RoughnessCodes
{
public:
    RoughnessCodes()
    {
        for (int code = 0; code <= kLast; ++code)
            from_[std::size_t(code)] = leastSum(code);
        for (std::uint64_t key = 0; key < first_.size(); ++key)
        {
            const std::int64_t least = leastOf(key);
            int code = 0;
            while (code < kLast && from_[std::size_t(code) + 1] <= least)
                ++code;
            first_[key] = std::uint8_t(code);
        }
    }

    // `sum`: squares (mm^2) weighted by the tent, whose weights add up to (2 kHalfReach + 1)^4, for both directions.
    std::uint8_t of(std::int64_t sum) const
    {
        if (sum <= 0) return 0;
        std::size_t code = first_[keyOf(std::uint64_t(sum))];
        while (code < kLast && from_[code + 1] <= sum)
            ++code;
        return std::uint8_t(code);
    }

private:
    static constexpr int kLast = int(kFirstDistance) - 1;
    static constexpr int kKeyBits = 4;  // 16 keys for each factor of 2, more than there are codes

    static std::size_t keyOf(std::uint64_t sum)
    {
        const int bits = int(std::bit_width(sum));
        return std::size_t(bits) << kKeyBits |
               std::size_t((sum << (64 - bits) >> (63 - kKeyBits)) & ((1u << kKeyBits) - 1));
    }
    // Returns the least sum with this key.
    static std::int64_t leastOf(std::uint64_t key)
    {
        const std::uint64_t bits = key >> kKeyBits, high = (1u << kKeyBits) | (key & ((1u << kKeyBits) - 1));
        return bits == 0         ? 0
               : bits > 63       ? std::numeric_limits<std::int64_t>::max()
               : bits > kKeyBits ? std::int64_t(high << (bits - kKeyBits - 1))
                                 : std::int64_t(high >> (kKeyBits + 1 - bits));
    }

    static int codeOf(std::int64_t sum)
    {
        constexpr double kWeights =
            2.0 * (2 * kHalfReach + 1) * (2 * kHalfReach + 1) * (2 * kHalfReach + 1) * (2 * kHalfReach + 1) * 1e6;
        if (sum <= 0) return 0;
        const double metres = std::sqrt(double(sum) / kWeights);
        const double code = 1.0 + kCodesAnOctave * std::log2(metres / double(kRoughnessUnit));
        return int(std::clamp(std::lround(code), 0l, long(kLast)));
    }
    // Returns the least sum whose code is at least `code`.
    static std::int64_t leastSum(int code)
    {
        std::int64_t low = 0, high = std::numeric_limits<std::int64_t>::max();
        while (low < high)
            if (const std::int64_t middle = low + (high - low) / 2; codeOf(middle) >= code)
                high = middle;
            else
                low = middle + 1;
        return low;
    }

    std::array<std::int64_t, std::size_t(kLast) + 1> from_{};        // least sum of each code
    std::array<std::uint8_t, std::size_t(65) << kKeyBits> first_{};  // code of the least sum with each key
};

// Computes codes row by row from the north. `rowOf` fills a row of heights, which is `width` samples long.
template <class RowOf>
void streamCodes(int width, int height, const RowOf& rowOf, std::span<std::uint8_t> out)
{
    static const RoughnessCodes kCodes;
    constexpr int kMargin = kTileApron - kRoughnessReach;  // first row and column with second differences
    constexpr int kRowsKept = kTileApron + 2;
    const int inner = width - 2 * kTileApron;
    std::vector<RowOfHeights> rows(kRowsKept);
    std::vector<std::vector<std::uint8_t>> flat(kRowsKept, std::vector<std::uint8_t>(std::size_t(width - 1)));
    const auto rowAt = [&](int y) -> RowOfHeights& { return rows[std::size_t(y % kRowsKept)]; };
    RowSums once{std::size_t(inner)}, twice{std::size_t(inner)};
    SumRow squares;
    for (int y = 0; y < height - kMargin + 1; ++y)
    {
        RowOfHeights& newest = rowAt(y);
        newest.resize(width);
        rowOf(y, newest.heights);
        newest.setWhole();
        if (y > 0) findFlatCells(rowAt(y - 1), newest, flat[std::size_t((y - 1) % kRowsKept)]);
        const int middle = y - 1;  // row of the second differences
        if (middle < kMargin) continue;
        squares.resize(std::size_t(width - 2 * kMargin));
        secondDifferences(rowAt(middle - 1), rowAt(middle), newest, 1, kMargin, int(squares.size()), squares.data());
        sumNeighbours(squares);
        sumNeighbours(squares);
        const SumRow& sums = twice.add(once.add(squares));
        const int row = middle - kRoughnessReach;  // the newest row whose averaging window is complete
        if (row < kTileApron) continue;
        const std::uint8_t *north = flat[std::size_t((row - 1) % kRowsKept)].data() + kTileApron,
                           *south = flat[std::size_t(row % kRowsKept)].data() + kTileApron;
        std::uint8_t* to = &out[std::size_t(row - kTileApron) * std::size_t(inner)];
        for (int x = 0; x < inner; ++x)
            to[x] =
                (north[x - 1] | north[x] | south[x - 1] | south[x]) ? std::uint8_t(0) : kCodes.of(sums[std::size_t(x)]);
    }
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
    const auto rowOf = [&](int y, std::vector<float>& row) {
        const auto from = heights.subspan(std::size_t(y) * std::size_t(width), std::size_t(width));
        std::copy(from.begin(), from.end(), row.begin());
    };
    streamCodes(width, height, rowOf, out);
}

namespace {

constexpr int kRowsOfTask = 128;  // rows of an image per task, each of which reads kTileApron more on both sides

// Writes row y of an image, with `beyond` samples beyond its western and eastern border.
void readRow(const HeightField& field, int y, int beyond, std::vector<float>& row)
{
    const std::uint16_t* codes =
        field.codes.data() + std::size_t(std::clamp(y, 0, field.height - 1)) * std::size_t(field.width);
    const std::size_t first = std::size_t(beyond), last = first + std::size_t(field.width) - 1;
    for (std::size_t x = first; x <= last; ++x)
        row[x] = field.offset + field.scale * float(codes[x - first]);
    std::fill_n(row.begin(), first, row[first]);
    std::fill(row.begin() + std::ptrdiff_t(last), row.end(), row[last]);
}

// Returns the mean squared second difference (square metres) of samples `step` apart.
double meanSquare(const HeightField& field, int step)
{
    const int across = field.width - 2 * step, down = field.height - 2 * step;
    if (across <= 0 || down <= 0) return 0;
    std::vector<double> sums(std::size_t(down), 0.0);  // by row: the mean must not depend on the number of threads
    ThreadPool pool(threadsForRows(down));
    pool.forEach(std::size_t((down - 1) / kRowsOfTask + 1), [&](std::size_t piece) {
        const int begin = int(piece) * kRowsOfTask, end = std::min(down, begin + kRowsOfTask);
        std::vector<RowOfHeights> rows(std::size_t(2 * step + 1));
        const auto rowAt = [&](int y) -> RowOfHeights& { return rows[std::size_t(y) % rows.size()]; };
        SumRow squares(std::size_t(across), 0);
        for (int y = begin; y < end + 2 * step; ++y)
        {
            RowOfHeights& newest = rowAt(y);
            newest.resize(field.width);
            readRow(field, y, 0, newest.heights);
            newest.setWhole();
            const int middle = y - step;
            if (middle < begin + step) continue;
            secondDifferences(rowAt(middle - step), rowAt(middle), newest, step, step, across, squares.data());
            double sum = 0;
            for (const std::int64_t square : squares)
                sum += double(square);
            sums[std::size_t(middle - step)] = sum;
        }
    });
    return 1e-6 * std::accumulate(sums.begin(), sums.end(), 0.0) / (2.0 * double(across) * double(down));
}

}  // namespace

std::vector<std::uint8_t> roughnessCodes(const HeightField& field)
{
    const std::size_t width = std::size_t(field.width);
    std::vector<std::uint8_t> codes(width * std::size_t(field.height));
    ThreadPool pool(threadsForRows(field.height));
    pool.forEach(std::size_t((field.height - 1) / kRowsOfTask + 1), [&](std::size_t piece) {
        const int begin = int(piece) * kRowsOfTask, rows = std::min(field.height - begin, kRowsOfTask);
        const auto rowOf = [&](int y, std::vector<float>& row) {
            readRow(field, begin + y - kTileApron, kTileApron, row);
        };
        streamCodes(field.width + 2 * kTileApron, rows + 2 * kTileApron, rowOf,
                    std::span(codes).subspan(std::size_t(begin) * width, std::size_t(rows) * width));
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
