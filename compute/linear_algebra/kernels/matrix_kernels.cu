#include "compute/linear_algebra/kernels/matrix_kernels.h"
