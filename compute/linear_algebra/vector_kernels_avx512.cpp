#if defined(__x86_64__)
#include "compute/linear_algebra/vector_kernels.h"

#include "core/base/target_avx512.h"
#define OROGEN_KERNELS kAvx512VectorKernels
#define OROGEN_KERNELS_NAME "avx512"
#include "compute/linear_algebra/vector_kernels_body.h"
#include "core/base/target_end.h"
#endif
