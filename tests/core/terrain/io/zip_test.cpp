// SRTM tiles in zip archives.
#include <gtest/gtest.h>

#include "core/terrain/io/gdal_reader.h"
#include "core/terrain/io/load_raster.h"
#include "tests/support/zip_files.h"

namespace orogen {
namespace {

using test::Bytes;
using test::ZipBuilder;

constexpr std::size_t kTile = 2u * 1201 * 1201;

Bytes words(const std::string& text)
{
    test::ByteWriter writer;
    writer.text(text);
    return writer.bytes;
}

class HgtZip : public testing::Test
{
protected:
    void SetUp() override
    {
        if (!hasGdal()) GTEST_SKIP() << "built without GDAL";
    }
    // Every archive gets a folder of its own, because GDAL remembers archives by their names.
    Result<Raster> read(const std::string& name, const Bytes& archive)
    {
        const std::string path = folder_.write(std::to_string(++archives_) + "/" + name, "");
        test::writeBytes(path, archive);
        return loadRaster(path);
    }
    void expectRefused(const std::string& name, const Bytes& archive, const std::string& says)
    {
        SCOPED_TRACE(says);
        const Result<Raster> raster = read(name, archive);
        ASSERT_FALSE(raster);
        EXPECT_EQ(raster.error().code, ExitCode::kInput);
        EXPECT_NE(raster.error().message.find("/" + name + ": "), std::string::npos) << raster.error().message;
        EXPECT_NE(raster.error().message.find(says), std::string::npos) << raster.error().message;
        EXPECT_EQ(raster.error().message.find('\n'), std::string::npos) << raster.error().message;
    }
    const test::TemporaryFolder folder_;
    int archives_ = 0;
};

TEST_F(HgtZip, IsReadAsItsTile)
{
    const Result<Raster> raster =
        read("download.zip", ZipBuilder().stored("readme.txt", words("x")).zeros("N34W119.hgt", kTile).build());
    ASSERT_TRUE(raster) << raster.error().message;
    EXPECT_EQ(raster->format, "HGT in a zip archive");
    EXPECT_TRUE(raster->name.ends_with("/download.zip"));
    EXPECT_EQ(raster->width, 1201);
    EXPECT_EQ(raster->crs, "EPSG:4326");
    EXPECT_EQ(raster->maxHeight, 0.0f);
    ASSERT_TRUE(raster->placement && raster->placement->positioned);
    EXPECT_EQ(raster->placement->x, -119.0);
    EXPECT_EQ(raster->placement->y, 35.0);
}

TEST_F(HgtZip, MayBeStoredInAFolderOfTheArchive)
{
    const Bytes tile(kTile, std::byte{1});
    const Result<Raster> raster = read("any.data", ZipBuilder().stored("srtm/n34w119.HGT", tile).build("a comment"));
    ASSERT_TRUE(raster) << raster.error().message;
    EXPECT_EQ(raster->minHeight, 257.0f);
    EXPECT_EQ(raster->maxHeight, 257.0f);
    EXPECT_EQ(raster->placement->x, -119.0);
}

TEST_F(HgtZip, TakesItsPositionFromTheArchiveWhereTheEntryHasNone)
{
    const Result<Raster> raster = read("S05E030.SRTMGL3.hgt.zip", ZipBuilder().zeros("tile.hgt", kTile).build());
    ASSERT_TRUE(raster) << raster.error().message;
    EXPECT_EQ(raster->placement->x, 30.0);
    EXPECT_EQ(raster->placement->y, -4.0);
}

TEST_F(HgtZip, OneTileIsExpected)
{
    expectRefused("a.hgt.zip", ZipBuilder().stored("a.txt", words("x")).build(), "0 .hgt files");
    expectRefused("a.hgt.zip", ZipBuilder().zeros("N01E001.hgt", 10).zeros("N02E001.hgt", 10).build(), "2 .hgt files");
    expectRefused("a.hgt.zip", ZipBuilder().zeros("N01E001.hgt", 10).build(), "10 bytes, expected 2884802");
}

TEST_F(HgtZip, DamagedArchivesAreRefused)
{
    const Bytes zeros = test::deflatedZeros(kTile);
    const std::uint32_t crc = test::zipChecksum(Bytes(kTile));
    const auto entry = [&](int method, const Bytes& packed, std::size_t size, std::uint32_t sum) {
        return ZipBuilder().entry("N01E001.hgt", method, packed, size, sum).build();
    };
    const Bytes whole = entry(8, zeros, kTile, crc);
    expectRefused("a.hgt.zip", entry(8, zeros, kTile, crc ^ 1), "N01E001.hgt: ");
    expectRefused("a.hgt.zip", entry(8, test::deflatedZeros(kTile - 1), kTile, crc), "N01E001.hgt: ");
    expectRefused("a.hgt.zip", entry(8, test::deflatedZeros(kTile + 1), kTile, crc), "N01E001.hgt: ");
    expectRefused("a.hgt.zip", entry(0, Bytes(100), kTile, crc), "N01E001.hgt: ");
    expectRefused("a.hgt.zip", entry(12, zeros, kTile, crc), "N01E001.hgt: ");
    expectRefused("a.hgt.zip", entry(0, Bytes(kTile, std::byte{1}), kTile, crc), "checksum");
    expectRefused("a.hgt.zip", Bytes(whole.begin(), whole.begin() + 1000), "directory of the zip archive");
    // Zip bombs: the claimed size is compared with the known ones before a byte is unpacked, and no more is unpacked.
    expectRefused("a.hgt.zip", entry(8, test::deflatedZeros(10), 4'000'000'000u, 0),
                  "4000000000 bytes, expected 2884802");
    expectRefused("a.hgt.zip", entry(8, test::deflatedZeros(10), kTile, 0), "N01E001.hgt: ");
    expectRefused("a.hgt.zip", entry(8, test::deflatedZeros(100u << 20), kTile, 0), "N01E001.hgt: ");
}

TEST_F(HgtZip, FormsARasterWithOthersOfItsFolder)
{
    test::writeBytes(folder_ / "N34W119.hgt.zip", ZipBuilder().zeros("N34W119.hgt", kTile).build());
    test::writeBytes(folder_ / "N34W118.hgt", Bytes(kTile, std::byte{1}));
    const Result<Raster> raster = loadRaster(folder_.path());
    ASSERT_TRUE(raster) << raster.error().message;
    EXPECT_EQ(raster->format, "HGT tiles");
    EXPECT_EQ(raster->width, 2401);
    EXPECT_EQ(raster->at(0, 0), 0.0f);
    EXPECT_EQ(raster->at(2400, 0), 257.0f);
}

TEST(HgtZipWithoutGdal, IsRefusedAloneAndInAFolder)
{
    if (hasGdal()) GTEST_SKIP() << "built with GDAL";
    const test::TemporaryFolder folder;
    test::writeBytes(folder / "N34W119.hgt.zip", ZipBuilder().zeros("N34W119.hgt", kTile).build());
    for (const std::string& name : {folder / "N34W119.hgt.zip", folder.path()})
    {
        const Result<Raster> raster = loadRaster(name);
        ASSERT_FALSE(raster);
        EXPECT_EQ(raster.error().code, ExitCode::kInput);
        EXPECT_NE(raster.error().message.find("a zip archive, which is read through GDAL"), std::string::npos)
            << raster.error().message;
    }
}

}  // namespace
}  // namespace orogen
