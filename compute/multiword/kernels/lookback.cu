#include "compute/multiword/kernels/lookback.h"
