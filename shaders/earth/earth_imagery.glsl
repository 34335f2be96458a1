// The Earth's ground by imagery: colours of land, ice on the sea, lights of cities.
//
// Where a pixel is finer than the imagery's texels, hue and brightness come from the imagery.  The structure comes from
// slope, height, latitude and noise: patches of wood, bare rock on slopes, snow above the snow line.
//
// Needs in scope: earth_place.glsl, earth_pattern.glsl, earth_land.glsl, imagery_tiles.glsl.
#ifndef OROGEN_EARTH_IMAGERY_GLSL
#define OROGEN_EARTH_IMAGERY_GLSL

const float kImageryAlbedo = 0.62;  // albedo of ground that is white in the imagery
// Weights of the noise of patches, by the size of its cells.
const float kPatchesOfCounty = 0.40, kPatchesOf5Km = 0.56, kPatchesOfSmall = 0.50;
const vec4 kFinerPatches = vec4(0.54, 0.48, 0.46, 0.34);  // cells of 2.4 km, 1.2 km, 300 m and 150 m

struct EarthImagery
{
    vec3 albedo;
    float lights;   // light of cities, 0 ... 1
    float ice;      // share of the sea under ice
    float texel;    // metres that a texel of the imagery covers
    float near;     // weight of structure finer than the imagery's texels, 0 ... 1
    float patches;  // noise with features of 10 km and less, about 0 ... 1, mean 0.5
    float soft;     // added to half the width of edges between patches, in place of noise finer than the pixel
};

// Returns the weight of noise with cells of 2^bits units: 0 for cells wider than two texels or narrower than 2.5
// pixels.
float betweenTexels(float texel, float footprint, int bits)
{
    return cellsShown(footprint, bits) * clamp(2.0 - exp2(float(bits)) * earth.figure.x / texel, 0.0, 1.0);
}

// Returns the place among the texels of the finest level.  `moved`: displacement in texels of the base, the lowest
// layer of pictures.
ImageryPlace imageryPlace(EarthPlace place, vec2 moved)
{
    int bits = int(imagery.columnOfLattice.x);
    vec2 within = (vec2(place.whole & ((1 << bits) - 1)) + place.part) * exp2(-float(bits));
    within += moved * exp2(float(imagery.columnOfLattice.y));
    vec2 whole = floor(within);
    ImageryPlace at;
    at.face = place.face;
    at.whole = clamp((place.whole >> bits) + ivec2(whole), ivec2(0), imagery.last.xy - 1);
    at.part = within - whole;
    return at;
}

// Returns the imagery at a place.  Noise moves the place by a part of a texel, so that edges between colours fray
// instead of being blurred.  The unit is a texel of the base, the lowest layer of pictures.  Where a finer picture
// covers the place, the place is not moved.
EarthImagery earthImagery(EarthPlace place, float footprint, LandPattern p)
{
    float base = imagery.reach.z * exp2(float(imagery.columnOfLattice.y)), close = 1.0 - smoothstep(0.02, 0.50, footprint / base);
    // Patches of one size look like camouflage, so sizes from 10 km to 150 m add up: `county`, `field` and those of the
    // loop.  A software rasteriser executes the body as often as any pixel of a group needs, and at least once.
    vec4 finerShow = vec4(cellsShown(footprint, 18), cellsShown(footprint, 17), cellsShown(footprint, 15),
                          cellsShown(footprint, 14));
    int count = finerShow.w > 0.0 ? 4 : finerShow.z > 0.0 ? 3 : finerShow.x > 0.0 ? 2 : 1;
    float sum = kPatchesOfCounty * (p.county - 0.5) + kFinerPatches.y * (p.field - 0.5) +
                kPatchesOfSmall * (p.small - 0.5);
    vec2 slope = 0.45 * betweenTexels(base, footprint, 19) * p.countySlope.yx + 0.26 * p.fieldSlope;
    for (int i = 0; i < count; ++i)
    {
        int bits = i == 0 ? 19 : i == 1 ? 18 : 17 - i;
        vec2 weight = i == 0   ? vec2(kPatchesOf5Km, 0.40)
                      : i == 1 ? vec2(kFinerPatches.x, 0.0)
                      : i == 2 ? vec2(kFinerPatches.z, 0.10)
                               : vec2(kFinerPatches.w, 0.0);
        vec3 noise = latticeNoise(place, bits);
        weight *= betweenTexels(base, footprint, bits);
        sum += weight.x * (noise.x - 0.5);
        slope += weight.y * noise.yz;
    }
    vec2 moved = slope * close;  // slopes of two sizes or more, so that their cells do not show as squares

    ImageryPlace at = imageryPlace(place, moved);
    bool finer = false;
#ifdef OROGEN_IMAGERY_FINER
    ImageryPlace unmoved = imageryPlace(place, vec2(0.0));
    finer = showsFinerPicture(unmoved, footprint);
    if (finer || showsFinerPicture(at, footprint)) at = unmoved;
#endif
    ImageryColour seen = imageryAt(at, footprint, kImagerySmooth);
    EarthImagery result;
    // Square root of linear light.  In the picture, forests are darker than any ground.
    vec3 root = seen.stored.rgb;
    result.albedo = kImageryAlbedo * root * (0.7 * root + 0.3 * sqrt(root));
    float extra = seen.stored.a * (255.0 / 127.0) - 128.0 / 127.0;
    result.lights = max(extra, 0.0);
    result.ice = max(-extra, 0.0);
    result.texel = finer ? seen.texel : max(seen.texel, base);
    result.near = 1.0 - smoothstep(0.02, 0.50, footprint / result.texel);
    result.patches = 0.5 + sum;
    result.soft = 0.45 * length((1.0 - finerShow) * kFinerPatches);  // two standard deviations of missing noise
    return result;
}

