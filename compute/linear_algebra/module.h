// Conjugate gradients and what they are compared with, as a module that a panel, a script or the command line runs.
#pragma once

#include "compute/job/module.h"

namespace orogen::compute {

// `orogen cg solve --help` says what its parameters are.
const Module& linearAlgebraModule();

}  // namespace orogen::compute
