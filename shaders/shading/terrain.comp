// Shades the ground of a plane by compute.
#define OROGEN_COMPUTE 1
#include "shaders/shading/terrain.frag"
