#include "compute/linear_algebra/vector_kernels.h"

#define OROGEN_KERNELS kPortableVectorKernels
#define OROGEN_KERNELS_NAME "portable"
#include "compute/linear_algebra/vector_kernels_body.h"
