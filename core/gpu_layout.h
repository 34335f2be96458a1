// Layouts shared by the CPU and the GPU: binding points, workgroup sizes, buffers.
//
// Programs compile this file as C++ and shaders as GLSL, so that all use the same layout.
// tests/gl/ compares the offsets with the driver's reflection.  Allowed members are float, int, uint, vec4, ivec4,
// uvec4, mat4 and arrays of the 16-byte types; in storage buffers also arrays of uint and structs of scalars.  vec2,
// vec3 and bool are excluded: their layout differs between std140, std430 and C++.  GLSL aligns the 16-byte types to 16
// bytes and C++ does not: in uniform blocks, scalars stand in groups of four, filled up by `uint pad0, pad1, ...;`.
//
// A round is one pass of splits and merges over the leaves of the tree.  A decode lists the leaves after a round, and
// culls them.  "Scaled" heights are multiplied by the setting terrain.height_scale; "unscaled" ones are not.
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
OROGEN_CONST uint kReduceGroupSize = 256u;  // threads per workgroup of the reduction above chunks
// Threads per workgroup of the reduction inside chunks; the renderer chooses by device.  The first step has 64 nodes
// per chunk, the second has 8.  On a software rasteriser idle threads cost as much as working ones.  A pass over the
// bits takes 1.8 times as long with 16 threads as without idle ones, and 2.3 times with 64 (llvmpipe, depth 24).  A GPU
// runs whole warps of 32 or 64 threads and needs many warps to hide memory latency, so it gets one thread per node of
// the first step.
OROGEN_CONST uint kChunkThreadsSoftware = 16u;
OROGEN_CONST uint kChunkThreadsHardware = 64u;
OROGEN_CONST uint kListWords = 5u;         // words per leaf in the list of the implicit tree's leaves: leaf_list.glsl
OROGEN_CONST uint kSumBlock = 256u;        // words per block of a prefix sum: block_sums.glsl
OROGEN_CONST uint kChunkDepth = 15u;       // a chunk, the unit of the incremental reduction, is a subtree of 2^15 bits
OROGEN_CONST uint kRangeGroupSize = 64u;   // threads per workgroup of draw_ranges.comp and group_ranges.comp
OROGEN_CONST uint kShadingGroupSide = 8u;  // threads along a side of a workgroup that shades pixels (pixel.glsl)
OROGEN_CONST uint kMaxGroupsX = 32768u;    // leaf dispatches continue in y above this; OpenGL guarantees 65,535
OROGEN_CONST uint kPatchBits = 6u;         // largest patch level: the draw lattice is 2^6 finer than the leaf lattice
OROGEN_CONST uint kLeafLatticeBits = 15u;  // corners of leaves (depth <= 30) are multiples of side / 2^15
OROGEN_CONST uint kCubeLatticeBits = 30u;  // log2 of lattice units along a side of an Earth cube face; kCubeBits in C++
OROGEN_CONST uint kMaxPyramidLevels = 16u;
OROGEN_CONST uint kMaxErrorLevels = 16u;  // maximum number of diamond sizes with stored errors
OROGEN_CONST uint kErrorPageBits = 11u;   // error codes lie in rows of 2^11 texels, 2^11 rows per layer
OROGEN_CONST uint kTileIntervals = 128u;  // sample intervals along a side of a tile: core/terrain/tiles/tile_grid.h
OROGEN_CONST uint kRangeCell = 8u;        // sample intervals along a side of a texel of kTileRangeTexture
OROGEN_CONST uint kErrorCells = 64u;      // texels along a side of a tile in kTileErrorTexture

