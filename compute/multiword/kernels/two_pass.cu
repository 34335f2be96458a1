#include "compute/multiword/kernels/two_pass.h"
