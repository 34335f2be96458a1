// Tracks, lines, outlines of polygons and points of GPX and GeoJSON files, to be drawn on the ground.
//
// Sources: GPX 1.1 (topografix.com), RFC 7946 (GeoJSON).  Heights in the files are not used.  Coordinates are longitude
// and latitude on WGS 84.  Names of points: <name> of a GPX waypoint, "name" among the properties of a GeoJSON feature.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/status.h"
#include "core/terrain/raster/projection.h"

namespace orogen {

struct Overlay
{
    static constexpr std::size_t kMostPlaces = 2'000'000;        // vertices of lines, and points
    static constexpr std::size_t kMostNames = 10'000;            // further points have no name
    static constexpr std::size_t kLongestName = 64;              // bytes; the rest is cut off
    static constexpr std::uint64_t kLargestGpx = 512u << 20;     // bytes
    static constexpr std::uint64_t kLargestGeoJson = 64u << 20;  // bytes: its tree takes some ten times as much

    std::vector<LatLong> line;         // vertices of all lines
    std::vector<std::uint8_t> begins;  // 1 for the first vertex of each line
    std::vector<LatLong> points;
    std::vector<std::string> names;  // names of the first names.size() points; "": no name

    std::size_t lines() const;
    bool empty() const { return line.empty() && points.empty(); }
};

// Reads a file, as GPX if it begins with '<', else as GeoJSON. Errors, kInput, name the file, the place in it, what was
// found and what was expected. A file without any line or point is an error, too.
Result<Overlay> readOverlay(const std::string& file);
// Parse a file's content. `source`: the file's name, for messages. An overlay without lines and points is no error.
Result<Overlay> parseGpx(std::string_view text, const std::string& source);
Result<Overlay> parseGeoJson(std::string_view text, const std::string& source);

// Returns whether the name ends as overlays do: .gpx, .geojson or .json.
bool isOverlayName(std::string_view file);

}  // namespace orogen
