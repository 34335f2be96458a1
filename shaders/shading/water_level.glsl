// Placement of water vertices over the ground.  Needs FrameUniforms `frame` in scope.
#ifndef OROGEN_WATER_LEVEL_GLSL
#define OROGEN_WATER_LEVEL_GLSL

// Returns the height of a water surface relative to the camera (metres).  The surface is raised by 2 cm, so that ground
// at the water level is under water.  `level`: metres, scaled.
float waterHeight(float level) { return ((level + 0.02) - frame.cameraCell.z) - frame.cameraFraction.z; }

// Returns clip coordinates with their depth moved towards the camera by a share of the distance.  Otherwise rounding
// would decide between water and ground at the same height.
vec4 overGround(vec4 clip) { return vec4(clip.xy, clip.z * (1.0 + 2.0e-5), clip.w); }

#endif
