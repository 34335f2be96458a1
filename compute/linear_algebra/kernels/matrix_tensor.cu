#include "compute/linear_algebra/kernels/matrix_tensor.h"
