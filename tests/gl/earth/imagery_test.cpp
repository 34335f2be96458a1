// Imagery on the Earth: the colours of its regions from space, the lights of cities, and its opacity.
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>
#include <glm/vec3.hpp>

#include "core/planet/ellipsoid.h"
#include "core/terrain/earth/earth_source.h"
#include "core/terrain/imagery/colour_tiles.h"
#include "tests/gl/renderer_support.h"
#include "tests/support/raster_files.h"
#include "tests/support/temporary_folder.h"

namespace orogen::app::test {
namespace {

constexpr std::uint64_t kBudget = 64u << 20;
const std::string kFolder = std::string(OROGEN_ROOT) + "/assets/earth/";

std::shared_ptr<const ImagerySource> shipped(const char* name)
{
    Result<std::shared_ptr<const ImagerySource>> image = openImage(kFolder + name);
    EXPECT_TRUE(image) << image.error().message;
    return image ? *image : nullptr;
}

// Degrees around the circle of hues.
double hueOf(const glm::dvec3& c)
{
    const double most = std::max({c.r, c.g, c.b}), range = most - std::min({c.r, c.g, c.b});
    if (range <= 0) return 0;
    const double sixth = most == c.r   ? std::fmod((c.g - c.b) / range + 6, 6.0)
                         : most == c.g ? (c.b - c.r) / range + 2
                                       : (c.r - c.g) / range + 4;
    return 60 * sixth;
}

class EarthImageryPicture : public RendererTest
{
protected:
    static Settings earthSettings()
    {
        Settings settings = takenTo(World::kEarth, smallSettings());
        settings.cbt.leafCapacity = 1u << 15;
        settings.lod.splitPixels = 8;
        settings.lod.mergePixels = 3;
        settings.render.air = Air::kOff;
        settings.terrain.detail = false;
        return settings;
    }

    // `over`: pictures over the shipped ones.
    void startOnEarth(bool imagery = true, const std::vector<ImageLayer>& over = {}, int width = 96, int height = 54)
    {
        ASSERT_NO_FATAL_FAILURE(start(hills(33, 33, 30.0, 30.0), smallSettings(), width, height));
        Result<std::shared_ptr<EarthSource>> source = EarthSource::open(kFolder + "etopo5.tif", {}, {});
        ASSERT_TRUE(source) << source.error().message;
        Result<std::unique_ptr<TileCache>> heights = TileCache::create(*source, kBudget);
        ASSERT_TRUE(heights);
        std::shared_ptr<TileCache> colours;
        if (imagery)
        {
            std::vector<ImageLayer> layers = {{shipped("blue_marble.tif"), 1.0f}};
            layers.insert(layers.end(), over.begin(), over.end());
            const Result<std::shared_ptr<const ColourTiles>> tiles = ColourTiles::forEarth(
                std::move(layers), {shipped("city_lights.tif"), shipped("sea_ice.tif")}, (*source)->raster());
            ASSERT_TRUE(tiles) << tiles.error().message;
            Result<std::unique_ptr<TileCache>> cache = TileCache::create(*tiles, kBudget);
            ASSERT_TRUE(cache) << cache.error().message;
            colours = std::move(*cache);
        }
        const Status shown = renderer_->setEarth(std::move(*heights), colours);
        ASSERT_TRUE(shown) << shown.error().message;
        ASSERT_NO_FATAL_FAILURE(set(earthSettings()));
    }

    Image pictureAbove(double latitude, double longitude, double height, double fov)
    {
        Camera camera;
        camera.position = earthFixed({latitude, longitude, height});
        camera.pitch = -90;
        camera.fov = fov;
        EXPECT_TRUE(renderer_->tiles().settle(camera, 60));
        settle(camera);
        return picture();
    }

