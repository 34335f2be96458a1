#include "compute/multiword/kernels/paper3.h"
#include "compute/multiword/kernels/recursive.h"
#include "compute/multiword/kernels/tiles.h"
