// Cosines come from their series in integers, with guard digits, because a library's would be accurate to a double
// only.
#include "compute/signed_digit/fourier.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

#include "compute/signed_digit/gmp_numbers.h"
#include "compute/signed_digit/signed_digit.h"

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

// There and back, as formulas 3 and 4 have it.
template <class Real>
double roundTripPercent(const std::vector<double>& coordinates)
{
    const std::size_t n = coordinates.size();
    using Complex = std::complex<Real>;
    const auto turn = [&](std::size_t j, std::size_t k, Real direction) {
        const Real angle = Real(2) * std::numbers::pi_v<Real> * Real(j * k % n) / Real(n);
        return Complex(std::cos(angle), direction * std::sin(angle));
    };
    std::vector<Complex> spectrum(n);
    for (std::size_t k = 0; k < n; ++k)
    {
        for (std::size_t j = 0; j < n; ++j)
            spectrum[k] += Real(coordinates[j]) * turn(j, k, Real(-1));
        spectrum[k] /= Real(n);
    }
    double worst = 0;
    for (std::size_t k = 0; k < n; ++k)
    {
        Complex back = 0;
        for (std::size_t j = 0; j < n; ++j)
            back += spectrum[j] * turn(j, k, Real(1));
        if (coordinates[k] != 0)
            worst = std::max(worst, percentOf(std::abs(double(back.real()) - coordinates[k]), coordinates[k]));
    }
    return worst;
}

class Transform
{
public:
    Transform(const DecimalList& coordinates, const FourierOptions& options)
        : coordinates_(coordinates), options_(options), n_(coordinates.size()),
          cosines_(cosines(n_, options.twiddleDigits))
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
        // sin x = cos(x - a quarter), which is on the table only where 4 divides n.
        sines_ = n_ % 4 == 0 ? std::vector<Decimal>() : sinesByHalves();
    }

    FourierResult run()
    {
        FourierResult result;
        if (!forward(result) || !backward(result))
        {
            result.stopped = true;
            return result;
        }
        result.doublePercent = roundTripPercent<double>(values_);
        result.singlePercent = roundTripPercent<float>(values_);
        measure(result);
        return result;
    }

private:
    // sin(2 pi k / n) = cos(2 pi (4 k - n) / 4 n), of a table four times as fine.
    std::vector<Decimal> sinesByHalves() const
    {
        const std::vector<Decimal> fine = cosines(4 * n_, options_.twiddleDigits);
        std::vector<Decimal> sines(n_);
        for (std::size_t k = 0; k < n_; ++k)
            sines[k] = fine[(4 * k + 3 * n_) % (4 * n_)];
        return sines;
    }
    const Decimal& cosine(std::size_t k) const { return cosines_[k % n_]; }
    const Decimal& sine(std::size_t k) const
    {
        return sines_.empty() ? cosines_[(k + n_ / 4 * 3) % n_] : sines_[k % n_];
    }

    static Decimal dot(const DecimalList& x, const DecimalList& y)
    {
        const std::vector<FactorRows> rows = alignedFactors(x, y);
        return CpuDecimals(DotAlgorithm::kProduct, rows).run();
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

    bool forward(FourierResult& result) const
    {
        for (std::size_t k = 0; k < n_; ++k)
        {
            if (options_.progress && !options_.progress(0.5 * double(k) / double(n_))) return false;
            DecimalList real, imaginary;
            for (std::size_t j = 0; j < n_; ++j)
            {
                real.add(cosine(j * k % n_));
                imaginary.add(sine(j * k % n_));
            }
            result.spectrum.push_back({mean(dot(coordinates_, real), false), mean(dot(coordinates_, imaginary), true)});
        }
        return true;
    }

    // The real part alone: the coordinates are real.
    bool backward(FourierResult& result) const
    {
        for (std::size_t k = 0; k < n_; ++k)
        {
            if (options_.progress && !options_.progress(0.5 + 0.5 * double(k) / double(n_))) return false;
            DecimalList values, turns;
            for (std::size_t j = 0; j < n_; ++j)
            {
                values.add(result.spectrum[j].real);
                turns.add(cosine(j * k % n_));
                Decimal imaginary = result.spectrum[j].imaginary;
                imaginary.negative = !imaginary.negative;
                values.add(imaginary);
                turns.add(sine(j * k % n_));
            }
            result.back.push_back(dot(values, turns));
        }
        return true;
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

    const DecimalList& coordinates_;
    const FourierOptions& options_;
    const std::size_t n_;
    const std::vector<Decimal> cosines_;
    std::vector<Decimal> sines_;
    std::vector<double> values_;
    std::int64_t top_ = 0;  // the largest coordinate is below 10^top
    bool any_ = false;
};

}  // namespace

std::vector<Decimal> cosines(std::size_t n, int digits)
{
    const TurnTable turns(digits + kGuardDigits);
    GmpNumber guard;
    setPower(guard, kGuardDigits);
    std::vector<Decimal> table;
    for (std::size_t k = 0; k < n; ++k)
    {
        GmpNumber value = turns.cosine(k, n);
        divideRounded(value, guard);
        table.push_back(decimalOf(value, -digits));
    }
    return table;
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
    return Transform(coordinates, options).run();
}

}  // namespace orogen::compute
