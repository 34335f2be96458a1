#include "core/terrain/raster/height_field.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "core/base/thread_pool.h"

namespace orogen {
namespace {

// Adjacent flat cells of one row: columns begin ... end - 1. Neighbours share samples, so all have one height.
struct Run
{
    std::int32_t begin, end;
    std::uint32_t body;  // parent in the union-find (a root: itself); after numberBodies() the body's number or kNoBody
};

constexpr std::uint32_t kNoBody = 0xffffffffu;

// Samples around a body, compared with its level.
struct Shore
{
    std::uint64_t lower = 0, higher = 0;  // samples
    std::uint64_t rise = 0;               // sum over the higher ones (mm); integers make the order irrelevant
};

// Search for still water by runs of flat cells, which are joined to bodies. See findStillWater().
class Search
{
public:
    Search(const Raster& raster, double step, const StillWaterRule& rule, const std::function<bool()>& goOn)
        : raster_(raster), step_(step), rule_(rule), goOn_(goOn), columns_(raster.width - 1), rows_(raster.height - 1),
          pool_(threadsForRows(rows_)), firstOfRow_(std::size_t(raster.height), 0)
    {
    }

    Result<StillWater> run()
    {
        findRuns();
        if (!stopped_) joinRows();
        if (!stopped_) numberBodies();
        if (!stopped_) walkShores();
        StillWater water;
        if (!stopped_) water = paint();
        if (stopped_) return Error{ExitCode::kInterrupted, raster_.name + ": interrupted"};
        return water;
    }

private:
    // Returns false once the caller has asked to stop.
    bool goesOn()
    {
        if (goOn_ && !stopped_ && !goOn_()) stopped_ = true;
        return !stopped_;
    }

    void findRuns()
    {
        std::vector<std::vector<Run>> found(firstOfRow_.size() - 1);
        forRows(pool_, rows_, [&](int begin, int end) {
            if (!goesOn()) return;
            for (int row = begin; row < end; ++row)
                findRunsIn(row, found[std::size_t(row)]);
        });
        for (std::size_t row = 0; row < found.size(); ++row)
        {
            runs_.insert(runs_.end(), found[row].begin(), found[row].end());
            firstOfRow_[row + 1] = std::uint32_t(runs_.size());
            found[row] = {};
        }
    }

    void findRunsIn(int row, std::vector<Run>& found) const
    {
        const float* upper = &raster_.heights[std::size_t(row) * std::size_t(raster_.width)];
        const float* lower = upper + raster_.width;
        for (int x = 0; x < columns_; ++x)
        {
            // A void is NaN, which equals nothing.
            if (!(upper[x] == upper[x + 1] && upper[x] == lower[x] && upper[x] == lower[x + 1])) continue;
            if (!found.empty() && found.back().end == x)
                found.back().end = x + 1;
            else
                found.push_back({x, x + 1, 0});
        }
    }

    std::uint32_t rootOf(std::uint32_t run)
    {
        while (runs_[run].body != run)
        {
            runs_[run].body = runs_[runs_[run].body].body;  // path halving
            run = runs_[run].body;
        }
        return run;
    }

    // Joins runs of adjacent rows (union-find). A body's root is its first run, whatever the order of joining.
    void joinRows()
    {
        for (std::uint32_t run = 0; run < runs_.size(); ++run)
            runs_[run].body = run;
        for (int row = 1; row < rows_ && goesOn(); ++row)
        {
            std::uint32_t above = firstOfRow_[std::size_t(row) - 1];
            const std::uint32_t aboveEnd = firstOfRow_[std::size_t(row)];
            for (std::uint32_t run = aboveEnd; run < firstOfRow_[std::size_t(row) + 1]; ++run)
            {
                while (above < aboveEnd && runs_[above].end <= runs_[run].begin)
                    ++above;
                for (std::uint32_t other = above; other < aboveEnd && runs_[other].begin < runs_[run].end; ++other)
                {
                    const std::uint32_t a = rootOf(other), b = rootOf(run);
                    runs_[std::max(a, b)].body = std::min(a, b);
                }
            }
        }
    }

    // Numbers the bodies that are large enough from 0; runs of other bodies get kNoBody.
    void numberBodies()
    {
        std::vector<std::uint64_t> cells(runs_.size(), 0);
        for (std::uint32_t run = 0; run < runs_.size(); ++run)
            cells[rootOf(run)] += std::uint64_t(runs_[run].end - runs_[run].begin);
        const double area = raster_.pixelWidth * raster_.pixelHeight;
        std::vector<std::uint32_t> numbers(runs_.size(), kNoBody);
        for (std::uint32_t run = 0; run < runs_.size(); ++run)
        {
            const std::uint32_t root = rootOf(run);
            if (root == run && cells[run] >= rule_.leastCells && double(cells[run]) * area >= rule_.leastArea)
                numbers[run] = bodies_++;
        }
        // In reverse order: writing a root's number destroys its link, by which the body's later runs find the root.
        for (std::uint32_t run = std::uint32_t(runs_.size()); run-- > 0;)
            runs_[run].body = numbers[rootOf(run)];
    }

