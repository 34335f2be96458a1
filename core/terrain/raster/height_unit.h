// Units of height in which elevation models come.
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
std::string_view nameOf(HeightUnit unit);                          // "metre", "foot", "us-foot", as --unit has them
std::optional<HeightUnit> heightUnitNamed(std::string_view name);  // of exactly these

// The unit that a file's words mean, in any case: "m", "meters", "ft", "US survey foot", "ftUS", ...; empty: another.
std::optional<HeightUnit> heightUnitOfWords(std::string_view words);
// The same of the EPSG's number of a unit: 9001, 9002, 9003.
std::optional<HeightUnit> heightUnitOfEpsg(int unit);
// The unit of a vertical coordinate system of the EPSG's registry: 6360 is in US survey feet; empty: not known.
std::optional<HeightUnit> heightUnitOfVerticalCrs(int crs);
// Whether that vertical coordinate system counts downwards: depths, no heights.
bool countsDownwards(int crs);

}  // namespace orogen
