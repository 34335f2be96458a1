// Units of height, Web Mercator, samples that look like voids, and values that the user overrides.
#include <cmath>
#include <functional>

#include <gtest/gtest.h>

#include "core/terrain/io/load_raster.h"
#include "core/terrain/raster/georeference.h"
#include "tests/support/raster_files.h"

namespace orogen {
namespace {

using test::Bytes;
using test::samplesOf;
using test::TiffBuilder;

using Keys = std::vector<double>;
const Keys kUtm = {1024, 0, 1, 1, 1025, 0, 1, 1, 3072, 0, 1, 32611};

Keys with(Keys keys, const Keys& more)
{
    keys.insert(keys.end(), more.begin(), more.end());
    return keys;
}

TiffBuilder tiff(const Keys& keys = kUtm, const std::vector<float>& samples = {100, 200, 300, 400})
{
    TiffBuilder builder(2, 2, 32, 3);
    builder.geo(30, 30, 500'000, 3'762'600, keys).strip(samplesOf<float>(samples));
    return builder;
}

Raster read(const Bytes& bytes, const SourceOverrides& overrides = {}, const std::string& name = "a.tif")
{
    Result<Raster> raster = readRaster(ByteSource::view(name, bytes), {}, overrides);
    EXPECT_TRUE(raster) << (raster ? "" : raster.error().message);
    return raster ? std::move(*raster) : Raster();
}

bool warns(const Raster& raster, const std::string& part)
{
    for (const std::string& warning : raster.warnings)
        if (warning.find(part) != std::string::npos) return true;
    return false;
}

SourceOverrides overridesWith(const std::function<void(SourceOverrides&)>& change)
{
    SourceOverrides overrides;
    change(overrides);
    return overrides;
}
SourceOverrides ofUnit(HeightUnit unit)
{
    return overridesWith([=](auto& o) { o.unit = unit; });
}
SourceOverrides ofNodata(double value)
{
    return overridesWith([=](auto& o) { o.nodata = value; });
}
SourceOverrides ofSize(double x, double y)
{
    return overridesWith([=](auto& o) { o.pixelSize = PixelSize{x, y}; });
}
SourceOverrides ofCrs(const char* crs)
{
    return overridesWith([=](auto& o) { o.crs = crs; });
}

constexpr double kUsFoot = 1200.0 / 3937.0;

TEST(HeightUnits, OfEveryPlaceWhereAFileMaySayThem)
{
    struct Case
    {
        Bytes bytes;
        double unit;
        std::optional<HeightUnit> named;
        const char* says;
    };
    const auto band = [](const std::string& words) {
        return tiff()
            .ascii(42112, "<GDALMetadata><Item name=\"UNITTYPE\" sample=\"0\" role=\"unittype\">" + words +
                              "</Item></GDALMetadata>")
            .build();
    };
    const Case cases[] = {
        {tiff().build(), 1.0, {}, ""},
        {tiff(with(kUtm, {4099, 0, 1, 9001})).build(), 1.0, HeightUnit::kMetre, ""},
        {tiff(with(kUtm, {4099, 0, 1, 9002})).build(), 0.3048, HeightUnit::kFoot, "feet were converted"},
        {tiff(with(kUtm, {4099, 0, 1, 9003})).build(), kUsFoot, HeightUnit::kUsFoot, "US survey feet were converted"},
        {tiff(with(kUtm, {4096, 0, 1, 6360})).build(), kUsFoot, HeightUnit::kUsFoot, "US survey feet were converted"},
        {tiff(with(kUtm, {4096, 0, 1, 8228})).build(), 0.3048, HeightUnit::kFoot, "feet were converted"},
        {tiff(with(kUtm, {4096, 0, 1, 5703})).build(), 1.0, HeightUnit::kMetre, ""},
        {tiff(with(kUtm, {4099, 0, 1, 9095})).build(), 1.0, {}, "vertical unit 9095 is not known"},
        {tiff(with(kUtm, {4096, 0, 1, 5715})).build(), 1.0, HeightUnit::kMetre, "counts depths downwards"},
        {band("ft"), 0.3048, HeightUnit::kFoot, "feet were converted"},
        {band("US survey foot"), kUsFoot, HeightUnit::kUsFoot, "US survey feet were converted"},
        {band("metre"), 1.0, HeightUnit::kMetre, ""},
        {band("fathom"), 1.0, {}, "heights in 'fathom', a unit that is not known"},
    };
    for (const Case& c : cases)
    {
        SCOPED_TRACE(c.says);
        const Raster raster = read(c.bytes);
        EXPECT_FLOAT_EQ(raster.maxHeight, float(400 * c.unit));
        EXPECT_FLOAT_EQ(raster.minHeight, float(100 * c.unit));
        EXPECT_EQ(raster.heightUnit, c.named);
        EXPECT_TRUE(*c.says ? warns(raster, c.says) : raster.warnings.empty()) << raster.warnings.size();
    }
}

TEST(HeightUnits, ThePersonGoesBeforeTheFile)
{
    const Bytes feet = tiff(with(kUtm, {4099, 0, 1, 9002})).build();
    EXPECT_EQ(read(feet, ofUnit(HeightUnit::kMetre)).maxHeight, 400.0f);
    EXPECT_FLOAT_EQ(read(feet, ofUnit(HeightUnit::kUsFoot)).maxHeight, float(400 * kUsFoot));
    EXPECT_FLOAT_EQ(read(tiff().build(), ofUnit(HeightUnit::kFoot)).maxHeight, float(400 * 0.3048));
}

TEST(WebMercator, PixelsAreAsLargeAsOnTheGround)
{
    // At 60 degrees north (y = 8399737.89) a metre of the map is half a metre on the ground.
    const Keys keys = {1024, 0, 1, 1, 1025, 0, 1, 1, 3072, 0, 1, 3857};
    TiffBuilder builder(2, 2, 32, 3);
    builder.geo(100, 100, 0, 8'399'737.889818 + 100, keys).strip(samplesOf<float>(std::vector<float>{1, 2, 3, 4}));
    const Raster raster = read(builder.build());
    const MetresPerDegree degree = metresPerDegree(60);
    const double radian = 180.0 / 3.14159265358979323846 / 6'378'137.0;
    EXPECT_NEAR(raster.pixelWidth, 100 * degree.east * radian, 1e-6);
    EXPECT_NEAR(raster.pixelHeight, 100 * degree.north * 0.5 * radian, 1e-6);
    EXPECT_NEAR(raster.pixelWidth, 50.0, 0.2);
    EXPECT_TRUE(warns(raster, "Web Mercator: pixels of 100 m on the map are 50.12"));
    const auto geography = TerrainGeography::of(raster);
    ASSERT_TRUE(geography);
    EXPECT_NEAR(geography->place(0, 0)->latitude, 60.0, 1e-9);
    // The reader keeps a size that the user gives.
    const Raster given = read(builder.build(), ofSize(30, 40));
    EXPECT_EQ(given.pixelWidth, 30.0);
    EXPECT_EQ(given.pixelHeight, 40.0);
    EXPECT_FALSE(warns(given, "Web Mercator"));
    EXPECT_NEAR(TerrainGeography::of(given)->place(0, 0)->latitude, 60.0, 1e-9);
}

TEST(SuspectSamples, AreNamedWithTheirNumberAndTheOption)
{
    struct Case
    {
        std::vector<float> samples;
        const char* says;  // empty: no warning
    };
    const Case cases[] = {
        {{100, -9999, 300, -9999}, "2 samples of -9999, far from all other heights"},
        {{100, -32768, 300, 400}, "1 sample of -32768"},
        {{100, 32767, 300, 400}, "--nodata 32767 masks it"},
        {{100, 65535, 300, 400}, "1 sample of 65535"},
        {{0, 0, 300, 400}, "2 samples of 0"},
        {{100, -3.4e38f, -3.4e38f, 400}, "2 samples beyond 1e+07 m, such as -3.4e+38"},
        // Sea level beside the coast, and a trench.
        {{0, 0, 1, 400}, ""},
        {{-9999, -9990, -10010, -9950}, ""},
        {{100, 200, 300, 400}, ""},
    };
    for (const Case& c : cases)
    {
        SCOPED_TRACE(c.samples[1]);
        const Raster raster = read(tiff(kUtm, c.samples).build());
        EXPECT_TRUE(*c.says ? warns(raster, c.says) : raster.warnings.empty())
            << (raster.warnings.empty() ? "" : raster.warnings.front());
    }
    // In feet, the message still names the sample.
    const Raster feet = read(tiff(with(kUtm, {4099, 0, 1, 9002}), {100, -9999, 300, 400}).build());
    EXPECT_TRUE(warns(feet, "1 sample of -9999"));
}

TEST(Nodata, OfThePersonMasksBesidesTheFiles)
{
    const Bytes bytes = tiff(kUtm, {100, -9999, -1, 400}).ascii(42113, "-1").build();
    const Raster asIs = read(bytes);
    EXPECT_EQ(asIs.voids, 1u);
    EXPECT_EQ(asIs.nodata, -1.0);
    const Raster masked = read(bytes, ofNodata(-9999.0));
    EXPECT_EQ(masked.voids, 2u);
    EXPECT_EQ(masked.nodata, -9999.0);
    EXPECT_EQ(masked.minHeight, 100.0f);
    EXPECT_TRUE(masked.warnings.empty());
    // The value is rounded in float32.
    EXPECT_EQ(read(tiff(kUtm, {100, 0.1f, 300, 400}).build(), ofNodata(0.1)).voids, 1u);
    // For scaled samples, nodata applies to the sample, not to the height.
    const Bytes scaled =
        tiff(kUtm, {100, -999, 300, 400})
            .ascii(42112, "<GDALMetadata><Item name=\"SCALE\" sample=\"0\" role=\"scale\">0.1</Item></GDALMetadata>")
            .build();
    EXPECT_EQ(read(scaled, ofNodata(-999.0)).voids, 1u);
    EXPECT_EQ(read(scaled, ofNodata(-99.9)).voids, 0u);
}

TEST(Overrides, CoordinateSystem)
{
    const Bytes plain = TiffBuilder(2, 2, 32, 3)
                            .doubles(33550, {30, 30, 0})
                            .doubles(33922, {0, 0, 0, 500'000, 3'762'600, 0})
                            .strip(samplesOf<float>(std::vector<float>{1, 2, 3, 4}))
                            .build();
    EXPECT_TRUE(read(plain).warnings.empty()) << "no degrees lie there";
    const Raster utm = read(plain, ofCrs("EPSG:32611"));
    EXPECT_EQ(utm.crs, "EPSG:32611");
    EXPECT_TRUE(utm.warnings.empty());
    EXPECT_NEAR(TerrainGeography::of(utm)->place(0, 0)->longitude, -117.0, 0.001);
    const Raster unknown = read(plain, ofCrs("EPSG:5514"));
    EXPECT_TRUE(warns(unknown, "EPSG:5514: latitude and longitude are not known"));
    EXPECT_FALSE(TerrainGeography::of(unknown));
}

TEST(Overrides, PixelSizeWhereTheFileHasNone)
{
    const Bytes bare = TiffBuilder(2, 2, 32, 3).strip(samplesOf<float>(std::vector<float>{1, 2, 3, 4})).build();
    EXPECT_TRUE(warns(read(bare), "no pixel size: 30 m assumed"));
    const Raster sized = read(bare, ofSize(5, 6));
    EXPECT_EQ(sized.pixelWidth, 5.0);
    EXPECT_EQ(sized.pixelHeight, 6.0);
    EXPECT_TRUE(sized.warnings.empty());
    EXPECT_FALSE(mapExtent(sized));
}

TEST(Overrides, OfASyntheticTerrainAreAUsageError)
{
    const Result<Raster> raster = loadRaster("synthetic:32:1", {}, ofNodata(0.0));
    ASSERT_FALSE(raster);
    EXPECT_EQ(raster.error().code, ExitCode::kUsage);
    EXPECT_NE(raster.error().message.find("--nodata 0"), std::string::npos) << raster.error().message;
}

TEST(Overrides, AsText)
{
    EXPECT_EQ(*parseNodata("-9999"), -9999.0);
    EXPECT_EQ(*parsePixelSize("30"), (PixelSize{30, 30}));
    EXPECT_EQ(*parsePixelSize("30, 31.5"), (PixelSize{30, 31.5}));
    EXPECT_EQ(*parseCrs("epsg:32611"), "EPSG:32611");
    EXPECT_EQ(*parseCrs("32611"), "EPSG:32611");
    EXPECT_EQ(*parseHeightUnit("us-foot"), HeightUnit::kUsFoot);
    for (const char* text : {"", "x", "nan", "inf", "1e999", "--5", "1 2"})
        EXPECT_FALSE(parseNodata(text)) << text;
    for (const char* text : {"", "0", "30,", ",30", "30,0", "1e7", "-3,3", "30,30,30", "nan"})
        EXPECT_FALSE(parsePixelSize(text)) << text;
    for (const char* text : {"", "EPSG:", "WGS84", "1", "EPSG:-5", "1000000", "32611.5"})
        EXPECT_FALSE(parseCrs(text)) << text;
    EXPECT_EQ(*parseHeightEncoding("terrain-rgb"), HeightEncoding::kTerrainRgb);
    for (const char* text : {"", "Terrarium", "rgb"})
        EXPECT_FALSE(parseHeightEncoding(text)) << text;
    for (const char* text : {"", "feet", "METRE", "m"})
        EXPECT_FALSE(parseHeightUnit(text)) << text;
    EXPECT_EQ(optionsOf({.nodata = -9999.0,
                         .pixelSize = PixelSize{1, 2},
                         .crs = "EPSG:32611",
                         .unit = HeightUnit::kFoot,
                         .encoding = HeightEncoding::kTerrarium}),
              " --nodata -9999 --pixel-size 1,2 --crs EPSG:32611 --unit foot --encoding terrarium");
}

Bytes bytesOf(const std::vector<int>& values)
{
    Bytes bytes;
    for (const int value : values)
        bytes.push_back(std::byte(value));
    return bytes;
}

SourceOverrides encodedAs(HeightEncoding encoding)
{
    return overridesWith([=](auto& o) { o.encoding = encoding; });
}

// 0 m, 1,234.5 m, -415.25 m and a transparent pixel.
TEST(Encoding, TerrariumIsDecoded)
{
    const Bytes rows = bytesOf({128, 0, 0, 255, 132, 210, 128, 255, 126, 96, 192, 255, 1, 2, 3, 0});
    const Raster raster =
        read(test::PngBuilder(2, 2, 8, 6, rows).build(), encodedAs(HeightEncoding::kTerrarium), "tile.png");
    ASSERT_EQ(raster.heights.size(), 4u);
    EXPECT_EQ(raster.at(0, 0), 0.0f);
    EXPECT_EQ(raster.at(1, 0), 1'234.5f);
    EXPECT_EQ(raster.at(0, 1), -415.25f);
    EXPECT_TRUE(std::isnan(raster.at(1, 1)));
    EXPECT_EQ(raster.voids, 1u);
    EXPECT_EQ(raster.heightUnit, HeightUnit::kMetre);
}

// The lowest code, 0 m, 8,848.8 m and 0.1 m.
TEST(Encoding, TerrainRgbIsDecoded)
{
    const Bytes rows = bytesOf({0, 0, 0, 1, 134, 160, 2, 224, 72, 1, 134, 161});
    const Raster raster =
        read(test::PngBuilder(2, 2, 8, 2, rows).build(), encodedAs(HeightEncoding::kTerrainRgb), "tile.png");
    ASSERT_EQ(raster.heights.size(), 4u);
    EXPECT_EQ(raster.at(0, 0), -10'000.0f);
    EXPECT_EQ(raster.at(1, 0), 0.0f);
    EXPECT_EQ(raster.at(0, 1), 8'848.8f);
    EXPECT_EQ(raster.at(1, 1), 0.1f);
}

TEST(Encoding, OfNoColoursIsRefused)
{
    const auto refused = [](const Bytes& bytes, const std::string& name) {
        const Result<Raster> raster =
            readRaster(ByteSource::view(name, bytes), {}, encodedAs(HeightEncoding::kTerrarium));
        EXPECT_FALSE(raster) << name;
        return raster ? std::string() : raster.error().message;
    };
    const Bytes grey = test::PngBuilder(2, 2, 8, 0, bytesOf({1, 2, 3, 4})).build();
    EXPECT_NE(refused(grey, "grey.png").find("grey.png: a grey picture, expected red"), std::string::npos);
    const std::string deepTiff = refused(tiff().build(), "a.tif");
    EXPECT_NE(deepTiff.find("expected 8 bits"), std::string::npos) << deepTiff;
    EXPECT_EQ(deepTiff.find("laid over"), std::string::npos) << deepTiff;
    const Bytes deep = test::PngBuilder(1, 1, 16, 2, bytesOf({0, 1, 0, 2, 0, 3})).build();
    EXPECT_TRUE(refused(deep, "deep.png").ends_with("IHDR: 16 bits a sample, expected 8"));
    EXPECT_NE(refused(bytesOf({1, 2, 3}), "x").find("x: a file of another format, expected PNG or TIFF"),
              std::string::npos);
    const Result<Raster> folder = loadRaster("/tmp", {}, encodedAs(HeightEncoding::kTerrainRgb));
    ASSERT_FALSE(folder);
    EXPECT_EQ(folder.error().code, ExitCode::kUsage);
}

TEST(MapExtent, IsThatOfThePixels)
{
    const Raster raster = read(tiff().build());
    const std::optional<MapExtent> extent = mapExtent(raster);
    ASSERT_TRUE(extent);
    EXPECT_EQ(extent->west, 500'000.0);
    EXPECT_EQ(extent->north, 3'762'600.0);
    EXPECT_EQ(extent->east, 500'060.0);
    EXPECT_EQ(extent->south, 3'762'540.0);
}

// Older writers store parameters instead of a number.
TEST(SpelledProjection, IsReadFromItsKeys)
{
    TiffBuilder builder =
        tiff({1024, 0,     1, 1, 1025, 0,     1, 1, 2048, 0,     1, 4326, 3072, 0,     1, 32767, 3075, 0,     1, 1,
              3080, 34736, 1, 0, 3081, 34736, 1, 1, 3082, 34736, 1, 2,    3083, 34736, 1, 3,     3092, 34736, 1, 4});
    const Raster raster = read(builder.doubles(34736, {-117, 0, 500'000, 0, 0.9996}).build());
    const auto geography = TerrainGeography::of(raster);
    ASSERT_TRUE(geography);
    const LatLong here = *geography->place(0, 0);
    const LatLong expected = *MapProjection::ofEpsg(32611)->inverse({500'030, 3'762'570});
    EXPECT_NEAR(here.latitude, expected.latitude, 1e-12);
    EXPECT_NEAR(here.longitude, expected.longitude, 1e-12);
    // Implausible scale.
    EXPECT_FALSE(TerrainGeography::of(read(builder.doubles(34736, {-117, 0, 500'000, 0, 99}).build())));
    // A zone given by its projection's number.
    const Raster zone =
        read(tiff({1024, 0, 1, 1, 1025, 0, 1, 1, 2048, 0, 1, 4326, 3072, 0, 1, 32767, 3074, 0, 1, 16011}).build());
    EXPECT_NEAR(TerrainGeography::of(zone)->place(0, 0)->longitude, expected.longitude, 1e-12);
}

}  // namespace
}  // namespace orogen
