// Pictures of each kind: compressions of TIFF, formats that GDAL reads, templates of tiles on a server of the tests,
// damaged files, and files that name a network.
#include <array>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/terrain/imagery/colour_tiles.h"
#include "core/terrain/imagery/image_source.h"
#include "core/terrain/io/gdal_reader.h"
#include "core/terrain/io/tiff_file.h"
#include "core/terrain/raster/georeference.h"
#include "core/terrain/tiles/tile.h"
#include "core/terrain/tiles/tile_cache.h"
#include "tests/support/file_server.h"
#include "tests/support/random.h"
#include "tests/support/raster_files.h"
#include "tests/support/temporary_folder.h"

namespace orogen::test {
namespace {

TEST(IsPicture, TellsColoursFromHeights)
{
    const TemporaryFolder folder;
    const auto write = [&](const std::string& name, const Bytes& bytes) {
        writeBytes(folder / name, bytes);
        return folder / name;
    };
    const Bytes one = samplesOf<std::uint8_t>(std::vector<int>{1});
    const Bytes three = samplesOf<std::uint8_t>(std::vector<int>{1, 2, 3});
    const Bytes deep = samplesOf<std::uint16_t>(std::vector<int>{7}, true);
    EXPECT_TRUE(isPicture(write("rgb.png", PngBuilder(1, 1, 8, 2, three).build())));
    EXPECT_FALSE(isPicture(write("grey.png", PngBuilder(1, 1, 16, 0, deep).build())));
    TiffBuilder rgb(1, 1, 8, 1);
    rgb.shorts(258, {8, 8, 8}).shorts(262, {2}).shorts(277, {3}).shorts(339, {1, 1, 1}).strip(three);
    EXPECT_TRUE(isPicture(write("rgb.tif", rgb.build())));
    EXPECT_FALSE(isPicture(write("heights.tif", TiffBuilder(1, 1, 8, 1).strip(one).build())));
    EXPECT_TRUE(isPicture(write("photo.jpg", samplesOf<std::uint8_t>(std::vector<int>{0xff, 0xd8, 0xff, 0xe0}))));
    EXPECT_FALSE(isPicture(write("empty.tif", {})));
    EXPECT_FALSE(isPicture(folder / "missing.png"));
    EXPECT_FALSE(isPicture("synthetic:1024"));
    EXPECT_TRUE(isPicture("https://example.org/{z}/{x}/{y}.png"));
    EXPECT_TRUE(isPicture("WMTS:https://example.org/capabilities.xml,layer=a"));
    EXPECT_FALSE(isPicture("https://example.org/dem.tif"));
}

#ifdef OROGEN_HAVE_GDAL

using Rgba = std::array<int, 4>;

// A picture of whole-Earth or UTM coordinates, with red by column, green by row and a transparent corner.
class GdalPictures : public testing::Test
{
protected:
    static constexpr int kSide = 1024;

