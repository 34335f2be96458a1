#include "compute/multiword/kernels/paper3.h"