// ---- storage buffers ------------------------------------------------------------------------------------------------
OROGEN_CONST uint kTreeBinding = 0u;     // uint heap[]: the concurrent binary tree, see cbt.glsl
OROGEN_CONST uint kLeavesBinding = 1u;   // uint leaves[]: the leaves before a round; see leaf_list.glsl
OROGEN_CONST uint kFlagsBinding = 2u;    // uint leafFlags[]: requests of a round, indexed by leaf number
OROGEN_CONST uint kPlanBinding = 3u;     // uint leafPlan[]: decisions of a round, indexed by leaf number
OROGEN_CONST uint kPairsBinding = 4u;    // uint roundCounters[22], then uint pairBits[]: see lod_round.glsl
OROGEN_CONST uint kPrefixBinding = 5u;   // uint pairPrefix[]: see lod_round.glsl
OROGEN_CONST uint kStateBinding = 6u;    // TreeState, then uint dirty[]: a flag per chunk, a list of changed chunks
OROGEN_CONST uint kVisibleBinding = 7u;  // uvec4 visible[]: drawn leaves, see drawn_leaf.glsl
OROGEN_CONST uint kVertexHeightsBinding = 3u;  // float vertexHeights[], in draws: see leaf_heights.comp
OROGEN_CONST uint kChangesBinding = 7u;        // uint changes[]: heap bits that a round toggles; in draws visible[]
OROGEN_CONST uint kLeafChangesBinding = 5u;    // uvec4 leafChanges[]: see leaf_changes.glsl; before that pairPrefix[]
OROGEN_CONST uint kNextLeavesBinding = 3u;  // uint nextLeaves[]: the list that a decode writes; in a round leafPlan[]
OROGEN_CONST uint kDueBinding = 5u;         // leaves that a round evaluates: lod_verdicts.glsl; after that pairPrefix[]
// Bindings of the bisector pool (core/leb/pool.h), in place of prefix sums and changes of the plane's tree.
OROGEN_CONST uint kPoolBinding = 5u;          // uint poolFacts[4], then uint pool[]: see pool.glsl
OROGEN_CONST uint kChangedBinding = 7u;       // leaves that a round changes: see pool_change.glsl; in draws visible[]
OROGEN_CONST uint kStorageBindings = 8u;      // number of storage bindings; OpenGL guarantees it to compute shaders
OROGEN_CONST uint kDrawnBitsBinding = 2u;     // uint drawnBits[]: one bit per leaf number, set if the leaf is drawn
OROGEN_CONST uint kMeshCheckBinding = 3u;     // MeshCheck
OROGEN_CONST uint kPatchPointsBinding = 4u;   // uint patchPoints[]: vertices of PatchMesh, four bytes per point
OROGEN_CONST uint kPatchIndicesBinding = 5u;  // uint patchIndices[]: two 16-bit indices per word
OROGEN_CONST uint kTallyBinding = 2u;  // PixelTally, then uint tallyBins[kTallyBins]: histogram of a per-pixel value
// Bindings of the per-pixel measurements, which do not read the tree: see drawn_mesh.glsl.
OROGEN_CONST uint kMeshRecordsBinding = 3u;      // uvec4 meshRecords[]: leaves and vertices as a frame drew them
OROGEN_CONST uint kMeshTableBinding = 1u;        // uint meshTable[]: maps a leaf to its record
OROGEN_CONST uint kMeshRecordsThenBinding = 0u;  // meshRecords of the previous frame
OROGEN_CONST uint kMeshTableThenBinding = 5u;    // meshTable of the previous frame
OROGEN_CONST uint kMeshTableHead = 4u;           // words of meshTable[] before its entries
OROGEN_CONST uint kPickBinding = 2u;             // PickedLeaf
OROGEN_CONST uint kCurvedBinding = 2u;   // arguments of a draw, then uint curvedLeaves[]: see top_view_earth.comp
OROGEN_CONST uint kCurvedDepth = 10u;    // leaves of a smaller depth are drawn in pieces in the Earth's view from above
OROGEN_CONST uint kCurvedPieces = 8u;    // pieces along a side of a leaf that is drawn in pieces
OROGEN_CONST uint kEdgesBinding = 2u;    // list of the pixels that are shaded once per sample: see edges.comp
OROGEN_CONST uint kEdgeVertices = 6u;    // vertices drawn for each of these pixels
OROGEN_CONST uint kMostSamples = 32u;    // largest number of samples of a pixel
OROGEN_CONST uint kRimBinding = 2u;      // RimColumn rim[], along the raster's border: see border_point.glsl
OROGEN_CONST uint kLandBinding = 3u;     // LandPoint land[], around the raster: see border_point.glsl
OROGEN_CONST uint kRangesBinding = 3u;   // ranges[]: DrawRange in draw_ranges.comp, uvec4 in group_ranges.comp
OROGEN_CONST uint kLabScanBinding = 2u;  // uint scanLeaf, scanFound: shaders/lab only, in place of leafFlags

// ---- uniform buffers ------------------------------------------------------------------------------------------------
OROGEN_CONST uint kFrameBinding = 0u;       // FrameUniforms
OROGEN_CONST uint kTerrainBinding = 1u;     // TerrainUniforms
OROGEN_CONST uint kCoverBinding = 2u;       // CoverUniforms
OROGEN_CONST uint kTileBinding = 3u;        // TileUniforms
OROGEN_CONST uint kDetailBinding = 4u;      // DetailUniforms
OROGEN_CONST uint kEarthBinding = 5u;       // EarthUniforms
OROGEN_CONST uint kAirBinding = 6u;         // AirUniforms
OROGEN_CONST uint kGroundViewBinding = 7u;  // GroundView
OROGEN_CONST uint kImageryBinding = 10u;    // TileUniforms of the imagery

