// Exact decimal arithmetic as something that is run: from the command line, a script or a panel.
#pragma once

#include "compute/job/module.h"

namespace orogen::compute {

// `orogen signed-digit --help` says what its parameters are.
const Module& signedDigitModule();

}  // namespace orogen::compute
