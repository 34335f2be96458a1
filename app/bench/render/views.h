// Views that figures of level of detail are measured in.
#pragma once

#include <array>
#include <string_view>

namespace orogen::app {

// As the settings view.position, view.yaw and view.pitch, with view.fov at its default.
struct BenchView
{
    std::string_view name;
    double east, north, up;  // metres, from the raster's centre; above the heights' zero
    double yaw, pitch;       // degrees
};

// Low over Big Tujunga: an excerpt of SRTM at 30 m, 1197 x 643 samples, EPSG:32611, heights 315 to 2295 m.  It is not
// shipped; whoever measures names the file.  About 80 m above the ground, over the mouth of the canyon, a ridge and the
// crest in the east.
inline constexpr std::array<BenchView, 3> kBigTujungaViews = {{
    {"canyon", -9000, -2000, 720, 60, -8},
    {"ridge", 2000, 3000, 1300, 200, -8},
    {"crest", 9000, -5000, 1430, 330, -8},
}};

// What the views are drawn with: `orogen view DEM --headless --size 640x360` with these settings, at rest.
inline constexpr std::array<std::string_view, 5> kBigTujungaSettings = {
    "cbt.depth=24", "cbt.leaf_capacity=1048576", "patch.level=2", "lod.criterion=error", "lod.error_pixels=1"};

}  // namespace orogen::app
