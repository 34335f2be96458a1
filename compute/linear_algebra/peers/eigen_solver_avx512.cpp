#if defined(__x86_64__) && defined(OROGEN_HAVE_EIGEN)
#define OROGEN_EIGEN kAvx512EigenSolvers
#define OROGEN_EIGEN_NAMESPACE EigenAvx512
#define OROGEN_EIGEN_SET "avx512"
#define OROGEN_EIGEN_TARGET "core/base/target_avx512.h"
#include "compute/linear_algebra/peers/eigen_solver_body.h"
#endif
