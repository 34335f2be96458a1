#include "compute/linear_algebra/kernels/cg_mixed.h"
