#include "compute/signed_digit/kernels/columns.h"
