#include "core/terrain/io/geotiff_writer.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <map>
#include <span>

#include "core/base/atomic_file.h"
#include "core/terrain/io/reading.h"

namespace orogen {
namespace {

constexpr std::uint16_t kAscii = 2, kShort = 3, kLong = 4, kDouble = 12, kLong8 = 16;
constexpr int kVoid16 = -32768;

bool isWhole16(float height)
{
    return std::isnan(height) || (height == std::floor(height) && height > float(kVoid16) && height <= 32767.0f);
}

using Bytes = std::vector<std::byte>;

template <class T>
void append(Bytes& bytes, T value)
{
    const std::size_t at = bytes.size();
    bytes.resize(at + sizeof value);
    std::memcpy(bytes.data() + at, &value, sizeof value);
}

// The header and directory of a little-endian TIFF or BigTIFF whose samples follow it in one strip.
class Directory
{
public:
    explicit Directory(bool big) : big_(big) {}

    template <class T>
    void set(std::uint16_t tag, std::uint16_t type, const std::vector<T>& values)
    {
        Field& field = fields_[tag];
        field = {type, values.size(), {}};
        for (const T value : values)
            append(field.bytes, value);
    }
    void set(std::uint16_t tag, const std::string& text)
    {
        set(tag, kAscii, std::vector<char>(text.c_str(), text.c_str() + text.size() + 1));
    }

    Bytes build()
    {
        setPosition(273, 0);
        setPosition(273, size());
        Bytes out, extra;
        append(out, std::uint16_t(0x4949));
        append(out, std::uint16_t(big_ ? 43 : 42));
        if (big_) append(out, std::uint32_t(8));
        appendPosition(out, big_ ? 16 : 8);
        if (big_)
            append(out, std::uint64_t(fields_.size()));
        else
            append(out, std::uint16_t(fields_.size()));
        for (const auto& [tag, field] : fields_)
            appendEntry(out, extra, tag, field);
        appendPosition(out, 0);
        out.insert(out.end(), extra.begin(), extra.end());
        return out;
    }
    void setPosition(std::uint16_t tag, std::uint64_t value)
    {
        if (big_)
            set(tag, kLong8, std::vector{value});
        else
            set(tag, kLong, std::vector{std::uint32_t(value)});
    }

private:
    struct Field
    {
        std::uint16_t type;
        std::size_t count;
        Bytes bytes;
    };

    std::size_t inlineSize() const { return big_ ? 8 : 4; }
    static std::size_t padded(std::size_t size) { return (size + 7) / 8 * 8; }
    std::size_t directoryEnd() const
    {
        return big_ ? 16 + 8 + 20 * fields_.size() + 8 : 8 + 2 + 12 * fields_.size() + 4;
    }
    std::size_t size() const
    {
        std::size_t size = directoryEnd();
        for (const auto& [tag, field] : fields_)
            if (field.bytes.size() > inlineSize()) size += padded(field.bytes.size());
        return size;
    }
    void appendPosition(Bytes& out, std::uint64_t value) const
    {
        if (big_)
            append(out, value);
        else
            append(out, std::uint32_t(value));
    }
    void appendEntry(Bytes& out, Bytes& extra, std::uint16_t tag, const Field& field) const
    {
        append(out, tag);
        append(out, field.type);
        appendPosition(out, field.count);
        if (field.bytes.size() > inlineSize())
        {
            appendPosition(out, directoryEnd() + extra.size());
            extra.insert(extra.end(), field.bytes.begin(), field.bytes.end());
            extra.resize(padded(extra.size()));
            return;
        }
        Bytes value = field.bytes;
        value.resize(inlineSize());
        out.insert(out.end(), value.begin(), value.end());
    }

