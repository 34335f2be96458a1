// Zip archives for tests, built byte by byte from PKWARE's APPNOTE, without the library that reads them.
#pragma once

#include <string>

#include "tests/support/raster_files.h"

namespace orogen::test {

inline std::uint32_t zipChecksum(const Bytes& bytes)
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

// Deflates `count` zero bytes with the fixed code of RFC 1951: one literal, then copies of length 258.
inline Bytes deflatedZeros(std::size_t count)
{
    Bytes bytes;
    int used = 8;
    const auto bit = [&](unsigned value) {
        if (used == 8) bytes.push_back(std::byte{0}), used = 0;
        bytes.back() |= std::byte(value << used++);
    };
    const auto code = [&](unsigned value, int length) {  // Huffman codes begin with their highest bit
        for (int i = length; i-- > 0;)
            bit((value >> i) & 1);
    };
    bit(1), bit(1), bit(0);  // the last block, fixed codes
    const auto literal = [&] { code(0x30, 8); };
    literal();
    std::size_t left = count - 1;
    for (; left >= 258; left -= 258)
        code(0xc5, 8), code(0, 5);  // length 258, distance 1
    for (; left > 0; --left)
        literal();
    code(0, 7);
    return bytes;
}

class ZipBuilder
{
public:
    // Adds `packed` as stored in the archive; size and crc are those of the content.
    ZipBuilder& entry(const std::string& name, int method, const Bytes& packed, std::size_t size, std::uint32_t crc,
                      int flags = 0)
    {
        const auto common = [&](ByteWriter& out) {
            out.put(std::uint16_t(20));
            out.put(std::uint16_t(flags));
            out.put(std::uint16_t(method));
            out.put(std::uint32_t(0));  // time and date
            out.put(crc);
            out.put(std::uint32_t(packed.size()));
            out.put(std::uint32_t(size));
            out.put(std::uint16_t(name.size()));
            out.put(std::uint16_t(0));  // extra
        };
        directory_.put(std::uint32_t(0x02014b50));
        directory_.put(std::uint16_t(20));
        common(directory_);
        directory_.put(std::uint16_t(0));  // comment
        directory_.put(std::uint32_t(0));  // disk, internal attributes
        directory_.put(std::uint32_t(0));  // external attributes
        directory_.put(std::uint32_t(files_.bytes.size()));
        directory_.text(name);
        files_.put(std::uint32_t(0x04034b50));
        common(files_);
        files_.text(name);
        files_.put(packed);
        ++entries_;
        return *this;
    }
    ZipBuilder& stored(const std::string& name, const Bytes& content)
    {
        return entry(name, 0, content, content.size(), zipChecksum(content));
    }
    ZipBuilder& zeros(const std::string& name, std::size_t count)
    {
        return entry(name, 8, deflatedZeros(count), count, zipChecksum(Bytes(count, std::byte{0})));
    }
    Bytes build(const std::string& comment = {}) const
    {
        ByteWriter out;
        out.put(files_.bytes);
        out.put(directory_.bytes);
        out.put(std::uint32_t(0x06054b50));
        out.put(std::uint32_t(0));
        out.put(std::uint16_t(entries_));
        out.put(std::uint16_t(entries_));
        out.put(std::uint32_t(directory_.bytes.size()));
        out.put(std::uint32_t(files_.bytes.size()));
        out.put(std::uint16_t(comment.size()));
        out.text(comment);
        return out.bytes;
    }

private:
    ByteWriter files_, directory_;
    int entries_ = 0;
};

}  // namespace orogen::test
