// Fills the table of the air: the light that it scatters towards the camera along each line of sight, up to each of a
// number of distances.  The light is stored as that of an endless way through the same air: with the optical depths
// of air and haze, which grow steadily, it hardly changes along a line, so that few distances suffice.
#include "shaders/earth/air_ray.glsl"

layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0, rgba16f) uniform writeonly image3D airLight;  // w: optical depth of haze (green)
layout(binding = 1, r16f) uniform writeonly image3D airDepth;     // optical depth of air (green)

const float kHazeForward = 0.78;  // mean cosine of light scattered by haze

void main()
{
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    bool onGround = texel.y < kAirTableSize.y;
    float row = float(onGround ? texel.y : texel.y - kAirTableSize.y) / float(kAirTableSize.y - 1);
    float rise = riseOfRow(row, onGround), sunRise = dot(air.camera.xyz, air.sun.xyz);
    // A line at the horizon belongs to its half.
    rise = onGround ? min(rise, air.north.w - 1.0e-7) : max(rise, air.north.w);
    float cosSun = cosSunOfTurn(rise, sunRise, float(texel.x) / float(kAirTableSize.x - 1));
    AirSpan span = airSpan(rise);

    float phaseAir = 0.1875 * (1.0 + cosSun * cosSun), g = kHazeForward;
    float phaseHaze = 0.25 * (1.0 - g * g) / pow(1.0 + g * g - 2.0 * g * cosSun, 1.5);
    vec3 haze = kHazeColour * air.sun.w, clear = kAirScattering * air.east.w;
    vec3 left = vec3(1.0), added = vec3(0.0), opaque = vec3(0.0);
    vec2 depths = vec2(0.0);
    float at = span.from;
    for (int slice = 0; slice < kAirTableSize.z; ++slice)
    {
        float place = float(slice) / float(kAirTableSize.z - 1), next = distanceInSpan(span, place);
        float middle = 0.5 * (at + next), height = max(heightAlong(rise, middle), 0.0);
        float cosine = ((kAirRadius + air.camera.w) * sunRise + middle * cosSun) / (kAirRadius + height);
        vec2 dense = densitiesAt(height);
        vec3 scatters = clear * dense.x, extinct = haze * dense.y, all = scatters + extinct;
        vec3 sun = sunThrough(height, dense, cosine);
        vec3 source = scatters * phaseAir + extinct * (kHazeScatters * phaseHaze);
        vec3 again = (scatters + extinct * kHazeScatters) * kScatteredAgain *
                     (sqrt(sqrt(sun.g)) * smoothstep(-0.20, 0.25, cosine) + vec3(0.0016, 0.0022, 0.0036));
        vec3 endless = kSunlight * (source * sun + again) / max(all, vec3(1.0e-12));
        vec3 depth = all * max(next - at, 0.0);
        vec3 taken = mix(1.0 - exp(-depth), depth, lessThan(depth, vec3(1.0e-4)));
        added += left * taken * endless;
        opaque += left * taken;
        left *= 1.0 - taken;
        depths += vec2(clear.g, haze.g) * dense * max(next - at, 0.0);
        vec3 light = mix(added / max(opaque, vec3(1.0e-20)), endless, lessThan(opaque, vec3(1.0e-12)));
        imageStore(airLight, ivec3(texel, slice), vec4(light, depths.y));
        imageStore(airDepth, ivec3(texel, slice), vec4(depths.x));
        at = next;
    }
}
