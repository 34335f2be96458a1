#include "compute/signed_digit/kernels/turns.h"
