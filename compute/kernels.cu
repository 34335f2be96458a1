// All CUDA kernels, in one translation unit.  A second unit would cost another compilation for the host and for every
// architecture, and parsing the common headers takes most of that time.  The headers contain the kernels; the host
// executor runs them as C++.
#include "compute/exact/kernels/exact_terms.h"
#include "compute/linear_algebra/kernels/cg_ordered.h"
#include "compute/linear_algebra/kernels/cg_persistent.h"
#include "compute/linear_algebra/kernels/cg_steps.h"
#include "compute/linear_algebra/kernels/cramer.h"
#include "compute/linear_algebra/kernels/matrix_kernels.h"
#include "compute/multiword/kernels/paper3.h"
#include "compute/multiword/kernels/recursive.h"
#include "compute/multiword/kernels/tiles.h"
#include "compute/signed_digit/kernels/columns.h"
#include "compute/signed_digit/kernels/products.h"
#include "compute/signed_digit/kernels/row_addition.h"
#include "compute/terrain_model/kernels/model_kernels.h"
