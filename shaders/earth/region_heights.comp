// Heights of the region around the camera, above the plane that touches the Earth at its centre.
#include "shaders/frame.glsl"

layout(binding = kHeightTexture) uniform sampler2D heightTexture;

#include "shaders/earth/earth_ground.glsl"
#define OROGEN_EARTH_POINT_STEPS 2
#include "shaders/earth/earth_point.glsl"
#include "shaders/earth/region.glsl"

layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0, r32f) uniform writeonly image2DArray heights;

layout(location = 0) uniform int firstRow;
layout(location = 1) uniform int level;
layout(location = 2) uniform float base;  // width of level 0 (metres)
layout(location = 3) uniform vec3 axes[4];  // relative to the camera: the centre; directions east, north and up there

void main()
{
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy) + ivec2(0, firstRow);
    int side = imageSize(heights).x;
    if (texel.y >= side) return;
    float cell = regionWidth(base, level) / float(side);
    vec2 place = (vec2(texel) + 0.5 - 0.5 * float(side)) * cell;
    vec3 relative = axes[0] + axes[1] * place.x + axes[2] * place.y - axes[3] * regionDrop(place);
    EarthPoint point = earthPoint(relative);
    float samples = levelOfFootprint(cell * cell / (tiles.reach.z * tiles.reach.z));
    EarthGround ground = earthGround(point.place, earthTangents(point.place), samples, cell);
    float height = ground.height;
#ifdef OROGEN_DETAIL
    height += ground.made;
#endif
    height *= terrain.pixelSize.z;
    if (earth.sea.y > 0.5) height = max(height, earth.sea.x);
    imageStore(heights, ivec3(texel, level), vec4(height - regionDrop(place)));
}
