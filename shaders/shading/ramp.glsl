// Colours by height from a file, as a ramp of pieces (core/colour/colour_ramp.h).  Needs CoverUniforms `cover` in
// scope.
#ifndef OROGEN_RAMP_GLSL
#define OROGEN_RAMP_GLSL

layout(binding = kRampTexture) uniform sampler2D rampTexture;  // a column per piece, a row per end; a: position

// Returns the colour at a position in the ramp (tintPosition() of tints.glsl); finds the piece by bisection.
vec3 rampColour(float position)
{
    float low = cover.ramp.z, high = cover.ramp.w;
    if (cover.ramp.y > 0.5) position = low + (high - low) * fract((position - low) / (high - low));
    int first = 0, count = int(cover.ramp.x);
    while (count > 1)
    {
        int middle = count / 2;
        bool upper = texelFetch(rampTexture, ivec2(first + middle, 0), 0).a <= position;
        first += upper ? middle : 0;
        count = upper ? count - middle : middle;
    }
    vec4 from = texelFetch(rampTexture, ivec2(first, 0), 0), to = texelFetch(rampTexture, ivec2(first, 1), 0);
    vec3 colour = mix(from.rgb, to.rgb, clamp((position - from.a) / max(to.a - from.a, 1.0e-20), 0.0, 1.0));
    return position < low ? cover.below.rgb : position > high ? cover.above.rgb : colour;
}

#endif