// ---- textures -------------------------------------------------------------------------------------------------------
OROGEN_CONST uint kHeightTexture = 0u;    // R16: height = TerrainUniforms::heights.x + heights.y * texel
OROGEN_CONST uint kGradientTexture = 1u;  // RG16F with mipmaps: slope towards east and north, unscaled metres per metre
OROGEN_CONST uint kRangeTexture = 2u;     // RG16 atlas: minimum and maximum height of pyramid cells, coded like heights
OROGEN_CONST uint kErrorTexture = 3u;     // R8UI array: errors of diamonds, see diamond_error.glsl
OROGEN_CONST uint kVoidTexture = 4u;      // R8: 1 where the source has no data
OROGEN_CONST uint kLightTexture = 5u;     // RG8: visible share of the sun and of the sky
OROGEN_CONST uint kLakeTexture = 6u;      // R8 with mipmaps: 1 where a cell is a lake or another level water

// Textures of a tiled terrain (heights_tiles.glsl).  A tile's slot number gives its layer and position in each array.
OROGEN_CONST uint kTileTableTexture = 8u;       // RGBA32UI: the page table, hashed by level and position
OROGEN_CONST uint kTileHeightTexture = 9u;      // R32F array: metres, unscaled
OROGEN_CONST uint kTileSlopeTexture = 10u;      // RG16F array: as kGradientTexture
OROGEN_CONST uint kTileRoughnessTexture = 11u;  // RG8 array: roughness code of each sample, and its fraction
// Roughness codes from kFirstDistance on are distances to an elevation model, up to kFarthestDistance metres.  The
// number 256 (code - kFirstDistance) + fraction (in 1/256), from 0 to kMostDistance, is proportional to the square root
// of the distance.
OROGEN_CONST int kFirstDistance = 192;
OROGEN_CONST float kMostDistance = 16383.0f;
OROGEN_CONST float kFarthestDistance = 40000.0f;
// RGBA16F array with mipmaps, one texel per square of kRangeCell intervals: largest range of heights in 2 x 2
// intervals, lowest and highest sample.  Both samples are relative to the tile's lowest height (metres, unscaled).
OROGEN_CONST uint kTileRangeTexture = 12u;
// RGBA8UI array with mipmaps: codes of errors by cells of the draw lattice, see core/terrain/bounds/tile_errors.h.
// Shares the texture unit of kErrorTexture, which only terrains of one image use.
OROGEN_CONST uint kTileErrorTexture = 3u;
OROGEN_CONST uint kRoughnessTexture = 13u;  // R8: roughness codes of a single-image terrain, one per sample

// Limits of the threshold under a triangle budget (pixels of a drawn triangle's longest edge, or of its error).
OROGEN_CONST float kBudgetLowestEdge = 0.5f;
OROGEN_CONST float kBudgetHighestEdge = 64.0f;
OROGEN_CONST float kBudgetLowestError = 0.1f;
OROGEN_CONST float kBudgetHighestError = 32.0f;

OROGEN_CONST uint kBorderTexture = 14u;  // R32F with mipmaps: drawn heights along the raster's border (metres, scaled)
// RGB32F and sRGB8 with alpha: the Earth around the terrain (core/terrain/imagery/surroundings.h), one texel per
// sample.
OROGEN_CONST uint kSurroundingGroundTexture = 26u;
OROGEN_CONST uint kSurroundingColourTexture = 27u;
OROGEN_CONST uint kSurroundingColumns = 256u;      // samples around the border
OROGEN_CONST uint kSurroundingRows = 90u;          // rows of samples from the border outwards
OROGEN_CONST uint kSurroundingRowsPerOctave = 6u;  // rows until the distance has doubled
OROGEN_CONST float kNearestSurroundings = 500.0f;  // metres from the border to the first row
// Largest change, from a row of vertices around the terrain to the next, of the square root of the distance (metres).
// Triangles then stay so close to the sphere that the horizon is off by 0.3 milliradians at most.
OROGEN_CONST float kHorizonStep = 62.0f;
// The land around a terrain changes from the border's heights into the Earth's over this share of the terrain's shorter
// side, but over kLeastLandBlend metres at least.
OROGEN_CONST float kLandBlendSide = 0.3f;
OROGEN_CONST float kLeastLandBlend = 4000.0f;
OROGEN_CONST float kLowestLand = -20.0f;  // metres: land is drawn no lower, a little below water at height 0
// Factor on the distance of the outer row of a ring of land, so that the ring overlaps the next one.
OROGEN_CONST float kRingOverlap = 1.02f;
// Rings of sea around the terrain, which reach 12,500 km, and vertices of a ring for each side of the terrain.
OROGEN_CONST uint kSeaRings = 57u;
OROGEN_CONST uint kSeaColumns = 16u;
OROGEN_CONST uint kDepthTexture = 15u;     // depth buffer of the picture
OROGEN_CONST uint kDrawnTexture = 15u;     // the drawn picture, once it is complete
OROGEN_CONST uint kMarksTexture = 16u;     // RG8: marks of the drawn triangles, see marks.frag
OROGEN_CONST uint kAirLightTexture = 17u;  // RGBA16F, 3D: light of the air, see air.comp
OROGEN_CONST uint kRampTexture = 19u;      // RGBA32F: rampTexels() of core/colour/colour_ramp.h
OROGEN_CONST uint kDrainageTexture = 25u;  // R8 with mipmaps: drained area, see kDrainageColours
OROGEN_CONST uint kAirDepthTexture = 18u;  // RG16F: mean optical depths of air and haze
// RGBA16F: the tables of core/planet/air.h.
OROGEN_CONST uint kAirTransmittanceTexture = 22u;
OROGEN_CONST uint kAirScatteredTexture = 23u;
OROGEN_CONST uint kAirSkyTexture = 24u;

