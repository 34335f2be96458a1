#include "compute/signed_digit/kernels/columns.h"
#include "compute/signed_digit/kernels/products.h"
#include "compute/signed_digit/kernels/row_addition.h"
