// GeoTIFF files for tests of tiles, written by libtiff, in any layout, with overviews of means or samples.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <tiffio.h>

namespace orogen::test {

struct TiffPyramid
{
    int width = 0, height = 0;
    std::uint16_t bits = 16, format = SAMPLEFORMAT_INT;
    std::uint16_t compression = COMPRESSION_ADOBE_DEFLATE, predictor = PREDICTOR_NONE;
    int tile = 64;  // samples per side; 0: strips of 3 rows
    int overviews = 0;
    bool big = false, southUp = false, georeference = true, swapped = false;
    std::string nodata = {}, metadata = {};
    std::function<double(int x, int y)> height_ = [](int x, int y) {
        return std::floor(900 + 500 * std::sin(x * 0.07) * std::cos(y * 0.05) + (x * 31 + y * 17) % 23);
    };
};

inline void declareGeoTags(TIFF* file)
{
    static const TIFFFieldInfo fields[] = {
        {33550, -1, -1, TIFF_DOUBLE, FIELD_CUSTOM, 1, 1, const_cast<char*>("ModelPixelScale")},
        {33922, -1, -1, TIFF_DOUBLE, FIELD_CUSTOM, 1, 1, const_cast<char*>("ModelTiepoint")},
        {34264, -1, -1, TIFF_DOUBLE, FIELD_CUSTOM, 1, 1, const_cast<char*>("ModelTransformation")},
        {34735, -1, -1, TIFF_SHORT, FIELD_CUSTOM, 1, 1, const_cast<char*>("GeoKeyDirectory")},
        {42112, -1, -1, TIFF_ASCII, FIELD_CUSTOM, 1, 0, const_cast<char*>("GDALMetadata")},
        {42113, -1, -1, TIFF_ASCII, FIELD_CUSTOM, 1, 0, const_cast<char*>("GDALNodata")}};
    TIFFMergeFieldInfo(file, fields, 6);
}

// Returns the half float of a whole number (1 to 2048).
inline std::uint16_t halfOfWhole(double value)
{
    const int exponent = std::ilogb(value);
    return std::uint16_t((exponent + 15) * 1024 + int(std::ldexp(value, 10 - exponent)) - 1024);
}

// Writes sample `column` of a row with bit-packed samples: the highest bit first, but 24-bit samples in native byte
// order.
inline void putPacked(const TiffPyramid& how, double value, int column, std::byte* row)
{
    const auto sample = std::uint32_t(value);
    for (int bit = 0; bit < how.bits; ++bit)
    {
        const int at = column * how.bits + (how.bits == 24 ? bit / 8 * 8 + 7 - bit % 8 : how.bits - 1 - bit);
        row[at / 8] |= std::byte((sample >> bit & 1) << (7 - at % 8));
    }
}

inline void putSample(const TiffPyramid& how, double value, std::byte* to)
{
    const auto put = [to](auto sample) { std::memcpy(to, &sample, sizeof sample); };
    if (how.format == SAMPLEFORMAT_IEEEFP && how.bits == 16) return put(halfOfWhole(value));
    if (how.format == SAMPLEFORMAT_IEEEFP) return how.bits == 32 ? put(float(value)) : put(value);
    if (how.bits == 64) return put(std::int64_t(value));
    if (how.bits == 8) return put(std::uint8_t(value));
    if (how.bits == 32) return put(std::int32_t(value));
    return how.format == SAMPLEFORMAT_INT ? put(std::int16_t(value)) : put(std::uint16_t(value));
}

inline void writeImage(TIFF* file, const TiffPyramid& how, int width, int height,
                       const std::function<double(int, int)>& at)
{
    TIFFSetField(file, TIFFTAG_IMAGEWIDTH, width);
    TIFFSetField(file, TIFFTAG_IMAGELENGTH, height);
    TIFFSetField(file, TIFFTAG_BITSPERSAMPLE, how.bits);
    TIFFSetField(file, TIFFTAG_SAMPLEFORMAT, how.format);
    TIFFSetField(file, TIFFTAG_SAMPLESPERPIXEL, 1);
    TIFFSetField(file, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
    TIFFSetField(file, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
    TIFFSetField(file, TIFFTAG_COMPRESSION, how.compression);
    if (how.predictor != PREDICTOR_NONE) TIFFSetField(file, TIFFTAG_PREDICTOR, how.predictor);
    if (how.tile > 0)
    {
        TIFFSetField(file, TIFFTAG_TILEWIDTH, how.tile);
        TIFFSetField(file, TIFFTAG_TILELENGTH, how.tile);
    }
    else
        TIFFSetField(file, TIFFTAG_ROWSPERSTRIP, 3);
    const bool isPacked = how.bits % 8 != 0 || how.bits == 24;
    const std::size_t bytes = how.bits / 8;
    const int chunkWidth = how.tile > 0 ? how.tile : width, chunkHeight = how.tile > 0 ? how.tile : 3;
    std::vector<std::byte> chunk;
    std::uint32_t index = 0;
    for (int top = 0; top < height; top += chunkHeight)
        for (int left = 0; left < width; left += chunkWidth, ++index)
        {
            const int rows = how.tile > 0 ? chunkHeight : std::min(chunkHeight, height - top);
            const std::size_t rowBytes = (std::size_t(chunkWidth) * how.bits + 7) / 8;
            chunk.assign(std::size_t(rows) * rowBytes, std::byte{0});
            for (int y = 0; y < rows; ++y)
                for (int x = 0; x < chunkWidth; ++x)
                {
                    const double value = at(std::min(left + x, width - 1), std::min(top + y, height - 1));
                    std::byte* row = chunk.data() + std::size_t(y) * rowBytes;
                    if (isPacked)
                        putPacked(how, value, x, row);
                    else
                        putSample(how, value, row + std::size_t(x) * bytes);
                }
            const tmsize_t size = tmsize_t(chunk.size());
            const tmsize_t done = how.tile > 0 ? TIFFWriteEncodedTile(file, index, chunk.data(), size)
                                               : TIFFWriteEncodedStrip(file, index, chunk.data(), size);
            ASSERT_EQ(done, size);
        }
}

// Returns a sample of overview k: the mean of 2^k x 2^k samples, fewer at the border. Sizes are those of GDAL.
inline double meanAt(const TiffPyramid& how, int k, int x, int y)
{
    double sum = 0;
    int count = 0;
    for (int j = y << k; j < std::min((y + 1) << k, how.height); ++j)
        for (int i = x << k; i < std::min((x + 1) << k, how.width); ++i, ++count)
            sum += how.height_(i, j);
    return sum / count;
}

inline void writeTiff(const std::string& path, const TiffPyramid& how)
{
    TIFF* const file = TIFFOpen(path.c_str(), how.big ? (how.swapped ? "w8b" : "w8") : how.swapped ? "wb" : "w");
    ASSERT_TRUE(file);
    for (int k = 0; k <= how.overviews; ++k)
    {
        const int width = (how.width + (1 << k) - 1) >> k, height = (how.height + (1 << k) - 1) >> k;
        declareGeoTags(file);
        if (k > 0) TIFFSetField(file, TIFFTAG_SUBFILETYPE, FILETYPE_REDUCEDIMAGE);
        if (k == 0 && how.georeference)
        {
            const double scale[] = {30, 30, 0}, tie[] = {0, 0, 0, 400'000, 5'000'000, 0};
            const double matrix[] = {30, 0, 0, 400'000, 0, 30, 0, 5'000'000, 0, 0, 0, 0, 0, 0, 0, 1};
            const std::uint16_t keys[] = {1, 1, 0, 3, 1024, 0, 1, 1, 1025, 0, 1, 1, 3072, 0, 1, 32632};
            if (how.southUp)
                TIFFSetField(file, 34264, 16, matrix);
            else
                TIFFSetField(file, 33550, 3, scale), TIFFSetField(file, 33922, 6, tie);
            TIFFSetField(file, 34735, 16, keys);
        }
        if (k == 0 && !how.nodata.empty()) TIFFSetField(file, 42113, how.nodata.c_str());
        if (k == 0 && !how.metadata.empty()) TIFFSetField(file, 42112, how.metadata.c_str());
        writeImage(file, how, width, height,
                   [&](int x, int y) { return k == 0 ? how.height_(x, y) : meanAt(how, k, x, y); });
        TIFFWriteDirectory(file);
    }
    TIFFClose(file);
}

}  // namespace orogen::test
