#include "core/terrain/raster/ground_point.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace orogen {

namespace {

// Returns the slope (metres per metre) over half a sample to either side, clamped to the raster.
double riseOver(double at, double half, double edge, const auto& height)
{
    const double low = std::clamp(at - half, -edge, edge), high = std::clamp(at + half, -edge, edge);
    return high > low ? (height(high) - height(low)) / (high - low) : 0.0;
}

}  // namespace

GroundPoint groundPointAt(const HeightField& field, double east, double north)
{
    const auto height = [&field](double e, double n) { return double(heightAt(field, e, n)); };
    return groundPointAt(field, {height, field.pixelWidth, field.pixelHeight}, east, north);
}

GroundPoint groundPointAt(const HeightField& field, const FinerGround& finer, double east, double north)
{
    const double width = (field.width - 1) * field.pixelWidth, height = (field.height - 1) * field.pixelHeight;
    GroundPoint point;
    point.inside = std::abs(east) <= width / 2 && std::abs(north) <= height / 2;
    const double x = std::clamp(east, -width / 2, width / 2), y = std::clamp(north, -height / 2, height / 2);
    point.height = finer.height(x, y);
    const double toEast = riseOver(x, finer.spacingEast / 2, width / 2, [&](double e) { return finer.height(e, y); });
    const double toNorth =
        riseOver(y, finer.spacingNorth / 2, height / 2, [&](double n) { return finer.height(x, n); });
    const double degrees = 180.0 / std::numbers::pi;
    point.slope = std::atan(std::hypot(toEast, toNorth)) * degrees;
    if (point.slope > 0) point.aspect = std::fmod(std::atan2(-toEast, -toNorth) * degrees + 360.0, 360.0);
    if (!field.voidMask.empty())
    {
        const auto column = std::size_t(std::lround(x / field.pixelWidth + (field.width - 1) / 2.0));
        const auto row = std::size_t(std::lround((field.height - 1) / 2.0 - y / field.pixelHeight));
        point.isVoid = field.voidMask[row * std::size_t(field.width) + column] != 0;
    }
    return point;
}

}  // namespace orogen
