// Cosines come from their series in integers, with guard digits. Those of a library have only a double's precision.
#include "compute/signed_digit/fourier.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

#include "compute/signed_digit/cpu_decimals.h"
#include "compute/signed_digit/gmp_numbers.h"
#include "compute/signed_digit/kernels/twiddle_sums.h"
#include "core/base/clock.h"

namespace orogen::compute {
namespace {

constexpr int kGuardDigits = 12;  // extra digits, which absorb the truncation of the series' terms

void setPower(GmpNumber& number, int exponent) { mpz_ui_pow_ui(number, 10, static_cast<unsigned long>(exponent)); }

// Divides and rounds to the nearest integer, halves away from 0.
void divideRounded(GmpNumber& number, mpz_srcptr divisor)
{
    GmpNumber half;
    mpz_tdiv_q_2exp(half, divisor, 1);
    (mpz_sgn(mpz_srcptr(number)) < 0 ? mpz_sub : mpz_add)(number, number, half);
    mpz_tdiv_q(number, number, divisor);
}

// Adds factor * scale * arctan(1 / inverse), by its series.
void addArctangent(GmpNumber& sum, long factor, unsigned long inverse, const GmpNumber& scale)
{
    GmpNumber power, term;
    mpz_tdiv_q_ui(power, scale, inverse);
    for (unsigned long i = 1; mpz_sgn(mpz_srcptr(power)) != 0; i += 2)
    {
        mpz_tdiv_q_ui(term, power, i);
        mpz_mul_si(term, term, i % 4 == 1 ? factor : -factor);
        mpz_add(sum, sum, term);
        mpz_tdiv_q_ui(power, power, inverse * inverse);
    }
}

// Cosines of fractions of a circle, in units of 10^-digits.
class CosineSeries
{
public:
    explicit CosineSeries(int digits)
    {
        setPower(scale_, digits);
        addArctangent(pi_, 16, 5, scale_);  // Machin: pi / 4 = 4 arctan(1/5) - arctan(1/239)
        addArctangent(pi_, -4, 239, scale_);
    }

    // Returns cos(2 pi k / n), from an angle of at most an eighth of a circle.
    GmpNumber cosine(std::size_t k, std::size_t n) const
    {
        const std::size_t mirrored = std::min(k % n, n - k % n);               // cos(-x) = cos x
        const bool negative = 4 * mirrored > n;                                // past a quarter circle
        const std::size_t twice = negative ? n - 2 * mirrored : 2 * mirrored;  // x, or pi - x, in units of pi / n
        GmpNumber value = 4 * twice <= n ? series(2 * twice, 2 * n, 0) : series(n - 2 * twice, 2 * n, 1);
        if (negative) mpz_neg(value, value);
        return value;
    }

private:
    // Returns cos (first = 0) or sin (first = 1) of pi part / whole.
    GmpNumber series(std::size_t part, std::size_t whole, unsigned long first) const
    {
        GmpNumber angle, square, term, sum;
        mpz_mul_ui(angle, pi_, part);
        mpz_tdiv_q_ui(angle, angle, whole);
        mpz_mul(square, angle, angle);
        mpz_tdiv_q(square, square, scale_);
        mpz_set(term, first == 0 ? mpz_srcptr(scale_) : mpz_srcptr(angle));
        for (unsigned long i = first; mpz_sgn(mpz_srcptr(term)) != 0; i += 2)
        {
            mpz_add(sum, sum, term);
            mpz_mul(term, term, square);
            mpz_tdiv_q(term, term, scale_);
            mpz_tdiv_q_ui(term, term, (i + 1) * (i + 2));
            mpz_neg(term, term);
        }
        return sum;
    }

