// Computes the heights of the drawn ground along the terrain's border (its rim).  So the surroundings (border.vert)
// meet the drawn ground at any level of detail.  The first dispatch writes the columns of vertices at the border, the
// second the border texture for land farther out.
//
// Where the picture does not show the border, columns get the ground's own height, surfaceHeight(), which is cheaper
// than the drawn height.  They need a height, because the land farther out is smoothed over all columns.
#define OROGEN_CBT_READ_ONLY
#include "shaders/frame.glsl"

layout(local_size_x = kLeafGroupSize) in;

layout(std430, binding = kTreeBinding) readonly buffer TreeBlock { uint heap[]; };
layout(std430, binding = kStateBinding) readonly buffer StateBlock { TreeState state; };
layout(binding = kHeightTexture) uniform sampler2D heightTexture;
layout(binding = 0, r32f) uniform writeonly image2D borderImage;

#include "shaders/tree/cbt.glsl"
#include "shaders/surface/surface.glsl"
#include "shaders/heights/heights.glsl"
#include "shaders/tree/leb.glsl"
#include "shaders/tree/diamond.glsl"
#include "shaders/surface/drawn_surface.glsl"
#include "shaders/surface/drawn_leaf.glsl"
#include "shaders/tree/leaf_at.glsl"
#include "shaders/shading/border_point.glsl"

layout(std430, binding = kRimBinding) buffer RimBlock { RimColumn rim[]; };

layout(location = 0) uniform ivec2 columns;  // per side: x: columns at the border; y: texels of the border texture
layout(location = 1) uniform uint toTexture;  // 0: writes columns; 1: writes texels, from columns

// Returns whether the picture may show a border point or the columns beside it, at any height of the ground.  `place`:
// in draw-lattice units.
bool mayBeSeen(vec2 place)
{
    vec2 relative = (place - frame.cameraCell.xy) * terrain.squareSize.y - frame.cameraFraction.xy;
    vec2 heights = (terrain.heights.zw - frame.cameraCell.z) - frame.cameraFraction.z;
    vec2 sides = terrain.latticeBounds.zw - terrain.latticeBounds.xy;
    float beside = 2.0 * max(sides.x, sides.y) * terrain.squareSize.y / float(columns.x);
    bool seen = true;
    for (int i = 0; i < kFrustumPlanes; ++i)
    {
        vec4 plane = frame.frustum[i];
        seen = seen && dot(plane.xy, relative) + max(plane.z * heights.x, plane.z * heights.y) + plane.w > -beside;
    }
    return seen;
}

// Returns the height of the drawn triangle at a place given in draw-lattice units (metres, scaled).
float drawnHeightAt(vec2 place)
{
    ivec2 point = clamp(ivec2(floor(place)), ivec2(0), ivec2(1 << kDrawLatticeBits));
    LeafAt leaf = leafAt(point), triangle = drawnTriangleIn(leaf, point, frame.patchLevel);
    uvec4 drawn = uvec4(packCorner(uvec2(leaf.apex) >> kPatchBits), packCorner(uvec2(leaf.base0) >> kPatchBits),
                        packCorner(uvec2(leaf.base1) >> kPatchBits), cbtDepth(leaf.node));
    vec2 from = place - vec2(triangle.apex), leg0 = vec2(triangle.base0 - triangle.apex),
         leg1 = vec2(triangle.base1 - triangle.apex);
    vec2 weights = clamp(vec2(dot(from, leg0), dot(from, leg1)) / dot(leg0, leg0), 0.0, 1.0);  // legs: equal length
    float height = 0.0;
    for (int corner = 0; corner < 3; ++corner)
    {
        ivec2 lattice = corner == 0 ? triangle.apex : corner == 1 ? triangle.base0 : triangle.base1;
        float weight = corner == 0 ? 1.0 - weights.x - weights.y : corner == 1 ? weights.x : weights.y;
        height += weight * drawnVertexHeight(drawn, lattice);
    }
    return height;
}

void writeColumn(int column)
{
    float heights[2];
    for (int i = 0; i < 2; ++i)
    {
        vec2 place = latticeOfBorder(borderPoint((float(column) + 0.5 * float(i)) / float(columns.x)));
        heights[i] = surfaceHeight(ivec2(round(place)));
        if (mayBeSeen(place))
            heights[i] = drawnHeightAt(place);
    }
    rim[column] = RimColumn(heights[0], heights[1]);
}

// Copies the height of a column to a texel.  The number of columns is a multiple of the number of texels.
void writeTexel(int texel) { imageStore(borderImage, ivec2(texel, 0), vec4(rim[texel * (columns.x / columns.y)].height)); }

void main()
{
    int index = int(gl_GlobalInvocationID.x);
    if (toTexture == 0u)
    {
        if (index < 4 * columns.x) writeColumn(index);
    }
    else if (index < 4 * columns.y)
        writeTexel(index);
}
