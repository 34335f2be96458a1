// Draws the stars, and as vertex 0 the moon, as points at the far plane.  They are fainter where the sky is bright.
#include "shaders/frame.glsl"
#include "shaders/air/air_table.glsl"

layout(location = 0) in vec4 star;  // x, y, z: unit vector in the catalogue's axes; w: magnitude
layout(location = 1) in vec4 tint;  // rgb: the star's colour

layout(location = 0) uniform mat3 fromStars;    // from the catalogue's axes to the camera's east, north and up
layout(location = 1) uniform vec3 towardsMoon;  // unit vector along the camera's east, north and up

layout(location = 0) flat out vec3 light;  // display colour
// x, y, z: direction to the sun, along the picture's right and up and towards the eye; w: 1 for the moon, 0 for a star.
layout(location = 1) flat out vec4 sunOnMoon;

const float kFarAway = 1.0e9, kMoonWidth = 0.00904;  // metres, beyond all air; radians, the moon's diameter

void main()
{
    bool moon = gl_VertexID == 0;
    vec3 direction = moon ? towardsMoon : fromStars * star.xyz;
    AirBetween between = airBefore(direction * kFarAway);
    vec3 sky = between.light * (1.0 - between.left) * frame.exposure;
    // The drawn brightness falls more slowly with magnitude than the star's light does, as on a photograph.
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
