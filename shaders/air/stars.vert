// Stars, and as vertex 0 the moon: points at the far plane.  The light of the sky outshines them.
#include "shaders/frame.glsl"
#include "shaders/air/air_table.glsl"

layout(location = 0) in vec4 star;  // direction in the catalogue, magnitude
layout(location = 1) in vec4 tint;

layout(location = 0) uniform mat3 fromStars;
layout(location = 1) uniform vec3 towardsMoon;

layout(location = 0) flat out vec3 light;  // display colour
layout(location = 1) flat out vec4 sunOnMoon;  // x, y, z: towards the sun, along the picture's axes and the eye's; w: 1 for the moon

const float kFarAway = 1.0e9, kMoonWidth = 0.00904;  // metres, radians

void main()
{
    bool moon = gl_VertexID == 0;
    vec3 direction = moon ? towardsMoon : fromStars * star.xyz;
    AirBetween between = airBefore(direction * kFarAway);
    vec3 sky = between.light * (1.0 - between.left) * frame.exposure;
    // Brightness falls more slowly with magnitude than light does, as on a photograph.
    float bright = moon ? 1.0 : clamp(exp2(-0.35 * (star.w - 1.0)), 0.0, 1.0);
    vec3 outshone = 1.0 / (1.0 + (moon ? 1.0 : 20.0) * sky);
    light = bright * (moon ? vec3(0.93, 0.91, 0.86) : tint.rgb) * between.left * outshone;

    vec4 place = frame.clipFromRelative * vec4(direction, 0.0);
    vec3 across = normalize(frame.relativeFromClip[0].xyz), along = normalize(cross(direction, across));
    across = cross(along, direction);
    sunOnMoon = vec4(dot(frame.sunDirection.xyz, across), -dot(frame.sunDirection.xyz, along), -dot(frame.sunDirection.xyz, direction), moon);
    gl_PointSize = moon ? max(kMoonWidth * frame.pixelsPerRadian, 3.0) : clamp(3.2 - 0.3 * star.w, 1.9, 3.4) * clamp(frame.viewport.y / 720.0, 1.0, 2.0);
    // Small pictures show fewer stars, so that the sky stays dark.
    bool faint = !moon && star.w > 3.2 + frame.viewport.y / 300.0;
    bool hidden = faint || endsOnGround(dot(stretched(direction), air.camera.xyz) / length(stretched(direction))) || place.w <= 0.0;
    gl_Position = hidden ? vec4(2.0, 2.0, 0.0, 1.0) : vec4(place.xy, 0.0, place.w);
}
