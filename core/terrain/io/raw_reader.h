// Reader of samples without a header, whose layout is given by the file's name.
#pragma once

#include <string>

#include "core/terrain/io/byte_source.h"
#include "core/terrain/raster/raster.h"

namespace orogen {

// Returns whether the name ends in .raw, .r16 or .r32.
bool isRawName(const std::string& path);
// Reads raw samples. Voids: -32768 in int16, NaN and infinity in float32. No placement. Errors: kInput (no size in the
// name, or one that does not match the file's), kLimit, kInterrupted.
//
// A name NAME_WIDTHxHEIGHT.raw gives the layout: rows from north to south, little-endian, int16 for two bytes per
// sample, float32 for four. NAME_WIDTHxHEIGHT_TYPE.raw gives the type: i16, u16, i32, u32 or f32, with suffix `be` for
// big-endian ("island_1024x512_u16be.raw"). .r16 is u16 and .r32 is f32, as terrain generators name them.
Result<Raster> readRaw(const ByteSource& source, const LoadProgress& progress = {});

}  // namespace orogen
