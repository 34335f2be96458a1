#include "core/terrain/io/source_overrides.h"

#include <cmath>

#include <fmt/format.h>

#include "core/base/terminal_text.h"
#include "core/base/text.h"

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

std::string optionsOf(const SourceOverrides& overrides)
{
    std::string text;
    if (overrides.nodata) text += fmt::format(" --nodata {}", *overrides.nodata);
    if (overrides.pixelSize) text += fmt::format(" --pixel-size {},{}", overrides.pixelSize->x, overrides.pixelSize->y);
    if (!overrides.crs.empty()) text += " --crs " + overrides.crs;
    if (overrides.unit) text += fmt::format(" --unit {}", nameOf(*overrides.unit));
    return text;
}

}  // namespace orogen
