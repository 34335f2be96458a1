// Coordinates of the table of the air (air.comp fills it, air_table.glsl reads it): line of sight and distance.
//
// The light from a line of sight depends on its angles with the vertical and with the sun, and on its length.  The
// table has one half for lines that end on the ground and one for those that pass above it.  In both halves, rows are
// densest at the horizon.  Distances are densest where the air is: see airSpan().
#ifndef OROGEN_AIR_RAY_GLSL
#define OROGEN_AIR_RAY_GLSL

#include "shaders/air/air.glsl"

// Part of a line of sight that lies in the air: distances from the camera (metres).
struct AirSpan
{
    float from, to;
    float turn;    // distance at which the table is densest
    float before;  // square root of the distance between `from` and `turn`
    float width;   // `before` plus the square root of the distance between `turn` and `to`
};

const float kAirDepthLength = 1.0e5;  // metres that the table's mean optical depths refer to

// `rise` in all functions: cosine of the angle between a line of sight and the camera's vertical.
bool endsOnGround(float rise) { return rise < air.north.w; }

// Returns the part of a line of sight that lies in the air.
AirSpan airSpan(float rise)
{
    float start = kAirRadius + air.camera.w, nearest = -start * rise, horizon = start * air.north.w;
    float overTop = (air.camera.w - kAirTop) * (2.0 * kAirRadius + kAirTop + air.camera.w);
    float chord = sqrt(max(nearest * nearest - overTop, 0.0));
    float inGround = sqrt(max((nearest - horizon) * (nearest + horizon), 0.0));
    AirSpan span;
    span.from = max(nearest - chord, 0.0);
    span.to = max(nearest + (endsOnGround(rise) ? -inGround : chord), span.from);
    // Distances are densest where the air is: around the line's lowest point if the camera is in space, and at the
    // camera if it is within the air.
    span.turn = mix(span.from, clamp(nearest, span.from, span.to), smoothstep(2.0e3, 12.0e3, air.camera.w));
    span.before = sqrt(span.turn - span.from);
    span.width = span.before + sqrt(span.to - span.turn);
    return span;
}

// placeInSpan() returns the place of a distance in its span, 0 ... 1; distanceInSpan() is its inverse.
float placeInSpan(AirSpan span, float distance)
{
    float past = clamp(distance, span.from, span.to) - span.turn;
    return (span.before + sign(past) * sqrt(abs(past))) / max(span.width, 1.0e-3);
}
float distanceInSpan(AirSpan span, float place)
{
    float past = place * span.width - span.before;
    return span.turn + past * abs(past);
}

// rowOfRise() returns the row of a line of sight within its half of the table, from 0 at the horizon to 1; riseOfRow()
// is its inverse.
float rowOfRise(float rise)
{
    float end = endsOnGround(rise) ? -1.0 : air.up.w;
    return sqrt(clamp((rise - air.north.w) / (end - air.north.w), 0.0, 1.0));
}
float riseOfRow(float row, bool onGround) { return air.north.w + row * row * ((onGround ? -1.0 : air.up.w) - air.north.w); }

// turnOfSun() returns the azimuth between a line of sight and the sun, as a share of half a turn; cosSunOfTurn() is its
// inverse.  `sunRise`, `cosSun`: cosines of the angles of the sun with the camera's vertical and with the line.  The
// inverse cosine is that of Abramowitz and Stegun (4.4.45), to 7e-5.
float acrossBetween(float rise, float sunRise)
{
    return sqrt(max((1.0 - rise * rise) * (1.0 - sunRise * sunRise), 1.0e-12));
}
float turnOfSun(float rise, float sunRise, float cosSun)
{
    float c = sqrt(clamp(0.5 + 0.5 * (cosSun - rise * sunRise) / acrossBetween(rise, sunRise), 0.0, 1.0));
    return sqrt(1.0 - c) * (1.0 + c * (-0.13502 + c * (0.04728 - c * 0.01192)));
}
float cosSunOfTurn(float rise, float sunRise, float turn)
{
    return rise * sunRise + cos(3.14159265 * turn) * acrossBetween(rise, sunRise);
}

#endif
