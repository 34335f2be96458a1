#include "core/frames/compare/comparison_math.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <random>

#include "core/base/text.h"

namespace orogen {
namespace {

// Evaluates the incomplete beta function's continued fraction by Lentz's method (Press et al., Numerical Recipes, 6.4).
double betaFraction(double a, double b, double x)
{
    constexpr double kTiny = 1e-300;
    const auto away = [](double value) { return std::abs(value) < kTiny ? kTiny : value; };
    double c = 1, d = 1 / away(1 - (a + b) * x / (a + 1)), h = d;
    for (int m = 1; m <= 500; ++m)
    {
        const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        d = 1 / away(1 + even * d);
        c = away(1 + even / c);
        h *= d * c;
        const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        d = 1 / away(1 + odd * d);
        c = away(1 + odd / c);
        h *= d * c;
        if (std::abs(d * c - 1) < 1e-15) break;
    }
    return h;
}

double incompleteBeta(double a, double b, double x)
{
    if (x <= 0) return 0;
    if (x >= 1) return 1;
    const double front =
        std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) + a * std::log(x) + b * std::log1p(-x));
    return x < (a + 1) / (a + b + 2) ? front * betaFraction(a, b, x) / a : 1 - front * betaFraction(b, a, 1 - x) / b;
}

// Returns the x in [low, high] where the increasing function passes `target`.
template <class Function>
double solve(Function rising, double target, double low, double high)
{
    for (int i = 0; i < 200 && low < high; ++i)
    {
        const double middle = low + (high - low) / 2;
        (rising(middle) < target ? low : high) = middle;
    }
    return low;
}

double meanOf(std::span<const double> values)
{
    return std::accumulate(values.begin(), values.end(), 0.0) / double(values.size());
}

// Returns the squared standard error of the mean: variance / n.
double squaredError(std::span<const double> values)
{
    const double mean = meanOf(values);
    double sum = 0;
    for (const double value : values)
        sum += (value - mean) * (value - mean);
    return sum / double(values.size() - 1) / double(values.size());
}

// Returns the standard deviation of a run, pooled over both sides.
double spreadOfRuns(std::span<const double> baseline, std::span<const double> candidate)
{
    return std::sqrt(
        (squaredError(baseline) * double(baseline.size()) + squaredError(candidate) * double(candidate.size())) / 2);
}

Difference exactDifference(double mean) { return {mean, {mean, mean}, {mean, mean}, mean == 0 ? 1.0 : 0.0, 0}; }

// Returns the t interval of a mean with this standard error.
Difference studentDifference(double mean, double error, double freedom, double spread)
{
    if (!(error > 0)) return exactDifference(mean);
    const auto interval = [&](double outside) {
        const double reach = error * studentQuantile(outside, freedom);
        return Interval{mean - reach, mean + reach};
    };
    return {mean, interval(0.05), interval(0.10), studentTwoSided(mean / error, freedom), spread};
}

// Assumed correlation of neighbouring pairs, see pairedDifference().
constexpr double kPairCorrelation = 0.25;

// Returns the factor on the standard error for correlated pairs: correlation raises the variance of the mean and lowers
// the variance estimate.
double correlationWidening(std::size_t pairs)
{
    const double n = double(pairs);
    return std::sqrt((1 + 2 * kPairCorrelation * (n - 1) / n) / (1 - 2 * kPairCorrelation / n));
}

double pairFreedom(std::size_t pairs) { return double(pairs) - (pairs < kPairsForOrder ? 1.0 : 2.0); }

// Number and sum of the differences of the pairs in one order, A B or B A (A: baseline, B: candidate).
struct OrderSums
{
    double count = 0, sum = 0;
    double mean() const { return sum / count; }
};

// Random integers, equal with every standard library; the distributions of <random> are not.
class Dice
{
public:
    std::uint32_t below(std::size_t bound)
    {
        return std::uint32_t((std::uint64_t(std::uint32_t(engine_() >> 32)) * bound) >> 32);
    }

private:
    std::mt19937_64 engine_{20'240'229};
};

double meanOfDrawn(std::span<const double> values, Dice& dice)
{
    double sum = 0;
    for (std::size_t i = 0; i < values.size(); ++i)
        sum += values[dice.below(values.size())];
    return sum / double(values.size());
}

// Returns the differences of the means in resamples, ascending.
std::vector<double> resampledDifferences(std::span<const double> baseline, std::span<const double> candidate)
{
    constexpr std::size_t kReplicates = 20'000;
    Dice dice;
    std::vector<double> differences(kReplicates);
    for (double& difference : differences)
        difference = meanOfDrawn(candidate, dice) - meanOfDrawn(baseline, dice);
    std::ranges::sort(differences);
    return differences;
}