    GmpNumber scale_, pi_;
};

double percentOf(double error, double value) { return 100 * error / std::abs(value); }

using GoesOn = std::function<bool()>;

// Applies formula 3 and then 4, or 4 and then 3 if `inverse`, in floating point. Formula 3 is the transform, formula 4
// its inverse (fourier.h). Returns the largest relative error (percent). Undefined if `goesOn` returned false.
template <class Real>
double roundTripPercent(const std::vector<std::complex<double>>& coordinates, bool inverse, const GoesOn& goesOn)
{
    const std::size_t n = coordinates.size();
    using Complex = std::complex<Real>;
    std::vector<Complex> values(n);
    for (std::size_t k = 0; k < n; ++k)
        values[k] = Complex(Real(coordinates[k].real()), Real(coordinates[k].imag()));
    for (const bool backwards : {inverse, !inverse})
    {
        std::vector<Complex> sums(n);
        for (std::size_t k = 0; k < n && goesOn(); ++k)
        {
            for (std::size_t j = 0; j < n; ++j)
            {
                const Real angle = Real(2) * std::numbers::pi_v<Real> * Real(j * k % n) / Real(n);
                sums[k] += values[j] * Complex(std::cos(angle), (backwards ? 1 : -1) * std::sin(angle));
            }
            if (!backwards) sums[k] /= Real(n);
        }
        values = std::move(sums);
    }
    double worst = 0;
    const auto compare = [&worst](double found, double expected) {
        if (expected != 0) worst = std::max(worst, percentOf(std::abs(found - expected), expected));
    };
    for (std::size_t k = 0; k < n; ++k)
    {
        compare(double(values[k].real()), coordinates[k].real());
        compare(double(values[k].imag()), coordinates[k].imag());
    }
    return worst;
}

// Returns cosines(n, digits), or fewer of them once `goesOn` returns false.
std::vector<Decimal> cosinesWhile(std::size_t n, int digits, const GoesOn& goesOn)
{
    const CosineSeries series(digits + kGuardDigits);
    GmpNumber guard;
    setPower(guard, kGuardDigits);
    std::vector<Decimal> table;
    for (std::size_t k = 0; k < n && goesOn(); ++k)
    {
        GmpNumber value = series.cosine(k, n);
        divideRounded(value, guard);
        table.push_back(decimalOf(value, -digits));
    }
    return table;
}

// Cosines and sines of all angles 2 pi k / n.
struct Twiddles
{
    std::vector<Decimal> cosines, sines;

    // Takes sin x = cos(x - pi / 2) from the table of cosines. If 4 does not divide n, the table is four times as fine.
    Twiddles(std::size_t n, int digits, const GoesOn& goesOn)
    {
        const std::size_t fineness = n % 4 == 0 ? 1 : 4;
        const std::vector<Decimal> fine = cosinesWhile(fineness * n, digits, goesOn);
        if (fine.size() < fineness * n) return;
        for (std::size_t k = 0; k < n; ++k)
        {
            cosines.push_back(fine[fineness * k]);
            sines.push_back(fine[(fineness * k + fineness * n / 4 * 3) % fine.size()]);
        }
    }
};

// Computes sum_j values[j] twiddle(j k mod n) for each k on the CPU.
class TwiddleSumsOnCpu
{
public:
    TwiddleSumsOnCpu(const Twiddles& twiddles, const GoesOn& goesOn) : twiddles_(twiddles), goesOn_(goesOn) {}

    // Returns an empty vector after a stop.
    std::vector<Decimal> operator()(const DecimalList& values, TwiddlePart part) const
    {
        const std::size_t n = twiddles_.cosines.size();
        std::vector<Decimal> sums;
        for (std::size_t k = 0; k < n; ++k)
        {
            if (!goesOn_()) return {};
            DecimalList factors;
            for (std::size_t j = 0; j < values.size(); ++j)
            {
                const bool sine = part == TwiddlePart::kSines || j >= n;
                factors.add((sine ? twiddles_.sines : twiddles_.cosines)[j % n * k % n]);
            }
            const std::vector<FactorRows> rows = alignedFactors(values, factors);
            sums.push_back(CpuDecimals(DotAlgorithm::kProduct, rows).run());
        }
        return sums;
    }

private:
    const Twiddles& twiddles_;
    const GoesOn& goesOn_;
};

using TwiddleSumsOf = std::function<Result<std::vector<Decimal>>(const DecimalList& values, TwiddlePart part)>;

class Transform
{
public:
    Transform(const DecimalList& coordinates, const FourierOptions& options)
        : coordinates_(coordinates), options_(options), n_(coordinates.size()), values_(n_)
    {
        bool any = false;
        for (const DecimalList* part : {&coordinates, options.imaginary})
            for (std::size_t i = 0; part && i < n_; ++i)
            {
                const DecimalView x = (*part)[i];
                if (part == &coordinates)
                    values_[i].real(roughly(x));
                else
                    values_[i].imag(roughly(x));
                if (x.digits.empty()) continue;
                const std::int64_t top = x.exponent + std::int64_t(x.digits.size());
                top_ = any ? std::max(top_, top) : top;
                any = true;
            }
        result_.unitExponent = top_ - options.twiddleDigits;
    }

