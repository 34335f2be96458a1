// Computes the heights at which the leaves in view draw the vertices of their patches; terrain.vert reads them.  The
// rule is morphedHeight() of drawn_surface.glsl.  A vertex glides (morphs) from the middle of an edge whose ends lie in
// the same patch.  So the height of each vertex is looked up only once.  Corners that glide are the only exception.  By
// the criterion `error`, weights are computed once per leaf and age (drawn_leaf.glsl).
//
// A workgroup takes kLeafGroupSize leaves, as many at a time as its shared memory holds.  A software rasteriser
// executes every branch, and the body of a loop at least once, for all its threads.  So extra lookups, which few
// vertices need, are made in loops over lists of these vertices.
//
// A program defines one of OROGEN_NO_GEOMORPH, OROGEN_EDGE_CRITERION, OROGEN_ERROR_CRITERION.  It also defines
// OROGEN_CORNERS_GLIDE where corners may glide: by `edge`, and by `error` at patch level 0.
#include "shaders/frame.glsl"

layout(local_size_x = kLeafGroupSize) in;

layout(location = 0) uniform uint rangeFirst;   // first leaf of the range of visible leaves
layout(location = 1) uniform uint rangeLeaves;  // leaves of the range

layout(std430, binding = kVisibleBinding) readonly buffer VisibleBlock { uvec4 visible[]; };
layout(std430, binding = kStateBinding) readonly buffer StateBlock { TreeState state; };
layout(std430, binding = kPatchPointsBinding) readonly buffer PatchPointsBlock { uint patchPoints[]; };
layout(std430, binding = kVertexHeightsBinding) writeonly buffer VertexHeightsBlock { float vertexHeights[]; };
layout(binding = kHeightTexture) uniform sampler2D heightTexture;

#include "shaders/surface/surface.glsl"
#include "shaders/heights/heights.glsl"
#include "shaders/tree/leb.glsl"
#include "shaders/tree/diamond.glsl"
#include "shaders/surface/drawn_surface.glsl"
#include "shaders/surface/drawn_leaf.glsl"

const uint kHeld = 2160u;  // vertices in shared memory: a leaf at patch level 6 has 2145

#ifndef OROGEN_NO_GEOMORPH
shared float ownHeight[kHeld];  // metres, scaled
shared float ownWeight[kHeld];  // see morphWeight()
#ifdef OROGEN_EDGE_CRITERION
shared float endHeights[kHeld];  // see endHeight()
#else
#define endHeights ownHeight
shared vec4 leafGlides[kLeafGroupSize];  // weights by age
#endif
#ifdef OROGEN_CORNERS_GLIDE
shared uint corners[3u * kLeafGroupSize];  // indices, among the vertices held, of corners that glide
shared uint cornerCount;
#endif
#endif

uint points, firstLeaf;  // number of vertices of a leaf; the first leaf held in shared memory

// A vertex held in shared memory.
struct Held
{
    uint leaf, point;  // leaf: index, from the first leaf held; point: the vertex's entry of patchPoints[]
    ivec2 weights;    // see pointWeights()
    Lattice lattice;
};

Held held(uint place)
{
    Held v;
    v.leaf = place / points;
    v.point = patchPoints[place - v.leaf * points];
    v.weights = pointWeights(v.point);
    v.lattice = drawnLattice(visible[firstLeaf + v.leaf], v.weights);
    return v;
}

// Returns whether the vertex is a corner of its leaf.
bool isCorner(Held v) { return pointEnd(v.point) == ivec2(0); }

#ifndef OROGEN_NO_GEOMORPH
// Returns the weight of a vertex's own height.  `criterionHeight`: height at which the criterion `edge` measures.
float weightOf(Held v, float criterionHeight, MorphView view)
{
    if (!isDiamond(onSquare(v.lattice))) return 1.0;
#ifdef OROGEN_EDGE_CRITERION
    return weightByEdge(v.lattice, surfaceFromLodCamera(v.lattice, criterionHeight), view);
#else
    uint age = listedAge(visible[firstLeaf + v.leaf], v.lattice);
    return age < kGlidingAges ? leafGlides[v.leaf][age] : 1.0;
#endif
}

