// Tiles of imagery: colours at their places, agreement of tiles where they meet, layers, and the shipped pictures.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <glm/vec2.hpp>
#include <gtest/gtest.h>

#include "core/planet/cube_lattice.h"
#include "core/planet/ellipsoid.h"
#include "core/terrain/earth/earth_source.h"
#include "core/terrain/imagery/colour_tiles.h"
#include "core/terrain/io/picture_reader.h"
#include "core/terrain/tiles/cube_tiles.h"
#include "core/terrain/tiles/tile.h"
#include "core/terrain/tiles/tile_cache.h"
#include "tests/support/places.h"
#include "tests/support/random.h"
#include "tests/support/temporary_folder.h"

namespace orogen::test {
namespace {

const std::string kEarthFolder = std::string(OROGEN_ROOT) + "/assets/earth/";

// A picture in memory, with its colour as a function of latitude and longitude (degrees).
class DrawnPicture final : public ImagerySource
{
public:
    using Colour = std::function<std::array<int, 4>(double latitude, double longitude)>;

    DrawnPicture(int width, int height, double west, double north, double step, const Colour& colour)
        : size_{width, height}, rgba_(4 * std::size_t(width) * std::size_t(height))
    {
        raster_.name = "drawn", raster_.width = width, raster_.height = height;
        raster_.placement = Placement{
            .geographic = true, .x = west + step / 2, .y = north - step / 2, .stepEast = step, .stepSouth = step};
        for (int y = 0; y < height; ++y)
            for (int x = 0; x < width; ++x)
            {
                const std::array<int, 4> c = colour(north - (y + 0.5) * step, west + (x + 0.5) * step);
                for (std::size_t i = 0; i < 4; ++i)
                    rgba_[4 * (std::size_t(y) * std::size_t(width) + std::size_t(x)) + i] = std::uint8_t(c[i]);
            }
    }
    const Raster& raster() const override { return raster_; }
    std::span<const ImageSize> images() const override { return {&size_, 1}; }
    Result<std::unique_ptr<ImageryReader>> openReader() const override
    {
        return std::unique_ptr<ImageryReader>(std::make_unique<Reader>(*this));
    }

private:
    struct Reader final : ImageryReader
    {
        explicit Reader(const DrawnPicture& from) : picture(from) {}
        Status read(std::size_t, const ImageBox& box, std::span<std::uint8_t> rgba) override
        {
            for (int y = 0; y < box.height; ++y)
                std::copy_n(picture.rgba_.data() + 4 * (std::size_t(box.row + y) * std::size_t(picture.size_.width) +
                                                        std::size_t(box.column)),
                            4 * std::size_t(box.width), rgba.data() + 4 * std::size_t(y) * std::size_t(box.width));
            bytes += rgba.size();
            return Status::ok();
        }
        std::uint64_t bytesRead() const override { return bytes; }
        const DrawnPicture& picture;
        std::uint64_t bytes = 0;
    };
    Raster raster_;
    ImageSize size_;
    std::vector<std::uint8_t> rgba_;
};

// Smooth over the whole Earth, date line and poles included.
std::array<int, 4> smoothColour(double latitude, double longitude)
{
    const double a = latitude / 57.29578, b = longitude / 57.29578;
    const glm::dvec3 n(std::cos(a) * std::cos(b), std::cos(a) * std::sin(b), std::sin(a));
    return {int(128 + 100 * n.x), int(128 + 100 * n.y), int(128 + 100 * n.z), 255};
}

std::shared_ptr<const ImagerySource> wholeEarth(const DrawnPicture::Colour& colour = smoothColour)
{
    return std::make_shared<DrawnPicture>(1024, 512, -180, 90, 360.0 / 1024, colour);
}

std::shared_ptr<const ColourTiles> tilesOf(std::vector<ImageLayer> layers, EarthExtras extras = {})
{
    Raster ground;
    ground.minHeight = -100, ground.maxHeight = 100;
    Result<std::shared_ptr<const ColourTiles>> made =
        ColourTiles::forEarth(std::move(layers), std::move(extras), ground);
    EXPECT_TRUE(made) << made.error().message;
    return made ? *made : nullptr;
}

std::shared_ptr<const Tile> make(const ColourTiles& source, const TileKey& key)
{
    Result<std::unique_ptr<TileReader>> reader = source.openReader();
    TileMaker maker(source);
    Result<std::shared_ptr<const Tile>> tile = (*reader)->make(maker, key, nullptr);
    EXPECT_TRUE(tile) << tile.error().message;
    return tile ? *tile : nullptr;
}

// A texel by its grid sample, -1 ... 129.
std::array<int, 4> texel(const Tile& tile, int x, int y)
{
    const std::size_t at = 4 * (std::size_t(y + kColourBorder) * kColourSide + std::size_t(x + kColourBorder));
    return {tile.colours[at], tile.colours[at + 1], tile.colours[at + 2], tile.colours[at + 3]};
}

LatLong placeOfTexel(const ColourTiles& source, const TileKey& key, int x, int y)
{
    const double step = std::ldexp(1.0, cubeSampleBits(source.grid(), key.level));
    return placeOfDirection(
        scaledDirection(FacePlace{key.face, glm::dvec2(key.x * kTileCells + x, key.y * kTileCells + y) * step}));
}

int rootOf(int srgb)
{
    const double s = srgb / 255.0;
    return int(std::lround(255 * std::sqrt(s <= 0.04045 ? s / 12.92 : std::pow((s + 0.055) / 1.055, 2.4))));
}

TEST(ColourTiles, TexelsHaveTheColourOfTheirPlace)
{
    const auto source = tilesOf({{wholeEarth(), 1.0f}});
    const int top = source->grid().levels() - 1;
    for (int face = 0; face < 6; ++face)
        for (const int level : {top, 0})
        {
            const auto tile = make(*source, {level, 0, 0, face});
            for (int y = -1; y <= kTileCells + 1; y += 13)
                for (int x = -1; x <= kTileCells + 1; x += 13)
                {
                    const LatLong place = placeOfTexel(*source, tile->key, x, y);
                    const std::array<int, 4> expected = smoothColour(place.latitude, place.longitude);
                    for (std::size_t c = 0; c < 3; ++c)
                        ASSERT_NEAR(texel(*tile, x, y)[c], rootOf(expected[c]), 3)
                            << face << " " << level << " " << x << " " << y << " " << place.latitude;
                }
        }
}

// Compares tiles across the date line, edges and corners of the cube, and within a face.
TEST(ColourTiles, AgreeWhereTheyMeet)
{
    const auto source = tilesOf({{wholeEarth(), 1.0f}});
    const int level = source->grid().levels() - 3, last = kTileCells;
    const auto left = make(*source, {level, 1, 2, 3}), right = make(*source, {level, 2, 2, 3});
    for (int y = -1; y <= last + 1; ++y)
        for (int x = -1; x <= 1; ++x)
            ASSERT_EQ(texel(*left, last + x, y), texel(*right, x, y)) << x << " " << y;
    // Every texel on an edge of a face is one of another face, too.
    int met = 0;
    for (int face = 0; face < 6; ++face)
        for (int i = 0; i <= last; i += 16)
        {
            const TileKey key{source->grid().levels() - 1, 0, 0, face};
            const auto tile = make(*source, key);
            const std::int32_t step = kCubeSide / kTileCells;
            const CubePoint point = cubePoint({face, 0, i * step});
            for (int other = 0; other < 6; ++other)
            {
                if (other == face || !isOnFace(point, other)) continue;
                const CubePlace place = placeOnFace(point, other);
                const auto beside = make(*source, {key.level, 0, 0, other});
                for (std::size_t c = 0; c < 4; ++c)
                    ASSERT_NEAR(texel(*tile, 0, i)[c], texel(*beside, place.x / step, place.y / step)[c], 1);
                ++met;
            }
        }
    EXPECT_GE(met, 6 * 9);
}

TEST(ColourTiles, LayersLieOverEachOtherWithTheirOpacity)
{
    const auto grey = [](int value, int alpha) {
        return [=](double, double) {
            return std::array<int, 4>{value * alpha / 255, value * alpha / 255, value * alpha / 255, alpha};
        };
    };
    // Four degrees around 10 N 20 E, ten times as fine as the picture below.
    const auto patch = [&](int value, int alpha) {
        return std::make_shared<DrawnPicture>(120, 120, 18, 12, 4.0 / 120, grey(value, alpha));
    };
    const auto valueAt = [](const ColourTiles& source, double latitude, double longitude) {
        const FacePlace place = facePlaceOf(scaledDirectionOf(latitude, longitude));
        const double step = std::ldexp(1.0, cubeSampleBits(source.grid(), 0));
        const glm::dvec2 at = place.at / step;
        const TileKey key{0, int(at.x) / kTileCells, int(at.y) / kTileCells, place.face};
        return texel(*make(source, key), int(at.x) % kTileCells, int(at.y) % kTileCells)[0];
    };
    const auto over = tilesOf({{wholeEarth(grey(60, 255)), 1.0f}, {patch(200, 255), 1.0f}});
    EXPECT_NEAR(valueAt(*over, 10, 20), rootOf(200), 1);
    EXPECT_NEAR(valueAt(*over, 10, 30), rootOf(60), 1);
    const auto half = tilesOf({{wholeEarth(grey(60, 255)), 1.0f}, {patch(200, 255), 0.5f}});
    EXPECT_NEAR(valueAt(*half, 10, 20), (rootOf(200) + rootOf(60)) / 2, 2);
    const auto none = tilesOf({{wholeEarth(grey(60, 255)), 1.0f}, {patch(200, 0), 1.0f}});
    EXPECT_NEAR(valueAt(*none, 10, 20), rootOf(60), 1);
    const auto order = tilesOf({{wholeEarth(grey(60, 255)), 1.0f}, {patch(200, 255), 1.0f}, {patch(90, 255), 1.0f}});
    EXPECT_NEAR(valueAt(*order, 10, 20), rootOf(90), 1);
    // Fine tiles exist near the fine picture alone.
    EXPECT_GT(over->grid().levels(), tilesOf({{wholeEarth(), 1.0f}})->grid().levels());
    const FacePlace far = facePlaceOf(scaledDirectionOf(-40, -100)), near = facePlaceOf(scaledDirectionOf(10, 20));
    const auto keyAt = [&](const FacePlace& place, int level) {
        const glm::dvec2 tile = place.at / std::ldexp(double(kTileCells), cubeSampleBits(over->grid(), level));
        return TileKey{level, int(tile.x), int(tile.y), place.face};
    };
    EXPECT_TRUE(over->refines(keyAt(near, 1)));
    EXPECT_FALSE(over->refines(keyAt(far, 1)));
}

// Around a fine picture the finer tiles hold what the tiles of the picture below hold without it, and say which of
// their texels are the fine picture's.
TEST(ColourTiles, FinerTilesChangeNothingBesideAFinePicture)
{
    const auto striped = [](double latitude, double longitude) {
        const int value = (int(std::floor(latitude / 0.7)) + int(std::floor(longitude / 0.7))) % 2 == 0 ? 40 : 220;
        return std::array<int, 4>{value, 255 - value, 90, 255};
    };
    const auto red = [](double, double) { return std::array<int, 4>{255, 0, 0, 255}; };
    const auto alone = tilesOf({{wholeEarth(striped), 1.0f}});
    const auto over =
        tilesOf({{wholeEarth(striped), 1.0f}, {std::make_shared<DrawnPicture>(200, 200, 19, 11, 0.01, red), 1.0f}});
    const int finer = over->grid().levels() - alone->grid().levels();
    ASSERT_EQ(over->baseLevel(), finer);
    ASSERT_GE(finer, 2);
    EXPECT_EQ(alone->baseLevel(), 0);
    const FacePlace middle = facePlaceOf(scaledDirectionOf(10, 20));
    const glm::dvec2 tile = middle.at / std::ldexp(double(kTileCells), cubeSampleBits(over->grid(), 0));
    int beside = 0, within = 0;
    for (int dy = -2; dy <= 2; ++dy)
        for (int dx = -2; dx <= 2; ++dx)
        {
            const TileKey key{0, int(tile.x) + dx, int(tile.y) + dy, middle.face};
            const auto fine = make(*over, key);
            const TileKey base{0, key.x >> finer, key.y >> finer, key.face};
            const auto coarse = make(*alone, base);
            for (int y = 0; y <= kTileCells; y += 1 << finer)
                for (int x = 0; x <= kTileCells; x += 1 << finer)
                {
                    const LatLong place = placeOfTexel(*over, key, x, y);
                    const double north = std::abs(place.latitude - 10), east = std::abs(place.longitude - 20);
                    const std::array<int, 4> found = texel(*fine, x, y);
                    const bool inside = north < 0.9 && east < 0.9;
                    within += inside;
                    EXPECT_TRUE(!inside || (found[3] & 1) == 1);
                    if (north < 1.1 && east < 1.1) continue;
                    EXPECT_EQ(found[3], 128);
                    // At a texel of the base: the mean of its value and the spline through it.
                    const int bx = ((key.x * kTileCells + x) >> finer) - base.x * kTileCells;
                    const int by = ((key.y * kTileCells + y) >> finer) - base.y * kTileCells;
                    for (std::size_t c = 0; c < 3; ++c)
                    {
                        double spline = 0;
                        for (int j = -1; j <= 1; ++j)
                            for (int i = -1; i <= 1; ++i)
                                spline +=
                                    (i == 0 ? 4 : 1) * (j == 0 ? 4 : 1) / 36.0 * texel(*coarse, bx + i, by + j)[c];
                        ASSERT_NEAR(found[c], 0.5 * (spline + texel(*coarse, bx, by)[c]), 1.5) << x << ' ' << y;
                    }
                    ++beside;
                }
        }
    EXPECT_GT(beside, 1000);
    EXPECT_GT(within, 50);
    // They agree where they meet, also across tiles of the base.
    for (const int along : {0, 1})
        for (int step = 0; step < 1 << finer; ++step)
        {
            const TileKey key{0, ((int(tile.x) >> finer) << finer) + step - 1, int(tile.y), middle.face};
            const auto left = make(*over, key), right = make(*over, {0, key.x + 1, key.y, key.face});
            for (int y = -1; y <= kTileCells + 1; ++y)
                ASSERT_EQ(texel(*left, kTileCells + along, y), texel(*right, along, y)) << step << ' ' << y;
        }
}

TEST(ColourTiles, LastByteTellsLightsAndIce)
{
    const auto part = [](double from) {
        return [=](double latitude, double) {
            const int value = latitude > from ? 255 : 0;
            return std::array<int, 4>{value, value, value, 255};
        };
    };
    const auto source = tilesOf({{wholeEarth(), 1.0f}}, {wholeEarth([](double latitude, double) {
                                                             const int value = latitude < -50 ? 255 : 0;
                                                             return std::array<int, 4>{value, value, value, 255};
                                                         }),
                                                         wholeEarth(part(50))});
    const int top = source->grid().levels() - 1;
    EXPECT_EQ(texel(*make(*source, {top, 0, 0, 5}), 64, 64)[3], 0);    // north pole: ice
    EXPECT_EQ(texel(*make(*source, {top, 0, 0, 4}), 64, 64)[3], 255);  // south pole: lights
    EXPECT_EQ(texel(*make(*source, {top, 0, 0, 1}), 64, 64)[3], 128);  // equator: neither
}

TEST(ColourTiles, BytesOfLightsAndIceCount)
{
    const auto bytesOf = [](EarthExtras extras) {
        const auto source = tilesOf({{wholeEarth(), 1.0f}}, std::move(extras));
        const Result<std::unique_ptr<TileReader>> reader = source->openReader();
        TileMaker maker(*source);
        EXPECT_TRUE((*reader)->make(maker, {source->grid().levels() - 1, 0, 0, 1}, nullptr));
        return (*reader)->bytesRead();
    };
    const std::uint64_t alone = bytesOf({});
    EXPECT_GT(alone, 0u);
    EXPECT_EQ(bytesOf({wholeEarth(), nullptr}), 2 * alone);
    EXPECT_EQ(bytesOf({wholeEarth(), wholeEarth()}), 3 * alone);
}

TEST(ColourTiles, LowestPictureMustCoverTheEarth)
{
    const auto part = std::make_shared<DrawnPicture>(64, 64, 0, 50, 0.1, smoothColour);
    const Result<std::shared_ptr<const ColourTiles>> made = ColourTiles::forEarth({{part, 1.0f}}, {}, Raster());
    ASSERT_FALSE(made);
    EXPECT_EQ(made.error().code, ExitCode::kInput);
    EXPECT_NE(made.error().message.find("expected all of it"), std::string::npos) << made.error().message;
}

// A flight over both poles and along the date line, from 20,000 km down to 50 km.
TEST(ColourTiles, AFlightOverThePolesAndTheDateLineHoldsTheBudget)
{
    const auto source = tilesOf({{*openImage(kEarthFolder + "blue_marble.tif"), 1.0f}});
    constexpr std::uint64_t kBudget = 16u << 20;
    Result<std::unique_ptr<TileCache>> cache = TileCache::create(source, kBudget);
    ASSERT_TRUE(cache) << cache.error().message;
    std::uint64_t evicted = 0;
    for (int i = 0; i <= 36; ++i)
    {
        const double angle = i * 20.0;  // twice around the meridian circle through the date line
        const double up = std::remainder(angle, 360.0), latitude = up > 90 ? 180 - up : up < -90 ? -180 - up : up;
        TileView view;
        view.position = earthFixed({latitude, std::abs(up) > 90 ? 179.99 : -0.01, i < 10 ? 2e7 / (1 << i) : 5e4});
        view.pixelsPerRadian = 1200;
        (void)(*cache)->settle(view, 0.4, [] {});
        const TileStats stats = (*cache)->stats();
        ASSERT_LE(stats.residentBytes, kBudget) << i;
        ASSERT_LE(stats.resident, stats.capacity) << i;
        ASSERT_TRUE((*cache)->takeMessages().empty()) << i;
        evicted = stats.evicted;
    }
    EXPECT_GT(evicted, 50u) << "the budget was not needed";
}

// ---- the shipped pictures ----

TEST(ShippedImagery, WindowsAreThePictureDecodedAsAWhole)
{
    Random random(1);
    for (const char* name : {"blue_marble.tif", "city_lights.tif"})
    {
        const auto image = openImage(kEarthFolder + name);
        const Result<Picture> whole = loadPicture(kEarthFolder + name);
        ASSERT_TRUE(image && whole);
        ASSERT_EQ((*image)->images().size(), 5u);
        const auto reader = (*image)->openReader();
        ASSERT_TRUE(reader);
        for (int i = 0; i < 6; ++i)
        {
            const ImageBox box{int(random.below(4000)), int(random.below(1900)), 1 + int(random.below(90)),
                               1 + int(random.below(140))};
            std::vector<std::uint8_t> rgba(4 * std::size_t(box.width) * std::size_t(box.height));
            ASSERT_TRUE((*reader)->read(0, box, rgba));
            for (int y = 0; y < box.height; ++y)
                for (int x = 0; x < box.width; ++x)
                    for (std::size_t c = 0; c < 4; ++c)
                    {
                        const std::size_t of =
                            4 * (std::size_t(box.row + y) * std::size_t(whole->width) + std::size_t(box.column + x)) +
                            c;
                        ASSERT_NEAR(rgba[4 * (std::size_t(y) * std::size_t(box.width) + std::size_t(x)) + c],
                                    whole->rgba[of], 2)
                            << name;
                    }
        }
        EXPECT_NE((*image)->credit().find("NASA"), std::string::npos);
    }
}

// A coast lies where the relief places it: no land there may have the colour of the sea.
TEST(ShippedImagery, NoLandAtACoastHasTheSeasColour)
{
    const Result<Picture> day = loadPicture(kEarthFolder + "blue_marble.tif");
    const Result<EarthRelief> relief = EarthRelief::read(kEarthFolder + "etopo5.tif");
    ASSERT_TRUE(day && relief);
    const auto heightAt = [&](int x, int y) {
        return relief->heightAt(90 - (y + 0.5) * 180 / day->height, (x + 0.5) * 360 / day->width - 180);
    };
    int coasts = 0, blue = 0;
    for (int y = 200; y < day->height - 300; y += 3)
        for (int x = 1; x < day->width - 1; ++x)
        {
            if (heightAt(x, y) < 0 || (heightAt(x - 1, y) >= 0 && heightAt(x + 1, y) >= 0)) continue;
            const std::uint8_t* p = &day->rgba[4 * (std::size_t(y) * std::size_t(day->width) + std::size_t(x))];
            ++coasts;
            blue += p[2] > 1.35 * p[1] + 12 && p[2] > 1.6 * p[0] + 12 ? 1 : 0;
        }
    EXPECT_GT(coasts, 5000);
    EXPECT_LE(blue, coasts / 500) << "of " << coasts;
}

TEST(ShippedImagery, TruncatedFilesAreErrors)
{
    TemporaryFolder folder;
    std::ifstream in(kEarthFolder + "blue_marble.tif", std::ios::binary);
    std::vector<char> bytes((std::istreambuf_iterator<char>(in)), {});
    const std::string path = folder / "cut.tif";
    for (const std::size_t size : {std::size_t(3), std::size_t(100), std::size_t(2000), bytes.size() / 2})
    {
        std::ofstream(path, std::ios::binary).write(bytes.data(), std::streamsize(size));
        const auto image = openImage(path);
        if (!image)
        {
            EXPECT_NE(image.error().message.find("cut.tif"), std::string::npos) << image.error().message;
            continue;
        }
        const auto reader = (*image)->openReader();
        ASSERT_TRUE(reader);
        std::vector<std::uint8_t> rgba(4 * 64 * 64);
        const Status read = (*reader)->read(0, {4000, 1900, 64, 64}, rgba);
        ASSERT_FALSE(read) << size;
        EXPECT_NE(read.error().message.find("cut.tif"), std::string::npos) << read.error().message;
    }
}

TEST(ShippedImagery, DamagedTilesAreErrors)
{
    TemporaryFolder folder;
    std::ifstream in(kEarthFolder + "city_lights.tif", std::ios::binary);
    std::vector<char> bytes((std::istreambuf_iterator<char>(in)), {});
    std::fill(bytes.end() - 100'000, bytes.end(), char(0x55));  // tiles of the full image come last
    const std::string path = folder / "damaged.tif";
    std::ofstream(path, std::ios::binary).write(bytes.data(), std::streamsize(bytes.size()));
    const auto image = openImage(path);
    ASSERT_TRUE(image) << image.error().message;
    const auto reader = (*image)->openReader();
    ASSERT_TRUE(reader);
    std::vector<std::uint8_t> rgba(4 * 64 * 64);
    const Status read = (*reader)->read(0, {4000, 1950, 64, 64}, rgba);
    ASSERT_FALSE(read);
    EXPECT_NE(read.error().message.find("damaged.tif"), std::string::npos) << read.error().message;
    EXPECT_TRUE((*reader)->read(4, {0, 0, 64, 64}, rgba));  // the reader stays usable
}

}  // namespace
}  // namespace orogen::test