    void walkShores()
    {
        std::vector<std::vector<Shore>> shores(std::size_t(pool_.threads()), std::vector<Shore>(bodies_));
        pool_.forEach(std::size_t(bandsOf(rows_)), [&](std::size_t band, int thread) {
            if (!goesOn()) return;
            const int begin = int(band) * kRowsInBand, end = std::min(rows_, begin + kRowsInBand);
            for (int row = begin; row < end; ++row)
                for (std::uint32_t run = firstOfRow_[std::size_t(row)]; run < firstOfRow_[std::size_t(row) + 1]; ++run)
                    if (runs_[run].body != kNoBody)
                        walkShore(row, runs_[run], shores[std::size_t(thread)][runs_[run].body]);
        });
        isWater_.resize(bodies_);
        for (std::uint32_t body = 0; body < bodies_; ++body)
        {
            Shore all;
            for (const std::vector<Shore>& part : shores)
            {
                all.lower += part[body].lower;
                all.higher += part[body].higher;
                all.rise += part[body].rise;
            }
            isWater_[body] = isShoreOfWater(all);
        }
    }

    bool isShoreOfWater(const Shore& shore) const
    {
        if (shore.higher == 0) return false;
        const double rise = double(shore.rise) / 1000 / double(shore.higher);
        const double spacing = std::sqrt(raster_.pixelWidth * raster_.pixelHeight);
        return double(shore.lower) <= rule_.mostLowerShore * double(shore.lower + shore.higher) &&
               rise >= rule_.leastBank * step_ && rise <= rule_.steepestBank * spacing;
    }

    // Counts the samples around a run. Samples of its own body are level with it and do not count, nor do voids.
    void walkShore(int row, const Run& run, Shore& shore) const
    {
        const float level = raster_.at(run.begin, row);
        const auto look = [&](int x, int y) {
            if (x < 0 || y < 0 || x >= raster_.width || y >= raster_.height) return;
            const float height = raster_.at(x, y);
            shore.lower += height < level;
            shore.higher += height > level;
            if (height > level) shore.rise += std::uint64_t(1000 * (double(height) - double(level)));
        };
        for (int x = run.begin - 1; x <= run.end + 1; ++x)
            look(x, row - 1), look(x, row + 2);
        for (const int y : {row, row + 1})
            look(run.begin - 1, y), look(run.end + 1, y);
    }

    // Describes the bodies in the order of their first runs.
    void describeBodies(StillWater& water) const
    {
        constexpr std::size_t kNone = std::size_t(-1);
        std::vector<std::size_t> described(bodies_, kNone);
        for (int row = 0; row < rows_; ++row)
            for (std::uint32_t i = firstOfRow_[std::size_t(row)]; i < firstOfRow_[std::size_t(row) + 1]; ++i)
            {
                const Run& run = runs_[i];
                if (!drawn(run)) continue;
                std::size_t& index = described[run.body];
                if (index == kNone)
                {
                    index = water.bodies.size();
                    water.bodies.push_back({raster_.at(run.begin, row), run.begin, row, run.end - 1, row});
                }
                WaterBody& body = water.bodies[index];
                body.west = std::min(body.west, run.begin);
                body.east = std::max(body.east, run.end - 1);
                body.south = row;
                water.cells += std::uint64_t(run.end - run.begin);
            }
    }

    bool drawn(const Run& run) const { return run.body != kNoBody && isWater_[run.body]; }

    StillWater paint()
    {
        StillWater water;
        describeBodies(water);
        if (water.bodies.empty()) return water;
        water.mask.resize(std::size_t(columns_) * std::size_t(rows_));
        forRows(pool_, rows_, [&](int begin, int end) {
            if (!goesOn()) return;
            for (int row = begin; row < end; ++row)
                for (std::uint32_t i = firstOfRow_[std::size_t(row)]; i < firstOfRow_[std::size_t(row) + 1]; ++i)
                    if (const Run& run = runs_[i]; drawn(run))
                        std::fill_n(&water.mask[std::size_t(row) * std::size_t(columns_) + std::size_t(run.begin)],
                                    run.end - run.begin, std::uint8_t(255));
        });
        return water;
    }

