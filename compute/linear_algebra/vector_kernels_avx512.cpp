#if defined(__x86_64__)
#include "compute/linear_algebra/vector_kernels.h"

// After the headers, whose inline functions must run on any processor.
#pragma GCC push_options
#pragma GCC target("avx512f")
#define OROGEN_KERNELS kAvx512VectorKernels
#define OROGEN_KERNELS_NAME "avx512"
#include "compute/linear_algebra/vector_kernels_body.h"
#pragma GCC pop_options
#endif
