// Small files of every kind that the heightmap readers support, as seeds for truncation, byte changes and fuzzing.
#pragma once

#include <string>
#include <vector>

#include "tests/support/raster_files.h"

namespace orogen::test {

struct HeightmapSeed
{
    std::string name;  // the suffix selects the reader where the content does not
    Bytes bytes;       // at most 4 KiB
};

inline Bytes rampOf16(int count, bool bigEndian = false)
{
    std::vector<int> values;
    for (int i = 0; i < count; ++i)
        values.push_back(i * 7 % 900);
    return samplesOf<std::int16_t>(values, bigEndian);
}

inline TiffBuilder georeferenced(int width, int height, int bits, int format, bool bigEndian = false,
                                 bool bigTiff = false)
{
    TiffBuilder builder(width, height, bits, format, bigEndian, bigTiff);
    const std::string words = "WGS 84 / UTM zone 11N|WGS 84|";
    builder.geo(30, 30, 376313.5, 3807917.5, {1024, 0,     1, 1,  1025, 0, 1, 1,    1026, 34737, 22, 0,
                                              2049, 34737, 7, 22, 3076, 0, 1, 9001, 4099, 0,     1,  9002});
    builder.ascii(34737, words).ascii(42113, "-9999");
    return builder;
}

inline std::vector<HeightmapSeed> heightmapSeeds()
{
    std::vector<HeightmapSeed> seeds;
    seeds.push_back({"little.tif", georeferenced(9, 5, 16, 2).strip(rampOf16(45)).build()});
    seeds.push_back({"big.tif", georeferenced(9, 5, 16, 2, true).strip(rampOf16(45, true)).build()});
    seeds.push_back({"bigtiff.tif", georeferenced(9, 5, 16, 2, false, true).strip(rampOf16(45)).build()});
    seeds.push_back({"float.tif", georeferenced(4, 4, 32, 3)
                                      .shorts(278, {2})
                                      .strip(samplesOf<float>(std::array{1, 2, 3, 4, 5, 6, 7, 8}))
                                      .strip(samplesOf<float>(std::array{1, 2, 3, 4, 5, 6, 7, 8}))
                                      .build()});
    seeds.push_back({"degrees.tif", TiffBuilder(3, 3, 64, 3)
                                        .doubles(34264, {0.1, 0, 0, 7, 0, -0.1, 0, 47, 0, 0, 0, 0, 0, 0, 0, 1})
                                        .shorts(34735, {1, 1, 0, 3, 1024, 0, 1, 2, 2048, 0, 1, 4326, 2054, 0, 1, 9102})
                                        .strip(samplesOf<double>(std::array{1, 2, 3, 4, 5, 6, 7, 8, 9}))
                                        .build()});
    seeds.push_back({"tiles.tif", TiffBuilder(20, 17, 8, 1)
                                      .tiles(16, 16)
                                      .tile(Bytes(256, std::byte{9}))
                                      .tile({})
                                      .tile(Bytes(256, std::byte{8}))
                                      .tile(Bytes(256, std::byte{7}))
                                      .build()});
    seeds.push_back({"half.tif", georeferenced(9, 5, 16, 3).strip(rampOf16(45)).build()});
    seeds.push_back({"int64.tif", georeferenced(3, 2, 64, 2, true).strip(Bytes(48, std::byte{1})).build()});
    // Rows of 14 bytes: nine samples of 12 bits, and 4 unused bits.
    seeds.push_back({"bits12.tif", TiffBuilder(9, 5, 12, 1).strip(Bytes(70, std::byte{0x5a})).build()});
    seeds.push_back({"bits24.tif", TiffBuilder(20, 17, 24, 1, true)
                                       .tiles(16, 16)
                                       .tile(Bytes(768, std::byte{3}))
                                       .tile({})
                                       .tile(Bytes(768, std::byte{2}))
                                       .tile(Bytes(768, std::byte{1}))
                                       .build()});
    seeds.push_back({"angles.tif", TiffBuilder(3, 3, 16, 2)
                                       .geo(36, 36, -424'800, 122'400,
                                            {1024, 0, 1, 2, 2048, 0, 1, 4326, 2054, 0, 1, 32767, 2055, 34736, 1, 0})
                                       .doubles(34736, {4.84813681109536e-06})
                                       .strip(rampOf16(9))
                                       .build()});
    // PackBits: a run of 18 zero bytes per row.
    Bytes packed;
    for (int i = 0; i < 10; ++i)
        packed.push_back(std::byte(i % 2 ? 0 : 0xef));
    seeds.push_back({"packbits.tif", TiffBuilder(9, 5, 16, 1).shorts(259, {32773}).strip(packed).build()});
    // Deflate, one stored block, horizontal differences.
    seeds.push_back(
        {"deflate.tif",
         TiffBuilder(9, 5, 16, 2).shorts(259, {8}).shorts(317, {2}).strip(deflateStored(rampOf16(45))).build()});
    seeds.push_back({"predictor3.tif", TiffBuilder(4, 2, 32, 3)
                                           .shorts(259, {8})
                                           .shorts(317, {3})
                                           .strip(deflateStored(Bytes(32, std::byte{1})))
                                           .build()});
    seeds.push_back(
        {"bands.tif",
         TiffBuilder(3, 2, 16, 2)
             .shorts(277, {2})
             .shorts(258, {16, 16})
             .shorts(339, {2, 2})
             .ascii(42112, "<GDALMetadata><Item name=\"SCALE\" sample=\"0\" role=\"scale\">0.5</Item></GDALMetadata>")
             .strip(rampOf16(12))
             .build()});
    seeds.push_back(
        {"grey16.png", PngBuilder(9, 5, 16, 0, rampOf16(45, true)).chunk("tRNS", rampOf16(1, true)).build()});
    seeds.push_back({"grey4.png", PngBuilder(4, 3, 4, 0, Bytes(6, std::byte{0x2f})).build()});
    seeds.push_back({"alpha8.png", PngBuilder(3, 3, 8, 4, Bytes(18, std::byte{5})).build()});
    seeds.push_back({"rgb8.png", PngBuilder(3, 3, 8, 2, Bytes(27, std::byte{5})).build()});
    seeds.push_back(
        {"palette.png", PngBuilder(3, 3, 8, 3, Bytes(9, std::byte{1})).chunk("PLTE", Bytes(6, std::byte{5})).build()});
    seeds.push_back({"seed_5x4.raw", rampOf16(20)});
    seeds.push_back({"seed_5x4_f32be.raw", samplesOf<float>(std::vector<float>(20, 1.5f), true)});
    seeds.push_back({"N34W119.hgt", rampOf16(100, true)});
    ByteWriter grid;
    grid.text("ncols 3\r\nNROWS 2\nxllcorner -5.5\nyllcenter 1e3\ndx 0.5 dy +2\nNODATA_value -9999\n1 2 3\n4.5e0 nan "
              "-9999\n");
    seeds.push_back({"grid.asc", grid.bytes});
    seeds.push_back({"nothing.txt", Bytes(40, std::byte('a'))});
    return seeds;
}

}  // namespace orogen::test
