#include "compute/signed_digit/kernels/products.h"
