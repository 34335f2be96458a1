// Input of the readers of elevation files: a regular file, or memory, such as an unpacked file. SampleType and
// SampleRule describe uncompressed samples, and their conversion to heights.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/base/status.h"
#include "core/terrain/raster/raster.h"

namespace orogen {

class ByteSource
{
public:
    // Opens a file. Error: kInput if it does not exist, cannot be read or is not a regular file.
    static Result<ByteSource> open(const std::string& path);
    static ByteSource view(std::string name, std::span<const std::byte> bytes);  // the bytes are not owned
    ByteSource(ByteSource&& other) noexcept;
    ByteSource& operator=(ByteSource&&) = delete;
    ~ByteSource();

    const std::string& name() const { return name_; }
    std::uint64_t size() const { return size_; }

    // Returns the number of bytes copied; fewer than `count` only at the end of the source or after a read error.
    std::size_t read(std::uint64_t offset, void* to, std::size_t count) const;

private:
    ByteSource(std::string name, std::uint64_t size) : name_(std::move(name)), size_(size) {}

    std::string name_;
    std::uint64_t size_ = 0;
    int file_ = -1;
    const std::byte* memory_ = nullptr;
};

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
int bytesOf(SampleType type);              // size of a sample
std::string_view nameOf(SampleType type);  // for example "int16"

// Conversion of a sample to a height in the source's unit: scale * sample + offset. Samples that equal `nodata` or are
// not finite are voids.
struct SampleRule
{
    SampleType type = SampleType::kInt16;
    bool bigEndian = false;
    std::optional<double> nodata;
    double scale = 1.0, offset = 0.0;
};

// Sets the raster's scale and offset, its nodata value if representable(), and whether samples are floating-point.
void describeSamples(const SampleRule& rule, Raster& raster);

// Converts to.size() samples, `stride` bytes apart, to heights in the source's unit.
void convertSamples(const SampleRule& rule, const std::byte* from, std::size_t stride, std::span<float> to);

// Returns the height of a sample 0 by convertSamples(); NaN if 0 means "no data".
float heightOfZero(const SampleRule& rule);

// Fills the raster, whose memory is reserved, from a file that contains only samples. Errors: kInput, the file is too
// short; kInterrupted.
Status readPlainSamples(const ByteSource& source, const SampleRule& rule, const LoadProgress& progress, Raster& raster);

// Returns whether a sample of this type can have the value. For a floating-point type, the value may be rounded.
bool representable(SampleType type, double value);

}  // namespace orogen
