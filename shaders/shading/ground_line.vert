// Draws lines or points on the ground, a few pixels wide.  An instance is a quad for a segment from one vertex to the
// next (LineVertex of core/terrain/overlays/ground_line.h), or for a point.  A world position is the sum of two parts,
// high and low.
layout(location = 0) in vec4 highFrom;  // w: 1 where another line begins
layout(location = 1) in vec4 lowFrom;
layout(location = 2) in vec4 highTo;
layout(location = 3) in vec4 lowTo;

layout(location = 0) uniform mat4 clipFromRelative;  // from offsets to the camera along world axes
layout(location = 4) uniform vec3 eyeHigh;           // camera position, in two parts like the vertices
layout(location = 5) uniform vec3 eyeLow;
layout(location = 6) uniform vec4 shape;  // half width with rim; size of the picture (pixels); 1 for points, else 0

layout(location = 0) noperspective out vec2 beside;  // pixels from the middle of the line (along it 0) or of the point

const float kNearest = 0.3;         // lines are cut off at this distance ahead of the camera (metres)
const float kNearerShare = 0.012;   // lines are drawn nearer than they are by this share of their distance
const float kNearerMetres = 1.0;    // and in addition by this distance (metres)

// Returns the clip coordinates of a world position.
vec4 clipped(vec4 high, vec4 low)
{
    precise vec3 relative = (high.xyz - eyeHigh) + (low.xyz - eyeLow);
    return clipFromRelative * vec4(relative, 1.0);
}

// Returns clip coordinates with their depth moved towards the camera.  Otherwise the drawn triangles, which only
// approximate the ground, would hide lines on the ground.
vec4 lifted(vec4 place)
{
    float nearer = max(place.w * (1.0 - kNearerShare) - kNearerMetres, 0.5 * kNearest);
    place.z = min(place.z * place.w / nearer, 0.999 * place.w);
    return place;
}

void main()
{
    vec2 corner = vec2((gl_VertexID & 1) * 2 - 1, (gl_VertexID >> 1) * 2 - 1);
    vec4 from = clipped(highFrom, lowFrom);
    vec2 pixels = 0.5 * shape.yz;
    gl_Position = vec4(2.0, 2.0, 2.0, 1.0);  // outside the picture: draws nothing
    beside = corner * shape.x;
    if (shape.w > 0.5)
    {
        if (from.w < kNearest) return;
        gl_Position = lifted(from);
        gl_Position.xy += corner * shape.x / pixels * from.w;
        return;
    }
    vec4 to = clipped(highTo, lowTo);
    if (highTo.w > 0.5 || max(from.w, to.w) < kNearest) return;
    if (from.w < kNearest) from = mix(from, to, (kNearest - from.w) / (to.w - from.w));
    if (to.w < kNearest) to = mix(to, from, (kNearest - to.w) / (from.w - to.w));
    vec2 way = to.xy / to.w * pixels - from.xy / from.w * pixels;
    float len = length(way);
    vec2 along = len > 1e-4 ? way / len : vec2(1.0, 0.0), across = vec2(-along.y, along.x);
    vec4 end = corner.y < 0.0 ? from : to;
    // Extends both ends, so that segments overlap and leave no gaps at bends.
    vec2 offset = across * corner.x * shape.x + along * corner.y * 0.5 * (shape.x - 1.0);
    gl_Position = lifted(end);
    gl_Position.xy += offset / pixels * end.w;
    beside = vec2(corner.x * shape.x, 0.0);
}
