// What readers of plain samples share: types of samples, and how they become heights.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "core/base/status.h"
#include "core/terrain/io/byte_source.h"
#include "core/terrain/raster/raster_making.h"

namespace orogen {

enum class SampleType
{
    kUint8,
    kInt8,
    kUint16,
    kInt16,
    kUint32,
    kInt32,
    kUint64,
    kInt64,
    kFloat16,
    kFloat32,
    kFloat64,
};
int bytesOf(SampleType type);
std::string_view nameOf(SampleType type);  // "int16"

// How a sample becomes a height: samples equal to `nodata` and those that are not finite are voids, the others are
// scale * sample + offset metres.
struct SampleRule
{
    SampleType type = SampleType::kInt16;
    bool bigEndian = false;
    std::optional<double> nodata;
    double scale = 1.0, offset = 0.0;
};

// What a raster keeps of its rule.
void describeSamples(const SampleRule& rule, Raster& raster);

// Reads to.size() samples, `stride` bytes apart.
void convertSamples(const SampleRule& rule, const std::byte* from, std::size_t stride, std::span<float> to);

// What convertSamples() makes of a sample 0: also NaN, where that means "no data".
float heightOfZero(const SampleRule& rule);

// Fills the raster, whose memory is reserved, with the samples of a file that has nothing else in it.
Status readPlainSamples(const ByteSource& source, const SampleRule& rule, const LoadProgress& progress, Raster& raster);

// Whether a sample of this type can have the value at all (a float32 after rounding to it).
bool representable(SampleType type, double value);

}  // namespace orogen
