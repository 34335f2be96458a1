// Raster files for tests, built byte by byte from the specifications, without the libraries that read them.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <map>
#include <string>
#include <vector>

#include "core/terrain/io/byte_source.h"
#include "core/terrain/io/load_raster.h"
#include "core/terrain/raster/raster.h"
#include "tests/support/temporary_folder.h"

namespace orogen::test {

using Bytes = std::vector<std::byte>;

inline void writeBytes(const std::string& path, const Bytes& bytes)
{
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), std::streamsize(bytes.size()));
}

inline Result<Raster> readBytes(const std::string& name, const Bytes& bytes)
{
    return readRaster(ByteSource::view(name, bytes));
}

// Appends values of any type in one byte order.
class ByteWriter
{
public:
    explicit ByteWriter(bool bigEndian = false) : bigEndian_(bigEndian) {}

    template <class T>
    void put(T value)
    {
        std::array<std::byte, sizeof(T)> raw;
        std::memcpy(raw.data(), &value, sizeof(T));
        if (bigEndian_) std::reverse(raw.begin(), raw.end());
        for (const std::byte byte : raw)
            bytes.push_back(byte);
    }
    template <class T, class Range>
    void putAll(const Range& values)
    {
        for (const auto& value : values)
            put(T(value));
    }
    void put(const Bytes& more)
    {
        for (const std::byte byte : more)
            bytes.push_back(byte);
    }
    void text(const std::string& more)
    {
        for (const char c : more)
            bytes.push_back(std::byte(c));
    }

    Bytes bytes;

private:
    bool bigEndian_;
};

template <class T, class Range>
Bytes samplesOf(const Range& values, bool bigEndian = false)
{
    ByteWriter writer(bigEndian);
    writer.putAll<T>(values);
    return writer.bytes;
}

// TIFF 6.0 and BigTIFF.  Field types: 2 ASCII, 3 SHORT, 4 LONG, 12 DOUBLE, 16 LONG8.
class TiffBuilder
{
public:
    // Samples of `bits` bits in `format` (1 unsigned, 2 signed, 3 floating). Strips or tiles are added uncompressed.
    TiffBuilder(int width, int height, int bits, int format, bool bigEndian = false, bool bigTiff = false)
        : bigEndian_(bigEndian), bigTiff_(bigTiff)
    {
        shorts(256, {double(width)});
        shorts(257, {double(height)});
        shorts(258, {double(bits)});
        shorts(259, {1});
        shorts(262, {1});
        shorts(277, {1});
        shorts(278, {double(height)});
        shorts(339, {double(format)});
    }
    TiffBuilder& shorts(int tag, const std::vector<double>& values) { return field<std::uint16_t>(tag, 3, values); }
    TiffBuilder& longs(int tag, const std::vector<double>& values) { return field<std::uint32_t>(tag, 4, values); }
    TiffBuilder& doubles(int tag, const std::vector<double>& values) { return field<double>(tag, 12, values); }
    TiffBuilder& ascii(int tag, const std::string& text)
    {
        ByteWriter writer(bigEndian_);
        writer.text(text);
        writer.put(std::uint8_t(0));
        fields_[tag] = {2, text.size() + 1, writer.bytes};
        return *this;
    }
    TiffBuilder& remove(int tag)
    {
        fields_.erase(tag);
        return *this;
    }
    TiffBuilder& strip(const Bytes& bytes)
    {
        chunks_.push_back(bytes);
        return *this;
    }
    TiffBuilder& tiles(int width, int height)
    {
        remove(278);
        tiled_ = true;
        return longs(322, {double(width)}).longs(323, {double(height)});
    }
    TiffBuilder& tile(const Bytes& bytes) { return strip(bytes); }
    // Sets the pixel size and the position of the corner, in metres or degrees.
    TiffBuilder& geo(double sx, double sy, double x, double y, const std::vector<double>& keys)
    {
        doubles(33550, {sx, sy, 0});
        doubles(33922, {0, 0, 0, x, y, 0});
        std::vector<double> directory = {1, 1, 0, double(keys.size()) / 4};
        directory.insert(directory.end(), keys.begin(), keys.end());
        return shorts(34735, directory);
    }

    Bytes build()
    {
        const std::size_t headerSize = bigTiff_ ? 16 : 8, entrySize = bigTiff_ ? 20 : 12, inlineSize = bigTiff_ ? 8 : 4;
        std::vector<double> counts;
        for (const Bytes& chunk : chunks_)
            counts.push_back(double(chunk.size()));
        longs(tiled_ ? 325 : 279, counts);
        longs(tiled_ ? 324 : 273, std::vector<double>(chunks_.size()));  // reserves the space
        const std::size_t directorySize = (bigTiff_ ? 8 : 2) + entrySize * fields_.size() + (bigTiff_ ? 8 : 4);
        std::size_t extraAt = headerSize + directorySize;
        std::size_t dataAt = extraAt;
        for (const auto& [tag, value] : fields_)
            if (value.bytes.size() > inlineSize) dataAt += value.bytes.size();
        std::vector<double> offsets;
        for (const Bytes& chunk : chunks_)
            offsets.push_back(chunk.empty() ? 0.0 : double(dataAt)), dataAt += chunk.size();
        longs(tiled_ ? 324 : 273, offsets);
        return assemble(headerSize, inlineSize, extraAt);
    }

private:
    struct Field
    {
        int type;
        std::size_t count;
        Bytes bytes;
    };

