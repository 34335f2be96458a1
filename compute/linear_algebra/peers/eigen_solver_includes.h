// Headers that Eigen includes, for inclusion before any #pragma GCC target.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cerrno>
#include <climits>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <iosfwd>
#include <limits>
#include <list>
#include <map>
#include <sstream>
#include <string>
#include <vector>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "compute/linear_algebra/peers/eigen_solver.h"
#include "core/base/cpu.h"
