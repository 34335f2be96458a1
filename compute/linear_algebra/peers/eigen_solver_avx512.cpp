#if defined(__x86_64__) && defined(OROGEN_HAVE_EIGEN)
#include "compute/linear_algebra/peers/eigen_solver_includes.h"

#pragma GCC push_options
#pragma GCC target("avx512f,avx512dq,avx2,fma")
#define OROGEN_EIGEN kEigenAvx512
#define OROGEN_EIGEN_NAMESPACE EigenAvx512
#define OROGEN_EIGEN_SET "avx512"
#include "compute/linear_algebra/peers/eigen_solver_body.h"
#pragma GCC pop_options
#endif