// Imagery in tiles (imagery_tiles.glsl).
OROGEN_CONST uint kImageryTableTexture = 20u;  // RGBA32UI: page table, as kTileTableTexture
OROGEN_CONST uint kImageryTexture = 21u;       // RGBA8 array: colours, see core/terrain/imagery/colour_tiles.h
// Weight of cubic splines, along each axis, in the Earth's colours where texels are larger than pixels.  The rest is
// linear interpolation.  Texels stay faintly visible, but noise hides them.
OROGEN_CONST float kImagerySmooth = 0.5f;
OROGEN_CONST uint kImageryTileSide = 131u;  // texels along a side of an imagery tile, one beyond each border included

// ---- air ------------------------------------------------------------------------------------------------------------
// Texels of the table of the air: number of azimuths, elevations and distances.  The table has twice this number of
// elevations: one half for lines of sight that end on the ground, one for all others.
OROGEN_CONST ivec4 kAirTableSize = ivec4(48, 64, 24, 0);
OROGEN_CONST ivec4 kAirTransmittanceSize = ivec4(128, 48, 0, 0);  // cosines of the zenith angle, heights
OROGEN_CONST ivec4 kAirScatteredSize = ivec4(32, 16, 0, 0);       // sines of the sun's elevation, heights

OROGEN_CONST int kRegionLevels = 3;  // number of nested squares of the Earth's shadows: shaders/earth/region.glsl

// The model of core/planet/air.h.  Coefficients at sea level (1/metre), lengths in metres.
OROGEN_CONST float kAirRadius = 6378137.0f;
OROGEN_CONST float kAirTop = 75000.0f;                           // above the sphere: the density above is negligible
OROGEN_CONST float kAirHeight = 8000.0f, kHazeHeight = 1300.0f;  // scale heights
OROGEN_CONST vec4 kAirScattering = vec4(5.802e-6f, 13.558e-6f, 33.1e-6f, 0.0f);
OROGEN_CONST vec4 kOzone = vec4(0.650e-6f, 1.881e-6f, 0.085e-6f, 0.0f);  // absorption where the layer is densest
// Height of the ozone layer's centre, and half the layer's thickness: the density falls linearly to 0.
OROGEN_CONST float kOzoneHeight = 25000.0f, kOzoneReach = 15000.0f;
OROGEN_CONST vec4 kHazeColour = vec4(0.86f, 1.0f, 1.15f, 0.0f);  // extinction relative to green
OROGEN_CONST float kHazeScatters = 0.93f;                        // share of the haze's extinction that is scattering
OROGEN_CONST float kHazeForward = 0.78f;                         // mean cosine of light scattered by haze
// Share of the haze's extinction that is scattering by hardly any angle; such light counts as passing through (delta
// scaling).
OROGEN_CONST float kHazePasses = 0.30f;
OROGEN_CONST vec4 kSunlight = vec4(3.62f, 3.42f, 3.28f, 0.0f);  // radiance of white ground facing the sun above the air
OROGEN_CONST float kSunWidth = 0.0094f;                         // diameter of the sun's disc, radians

OROGEN_CONST uint kCriterionEdge = 0u;
OROGEN_CONST uint kCriterionError = 1u;

// ---- colours of data ------------------------------------------------------------------------------------------------
// Display-referred colours.  A ramp interpolates between five of them.  The legends of the panels use the same values.
OROGEN_CONST vec4 kSlopeColours[5] = {vec4(0.10f, 0.24f, 0.42f, 1.0f), vec4(0.16f, 0.55f, 0.56f, 1.0f),
                                      vec4(0.86f, 0.84f, 0.42f, 1.0f), vec4(0.88f, 0.45f, 0.20f, 1.0f),
                                      vec4(0.62f, 0.08f, 0.16f, 1.0f)};  // 0, 15, 30, 45, 60 degrees and above
OROGEN_CONST vec4 kHeightColours[5] = {vec4(0.27f, 0.52f, 0.36f, 1.0f), vec4(0.66f, 0.77f, 0.48f, 1.0f),
                                       vec4(0.93f, 0.87f, 0.60f, 1.0f), vec4(0.74f, 0.52f, 0.34f, 1.0f),
                                       vec4(0.97f, 0.96f, 0.95f, 1.0f)};  // lowest to highest; Earth: 0 to 6,000 m
