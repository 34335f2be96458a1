// Parts of the procedural detail's octaves that the plane and the Earth share: see detail.glsl.
//
// Must be in scope: DetailUniforms `detail`.
#ifndef OROGEN_DETAIL_WAVES_GLSL
#define OROGEN_DETAIL_WAVES_GLSL

// The coarsest octaves have several periods a cell, which concentrates their spectrum.  Finer ones have half a period
// in cells half as large, which looks less like ripples.
const uint kRipplingOctaves = 2u;
const float kDetailSteepness = 10.2f;     // largest slope of the coarsest octaves (amplitudes a period)
const float kDetailFineSteepness = 5.8f;  // largest slope of finer ones (amplitudes a cell)

float detailCellTurns(uint octave) { return octave < kRipplingOctaves ? detail.metres.y : 0.5f; }

// Approximates sin(2 pi turns) by parabolas; the derivative varies between -8 and 8.
float detailWave(float turns)
{
    float t = turns - floor(turns + 0.5f);
    return 8.0f * t * (1.0f - 2.0f * abs(t));
}

float detailWaveSlope(float turns)
{
    float t = turns - floor(turns + 0.5f);
    return 8.0f - 32.0f * abs(t);
}

// Frequency vector of a node's wave (periods a cell along x and y).
vec2 detailTurns(uint hash, uint octave)
{
    float way = float(hash >> 16u) / 65536.0f;
    float turns = detailCellTurns(octave) * (0.85f + 0.3f * float(hash & 0xffffu) / 65536.0f);
    return vec2(turns * detailWave(way + 0.25f), turns * detailWave(way));
}

float detailBlend(float f) { return f * f * f * (f * (f * 6.0f - 15.0f) + 10.0f); }
float detailBlendSlope(float f) { return 30.0f * f * f * (f * (f - 2.0f) + 1.0f); }

float detailAmplitude(uint octave) { return detail.amplitudes[octave >> 2u][octave & 3u]; }

#endif
