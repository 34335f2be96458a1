#include "compute/exact/kernels/exact_terms.h"