OROGEN_CONST vec4 kDepthColours[5] = {vec4(0.74f, 0.87f, 0.91f, 1.0f), vec4(0.51f, 0.73f, 0.84f, 1.0f),
                                      vec4(0.32f, 0.57f, 0.75f, 1.0f), vec4(0.19f, 0.40f, 0.61f, 1.0f),
                                      vec4(0.10f, 0.22f, 0.42f, 1.0f)};  // sea floor, down to 8,000 m
OROGEN_CONST vec4 kErrorColours[5] = {vec4(0.13f, 0.18f, 0.42f, 1.0f), vec4(0.16f, 0.55f, 0.60f, 1.0f),
                                      vec4(0.94f, 0.90f, 0.60f, 1.0f), vec4(0.90f, 0.45f, 0.15f, 1.0f),
                                      vec4(0.55f, 0.03f, 0.12f, 1.0f)};  // 1/16, 1/4, 1, 4, 16 pixels and above
// Drained area, from that of one sample to that of all, by its logarithm.
OROGEN_CONST vec4 kDrainageColours[5] = {vec4(0.93f, 0.90f, 0.82f, 1.0f), vec4(0.74f, 0.83f, 0.74f, 1.0f),
                                         vec4(0.36f, 0.68f, 0.75f, 1.0f), vec4(0.09f, 0.38f, 0.69f, 1.0f),
                                         vec4(0.04f, 0.09f, 0.35f, 1.0f)};

// Colours of tree depths from kFirstLevelColour to the world's deepest: one ramp for even depths, one for odd ones.
// Deeper levels are lighter; neighbouring levels differ in hue.
OROGEN_CONST vec4 kEvenLevelColours[5] = {vec4(0.14f, 0.13f, 0.42f, 1.0f), vec4(0.12f, 0.36f, 0.68f, 1.0f),
                                          vec4(0.13f, 0.60f, 0.72f, 1.0f), vec4(0.38f, 0.82f, 0.68f, 1.0f),
                                          vec4(0.82f, 0.97f, 0.80f, 1.0f)};
OROGEN_CONST vec4 kOddLevelColours[5] = {vec4(0.34f, 0.07f, 0.22f, 1.0f), vec4(0.66f, 0.14f, 0.22f, 1.0f),
                                         vec4(0.87f, 0.37f, 0.17f, 1.0f), vec4(0.97f, 0.66f, 0.24f, 1.0f),
                                         vec4(1.00f, 0.94f, 0.66f, 1.0f)};
OROGEN_CONST uint kFirstLevelColour = 4u;
OROGEN_CONST uint kDeepestPlaneLevel = 30u;
OROGEN_CONST uint kDeepestEarthLevel = 58u;

// Camera and frame parameters, written once per frame.  Settings that switch a part of a shader on or off are compiled
// in instead (GroundVariant in app/render/terrain_picture.h).  "Relative" coordinates are metres from the camera along
// east, north and up.
struct FrameUniforms
{
    mat4 clipFromRelative;
    mat4 relativeFromClip;
    vec4 frustum[6];        // camera-relative, inward, normalised: left, right, bottom, top, near, (unused)
    vec4 frozenFrustum[6];  // frustum of the frozen camera, relative to the present camera
    vec4 cameraCell;  // x, y: camera position in whole draw-lattice units (plane only); z: its height in whole metres;
                      // w: shortest leg that the settings allow for a drawn triangle, metres
    vec4 cameraFraction;    // x, y, z: remainder of the position, metres
    vec4 sunDirection;      // unit vector towards the sun
    vec4 viewport;          // width, height in pixels, 1 / width, 1 / height
    float pixelsPerRadian;  // focal length in pixels
    float splitPixels;      // threshold of a leaf's error, or of its base edge (2^patchLevel drawn edges)
    float mergePixels;      // always below splitPixels
    uint criterion;         // kCriterionEdge or kCriterionError
    uint patchLevel;        // 0 .. kPatchBits
    uint leafCapacity;
    float exposure;        // factor on radiance before the tone curve
    float waveVariance;    // variance of the sea's slopes along one axis
    float triangleBudget;  // target number of drawn triangles; 0: no budget
    uint geomorph;         // 0 or 1: whether new vertices morph to their height
    float detailEast;      // camera position in metres, modulo 20,480: see ground.glsl
    float detailNorth;
    float detailPerEdge;  // limit of detail's error (pixels) per pixel of a drawn edge, from earth.detail_edge
    uint pad0, pad1, pad2;
    vec4 lodCell;      // cameraCell of the LOD camera, which stays fixed while frozen
    vec4 lodFraction;  // cameraFraction of the LOD camera; w: its pixels per radian
};

