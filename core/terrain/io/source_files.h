// The files that a terrain's name refers to: paths, sizes and versions.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/status.h"
#include "core/terrain/raster/raster.h"

namespace orogen {

// Returns whether a name is a path of GDAL's file systems ("/vsicurl/...", "/vsizip/...") or of a web service
// ("WMS:http://...", "WMTS:https://...", "https://.../{z}/{x}/{y}.png"). Only these, typed by the user, reach a
// network.
bool isGdalPath(const std::string& name);
bool isWebService(const std::string& name);    // "WMS:", "WMTS:" or isTileTemplate(); no file system
bool isTileTemplate(const std::string& name);  // http(s) with {z}, {x}, and {y} or {-y}

// Returns a terrain's paths, existing or not: the file, or the folder of tiles, and its world and .prj files. Empty for
// a synthetic terrain.
std::vector<std::string> sourceFiles(const std::string& dem);

// Returns the bytes of a file, or of all files directly in a folder; empty if it is neither, or on an error.
std::optional<std::uint64_t> sourceBytes(const std::string& dem);

// Returns kInput if `dem` can only name a file or a folder, and does not exist: an early check before setup work.
Status checkThere(const std::string& dem);

// Returns kInput for a URL that GDAL reads by another name; the message gives that name.
Status checkNoUrl(const std::string& dem);

struct FileState
{
    std::uint64_t bytes = 0;
    std::string changed;  // time of change, and the server's ETag if it sends one
};

// Local files of up to this total size (bytes) are compared by content, others by size and time of change.
inline constexpr std::uint64_t kComparedBytes = 1 << 30;

// Returns a text that changes with the content or order of these files. If one is a GDAL path (/vsi...), all contribute
// size and time of change, and GDAL paths the server's version. Contents take about 0.5 s per GB. Errors: kInput.
Result<std::string> filesVersion(const std::vector<std::string>& files);
std::string heightsVersion(std::span<const float> heights);  // for heights in memory; 0.3 s per GB

// Readers of the files beside a raster: world files, six numbers that give an image's position, and .prj files, which
// name its coordinate system.

// Returns the possible names of a raster's world file: for NAME.png they are NAME.pgw, NAME.pngw and NAME.wld.
std::vector<std::string> worldFileNames(const std::string& path);

// Reads the world file beside a raster, if there is one, into its placement and crs. Ignores files that are damaged,
// rotated, mirrored or too long, with a warning.
void readWorldFile(const std::string& path, Raster& raster);

// ---- coordinate systems: NAME.prj for NAME.asc, read through GDAL ----

// Returns the possible names of a raster's .prj file: for NAME.asc they are NAME.prj and NAME.asc.prj.
std::vector<std::string> prjFileNames(const std::string& path);

// Applies the first file of prjFileNames() that exists. Adds a warning if that file is invalid, or if the program was
// built without GDAL.
void readPrjFile(const std::string& path, Raster& raster);

}  // namespace orogen
