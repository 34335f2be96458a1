// Recognition of files that the built-in readers do not support, for helpful messages.
#pragma once

#include <string>
#include <string_view>

namespace orogen {

struct ForeignFormat
{
    std::string_view name;  // "a netCDF file"; empty: not recognised
    bool gdal = false;      // GDAL can read it
};

// Recognises a format by `head`, the beginning of the file, or by its `path` if the content has no signature.
ForeignFormat foreignFormat(std::string_view head, std::string_view path);

// Returns one line, without the file's name: why this build cannot read the file, and what can.
std::string foreignMessage(const ForeignFormat& format);

}  // namespace orogen
