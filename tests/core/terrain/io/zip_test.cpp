// Zip archives, and SRTM tiles in them.
#include <gtest/gtest.h>

#include "core/terrain/io/hgt_reader.h"
#include "core/terrain/io/load_raster.h"
#include "tests/support/zip_files.h"

namespace orogen {
namespace {

using test::Bytes;
using test::ZipBuilder;

constexpr std::size_t kTile = 2u * 1201 * 1201;

Result<std::vector<std::byte>> unpackFirst(const Bytes& archive, std::uint64_t most = 1000)
{
    const ByteSource source = ByteSource::view("a.zip", archive);
    const Result<std::vector<ZipEntry>> entries = zipEntries(source);
    if (!entries) return entries.error();
    if (entries->empty()) return Error{ExitCode::kInput, "a.zip: empty"};
    return unpack(source, entries->front(), most);
}

Bytes words(const std::string& text)
{
    test::ByteWriter writer;
    writer.text(text);
    return writer.bytes;
}

TEST(Zip, UnpacksStoredAndDeflatedEntries)
{
    const Bytes content = words("a stored file");
    const auto stored = unpackFirst(ZipBuilder().stored("a.txt", content).build("a comment at the end"));
    ASSERT_TRUE(stored) << stored.error().message;
    EXPECT_EQ(*stored, content);
    const auto deflated = unpackFirst(ZipBuilder().zeros("b", 777).build());
    ASSERT_TRUE(deflated) << deflated.error().message;
    EXPECT_EQ(*deflated, Bytes(777));
}

TEST(Zip, WhatItDoesNotHoldIsRefused)
{
    const Bytes content = words("0123456789");
    const std::uint32_t crc = test::zipChecksum(content);
    const Bytes zeros = test::deflatedZeros(900);
    const std::uint32_t zerosCrc = test::zipChecksum(Bytes(900));
    struct Case
    {
        Bytes archive;
        const char* says;
    };
    const Case cases[] = {
        {ZipBuilder().entry("a", 0, content, 10, crc ^ 1).build(), "checksum"},
        {ZipBuilder().entry("a", 0, content, 11, crc).build(), "more than 10 packed bytes"},
        {ZipBuilder().entry("a", 8, zeros, 899, zerosCrc).build(), "cannot be unpacked to 899"},
        {ZipBuilder().entry("a", 8, zeros, 901, zerosCrc).build(), "cannot be unpacked to 901"},
        {ZipBuilder().entry("a", 12, content, 10, crc).build(), "compression 12"},
        {ZipBuilder().entry("a", 0, content, 10, crc, 1).build(), "encrypted"},
        {ZipBuilder().entry("a", 8, content, 2000, crc).build(), "expected at most 1000"},
        {ZipBuilder().entry("a", 8, content, 0xffffffffu, crc).build(), "zip64"},
        {ZipBuilder().build(), "empty"},
        {content, "cut off"},
    };
    for (const Case& c : cases)
    {
        const auto bytes = unpackFirst(c.archive);
        ASSERT_FALSE(bytes) << c.says;
        EXPECT_EQ(bytes.error().code, ExitCode::kInput);
        EXPECT_NE(bytes.error().message.find(c.says), std::string::npos) << bytes.error().message;
    }
    // Zip bomb: the claimed size is checked against the most that the bytes can hold.
    const auto bomb = unpackFirst(ZipBuilder().entry("a", 8, zeros, 900'000'000, 0).build(), 1u << 30);
    ASSERT_FALSE(bomb);
    EXPECT_NE(bomb.error().message.find("packed bytes can hold"), std::string::npos) << bomb.error().message;
}

TEST(Zip, EveryPrefixAndEveryByteSetToExtremes)
{
    const Bytes whole = ZipBuilder().stored("a.txt", words("some words")).zeros("N01E002.hgt", 300).build();
    const auto harmless = [](const Bytes& bytes) {
        const ByteSource source = ByteSource::view("a.zip", bytes);
        const Result<std::vector<ZipEntry>> entries = zipEntries(source);
        if (!entries) return entries.error().code == ExitCode::kInput && entries.error().message.starts_with("a.zip: ");
        for (const ZipEntry& entry : *entries)
            if (const auto content = unpack(source, entry, 1 << 20); !content)
                if (content.error().message.find('\n') != std::string::npos) return false;
        return true;
    };
    for (std::size_t length = 0; length < whole.size(); ++length)
    {
        const Bytes prefix(whole.begin(), whole.begin() + std::ptrdiff_t(length));
        EXPECT_TRUE(harmless(prefix)) << length;
        EXPECT_FALSE(zipEntries(ByteSource::view("a.zip", prefix))) << length;
    }
    Bytes bytes = whole;
    for (std::size_t at = 0; at < bytes.size(); ++at)
        for (const int value : {0x00, 0x01, 0x7f, 0x80, 0xff})
        {
            const std::byte before = std::exchange(bytes[at], std::byte(value));
            EXPECT_TRUE(harmless(bytes)) << at << " = " << value;
            bytes[at] = before;
        }
}

TEST(HgtZip, IsReadAsItsTile)
{
    const Bytes archive = ZipBuilder().stored("readme.txt", words("x")).zeros("N34W119.hgt", kTile).build();
    const Result<Raster> raster = test::readBytes("download.zip", archive);
    ASSERT_TRUE(raster) << raster.error().message;
    EXPECT_EQ(raster->format, "HGT in a zip archive");
    EXPECT_EQ(raster->name, "download.zip");
    EXPECT_EQ(raster->width, 1201);
    EXPECT_EQ(raster->crs, "EPSG:4326");
    EXPECT_EQ(raster->maxHeight, 0.0f);
    ASSERT_TRUE(raster->placement && raster->placement->positioned);
    EXPECT_EQ(raster->placement->x, -119.0);
    EXPECT_EQ(raster->placement->y, 35.0);
}

TEST(HgtZip, TakesItsPositionFromTheArchiveWhereTheEntryHasNone)
{
    const Result<Raster> raster =
        test::readBytes("folder/S05E030.SRTMGL3.hgt.zip", ZipBuilder().zeros("tile.hgt", kTile).build());
    ASSERT_TRUE(raster) << raster.error().message;
    EXPECT_EQ(raster->placement->x, 30.0);
    EXPECT_EQ(raster->placement->y, -4.0);
}

TEST(HgtZip, OneTileIsExpected)
{
    const auto refused = [](const Bytes& bytes, const char* says) {
        const Result<Raster> raster = test::readBytes("a.hgt.zip", bytes);
        ASSERT_FALSE(raster);
        EXPECT_EQ(raster.error().code, ExitCode::kInput);
        EXPECT_NE(raster.error().message.find(says), std::string::npos) << raster.error().message;
    };
    refused(ZipBuilder().stored("a.txt", words("x")).build(), "0 .hgt files");
    refused(ZipBuilder().zeros("N01E001.hgt", 10).zeros("N02E001.hgt", 10).build(), "2 .hgt files");
    refused(ZipBuilder().zeros("N01E001.hgt", 10).build(), "10 bytes, expected 2884802");
    // The claimed size is checked against the known tile sizes before a byte is unpacked.
    refused(ZipBuilder().entry("N01E001.hgt", 8, test::deflatedZeros(10), 4'000'000'000u, 0).build(),
            "4000000000 bytes, expected 2884802");
    refused(ZipBuilder().entry("N01E001.hgt", 8, test::deflatedZeros(10), kTile, 0).build(), "packed bytes can hold");
}

TEST(HgtZip, FormsARasterWithOthersOfItsFolder)
{
    const test::TemporaryFolder folder;
    test::writeBytes(folder / "N34W119.hgt.zip", ZipBuilder().zeros("N34W119.hgt", kTile).build());
    test::writeBytes(folder / "N34W118.hgt", Bytes(kTile, std::byte{1}));
    const Result<Raster> raster = loadRaster(folder.path());
    ASSERT_TRUE(raster) << raster.error().message;
    EXPECT_EQ(raster->format, "HGT tiles");
    EXPECT_EQ(raster->width, 2401);
    EXPECT_EQ(raster->at(0, 0), 0.0f);
    EXPECT_EQ(raster->at(2400, 0), 257.0f);
}

}  // namespace
}  // namespace orogen
