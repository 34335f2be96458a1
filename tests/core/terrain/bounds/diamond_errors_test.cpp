// Errors of diamonds against brute force: every triangle of small terrains, in double precision, by definition.
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <random>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/leb/leb.h"
#include "core/terrain/bounds/diamond_errors.h"
#include "core/terrain/io/load_raster.h"
#include "core/terrain/raster/height_field.h"
#include "tests/support/places.h"
#include "tests/support/test_scale.h"

namespace orogen {
namespace {

using test::scaled;

struct Point
{
    double x, y;  // samples
};

// Returns the height (metres) by definition: bilinear between four samples, clamped to the border outside.
double surface(const HeightField& field, Point p)
{
    const double px = std::clamp(p.x, 0.0, field.width - 1.0), py = std::clamp(p.y, 0.0, field.height - 1.0);
    const int x = std::min(int(px), field.width - 2), y = std::min(int(py), field.height - 2);
    const double u = px - x, v = py - y;
    const auto sample = [&](int i, int j) {
        return double(field.scale) * field.codes[std::size_t(j) * std::size_t(field.width) + std::size_t(i)];
    };
    return sample(x, y) * (1 - u) * (1 - v) + sample(x + 1, y) * u * (1 - v) + sample(x, y + 1) * (1 - u) * v +
           sample(x + 1, y + 1) * u * v;
}

// Largest deviation of the surface from a triangle on it, inside the raster.
class TriangleError
{
public:
    TriangleError(const HeightField& field, const std::array<Point, 3>& corners) : field_(field), corners_(corners)
    {
        for (int k = 0; k < 3; ++k)
            heights_[k] = surface(field, corners[k]);
    }

    double value()
    {
        samplesInside();
        for (int k = 0; k < 3; ++k)
            edge(k, (k + 1) % 3);
        return most_;
    }

private:
    void samplesInside()
    {
        const auto [a, b, c] = corners_;
        const double det = (b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y);
        const auto least = [](double p, double q, double r) {
            return std::max(0, int(std::ceil(std::min({p, q, r}))));
        };
        const auto last = [](double p, double q, double r, int most) {
            return std::min(most, int(std::floor(std::max({p, q, r}))));
        };
        for (int y = least(a.y, b.y, c.y); y <= last(a.y, b.y, c.y, field_.height - 1); ++y)
            for (int x = least(a.x, b.x, c.x); x <= last(a.x, b.x, c.x, field_.width - 1); ++x)
            {
                const double u = ((x - a.x) * (c.y - a.y) - (c.x - a.x) * (y - a.y)) / det;
                const double v = ((b.x - a.x) * (y - a.y) - (x - a.x) * (b.y - a.y)) / det;
                if (u < 0 || v < 0 || u + v > 1) continue;
                const double linear = heights_[0] + u * (heights_[1] - heights_[0]) + v * (heights_[2] - heights_[0]);
                most_ = std::max(most_, std::fabs(surface(field_, {double(x), double(y)}) - linear));
            }
    }

    // Evaluates the intersections with grid lines, and the parabola's vertex between neighbouring ones.
    void edge(int from, int to)
    {
        const Point p = corners_[std::size_t(from)], q = corners_[std::size_t(to)];
        double begin = 0, end = 1;
        clip(p.x, q.x, field_.width - 1, begin, end);
        clip(p.y, q.y, field_.height - 1, begin, end);
        if (begin > end) return;
        std::vector<double> stops{begin, end};
        crossings(p.x, q.x, begin, end, stops);
        crossings(p.y, q.y, begin, end, stops);
        std::ranges::sort(stops);
        const auto deviation = [&](double t) {
            const double linear = heights_[std::size_t(from)] * (1 - t) + heights_[std::size_t(to)] * t;
            return surface(field_, {p.x + t * (q.x - p.x), p.y + t * (q.y - p.y)}) - linear;
        };
        for (std::size_t i = 0; i < stops.size(); ++i)
        {
            most_ = std::max(most_, std::fabs(deviation(stops[i])));
            if (i == 0 || stops[i] - stops[i - 1] < 1e-12) continue;
            const double middle = (stops[i - 1] + stops[i]) / 2, half = (stops[i] - stops[i - 1]) / 2;
            const double d0 = deviation(stops[i - 1]), d1 = deviation(middle), d2 = deviation(stops[i]);
            const double bend = d0 - 2 * d1 + d2, slope = (d2 - d0) / 2;
            if (std::fabs(bend) > std::fabs(slope) && bend != 0)
                most_ = std::max(most_, std::fabs(deviation(middle - half * slope / bend)));
        }
    }

