// Files that are no rasters we read ourselves, by what they are: for a message that helps.
#pragma once

#include <string>
#include <string_view>

namespace orogen {

struct ForeignFormat
{
    std::string_view name;  // "a netCDF file"; empty: not recognised
    bool gdal = false;      // GDAL reads it
};

// `head`: what the file begins with; `path`: its name, which tells where the content does not.
ForeignFormat foreignFormat(std::string_view head, std::string_view path);

// Why this build does not read it, and what would: one line without the file's name.
std::string foreignMessage(const ForeignFormat& format);

}  // namespace orogen