// Correction for few runs.  Resampling n runs shows sqrt((n - 1) / n) of their spread, and ignores the uncertainty of
// that spread.  So quantiles are taken at widening * t instead of the percentile method's z.
struct Expansion
{
    double widening, freedom;

    Interval interval(const std::vector<double>& sorted, double outside) const
    {
        const double tail = normalBelow(-widening * studentQuantile(outside, freedom));
        const double last = double(sorted.size() - 1);
        return {sorted[std::size_t(std::floor(tail * last))], sorted[std::size_t(std::ceil((1 - tail) * last))]};
    }
    double probability(const std::vector<double>& sorted) const
    {
        const double n = double(sorted.size());
        const double below = double(std::ranges::upper_bound(sorted, 0.0) - sorted.begin());
        const double above = double(sorted.end() - std::ranges::lower_bound(sorted, 0.0));
        const double beyond = std::min(below, above);
        if (beyond >= n / 2) return 1;
        // If too few resamples lie beyond 0 to be counted, uses the distance of 0 in standard deviations.
        constexpr double kCountable = 10;
        const double z = beyond >= kCountable ? -normalQuantile(beyond / n)
                                              : std::abs(meanOf(sorted)) / std::sqrt(squaredError(sorted) * n);
        return studentTwoSided(z / widening, freedom);
    }
};

}  // namespace

double studentTwoSided(double t, double freedom)
{
    assert(freedom > 0);
    return incompleteBeta(freedom / 2, 0.5, freedom / (freedom + t * t));
}

double studentQuantile(double probability, double freedom)
{
    assert(probability > 0 && probability < 1);
    return solve([&](double t) { return -studentTwoSided(t, freedom); }, -probability, 0, 1e9);
}

double normalBelow(double z) { return 0.5 * std::erfc(-z / std::sqrt(2.0)); }

double normalQuantile(double probability)
{
    assert(probability > 0 && probability < 1);
    return solve(normalBelow, probability, -40, 40);
}

Difference welchDifference(std::span<const double> baseline, std::span<const double> candidate)
{
    assert(baseline.size() >= 2 && candidate.size() >= 2);
    const double mean = meanOf(candidate) - meanOf(baseline);
    const double a = squaredError(baseline), b = squaredError(candidate), error = std::sqrt(a + b);
    if (!(error > 0)) return exactDifference(mean);
    // Welch-Satterthwaite; computed from shares of the sum, so that tiny squares do not underflow.
    const double partA = a / (a + b), partB = b / (a + b);
    const double freedom =
        1 / (partA * partA / double(baseline.size() - 1) + partB * partB / double(candidate.size() - 1));
    return studentDifference(mean, error, freedom, spreadOfRuns(baseline, candidate));
}

Difference pairedDifference(std::span<const PairDifference> pairs)
{
    assert(pairs.size() >= 2);
    std::array<OrderSums, 2> orders;
    for (const PairDifference& pair : pairs)
    {
        OrderSums& order = orders[pairs.size() < kPairsForOrder ? 0 : std::size_t(pair.candidateFirst)];
        order.count += 1;
        order.sum += pair.value;
    }
    const bool both = orders[0].count > 0 && orders[1].count > 0;
    const OrderSums& only = orders[orders[0].count > 0 ? 0 : 1];
    const double mean = both ? (orders[0].mean() + orders[1].mean()) / 2 : only.mean();
    const double freedom = double(pairs.size()) - (both ? 2.0 : 1.0);
    double squares = 0;
    for (const PairDifference& pair : pairs)
    {
        const double ofOrder = both ? orders[std::size_t(pair.candidateFirst)].mean() : mean;
        squares += (pair.value - ofOrder) * (pair.value - ofOrder);
    }
    const double spread = std::sqrt(squares / freedom);
    const double share = both ? (1 / orders[0].count + 1 / orders[1].count) / 4 : 1 / only.count;
    return studentDifference(mean, spread * std::sqrt(share) * correlationWidening(pairs.size()), freedom, spread);
}

