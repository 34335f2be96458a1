#include "core/terrain/raster/raster.h"

#include <algorithm>

namespace orogen {

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

}  // namespace orogen
