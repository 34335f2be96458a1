// A star's point with a soft edge, or the moon's disc with its phase.
layout(location = 0) flat in vec3 light;      // display colour
layout(location = 1) flat in vec4 sunOnMoon;  // see stars.vert
layout(location = 0) out vec4 colour;

void main()
{
    vec2 place = gl_PointCoord * 2.0 - 1.0;
    float r2 = dot(place, place);
    vec3 normal = vec3(place.x, -place.y, sqrt(max(1.0 - r2, 0.0)));
    float phase = sqrt(max(dot(normal, sunOnMoon.xyz), 0.0)) + 0.01;
    float shown = sunOnMoon.w > 0.5 ? (r2 < 1.0 ? phase : 0.0) : max(1.0 - r2, 0.0);
    colour = vec4(light * shown, 0.0);
}
