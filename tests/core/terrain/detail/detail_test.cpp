// Procedural detail below the sample spacing of an elevation model.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <map>
#include <random>
#include <string>

#include <gtest/gtest.h>

#include "core/leb/leb.h"
#include "core/terrain/detail/detail.h"
#include "core/terrain/detail/roughness.h"
#include "core/terrain/io/load_raster.h"
#include "tests/support/places.h"
#include "tests/support/spectrum.h"

namespace orogen {
namespace {

const std::string kShipped = OROGEN_ROOT "/assets/heightmaps/jacksboro.tif";

// Two terrains for measurements; the second is not part of the program.
struct Measured
{
    const char* name;
    std::string path;
};
const Measured kTerrains[] = {{"jacksboro", kShipped},
                              {"bigtujunga", OROGEN_ROOT "/../shared/data/srtm_bigtujunga30m_utm11.tif"}};

class DetailSpectrum : public testing::TestWithParam<Measured>
{
protected:
    void SetUp() override
    {
        const std::string& path = GetParam().path;
        if (path != kShipped && !std::filesystem::exists(path)) GTEST_SKIP() << "there is no " << path;
    }
};
INSTANTIATE_TEST_SUITE_P(Terrains, DetailSpectrum, testing::ValuesIn(kTerrains),
                         [](const testing::TestParamInfo<Measured>& one) { return one.param.name; });

HeightField load(const std::string& path)
{
    Result<Raster> raster = loadRaster(path);
    EXPECT_TRUE(raster) << path;
    return raster ? quantise(*raster) : HeightField{};
}

constexpr int kSamples = 64;  // side of the squares for spectra

// Returns the mean power of squares with `fine` values per sample in both directions; value(x, y) takes sample
// coordinates.
template <typename Value>
std::vector<double> meanPower(const HeightField& field, int fine, const Value& value)
{
    std::vector<double> mean;
    int count = 0;
    for (int top = 100; top + kSamples + 8 < field.height; top += kSamples)
        for (int left = 8; left + kSamples + 8 < field.width && count < 6; left += kSamples, ++count)
        {
            const int side = kSamples * fine;
            std::vector<double> values;
            for (int y = 0; y < side; ++y)
                for (int x = 0; x < side; ++x)
                    values.push_back(value(left + double(x) / fine, top + double(y) / fine));
            const std::vector<double> power = test::powerByOctave(std::move(values), std::size_t(side));
            mean.resize(power.size());
            for (std::size_t i = 0; i < power.size(); ++i)
                mean[i] += power[i];
        }
    for (double& power : mean)
        power /= count;
    return mean;
}

struct Spectra
{
    std::vector<double> data, made;
};

constexpr std::size_t kNyquist = 5;  // kSamples / 2 waves: the last octave of the data

// Measures with the three coarsest octaves: finer ones have almost no power in the first two octaves below the data.
Spectra measure(const HeightField& field)
{
    const MadeRelief relief(field);
    gpu::DetailUniforms detail = relief.uniforms();
    detail.octaves.x = 3;
    const double unit = double(detail.metres.x), half = double(leb::kDrawSide) / 2;
    const auto made = [&](double x, double y) {
        const glm::dvec2 lattice((x - (field.width - 1) / 2.0) * field.pixelWidth / unit + half,
                                 ((field.height - 1) / 2.0 - y) * field.pixelHeight / unit + half);
        const float rough = roughnessBetween(relief.codes(), field.width, field.width, field.height, {x, y});
        const double east = (x - (field.width - 1) / 2.0) * field.pixelWidth;
        const double north = ((field.height - 1) / 2.0 - y) * field.pixelHeight;
        const double away = field.pixelWidth;
        const auto ground = [&](double e, double n) { return double(heightAt(field, east + e, north + n)); };
        return double(detailRelief(detail, lattice,
                                   {rough,
                                    {float((ground(away, 0) - ground(-away, 0)) / (2 * away)),
                                     float((ground(0, away) - ground(0, -away)) / (2 * away))}}));
    };
    return {meanPower(field, 1, [&](double x, double y) { return double(field.at(int(x), int(y))); }),
            meanPower(field, 8, made)};
}

// Returns a terrain's spectra, measured once.
const Spectra& spectraOf(const std::string& path)
{
    static std::map<std::string, Spectra> known;
    const auto found = known.find(path);
    return found != known.end() ? found->second : known.emplace(path, measure(load(path))).first->second;
}

// Compares with the slope of the data's last three octaves.
TEST_P(DetailSpectrum, GoesOn)
{
    const Spectra& spectra = spectraOf(GetParam().path);
    const double fall = std::sqrt(spectra.data[kNyquist] / spectra.data[kNyquist - 2]);
    for (std::size_t octave = 1; octave <= 2; ++octave)
    {
        const double wanted = spectra.data[kNyquist] * std::pow(fall, double(octave));
        const double made = spectra.made[kNyquist + octave];
        RecordProperty("share" + std::to_string(octave), std::to_string(made / wanted));
        EXPECT_LT(made, 2 * wanted) << "octave " << octave << " below the data";
        EXPECT_GT(made, wanted / 2) << "octave " << octave << " below the data";
    }
}

// The coarsest waves are about as long as the data's shortest ones, which surveys smooth.
TEST_P(DetailSpectrum, HasLittlePowerWhereTheDataHave)
{
    const Spectra& spectra = spectraOf(GetParam().path);
    double below = 0, all = 0;
    for (std::size_t octave = 0; octave < spectra.made.size(); ++octave)
    {
        all += spectra.made[octave];
        if (octave <= kNyquist) below += spectra.made[octave];
    }
    EXPECT_LT(below, 0.4 * all);
    EXPECT_LT(spectra.made[kNyquist], 0.1 * spectra.data[kNyquist]);
    EXPECT_LT(spectra.made[kNyquist - 1], 0.002 * spectra.data[kNyquist - 1]);
}

TEST(Detail, IsTheSameAtTheSamePlace)
{
    const HeightField field = load(kShipped);
    const MadeRelief one(field), other(field);
    std::mt19937 random(5);
    std::uniform_real_distribution<double> place(-9000, 9000);
    for (int i = 0; i < 2000; ++i)
    {
        const double east = place(random), north = place(random);
        ASSERT_EQ(one.heightAt(field, east, north), other.heightAt(field, east, north));
    }
}

TEST(Detail, IsNoneOnFlatCells)
{
    HeightField field = load(kShipped);
    for (int y = 100; y <= 140; ++y)
        for (int x = 200; x <= 240; ++x)
            field.codes[std::size_t(y) * std::size_t(field.width) + std::size_t(x)] = 99;
    const MadeRelief relief(field);
    std::mt19937 random(6);
    std::uniform_real_distribution<double> part(0, 40);
    double around = 0;
    for (int i = 0; i < 5000; ++i)
    {
        const auto at = [&](double x, double y) {
            return relief.heightAt(field, (x - (field.width - 1) / 2.0) * field.pixelWidth,
                                   ((field.height - 1) / 2.0 - y) * field.pixelHeight);
        };
        const double x = part(random), y = part(random);
        ASSERT_EQ(at(200 + x, 100 + y), 0.0) << x << ' ' << y;
        around = std::max(around, std::abs(at(250 + x, 150 + y)));
    }
    EXPECT_GT(around, 0.1);
}

// Triangle of the tree, from the midpoint of its base.
struct Triangle
{
    int bits = 0;  // unit, as a power of two
    glm::dvec2 a, b, c;
};

Triangle randomTriangle(std::mt19937& random, int bits)
{
    const int unit = 1 << bits, cells = 1 << (leb::kDrawLatticeBits - bits - 1);
    const bool diagonal = random() % 2;
    const glm::ivec2 middle(int(random() % unsigned(cells - 2)) * 2 * unit + unit,
                            (int(random() % unsigned(cells - 2)) * 2 + (diagonal ? 1 : 2)) * unit);
    const glm::ivec2 along = diagonal ? glm::ivec2(unit, unit) : glm::ivec2(unit, 0);
    const glm::ivec2 apex(-along.y, along.x);
    return {bits, glm::dvec2(middle - along), glm::dvec2(middle + along), glm::dvec2(middle + apex)};
}

// Returns the largest distance to the procedural detail over so many points along each side and inside.
double mostMissed(const gpu::DetailUniforms& detail, const Triangle& t, const DataRelief& data, int points)
{
    const auto height = [&](glm::dvec2 p) { return double(detailRelief(detail, p, data)); };
    const double a = height(t.a), b = height(t.b), c = height(t.c);
    double most = 0;
    for (int i = 0; i <= points; ++i)
        for (int j = 0; i + j <= points; ++j)
        {
            const double u = double(i) / points, v = double(j) / points, w = 1 - u - v;
            most = std::max(most, std::abs(a * w + b * u + c * v - height(t.a * w + t.b * u + t.c * v)));
        }
    return most;
}

DataRelief randomSlope(std::mt19937& random)
{
    std::uniform_real_distribution<double> log(-3, 0.5), way(0, 6.28);
    const double steep = std::pow(10.0, log(random)), turn = way(random);
    return {1, {float(steep * std::cos(turn)), float(steep * std::sin(turn))}};
}

TEST(Detail, TheBoundHolds)
{
    std::mt19937 random(8);
    for (const double side : {30'000.0, 41'000.0})
    {
        const gpu::DetailUniforms detail = detailUniforms(side, 30.0, 1.2);
        int over = 0;
        constexpr int kTriangles = 6'000;
        for (int i = 0; i < kTriangles; ++i)
        {
            const Triangle triangle = randomTriangle(random, 3 + i % 12);
            const double missed = mostMissed(detail, triangle, randomSlope(random), 8);
            const double bound = double(detailMissed(detail, triangle.bits));
            over += missed > bound;
            ASSERT_LE(missed, 1.5 * bound) << triangle.bits;
        }
        RecordProperty("over" + std::to_string(int(side)), over);
        EXPECT_LE(over, kTriangles / 500);
    }
}

// Compares with the most that 1,000 triangles of a size miss, from the data's size down.  Still smaller triangles come
// near the bound less often: at crests alone.
TEST(Detail, TheBoundIsNotFarFromTheMostThatIsMissed)
{
    std::mt19937 random(9);
    const gpu::DetailUniforms detail = detailUniforms(30'000.0, 30.0, 1.2);
    double ratios = 0;
    for (int bits = 7; bits < 14; ++bits)
    {
        double missed = 0;
        for (int i = 0; i < 1000; ++i)
            missed = std::max(missed, mostMissed(detail, randomTriangle(random, bits), randomSlope(random), 8));
        RecordProperty("ratio" + std::to_string(bits), std::to_string(double(detailMissed(detail, bits)) / missed));
        ratios += double(detailMissed(detail, bits)) / missed / 7;
    }
    RecordProperty("mean", std::to_string(ratios));
    EXPECT_LT(ratios, 1.4);
}

// Compares with the mean over triangles of all sizes down to the finest octave's.  Few come near the bound.
TEST(Detail, TheBoundIsNotFarFromWhatIsMissedOnAverage)
{
    std::mt19937 random(9);
    const gpu::DetailUniforms detail = detailUniforms(30'000.0, 30.0, 1.2);
    double ratios = 0;
    for (int bits = 4; bits < 14; ++bits)
    {
        double missed = 0;
        for (int i = 0; i < 100; ++i)
            missed += mostMissed(detail, randomTriangle(random, bits), randomSlope(random), 24) / 100;
        ratios += double(detailMissed(detail, bits)) / missed / 10;
    }
    RecordProperty("mean", std::to_string(ratios));
    EXPECT_LT(ratios, 8.0);
}

}  // namespace
}  // namespace orogen