    static void clip(double p, double q, double last, double& begin, double& end)
    {
        if (p == q)
        {
            if (p < 0 || p > last) begin = 2;
            return;
        }
        begin = std::max(begin, std::min((0 - p) / (q - p), (last - p) / (q - p)));
        end = std::min(end, std::max((0 - p) / (q - p), (last - p) / (q - p)));
    }

    static void crossings(double p, double q, double begin, double end, std::vector<double>& stops)
    {
        if (p == q) return;
        for (int line = int(std::ceil(std::min(p, q))); line <= int(std::floor(std::max(p, q))); ++line)
            if (const double t = (line - p) / (q - p); t > begin && t < end) stops.push_back(t);
    }

    const HeightField& field_;
    std::array<Point, 3> corners_;
    std::array<double, 3> heights_{};
    double most_ = 0;
};

leb::Point inUnits(leb::Point p) { return {p.x << 6, p.y << 6}; }  // draw lattice
leb::Point middleOf(leb::Point a, leb::Point b) { return {(a.x + b.x) / 2, (a.y + b.y) / 2}; }
std::uint64_t keyOf(leb::Point p) { return std::uint64_t(p.x) << 32 | p.y; }

using ErrorMap = std::unordered_map<std::uint64_t, double>;

// Errors of all triangles of the square down to a depth.
class BruteForce
{
public:
    BruteForce(const HeightField& field, int depth) : field_(field), depth_(depth), errors_(std::size_t(2) << depth)
    {
        const double east = (field.width - 1) * field.pixelWidth, north = (field.height - 1) * field.pixelHeight;
        const double side = std::max(east, north);
        for (NodeId node = 2; node < (NodeId(2) << depth); ++node)
        {
            std::array<Point, 3> corners;
            const leb::Triangle t = leb::vertices(node);
            for (int k = 0; k < 3; ++k)
            {
                const leb::Point p = k == 0 ? t.apex : k == 1 ? t.base0 : t.base1;
                const double x = p.x / double(leb::kSide) * side - side / 2,
                             y = p.y / double(leb::kSide) * side - side / 2;
                corners[std::size_t(k)] = {(x + east / 2) / field.pixelWidth, (north / 2 - y) / field.pixelHeight};
            }
            errors_[node] = TriangleError(field, corners).value();
        }
    }

