// Lists the weights by which the vertices of each leaf in view glide, by the criterion `error`: one for each age, see
// drawn_leaf.glsl.  One errorPixels() a leaf and age costs much less than one a vertex.  One thread a leaf.
#include "shaders/frame.glsl"
#include "shaders/tree/leaf_dispatch.glsl"

layout(std430, binding = kVisibleBinding) readonly buffer VisibleBlock { uvec4 visible[]; };
layout(std430, binding = kStateBinding) readonly buffer StateBlock { TreeState state; };
layout(std430, binding = kGlidesBinding) writeonly buffer GlidesBlock { vec4 glides[]; };
layout(binding = kHeightTexture) uniform sampler2D heightTexture;

#include "shaders/surface/surface.glsl"
#include "shaders/heights/heights.glsl"
#include "shaders/tree/leb.glsl"
#include "shaders/tree/diamond.glsl"
#include "shaders/surface/drawn_surface.glsl"
#include "shaders/surface/drawn_leaf.glsl"

void main()
{
    uint place = leafNumber();
    if (place >= state.drawInstances) return;
    uvec4 leaf = visible[place];
    MorphView view = morphView(state.morphPixels);
    vec4 weights = vec4(1.0);
    for (uint age = 0u; age < glidingAges(); ++age) weights[age] = glideOfAge(leaf, age, view);
    glides[place] = weights;
}
