// Placement of water vertices over the ground.  Needs FrameUniforms `frame` in scope.
#ifndef OROGEN_WATER_LEVEL_GLSL
#define OROGEN_WATER_LEVEL_GLSL

// Returns the height of a water surface relative to the camera, raised by 2 cm so that ground at its level is under
// water.
float waterHeight(float level) { return ((level + 0.02) - frame.cameraCell.z) - frame.cameraFraction.z; }

// Moves depth closer by a share of the distance, so that rounding does not decide between water and level ground.
vec4 overGround(vec4 clip) { return vec4(clip.xy, clip.z * (1.0 + 2.0e-5), clip.w); }

#endif