// Raster layout and height coding, written when the terrain or the height scale changes.
struct TerrainUniforms
{
    vec4 squareSize;        // x: side of the enclosing square in metres; y: metres per draw-lattice unit; z, w unused
    vec4 texelFromLattice;  // texel = xy * lattice + zw, of the height texture; rows grow southwards
    vec4 rasterSize;        // width, height in samples, 1 / width, 1 / height
    vec4 latticeBounds;     // the raster in draw-lattice units: west, south, east, north
    vec4 heights;    // x: offset, y: 65535 times the scale of the codes (metres, unscaled); z: lowest, w: highest
                     // ground (metres, scaled)
    vec4 pixelSize;  // metres: east, south; z: height scale; w: 1 if there are voids
    ivec4 pyramidLevels[16];  // x, y: origin in the atlas; z, w: size; level l has cells of 2^(l + 1) grid intervals
    uint pyramidLevelCount;
    uint errorFinestBits;   // DiamondErrors::finestBits (core/terrain/bounds/diamond_errors.h)
    uint errorPatchOffset;  // added to the index of a diamond's code: index of its code for leaves drawn as patches
    float errorFineScale;   // DiamondErrors::fineScale
    // Code grids: [0 .. 15] are DiamondErrors::levels, [16] is its fine cells.  x: first code; y: origin, z: size, each
    // packed as x | y << 16; w unused.
    uvec4 errorGrids[17];
    vec4 errorMetres[64];  // metres per code, unscaled
};

// Mapping from the lattice to tiles, written once per frame.
struct TileUniforms
{
    // Sample coordinates per lattice unit, along columns and rows, as in core/terrain/tiles/tile_place.h.  x + y 2^32:
    // increment per unit; z + w 2^32: value at lattice coordinate 0; in 2^-36 samples, modulo 2^64.  On the Earth only
    // columnOfLattice is used, x: log2 of the lattice units per sample of level 0; y: TileSource::baseLevel().
    uvec4 columnOfLattice;
    uvec4 rowOfLattice;
    ivec4 last;          // x, y: last column and row of the finest level; z: coarsest level; w: finest level in use
    ivec4 cameraSample;  // x, y: whole sample coordinates of the camera, 0 on the Earth; z, w unused
    vec4 cameraPart;     // x, y: fractional part of the camera's sample coordinates; z: squared camera height above all
                         // ground, square metres; w: 1 / reach.x^2
    vec4 reach;  // x: range of level 0 in metres, doubled by each coarser level; y: 1 / share of the squared range over
                 // which a level fades (distanceWeight()); z, w: metres per column and row
    uvec4 table;  // x: entries - 1; y: log2 of texels per row; z: log2 of tiles along a layer's side; w (an int):
                  // log2 of level 0's unit of errors, in lattice units: TileLattice::unitBits
                  // (core/terrain/bounds/tile_errors.h)
};

// Procedural detail finer than the sample spacing (detail_plane.glsl), written when the terrain changes.  An octave's
// amplitude is starts[level] * amplitudes[j] per metre of roughness; j counts from the coarsest octave that any level
// begins with.
struct DetailUniforms
{
    uvec4 octaves;  // x: count at level 0 (0: no detail); y: log2 of level 0's coarsest cell in lattice units; z: level
                    // whose coarsest octave is j = 0; w: level of the Earth's base, around elevation models
    vec4 metres;    // x: metres per lattice unit; y: waves per cell; z: largest of `sums`; w: waves per metre of level
                    // 0's coarsest octave
    vec4 amplitudes[6];
    vec4 starts[6];      // by level of the samples
    vec4 sums[6];        // bound on the sum of a level's octaves per metre of roughness
    vec4 roughness[64];  // metres per roughness code; 0 from kFirstDistance on
};

// Camera and figure of the Earth, written once per frame.  A double takes two words, the lower one first.
struct EarthUniforms
{
    uvec4 cameraXY;  // earth-fixed metres: x, y
    uvec4 cameraZ;   // z in the first two words; z, w: unused
    uvec4 footXY;    // point of the ellipsoid below the camera
    uvec4 footZ;
    // Rows of the rotation from earth-fixed offsets to "relative" coordinates.  On the Earth these are metres along the
    // camera's own east, north and up.
    vec4 east, north, up;
    // LOD camera, which stays fixed while frozen.
    uvec4 lodCameraXY;
    uvec4 lodCameraZ;
    vec4 lodEast, lodNorth, lodUp;
    vec4 lodView;    // x, y, z: unit view direction of the LOD camera, earth-fixed; w: cosine of the angle between it
                     // and a corner of the picture
    vec4 lodScaled;  // x, y, z: its position, scaled so that the ellipsoid raised to the highest ground is the unit
                     // sphere; w: squared length of xyz, minus 1 (< 0: below the highest ground)
    vec4 sea;        // x: level (metres, scaled as drawn); y: 1 if there is a sea; z, w unused
    vec4 figure;     // x: metres per lattice unit (metresOfCubeUnit()); y: camera height above the ellipsoid; z, w:
                     // kLowestGround and kHighestGround (core/planet/ellipsoid.h), metres, scaled
};