    // Writes the test picture with a driver of GDAL; false: GDAL lacks the driver.
    bool write(const std::string& name, const char* driver, const std::vector<std::string>& options, int bands,
               int epsg = 32611)
    {
        QuietGdal gdal("");
        GDALDriverH memory = GDALGetDriverByName("MEM"), out = GDALGetDriverByName(driver);
        if (!memory || !out) return false;
        const GdalDataset source(GDALCreate(memory, "", kSide, kSide, bands, GDT_Byte, nullptr));
        std::array<double, 6> place = {400'000, 10, 0, 3'800'000, 0, -10};
        if (epsg == 3857) place = {-13'000'000, 10, 0, 4'000'000, 0, -10};
        GDALSetGeoTransform(source.get(), place.data());
        OGRSpatialReferenceH crs = OSRNewSpatialReference(nullptr);
        OSRImportFromEPSG(crs, epsg);
        OSRSetAxisMappingStrategy(crs, OAMS_TRADITIONAL_GIS_ORDER);
        GDALSetSpatialRef(source.get(), crs);
        OSRDestroySpatialReference(crs);
        GDALSetMetadataItem(source.get(), "TIFFTAG_COPYRIGHT", "Survey of Tests", nullptr);
        std::vector<std::uint8_t> values(std::size_t(kSide) * kSide);
        for (int band = 1; band <= bands; ++band)
        {
            for (int y = 0; y < kSide; ++y)
                for (int x = 0; x < kSide; ++x)
                    values[std::size_t(y) * kSide + std::size_t(x)] =
                        std::uint8_t(colourAt(x, y, bands)[std::size_t(band) - 1]);
            GDALRasterBandH to = GDALGetRasterBand(source.get(), band);
            GDALSetRasterColorInterpretation(to, GDALColorInterp(GCI_RedBand + band - 1));
            EXPECT_EQ(GDALRasterIO(to, GF_Write, 0, 0, kSide, kSide, values.data(), kSide, kSide, GDT_Byte, 0, 0),
                      CE_None);
        }
        char** words = nullptr;
        for (const std::string& option : options)
            words = CSLAddString(words, option.c_str());
        const GdalDataset made(
            GDALCreateCopy(out, (folder_ / name).c_str(), source.get(), FALSE, words, nullptr, nullptr));
        CSLDestroy(words);
        return made != nullptr;
    }
    static Rgba colourAt(int x, int y, int bands)
    {
        if (bands == 4 && x < 200 && y < 200) return {0, 0, 0, 0};
        return {x / 4, y / 4, 77, 255};
    }
    static Rgba pixel(const std::vector<std::uint8_t>& rgba, int width, int x, int y)
    {
        const std::uint8_t* p = &rgba[4 * (std::size_t(y) * std::size_t(width) + std::size_t(x))];
        return {p[0], p[1], p[2], p[3]};
    }
    void expectColours(const std::string& name, int bands, int within, const char* format)
    {
        const auto image = openImage(folder_ / name);
        ASSERT_TRUE(image) << image.error().message;
        EXPECT_EQ((*image)->raster().format, format);
        EXPECT_EQ((*image)->images()[0].width, kSide);
        EXPECT_GE((*image)->images().size(), 2u);
        const auto reader = (*image)->openReader();
        ASSERT_TRUE(reader) << reader.error().message;
        Random random(5);
        for (std::size_t i = 0; i < 12; ++i)
        {
            const std::size_t level = i % 2;
            const int side = (*image)->images()[level].width, scale = kSide / side;
            const int width = 1 + int(random.below(150)), height = 1 + int(random.below(150));
            const ImageBox box{int(random.below(std::uint64_t(side - width))),
                               int(random.below(std::uint64_t(side - height))), width, height};
            std::vector<std::uint8_t> rgba(4 * std::size_t(width) * std::size_t(height));
            const Status read = (*reader)->read(level, box, rgba);
            ASSERT_TRUE(read) << name << ": " << read.error().message;
            const int x = width / 2, y = height / 2, column = (box.column + x) * scale, row = (box.row + y) * scale;
            if (std::abs(column - 200) < 12 || std::abs(row - 200) < 12) continue;  // the edge of the corner is soft
            const Rgba expected = colourAt(column, row, bands), found = pixel(rgba, width, x, y);
            for (std::size_t c = 0; c < 4; ++c)
                EXPECT_NEAR(found[c], expected[c], within)
                    << name << ", level " << level << ": " << column << ", " << row;
        }
    }
    TemporaryFolder folder_;
};

TEST_F(GdalPictures, CloudOptimizedTiffsOfEachCompressionByLibtiff)
{
    for (const char* compression : {"DEFLATE", "LZW", "WEBP", "JPEG"})
        for (const int bands : {3, 4})
        {
            const std::string name = std::string(compression) + std::to_string(bands) + ".tif";
            std::vector<std::string> options = {std::string("COMPRESS=") + compression, "BLOCKSIZE=256"};
            if (compression == std::string("WEBP")) options.push_back("QUALITY=95");
            if (compression == std::string("JPEG")) options.push_back("QUALITY=95");
            ASSERT_TRUE(write(name, "COG", options, bands)) << name;
            const bool lossy = compression == std::string("WEBP") || compression == std::string("JPEG");
            expectColours(name, bands, lossy ? 9 : 2, "GeoTIFF");
            const auto image = openImage(folder_ / name);
            ASSERT_TRUE(image);
            EXPECT_EQ((*image)->credit(), "Survey of Tests") << name;
        }
}

// A mask whose tile cannot be read once must apply to the next read.
TEST_F(GdalPictures, AMaskAppliesAfterAFailedRead)
{
    ASSERT_TRUE(write("masked.tif", "COG", {"COMPRESS=JPEG", "BLOCKSIZE=256"}, 4));
    const std::string path = folder_ / "masked.tif";
    std::vector<std::uint64_t> places, lengths;  // first tiles of the full image and of its mask
    {
        const Result<ByteSource> source = ByteSource::open(path);
        ASSERT_TRUE(source);
        Result<TiffFile> file = TiffFile::open(*source);
        ASSERT_TRUE(file);
        const Result<std::vector<std::uint64_t>> directories = file->directories(64);
        ASSERT_TRUE(directories);
        for (const std::uint64_t directory : *directories)
        {
            ASSERT_TRUE(file->select(directory));
            std::uint32_t kind = 0, width = 0;
            TIFFGetFieldDefaulted(file->handle(), TIFFTAG_SUBFILETYPE, &kind);
            TIFFGetField(file->handle(), TIFFTAG_IMAGEWIDTH, &width);
            if (width != std::uint32_t(kSide)) continue;
            EXPECT_EQ((kind & FILETYPE_MASK) != 0, places.size() == 1);
            places.push_back(TIFFGetStrileOffset(file->handle(), 0));
            lengths.push_back(TIFFGetStrileByteCount(file->handle(), 0));
        }
    }
    ASSERT_EQ(places.size(), 2u);
    std::fstream bytes(path, std::ios::binary | std::ios::in | std::ios::out);
    std::string stored(std::size_t(lengths[1]), '\0');
    const auto put = [&](const std::string& content) {
        bytes.seekp(std::streamoff(places[1])).write(content.data(), std::streamsize(content.size())).flush();
    };
    bytes.seekg(std::streamoff(places[1])).read(stored.data(), std::streamsize(stored.size()));
    const auto image = openImage(path);
    ASSERT_TRUE(image) << image.error().message;
    const auto reader = (*image)->openReader();
    ASSERT_TRUE(reader) << reader.error().message;
    std::vector<std::uint8_t> rgba(4 * 256 * 256);
    put(std::string(stored.size(), '\x7f'));
    EXPECT_FALSE((*reader)->read(0, {0, 0, 256, 256}, rgba));
    put(stored);
    const std::uint64_t before = (*reader)->bytesRead();
    const Status read = (*reader)->read(0, {0, 0, 256, 256}, rgba);
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(pixel(rgba, 256, 100, 100)[3], 0);
    EXPECT_EQ(pixel(rgba, 256, 230, 230)[3], 255);
    EXPECT_GE((*reader)->bytesRead() - before, lengths[0] + lengths[1]);
    ASSERT_TRUE((*reader)->read(0, {10, 10, 100, 100}, rgba));
    EXPECT_EQ(pixel(rgba, 100, 50, 50)[3], 0) << "from memory";
}

TEST_F(GdalPictures, OtherFormatsByGdal)
{
    ASSERT_TRUE(write("photo.jpg", "JPEG", {"QUALITY=95", "WORLDFILE=YES"}, 3));
    expectColours("photo.jpg", 3, 9, "JPEG");
    ASSERT_TRUE(write("tiles.mbtiles", "MBTiles", {"TILE_FORMAT=PNG"}, 4, 3857));
    const auto tiles = openImage(folder_ / "tiles.mbtiles");
    ASSERT_TRUE(tiles) << tiles.error().message;
    EXPECT_EQ((*tiles)->raster().crs, "EPSG:3857");
    const auto reader = (*tiles)->openReader();
    ASSERT_TRUE(reader);
    std::vector<std::uint8_t> rgba(4 * 64 * 64);
    const ImageSize size = (*tiles)->images()[0];
    ASSERT_TRUE((*reader)->read(0, {size.width / 2, size.height / 2, 64, 64}, rgba));
    EXPECT_NEAR(pixel(rgba, 64, 30, 30)[2], 77, 2);
    EXPECT_EQ(pixel(rgba, 64, 30, 30)[3], 255);
}

TEST_F(GdalPictures, DamagedFilesAreErrors)
{
    Random random(11);
    ASSERT_TRUE(write("good.tif", "COG", {"COMPRESS=JPEG"}, 4));
    ASSERT_TRUE(write("good.jpg", "JPEG", {}, 3));
    ASSERT_TRUE(write("good.mbtiles", "MBTiles", {"TILE_FORMAT=PNG"}, 4, 3857));
    int refused = 0;
    for (const char* kind : {".tif", ".jpg", ".mbtiles"})
    {
        std::ifstream in(folder_ / (std::string("good") + kind), std::ios::binary);
        const std::vector<char> good((std::istreambuf_iterator<char>(in)), {});
        for (int i = 0; i < 25; ++i)
        {
            std::vector<char> bytes = good;
            if (i % 5 == 0) bytes.resize(random.below(std::uint32_t(bytes.size())));
            for (int j = 0; j < 40 && !bytes.empty(); ++j)
                bytes[random.below(std::uint32_t(i % 2 ? std::min<std::size_t>(bytes.size(), 4096) : bytes.size()))] =
                    char(random.below(256));
            const std::string path = folder_ / (std::string("bad") + kind);
            std::ofstream(path, std::ios::binary).write(bytes.data(), std::streamsize(bytes.size()));
            const auto image = openImage(path);
            const auto reader = image ? (*image)->openReader() : Result<std::unique_ptr<ImageryReader>>(image.error());
            Status read = reader ? Status::ok() : Status(reader.error());
            for (std::size_t level = 0; reader && level < (*image)->images().size() && read; ++level)
            {
                const ImageSize size = (*image)->images()[level];
                const ImageBox box{0, 0, std::min(size.width, 300), std::min(size.height, 300)};
                std::vector<std::uint8_t> rgba(4 * std::size_t(box.width) * std::size_t(box.height));
                read = (*reader)->read(level, box, rgba);
            }
            if (read) continue;  // not every damage is noticed
            ++refused;
            EXPECT_TRUE(read.error().code == ExitCode::kInput || read.error().code == ExitCode::kLimit);
            EXPECT_NE(read.error().message.find("bad"), std::string::npos) << read.error().message;
            EXPECT_EQ(read.error().message.find('\n'), std::string::npos) << read.error().message;
        }
    }
    EXPECT_GT(refused, 10);
}

TEST_F(GdalPictures, AFileMayNotSendTheProgramToANetwork)
{
    const FileServer server(folder_);
    ASSERT_TRUE(server.running());
    ASSERT_TRUE(write("www/photo.tif", "COG", {"COMPRESS=JPEG"}, 3));
    const auto text = [&](const std::string& name, const std::string& content) {
        folder_.write(name, content);
        return folder_ / name;
    };
    const std::string service = "<GDAL_WMS><Service name=\"TMS\"><ServerUrl>" + server.url("${z}/${x}/${y}.png") +
                                "</ServerUrl></Service></GDAL_WMS>";
    const std::string mosaic =
        "<VRTDataset rasterXSize=\"64\" rasterYSize=\"64\"><VRTRasterBand dataType=\"Byte\" "
        "band=\"1\"><SimpleSource><SourceFilename>/vsicurl/" +
        server.url("photo.tif") +
        "</SourceFilename><SourceBand>1</SourceBand></SimpleSource></VRTRasterBand></VRTDataset>";
    for (const std::string& name : {text("service.xml", service), text("mosaic.vrt", mosaic)})
    {
        EXPECT_FALSE(isPicture(name));
        const auto image = openImage(name);
        ASSERT_FALSE(image) << name;
        EXPECT_EQ(image.error().code, ExitCode::kInput);
    }
    EXPECT_EQ(server.bytesSent(), 0u);
    const auto typed = openImage(server.url("photo.tif"));  // the user may name it
    ASSERT_TRUE(typed) << typed.error().message;
    EXPECT_GT(server.bytesSent(), 0u);
}

// A server with all tiles of zoom 0 to 2, plain blue, and one green tile of zoom 3.
class TileServer : public GdalPictures
{
protected:
    TileServer() : server_(folder_) {}
    void SetUp() override
    {
        if (!server_.running()) GTEST_SKIP() << "python3 is missing";
        for (int z = 0; z <= 2; ++z)
            for (int x = 0; x < 1 << z; ++x)
                for (int y = 0; y < 1 << z; ++y)
                    tile(z, x, y, 40, 80, 200);
        tile(3, 4, 3, 30, 200, 60);
    }
    void tile(int z, int x, int y, int red, int green, int blue)
    {
        Bytes pixels;
        for (int i = 0; i < 256 * 256; ++i)
            for (const int value : {red, green, blue})
                pixels.push_back(std::byte(value));
        const std::string place = "www/" + std::to_string(z) + "/" + std::to_string(x);
        std::filesystem::create_directories(folder_ / place);
        writeBytes(folder_ / (place + "/" + std::to_string(y) + ".png"), PngBuilder(256, 256, 8, 2, pixels).build());
    }
    FileServer server_;
};

TEST_F(TileServer, ATypedTemplateIsAPictureWithHolesFilledFromCoarserTiles)
{
    const auto image = openImage(server_.url("{z}/{x}/{y}.png#3"));
    ASSERT_TRUE(image) << image.error().message;
    EXPECT_TRUE((*image)->remote() && (*image)->sparse());
    EXPECT_EQ((*image)->images()[0].width, 256 << 3);
    const auto reader = (*image)->openReader();
    ASSERT_TRUE(reader);
    std::vector<std::uint8_t> rgba(4 * 512 * 256);
    const Status read = (*reader)->read(0, {1024, 768, 512, 256}, rgba);  // the green tile, and one that is missing
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(pixel(rgba, 512, 100, 100), (Rgba{30, 200, 60, 255}));
    EXPECT_EQ(pixel(rgba, 512, 400, 100)[3], 0);

    // A plane at 5 E 10 N, where zoom 3 has the green tile and, east of 45 degrees, a hole.
    Raster terrain;
    terrain.name = "terrain", terrain.crs = "EPSG:3857";
    terrain.width = terrain.height = 101;
    terrain.placement = Placement{.x = 2'000'000, .y = 3'000'000, .stepEast = 60'000, .stepSouth = 20'000};
    terrain.projection = MapProjection::ofCrs("EPSG:3857");
    ASSERT_TRUE(setPixelSize(terrain));
    const auto tiles = ColourTiles::onPlane({{*image, 1.0f}}, terrain);
    ASSERT_TRUE(tiles) << tiles.error().message;
    const auto own = (*tiles)->openReader();
    TileMaker maker(**tiles);
    const auto texel = [&](int column, int x, int y) {
        const auto made = (*own)->make(maker, {0, column, 0, 0}, nullptr);
        EXPECT_TRUE(made) << made.error().message;
        if (!made) return Rgba{};
        const std::size_t at = 4 * (std::size_t(y + 1) * kColourSide + std::size_t(x + 1));
        return Rgba{(*made)->colours[at], (*made)->colours[at + 1], (*made)->colours[at + 2], (*made)->colours[at + 3]};
    };
    EXPECT_GT(texel(0, 10, 10)[1], texel(0, 10, 10)[2]) << "green";
    EXPECT_LT(texel(1, 100, 10)[1], texel(1, 100, 10)[2]) << "blue, from a coarser tile";
    EXPECT_EQ(texel(1, 100, 10)[3], 255);
}

using TileServerThorough = TileServer;

TEST_F(TileServerThorough, AFailingServerGivesOneMessageAndTheCoarserLevel)
{
    const auto image = openImage(server_.url("{z}/{x}/{y}.png#3"));
    ASSERT_TRUE(image) << image.error().message;
    Raster terrain;
    terrain.name = "terrain", terrain.crs = "EPSG:3857";
    terrain.width = terrain.height = 2001;
    terrain.placement = Placement{.x = -20'000'000, .y = 20'000'000, .stepEast = 20'000, .stepSouth = 20'000};
    terrain.projection = MapProjection::ofCrs("EPSG:3857");
    ASSERT_TRUE(setPixelSize(terrain));
    const auto tiles = ColourTiles::onPlane({{*image, 1.0f}}, terrain);
    ASSERT_TRUE(tiles) << tiles.error().message;
    double now = 0;
    Result<std::unique_ptr<TileCache>> cache = TileCache::create(*tiles, 32u << 20, 2, [&now] { return now; });
    ASSERT_TRUE(cache) << cache.error().message;
    server_.misbehave("500");
    TileView view;
    view.position = {0, 0, 1000};
    view.pixelsPerRadian = 4000;
    EXPECT_FALSE((*cache)->settle(view, 5, [] {}));
    EXPECT_GT((*cache)->stats().failed, 0);
    EXPECT_FALSE((*cache)->active().empty()) << "the coarse level is shown";
    const std::vector<std::string> messages = (*cache)->takeMessages();
    ASSERT_EQ(messages.size(), 1u);
    EXPECT_NE(messages[0].find("127.0.0.1"), std::string::npos) << messages[0];
    server_.behave("500");
    now = 1000;
    EXPECT_TRUE((*cache)->settle(view, 20, [&] { now += 40; }));
}

#endif  // OROGEN_HAVE_GDAL

}  // namespace
}  // namespace orogen::test
