// Version and commit of this build.
#pragma once

#include <string>

namespace orogen::app {

std::string versionNumber();  // "0.1.0"
std::string versionCommit();  // "0123456789ab", with "-dirty" for a modified tree; "unknown" outside a repository
std::string versionText();    // "orogen 0.1.0 (0123456789ab)"

}  // namespace orogen::app
