#include "core/terrain/io/raw_reader.h"

#include <array>
#include <cctype>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "core/base/text.h"

namespace orogen {
namespace {

constexpr std::array<std::pair<std::string_view, SampleType>, 5> kTypes = {{
    {"i16", SampleType::kInt16},
    {"u16", SampleType::kUint16},
    {"i32", SampleType::kInt32},
    {"u32", SampleType::kUint32},
    {"f32", SampleType::kFloat32},
}};

std::string lowerName(const std::string& path)
{
    std::string name = path.substr(path.rfind('/') + 1);
    for (char& c : name)
        c = char(std::tolower(static_cast<unsigned char>(c)));
    return name;
}

// Layout given by a file's name.
struct RawName
{
    std::uint64_t width = 0, height = 0;
    std::optional<SampleType> type;
    bool bigEndian = false;
};

// Returns the layout; empty if the name has no size.
std::optional<RawName> parseRawName(const std::string& path)
{
    const std::string file = lowerName(path);
    const std::size_t dot = file.rfind('.');
    if (dot == std::string::npos) return std::nullopt;
    std::string_view stem = std::string_view(file).substr(0, dot);
    RawName name;
    const auto lastWord = [&] { return stem.substr(stem.rfind('_') + 1); };
    std::string_view word = lastWord();
    if (word.ends_with("be")) name.bigEndian = true, word.remove_suffix(2);
    for (const auto& [known, type] : kTypes)
        if (word == known) name.type = type;
    if (name.type)
        stem.remove_suffix(std::min(stem.size(), lastWord().size() + 1));
    else
        name = {};
    const std::string_view size = lastWord();
    const std::size_t cross = size.find('x');
    if (cross == std::string_view::npos) return std::nullopt;
    const auto width = numberIn<std::uint64_t>(size.substr(0, cross));
    const auto height = numberIn<std::uint64_t>(size.substr(cross + 1));
    if (!width || !height) return std::nullopt;
    name.width = *width, name.height = *height;
    if (file.ends_with(".r16") && !name.type) name.type = SampleType::kUint16;
    if (file.ends_with(".r32") && !name.type) name.type = SampleType::kFloat32;
    return name;
}

// Returns the type given by the name or the file's length; an error if they do not match.
Result<SampleType> typeOf(const ByteSource& source, const RawName& name)
{
    const std::uint64_t samples = name.width * name.height;
    const std::uint64_t size = source.size();
    if (name.type)
    {
        if (size == samples * std::uint64_t(bytesOf(*name.type))) return *name.type;
        return inputError(source.name(), fmt::format("{} bytes, expected {} for {} x {} samples of {}", size,
                                                     samples * std::uint64_t(bytesOf(*name.type)), name.width,
                                                     name.height, nameOf(*name.type)));
    }
    if (size == 2 * samples) return SampleType::kInt16;
    if (size == 4 * samples) return SampleType::kFloat32;
    return inputError(source.name(), fmt::format("{} bytes, expected {} or {} for {} x {} samples of 16 or 32 bits",
                                                 size, 2 * samples, 4 * samples, name.width, name.height));
}

}  // namespace

bool isRawName(const std::string& path)
{
    const std::string name = lowerName(path);
    return name.ends_with(".raw") || name.ends_with(".r16") || name.ends_with(".r32");
}

Result<Raster> readRaw(const ByteSource& source, const LoadProgress& progress)
{
    const std::optional<RawName> name = parseRawName(source.name());
    if (!name)
        return inputError(source.name(), "a raw file's name must say its size: expected NAME_WIDTHxHEIGHT.raw or "
                                         "NAME_WIDTHxHEIGHT_TYPE.raw, TYPE i16, u16, i32, u32 or f32, with be for "
                                         "big-endian");
    if (Status status = checkSides(source.name(), name->width, name->height); !status) return status.error();
    const Result<SampleType> type = typeOf(source, *name);
    if (!type) return type.error();
    Raster raster;
    raster.name = source.name();
    raster.format = "raw";
    raster.bits = 8 * bytesOf(*type);
    raster.warnings.push_back(
        fmt::format("raw samples are read as {}-endian {}", name->bigEndian ? "big" : "little", nameOf(*type)));
    if (Status status = reserveHeights(raster, name->width, name->height); !status) return status.error();
    SampleRule rule;
    rule.type = *type;
    rule.bigEndian = name->bigEndian;
    if (rule.type == SampleType::kInt16) rule.nodata = -32768;
    if (Status status = readPlainSamples(source, rule, progress, raster); !status) return status.error();
    describeSamples(rule, raster);
    return raster;
}

}  // namespace orogen
