#include "core/terrain/raster/raster.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <new>
#include <string>

#include <fmt/format.h>

#include "core/base/memory.h"
#include "core/base/text.h"

namespace orogen {
namespace {

constexpr std::array<std::string_view, 3> kNames = {"metre", "foot", "us-foot"};
// Codes of the EPSG registry, version 10.076.
constexpr auto kInFeet = std::to_array<int>({5614, 6130, 6131, 6132, 8050, 8051, 8228});
constexpr auto kInUsFeet = std::to_array<int>({5702, 6358, 6359, 6360, 8052, 8053});
constexpr auto kInOtherUnits = std::to_array<int>({5754});
constexpr auto kDownwards =
    std::to_array<int>({5336, 5612, 5614, 5706, 5715, 5734, 5739, 5789, 5831, 5861, 5862, 5863, 5864, 5865,
                        5866, 5867, 5873, 6357, 6358, 6359, 7976, 8051, 8053, 8358, 9287, 9288, 9672});
// Geographic systems with heights above the ellipsoid: WGS 84, ETRS89, NAD83, ITRF, and national ones.
constexpr auto kWithThreeAxes =
    std::to_array<int>({4893, 4937, 4939, 4955, 4957, 4959, 4977, 4979, 4989, 6319, 6321, 6324, 6667,
                        7657, 7659, 7661, 7663, 7665, 7816, 7843, 7909, 7910, 7911, 7912, 9754, 9989});

bool isOneOf(const auto& codes, int code) { return std::ranges::find(codes, code) != codes.end(); }

}  // namespace

double metresOf(HeightUnit unit)
{
    return unit == HeightUnit::kMetre ? 1.0 : unit == HeightUnit::kFoot ? 0.3048 : 1200.0 / 3937.0;
}

std::string_view nameOf(HeightUnit unit) { return kNames[std::size_t(unit)]; }

std::optional<HeightUnit> heightUnitNamed(std::string_view name)
{
    const auto found = std::ranges::find(kNames, name);
    if (found == kNames.end()) return std::nullopt;
    return HeightUnit(found - kNames.begin());
}

std::optional<HeightUnit> heightUnitOfWords(std::string_view words)
{
    std::string letters;
    for (const char c : words)
        if (std::isalpha(static_cast<unsigned char>(c))) letters += char(std::tolower(static_cast<unsigned char>(c)));
    const auto oneOf = [&letters](auto... names) { return ((letters == names) || ...); };
    if (oneOf("m", "metre", "meter", "metres", "meters")) return HeightUnit::kMetre;
    if (oneOf("ft", "foot", "feet", "internationalfoot", "internationalfeet", "footintl", "ftintl"))
        return HeightUnit::kFoot;
    if (oneOf("usft", "ftus", "ussurveyfoot", "ussurveyfeet", "footus", "feetus", "surveyfoot", "surveyfeet"))
        return HeightUnit::kUsFoot;
    return std::nullopt;
}

std::optional<HeightUnit> heightUnitOfEpsg(int unit)
{
    if (unit < 9001 || unit > 9003) return std::nullopt;
    return HeightUnit(unit - 9001);
}

std::optional<HeightUnit> heightUnitOfVerticalCrs(int crs)
{
    if (isOneOf(kInFeet, crs)) return HeightUnit::kFoot;
    if (isOneOf(kInUsFeet, crs)) return HeightUnit::kUsFoot;
    // All other systems in the registry, which has codes from 1024 on, are in metres.
    return crs >= 1024 && crs < 32767 && !isOneOf(kInOtherUnits, crs) ? std::optional(HeightUnit::kMetre)
                                                                      : std::nullopt;
}

std::optional<bool> aboveEllipsoid(int verticalCrs, int geographicCrs)
{
    // GeoTIFF 1.0 has codes for heights above each ellipsoid. GeoTIFF 1.1 names a geographic system with three axes, in
    // either key.
    constexpr int kUserDefined = 32767;
    if ((verticalCrs >= 5001 && verticalCrs <= 5033) || isOneOf(kWithThreeAxes, verticalCrs)) return true;
    if (verticalCrs >= 1024 && verticalCrs < kUserDefined) return false;
    return isOneOf(kWithThreeAxes, geographicCrs) ? std::optional(true) : std::nullopt;
}

bool countsDownwards(int crs) { return isOneOf(kDownwards, crs); }

float heightAt(const Raster& raster, double east, double north)
{
    const double x = std::clamp(east / raster.pixelWidth + (raster.width - 1) / 2.0, 0.0, raster.width - 1.0);
    const double y = std::clamp((raster.height - 1) / 2.0 - north / raster.pixelHeight, 0.0, raster.height - 1.0);
    const int x0 = std::min(int(x), raster.width - 2), y0 = std::min(int(y), raster.height - 2);
    const double u = x - x0, v = y - y0;
    double height = 0;
    // Samples of weight 0 may be voids, so they are skipped.
    const auto add = [&](int dx, int dy, double weight) {
        if (weight > 0) height += weight * double(raster.at(x0 + dx, y0 + dy));
    };
    add(0, 0, (1 - u) * (1 - v)), add(1, 0, u * (1 - v)), add(0, 1, (1 - u) * v), add(1, 1, u * v);
    return float(height);
}

Error inputError(std::string_view name, std::string_view what)
{
    return {ExitCode::kInput, printable(name) + ": " + printable(what)};
}

Status checkSides(const std::string& name, std::uint64_t width, std::uint64_t height, std::uint64_t largest)
{
    const auto fits = [largest](std::uint64_t side) { return side >= 2 && side <= largest; };
    if (fits(width) && fits(height)) return Status::ok();
    return inputError(name, fmt::format("{} x {} samples, expected 2 to {} a side", width, height, largest));
}

Status reserveHeights(Raster& raster, std::uint64_t width, std::uint64_t height, std::uint64_t extraBytes)
{
    if (Status status = checkSides(raster.name, width, height); !status) return status;
    const std::uint64_t bytes = width * height * sizeof(float) + extraBytes;
    // Skip the check of free memory for small rasters.
    if (bytes > (64u << 20))
        if (Status status = checkMemory(printable(raster.name), bytes); !status) return status;
    try
    {
        raster.heights.clear();
        raster.heights.reserve(std::size_t(width * height));
    }
    catch (const std::bad_alloc&)
    {
        return checkMemory(printable(raster.name), bytes, {0});
    }
    raster.width = int(width);
    raster.height = int(height);
    return Status::ok();
}

Status allocateHeights(Raster& raster, std::uint64_t width, std::uint64_t height, std::uint64_t extraBytes)
{
    if (Status status = reserveHeights(raster, width, height, extraBytes); !status) return status;
    raster.heights.assign(std::size_t(width * height), kVoid);
    return Status::ok();
}

bool Progress::at(std::uint64_t done, std::uint64_t total)
{
    const int percent = int(100.0 * double(done) / double(std::max<std::uint64_t>(total, 1)));
    if (!callback_ || percent == lastPercent_) return true;
    lastPercent_ = percent;
    return callback_(double(done) / double(std::max<std::uint64_t>(total, 1)), what_);
}

Error Progress::interrupted() const { return {ExitCode::kInterrupted, printable(what_) + ": interrupted"}; }

void finishRaster(Raster& raster, std::string name)
{
    raster.name = std::move(name);
    raster.voids = 0;
    std::uint64_t absurd = 0, infinite = 0;
    float mark = 0;  // one of the heights beyond kLargestHeight, for the warning
    float lowest = std::numeric_limits<float>::infinity(), highest = -lowest;
    for (float& height : raster.heights)
    {
        if (std::fabs(height) <= kLargestHeight)
        {
            lowest = std::min(lowest, height);
            highest = std::max(highest, height);
            continue;
        }
        if (std::isfinite(height)) ++absurd, mark = height;
        if (std::isinf(height)) ++infinite;
        height = kVoid;
        ++raster.voids;
    }
    const bool known = lowest <= highest;
    raster.minHeight = known ? lowest : 0.0f;
    raster.maxHeight = known ? highest : 0.0f;
    if (infinite > 0) raster.warnings.push_back(counted(infinite, "infinite sample") + " read as voids");
    if (!known) raster.warnings.push_back("no sample has data");
    if (lowest == highest) raster.warnings.push_back(fmt::format("all heights are {:g} m: a plane is drawn", lowest));
    if (absurd > 0)
        raster.warnings.push_back(
            fmt::format("{} beyond {:g} m, such as {:g}, {}: a nodata value that the file does not name? --nodata {:g} "
                        "says so",
                        counted(absurd, "sample"), kLargestHeight, mark,
                        absurd == 1 ? "is read as a void" : "are read as voids", mark));
    warnOfImprobableHeights(raster);
}

void warnOfImprobableHeights(Raster& raster)
{
    // The Challenger Deep and Mount Everest, with a margin.
    if (raster.minHeight < -11'500.0f || raster.maxHeight > 9'000.0f)
        raster.warnings.push_back(
            fmt::format("heights from {:g} to {:g} m, which the Earth does not have: another unit (--unit), "
                        "or a nodata value that the file does not name (--nodata)?",
                        raster.minHeight, raster.maxHeight));
}

}  // namespace orogen
