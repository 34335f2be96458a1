#include "compute/terrain_model/brushes.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace orogen::compute {
namespace {

constexpr int kBrushedWidth = 90, kBrushedHeight = 70;
constexpr double kBrushedSpacing = 10;

TerrainModel hilly()
{
    std::vector<float> heights;
    for (int i = 0; i < kBrushedWidth * kBrushedHeight; ++i)
        heights.push_back(
            float(100 + 20 * std::sin(0.1 * (i % kBrushedWidth)) + 15 * std::cos(0.13 * (i / kBrushedWidth))));
    heights[std::size_t(30 * kBrushedWidth + 40)] = std::numeric_limits<float>::quiet_NaN();
    Result<TerrainModel> model =
        TerrainModel::create(heights, kBrushedWidth, kBrushedHeight, kBrushedSpacing, kBrushedSpacing);
    EXPECT_TRUE(model);
    return std::move(*model);
}

std::vector<std::pair<std::uint32_t, std::uint32_t>> bitsOf(const TerrainModel& model)
{
    std::vector<std::pair<std::uint32_t, std::uint32_t>> bits;
    for (std::size_t i = 0; i < model.heights().size(); ++i)
        bits.emplace_back(std::bit_cast<std::uint32_t>(model.heights()[i]),
                          std::bit_cast<std::uint32_t>(model.remainders()[i]));
    return bits;
}

// Index of the cell at a place (metres from the centre; the raster has even sides, so centres lie between cells).
std::size_t cellAt(double east, double north)
{
    const double x = 0.5 * (kBrushedWidth - 1) + east / kBrushedSpacing,
                 y = 0.5 * (kBrushedHeight - 1) - north / kBrushedSpacing;
    return std::size_t(std::lround(y)) * kBrushedWidth + std::size_t(std::lround(x));
}

TEST(Brushes, ChangeWhatTheySay)
{
    TerrainModel model = hilly();
    Brushes brushes(model);
    const glm::dvec2 middle(105, -155);  // on a cell
    const std::size_t at = cellAt(105, -155), beside = cellAt(105, -125), far = cellAt(105, 55);
    const double before = model.heightAt(at), aside = model.heightAt(beside), away = model.heightAt(far);
    const auto after = [&](const Dab& dab) {
        brushes.begin();
        brushes.apply(dab);
        return model.heightAt(at);
    };
    EXPECT_DOUBLE_EQ(after({BrushKind::kRaise, middle, 60, 7}), before + 7);
    EXPECT_NEAR(model.heightAt(beside), aside + 7 * 0.75 * 0.75, 1e-9);  // half the radius away
    EXPECT_DOUBLE_EQ(model.heightAt(far), away);
    EXPECT_DOUBLE_EQ(after({BrushKind::kLower, middle, 60, 9}), before - 2);
    const double north = model.heightAt(beside), south = model.heightAt(cellAt(105, -185));
    after({BrushKind::kFault, middle, 60, 5});  // along east: the left side is the northern one
    EXPECT_GT(model.heightAt(beside), north + 1);
    EXPECT_DOUBLE_EQ(model.heightAt(cellAt(105, -185)), south);
    after({BrushKind::kFault, middle, 60, 5, {-1, 0}});
    EXPECT_GT(model.heightAt(cellAt(105, -185)), south + 1);
    brushes.begin();
    const double level = model.heightAt(at);
    for (int i = 0; i < 60; ++i)
        brushes.apply({BrushKind::kFlatten, middle, 60, 1});
    EXPECT_NEAR(model.heightAt(beside), level, 1e-6);
    after({BrushKind::kNoise, middle, 60, 5});
    const double rough = std::abs(model.heightAt(beside) - level);
    EXPECT_GT(rough, 0.01);
    brushes.begin();
    for (int i = 0; i < 400; ++i)
        brushes.apply({BrushKind::kSmooth, middle, 60, 1});
    EXPECT_LT(std::abs(model.heightAt(beside) - model.heightAt(at)), rough);
    EXPECT_TRUE(std::isnan(model.heights()[30 * kBrushedWidth + 40]));
}

TEST(Brushes, OutsideTheRasterChangeNothing)
{
    TerrainModel model = hilly();
    const auto before = bitsOf(model);
    Brushes brushes(model);
    EXPECT_TRUE(brushes.apply({BrushKind::kRaise, {9000, 0}, 60, 7}).empty());
    EXPECT_TRUE(brushes.apply({BrushKind::kRaise, {0, 0}, 0, 7}).empty());
    EXPECT_EQ(bitsOf(model), before);
    EXPECT_FALSE(brushes.redo());
}

// A storm of strokes with undo and redo equals a replay of the strokes that remain, bit for bit.
void storm(unsigned seed, int strokes)
{
    std::mt19937 random(seed);
    const auto below = [&](int n) { return int(random() % unsigned(n)); };
    TerrainModel model = hilly();
    Brushes brushes(model);
    std::vector<std::vector<Dab>> kept, undone;
    for (int i = 0; i < strokes; ++i)
    {
        if (const int what = below(4); what == 0 && !kept.empty())
        {
            ASSERT_TRUE(brushes.undo());
            undone.push_back(std::move(kept.back()));
            kept.pop_back();
        }
        else if (what == 1 && !undone.empty())
        {
            ASSERT_TRUE(brushes.redo());
            kept.push_back(std::move(undone.back()));
            undone.pop_back();
        }
        else
        {
            kept.emplace_back();
            undone.clear();
            brushes.begin();
            for (int dab = below(4); dab >= 0; --dab)
            {
                kept.back().push_back({BrushKind(below(6)),
                                       {below(800) - 400, below(600) - 300},
                                       20.0 + below(80),
                                       below(100) / 100.0,
                                       {below(3) - 1, 1}});
                brushes.apply(kept.back().back());
            }
        }
        ASSERT_EQ(brushes.undoable(), kept.size());
        ASSERT_EQ(brushes.redoable(), undone.size());
    }
    TerrainModel again = hilly();
    Brushes replay(again);
    for (const std::vector<Dab>& stroke : kept)
    {
        replay.begin();
        for (const Dab& dab : stroke)
            replay.apply(dab);
    }
    EXPECT_EQ(bitsOf(model), bitsOf(again)) << seed;
    while (brushes.undo())
    {
    }
    EXPECT_EQ(bitsOf(model), bitsOf(hilly())) << seed;
}

TEST(Brushes, StormsEqualTheirReplay)
{
    for (unsigned seed = 0; seed < 3; ++seed)
        storm(seed, 500);
}

TEST(Brushes, TenThousandStrokesEqualTheirReplay) { storm(77, 10'000); }

TEST(Brushes, ForgetTheOldestStrokesBeyondTheLimit)
{
    std::vector<float> heights(std::size_t(2048) * 2048, 5.0f);
    Result<TerrainModel> model = TerrainModel::create(heights, 2048, 2048, 1, 1);
    ASSERT_TRUE(model);
    Brushes brushes(*model);
    for (int i = 0; i < 12; ++i)
    {
        brushes.begin();
        brushes.apply({BrushKind::kRaise, {0, 0}, 3000, 1});
    }
    EXPECT_LE(brushes.bytes(), Brushes::kMostBytes + 48 * heights.size() / 4);
    EXPECT_LT(brushes.undoable(), 12u);
    EXPECT_GE(brushes.undoable(), 5u);
}

TEST(Brushes, HaveNames)
{
    for (std::size_t i = 0; i < kBrushNames.size(); ++i)
        EXPECT_EQ(brushNamed(kBrushNames[i]), BrushKind(i));
    EXPECT_FALSE(brushNamed("dig"));
}

// A stroke beside the terrain is none: undo takes back the one before it.
TEST(Brushes, ForgetStrokesThatTouchNoCell)
{
    TerrainModel model = hilly();
    Brushes brushes(model);
    const auto original = bitsOf(model);
    const auto stroke = [&](double east) {
        brushes.begin();
        return brushes.apply({.middle = {east, 0}, .radius = 50, .amount = 10});
    };
    for (const bool another : {false, true})
    {
        EXPECT_FALSE(stroke(0).empty());
        const auto raised = bitsOf(model);
        EXPECT_TRUE(stroke(5000).empty());
        EXPECT_EQ(brushes.undoable(), 1u);
        if (another)
        {
            EXPECT_FALSE(stroke(100).empty());
            EXPECT_EQ(brushes.undoable(), 2u);
            ASSERT_TRUE(brushes.undo());
            EXPECT_EQ(bitsOf(model), raised);
        }
        const std::optional<CellBox> undone = brushes.undo();
        ASSERT_TRUE(undone);
        EXPECT_FALSE(undone->empty());
        EXPECT_EQ(bitsOf(model), original);
        EXPECT_FALSE(brushes.undo());
    }
    brushes.begin();
    EXPECT_TRUE(brushes.apply({.middle = {5000, 0}, .radius = 50}).empty());
    EXPECT_FALSE(brushes.undo());
    EXPECT_EQ(brushes.bytes(), 0u);
}

}  // namespace
}  // namespace orogen::compute
