#include "compute/signed_digit/kernels/paper_threads.h"