    static glm::dvec3 mean(const Image& image)
    {
        glm::dvec3 sum(0.0);
        for (std::size_t i = 0; i + 2 < image.rgb.size(); i += 3)
            sum += glm::dvec3(image.rgb[i], image.rgb[i + 1], image.rgb[i + 2]);
        return sum / double(image.rgb.size() / 3);
    }
};

// Means of NASA's picture over the part of the Earth that the camera sees.
TEST_F(EarthImageryPicture, RegionsHaveBlueMarblesHuesAndOrderOfBrightness)
{
    struct Region
    {
        const char* name;
        double latitude, longitude;
        glm::dvec3 marble;
    };
    const Region regions[] = {{"Sahara", 23, 10, {189, 155, 111}}, {"Congo basin", 0, 22, {26, 39, 12}},
                              {"Atlantic", 30, -45, {8, 23, 57}},  {"Greenland", 72, -40, {248, 251, 253}},
                              {"Amazon", -5, -62, {27, 43, 12}},   {"Himalaya", 28.5, 85, {85, 80, 55}}};
    ASSERT_NO_FATAL_FAILURE(startOnEarth());
    const auto brightnessOf = [](const glm::dvec3& c) { return 0.2126 * c.r + 0.7152 * c.g + 0.0722 * c.b; };
    for (const auto& [height, fov] : {std::pair(4e5, 36.3), std::pair(1.5e6, 10.0)})  // equal ground
    {
        std::vector<std::pair<double, double>> brightness;  // in the source, here
        for (const Region& region : regions)
        {
            const glm::dvec3 seen = mean(pictureAbove(region.latitude, region.longitude, height, fov));
            const double apart = std::abs(std::remainder(hueOf(seen) - hueOf(region.marble), 360.0));
            const double range = std::max({region.marble.r, region.marble.g, region.marble.b}) -
                                 std::min({region.marble.r, region.marble.g, region.marble.b});
            const std::string text = fmt::format("{} from {:.0f} km: {:.0f} {:.0f} {:.0f}, hue {:.1f}", region.name,
                                                 height / 1000, seen.r, seen.g, seen.b, hueOf(seen));
            RecordProperty(fmt::format("{}_{:.0f}", region.name, height / 1000), text);
            EXPECT_LE(range > 12 ? apart : 0.0, 15) << text;  // snow has no hue
            brightness.emplace_back(brightnessOf(region.marble), brightnessOf(seen));
        }
        std::sort(brightness.begin(), brightness.end());
        for (std::size_t i = 1; i < brightness.size(); ++i)
            EXPECT_GE(brightness[i].second, brightness[i - 1].second - 2.0) << height << ' ' << i;
    }
}

// Returns the variance of a picture's green by size: of squares of 1 pixel within those of 2, of 2 within 4, and so on.
std::vector<double> varianceBySize(const Image& image, int sizes)
{
    int width = image.width, height = image.height;
    std::vector<double> values, found;
    for (std::size_t i = 1; i < image.rgb.size(); i += 3)
        values.push_back(image.rgb[i]);
    for (int size = 0; size < sizes; ++size)
    {
        const int across = width / 2, down = height / 2;
        std::vector<double> means(std::size_t(across * down));
        double within = 0;
        for (int y = 0; y < down; ++y)
            for (int x = 0; x < across; ++x)
            {
                const double* first = &values[std::size_t(2 * y * width + 2 * x)];
                const std::array four = {first[0], first[1], first[width], first[width + 1]};
                const double middle = (four[0] + four[1] + four[2] + four[3]) / 4;
                for (const double value : four)
                    within += (value - middle) * (value - middle);
                means[std::size_t(y * across + x)] = middle;
            }
        found.push_back(within / double(4 * across * down));
        values = std::move(means);
        width = across, height = down;
    }
    return found;
}

// Patches of one size look like camouflage: in nature, variance grows with size.  One pixel covers about 430 m.
TEST_F(EarthImageryPicture, NoSizeOfPatchesStandsOutFromLowOrbit)
{
    ASSERT_NO_FATAL_FAILURE(startOnEarth(true, {}, 512, 256));
    const std::vector<double> variance = varianceBySize(pictureAbove(10, 8, 2e5, 30.7), 6);
    for (std::size_t size = 0; size + 1 < variance.size(); ++size)
        EXPECT_GE(variance[size + 1], 0.95 * variance[size]) << (2 << size) << " pixels against twice as many";
    EXPECT_GE(variance[1], 5) << "4 pixels";
}

using EarthImageryPictureThorough = EarthImageryPicture;

TEST_F(EarthImageryPictureThorough, OpacityZeroShowsTheGroundsOwnColours)
{
    ASSERT_NO_FATAL_FAILURE(startOnEarth());
    const Image with = pictureAbove(23, 10, 1.5e6, 30);
    Settings settings = earthSettings();
    settings.imagery.opacity = 0.5f;
    ASSERT_NO_FATAL_FAILURE(set(settings));
    const Image half = pictureAbove(23, 10, 1.5e6, 30);
    settings.imagery.opacity = 0;
    ASSERT_NO_FATAL_FAILURE(set(settings));
    const Image hidden = pictureAbove(23, 10, 1.5e6, 30);
    ASSERT_NO_FATAL_FAILURE(startOnEarth(false));
    const Image without = pictureAbove(23, 10, 1.5e6, 30);
    EXPECT_EQ(hidden.rgb, without.rgb);
    EXPECT_NE(with.rgb, without.rgb);
    EXPECT_NE(half.rgb, without.rgb);
    EXPECT_NE(half.rgb, with.rgb);
}

// The ground around a fine picture is the one that was there without it.
TEST_F(EarthImageryPictureThorough, AFinePictureChangesNoPixelBesideIt)
{
    orogen::test::TemporaryFolder folder;
    orogen::test::Bytes red;
    for (int i = 0; i < 50 * 50; ++i)
        for (const int value : {255, 0, 0})
            red.push_back(std::byte(value));
    const orogen::test::Bytes file = orogen::test::PngBuilder(50, 50, 8, 2, red).build();
    const std::string name = folder.write("red.png", {reinterpret_cast<const char*>(file.data()), file.size()});
    folder.write("red.pgw", "0.002\n0\n0\n-0.002\n7.951\n46.549\n");  // 11 km
    const Result<std::shared_ptr<const ImagerySource>> picture = openImage(name);
    ASSERT_TRUE(picture) << picture.error().message;
    ASSERT_NO_FATAL_FAILURE(startOnEarth());
    const Image without = pictureAbove(46.5, 8, 3e5, 10);
    ASSERT_NO_FATAL_FAILURE(startOnEarth(true, {{*picture, 1.0f}}));
    const Image with = pictureAbove(46.5, 8, 3e5, 10);
    int beside = 0, most = 0, within = 0;
    for (int y = 0; y < with.height; ++y)
        for (int x = 0; x < with.width; ++x)
        {
            const std::size_t at = 3 * (std::size_t(y) * std::size_t(with.width) + std::size_t(x));
            const int off = std::max(std::abs(2 * x + 1 - with.width), std::abs(2 * y + 1 - with.height));
            if (off < 8) within += with.rgb[at] > 2 * with.rgb[at + 1];
            if (off < 30) continue;  // the picture is 8 by 11 pixels; 8 more around it are not frayed
            ++beside;
            for (std::size_t c = 0; c < 3; ++c)
                most = std::max(most, std::abs(int(with.rgb[at + c]) - int(without.rgb[at + c])));
        }
    EXPECT_GT(within, 60);  // 64 were looked at
    EXPECT_GT(beside, 2000);
    EXPECT_LE(most, 8);  // both are rounded to bytes before the tone curve
}

TEST_F(EarthImageryPictureThorough, CitiesShineWhereTheSunIsDown)
{
    ASSERT_NO_FATAL_FAILURE(startOnEarth());
    // The sun stands on the horizon at the place looked at, so that half of the picture is night.
    Settings settings = earthSettings();
    settings.render.sunElevation = 0;
    settings.render.sunAzimuth = 270;
    ASSERT_NO_FATAL_FAILURE(set(settings));
    const auto brightest = [&](float opacity) {
        settings.imagery.opacity = opacity;
        set(settings);
        const Image image = pictureAbove(41, -95, 6e6, 40);  // the east of the United States is in the night
        int most = 0;
        for (int y = 20; y < image.height - 10; ++y)
            for (int x = image.width * 6 / 10; x < image.width * 8 / 10; ++x)
            {
                const std::uint8_t* p = &image.rgb[3 * (std::size_t(y) * std::size_t(image.width) + std::size_t(x))];
                most = std::max(most, int(p[0]) - int(p[2]));
            }
        return most;
    };
    EXPECT_LT(brightest(0), 15);
    EXPECT_GT(brightest(1), 30);  // warm light
}

}  // namespace
}  // namespace orogen::app::test
