#include "app/base/version.h"

#include "orogen_version.h"

namespace orogen::app {

std::string versionNumber() { return OROGEN_VERSION; }
std::string versionCommit() { return std::string(OROGEN_COMMIT) + (OROGEN_DIRTY ? "-dirty" : ""); }
std::string versionText() { return "orogen " + versionNumber() + " (" + versionCommit() + ")"; }

}  // namespace orogen::app
