// Reader of samples without a header, whose layout is given by the file's name.
#pragma once

#include <optional>
#include <string>

#include "core/terrain/io/byte_source.h"
#include "core/terrain/io/reading.h"
#include "core/terrain/raster/raster.h"

namespace orogen {

// Layout from a name NAME_WIDTHxHEIGHT.raw: rows from north to south, little-endian, int16 for two bytes a sample,
// float32 for four. NAME_WIDTHxHEIGHT_TYPE.raw gives the type: i16, u16, i32, u32 or f32, with suffix `be` for
// big-endian ("island_1024x512_u16be.raw"). .r16 is u16 and .r32 is f32, as terrain generators name them.
struct RawName
{
    std::uint64_t width = 0, height = 0;
    std::optional<SampleType> type;
    bool bigEndian = false;
};

// Returns whether the name ends in .raw, .r16 or .r32.
bool isRawName(const std::string& path);
// Returns the layout; empty if the name has no size.
std::optional<RawName> parseRawName(const std::string& path);

// Reads raw samples. Voids: -32768 in int16, NaN and infinity in float32. No placement.
Result<Raster> readRaw(const ByteSource& source, const LoadProgress& progress = {});

}  // namespace orogen