// The air, written once per frame.  On the Earth it is computed in earth-fixed coordinates with z stretched by the
// ratio of the ellipsoid's radii, which turns the ellipsoid into a sphere.  A plane lies on the sphere's top, and its
// air begins at the lowest ground.
struct AirUniforms
{
    vec4 east, north, up;  // x, y, z: a metre along each axis of "relative", in these coordinates; east.w: share of air
                           // that is shown; north.w, up.w: cosine between the camera's vertical and its lines of sight
                           // to the horizon and to the highest air that it looks through
    vec4 camera;  // x, y, z: unit, from the sphere's centre towards the camera; w: its height above the sphere, metres
    vec4 sun;     // x, y, z: towards the sun, unit; w: extinction by haze at sea level, for green, per metre
    vec4 sunlight, skylight;  // light on a plane's ground: of the sun on a surface that faces it; of the sky, facing up
    vec4 moon;       // x, y, z: towards the moon, unit, as "relative"; w: 1 if it casts the shadows, not the sun
    vec4 moonlight;  // light on a surface that faces the moon; on the Earth where the sun is far down
};

// Sea, contours and imagery over the ground, and colours by height.  Heights are scaled as drawn (metres).
struct CoverUniforms
{
    vec4 sea;       // x: level; y, z, w unused
    vec4 contours;  // x: interval; y: height of the line labelled 0; z, w unused
    vec4 imagery;   // x: opacity; y, z, w unused
    vec4 tints;     // RampStretch (core/colour/colour_ramp.h): x: at; y: hinge; z: below; w: above
    vec4 ramp;      // x: number of pieces; y: 1 if it repeats; z, w: its lowest and highest position
    vec4 below;     // colour below a ramp
    vec4 above;     // colour above it
    vec4 none;      // colour where there are no data; w: 0 for the hatching of voids
};

