#include "core/terrain/io/byte_source.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include "core/base/half_float.h"

namespace orogen {

ByteSource::ByteSource(ByteSource&& other) noexcept
    : name_(std::move(other.name_)), size_(other.size_), file_(std::exchange(other.file_, -1)), memory_(other.memory_)
{
}

ByteSource::~ByteSource()
{
    if (file_ >= 0) ::close(file_);
}

Result<ByteSource> ByteSource::open(const std::string& path)
{
    // O_NONBLOCK: opening a named pipe must not block; it is rejected afterwards.
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) return inputError(path, std::strerror(errno));
    struct stat about
    {
    };
    const bool known = ::fstat(file, &about) == 0;
    ByteSource source(path, known ? std::uint64_t(about.st_size) : 0);
    source.file_ = file;
    if (!known) return inputError(path, std::strerror(errno));
    if (!S_ISREG(about.st_mode)) return inputError(path, "not a regular file");
    return source;
}

ByteSource ByteSource::view(std::string name, std::span<const std::byte> bytes)
{
    ByteSource source(std::move(name), bytes.size());
    source.memory_ = bytes.data();
    return source;
}

std::size_t ByteSource::read(std::uint64_t offset, void* to, std::size_t count) const
{
    if (offset >= size_ || count == 0) return 0;
    count = std::size_t(std::min<std::uint64_t>(count, size_ - offset));
    if (file_ < 0)
    {
        std::memcpy(to, memory_ + offset, count);
        return count;
    }
    std::size_t done = 0;
    while (done < count)
    {
        const ssize_t now = ::pread(file_, static_cast<std::byte*>(to) + done, count - done, off_t(offset + done));
        if (now < 0 && errno == EINTR) continue;
        if (now <= 0) break;
        done += std::size_t(now);
    }
    return done;
}

namespace {

template <class T>
T loadSample(const std::byte* from, bool swapped)
{
    std::byte bytes[sizeof(T)];
    std::memcpy(bytes, from, sizeof(T));
    if (swapped) std::reverse(bytes, bytes + sizeof(T));
    T value;
    std::memcpy(&value, bytes, sizeof(T));
    return value;
}

// IEEE 754 binary16, for which C++20 has no type.
struct Half
{
    std::uint16_t bits = 0;

    // Infinity becomes NaN: neither is a height.
    explicit operator float() const { return (bits & 0x7fffu) >= 0x7c00u ? kVoid : floatOfHalf(bits); }
};

// Converts a nodata value, which must be representable(), to the nearest sample.
template <class T>
T nearestSample(double value)
{
    constexpr double kMostBytes = double(std::numeric_limits<T>::max());
    if constexpr (std::is_same_v<T, float>)
        if (std::isfinite(value)) value = std::clamp(value, -kMostBytes, kMostBytes);
    if constexpr (std::is_integral_v<T>)
        if (value >= kMostBytes) return std::numeric_limits<T>::max();  // for 64 bits, kMostBytes is rounded up
    return T(value);
}

template <class T>
void convertTyped(const SampleRule& rule, const std::byte* from, std::size_t stride, std::span<float> to)
{
    const bool swapped = rule.bigEndian != (std::endian::native == std::endian::big);
    const bool plain = rule.scale == 1.0 && rule.offset == 0.0;
    const bool hasNodata = rule.nodata && representable(rule.type, *rule.nodata);
    using Value = std::conditional_t<std::is_same_v<T, Half>, float, T>;
    Value nodata = hasNodata ? nearestSample<Value>(*rule.nodata) : Value{};
    if constexpr (std::is_same_v<T, Half>)
        if (std::isfinite(nodata)) nodata = floatOfHalf(halfOf(nodata));
    for (float& height : to)
    {
        const Value sample = Value(loadSample<T>(from, swapped));
        from += stride;
        // A float64 beyond float32 becomes infinite, so it is a void.
        height = plain ? float(sample) : float(double(sample) * rule.scale + rule.offset);
        if ((hasNodata && sample == nodata) || !std::isfinite(height)) height = kVoid;
    }
}

template <class T>
bool holds(double value)
{
    return value >= double(std::numeric_limits<T>::min()) && value <= double(std::numeric_limits<T>::max()) &&
           value == std::floor(value);
}

}  // namespace

