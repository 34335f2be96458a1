// The region around the camera for which shadows are computed (app/render/shadow_region.h).  Its levels are squares
// around one centre, in the plane that touches the Earth there.  Each level is kRegionGrowth times as wide as the one
// before.
#ifndef OROGEN_REGION_GLSL
#define OROGEN_REGION_GLSL

#include "core/gpu_layout.h"

const float kRegionGrowth = 4.0;

// Returns the depth of the sphere below the plane at a place (metres from the centre).
float regionDrop(vec2 place) { return dot(place, place) / (2.0 * kAirRadius); }

float regionWidth(float base, int level) { return base * pow(kRegionGrowth, float(level)); }

#endif