    bool big_;
    std::map<std::uint16_t, Field> fields_;
};

void setGeoreference(const Raster& raster, Directory& directory)
{
    Placement placement;
    if (raster.placement)
        placement = *raster.placement;
    else if (raster.synthetic)
        placement.stepEast = raster.pixelWidth, placement.stepSouth = raster.pixelHeight;
    else
        return;
    if (placement.positioned && !placement.upright())
    {
        const MapPoint column = placement.column(), row = placement.row();
        directory.set(34264, kDouble,
                      std::vector{column.x, row.x, 0.0, placement.x, column.y, row.y, 0.0, placement.y, 0.0, 0.0, 0.0,
                                  0.0, 0.0, 0.0, 0.0, 1.0});
    }
    else
        directory.set(33550, kDouble, std::vector{placement.stepEast, placement.stepSouth, 0.0});
    if (placement.positioned && placement.upright())
        directory.set(33922, kDouble, std::vector{0.0, 0.0, 0.0, placement.x, placement.y, 0.0});
    // Model type, "a pixel is a point", and heights in metres.
    std::vector<std::uint16_t> keys = {1024, 0, 1, std::uint16_t(placement.geographic ? 2 : 1), 1025, 0, 1, 2};
    unsigned code = 0;
    if (raster.crs.starts_with("EPSG:"))
        std::from_chars(raster.crs.data() + 5, raster.crs.data() + raster.crs.size(), code);
    if (code > 0 && code < 32767)
        keys.insert(keys.end(), {std::uint16_t(placement.geographic ? 2048 : 3072), 0, 1, std::uint16_t(code)});
    const bool feet = placement.unit == 0.3048, survey = placement.unit == 1200.0 / 3937.0;
    if (!placement.geographic) keys.insert(keys.end(), {3076, 0, 1, std::uint16_t(feet ? 9002 : survey ? 9003 : 9001)});
    keys.insert(keys.end(), {4099, 0, 1, 9001});
    std::vector<std::uint16_t> all = {1, 1, 0, std::uint16_t(keys.size() / 4)};
    all.insert(all.end(), keys.begin(), keys.end());
    directory.set(34735, kShort, all);
}

Bytes headerOf(const Raster& raster, bool whole)
{
    const std::uint64_t bytes = std::uint64_t(raster.heights.size()) * (whole ? 2 : 4);
    Directory directory(bytes > 0xf000'0000u);
    directory.set(256, kLong, std::vector{std::uint32_t(raster.width)});
    directory.set(257, kLong, std::vector{std::uint32_t(raster.height)});
    directory.set(258, kShort, std::vector{std::uint16_t(whole ? 16 : 32)});
    directory.set(259, kShort, std::vector{std::uint16_t(1)});
    directory.set(262, kShort, std::vector{std::uint16_t(1)});
    directory.set(277, kShort, std::vector{std::uint16_t(1)});
    directory.set(278, kLong, std::vector{std::uint32_t(raster.height)});
    directory.setPosition(279, bytes);
    directory.set(339, kShort, std::vector{std::uint16_t(whole ? 2 : 3)});
    setGeoreference(raster, directory);
    if (raster.voids > 0) directory.set(42113, whole ? "-32768" : "nan");
    return directory.build();
}

Status writeRows(const Raster& raster, bool whole, AtomicFile& file)
{
    const std::size_t width = std::size_t(raster.width);
    std::vector<std::int16_t> row(width);
    for (std::size_t y = 0; y < std::size_t(raster.height); ++y)
    {
        const std::span<const float> heights = std::span(raster.heights).subspan(y * width, width);
        if (whole)
            std::transform(heights.begin(), heights.end(), row.begin(),
                           [](float h) { return std::isnan(h) ? std::int16_t(kVoid16) : std::int16_t(h); });
        const auto bytes = whole ? std::as_bytes(std::span(row)) : std::as_bytes(heights);
        if (Status status = file.write(bytes); !status) return status;
    }
    return Status::ok();
}

}  // namespace

Status writeGeoTiff(const Raster& raster, const std::string& path)
{
    const bool whole = std::all_of(raster.heights.begin(), raster.heights.end(), isWhole16);
    Result<AtomicFile> file = AtomicFile::create(path);
    if (!file) return file.error();
    if (Status status = file->write(headerOf(raster, whole)); !status) return status;
    if (Status status = writeRows(raster, whole, *file); !status) return status;
    return file->commit();
}

}  // namespace orogen