int bytesOf(SampleType type)
{
    constexpr int kBytes[] = {1, 1, 2, 2, 4, 4, 8, 8, 2, 4, 8};
    return kBytes[int(type)];
}

std::string_view nameOf(SampleType type)
{
    constexpr std::string_view kNames[] = {"uint8",  "int8",  "uint16",  "int16",   "uint32", "int32",
                                           "uint64", "int64", "float16", "float32", "float64"};
    return kNames[int(type)];
}

bool representable(SampleType type, double value)
{
    switch (type)
    {
    case SampleType::kUint8:
        return holds<std::uint8_t>(value);
    case SampleType::kInt8:
        return holds<std::int8_t>(value);
    case SampleType::kUint16:
        return holds<std::uint16_t>(value);
    case SampleType::kInt16:
        return holds<std::int16_t>(value);
    case SampleType::kUint32:
        return holds<std::uint32_t>(value);
    case SampleType::kInt32:
        return holds<std::int32_t>(value);
    case SampleType::kUint64:
        return holds<std::uint64_t>(value);
    case SampleType::kInt64:
        return holds<std::int64_t>(value);
    case SampleType::kFloat16:
        return !std::isfinite(value) || std::fabs(value) <= double(kLargestHalf);
    case SampleType::kFloat32:
        // Accept -3.4028234663852886e+38 and its shortened notations as the most negative float32.
        return std::isnan(value) || std::isinf(value) ||
               std::fabs(value) <= double(std::numeric_limits<float>::max()) * (1 + 1e-7);
    case SampleType::kFloat64:
        return true;
    }
    return false;
}

void describeSamples(const SampleRule& rule, Raster& raster)
{
    raster.code = {rule.scale, rule.offset, 1.0};
    if (rule.nodata && representable(rule.type, *rule.nodata)) raster.nodata = rule.nodata;
    raster.fractional = rule.type >= SampleType::kFloat16;
}

void convertSamples(const SampleRule& rule, const std::byte* from, std::size_t stride, std::span<float> to)
{
    switch (rule.type)
    {
    case SampleType::kUint8:
        return convertTyped<std::uint8_t>(rule, from, stride, to);
    case SampleType::kInt8:
        return convertTyped<std::int8_t>(rule, from, stride, to);
    case SampleType::kUint16:
        return convertTyped<std::uint16_t>(rule, from, stride, to);
    case SampleType::kInt16:
        return convertTyped<std::int16_t>(rule, from, stride, to);
    case SampleType::kUint32:
        return convertTyped<std::uint32_t>(rule, from, stride, to);
    case SampleType::kInt32:
        return convertTyped<std::int32_t>(rule, from, stride, to);
    case SampleType::kUint64:
        return convertTyped<std::uint64_t>(rule, from, stride, to);
    case SampleType::kInt64:
        return convertTyped<std::int64_t>(rule, from, stride, to);
    case SampleType::kFloat16:
        return convertTyped<Half>(rule, from, stride, to);
    case SampleType::kFloat32:
        return convertTyped<float>(rule, from, stride, to);
    case SampleType::kFloat64:
        return convertTyped<double>(rule, from, stride, to);
    }
}

float heightOfZero(const SampleRule& rule)
{
    const std::array<std::byte, 8> zero{};
    float height = kVoid;
    convertSamples(rule, zero.data(), zero.size(), {&height, 1});
    return height;
}

Status readPlainSamples(const ByteSource& source, const SampleRule& rule, const LoadProgress& callback, Raster& raster)
{
    Progress progress(callback, raster.name);
    const std::size_t width = std::size_t(raster.width), stride = std::size_t(bytesOf(rule.type));
    std::vector<std::byte> row(width * stride);
    for (std::size_t y = 0; y < std::size_t(raster.height); ++y)
    {
        if (!progress.at(y, std::uint64_t(raster.height))) return progress.interrupted();
        const std::size_t count = source.read(y * row.size(), row.data(), row.size());
        if (count != row.size())
            return inputError(raster.name, fmt::format("row {}: {} bytes at offset {}, expected {}", y, count,
                                                       y * row.size(), row.size()));
        raster.heights.resize((y + 1) * width);
        convertSamples(rule, row.data(), stride, std::span(raster.heights).subspan(y * width, width));
    }
    return Status::ok();
}

}  // namespace orogen
