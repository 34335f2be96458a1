#include "core/script_reference.h"

#include <fmt/format.h>

namespace orogen {
namespace {

// clang-format off
constexpr ScriptStepInfo kSteps[] = {
    {"set KEY VALUE", "Changes a setting; lod.split_pixels moves lod.merge_pixels along."},
    {"click ITEM", "Presses and releases the left button on a control, called PANEL/NAME."},
    {"key NAME", "Presses and releases a key: F1 to F12, a letter or digit, Tab, Home, Escape; modifiers before it, as in Ctrl+Q."},
    {"drag ITEM DX DY", "Drags a control by so many pixels to the right and down."},
    {"open FILE", "Opens another elevation model."},
    {"goto LAT LON HEIGHT", "Goes to a place, in degrees and metres above the sea: north up, straight down from 100 km on, else 20 degrees below the horizon."},
    {"bookmark set N", "Keeps the view of the Earth as bookmark N, 1 to 3."},
    {"bookmark go N", "Goes to bookmark N."},
    {"wait N", "Lets N frames pass."},
    {"wait settled", "Waits until the triangulation has converged, no tile is missing or fading in and no work is pending; fails after 60 seconds."},
    {"screenshot FILE", "Writes the picture of the frame drawn last, as PNG."},
    {"capture DIR FRAMES", "Captures a frame-time report into a folder: along the path that is loaded, else the overview; on the Earth at the view."},
    {"run MODULE key=value ...", "Begins a run of a compute module; the keys are its command's long options."},
    {"expect KEY OP VALUE", "Ends the script with exit code 10 unless it holds; OP is ==, !=, <, <=, > or >=."},
    {"quit", "Ends the program."},
};

constexpr ExpectKeyInfo kKeys[] = {
    {"frame", "The number of the frame, from 0."},
    {"leaves", "Leaves of the tree."},
    {"triangles", "Triangles that were drawn."},
    {"splits", "Leaves that were split in the last frame."},
    {"merges", "Pairs of leaves that became one in the last frame."},
    {"overflow", "Splits that were refused at capacity in the last frame."},
    {"pending", "What will still change in the picture: tiles, fades, splits and merges, rows of light; 0 when settled."},
    {"rounds", "Rounds since the last set or open, until the tree converged."},
    {"fps", "Frames a second, of the last interval."},
    {"gl_errors", "Errors that OpenGL has reported so far."},
    {"conforming", "Whether the mesh drawn last is without crack, hole and overlap; validated when asked."},
    {"cracks", "Faults of the mesh drawn last; validated when asked."},
    {"error_max_px", "Largest distance of the picture drawn last from the elevation model, in pixels; measured when asked."},
    {"error_p99_px", "The 99th percentile of that distance, in pixels; measured when asked."},
    {"error_brute_px", "The largest distance again, by the CPU: a ray for each pixel against all drawn triangles; when asked."},
    {"jump_max_px", "Largest jump of the ground between two frames, in pixels, since it was last asked for."},
    {"pick_height", "Height of the ground where the mouse last was over the picture, in metres, not exaggerated."},
    {"pick_slope", "Its slope there, in degrees."},
    {"pick_distance", "Metres from the camera to that point."},
    {"pick_leaf", "The heap index of the leaf of the tree over it."},
    {"pick_depth", "That leaf's depth."},
    {"pick_error_px", "Its value of the criterion error, in pixels."},
    {"pick_edge_px", "Its value of the criterion edge: the longest edge of a drawn triangle, in pixels."},
    {"measure_points", "Points of the measured line."},
    {"measure_distance", "Its length across, in metres."},
    {"measure_ground", "Its length along the ground, in metres."},
    {"measure_rise", "The height of its end above that of its beginning, in metres."},
    {"measure_slope", "The angle of that, in degrees."},
    {"ground", "Height of the ground under the camera, in metres, by the finest samples: resident or not, not exaggerated, without procedural detail."},
    {"latitude", "Latitude of the camera, in degrees, where the terrain has a georeference."},
    {"longitude", "Longitude of the camera, in degrees from -180 to 180, where the terrain has a georeference."},
    {"height", "Height of the camera above the sea, in metres."},
    {"insets", "Elevation models that lie in the Earth."},
    {"tiles_resident", "Tiles on the GPU, where the terrain is in tiles; 0 where it is one image."},
    {"tiles_wanted", "Tiles that the present view wants."},
    {"tiles_missing", "Wanted tiles that are not resident: a coarser one is drawn."},
    {"tiles_loading", "Tiles that are being read."},
    {"tile_bytes_read", "Bytes that were read for tiles, since the terrain was opened."},
    {"nodata_count", "Samples without data."},
    {"message", "The newest message."},
    {"laboratory.state", "idle, running, done, failed or cancelled."},
    {"module.NAME.state", "State of a compute module (multiword, signed-digit or cg), as laboratory.state."},
    {"module.NAME.result", "The main value of its last result, as JSON."},
};
// clang-format on

std::string_view nameOf(const ScriptStepInfo& step) { return step.syntax.substr(0, step.syntax.find(' ')); }

}  // namespace

std::span<const ScriptStepInfo> scriptSteps() { return kSteps; }
std::span<const ExpectKeyInfo> expectKeys() { return kKeys; }

std::string scriptStepNames()
{
    std::string names;
    std::string_view before;
    for (const ScriptStepInfo& step : kSteps)
    {
        const std::string_view name = nameOf(step);
        if (name == before) continue;
        if (!names.empty()) names += &step == std::end(kSteps) - 1 ? " or " : ", ";
        names += name;
        before = name;
    }
    return names;
}

std::string scriptHelp()
{
    std::string text = "A script has one step a line.  What follows a '#' at the start of a word is a comment; quotes\n"
                       "around the last argument keep blanks and '#'.\n\nSteps\n";
    for (const ScriptStepInfo& step : kSteps)
        text += fmt::format("  {:<26}{}\n", step.syntax, step.text);
    text += "\nKeys for expect: every setting (orogen settings), and\n";
    for (const ExpectKeyInfo& key : kKeys)
        text += fmt::format("  {:<26}{}\n", key.key, key.text);
    return text + "\nItems for click and drag: orogen view --list-items\n";
}

}  // namespace orogen
