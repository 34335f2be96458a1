#if defined(__x86_64__) && defined(OROGEN_HAVE_EIGEN)  // Compiles Eigen's solvers for AVX2, for comparison with ours.
#define OROGEN_EIGEN kAvx2EigenSolvers
#define OROGEN_EIGEN_NAMESPACE EigenAvx2
#define OROGEN_EIGEN_SET "avx2"
#define OROGEN_EIGEN_TARGET "core/base/target_avx2.h"
#include "compute/linear_algebra/peers/eigen_solver_body.h"  // uses the macros above
#endif
