// Conjugate gradients and what they are compared with, as a module that a panel, a script or the command line runs.
#pragma once

#include <string>

#include "compute/job/job.h"

namespace orogen::compute {

const Module& linearAlgebraModule();

}  // namespace orogen::compute
