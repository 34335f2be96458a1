#include "core/terrain/io/source_overrides.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/terrain/raster/georeference.h"
#include "core/terrain/raster/raster.h"

namespace orogen {
namespace {

Error expected(std::string_view found, std::string_view what)
{
    return {ExitCode::kUsage, fmt::format("found '{}', expected {}", printable(found), what)};
}

std::optional<double> metresIn(std::string_view text) { return numberIn<double>(trimmed(text), 1e-3, 1e6); }

}  // namespace

Result<double> parseNodata(std::string_view text)
{
    const std::optional<double> value = numberIn<double>(trimmed(text));
    if (!value || !std::isfinite(*value)) return expected(text, "a number such as -9999");
    return *value;
}

Result<PixelSize> parsePixelSize(std::string_view text)
{
    const std::size_t comma = text.find(',');
    const std::optional<double> x = metresIn(text.substr(0, comma));
    const std::optional<double> y = comma == std::string_view::npos ? x : metresIn(text.substr(comma + 1));
    if (!x || !y) return expected(text, "X,Y in metres, each 0.001 to 1000000");
    return PixelSize{*x, *y};
}

Result<std::string> parseCrs(std::string_view text)
{
    std::string_view digits = trimmed(text);
    if (digits.size() > 5 && (digits.starts_with("EPSG:") || digits.starts_with("epsg:"))) digits.remove_prefix(5);
    const std::optional<int> code = numberIn<int>(digits, 1024, 999'999);
    if (!code) return expected(text, "a code of the EPSG registry such as EPSG:32611, 1024 to 999999");
    return fmt::format("EPSG:{}", *code);
}

Result<HeightUnit> parseHeightUnit(std::string_view text)
{
    const std::optional<HeightUnit> unit = heightUnitNamed(trimmed(text));
    if (!unit) return expected(text, "metre, foot or us-foot");
    return *unit;
}

Result<HeightEncoding> parseHeightEncoding(std::string_view text)
{
    for (const HeightEncoding encoding : {HeightEncoding::kTerrarium, HeightEncoding::kTerrainRgb})
        if (trimmed(text) == nameOf(encoding)) return encoding;
    return expected(text, "terrarium or terrain-rgb");
}

const char* nameOf(HeightEncoding encoding)
{
    return encoding == HeightEncoding::kTerrarium ? "terrarium" : "terrain-rgb";
}

std::string optionsOf(const SourceOverrides& overrides)
{
    std::string text;
    if (overrides.nodata) text += fmt::format(" --nodata {}", *overrides.nodata);
    if (overrides.pixelSize) text += fmt::format(" --pixel-size {},{}", overrides.pixelSize->x, overrides.pixelSize->y);
    if (!overrides.crs.empty()) text += " --crs " + overrides.crs;
    if (overrides.unit) text += fmt::format(" --unit {}", nameOf(*overrides.unit));
    if (overrides.encoding) text += fmt::format(" --encoding {}", nameOf(*overrides.encoding));
    return text;
}

namespace {

// Values that writers use for "no data" without declaring it. finishRaster() already makes those beyond kLargestHeight
// voids.
constexpr std::array<double, 9> kMarks = {-9999, -99999, -32768, -32767, -999, 9999, 32767, 65535, 99999};
constexpr float kGap = 100.0f;     // minimum distance of a marker from other heights (metres)
constexpr float kZeroGap = 20.0f;  // minimum for zeros on the border (metres): nearer heights may be the coast of a sea

struct Neighbours
{
    std::uint64_t count = 0;                                // samples with the value
    float below = -std::numeric_limits<float>::infinity();  // nearest other heights
    float above = std::numeric_limits<float>::infinity();
};

Neighbours neighboursOf(const Raster& raster, float value)
{
    Neighbours found;
    for (const float height : raster.heights)
        if (height == value)
            ++found.count;
        else if (height < value)
            found.below = std::max(found.below, height);
        else if (height > value)
            found.above = std::min(found.above, height);
    return found;
}

bool onBorder(const Raster& raster, float value)
{
    for (int x = 0; x < raster.width; ++x)
        if (raster.at(x, 0) == value || raster.at(x, raster.height - 1) == value) return true;
    for (int y = 0; y < raster.height; ++y)
        if (raster.at(0, y) == value || raster.at(raster.width - 1, y) == value) return true;
    return false;
}

void warnOfMark(Raster& raster, double mark, std::uint64_t count)
{
    raster.warnings.push_back(fmt::format("{} sample{} of {:g}, far from all other heights: a nodata value that the "
                                          "file does not name? --nodata {:g} masks it",
                                          count, count == 1 ? "" : "s", mark, mark));
}

void warnOfMarks(Raster& raster)
{
    float lowest = std::numeric_limits<float>::infinity(), highest = -lowest;
    for (const float height : raster.heights)
        if (std::fabs(height) <= kLargestHeight)
        {
            lowest = std::min(lowest, height);
            highest = std::max(highest, height);
        }
    if (!(lowest < highest)) return;
    for (const double mark : kMarks)
    {
        const float height = raster.code.heightOf(mark);
        // Make a pass over the samples only for markers within the range of heights; most rasters have none.
        if (height < lowest || height > highest) continue;
        const Neighbours around = neighboursOf(raster, height);
        if (around.count > 0 && height - around.below > kGap && around.above - height > kGap)
            warnOfMark(raster, mark, around.count);
    }
    const float zero = raster.code.heightOf(0.0);
    if (zero == lowest && onBorder(raster, zero))
        if (const Neighbours around = neighboursOf(raster, zero); around.above - zero > kZeroGap)
            warnOfMark(raster, 0.0, around.count);
}

// Sets the user's coordinate system, and adapts the placement to it.
void applyCrs(const std::string& crs, Raster& raster)
{
    raster.crs = crs;
    raster.projection = MapProjection::ofCrs(crs);
    if (!raster.projection)
        raster.warnings.push_back(
            fmt::format("{}: latitude and longitude are not known for this coordinate system", crs));
    if (!raster.placement) return;
    Placement& placement = *raster.placement;
    placement.guessed = false;
    if (!raster.projection) return;
    placement.geographic = raster.projection->isGeographic();
    placement.unit = 1.0;
}

void applyPixelSize(const PixelSize& size, Raster& raster)
{
    raster.pixelWidth = size.x;
    raster.pixelHeight = size.y;
    if (!raster.placement) raster.placement = Placement{.positioned = false};
    Placement& placement = *raster.placement;
    // A pixel size in metres does not move samples placed in degrees or Web Mercator, so the placement is kept.
    if (placement.geographic || (raster.projection && raster.projection->isWebMercator())) return;
    placement.stepEast = size.x / placement.unit;
    placement.stepSouth = size.y / placement.unit;
}

}  // namespace

void takeMetres(Raster& raster, const SourceOverrides& overrides)
{
    if (overrides.nodata)
    {
        raster.nodata = overrides.nodata;
        // A file of float32 samples stores the number rounded to float32, so both values count as no data.
        const float exact = raster.code.heightOf(*overrides.nodata);
        const float rounded = raster.code.heightOf(double(float(*overrides.nodata)));
        for (float& height : raster.heights)
            if (height == exact || height == rounded) height = kVoid;
    }
    if (overrides.unit) raster.heightUnit = overrides.unit;
    const double unit = metresOf(raster.heightUnit.value_or(HeightUnit::kMetre));
    if (unit == 1.0) return;
    raster.code.unit = unit;
    for (float& height : raster.heights)
        height = float(double(height) * unit);
    raster.warnings.push_back(fmt::format("heights in {} were converted to metres",
                                          raster.heightUnit == HeightUnit::kFoot ? "feet" : "US survey feet"));
}

Status finalizeRaster(Raster& raster, const SourceOverrides& overrides)
{
    warnOfMarks(raster);
    finishRaster(raster, raster.name);
    return finalizePlacement(raster, overrides);
}

Status finalizePlacement(Raster& raster, const SourceOverrides& overrides)
{
    if (!overrides.crs.empty()) applyCrs(overrides.crs, raster);
    if (overrides.pixelSize && !raster.placement) applyPixelSize(*overrides.pixelSize, raster);
    const std::size_t warnings = raster.warnings.size();
    const Status status = setPixelSize(raster);
    if (!overrides.pixelSize) return status;
    raster.warnings.resize(warnings);  // setPixelSize() warned of a size that the override replaces
    applyPixelSize(*overrides.pixelSize, raster);
    return Status::ok();
}

}  // namespace orogen
