// Multiword addition as something that is run: from the command line, a script or a panel.
#pragma once

#include "compute/job/module.h"

namespace orogen::compute {

// `orogen multiword --help` says what its parameters are.
const Module& multiwordModule();

}  // namespace orogen::compute
