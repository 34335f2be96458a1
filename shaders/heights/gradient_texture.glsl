// Slopes of the data of one image (gradient.comp).
#ifndef OROGEN_GRADIENT_TEXTURE_GLSL
#define OROGEN_GRADIENT_TEXTURE_GLSL

layout(binding = kGradientTexture) uniform sampler2D gradientTexture;

#endif
