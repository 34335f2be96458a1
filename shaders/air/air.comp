// Fills the table of the air: for lines of sight and for distances along them, the light that the air scatters towards
// the camera and the optical depths.  The light is stored divided by the opacity, as if the way through this air were
// endless.  Optical depths are stored as means per length.  Both hardly change along a line, so few distances suffice.
#include "shaders/air/air_ray.glsl"

layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0, rgba16f) uniform writeonly image3D airLight;
layout(binding = 1, rg16f) uniform writeonly image2D airDepth;  // mean optical depths of air and haze, for green

// Returns 1 - exp(-depth), the share of light that an optical depth takes, without cancellation for small depths.
vec3 takenBy(vec3 depth) { return mix(1.0 - exp(-depth), depth * (1.0 - 0.5 * depth), lessThan(depth, vec3(1.0e-2))); }

void main()
{
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    bool onGround = texel.y < kAirTableSize.y;
    float row = float(onGround ? texel.y : texel.y - kAirTableSize.y) / float(kAirTableSize.y - 1);
    float rise = riseOfRow(row, onGround), sunRise = dot(air.camera.xyz, air.sun.xyz);
    // A line at the horizon must stay in its own half of the table.
    rise = onGround ? min(rise, air.north.w - 1.0e-7) : max(rise, air.north.w);
    float cosSun = cosSunOfTurn(rise, sunRise, float(texel.x) / float(kAirTableSize.x - 1));
    AirSpan span = airSpan(rise);

    float phaseAir = 0.1875 * (1.0 + cosSun * cosSun), g = kHazeForward;
    float phaseHaze = 0.25 * (1.0 - g * g) / pow(1.0 + g * g - 2.0 * g * cosSun, 1.5);
    vec3 clear = kAirScattering.rgb * air.east.w, haze = kHazeColour.rgb * (air.sun.w * air.east.w), ozone = kOzone.rgb * air.east.w;
    // left: transmittance; seen: transmittance as airBefore() computes it, with all haze and without ozone; opaque:
    // 1 - seen; added: light scattered towards the camera so far.
    vec3 left = vec3(1.0), seen = vec3(1.0), added = vec3(0.0), opaque = vec3(0.0);
    vec2 depths = vec2(0.0);
    float at = span.from;
    for (int slice = 0; slice < kAirTableSize.z; ++slice)
    {
        float next = distanceInSpan(span, float(slice) / float(kAirTableSize.z - 1));
        float middle = 0.5 * (at + next), height = clamp(heightAlong(rise, middle), 0.0, kAirTop), step = max(next - at, 0.0);
        float cosine = ((kAirRadius + air.camera.w) * sunRise + middle * cosSun) / (kAirRadius + height);
        vec2 dense = exp(-vec2(height) / vec2(kAirHeight, kHazeHeight));
        vec3 molecules = clear * dense.x, drops = haze * dense.y;
        vec3 all = molecules + drops * (1.0 - kHazePasses) + ozone * max(1.0 - abs(height - kOzoneHeight) / kOzoneReach, 0.0);
        vec3 source = (molecules * phaseAir + drops * (kHazeScatters * phaseHaze)) * sunThrough(height, cosine) +
                      (molecules + drops * (kHazeScatters - kHazePasses)) * scatteredOften(height, cosine);
        vec3 endless = kSunlight.rgb * source / max(all, vec3(1.0e-12));
        vec3 taken = takenBy(all * step), hidden = takenBy((molecules + drops) * step);
        added += left * taken * endless;
        left *= 1.0 - taken;
        opaque += seen * hidden;
        seen *= 1.0 - hidden;
        depths += vec2(clear.g, haze.g) * dense * step;
        vec3 near = kSunlight.rgb * source / max(molecules + drops, vec3(1.0e-12));  // limit at the span's beginning
        vec3 light = mix(added / max(opaque, vec3(1.0e-20)), near, lessThan(opaque, vec3(1.0e-12)));
        // Means instead of depths: they hardly change with distance, so that the table's texels do not show.
        float passed = next - span.from;
        vec2 mean = kAirDepthLength * (passed > 1.0 ? depths / passed : vec2(clear.g, haze.g) * dense);
        imageStore(airLight, ivec3(texel, slice), vec4(light, 1.0));
        if (texel.x == 0) imageStore(airDepth, ivec2(texel.y, slice), mean.xyxy);  // the sun does not matter
        at = next;
    }
}
