// Computes the heights of the ground along the terrain's border (its rim).  So the surroundings (border.vert) meet the
// drawn ground at any level of detail.  Three programs run one after another, because a software rasteriser executes
// all branches of a program:
//   OROGEN_RIM_GROUND   writes surfaceHeight() to all columns of vertices at the border
//   OROGEN_RIM_DRAWN    writes heights of the drawn triangles, which cost more, to columns that the picture may show
//   OROGEN_RIM_TEXELS   copies columns to the border texture, and computes its mipmaps level by level: smoothed heights
//                       for land farther out
#define OROGEN_CBT_READ_ONLY
#include "shaders/frame.glsl"

layout(local_size_x = kLeafGroupSize) in;

layout(std430, binding = kTreeBinding) readonly buffer TreeBlock { uint heap[]; };
layout(std430, binding = kStateBinding) readonly buffer StateBlock { TreeState state; };
layout(binding = kHeightTexture) uniform sampler2D heightTexture;

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
#ifdef OROGEN_RIM_TEXELS
layout(location = 1) uniform int level;  // mipmap level to compute; 0 copies columns
#else
layout(location = 1) uniform ivec3 range;  // first column, number of columns, and distance from one to the next
#endif

#ifdef OROGEN_RIM_DRAWN
// Returns the height of the drawn triangle at a place given in draw-lattice units (metres, scaled).
float drawnHeightAt(vec2 place)
{
    ivec2 point = clamp(ivec2(floor(place)), ivec2(0), ivec2(1 << kDrawLatticeBits));
    LeafAt leaf = leafAt(point), triangle = drawnTriangleIn(leaf, point, frame.patchLevel);
    uvec4 drawn = uvec4(lebPacked(uvec2(leaf.apex) >> kPatchBits), lebPacked(uvec2(leaf.base0) >> kPatchBits),
                        lebPacked(uvec2(leaf.base1) >> kPatchBits), cbtDepth(leaf.node));
    vec2 from = place - vec2(triangle.apex), leg0 = vec2(triangle.base0 - triangle.apex),
         leg1 = vec2(triangle.base1 - triangle.apex);
    vec2 weights = clamp(vec2(dot(from, leg0), dot(from, leg1)) / dot(leg0, leg0), 0.0, 1.0);  // equal legs
    float height = 0.0;
    for (int corner = 0; corner < 3; ++corner)
    {
        ivec2 lattice = corner == 0 ? triangle.apex : corner == 1 ? triangle.base0 : triangle.base1;
        float weight = corner == 0 ? 1.0 - weights.x - weights.y : corner == 1 ? weights.x : weights.y;
        height += weight * drawnVertexHeight(drawn, lattice);
    }
    return height;
}

#endif

#ifdef OROGEN_RIM_TEXELS
layout(binding = 0, r32f) uniform writeonly image2D borderImage;
#endif

void main()
{
    int index = int(gl_GlobalInvocationID.x);
#ifdef OROGEN_RIM_TEXELS
    // The number of columns is a multiple of the number of texels.
    if (index >= 4 * columns.y >> level) return;
    float height = rim[index * (columns.x / columns.y)].height;
    if (level > 0)
        height = 0.5 * (texelFetch(borderTexture, ivec2(2 * index, 0), level - 1).r +
                        texelFetch(borderTexture, ivec2(2 * index + 1, 0), level - 1).r);
    imageStore(borderImage, ivec2(index, 0), vec4(height));
#else
    if (index >= range.y) return;
    int column = (range.x + index * range.z) % (4 * columns.x);
    float heights[2];
    for (int i = 0; i < 2; ++i)  // a loop: Mesa 22.3 gave wrong heights where drawnHeightAt() was called twice
    {
        vec2 place = latticeOfBorder(borderPoint((float(column) + 0.5 * float(i * range.z)) / float(columns.x)));
#ifdef OROGEN_RIM_DRAWN
        heights[i] = drawnHeightAt(place);
#else
        heights[i] = surfaceHeight(ivec2(round(place)));
#endif
    }
    rim[column] = RimColumn(heights[0], heights[1]);
#endif
}
