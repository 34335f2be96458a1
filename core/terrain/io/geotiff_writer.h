// Writer of GeoTIFF files, and of the directories of a little-endian TIFF or BigTIFF.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "core/terrain/raster/georeference.h"
#include "core/terrain/raster/raster.h"

namespace orogen {

enum TiffType : std::uint16_t
{
    kTiffAscii = 2,
    kTiffShort = 3,
    kTiffLong = 4,
    kTiffUndefined = 7,
    kTiffDouble = 12,
    kTiffLong8 = 16,
};

// Appends the bytes of a value as they lie in memory.
template <class T>
void appendBytes(std::vector<std::byte>& bytes, T value)
{
    const std::size_t at = bytes.size();
    bytes.resize(at + sizeof value);
    std::memcpy(bytes.data() + at, &value, sizeof value);
}

// Returns the first 8 bytes of a TIFF, or 16 of a BigTIFF (`big`). `directory`: offset of its first directory.
std::vector<std::byte> tiffHeader(bool big, std::uint64_t directory);

// Directory of a TIFF or BigTIFF to be written: tags and their values.
class TiffDirectory
{
public:
    explicit TiffDirectory(bool big) : big_(big) {}

    template <class T>
    void set(std::uint16_t tag, TiffType type, const std::vector<T>& values)
    {
        Field field = {type, values.size(), {}, 0};
        for (const T value : values)
            appendBytes(field.bytes, value);
        fields_[tag] = std::move(field);
    }
    void set(std::uint16_t tag, const std::string& text)
    {
        set(tag, kTiffAscii, std::vector<char>(text.c_str(), text.c_str() + text.size() + 1));
    }
    void setPosition(std::uint16_t tag, std::uint64_t value);  // as LONG or LONG8
    // Sets a tag to an array, too large to keep here, that the caller writes at `position` in the file.
    void setArray(std::uint16_t tag, TiffType type, std::uint64_t count, std::uint64_t position)
    {
        fields_[tag] = {type, std::size_t(count), {}, position};
    }
    void set(const GeoTags& tags);  // leaves empty tags out

    std::size_t size() const;  // size of build()'s result (bytes), a multiple of 8
    // Returns the directory's bytes. `at`: its offset in the file; `next`: offset of the next directory, 0 if none.
    std::vector<std::byte> build(std::uint64_t at, std::uint64_t next) const;

private:
    struct Field
    {
        TiffType type;
        std::size_t count;
        std::vector<std::byte> bytes;  // empty: stored elsewhere in the file
        std::uint64_t position;
    };

    std::size_t inlineSize() const { return big_ ? 8 : 4; }
    std::size_t entriesSize() const;
    void appendPosition(std::vector<std::byte>& out, std::uint64_t value) const;

    bool big_;
    std::map<std::uint16_t, Field> fields_;
};

// Returns a raster's GeoTIFF tags: placement and EPSG code if known; heights in metres. Empty if it has no pixel size.
GeoTags geoTagsOf(const Raster& raster);

// Writes the raster to `path`, atomically: int16 if all heights are whole metres from -32767 to 32767, else float32.
// Voids are -32768 or NaN, and declared as nodata. Uncompressed; BigTIFF from about 4 GB on. Keeps placement and EPSG
// code if known, but not an assumed pixel size. Error kOutput, also for a height beyond kLargestHeight, which would be
// read as a void.
Status writeGeoTiff(const Raster& raster, const std::string& path);

}  // namespace orogen
