// What all raster readers share: errors of one line, memory that is asked for before it is taken, progress, samples.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/status.h"
#include "core/terrain/io/byte_source.h"
#include "core/terrain/raster/raster.h"

namespace orogen {

inline constexpr float kVoid = std::numeric_limits<float>::quiet_NaN();
// Metres.  What lies beyond is no height but a mark, such as -3.4e38, and would overflow what is computed from heights.
inline constexpr float kLargestHeight = 1e7f;

// "NAME: WHAT" with ExitCode::kInput, printable.
Error inputError(std::string_view name, std::string_view what);

// kInput unless 2 <= width, height <= kMaxRasterSide.
Status checkSides(const std::string& name, std::uint64_t width, std::uint64_t height);

// Sets width and height and takes memory for the heights, all voids.  `extraBytes`: what the reader needs besides.
Status allocateHeights(Raster& raster, std::uint64_t width, std::uint64_t height, std::uint64_t extraBytes = 0);

// Tells LoadProgress how far a reader is, at most about a hundred times.
class Progress
{
public:
    Progress(const LoadProgress& callback, std::string what) : callback_(callback), what_(std::move(what)) {}
    // False: stop, and return interrupted().
    bool at(std::uint64_t done, std::uint64_t total);
    Error interrupted() const;

private:
    const LoadProgress& callback_;
    std::string what_;
    int lastPercent_ = -1;
};

enum class SampleType
{
    kUint8,
    kInt8,
    kUint16,
    kInt16,
    kUint32,
    kInt32,
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

// Reads to.size() samples, `stride` bytes apart.
void convertSamples(const SampleRule& rule, const std::byte* from, std::size_t stride, std::span<float> to);

// Fills the raster, whose memory is there, with the samples of a file that has nothing else in it.
Status readPlainSamples(const ByteSource& source, const SampleRule& rule, const LoadProgress& progress, Raster& raster);

// Whether a sample of this type can have the value at all (a float32 after rounding to it).
bool representable(SampleType type, double value);

// Last step of every reader: extremes and voids are counted, a name is given, what is no height becomes a void, and
// improbable heights are warned about.
void finishRaster(Raster& raster, std::string name);

}  // namespace orogen
