#include "compute/linear_algebra/kernels/cg_steps.h"
