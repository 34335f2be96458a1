#include "compute/multiword/kernels/recursive.h"
