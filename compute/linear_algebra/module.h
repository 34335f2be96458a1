// Module `cg`: conjugate gradients and the methods that they are compared with.
#pragma once

#include "compute/job/module.h"

namespace orogen::compute {

// `orogen cg solve --help` lists its parameters.
const Module& linearAlgebraModule();

}  // namespace orogen::compute
