// Metadata that the user supplies in place of those in an elevation model's file. Also the steps that apply them,
// which sources run after reading samples or headers.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/base/status.h"
#include "core/terrain/raster/raster.h"

namespace orogen {

struct PixelSize
{
    double x = 0, y = 0;  // metres on the ground, each 0.001 ... 1,000,000
    bool operator==(const PixelSize&) const = default;
};

// Encoding of heights in the colours of a picture with 8 bits per channel (red R, green G, blue B; metres).
enum class HeightEncoding
{
    kTerrarium,   // Mapzen's terrain tiles: 256 R + G + B / 256 - 32,768
    kTerrainRgb,  // Mapbox's Terrain-RGB: 0.1 (65,536 R + 256 G + B) - 10,000
};

// Overrides; empty members leave the file's value.
struct SourceOverrides
{
    std::optional<double> nodata;  // samples of this value are voids, in addition to the file's nodata value
    std::optional<PixelSize> pixelSize;
    std::string crs;                         // "EPSG:32611"; empty: the file's
    std::optional<HeightUnit> unit;          // unit of the samples
    std::optional<HeightEncoding> encoding;  // empty: the samples are heights

    bool any() const { return nodata || pixelSize || !crs.empty() || unit || encoding; }
    bool operator==(const SourceOverrides&) const = default;
};

// Parse an option's argument or a text field. Errors, kUsage: one line with the found and the expected text.
Result<double> parseNodata(std::string_view text);        // a finite number
Result<PixelSize> parsePixelSize(std::string_view text);  // "30", "30,31.5"
Result<std::string> parseCrs(std::string_view text);      // "EPSG:32611", "epsg:32611", "32611"; returns the first form
Result<HeightUnit> parseHeightUnit(std::string_view text);  // "metre", "foot", "us-foot"

Result<HeightEncoding> parseHeightEncoding(std::string_view text);  // "terrarium", "terrain-rgb"
const char* nameOf(HeightEncoding encoding);

// Returns the overrides as command-line options: " --nodata -9999 --crs EPSG:32611"; empty if there are none.
std::string optionsOf(const SourceOverrides& overrides);

// ---- application to a raster whose samples were read: conversion to metres, voids, pixel size ----

// Converts a reader's result (heights in the source's unit, raster.code, raster.heightUnit) to metres. Samples of
// overrides.nodata become voids. O(samples) if there is a conversion or a nodata value.
void takeMetres(Raster& raster, const SourceOverrides& overrides);

// Completes the raster after takeMetres(). Warns about values that look like an undeclared "no data", with their number
// and the option that masks them. Calls finishRaster(), and sets coordinate system and pixel size from the overrides or
// the source. Errors, kInput: those of setPixelSize().
Status finalizeRaster(Raster& raster, const SourceOverrides& overrides);

// Does the second part of finalizeRaster(): coordinate system and pixel size, for a raster with heights elsewhere.
Status finalizePlacement(Raster& raster, const SourceOverrides& overrides);

}  // namespace orogen
