// Where this checkout and its program lie, as strings that can be joined: OROGEN_ROOT, OROGEN_PROGRAM.
#pragma once

#include "orogen_test_places.h"  // IWYU pragma: export; written by tests/CMakeLists.txt
