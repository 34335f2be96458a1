// Checks of an output path before any work is done for it.
#pragma once

#include <span>
#include <string>

#include "core/base/status.h"

namespace orogen {

enum class Existing
{
    kRefuse,
    kReplace,
};

// Errors, kOutput with the path: it is one of the input files (also under another name: a link, a hard link, a longer
// path) or lies in an input folder; it exists and is not a regular file; or it exists and `existing` is kRefuse.
// Changes nothing.
Status checkOutputFile(const std::string& path, std::span<const std::string> sources, Existing existing);

// Returns "NAME.EXT", or "NAME-2.EXT" and so on if that exists.
std::string freeFileName(const std::string& path);

}  // namespace orogen
