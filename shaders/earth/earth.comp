// Shades the ground of the Earth by compute.
#define OROGEN_COMPUTE 1
#include "shaders/earth/earth.frag"
