#include "tests/support/kernel_words.h"