// Returns the drawn height of a vertex, between the middle of the edge that it split and its own height.  `end0`,
// `end1`: heights of the edge's ends; `place`: index of the vertex among those held.
float glided(Held v, float end0, float end1, uint place)
{
    float middle = 0.5 * (end0 + end1) - baseSag(v.lattice, diamondBase(onSquare(v.lattice)));
    return mix(middle, ownHeight[place], ownWeight[place]);
}
#endif

void main()
{
    points = patchPointCount(frame.patchLevel);
    uint atOnce = min(kHeld / points, kLeafGroupSize), thread = gl_LocalInvocationID.x;
    uint firstOfGroup = (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * kLeafGroupSize;
    uint inView = state.drawInstances - min(rangeFirst, state.drawInstances), inRange = min(inView, rangeLeaves);
    uint leaves = min(inRange - min(firstOfGroup, inRange), kLeafGroupSize);
    MorphView view = morphView(state.morphPixels);
    for (uint from = 0u; from < leaves; from += atOnce)
    {
        firstLeaf = rangeFirst + firstOfGroup + from;
        uint heldLeaves = min(atOnce, leaves - from), vertices = heldLeaves * points;
        uint firstPlace = (firstOfGroup + from) * points;
#ifdef OROGEN_CORNERS_GLIDE
        if (thread == 0u) cornerCount = 0u;
#endif
#ifdef OROGEN_ERROR_CRITERION
        if (thread < heldLeaves)
        {
            vec4 weights = vec4(1.0);
            for (uint age = 0u; age < glidingAges(); ++age) weights[age] = glideOfAge(visible[firstLeaf + thread], age, view);
            leafGlides[thread] = weights;
        }
#endif
        barrier();
        for (uint place = thread; place < vertices; place += kLeafGroupSize)
        {
            Held v = held(place);
            vec2 heights = groundHeights(v.lattice) * terrain.pixelSize.z;
#ifdef OROGEN_NO_GEOMORPH
            vertexHeights[firstPlace + place] = heights.x;
#else
            float weight = weightOf(v, heights.y, view);
            ownHeight[place] = heights.x;
            ownWeight[place] = weight;
            endHeights[place] = heights.x;
            if (weight == 1.0) vertexHeights[firstPlace + place] = heights.x;
#ifdef OROGEN_CORNERS_GLIDE
            if (weight < 1.0 && isCorner(v)) corners[atomicAdd(cornerCount, 1u)] = place;
#endif
#endif
        }
#ifndef OROGEN_NO_GEOMORPH
        barrier();
#ifdef OROGEN_CORNERS_GLIDE
        for (uint i = thread; i < cornerCount; i += kLeafGroupSize)
        {
            uint place = corners[i];
            Held v = held(place);
            vertexHeights[firstPlace + place] = morphedHeight(v.lattice, ownWeight[place], view);
            endHeights[place] = endHeight(v.lattice, view);
        }
#endif
#ifdef OROGEN_EDGE_CRITERION
        for (uint place = thread; place < vertices; place += kLeafGroupSize)
        {
            Held v = held(place);
            ivec2 end = pointEnd(v.point);
            uint first = v.leaf * points;
            if (ownWeight[place] < 1.0 && !isCorner(v))
                endHeights[place] = glided(v, ownHeight[first + patchNumber(v.weights + end)],
                                           ownHeight[first + patchNumber(v.weights - end)], place);
        }
        barrier();
#endif
        for (uint place = thread; place < vertices; place += kLeafGroupSize)
        {
            Held v = held(place);
            ivec2 end = pointEnd(v.point);
            uint first = v.leaf * points;
            if (ownWeight[place] < 1.0 && !isCorner(v))
                vertexHeights[firstPlace + place] = glided(v, endHeights[first + patchNumber(v.weights + end)],
                                                           endHeights[first + patchNumber(v.weights - end)], place);
        }
        barrier();
#endif
    }
}