    // Returns the errors of diamonds at depths 1 .. depth - 2 patchLevel, saturated among themselves.
    ErrorMap diamonds(int patchLevel) const
    {
        std::vector<double> drawn = errors_;
        for (int k = 0; k < 2 * patchLevel; ++k)
            for (NodeId node = 2; node < drawn.size() / 2; ++node)
                drawn[node] = std::max(drawn[2 * node], drawn[2 * node + 1]);  // children come later
        ErrorMap errors;
        for (int depth = depth_ - 2 * patchLevel; depth >= 1; --depth)
            for (NodeId node = NodeId(1) << depth; node < (NodeId(2) << depth); ++node)
            {
                const leb::Triangle t = leb::vertices(node);
                double& error = errors[keyOf(middleOf(inUnits(t.base0), inUnits(t.base1)))];
                error = std::max(error, drawn[node]);
                for (const leb::Point end : {t.base0, t.base1})
                    if (const auto leg = errors.find(keyOf(middleOf(inUnits(t.apex), inUnits(end))));
                        leg != errors.end())
                        error = std::max(error, leg->second);
            }
        return errors;
    }

private:
    const HeightField& field_;
    int depth_;
    std::vector<double> errors_;  // by node
};

leb::Point pointOf(std::uint64_t key) { return {std::uint32_t(key >> 32), std::uint32_t(key)}; }

// Returns whether the diamond's bounding box overlaps the raster; others are never drawn.
bool touches(const HeightField& field, leb::Point p)
{
    const double east = (field.width - 1) * field.pixelWidth, north = (field.height - 1) * field.pixelHeight;
    const double metres = std::max(east, north) / leb::kDrawSide, unit = leb::diamondUnit(p) * metres;
    const double x = p.x * metres - std::max(east, north) / 2, y = p.y * metres - std::max(east, north) / 2;
    return std::fabs(x) - unit < east / 2 && std::fabs(y) - unit < north / 2;
}

// Checks that stored errors are never below the exact ones. Returns the median of stored / exact over diamonds with a
// noticeable error.
double medianSlack(const HeightField& field, const DiamondErrors& errors, const BruteForce& brute, int patchLevel)
{
    const std::vector<std::uint8_t> patch = patchErrors(errors, patchLevel);
    std::vector<double> ratios;
    for (const auto& [key, exact] : brute.diamonds(patchLevel))
    {
        const leb::Point p = pointOf(key);
        if (!touches(field, p)) continue;
        const double stored = double(leafError(errors, patch, patchLevel, p));
        if (stored < exact * (1 - 1e-12))
        {
            ADD_FAILURE() << "patch " << patchLevel << " depth " << leb::diamondDepth(p) << " at " << p.x << ' ' << p.y
                          << ": stored " << stored << ", exact " << exact;
            return 0;
        }
        const bool isStored = leb::diamondDepth(p) < errors.firstFineDepth() - (patchLevel > 0 ? 2 : 0);
        if (isStored && exact > 0.02 * double(field.scale)) ratios.push_back(stored / exact);
    }
    if (ratios.empty()) return 1;
    std::ranges::nth_element(ratios, ratios.begin() + std::ptrdiff_t(ratios.size() / 2));
    return ratios[ratios.size() / 2];
}

HeightField shipped()
{
    const Result<Raster> raster = loadRaster(OROGEN_ROOT "/assets/heightmaps/jacksboro.tif");
    EXPECT_TRUE(raster);
    return quantise(*raster);
}

HeightField cropped(const HeightField& from, int x, int y, int width, int height)
{
    HeightField field;
    field.width = width, field.height = height;
    field.pixelWidth = from.pixelWidth, field.pixelHeight = from.pixelHeight;
    field.scale = from.scale, field.offset = from.offset;
    for (int v = 0; v < height; ++v)
        for (int u = 0; u < width; ++u)
            field.codes.push_back(from.code(x + u, y + v));
    return field;
}

DiamondErrors errorsOf(const HeightField& field)
{
    Result<DiamondErrors> errors = buildDiamondErrors(field);
    EXPECT_TRUE(errors);
    return std::move(*errors);
}

TEST(DiamondErrors, NoDiamondOfASmallTerrainIsBelowItsErrorNorFarAbove)
{
    const HeightField field = cropped(shipped(), 150, 120, 97, 131);
    ASSERT_NE(field.pixelWidth, field.pixelHeight);
    const DiamondErrors errors = errorsOf(field);
    const BruteForce brute(field, errors.firstFineDepth() - 1 + scaled(4, 8));
    for (int patch = 0; patch <= 3; ++patch)
    {
        const double slack = medianSlack(field, errors, brute, patch);
        RecordProperty("patch" + std::to_string(patch), std::to_string(slack));
        EXPECT_LE(slack, patch == 0 ? 1.15 : patch <= 2 ? 1.4 : 2.0) << "patch " << patch;
    }
}

HeightField randomField(std::mt19937& random, int width, int height, double pixelWidth, double pixelHeight)
{
    HeightField field;
    field.width = width, field.height = height;
    field.pixelWidth = pixelWidth, field.pixelHeight = pixelHeight;
    field.scale = random() % 2 ? 1.0f : 0.37f;
    std::uniform_real_distribution<double> noise(0.0, random() % 2 ? 3.0 : 60.0);
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            field.codes.push_back(std::uint16_t(400 + 200 * std::sin(x * 5.0 / width) +
                                                150 * std::cos(y * 3.0 / height) + noise(random)));
    return field;
}

TEST(DiamondErrors, HoldForTinyRastersAndForLongPixels)
{
    struct Shape
    {
        int width, height;
        double pixelWidth, pixelHeight;
    };
    unsigned seed = 0;
    for (const Shape& shape : {Shape{2, 2, 1, 1},
                               {2, 3, 30, 25},
                               {9, 2, 1, 1},
                               {2, 40, 10, 10},
                               {17, 17, 5, 5},
                               {33, 20, 1, 1.3},
                               {60, 31, 1, 20},
                               {31, 60, 20, 1},
                               {25, 25, 20, 1}})
    {
        SCOPED_TRACE(testing::Message() << shape.width << " x " << shape.height << ", pixels " << shape.pixelWidth
                                        << " x " << shape.pixelHeight);
        std::mt19937 random(++seed);
        const HeightField field = randomField(random, shape.width, shape.height, shape.pixelWidth, shape.pixelHeight);
        const DiamondErrors errors = errorsOf(field);
        const BruteForce brute(field, errors.firstFineDepth() - 1 + 4);
        for (int patch = 0; patch <= 3; ++patch)
            RecordProperty("slack", std::to_string(medianSlack(field, errors, brute, patch)));
    }
}

leb::Point laterEnd(const leb::Edge& base)
{
    const auto depth = [](leb::Point p) { return leb::isDiamond(p) ? leb::diamondDepth(p) : 0; };
    return depth(base.low) > depth(base.high) ? base.low : base.high;
}

// Vertices by the criterion `error` morph in this margin: shaders/surface/drawn_surface.glsl.
TEST(DiamondErrors, AreLargerByAMarginTwoBisectionsBefore)
{
    const HeightField field = cropped(shipped(), 150, 120, 97, 131);
    const DiamondErrors errors = errorsOf(field);
    for (int patch = 1; patch <= 3; ++patch)
    {
        const std::vector<std::uint8_t> codes = patchErrors(errors, patch);
        std::mt19937 random(20);
        int looked = 0;
        for (int i = 0; i < 20'000; ++i)
        {
            const int bits = errors.finestBits - 4 + int(random() % 10);
            const std::uint32_t cells = leb::kDrawSide >> bits, mask = cells - 1;
            const leb::Point p{std::uint32_t(random() & mask) << bits, std::uint32_t(random() & mask) << bits};
            if (!leb::isDiamond(p) || leb::diamondDepth(p) < 4 || !touches(field, p)) continue;
            const leb::Point before = laterEnd(leb::diamondBase(p));
            if (!leb::isDiamond(before)) continue;
            const float fine = leafError(errors, codes, patch, p), coarse = leafError(errors, codes, patch, before);
            ASSERT_GE(coarse, std::min(1.09f * fine, errors.metres[255]) * 0.99999f)
                << "patch " << patch << " depth " << leb::diamondDepth(p) << " at " << p.x << ' ' << p.y << ", "
                << errors.firstFineDepth();
            looked += fine > 0;
        }
        EXPECT_GT(looked, 5000);
    }
}

TEST(DiamondErrors, FlatGroundHasNone)
{
    HeightField field;
    field.width = 50, field.height = 30;
    field.codes.assign(1500, 1234);
    const DiamondErrors errors = errorsOf(field);
    EXPECT_EQ(std::ranges::count(errors.codes, 0), std::ptrdiff_t(errors.codes.size()));
    EXPECT_EQ(std::ranges::count(patchErrors(errors, 3), 0), std::ptrdiff_t(errors.patchBytes()));
}

// Voids are drawn with their filled heights, so the field is an ordinary one.
TEST(DiamondErrors, VoidsAreMeasuredAsTheyAreDrawn)
{
    Raster raster;
    raster.width = 40, raster.height = 33;
    raster.pixelWidth = 30, raster.pixelHeight = 25;
    std::mt19937 random(4);
    for (int y = 0; y < raster.height; ++y)
        for (int x = 0; x < raster.width; ++x)
        {
            const bool isVoid = x > 10 && x < 22 && y > 8 && y < 20;
            raster.voids += isVoid;
            raster.heights.push_back(isVoid
                                         ? std::numeric_limits<float>::quiet_NaN()
                                         : float(200 + 80 * std::sin(x * 0.4) * std::cos(y * 0.3) + int(random() % 9)));
        }
    raster.minHeight = 100, raster.maxHeight = 300;
    const HeightField field = quantise(raster);
    ASSERT_FALSE(field.voidMask.empty());
    const DiamondErrors errors = errorsOf(field);
    const BruteForce brute(field, errors.firstFineDepth() - 1 + 3);
    for (const int patch : {0, 2})
        EXPECT_GT(medianSlack(field, errors, brute, patch), 0);
}

// Recursive reference for one diamond at a time.
class SaturatedDiamond
{
public:
    SaturatedDiamond(const HeightField& field, int lastDepth) : field_(field), lastDepth_(lastDepth)
    {
        const double east = (field.width - 1) * field.pixelWidth, north = (field.height - 1) * field.pixelHeight;
        const double side = std::max(east, north);
        place_ = [=, &field](leb::Point p) {
            const double x = p.x / double(leb::kDrawSide) * side - side / 2,
                         y = p.y / double(leb::kDrawSide) * side - side / 2;
            return Point{(x + east / 2) / field.pixelWidth, (north / 2 - y) / field.pixelHeight};
        };
    }

    double error(leb::Point middle)
    {
        const int depth = leb::diamondDepth(middle);
        if (depth > lastDepth_) return 0;
        if (const auto known = known_.find(keyOf(middle)); known != known_.end()) return known->second;
        const leb::Edge base = leb::diamondBase(middle);
        double most = 0;
        for (const int turn : {1, -1})
        {
            const std::int64_t dx = turn * (std::int64_t(base.high.y) - middle.y),
                               dy = -turn * (std::int64_t(base.high.x) - middle.x);
            const std::int64_t x = middle.x + dx, y = middle.y + dy;
            if (x < 0 || y < 0 || x > leb::kDrawSide || y > leb::kDrawSide) continue;
            const leb::Point apex{std::uint32_t(x), std::uint32_t(y)};
            most = std::max(most, TriangleError(field_, {place_(base.low), place_(base.high), place_(apex)}).value());
            most = std::max({most, error(middleOf(base.low, apex)), error(middleOf(base.high, apex))});
        }
        return known_[keyOf(middle)] = most;
    }

private:
    const HeightField& field_;
    int lastDepth_;
    std::function<Point(leb::Point)> place_;
    ErrorMap known_;
};

TEST(DiamondErrors, OfTheShippedTerrainHoldWhereverTheyAreLookedAt)
{
    const HeightField field = shipped();
    ASSERT_NE(field.width, field.height);
    const DiamondErrors errors = errorsOf(field);
    const int stored = errors.firstFineDepth() - 1;
    SaturatedDiamond brute(field, stored + 4);
    std::mt19937 random(9);
    std::vector<double> ratios;
    for (int i = 0; i < scaled(1500, 20'000); ++i)
    {
        const int depth = 8 + int(random() % unsigned(stored - 8 + 3));
        const NodeId node = (NodeId(1) << depth) | (NodeId(random()) & ((NodeId(1) << depth) - 1));
        const leb::Triangle t = leb::vertices(node);
        const leb::Point middle = middleOf(inUnits(t.base0), inUnits(t.base1));
        if (!touches(field, middle)) continue;
        const double exact = brute.error(middle), value = double(vertexError(errors, middle));
        ASSERT_GE(value, exact * (1 - 1e-12)) << "depth " << depth << " at " << middle.x << ' ' << middle.y;
        if (depth <= stored && exact > 0.02) ratios.push_back(value / exact);
    }
    std::ranges::sort(ratios);
    RecordProperty("median", std::to_string(ratios[ratios.size() / 2]));
    EXPECT_LE(ratios[ratios.size() / 2], 1.15);
}

TEST(DiamondErrors, TakeAtMostTwoBytesASample)
{
    std::mt19937 random(2);
    for (const auto& [width, height] :
         {std::pair{512, 512}, {513, 513}, {700, 400}, {597, 321}, {3000, 40}, {256, 255}})
    {
        HeightField field;
        field.width = width, field.height = height;
        field.codes.resize(std::size_t(width) * std::size_t(height));
        for (std::uint16_t& code : field.codes)
            code = std::uint16_t(random() % 100);
        const DiamondErrors errors = errorsOf(field);
        const std::size_t bytes = errors.codes.size() + errors.secondPatch.size() + patchErrors(errors, 2).size();
        EXPECT_LE(bytes, 2 * field.codes.size() + DiamondErrors::kSmallRaster) << width << " x " << height;
        // The spacing is the finest that the limit allows: half of it would take four times the memory.
        EXPECT_GT(bytes, field.codes.size() / 5) << width << " x " << height;
    }
}

TEST(DiamondErrors, AreTheSameForAnyOrderAndTellHowFarTheyAre)
{
    const HeightField field = cropped(shipped(), 0, 0, 200, 150);
    double last = -1;
    int calls = 0;
    const Result<DiamondErrors> errors = buildDiamondErrors(field, [&](double fraction) {
        EXPECT_GE(fraction, last);
        EXPECT_LE(fraction, 1.0);
        last = fraction;
        ++calls;
        return true;
    });
    ASSERT_TRUE(errors);
    EXPECT_GT(calls, 5);
    EXPECT_EQ(errors->codes, errorsOf(field).codes);

    const Result<DiamondErrors> stopped = buildDiamondErrors(field, [](double) { return false; });
    ASSERT_FALSE(stopped);
    EXPECT_EQ(stopped.error().code, ExitCode::kInterrupted);
}

}  // namespace
}  // namespace orogen
