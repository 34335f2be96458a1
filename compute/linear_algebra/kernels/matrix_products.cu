#include "compute/linear_algebra/kernels/matrix_products.h"
