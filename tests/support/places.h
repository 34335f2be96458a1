// Paths of this checkout and its program, as string literals: OROGEN_ROOT, OROGEN_PROGRAM.
#pragma once

#include "orogen_test_places.h"  // IWYU pragma: export; written by tests/CMakeLists.txt
