#include "compute/linear_algebra/kernels/cg_ordered.h"
