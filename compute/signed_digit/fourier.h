// Discrete Fourier transform of paper 000 (see cpu_decimals.h; formula 3) and its inverse (formula 4) in decimal fixed
// point, compared with double and single precision.
//
// Erratum 11: the paper claims that the transform loses nothing, but cosines are irrational. Here each cosine is within
// 10^-D of its value, with D digits after the point. The spectrum is rounded to 10^-D of the power of ten above the
// largest coordinate; all sums are exact. X is that coordinate's size, u the unit of the rounding, e = 10^-D, and n the
// number of coordinates. A spectral value is off by at most sqrt(2) (e X + u / 2). After both transforms a coordinate
// is off by at most
//   n (sqrt(2) (e X + u / 2) (1 + sqrt(2) e) + sqrt(2) e X).
// To keep w digits of the smallest coordinate, choose D >= lg(X / smallest) + lg n + w + 1 (lg: decimal logarithm).
//
// For complex coordinates, X is the largest magnitude, and rounding by the second transform adds sqrt(2) u / 2. If the
// inverse transform is applied first, its values are off by at most b = sqrt(2) (n e X + u / 2). After both transforms
// a coordinate is then off by at most b (1 + sqrt(2) e) + sqrt(2) (e n X + u / 2).
#pragma once

#include <cstdint>
#include <functional>
#include <stop_token>
#include <vector>

#include "compute/signed_digit/digit_rows.h"
#include "compute/signed_digit/kernels/signed_digit_device.h"
#include "core/base/status.h"

namespace orogen::compute {

class KernelTarget;

struct ComplexDecimal
{
    Decimal real, imaginary;

    friend bool operator==(const ComplexDecimal&, const ComplexDecimal&) = default;
};

// Results of the transform, and of the inverse transform of its result. Each error in percent is the largest relative
// error of a real or imaginary part of a coordinate after both transforms. Parts that are 0 do not count.
struct FourierResult
{
    std::vector<ComplexDecimal> spectrum;  // with FourierOptions::inverse: the coordinates of the given spectrum
    std::vector<ComplexDecimal> back;      // coordinates after both transforms; real coordinates: only real parts
    std::int64_t unitExponent = 0;         // `spectrum` is rounded to multiples of 10^unitExponent
    double boundInUnits = 0;               // bound on the error of a value of `spectrum`, in those multiples
    double signedDigitPercent = 0, doublePercent = 0, singlePercent = 0;
    double boundPercent = 0;  // bound on signedDigitPercent, by the formulas at the file's head
    bool stopped = false;
    // Times (ms) of the twiddle factors, of both transforms in decimals, and of both in double and in single precision.
    double twiddlesMs = 0, bothWaysMs = 0, floatingMs = 0;
    KernelTimes times;
};

struct FourierOptions
{
    int twiddleDigits = 50;                              // D, digits of cosines after the point
    std::function<bool(double fraction)> progress = {};  // return false to stop
    std::stop_token stop = {};                           // for fourierTransformOnTarget() alone
    std::uint64_t mostSteps = 0;                         // maximum of steps per launch, as in DecimalKernelOptions
    bool inverse = false;                                // formula 4 first, then 3
    const DecimalList* imaginary = nullptr;              // one imaginary part per coordinate; null: all are 0
};

// Computes the transform and its inverse on the calling thread.
FourierResult fourierTransform(const DecimalList& coordinates, const FourierOptions& options = {});

// Computes the same digits by kernels (kernels/twiddle_sums.h). Errors: the target's, kLimit (memory), kInterrupted.
Result<FourierResult> fourierTransformOnTarget(KernelTarget& target, const DecimalList& coordinates,
                                               const FourierOptions& options = {});

// Returns cos(2 pi k / n) for k = 0 ... n - 1, each off by less than 10^-digits.
std::vector<Decimal> cosines(std::size_t n, int digits);

// Returns a double within a few units in the last place of the number, whose top digit is not 0; may be infinite or 0.
double roughly(const DecimalView& number);

}  // namespace orogen::compute
