#include "compute/terrain_model/kernels/model_kernels.h"
