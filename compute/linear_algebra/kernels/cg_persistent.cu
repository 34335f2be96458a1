#include "compute/linear_algebra/kernels/cg_persistent.h"