    // Runs on `target`, or on the CPU if it is null.
    Result<FourierResult> run(KernelTarget* target)
    {
        const Clock::time_point start = Clock::now();
        const Twiddles twiddles(n_, options_.twiddleDigits, goesOn_);
        result_.twiddlesMs = millisecondsSince(start);
        if (!goesOn_()) return stopped();
        if (target)
        {
            TwiddleSums sums(*target, options_.stop, options_.mostSteps);
            if (Status status = sums.prepare(twiddles.cosines, twiddles.sines, options_.twiddleDigits); !status)
                return status.error();
            const Status done =
                bothWays([&](const DecimalList& values, TwiddlePart part) { return sums.sums(values, part); });
            result_.times = sums.times();
            if (!done) return done.error();
        }
        else if (Status status = bothWays(TwiddleSumsOnCpu(twiddles, goesOn_)); !status)
            return status.error();
        if (result_.stopped) return result_;
        const Clock::time_point floating = Clock::now();
        result_.doublePercent = roundTripPercent<double>(values_, options_.inverse, goesOn_);
        result_.singlePercent = roundTripPercent<float>(values_, options_.inverse, goesOn_);
        result_.floatingMs = millisecondsSince(floating);
        if (!goesOn_()) return stopped();
        measure(result_);
        return result_;
    }

private:
    FourierResult stopped()
    {
        result_.stopped = true;
        return result_;
    }

    using Sums = Result<std::vector<Decimal>>;

    // Applies formula 3 and then 4, or 4 and then 3.
    Status bothWays(const TwiddleSumsOf& sums)
    {
        const Clock::time_point start = Clock::now();
        if (Status status = transform(sums, coordinates_, options_.imaginary, options_.inverse, result_.spectrum);
            !status)
            return status;
        DecimalList real, imaginary;
        for (const ComplexDecimal& value : result_.spectrum)
        {
            real.add(value.real);
            imaginary.add(value.imaginary);
        }
        const bool realAlone = !options_.inverse && !options_.imaginary;
        const Status status = realAlone ? realParts(sums, real, imaginary)
                                        : transform(sums, real, &imaginary, !options_.inverse, result_.back);
        if (!status) return status;
        result_.bothWaysMs = millisecondsSince(start);
        result_.stopped = !goesOn_();
        return Status::ok();
    }

    // Applies formula 3, or 4 if `inverse`, to a + bi. With w = exp(-2 pi i / n), formula 3 multiplies by w^jk = c - si
    // and divides by n, where c and s are the cosine and the sine of 2 pi jk / n. Formula 4 multiplies by c + si. Makes
    // no values after a stop.
    Status transform(const TwiddleSumsOf& sums, const DecimalList& a, const DecimalList* b, bool inverse,
                     std::vector<ComplexDecimal>& values)
    {
        const Sums real = b ? sums(joined(a, *b, inverse), TwiddlePart::kBoth) : sums(a, TwiddlePart::kCosines);
        if (!real) return real.error();
        const Sums imaginary = b ? sums(joined(*b, a, !inverse), TwiddlePart::kBoth) : sums(a, TwiddlePart::kSines);
        if (!imaginary) return imaginary.error();
        if (!goesOn_()) return Status::ok();
        const std::size_t divisor = inverse ? 1 : n_;
        for (std::size_t k = 0; k < n_; ++k)
            values.push_back(
                {quotient((*real)[k], divisor, false), quotient((*imaginary)[k], divisor, !b && !inverse)});
        return Status::ok();
    }

    // Computes the real parts of formula 4, without rounding. Real coordinates have no imaginary parts.
    Status realParts(const TwiddleSumsOf& sums, const DecimalList& real, const DecimalList& imaginary)
    {
        Sums back = sums(joined(real, imaginary, true), TwiddlePart::kBoth);
        if (!back) return back.error();
        for (Decimal& value : *back)
            result_.back.push_back({std::move(value), {}});
        return Status::ok();
    }

    // Returns the numbers of `first`, then those of `second`, the latter negated if `negate`.
    static DecimalList joined(const DecimalList& first, const DecimalList& second, bool negate)
    {
        DecimalList list = first;
        for (std::size_t i = 0; i < second.size(); ++i)
            list.add({second[i].digits, second[i].exponent, second[i].negative != negate});
        return list;
    }

