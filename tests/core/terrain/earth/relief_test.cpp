// Shipped relief of the Earth against its source.
#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include "core/terrain/earth/earth_source.h"
#include "core/terrain/io/load_raster.h"
#include "tests/support/places.h"

namespace orogen {
namespace {

constexpr const char* kRelief = OROGEN_ROOT "/assets/earth/etopo5.tif";

const EarthRelief& shipped()
{
    static const Result<EarthRelief> relief = EarthRelief::read(kRelief);
    return *relief;
}

const EarthSource& earth()
{
    static const auto source = EarthSource::open(kRelief, {}, {});
    return **source;
}

// Sample of etopo5.cdf: row from 90 degrees south, column from 0 degrees east. Extracted by a script that shares
// nothing with the converter.
struct Sample
{
    int row, column, height;
    double latitude() const { return -90.0 + row / 12.0; }
    double longitude() const { return column / 12.0; }
};
constexpr std::array<Sample, 50> kSamples = {{
    {1047, 2937, -4248}, {119, 3814, 0},      {1021, 424, 1379},   {643, 927, -3487},   {1523, 3842, -3479},
    {1010, 3119, -3826}, {418, 2042, -4496},  {54, 1775, 2774},    {1672, 2289, -5300}, {746, 3190, -3589},
    {654, 589, -4479},   {569, 3644, -3896},  {519, 1083, -3558},  {8, 43, 2774},       {858, 1765, -10},
    {680, 1363, -2507},  {1185, 2569, -5192}, {815, 1677, 246},    {745, 1612, 226},    {1570, 2447, -5393},
    {89, 2958, 1539},    {1700, 1359, 884},   {597, 2161, -2918},  {267, 2718, -4392},  {1235, 27, 259},
    {1385, 540, 853},    {1270, 2911, -3955}, {1254, 3938, -5603}, {1294, 1513, -4507}, {1972, 3871, 2895},
    {722, 466, -4859},   {1050, 187, 610},    {1465, 3311, 80},    {75, 3431, 1036},    {1500, 3083, 1313},
    {38, 3709, 1768},    {192, 1482, 2987},   {805, 975, -4500},   {1008, 3786, 122},   {1411, 4198, 457},
    {1454, 4298, 685},   {1028, 3791, 91},    {443, 3008, -3742},  {1212, 300, 503},    {1774, 746, 106},
    {854, 2791, -4016},  {0, 0, 2810},        {0, 2160, 2810},     {2160, 100, -4290},  {1080, 0, -4876},
}};

TEST(EarthRelief, IsEtopo5AtFiftyOfItsPoints)
{
    for (const Sample& sample : kSamples)
    {
        EXPECT_NEAR(shipped().heightAt(sample.latitude(), sample.longitude()), sample.height, 0.01)
            << sample.row << ' ' << sample.column;
        const auto ground = earth().heightAt(sample.latitude(), sample.longitude());
        ASSERT_TRUE(ground && *ground);
        EXPECT_NEAR(**ground, sample.height, 0.01) << sample.row << ' ' << sample.column;
    }
}

TEST(EarthRelief, HasRowZeroOfItsSourceInTheSouth)
{
    EXPECT_EQ(shipped().heightAt(-90.0, 0.0), 2810.0f);  // the ice of the south pole
    EXPECT_EQ(shipped().heightAt(90.0, 0.0), -4290.0f);  // the floor of the Arctic Ocean
    EXPECT_EQ(shipped().columns(), 4320);
    EXPECT_EQ(shipped().rows(), 2161);
    EXPECT_EQ(shipped().lowest(), -10376.0f);
    EXPECT_EQ(shipped().highest(), 7833.0f);
}

TEST(EarthRelief, IsOnePlaceAtAPole)
{
    for (const double pole : {-90.0, 90.0})
        for (double longitude = -180.0; longitude < 360.0; longitude += 7.3)
            ASSERT_EQ(shipped().heightAt(pole, longitude), shipped().heightAt(pole, 0.0)) << pole << ' ' << longitude;
}

TEST(EarthRelief, GoesOnOverTheDateLineAndGreenwich)
{
    constexpr double kLittle = 1e-7;  // degrees: about a centimetre
    for (const double meridian : {180.0, 0.0, 360.0, -180.0})
        for (double latitude = -89.9; latitude < 90.0; latitude += 0.37)
            ASSERT_NEAR(shipped().heightAt(latitude, meridian - kLittle),
                        shipped().heightAt(latitude, meridian + kLittle), 0.01)
                << latitude << ' ' << meridian;
    EXPECT_EQ(shipped().heightAt(12.3, 180.0), shipped().heightAt(12.3, -180.0));
}

TEST(EarthRelief, IsBilinearBetweenItsPoints)
{
    const auto at = [](double row, double column) {
        return double(shipped().heightAt(-90.0 + row / 12.0, column / 12.0));
    };
    EXPECT_NEAR(at(1500.5, 3083.5), (at(1500, 3083) + at(1501, 3083) + at(1500, 3084) + at(1501, 3084)) / 4, 0.01);
    EXPECT_NEAR(at(1500.25, 2160), 0.75 * at(1500, 2160) + 0.25 * at(1501, 2160), 0.01);
}

TEST(EarthRelief, IsNotTakenFromAPieceOfTheEarth)
{
    const Result<EarthRelief> piece = EarthRelief::read(OROGEN_ROOT "/assets/heightmaps/jacksboro.tif");
    ASSERT_FALSE(piece);
    EXPECT_EQ(piece.error().code, ExitCode::kInput);
    EXPECT_NE(piece.error().message.find("expected the whole Earth"), std::string::npos) << piece.error().message;
}

}  // namespace
}  // namespace orogen
