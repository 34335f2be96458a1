// Units of height in elevation models.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace orogen {

enum class HeightUnit
{
    kMetre,
    kFoot,    // international: 0.3048 m
    kUsFoot,  // US survey foot: 1200 / 3937 m
};

double metresOf(HeightUnit unit);
std::string_view nameOf(HeightUnit unit);                          // "metre", "foot", "us-foot", as in --unit
std::optional<HeightUnit> heightUnitNamed(std::string_view name);  // for exactly these names

// Returns the unit for a file's text in any case: "m", "meters", "ft", "US survey foot", "ftUS", ...; empty if unknown.
std::optional<HeightUnit> heightUnitOfWords(std::string_view words);
// Returns the unit for an EPSG unit code: 9001, 9002, 9003.
std::optional<HeightUnit> heightUnitOfEpsg(int unit);
// Returns the unit of a vertical system in the EPSG registry (6360: US survey feet); empty if unknown.
std::optional<HeightUnit> heightUnitOfVerticalCrs(int crs);
// Returns whether that vertical coordinate system has depths, positive downwards, instead of heights.
bool countsDownwards(int crs);

}  // namespace orogen