    const Raster& raster_;
    const double step_;
    const StillWaterRule& rule_;
    const std::function<bool()>& goOn_;
    const int columns_, rows_;  // cells
    ThreadPool pool_;
    std::vector<Run> runs_;                  // row by row
    std::vector<std::uint32_t> firstOfRow_;  // index of each row's first run; last element: number of runs
    std::uint32_t bodies_ = 0;
    std::vector<char> isWater_;  // by body
    std::atomic<bool> stopped_ = false;
};

}  // namespace

Result<StillWater> findStillWater(const Raster& raster, double step, const StillWaterRule& rule,
                                  const std::function<bool()>& goOn)
{
    if (raster.width < 2 || raster.height < 2) return StillWater{};
    return Search(raster, step, rule, goOn).run();
}

namespace {

// Returns the largest step of 1, 1/2 ... 1/16 m by which 16-bit codes hold all heights exactly; 0 if there is none.
float exactStep(const Raster& raster, double span)
{
    for (float step = 1.0f; step >= 1.0f / 16.0f && span <= 65535.0 * double(step); step /= 2)
    {
        const float steps = 1.0f / step;  // exact: a power of two
        if (std::all_of(raster.heights.begin(), raster.heights.end(),
                        [steps](float h) { return std::isnan(h) || h * steps == std::floor(h * steps); }))
            return step;
    }
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
    // encode() divides by the scale, which therefore must not underflow to 0.
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

// One level of the pyramid on which voids are filled.
struct FillLevel
{
    int width = 0, height = 0;
    std::vector<float> owned;          // memory of `values`, on coarse levels only
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

}  // namespace

void fillVoids(std::vector<float>& heights, int width, int height)
{
    constexpr int kSweeps = 12;
    std::vector<FillLevel> levels(1);
    levels[0].width = width;
    levels[0].height = height;
    levels[0].values = heights;
    listVoids(levels[0]);
    while (!levels.back().voids.empty() && levels.back().values.size() > 1)
        levels.push_back(coarser(levels.back()));
    if (!levels.back().voids.empty()) levels.back().values[0] = 0.0f;  // no height is known
    for (std::size_t i = levels.size() - 1; i > 0; --i)
    {
        FillLevel& fine = levels[i - 1];
        for (const std::uint32_t index : fine.voids)
            fine.values[index] =
                interpolate(levels[i], int(index % std::uint32_t(fine.width)), int(index / std::uint32_t(fine.width)));
        for (int sweep = 0; sweep < kSweeps; ++sweep)
            relax(fine);
    }
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
    field.voidMask.resize(raster.heights.size());
    std::transform(raster.heights.begin(), raster.heights.end(), field.voidMask.begin(),
                   [](float h) { return std::isnan(h) ? std::uint8_t(255) : std::uint8_t(0); });
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

namespace {

constexpr float kMostCode = 65535.0f;
// Room for changes above and below the heights: kRoomShare times their range, but at least kLeastRoom metres.
constexpr float kRoomShare = 0.5f, kLeastRoom = 100.0f;

struct Coded
{
    std::uint16_t code;
    bool fits;
};

Coded codeOf(float height, const HeightField& field)
{
    const float code = std::round((height - field.offset) / field.scale);
    return {std::uint16_t(std::clamp(code, 0.0f, kMostCode)), code >= 0 && code <= kMostCode};
}

}  // namespace

HeightField encodedField(std::span<const float> heights, const HeightField& like, const HeightField* shown)
{
    HeightField field;
    field.width = like.width;
    field.height = like.height;
    field.pixelWidth = like.pixelWidth;
    field.pixelHeight = like.pixelHeight;
    field.exact = false;
    field.voidMask = like.voidMask;
    std::vector<float> filled;
    if (!like.voidMask.empty())
    {
        filled.assign(heights.begin(), heights.end());
        fillVoids(filled, like.width, like.height);
        heights = filled;
    }
    const auto [least, most] = std::ranges::minmax_element(heights);
    const float low = *least, high = *most;
    if (shown)
    {
        field.offset = shown->offset;
        field.scale = shown->scale;
    }
    if (!shown || !(low >= field.offset && high <= field.offset + kMostCode * field.scale))
    {
        const float room = std::max(kRoomShare * (high - low), kLeastRoom);
        field.offset = low - room;
        field.scale = (high - low + 2 * room) / kMostCode;
    }
    field.codes.resize(heights.size());
    ThreadPool pool(threadsForRows(field.height));
    forRows(pool, field.height, [&](int begin, int end) {
        for (std::size_t i = std::size_t(begin) * std::size_t(field.width);
             i < std::size_t(end) * std::size_t(field.width); ++i)
            field.codes[i] = codeOf(heights[i], field).code;
    });
    return field;
}

bool encodeBox(HeightField& field, std::span<const float> heights, const IndexBox& box)
{
    bool fits = true;
    for (int y = box.y0; y < box.y1; ++y)
        for (int x = box.x0; x < box.x1; ++x)
        {
            const std::size_t i = std::size_t(y) * std::size_t(field.width) + std::size_t(x);
            if (std::isnan(heights[i])) continue;
            const Coded coded = codeOf(heights[i], field);
            field.codes[i] = coded.code;
            fits = fits && coded.fits;
        }
    return fits;
}

LowHigh rangeOf(const HeightField& field)
{
    std::uint16_t low = std::numeric_limits<std::uint16_t>::max(), high = 0;
    bool any = false;
    for (std::size_t i = 0; i < field.codes.size(); ++i)
    {
        if (!field.voidMask.empty() && field.voidMask[i] != 0) continue;
        low = std::min(low, field.codes[i]);
        high = std::max(high, field.codes[i]);
        any = true;
    }
    return any ? LowHigh{field.offset + field.scale * float(low), field.offset + field.scale * float(high)} : LowHigh{};
}

}  // namespace orogen
