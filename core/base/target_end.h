// Returns to compiling for any processor.
#pragma GCC pop_options
