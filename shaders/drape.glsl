// The draped image.  Needs CoverUniforms `cover` and `sampler2D drapeTexture` in scope.
#ifndef OROGEN_DRAPE_GLSL
#define OROGEN_DRAPE_GLSL

// Linear colour, and how much of it covers the ground; nothing outside the image.  A photograph has its light in it
// already: so bright that it shows about as it is where the sun shines from the side.
vec4 drapedImage(vec2 texel)
{
    vec2 place = mat2(cover.drapeTurn.xy, cover.drapeTurn.zw) * texel + cover.drapeOffset.xy;
    vec4 image = texture(drapeTexture, place);
    return vec4(image.rgb * 0.62, image.a);
}

#endif