// Tree counters, and the indirect arguments derived from them.  The renderer copies them to a log each frame, without
// waiting for the GPU.
struct TreeState
{
    uint leaves;           // number of leaves at the last reduction
    uint visible;          // leaves kept by the last culling
    uint maxDepth;         // depth of the deepest leaf of the last decode
    uint splits;           // leaves split in this frame
    uint merges;           // pairs of leaves merged in this frame
    uint refused;          // splits refused in the last frame with a round: by capacity, or by a full tree's threshold
    uint roundChanges;     // last round: splits + merges + thresholdMoves, + 1 if a triangle budget waits for `visible`
    uint dirtyChunks;      // length of the list of changed chunks (kStateBinding)
    uint leafGroups[4];    // glDispatchComputeIndirect over leaves; [3]: total number of groups
    uint reduceGroups[4];  // glDispatchComputeIndirect over changed chunks; [3] unused
    uint drawCount;        // glDrawElementsIndirect: see DrawCommand
    uint drawInstances;
    uint drawFirst;
    int drawBaseVertex;
    uint drawBaseInstance;
    uint patchLevel;    // patch level of the visible leaves
    float splitPixels;  // threshold in effect; FrameUniforms holds the requested one
    float mergePixels;
    float morphPixels;      // measure of a drawn triangle at which morphing begins; see drawn_surface.glsl
    float thresholdPixels;  // split threshold in effect, for a drawn triangle's longest edge or its error
    int thresholdShift;     // log2 of effective over requested threshold, in 1/256 octaves: see lod_threshold.glsl
    int thresholdWay;       // LodControl::way: direction of the last step
    uint thresholdTurns;    // LodControl::turns: direction changes since the input changed
    uint thresholdWait;     // LodControl::wait: rounds since the last step
    uint thresholdMoves;    // rounds of this frame that changed thresholdShift
    int morphShift;         // follows thresholdShift slowly, for morphPixels
    uint culled;            // 1: `visible` belongs to the present tree
    uint rounds;            // rounds since the counter was reset
    uint roundsToRest;      // value of `rounds` at the last round that split or merged
    uint listed;            // leaves in the list that the next decode reads
    uint listGroups[3];     // glDispatchComputeIndirect over the listed leaves
    uint listChanged;       // 1: a round has split or merged since the list was made: see leaf_changes.glsl
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

// A range of visible leaves: its draw, and the dispatch of the pass that lists its vertices' heights.
struct DrawRange
{
    DrawCommand draw;
    uint groupsX, groupsY, groupsZ;
};

// Kinds of faults that the mesh validator reports.  The surface is the square of a plane, or the Earth's cube.
OROGEN_CONST uint kFaultTJunction = 0u;    // an edge with an owner on one side only
OROGEN_CONST uint kFaultHole = 1u;         // a part of the surface without a leaf, or a visible leaf that is not drawn
OROGEN_CONST uint kFaultOverlap = 2u;      // a part of the surface with two leaves, or a leaf drawn twice
OROGEN_CONST uint kFaultCrack = 3u;        // an edge drawn by its two leaves at different heights
OROGEN_CONST uint kFaultOrientation = 4u;  // a leaf whose orientation or size does not match its depth
OROGEN_CONST uint kFaultHeight = 5u;       // a vertex without a finite height
OROGEN_CONST uint kFaultDrawnLeaf = 6u;    // an entry of the list of drawn leaves that is not a leaf of the tree
OROGEN_CONST uint kFaultPatch = 7u;        // a bad triangle of the patch, or a wrong number of drawn triangles
OROGEN_CONST uint kFaultLink = 8u;         // pool only: a link to a leaf that does not share the edge, or to no leaf
OROGEN_CONST uint kFaultKinds = 9u;

// Findings of the mesh validator in one frame.  Sums are modulo 2^32.
struct MeshCheck
{
    uint planSums[2];      // over edges: hash of both corners, negated for the owner on the second side
    uint surfaceSums[2];   // over edges, with the same signs: hash of all points and the bits of their heights
    uint area;             // area of all leaves, in squares of the leaf lattice; implicit tree only
    uint patchSums[2];     // as planSums, over the edges inside the patch
    uint earth;            // 1: the leaves are those of the pool
    uint faults[12];       // count per kind; the first kFaultKinds are used
    uint firstNumber[12];  // smallest leaf number per kind; 0xffffffff: no fault
    uint firstNode[12];    // node of that leaf in the implicit tree; 0: no fault
    uint locateGroups[4];  // glDispatchComputeIndirect of mesh_locate.comp; [3] unused
    // Pool only.  Number of leaves per depth.  Then the leaf of the first fault: 1, x and y of its apex, shape, id; 0
    // at the beginning: no such leaf.
    uint leavesOfDepth[64];
    uint firstLeaf[8];
};

// Leaf under a point of the ground.
struct PickedLeaf
{
    uint node;  // heap index; in the pool the lower word of the id
    uint depth;
    float errorPixels;  // value of the criterion "error"
    float edgePixels;   // value of the criterion "edge": the longest edge of a drawn triangle
    uint nodeHigh;      // the upper word of the id
    uint slot;          // pool slot during the search; 0xffffffff: none
    uint pad0, pad1;
};

// Camera of a picture whose depth buffer compute shaders measure (shaders/checks/ground_points.glsl).
struct GroundView
{
    mat4 relativeFromClip;
    vec4 cameraCell;      // as in FrameUniforms
    vec4 cameraFraction;  // as in FrameUniforms
    vec4 cameraTexel;     // x, y: whole sample coordinates of the camera; z, w: fractional part
    vec4 viewport;        // width, height in pixels, 1 / width, 1 / height
    vec4 lens;            // x, y: depth sample position within a pixel; z: pixels per radian; w: near plane, metres
    // Rows of the map from points relative to the previous frame's camera to points relative to this camera, in metres:
    // the dot product with x, y, z, plus w.
    vec4 thenEast, thenNorth, thenUp;
};

// Head of a histogram of one value per pixel (pixels); its bins follow.  The first bin counts values below 2^-10.  The
// others divide each power of two into 128.
struct PixelTally
{
    uint largest;  // bit pattern of the largest value, a float
    uint pad0, pad1, pad2;
};
OROGEN_CONST uint kTallyFirstStep = 14976u;  // upper 16 bits of the float 2^-10
OROGEN_CONST uint kTallyBins = 2305u;        // covers values up to 2^8; the last bin also counts larger ones

#ifdef __cplusplus
static_assert(sizeof(CoverUniforms) == 128 && sizeof(TileUniforms) == 112 && sizeof(DetailUniforms) == 1344);
static_assert(offsetof(EarthUniforms, east) == 64 && offsetof(EarthUniforms, sea) == 224);
static_assert(sizeof(EarthUniforms) == 256 && sizeof(AirUniforms) == 144);
static_assert(sizeof(GroundView) == 192 && sizeof(PixelTally) == 16);
static_assert(offsetof(MeshCheck, faults) == 32 && offsetof(MeshCheck, locateGroups) == 176);
static_assert(sizeof(MeshCheck) == 480 && sizeof(PickedLeaf) == 32);
static_assert(offsetof(FrameUniforms, frustum) == 128);
static_assert(offsetof(FrameUniforms, cameraCell) == 320);
static_assert(offsetof(FrameUniforms, pixelsPerRadian) == 384);
static_assert(sizeof(FrameUniforms) == 480);
static_assert(offsetof(TerrainUniforms, errorGrids) == 368 && sizeof(TerrainUniforms) == 1664);
static_assert(offsetof(TreeState, leafGroups) == 32 && offsetof(TreeState, drawCount) == 64);
static_assert(sizeof(TreeState) == 160 && sizeof(DrawCommand) == 20 && sizeof(DrawRange) == 32);
}  // namespace orogen::gpu
#endif
#undef OROGEN_CONST
#endif