// Returns ground with the imagery's colour.  `metres`: height above the sea, unscaled; `sine`: sine of the latitude;
// `rise`: slope (metres per metre); `shady`: slope away from the equator; `lie`: -1 in valleys, 1 on ridges.
Land imageryLand(EarthImagery seen, float metres, float sine, float rise, float shady, float lie, float footprint, LandPattern p)
{
    vec3 c = seen.albedo;
    // Valleys are moister than ridges: where woods are rare, they stand there.
    float patches = seen.patches - 0.30 * lie;
    float warmth = 28.5 - 42.0 * sine * sine - 0.0048 * max(metres, 0.0);  // annual mean (Celsius)
    float bright = dot(c, vec3(0.2126, 0.7152, 0.0722)), most = max(max(c.r, c.g), c.b), least = min(min(c.r, c.g), c.b);
    // From near, dry ground is less red than from space, and would look pink behind blue air.
    float red = smoothstep(0.10, 0.40, (c.r - c.g) / max(most, 1.0e-3));
    c = mix(c, bright * vec3(1.20, 0.99, 0.53), 0.65 * red * seen.near);
    float grey = smoothstep(0.58, 0.84, least / max(most, 1.0e-3));
    // white: share of snow; mixed: 1 where there is at least some snow.
    float white = smoothstep(0.06, 0.46, least) * grey, mixed = smoothstep(0.03, 0.16, least) * grey;
    float green = smoothstep(-0.10, 0.25, (c.g - c.r) / max(most, 1.0e-3));

    // The picture's colour is a mean over snow and ground.  Snow is taken out of this colour, and added again where
    // snow would lie.  Below the tree line the ground under the snow is green.
    float trees = smoothstep(-5.5, -1.0, warmth), meadow = smoothstep(-9.0, -4.5, warmth);
    vec3 free = mix(c, mix(mix(vec3(0.140, 0.132, 0.098), vec3(0.092, 0.100, 0.048), meadow), vec3(0.062, 0.076, 0.036), trees), mixed);
    green = max(green, mixed * max(trees, 0.7 * meadow));
    // Brown ground outside deserts is scrub: bushes on dry grass.
    float scrub = (1.0 - smoothstep(0.10, 0.26, bright)) * trees * (1.0 - green);
    float dark = 1.0 - smoothstep(0.02, 0.11, bright);
    // Woods against meadows, or gravel against sand: woods stand on slopes, most of all on shady ones, and where the
    // imagery is dark.
    float hilly = smoothstep(0.06, 0.30, rise);
    float edge = mix(0.22, 0.15, max(green, scrub)) + seen.soft;  // half the width of the edges of woods
    float closed = smoothstep(0.5, 0.95, dark * green);  // 1: woods without clearings
    float wooded = patches + hilly * (0.08 + 0.55 * clamp(shady, -0.6, 0.6)) + 0.26 * (dark - 0.5) - 0.06 + 0.30 * closed;
    float tall = smoothstep(0.5 - edge, 0.5 + edge, wooded);
    vec2 slope = vec2(0.0);
    float crowns = 1.0;
#ifdef OROGEN_NEAR_DETAIL
    // Single trees replace the mixture of woods and clearings where pixels are small enough to show them.
    float woody = max(green, scrub), treesShow = p.treesShow * woody;
    Crown tree = grown(p.tree, 0.95 * tall * woody);
    float covers = smoothstep(0.0, 0.25, tree.height);
    crowns = mix(1.0, mix(mix(1.0, 0.60, tall), 0.75 + 0.50 * tree.height + 0.25 * tree.tone, covers), treesShow);
    tall = mix(tall, covers, treesShow);
    slope = tree.slope * covers * treesShow;
    p.dots.x *= 1.0 - covers * treesShow;
#endif
    // Clearings in dark woods are hardly brighter than the woods.
    vec3 clearing = mix(vec3(1.30, 1.26, 1.10), vec3(1.10, 1.16, 0.98), dark * green);
    vec3 open = mix(vec3(1.10, 1.11, 1.12), clearing, max(green, 0.6 * scrub));
    vec3 grown = mix(mix(vec3(0.88, 0.87, 0.86), vec3(0.62, 0.70, 0.56), scrub), vec3(0.62, 0.74, 0.58), green);
    vec3 tint = mix(open, grown, tall);
    // Seen from space, woods are darker than from near, where light falls between the trees.  So dark woods are
    // lightened.
    vec3 lift = 1.0 + dark * vec3(1.3 + 0.4 * green, 1.1 + 0.3 * green, 0.9);
    vec3 lifted = mix(free * lift, vec3(2.0 * bright), 0.22 * dark * (1.0 - 0.5 * green));
    float grain = 0.9 * (p.small - 0.5) + 0.5 * p.near;
    vec3 ground = lifted * tint * max(1.0 + mix(0.30, 0.95, max(max(green, dark), scrub)) * grain, 0.1);
    vec2 steep = mix(vec2(0.65, 1.25), vec2(1.0, 1.7), max(trees, 0.6 * meadow) * max(green, scrub));
    float bare = smoothstep(steep.x, steep.y, rise + 0.30 * (0.5 - patches) + 0.12 * smoothstep(1800.0, 3500.0, metres));
    float shade = mix(0.5 * bright + 0.055, 0.105, mixed);
    vec3 rock = mix(vec3(1.10, 1.0, 0.90), c / max(bright, 1.0e-3), 0.35 * (1.0 - mixed)) * shade;
    ground *= crowns;
    ground *= 1.0 - p.dots.x * mix(0.25, 0.62, max(green, scrub)) * (0.45 + 0.55 * tall);  // bushes and trees
    ground *= 1.0 + p.dots.y * mix(0.55, 0.45, green);                                    // stones and tufts
    ground = mix(ground, rock * (0.85 + 0.30 * patches) * (1.0 + 0.6 * (p.small - 0.5)), bare);

    // In wide pixels the height is a mean over ridges and valleys, and says less about snow.
    float lies = white + (2.2 * (seen.patches - 0.5) + 0.6 * lie) * (1.0 - abs(2.0 * white - 1.0));
    lies -= mix(mix(0.08, 0.11, mixed), 0.02, smoothstep(120.0, 500.0, footprint)) * clamp(warmth + 6.0, -9.0, 6.0);
    float cold = smoothstep(0.36 - seen.soft, 0.64 + seen.soft, lies) * (1.0 - smoothstep(0.65, 1.25, rise));
    ground = mix(ground, vec3(0.74, 0.78, 0.83) * (0.94 + 0.12 * patches), cold);

    Land land;
    land.albedo = mix(c, ground, seen.near);
    // Through the air, dark ground looks dull.  Ground without snow is brightened from far, as photographs are.
    float far = smoothstep(3.0, 150.0, footprint) * (1.0 - max(white, cold)), shown = dot(land.albedo, vec3(0.2126, 0.7152, 0.0722));
    vec3 vivid = max(mix(vec3(shown), land.albedo, 1.06), 0.0) * mix(1.5, 1.1, smoothstep(0.06, 0.35, shown));
    land.albedo = mix(land.albedo, vivid, far);
    land.snow = white;
    land.slope = slope * (1.0 - bare) * (1.0 - cold) * seen.near;
    land.rough = mix(0.28, 0.46, bare) * (1.0 - 0.85 * max(cold, white));
    return land;
}

