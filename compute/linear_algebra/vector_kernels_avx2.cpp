#if defined(__x86_64__)
#include "compute/linear_algebra/vector_kernels.h"

// After the headers, whose inline functions must run on any processor.
#pragma GCC push_options
#pragma GCC target("avx2")
#define OROGEN_KERNELS kAvx2VectorKernels
#define OROGEN_KERNELS_NAME "avx2"
#include "compute/linear_algebra/vector_kernels_body.h"
#pragma GCC pop_options
#endif
