// The texture of error codes that diamond_error.glsl reads.
#ifndef OROGEN_ERROR_IMAGE_GLSL
#define OROGEN_ERROR_IMAGE_GLSL

layout(binding = kErrorTexture) uniform usampler2DArray errorTexture;

uint errorCode(uint index)
{
    uint last = (1u << kErrorPageBits) - 1u;
    ivec3 texel = ivec3(index & last, (index >> kErrorPageBits) & last, index >> (2u * kErrorPageBits));
    return texelFetch(errorTexture, texel, 0).r;
}

#endif