// Returns the radiance of the lights of cities, where the sun is down.  They look equally bright at any exposure.  Seen
// from near, the picture's texels break up into towns, quarters and streets.
vec3 cityLight(EarthImagery seen, EarthPlace place, float footprint, LandPattern p, float sunUp)
{
    float near = 1.0 - smoothstep(0.15, 0.90, footprint / seen.texel), night = 1.0 - smoothstep(-0.12, -0.01, sunUp);
    float grain = seen.lights * seen.lights;
    if (night * grain > 0.0)
    {
        vec3 show = near * vec3(cellsShown(footprint, 20), cellsShown(footprint, 17), cellsShown(footprint, 14));
        vec3 noise = vec3(0.0);  // cells of 2^19, 2^18 and 2^14 units; a loop, see earthImagery()
        for (int i = 0, count = night * grain > 0.0 ? 3 : 0; i < count; ++i)
            noise = vec3(noise.yz, latticeNoise(place, i == 2 ? 14 : 19 - i).x);
        vec3 road = abs(vec3(noise.x, p.field, noise.z) - 0.5);
        float town = 0.5 * p.county + 0.3 * noise.y + 0.2 * p.field;
        float core = smoothstep(0.62 - 0.32 * seen.lights, 0.92 - 0.22 * seen.lights, town);
        float built = 0.010 + 0.05 * core + 0.75 * core * core * core * core;
        built += 0.07 * (1.0 - smoothstep(0.0, 0.03 + 0.02 * core, road.x)) * seen.lights;
        grain *= mix(1.0, built, show.x);
        grain *= mix(1.0, 0.45 + 1.6 * (1.0 - smoothstep(0.0, 0.16, road.y)) * (0.4 + core), show.y);
        grain *= mix(1.0, 0.20 + 1.5 * (1.0 - smoothstep(0.0, 0.09, road.z)), show.z);
    }
    return vec3(1.0, 0.66, 0.32) * (mix(6.0, 1.7, near) / frame.exposure * grain * night);
}

#endif
