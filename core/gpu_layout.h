// Everything that crosses the CPU/GPU boundary: binding points, workgroup sizes, buffer layouts.
// Compiled twice, as C++ by app/ and as GLSL by every shader, so that the two cannot disagree; tests/gl/ compares the
// offsets with the driver's reflection.
// Allowed members: float, int, uint, vec4, ivec4, uvec4, mat4 and arrays of the 16-byte ones.  No vec2, vec3, bool:
// their layout differs between std140, std430 and C++.
#ifndef OROGEN_GPU_LAYOUT_H
#define OROGEN_GPU_LAYOUT_H

#ifdef __cplusplus
#include <core/glsl_types.h>  // angle brackets: C++ only, the shader loader drops the line
#define OROGEN_CONST inline constexpr
namespace orogen::gpu {
#else
#define OROGEN_CONST const
#endif

// ---- sizes ----------------------------------------------------------------------------------------------------------
OROGEN_CONST uint kLeafGroupSize = 64u;     // threads per workgroup of the passes over leaves
OROGEN_CONST uint kReduceGroupSize = 256u;  // threads per workgroup of the reduction
// Threads per workgroup of the reduction inside chunks; the renderer chooses by device.  Its first step has 64 nodes a
// chunk, its second 8.  A software rasteriser pays for threads that wait for the last nodes as if they worked (one pass
// over the bits takes 1.8 times its plain time with 16 threads and 2.3 times with 64: llvmpipe, D = 24).  A GPU runs
// whole warps of 32 or 64 and hides the latency of memory behind many of them: a thread a node of the first step.
OROGEN_CONST uint kChunkThreadsSoftware = 16u;
OROGEN_CONST uint kChunkThreadsHardware = 64u;
OROGEN_CONST uint kChunkDepth = 15u;       // a chunk, the unit of the incremental reduction, is a subtree of 2^15 bits
OROGEN_CONST uint kRangeGroupSize = 64u;   // threads that write the arguments of as many draws
OROGEN_CONST uint kMaxGroupsX = 32768u;    // leaf dispatches wrap into y above this; the guaranteed limit is 65535
OROGEN_CONST uint kPatchBits = 6u;         // patch levels 0 .. 6: drawn vertices lie on a lattice 2^6 finer than leaves
OROGEN_CONST uint kLeafLatticeBits = 15u;  // corners of leaves of depth <= 30 are multiples of 2^-15
OROGEN_CONST uint kCubeLatticeBits = 30u;  // a side of a face of the cube that the Earth is drawn from: kCubeBits
OROGEN_CONST uint kMaxPyramidLevels = 16u;
OROGEN_CONST uint kMaxErrorLevels = 16u;  // sizes of diamonds whose errors are stored
OROGEN_CONST uint kErrorPageBits = 11u;   // codes lie in rows of 2^11 texels, 2^11 rows a layer
OROGEN_CONST uint kTileIntervals = 128u;  // of a tile along a side, see core/terrain/tiles/tile_grid.h
OROGEN_CONST uint kKinkCell = 8u;         // intervals along a side of the cells of kTileKinkTexture

// ---- storage buffers ------------------------------------------------------------------------------------------------
OROGEN_CONST uint kTreeBinding = 0u;     // uint heap[]
OROGEN_CONST uint kLeavesBinding = 1u;   // uint leaves[]: the snapshot that a round works on
OROGEN_CONST uint kFlagsBinding = 2u;    // uint leafFlags[], by leaf number
OROGEN_CONST uint kPlanBinding = 3u;     // uint leafPlan[], by leaf number
OROGEN_CONST uint kPairsBinding = 4u;    // uint roundCounters[22], pairBits[]: see lod_round.glsl
OROGEN_CONST uint kPrefixBinding = 5u;   // uint pairPrefix[]
OROGEN_CONST uint kStateBinding = 6u;    // TreeState, then uint dirty[]: a flag a chunk, then the list of dirty chunks
OROGEN_CONST uint kVisibleBinding = 7u;  // uvec4 visible[]: drawn leaves, see drawn_leaf.glsl
OROGEN_CONST uint kVerdictsBinding =
    7u;  // uint verdicts[], of the mark alone, which lists nothing: see lod_verdicts.glsl
OROGEN_CONST uint kChangesBinding = 7u;  // uint changes[]: bits that the round turns
OROGEN_CONST uint kDueBinding = 5u;      // the leaves that mark has to look at, where the prefix sums stand later
// Of the pool of bisectors, where the implicit tree has its prefix sums and verdicts.
OROGEN_CONST uint kPoolBinding = 5u;  // uint poolFacts[4], pool[]: see pool.glsl
OROGEN_CONST uint kChangedBinding =
    7u;  // the leaves that a round changes, as kDueBinding; where the visible ones go later
OROGEN_CONST uint kStorageBindings = 8u;  // how many there are; OpenGL promises as many to compute shaders
// The mesh validator's own, in the place of what only rounds need.
OROGEN_CONST uint kDrawnBitsBinding = 2u;     // uint drawnBits[]: a bit a leaf number, set by the entry that draws it
OROGEN_CONST uint kMeshCheckBinding = 3u;     // MeshCheck
OROGEN_CONST uint kPatchPointsBinding = 4u;   // uint patchPoints[]: what PatchMesh draws with, four bytes a point
OROGEN_CONST uint kPatchIndicesBinding = 5u;  // uint patchIndices[]: two 16-bit indices a word
OROGEN_CONST uint kTallyBinding = 2u;  // PixelTally, then uint tallyBins[kTallyBins]: of what is measured a pixel
// Bindings of the measures of pixels, which ask no tree: see drawn_mesh.glsl.
OROGEN_CONST uint kMeshRecordsBinding = 3u;      // uvec4 meshRecords[]: leaves and vertices as a frame drew them
OROGEN_CONST uint kMeshTableBinding = 1u;        // uint meshTable[]: which record a leaf has
OROGEN_CONST uint kMeshRecordsThenBinding = 0u;  // as meshRecords, of the frame before
OROGEN_CONST uint kMeshTableThenBinding = 5u;
OROGEN_CONST uint kMeshTableHead = 4u;   // words before the table's entries
OROGEN_CONST uint kPickBinding = 2u;     // PickedLeaf
OROGEN_CONST uint kRimBinding = 2u;      // RimColumn rim[]: see border_point.glsl
OROGEN_CONST uint kRangesBinding = 3u;   // DrawCommand ranges[]: where the plan stood that the rounds have carried out
OROGEN_CONST uint kLabScanBinding = 2u;  // the laboratory alone, where no flags are: uint scanLeaf, scanFound

// ---- uniform buffers ------------------------------------------------------------------------------------------------
OROGEN_CONST uint kFrameBinding = 0u;       // FrameUniforms
OROGEN_CONST uint kTerrainBinding = 1u;     // TerrainUniforms
OROGEN_CONST uint kCoverBinding = 2u;       // CoverUniforms
OROGEN_CONST uint kTileBinding = 3u;        // TileUniforms
OROGEN_CONST uint kDetailBinding = 4u;      // DetailUniforms
OROGEN_CONST uint kEarthBinding = 5u;       // EarthUniforms
OROGEN_CONST uint kAirBinding = 6u;         // AirUniforms
OROGEN_CONST uint kGroundViewBinding = 7u;  // GroundView

// ---- textures -------------------------------------------------------------------------------------------------------
OROGEN_CONST uint kHeightTexture = 0u;    // R16: height = heightOffset + heightScale * texel * 65535
OROGEN_CONST uint kGradientTexture = 1u;  // RG16F with mipmaps: slope towards east and north, unscaled metres per metre
OROGEN_CONST uint kRangeTexture = 2u;  // RG16 atlas: minimum and maximum height of pyramid cells, coded as heights are
OROGEN_CONST uint kErrorTexture = 3u;  // R8UI array: errors of diamonds, see diamond_error.glsl
OROGEN_CONST uint kVoidTexture = 4u;   // R8: 1 where the source has no data
OROGEN_CONST uint kLightTexture = 5u;  // RG8: share of the sun and share of the sky that the ground sees
OROGEN_CONST uint kLakeTexture = 6u;   // R8 with mipmaps: 1 where a cell is still water
OROGEN_CONST uint kDrapeTexture = 7u;  // sRGB and alpha with mipmaps: the draped image

// Of a terrain in tiles (heights_tiles.glsl); a tile's slot says where it lies in each of the arrays.
OROGEN_CONST uint kTileTableTexture = 8u;       // RGBA32UI: the page table, a hash by level and place
OROGEN_CONST uint kTileHeightTexture = 9u;      // R32F array: metres, unscaled
OROGEN_CONST uint kTileSlopeTexture = 10u;      // RG16F array: as kGradientTexture
OROGEN_CONST uint kTileRoughnessTexture = 11u;  // R8 array: roughness codes, a sample each (core/terrain/detail)
// RGBA16F array with mipmaps, for cells of kKinkCell intervals: what a triangle can miss, lowest and highest sample.
OROGEN_CONST uint kTileKinkTexture = 12u;
// Of a terrain in one image, where kTileRoughnessTexture holds a tile's.
OROGEN_CONST uint kRoughnessTexture = 13u;  // R8: roughness codes, a sample each

// Between what a triangle budget moves the threshold: pixels of a drawn triangle's longest edge, or of its error.
OROGEN_CONST float kBudgetLowestEdge = 0.5f;
OROGEN_CONST float kBudgetHighestEdge = 64.0f;
OROGEN_CONST float kBudgetLowestError = 0.1f;
OROGEN_CONST float kBudgetHighestError = 32.0f;

OROGEN_CONST uint kBorderTexture = 14u;  // R32F with mipmaps: drawn heights once around the border, metres, scaled
OROGEN_CONST uint kDepthTexture = 15u;   // of the picture that is measured

OROGEN_CONST uint kCriterionEdge = 0u;
OROGEN_CONST uint kCriterionError = 1u;

OROGEN_CONST uint kShadingLit = 0u;
OROGEN_CONST uint kShadingNormals = 1u;
OROGEN_CONST uint kShadingSlope = 2u;
OROGEN_CONST uint kShadingHypsometric = 3u;
OROGEN_CONST uint kShadingLod = 4u;
OROGEN_CONST uint kShadingError = 5u;

// ---- colours of data ------------------------------------------------------------------------------------------------
// As a display shows them; a ramp runs through five.  Panels draw their legends with the same.
OROGEN_CONST vec4 kSlopeColours[5] = {vec4(0.10f, 0.24f, 0.42f, 1.0f), vec4(0.16f, 0.55f, 0.56f, 1.0f),
                                      vec4(0.86f, 0.84f, 0.42f, 1.0f), vec4(0.88f, 0.45f, 0.20f, 1.0f),
                                      vec4(0.62f, 0.08f, 0.16f, 1.0f)};  // 0, 15, 30, 45, 60 degrees and above
OROGEN_CONST vec4 kHeightColours[5] = {vec4(0.27f, 0.52f, 0.36f, 1.0f), vec4(0.66f, 0.77f, 0.48f, 1.0f),
                                       vec4(0.93f, 0.87f, 0.60f, 1.0f), vec4(0.74f, 0.52f, 0.34f, 1.0f),
                                       vec4(0.97f, 0.96f, 0.95f, 1.0f)};  // from the lowest sample to the highest
OROGEN_CONST vec4 kDepthColours[5] = {vec4(0.74f, 0.87f, 0.91f, 1.0f), vec4(0.51f, 0.73f, 0.84f, 1.0f),
                                      vec4(0.32f, 0.57f, 0.75f, 1.0f), vec4(0.19f, 0.40f, 0.61f, 1.0f),
                                      vec4(0.10f, 0.22f, 0.42f, 1.0f)};  // of the sea's floor, down to 8,000 m
OROGEN_CONST vec4 kErrorColours[5] = {vec4(0.13f, 0.18f, 0.42f, 1.0f), vec4(0.16f, 0.55f, 0.60f, 1.0f),
                                      vec4(0.94f, 0.90f, 0.60f, 1.0f), vec4(0.90f, 0.45f, 0.15f, 1.0f),
                                      vec4(0.55f, 0.03f, 0.12f, 1.0f)};  // 1/16, 1/4, 1, 4, 16 pixels and above

// Depths in the tree, a ramp for even and one for odd depths, from kFirstLevelColour to the world's deepest: later
// depths are lighter, and neighbours differ in hue.
OROGEN_CONST vec4 kEvenLevelColours[5] = {vec4(0.14f, 0.13f, 0.42f, 1.0f), vec4(0.12f, 0.36f, 0.68f, 1.0f),
                                          vec4(0.13f, 0.60f, 0.72f, 1.0f), vec4(0.38f, 0.82f, 0.68f, 1.0f),
                                          vec4(0.82f, 0.97f, 0.80f, 1.0f)};
OROGEN_CONST vec4 kOddLevelColours[5] = {vec4(0.34f, 0.07f, 0.22f, 1.0f), vec4(0.66f, 0.14f, 0.22f, 1.0f),
                                         vec4(0.87f, 0.37f, 0.17f, 1.0f), vec4(0.97f, 0.66f, 0.24f, 1.0f),
                                         vec4(1.00f, 0.94f, 0.66f, 1.0f)};
OROGEN_CONST uint kFirstLevelColour = 4u;
OROGEN_CONST uint kDeepestPlaneLevel = 30u;
OROGEN_CONST uint kDeepestEarthLevel = 58u;

// Written once a frame.  Relative: metres with the camera as origin, axes as in the world (east, north, up).
struct FrameUniforms
{
    mat4 clipFromRelative;
    mat4 relativeFromClip;
    vec4 frustum[6];        // camera-relative, inward, normalised: left, right, bottom, top, near, (unused)
    vec4 frozenFrustum[6];  // the same of the frozen camera, relative to the present one
    vec4 cameraCell;  // x, y: the camera's position in draw-lattice units, whole part; z: its height; w: finest leg,
                      // metres
    vec4 cameraFraction;    // x, y, z: what is left, in metres
    vec4 sunDirection;      // towards the sun, unit
    vec4 viewport;          // width, height in pixels, 1 / width, 1 / height
    float pixelsPerRadian;  // focal length in pixels
    float splitPixels;      // thresholds for a leaf's base edge or for the error, patch level taken into account
    float mergePixels;      // always below splitPixels
    uint criterion;         // kCriterionEdge or kCriterionError
    uint shading;           // kShading...
    uint wireframe;         // 0 or 1
    uint frozen;            // 0 or 1: what lies outside frozenFrustum is dimmed
    uint patchLevel;        // 0 .. kPatchBits
    uint leafCapacity;
    uint patchVertices;     // (2^P + 1)(2^P + 2) / 2
    float hazePerMetre;     // extinction at the terrain's lowest point
    float hazeScaleHeight;  // metres
    float triangleBudget;   // drawn triangles that the thresholds are moved for; 0: none
    uint geomorph;          // 0 or 1: new vertices glide to their height
    float detailEast;       // the camera's place in metres, modulo 20,480: see ground.glsl
    float detailNorth;
    vec4 lodCell;  // as cameraCell, of the camera that the tree was made for: not the present one while it is frozen
    vec4 lodFraction;  // as cameraFraction; w: pixels per radian of that camera
};

// Written when a terrain or the height scale changes.
struct TerrainUniforms
{
    vec4 squareSize;        // x: side of the enclosing square in metres; y: metres per draw-lattice unit; z, w unused
    vec4 texelFromLattice;  // texel = xy * lattice + zw, of the height texture; rows grow southwards
    vec4 rasterSize;        // width, height in samples, 1 / width, 1 / height
    vec4 latticeBounds;     // the raster in draw-lattice units: west, south, east, north
    vec4 heights;    // x: offset, y: scale of the 16-bit codes times 65535, z: lowest, w: highest; metres, scaled
    vec4 pixelSize;  // metres: east, south; z: height scale; w: 1 if there are voids
    ivec4 pyramidLevels[16];  // x, y: origin in the atlas; z, w: size; level l has cells of 2^(l + 1) grid intervals
    uint pyramidLevelCount;
    uint errorFinestBits;   // DiamondErrors::finestBits
    uint errorPatchOffset;  // what a diamond's code lies before that of a leaf in the middle of whose base it is
    float errorFineScale;   // DiamondErrors::fineScale
    // Where codes lie: [0 .. 15] as DiamondErrors::levels, [16] as its fine cells.  x: first code; y: origin, z: size,
    // as x | y << 16; w unused.
    uvec4 errorGrids[17];
    vec4 errorMetres[64];  // of codes, unscaled
};

// Of a terrain in tiles.  Written every frame.
struct TileUniforms
{
    // Sample coordinates of a lattice point, along columns and along rows, as core/terrain/tiles/tile_place.h has them:
    // x + y 2^32 for a lattice unit, z + w 2^32 of lattice coordinate 0; in 2^-36 samples, modulo 2^64.  On the Earth
    // columnOfLattice.x alone: the logarithm of the lattice units from sample to sample of level 0.
    uvec4 columnOfLattice;
    uvec4 rowOfLattice;
    ivec4 last;  // x, y: last column and row of the finest level; z: coarsest level; w: finest of a tile that is active
    ivec4 cameraSample;  // x, y: whole sample coordinates of the camera; z, w unused
    vec4 cameraPart;     // x, y: the rest; z: square of the camera's height above all ground, metres; w: 1 / reach^2
    vec4 reach;   // x: metres as far as level 0 is shown, level l 2^l times as far; y: as distanceWeight() takes it, of
                  // the share of that over which it fades; z, w: metres a column and a row
    uvec4 table;  // x: entries - 1; y: bits of a row's texels; z: bits of the tiles along a layer's side; w unused
};

// Made relief below the samples' spacing: see detail.glsl.  Written when a terrain changes.
struct DetailUniforms
{
    uvec4 octaves;  // x: how many, 0: none; y: lattice bits of the coarsest one's cell; z, w unused
    vec4 metres;    // x: of a lattice unit; y: waves a cell; z: bound of all octaves together, y and z for a metre of
                    // roughness; w: waves a metre of the coarsest octave
    vec4 amplitudes[4];  // of the octaves, coarsest first; for a metre of roughness
    vec4 bounds[6];      // what a triangle misses whose base has a middle of that many unit bits; likewise
    vec4 roughness[64];  // metres that a roughness code stands for
};

// Of the Earth.  Written every frame.  Doubles are two words each, the lower one first.
struct EarthUniforms
{
    uvec4 cameraXY;  // earth-fixed metres: x, y
    uvec4 cameraZ;   // z in the first two words; z, w: unused
    uvec4 footXY;    // the point of the ellipsoid below the camera
    uvec4 footZ;
    // What "relative" stands for on the Earth: metres from the camera along its own east, north and up.  Rows of the
    // rotation that takes earth-fixed offsets there.
    vec4 east, north, up;
    // The same of the camera that the triangulation was made for, which is not the present one while it is frozen.
    uvec4 lodCameraXY;
    uvec4 lodCameraZ;
    vec4 lodEast, lodNorth, lodUp;
    vec4 lodView;  // x, y, z: unit, the way that camera looks, earth-fixed; w: cosine of the angle from it to a corner
    vec4 lodScaled;  // x, y, z: that camera in the space where the ellipsoid, raised to the highest ground, is the unit
                     // sphere; w: its square distance from the centre less 1 (below 0: it is inside)
    vec4 sea;        // x: its level, metres, scaled as drawn; y: 1 if there is one; z, w unused
    vec4 figure;     // x: metres of a lattice unit (metresOfCubeUnit()); y: height of the camera above the ellipsoid;
                     // z, w: lowest and highest ground, metres, scaled
};

// The Earth's atmosphere, worked out where its ellipsoid is a sphere: earth-fixed axes, z stretched by the ratio of the
// ellipsoid's radii.  Written every frame.
struct AirUniforms
{
    vec4 east, north, up;  // x, y, z: where a metre along each axis of "relative" leads there; w: unused but
                           // for east, the share of the air that is shown
    vec4 camera;  // x, y, z: unit, from the Earth's centre towards the camera; w: its height over the sphere, metres
    vec4 sun;     // x, y, z: towards the sun, unit; w: extinction by haze at sea level, of green, a metre
};

// What lies over the ground.  Heights are drawn ones: metres, scaled.
struct CoverUniforms
{
    vec4 sea;          // x: its level; y: frames of it around the raster; z, w unused
    vec4 contours;     // x: interval; y: height of a line that bears the number 0; z, w unused
    vec4 drapeTurn;    // columns of the matrix that takes sample coordinates to those of the draped image
    vec4 drapeOffset;  // x, y: added to that; z, w unused
};

// The tree's counters and the indirect arguments that follow from them.  Never waited for: copied to a log each frame.
struct TreeState
{
    uint leaves;           // of the tree, as of the last reduction
    uint visible;          // leaves that the last culling kept
    uint maxDepth;         // of the deepest leaf of the last decode
    uint splits;           // leaves that were split in this frame
    uint merges;           // pairs of leaves that became one in this frame
    uint refused;          // splits refused at capacity in this frame
    uint roundChanges;     // splits + merges of the last round
    uint dirtyChunks;      // length of the list of dirty chunks
    uint leafGroups[4];    // glDispatchComputeIndirect over leaves; [3]: groups in all
    uint reduceGroups[4];  // glDispatchComputeIndirect over dirty chunks; [3] unused
    uint drawCount;        // glDrawElementsIndirect
    uint drawInstances;
    uint drawFirst;
    int drawBaseVertex;
    uint drawBaseInstance;
    uint patchLevel;    // that the visible leaves are drawn with
    float splitPixels;  // the thresholds in effect, as FrameUniforms has those that are set
    float mergePixels;
    float morphPixels;      // of a drawn triangle: vertices glide from here to sqrt(2) times this
    float thresholdPixels;  // of a drawn triangle's longest edge, or of its error: the split threshold in effect
    int thresholdShift;     // from what is set to what is in effect, in 1/256 octaves: see lod_threshold.glsl
    int thresholdWay;       // LodControl of the last round
    uint thresholdTurns;
    uint thresholdWait;
    uint thresholdMoves;  // rounds of this frame that moved the shift
    int morphShift;       // follows thresholdShift
    uint culled;          // 1: `visible` is that of the present tree
    uint rounds;          // since the count was last put back to 0
    uint roundsToRest;    // of those, up to and with the last one that split or merged
};

// Arguments of glDrawElementsIndirect.
struct DrawCommand
{
    uint count;
    uint instances;
    uint first;
    int baseVertex;
    uint baseInstance;
};

// What can be wrong with the mesh that is drawn.
OROGEN_CONST uint kFaultTJunction = 0u;    // an edge with an owner on one side only
OROGEN_CONST uint kFaultHole = 1u;         // a part of the square without a leaf, or a leaf in view that is not drawn
OROGEN_CONST uint kFaultOverlap = 2u;      // a part of the square with two leaves, or a leaf that is drawn twice
OROGEN_CONST uint kFaultCrack = 3u;        // an edge that its two leaves draw at different heights
OROGEN_CONST uint kFaultOrientation = 4u;  // a leaf that does not turn as its depth wants, or is not as large
OROGEN_CONST uint kFaultHeight = 5u;       // a vertex without a finite height
OROGEN_CONST uint kFaultDrawnLeaf = 6u;    // an entry of the list of drawn leaves that is none of the tree's
OROGEN_CONST uint kFaultPatch = 7u;        // a triangle of the patch, or the count of what is drawn
OROGEN_CONST uint kFaultLink = 8u;         // of the pool: a link to a leaf that does not share the edge, or to none
OROGEN_CONST uint kFaultKinds = 9u;

// What the mesh validator found in one frame.  Sums are modulo 2^32.
struct MeshCheck
{
    uint planSums[2];      // over edges: a hash of the two corners, negative where the owner is on the other side
    uint surfaceSums[2];   // likewise, a hash of all points on the edge with the bits of their heights
    uint area;             // of all leaves, in squares of the leaf lattice; of the implicit tree alone
    uint patchSums[2];     // as planSums, over the edges inside the patch
    uint earth;            // 1: leaves are those of the pool
    uint faults[12];       // of each kind, kFaultKinds of them
    uint firstNumber[12];  // of the leaf: the smallest; 0xffffffff: none
    uint firstNode[12];    // that leaf of the implicit tree; 0: none
    uint locateGroups[4];  // glDispatchComputeIndirect; [3] unused
    // Of the pool: leaves by depth; and of the first fault of the first kind: 1, its apex and shape, its id; 0: no leaf
    uint leavesOfDepth[64];
    uint firstLeaf[8];
};

// The leaf under a point of the ground.
struct PickedLeaf
{
    uint node;  // its heap index; of the pool the lower word of its id
    uint depth;
    float errorPixels;  // what the criterion "error" says of it
    float edgePixels;   // what "edge" says: the longest edge of a drawn triangle
    uint nodeHigh;      // the upper word of the id
    uint slot;          // of the pool, while the leaf is looked for; 0xffffffff: none
    uint pad0, pad1;
};

// A picture whose depth is looked at, and its camera.
struct GroundView
{
    mat4 relativeFromClip;
    vec4 cameraCell;      // as in FrameUniforms
    vec4 cameraFraction;  // as in FrameUniforms
    vec4 cameraTexel;     // x, y: whole sample coordinates of the camera; z, w: the rest
    vec4 viewport;        // width, height in pixels, 1 / width, 1 / height
    vec4 lens;            // x, y: where in a pixel its depth was taken; z: pixels per radian; w: near plane, metres
    // Rows of what takes a point that is relative to the camera of the frame before to one relative to this camera: x,
    // y, z times it, and w, metres.
    vec4 thenEast, thenNorth, thenUp;
};

// Of one number a pixel, in pixels; its bins follow.  The first bin: below 2^-10; then 128 to each power of two.
struct PixelTally
{
    uint largest;  // bits of the float
    uint pad0, pad1, pad2;
};
OROGEN_CONST uint kTallyFirstStep = 14976u;  // upper 16 bits of the float 2^-10
OROGEN_CONST uint kTallyBins = 2305u;        // up to 2^8

#ifdef __cplusplus
static_assert(sizeof(CoverUniforms) == 64 && sizeof(TileUniforms) == 112 && sizeof(DetailUniforms) == 1216);
static_assert(offsetof(EarthUniforms, east) == 64 && offsetof(EarthUniforms, sea) == 224);
static_assert(sizeof(EarthUniforms) == 256 && sizeof(AirUniforms) == 80);
static_assert(sizeof(GroundView) == 192 && sizeof(PixelTally) == 16);
static_assert(offsetof(MeshCheck, faults) == 32 && offsetof(MeshCheck, locateGroups) == 176);
static_assert(sizeof(MeshCheck) == 480 && sizeof(PickedLeaf) == 32);
static_assert(offsetof(FrameUniforms, frustum) == 128);
static_assert(offsetof(FrameUniforms, cameraCell) == 320);
static_assert(offsetof(FrameUniforms, pixelsPerRadian) == 384);
static_assert(sizeof(FrameUniforms) == 480);
static_assert(offsetof(TerrainUniforms, errorGrids) == 368 && sizeof(TerrainUniforms) == 1664);
static_assert(offsetof(TreeState, leafGroups) == 32 && offsetof(TreeState, drawCount) == 64);
static_assert(sizeof(TreeState) == 140 && sizeof(DrawCommand) == 20);
}  // namespace orogen::gpu
#endif
#undef OROGEN_CONST
#endif
