// Power spectrum of a square of heights.
#pragma once

#include <cmath>
#include <complex>
#include <cstddef>
#include <numbers>
#include <vector>

namespace orogen::test {

using Complex = std::complex<double>;

// Transforms in place; the number of values must be a power of two.
inline void fourier(std::vector<Complex>& values)
{
    const std::size_t n = values.size();
    for (std::size_t i = 1, j = 0; i < n; ++i)
    {
        std::size_t bit = n / 2;
        for (; j & bit; bit /= 2)
            j ^= bit;
        j ^= bit;
        if (i < j) std::swap(values[i], values[j]);
    }
    for (std::size_t half = 1; half < n; half *= 2)
    {
        const Complex turn = std::polar(1.0, -std::numbers::pi / double(half));
        for (std::size_t begin = 0; begin < n; begin += 2 * half)
        {
            Complex factor = 1;
            for (std::size_t i = begin; i < begin + half; ++i, factor *= turn)
            {
                const Complex odd = values[i + half] * factor;
                values[i + half] = values[i] - odd;
                values[i] += odd;
            }
        }
    }
}

// Returns the power of side x side values under a cosine window, after removing their mean slope. power[k] covers 2^(k
// - 1) to 2^k waves along the side, power[0] those below; means over the square, in squared units of the values.
inline std::vector<double> powerByOctave(std::vector<double> values, std::size_t side)
{
    const auto at = [&](std::size_t x, std::size_t y) -> double& { return values[y * side + x]; };
    double mean = 0, east = 0, south = 0, square = 0;
    const auto centred = [&](std::size_t i) { return double(i) - double(side - 1) / 2; };
    for (std::size_t y = 0; y < side; ++y)
        for (std::size_t x = 0; x < side; ++x)
        {
            mean += at(x, y);
            east += at(x, y) * centred(x);
            south += at(x, y) * centred(y);
            square += centred(x) * centred(x);
        }
    mean /= double(values.size());
    std::vector<std::vector<Complex>> rows(side, std::vector<Complex>(side));
    const auto window = [&](std::size_t i) { return 1 - std::cos(2 * std::numbers::pi * double(i) / double(side)); };
    for (std::size_t y = 0; y < side; ++y)
    {
        for (std::size_t x = 0; x < side; ++x)
            rows[y][x] = (at(x, y) - mean - (east * centred(x) + south * centred(y)) / square) * window(x) * window(y);
        fourier(rows[y]);
    }
    std::vector<double> power(std::size_t(std::log2(side)) + 2, 0.0);
    std::vector<Complex> column(side);
    for (std::size_t x = 0; x < side; ++x)
    {
        for (std::size_t y = 0; y < side; ++y)
            column[y] = rows[y][x];
        fourier(column);
        for (std::size_t y = 0; y < side; ++y)
        {
            const double u = double(x < side / 2 ? x : side - x), v = double(y < side / 2 ? y : side - y);
            const double waves = std::hypot(u, v);
            const std::size_t octave = waves <= 1 ? 0 : std::size_t(std::ceil(std::log2(waves)));
            power[octave] += std::norm(column[y]) / std::pow(double(values.size()), 2) / 2.25;
        }
    }
    return power;
}

}  // namespace orogen::test
