// How vertices of water lie over the ground.  Needs FrameUniforms `frame` in scope.
#ifndef OROGEN_WATER_LEVEL_GLSL
#define OROGEN_WATER_LEVEL_GLSL

// Relative to the camera, of water of that level.  Ground at the level is under water, by two centimetres.
float waterHeight(float level) { return ((level + 0.02) - frame.cameraCell.z) - frame.cameraFraction.z; }

// A little closer than it is, by a share of the distance: rounding must not decide between water and level ground.
vec4 overGround(vec4 clip) { return vec4(clip.xy, clip.z * (1.0 + 2.0e-5), clip.w); }

#endif
