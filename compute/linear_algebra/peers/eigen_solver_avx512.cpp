#if defined(__x86_64__) && defined(OROGEN_HAVE_EIGEN)
#include "compute/linear_algebra/peers/eigen_solver_includes.h"

#include "core/base/target_avx512.h"
#define OROGEN_EIGEN kAvx512EigenSolvers
#define OROGEN_EIGEN_NAMESPACE EigenAvx512
#define OROGEN_EIGEN_SET "avx512"
#include "compute/linear_algebra/peers/eigen_solver_body.h"
#include "core/base/target_end.h"
#endif
