// Colours lines and points on the ground, with a dark rim that keeps them visible on snow.
layout(location = 0) noperspective in vec2 beside;  // see ground_line.vert

layout(location = 6) uniform vec4 shape;  // see ground_line.vert
layout(location = 7) uniform vec4 tint;   // sRGB, and opacity

layout(location = 0) out vec4 colour;

const float kRim = 1.25;  // width of the dark rim (pixels)

void main()
{
    float away = length(beside), inner = shape.x - kRim;
    float core = 1.0 - smoothstep(inner - 0.5, inner + 0.5, away);
    float whole = 1.0 - smoothstep(shape.x - 1.0, shape.x, away);
    colour = vec4(tint.rgb * core, tint.a * mix(0.55 * whole, 1.0, core));
    if (colour.a < 1.0 / 255.0) discard;
}
