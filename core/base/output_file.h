// What a file that is to be written would destroy, asked before any work is done for it.
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

// Nothing is changed.  Errors, kOutput with the path: it is one of the files that are read (under this name or another:
// a link, a hard link, a longer path) or lies in a folder that is read, it is there and no file, or it is there at all
// and `existing` refuses that.
Status checkOutputFile(const std::string& path, std::span<const std::string> sources, Existing existing);

// "NAME.EXT", or "NAME-2.EXT" and so on where that is taken.
std::string freeFileName(const std::string& path);

}  // namespace orogen
