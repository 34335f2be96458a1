// The draped image.  Needs CoverUniforms `cover` and `sampler2D drapeTexture` in scope.
#ifndef OROGEN_DRAPE_GLSL
#define OROGEN_DRAPE_GLSL

// Linear colour and coverage (alpha, 0 outside the image).  Photographs contain light already: the factor makes them
// appear about as bright as they are under a sun from the side.
// `across`, `along`: change of `texel` from pixel to pixel.
vec4 drapedImage(vec2 texel, vec2 across, vec2 along)
{
    mat2 turn = mat2(cover.drapeTurn.xy, cover.drapeTurn.zw);
    vec4 image = textureGrad(drapeTexture, turn * texel + cover.drapeOffset.xy, turn * across, turn * along);
    return vec4(image.rgb * 0.62, image.a);
}

#endif
