#include "compute/linear_algebra/kernels/cramer.h"