    template <class T>
    TiffBuilder& field(int tag, int type, const std::vector<double>& values)
    {
        ByteWriter writer(bigEndian_);
        writer.putAll<T>(values);
        fields_[tag] = {type, values.size(), writer.bytes};
        return *this;
    }

    Bytes assemble(std::size_t headerSize, std::size_t inlineSize, std::size_t extraAt)
    {
        ByteWriter out(bigEndian_), extra(bigEndian_);
        out.text(bigEndian_ ? "MM" : "II");
        out.put(std::uint16_t(bigTiff_ ? 43 : 42));
        if (bigTiff_) out.put(std::uint16_t(8)), out.put(std::uint16_t(0));
        const auto offset = [&](ByteWriter& to, std::size_t value) {
            if (bigTiff_)
                to.put(std::uint64_t(value));
            else
                to.put(std::uint32_t(value));
        };
        offset(out, headerSize);
        if (bigTiff_)
            out.put(std::uint64_t(fields_.size()));
        else
            out.put(std::uint16_t(fields_.size()));
        for (const auto& [tag, value] : fields_)
        {
            out.put(std::uint16_t(tag));
            out.put(std::uint16_t(value.type));
            offset(out, value.count);
            Bytes place = value.bytes;
            if (place.size() > inlineSize)
            {
                ByteWriter pointer(bigEndian_);
                offset(pointer, extraAt + extra.bytes.size());
                extra.put(place);
                place = pointer.bytes;
            }
            place.resize(inlineSize);
            out.put(place);
        }
        offset(out, 0);
        out.put(extra.bytes);
        for (const Bytes& chunk : chunks_)
            out.put(chunk);
        return out.bytes;
    }

    bool bigEndian_, bigTiff_, tiled_ = false;
    std::map<int, Field> fields_;
    std::vector<Bytes> chunks_;
};

// A zlib stream of stored blocks.
inline Bytes deflateStored(const Bytes& bytes)
{
    ByteWriter out(true);
    out.put(std::uint16_t(0x7801));
    std::uint32_t a = 1, b = 0;  // Adler-32
    for (const std::byte byte : bytes)
        a = (a + std::uint32_t(byte)) % 65521, b = (b + a) % 65521;
    for (std::size_t at = 0; at < bytes.size(); at += 65535)
    {
        const std::size_t count = std::min<std::size_t>(65535, bytes.size() - at);
        out.put(std::uint8_t(at + count == bytes.size()));
        ByteWriter lengths;  // little-endian
        lengths.put(std::uint16_t(count));
        lengths.put(std::uint16_t(~count));
        out.put(lengths.bytes);
        out.put(Bytes(bytes.begin() + std::ptrdiff_t(at), bytes.begin() + std::ptrdiff_t(at + count)));
    }
    out.put((b << 16) | a);
    return out.bytes;
}

// PNG with stored Deflate blocks, not interlaced.
class PngBuilder
{
public:
    // Colour type: 0 grey, 2 RGB, 3 palette, 4 grey and alpha, 6 RGBA.  `rows` are the samples without filter bytes.
    PngBuilder(int width, int height, int bits, int colour, const Bytes& rows)
    {
        ByteWriter header(true);
        header.put(std::uint32_t(width));
        header.put(std::uint32_t(height));
        header.put(std::uint8_t(bits));
        header.put(std::uint8_t(colour));
        header.put(std::uint16_t(0));  // Deflate, adaptive filters
        header.put(std::uint8_t(0));   // not interlaced
        header_ = header.bytes;
        Bytes filtered;
        const std::size_t rowBytes = rows.size() / std::size_t(height);
        for (std::size_t y = 0; y < std::size_t(height); ++y)
        {
            filtered.push_back(std::byte{0});
            filtered.insert(filtered.end(), rows.begin() + std::ptrdiff_t(y * rowBytes),
                            rows.begin() + std::ptrdiff_t((y + 1) * rowBytes));
        }
        data_ = deflateStored(filtered);
    }
    // Puts a size into the header that differs from that of the rows.
    PngBuilder& claim(int width, int height)
    {
        ByteWriter size(true);
        size.put(std::uint32_t(width));
        size.put(std::uint32_t(height));
        std::copy(size.bytes.begin(), size.bytes.end(), header_.begin());
        return *this;
    }
    PngBuilder& chunk(const std::string& type, const Bytes& bytes)
    {
        between_.emplace_back(type, bytes);
        return *this;
    }
    Bytes build() const
    {
        ByteWriter out(true);
        out.text("\x89PNG\r\n\x1a\n");
        putChunk(out, "IHDR", header_);
        for (const auto& [type, bytes] : between_)
            putChunk(out, type, bytes);
        putChunk(out, "IDAT", data_);
        putChunk(out, "IEND", {});
        return out.bytes;
    }

private:
    static std::uint32_t crc(const Bytes& bytes)
    {
        std::uint32_t value = 0xffffffffu;
        for (const std::byte byte : bytes)
        {
            value ^= std::uint32_t(byte);
            for (int i = 0; i < 8; ++i)
                value = (value >> 1) ^ ((value & 1) ? 0xedb88320u : 0u);
        }
        return ~value;
    }
    static void putChunk(ByteWriter& out, const std::string& type, const Bytes& bytes)
    {
        ByteWriter body(true);
        body.text(type);
        body.put(bytes);
        out.put(std::uint32_t(bytes.size()));
        out.put(body.bytes);
        out.put(crc(body.bytes));
    }

    Bytes header_, data_;
    std::vector<std::pair<std::string, Bytes>> between_;
};

}  // namespace orogen::test
