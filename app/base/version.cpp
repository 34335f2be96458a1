#include "app/base/version.h"

#include "orogen_version.h"

namespace orogen::app {

std::string versionNumber() { return OROGEN_VERSION; }
std::string versionCommit() { return OROGEN_DIRTY ? OROGEN_COMMIT "-dirty" : OROGEN_COMMIT; }
std::string versionText() { return "orogen " + versionNumber() + " (" + versionCommit() + ")"; }

}  // namespace orogen::app
