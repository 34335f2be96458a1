// The discrete Fourier transform of paper 000 (formulas 3 and 4) and its inverse on decimal fixed point, beside double
// and single precision.
//
// Its erratum 11: the paper has the transform lose nothing, but cosines are irrational.  Here each is within 10^-D of
// its value, D digits behind the point; the spectrum is rounded to 10^-D of the power of ten above the largest
// coordinate; all sums are exact.  With X that coordinate, u that unit, e = 10^-D and n coordinates, a spectral value
// is then off by at most sqrt(2) (e X + u / 2), and a coordinate after both ways by at most
//   n (sqrt(2) (e X + u / 2) (1 + sqrt(2) e) + sqrt(2) e X).
// So coordinates of which the smallest is to keep w digits want D >= lg(X / smallest) + lg n + w + 1.
#pragma once

#include <cstdint>
#include <functional>
#include <stop_token>
#include <vector>

#include "compute/signed_digit/digit_rows.h"
#include "compute/signed_digit/kernels/kernel_times.h"
#include "core/base/status.h"

namespace orogen::compute {

class KernelTarget;

struct SpectralValue
{
    Decimal real, imaginary;
};

// Errors are of the way there and back, relative to the coordinate, the largest of all that are not 0, in percent.
struct FourierResult
{
    std::vector<SpectralValue> spectrum;
    std::vector<Decimal> back;  // the inverse transform of it
    double signedDigitPercent = 0, doublePercent = 0, singlePercent = 0;
    double boundPercent = 0;  // of signedDigitPercent, as above
    bool stopped = false;
    // The time of the turns' table, of both ways (in kernels: `times.kernelMs` and what it needs beside), and of the
    // ways in double and single precision.
    double turnsMs = 0, bothWaysMs = 0, floatingMs = 0;
    KernelTimes times;
};

struct FourierOptions
{
    int twiddleDigits = 50;
    std::function<bool(double fraction)> progress = {};  // false: stop
    std::stop_token stop = {};                           // of kernels; seen between their launches
    std::uint64_t mostSteps = 0;                         // of a launch, as DecimalKernelOptions has it
};

FourierResult fourierTransform(const DecimalList& coordinates, const FourierOptions& options = {});

// The same digits by kernels (kernels/turn_sums.h).  Errors: the target's, kInterrupted after a stop, which `progress`
// may tell, too.
Result<FourierResult> fourierTransformOnTarget(KernelTarget& target, const DecimalList& coordinates,
                                               const FourierOptions& options = {});

// cos(2 pi k / n) 10^digits for k = 0 ... n - 1, each off by less than 1.
std::vector<Decimal> cosines(std::size_t n, int digits);

// The double nearest to a number but for some units in its last place; infinite where it is too large.
double roughly(const DecimalView& number);

}  // namespace orogen::compute
