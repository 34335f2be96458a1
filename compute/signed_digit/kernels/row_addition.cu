#include "compute/signed_digit/kernels/row_addition.h"