std::optional<std::size_t> runsWanted(const RunsWanted& wanted)
{
    const double chance = normalQuantile(0.8), size = std::abs(wanted.mean);
    for (std::size_t n = std::max<std::size_t>(wanted.least, 2); n <= wanted.most; ++n)
    {
        const double freedom = wanted.paired ? pairFreedom(n) : double(2 * n - 2);
        const double widening = wanted.paired ? correlationWidening(n) : std::sqrt(2.0);
        const double error = wanted.spread * widening / std::sqrt(double(n));
        const auto reach = [&](double outside) { return (studentQuantile(outside, freedom) + chance) * error; };
        if (size > reach(wanted.significance) || wanted.margin - size >= reach(0.10)) return n;
    }
    return std::nullopt;
}

Difference bootstrapDifference(std::span<const double> baseline, std::span<const double> candidate)
{
    assert(baseline.size() >= 2 && candidate.size() >= 2);
    const std::vector<double> sorted = resampledDifferences(baseline, candidate);
    const double fewest = double(std::min(baseline.size(), candidate.size()));
    const Expansion expansion = {std::sqrt(fewest / (fewest - 1)), double(baseline.size() + candidate.size() - 2)};
    return {meanOf(candidate) - meanOf(baseline), expansion.interval(sorted, 0.05), expansion.interval(sorted, 0.10),
            expansion.probability(sorted), spreadOfRuns(baseline, candidate)};
}

std::optional<double> halfWidth95(std::span<const double> values)
{
    if (values.size() < 2) return std::nullopt;
    const double n = double(values.size());
    double mean = 0, squares = 0;
    for (const double value : values)
        mean += std::log(value) / n;
    for (const double value : values)
        squares += (std::log(value) - mean) * (std::log(value) - mean);
    return std::exp(studentQuantile(0.05, n - 1) * std::sqrt(squares / (n - 1) / n)) - 1;
}

std::optional<double> halfWidth95(std::span<const PairDifference> pairs)
{
    if (pairs.size() < 2) return std::nullopt;
    const Interval interval = pairedDifference(pairs).interval95;
    return std::exp((interval.high - interval.low) / 2) - 1;
}

std::vector<double> holmAdjusted(std::span<const double> p)
{
    std::vector<std::size_t> order(p.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::sort(order, {}, [&](std::size_t i) { return p[i]; });
    std::vector<double> adjusted(p.size());
    double largest = 0;
    for (std::size_t rank = 0; rank < order.size(); ++rank)
    {
        largest = std::max(largest, std::min(1.0, p[order[rank]] * double(p.size() - rank)));
        adjusted[order[rank]] = largest;
    }
    return adjusted;
}

// ---- pairing of runs from an interleaved capture, whose sides took turns ----

namespace {

// Returns the round of a run, from 0, by the run's name run-NN.csv.  In a round of an interleaved capture, each side
// runs once.
std::uint64_t roundOf(const ReportRun& run)
{
    constexpr std::size_t kFront = 4, kBack = 4;
    const std::string_view name = run.file;
    if (name.size() <= kFront + kBack) return 0;
    return numberIn<std::uint64_t>(name.substr(kFront, name.size() - kFront - kBack)).value_or(1) - 1;
}

const std::optional<Interleaving>& turnsOf(const RunOf& run) { return run.capture->report.interleaving; }

// Returns whether the runs are of one round of one capture and of different sides.
bool arePartners(const RunOf& a, const RunOf& b)
{
    const std::optional<Interleaving>&x = turnsOf(a), &y = turnsOf(b);
    return x && y && x->capture == y->capture && x->side != y->side && roundOf(*a.run) == roundOf(*b.run);
}

bool takesTurns(const RunOf& run, std::span<const RunOf> others)
{
    return turnsOf(run) && std::ranges::any_of(others, [&](const RunOf& other) {
               const std::optional<Interleaving>& turns = turnsOf(other);
               return turns && turns->capture == turnsOf(run)->capture && turns->side != turnsOf(run)->side;
           });
}

}  // namespace

std::vector<RunPair> pairsOf(std::span<const RunOf> baseline, std::span<const RunOf> candidate)
{
    const auto partnered = [](std::span<const RunOf> runs, std::span<const RunOf> others) {
        return std::ranges::all_of(runs, [&](const RunOf& run) { return takesTurns(run, others); });
    };
    if (!partnered(baseline, candidate) || !partnered(candidate, baseline)) return {};
    std::vector<RunPair> pairs;
    for (std::size_t i = 0; i < baseline.size(); ++i)
        for (std::size_t j = 0; j < candidate.size(); ++j)
            if (arePartners(baseline[i], candidate[j]))
                pairs.push_back({i, j, firstOfRound(roundOf(*candidate[j].run)) == turnsOf(candidate[j])->side});
    return pairs;
}

}  // namespace orogen
