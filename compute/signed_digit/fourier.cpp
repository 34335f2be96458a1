// Cosines come from their series in integers, with guard digits, because a library's would be accurate to a double
// only.
#include "compute/signed_digit/fourier.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

#include "compute/signed_digit/gmp_numbers.h"
#include "compute/signed_digit/kernels/turn_sums.h"
#include "compute/signed_digit/signed_digit.h"
#include "core/base/clock.h"

namespace orogen::compute {
namespace {

constexpr int kGuardDigits = 12;  // of the series, for what its terms are cut by

void setPower(GmpNumber& number, int exponent) { mpz_ui_pow_ui(number, 10, static_cast<unsigned long>(exponent)); }

// Rounded; half away from 0.
void divideRounded(GmpNumber& number, mpz_srcptr divisor)
{
    GmpNumber half;
    mpz_tdiv_q_2exp(half, divisor, 1);
    (mpz_sgn(mpz_srcptr(number)) < 0 ? mpz_sub : mpz_add)(number, number, half);
    mpz_tdiv_q(number, number, divisor);
}

Decimal decimalOf(const GmpNumber& number, std::int64_t exponent)
{
    GmpNumber magnitude;
    mpz_abs(magnitude, number);
    return canonical({magnitude.digits(), exponent, mpz_sgn(mpz_srcptr(number)) < 0});
}

// scale * arctan(1 / inverse), by its series.
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

// Sines and cosines of parts of a turn, in units of 10^-digits.
class TurnTable
{
public:
    explicit TurnTable(int digits)
    {
        setPower(scale_, digits);
        addArctangent(pi_, 16, 5, scale_);  // Machin: pi / 4 = 4 arctan(1/5) - arctan(1/239)
        addArctangent(pi_, -4, 239, scale_);
    }

    // cos(2 pi k / n), from an angle of at most an eighth of a turn.
    GmpNumber cosine(std::size_t k, std::size_t n) const
    {
        const std::size_t mirrored = std::min(k % n, n - k % n);               // cos(-x) = cos x
        const bool negative = 4 * mirrored > n;                                // beyond a quarter
        const std::size_t twice = negative ? n - 2 * mirrored : 2 * mirrored;  // 2 k of cos(pi - x), over n
        GmpNumber value = 4 * twice <= n ? series(2 * twice, 2 * n, 0) : series(n - 2 * twice, 2 * n, 1);
        if (negative) mpz_neg(value, value);
        return value;
    }

private:
    // cos (first = 0) or sin (first = 1) of pi part / whole.
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

// There and back, as formulas 3 and 4 have it.  Anything once it is not to go on.
template <class Real>
double roundTripPercent(const std::vector<double>& coordinates, const GoesOn& goesOn)
{
    const std::size_t n = coordinates.size();
    using Complex = std::complex<Real>;
    const auto turn = [&](std::size_t j, std::size_t k, Real direction) {
        const Real angle = Real(2) * std::numbers::pi_v<Real> * Real(j * k % n) / Real(n);
        return Complex(std::cos(angle), direction * std::sin(angle));
    };
    std::vector<Complex> spectrum(n);
    for (std::size_t k = 0; k < n && goesOn(); ++k)
    {
        for (std::size_t j = 0; j < n; ++j)
            spectrum[k] += Real(coordinates[j]) * turn(j, k, Real(-1));
        spectrum[k] /= Real(n);
    }
    double worst = 0;
    for (std::size_t k = 0; k < n && goesOn(); ++k)
    {
        Complex back = 0;
        for (std::size_t j = 0; j < n; ++j)
            back += spectrum[j] * turn(j, k, Real(1));
        if (coordinates[k] != 0)
            worst = std::max(worst, percentOf(std::abs(double(back.real()) - coordinates[k]), coordinates[k]));
    }
    return worst;
}

// cos(2 pi k / n) as above, as far as it goes on.
std::vector<Decimal> cosinesWhile(std::size_t n, int digits, const GoesOn& goesOn)
{
    const TurnTable turns(digits + kGuardDigits);
    GmpNumber guard;
    setPower(guard, kGuardDigits);
    std::vector<Decimal> table;
    for (std::size_t k = 0; k < n && goesOn(); ++k)
    {
        GmpNumber value = turns.cosine(k, n);
        divideRounded(value, guard);
        table.push_back(decimalOf(value, -digits));
    }
    return table;
}

// Cosines and sines of all angles 2 pi k / n.
struct Turns
{
    std::vector<Decimal> cosines, sines;

    // sin x = cos(x - a quarter), which is on the table only where 4 divides n: else the table is four times as fine.
    Turns(std::size_t n, int digits, const GoesOn& goesOn)
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

// sum_j values[j] turn(j k mod n) for each k, on the processor.
class TurnSumsOnCpu
{
public:
    TurnSumsOnCpu(const Turns& turns, const GoesOn& goesOn) : turns_(turns), goesOn_(goesOn) {}

