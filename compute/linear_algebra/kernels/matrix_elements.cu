#include "compute/linear_algebra/kernels/matrix_elements.h"