    // Returns sum / divisor, or its negative if `negate`, rounded to a multiple of 10^unitExponent.
    Decimal quotient(const Decimal& sum, std::size_t divisor, bool negate) const
    {
        if (sum.digits.empty()) return {};
        const std::int64_t unit = result_.unitExponent;
        GmpNumber value, power, whole;
        value.setDigits(sum.digits);
        if (sum.negative != negate) mpz_neg(value, value);
        setPower(power, int(std::abs(sum.exponent - unit)));
        mpz_set_ui(whole, divisor);
        if (sum.exponent >= unit)
            mpz_mul(value, value, power);
        else
            mpz_mul(whole, whole, power);
        divideRounded(value, whole);
        return decimalOf(value, unit);
    }

    void measure(FourierResult& result) const
    {
        const double e = std::pow(10.0, -options_.twiddleDigits), root = std::numbers::sqrt2, n = double(n_);
        double largest = 0;
        for (const std::complex<double>& value : values_)
            largest = std::max(largest, std::abs(value));
        const double factor = options_.inverse ? n : 1;
        const double unit = e * std::pow(10.0, double(top_)), first = root * (factor * e * largest + unit / 2);
        const double bound = options_.inverse ? first * (1 + root * e) + root * (e * n * largest + unit / 2)
                                              : n * (first * (1 + root * e) + root * e * largest) +
                                                    (options_.imaginary ? root * unit / 2 : 0);
        result.boundInUnits = root * (factor * largest * std::pow(10.0, -double(top_)) + 0.5);
        const auto compare = [&](const Decimal& back, const DecimalView& coordinate, double value) {
            if (value == 0) return;
            const SignedDigits error = subtract(signedDigits(back), signedDigits(coordinate));
            const double found = percentOf(std::abs(roughly(decimal(error))), value);
            result.signedDigitPercent = std::max(result.signedDigitPercent, found);
            result.boundPercent = std::max(result.boundPercent, percentOf(bound, value));
        };
        for (std::size_t i = 0; i < n_; ++i)
        {
            compare(result.back[i].real, coordinates_[i], values_[i].real());
            if (options_.imaginary) compare(result.back[i].imaginary, (*options_.imaginary)[i], values_[i].imag());
        }
    }

    // Reports progress and returns whether to go on. The progress is the number of calls so far over 11 n, about the
    // number of all calls. Once `progress` has returned false, it is not called again.
    bool goesOn()
    {
        const double done = std::min(1.0, double(looks_++) / (double(n_) * 11));
        stopped_ = stopped_ || (options_.progress && !options_.progress(done));
        return !stopped_;
    }

    const DecimalList& coordinates_;
    const FourierOptions& options_;
    const std::size_t n_;
    const GoesOn goesOn_ = [this] { return goesOn(); };
    std::uint64_t looks_ = 0;
    bool stopped_ = false;
    FourierResult result_;
    std::vector<std::complex<double>> values_;
    std::int64_t top_ = 0;  // real and imaginary parts of all coordinates are below 10^top_ in size
};

}  // namespace

std::vector<Decimal> cosines(std::size_t n, int digits)
{
    return cosinesWhile(n, digits, [] { return true; });
}

double roughly(const DecimalView& number)
{
    constexpr std::size_t kDigits = 19;
    const std::size_t shown = std::min(kDigits, number.digits.size());
    double value = 0;
    for (std::size_t i = 0; i < shown; ++i)
        value = 10 * value + number.digits[number.digits.size() - 1 - i];
    const std::int64_t exponent = number.exponent + std::int64_t(number.digits.size() - shown);
    const int clamped = int(std::clamp<std::int64_t>(exponent, -700, 700));
    value = value * std::pow(10.0, clamped / 2) * std::pow(10.0, clamped - clamped / 2);
    return number.negative ? -value : value;
}

FourierResult fourierTransform(const DecimalList& coordinates, const FourierOptions& options)
{
    return *Transform(coordinates, options).run(nullptr);
}

Result<FourierResult> fourierTransformOnTarget(KernelTarget& target, const DecimalList& coordinates,
                                               const FourierOptions& options)
{
    Result<FourierResult> found = Transform(coordinates, options).run(&target);
    if (found && found->stopped) return Error{ExitCode::kInterrupted, "signed-digit: cancelled"};
    return found;
}

}  // namespace orogen::compute
