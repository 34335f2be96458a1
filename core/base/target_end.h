// What follows is compiled for any processor again.
#pragma GCC pop_options