    // None after a stop.
    std::vector<Decimal> operator()(const DecimalList& values, TurnPart part) const
    {
        const std::size_t n = turns_.cosines.size();
        std::vector<Decimal> sums;
        for (std::size_t k = 0; k < n; ++k)
        {
            if (!goesOn_()) return {};
            DecimalList factors;
            for (std::size_t j = 0; j < values.size(); ++j)
            {
                const bool sine = part == TurnPart::kSines || j >= n;
                factors.add((sine ? turns_.sines : turns_.cosines)[j % n * k % n]);
            }
            const std::vector<FactorRows> rows = alignedFactors(values, factors);
            sums.push_back(CpuDecimals(DotAlgorithm::kProduct, rows).run());
        }
        return sums;
    }

private:
    const Turns& turns_;
    const GoesOn& goesOn_;
};

using TurnSumsOf = std::function<Result<std::vector<Decimal>>(const DecimalList& values, TurnPart part)>;

class Transform
{
public:
    Transform(const DecimalList& coordinates, const FourierOptions& options)
        : coordinates_(coordinates), options_(options), n_(coordinates.size())
    {
        for (std::size_t i = 0; i < n_; ++i)
        {
            const DecimalView x = coordinates[i];
            values_.push_back(roughly(x));
            if (x.digits.empty()) continue;
            const std::int64_t top = x.exponent + std::int64_t(x.digits.size());
            top_ = any_ ? std::max(top_, top) : top;
            any_ = true;
        }
    }

    // `target`: null on the processor.
    Result<FourierResult> run(KernelTarget* target)
    {
        const Clock::time_point start = Clock::now();
        const Turns turns(n_, options_.twiddleDigits, goesOn_);
        result_.turnsMs = millisecondsSince(start);
        if (!goesOn_()) return stopped();
        if (target)
        {
            TurnSums sums(*target, options_.stop, options_.mostSteps);
            if (Status status = sums.prepare(turns.cosines, turns.sines, options_.twiddleDigits); !status)
                return status.error();
            const Status done =
                bothWays([&](const DecimalList& values, TurnPart part) { return sums.sums(values, part); });
            result_.times = sums.times();
            if (!done) return done.error();
        }
        else if (Status status = bothWays(TurnSumsOnCpu(turns, goesOn_)); !status)
            return status.error();
        if (result_.stopped) return result_;
        const Clock::time_point floating = Clock::now();
        result_.doublePercent = roundTripPercent<double>(values_, goesOn_);
        result_.singlePercent = roundTripPercent<float>(values_, goesOn_);
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

    // Formula 3, and formula 4's real part alone: the coordinates are real.
    Status bothWays(const TurnSumsOf& sums)
    {
        const Clock::time_point start = Clock::now();
        const Result<std::vector<Decimal>> real = sums(coordinates_, TurnPart::kCosines);
        if (!real) return real.error();
        const Result<std::vector<Decimal>> imaginary = sums(coordinates_, TurnPart::kSines);
        if (!imaginary) return imaginary.error();
        DecimalList spectrum;
        if (goesOn_())
        {
            for (std::size_t k = 0; k < n_; ++k)
            {
                result_.spectrum.push_back({mean((*real)[k], false), mean((*imaginary)[k], true)});
                spectrum.add(result_.spectrum[k].real);
            }
            for (const SpectralValue& value : result_.spectrum)
                spectrum.add({value.imaginary.digits, value.imaginary.exponent, !value.imaginary.negative});
        }
        Result<std::vector<Decimal>> back = sums(spectrum, TurnPart::kBoth);
        if (!back) return back.error();
        result_.back = std::move(*back);
        result_.bothWaysMs = millisecondsSince(start);
        result_.stopped = !goesOn_();
        return Status::ok();
    }

    // sum / n, rounded to the unit.
    Decimal mean(const Decimal& sum, bool negative) const
    {
        if (sum.digits.empty()) return {};
        const std::int64_t unit = top_ - options_.twiddleDigits;
        GmpNumber value, power, divisor;
        value.setDigits(sum.digits);
        if (sum.negative != negative) mpz_neg(value, value);
        setPower(power, int(std::abs(sum.exponent - unit)));
        mpz_set_ui(divisor, n_);
        if (sum.exponent >= unit)
            mpz_mul(value, value, power);
        else
            mpz_mul(divisor, divisor, power);
        divideRounded(value, divisor);
        return decimalOf(value, unit);
    }

    void measure(FourierResult& result) const
    {
        const double e = std::pow(10.0, -options_.twiddleDigits), root = std::numbers::sqrt2;
        double largest = 0;
        for (const double value : values_)
            largest = std::max(largest, std::abs(value));
        const double unit = e * std::pow(10.0, double(top_));
        const double bound = double(n_) * (root * (e * largest + unit / 2) * (1 + root * e) + root * e * largest);
        for (std::size_t i = 0; i < n_; ++i)
        {
            if (values_[i] == 0) continue;
            const SignedDigits error = subtract(signedDigits(result.back[i]), signedDigits(coordinates_[i]));
            const double found = percentOf(std::abs(roughly(decimal(error))), values_[i]);
            result.signedDigitPercent = std::max(result.signedDigitPercent, found);
            result.boundPercent = std::max(result.boundPercent, percentOf(bound, values_[i]));
        }
    }

    // Parts of the work are done so often: sums of both ways, and those of double and single precision.  Who has said
    // once that it is to stop is not asked again.
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
    std::vector<double> values_;
    std::int64_t top_ = 0;  // the largest coordinate is below 10^top
    bool any_ = false;
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
