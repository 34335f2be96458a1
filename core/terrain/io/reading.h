// Shared parts of readers of plain samples: sample types, and their conversion to heights.
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

// Conversion of a sample to a height: samples that equal `nodata` or are not finite are voids, the others are scale *
// sample + offset metres.
struct SampleRule
{
    SampleType type = SampleType::kInt16;
    bool bigEndian = false;
    std::optional<double> nodata;
    double scale = 1.0, offset = 0.0;
};

// Stores a rule's scale, offset, nodata value and kind of samples in the raster.
void describeSamples(const SampleRule& rule, Raster& raster);

// Converts to.size() samples, `stride` bytes apart.
void convertSamples(const SampleRule& rule, const std::byte* from, std::size_t stride, std::span<float> to);

// Returns the height of a sample 0 by convertSamples(); NaN if 0 means "no data".
float heightOfZero(const SampleRule& rule);

// Fills the raster, whose memory is reserved, from a file that contains only samples.
Status readPlainSamples(const ByteSource& source, const SampleRule& rule, const LoadProgress& progress, Raster& raster);

// Returns whether a sample of this type can have the value (after rounding in a float32).
bool representable(SampleType type, double value);

}  // namespace orogen
