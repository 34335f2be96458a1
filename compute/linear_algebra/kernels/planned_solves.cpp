// Traffic is counted as if no cache kept vectors between passes, but a product reads the multiplied vector once.
#include "compute/linear_algebra/kernels/planned_solves.h"

#include <fmt/format.h>

#include "compute/linear_algebra/kernels/cg_shapes.h"
#include "compute/linear_algebra/kernels/cg_steps.h"

namespace orogen::compute {
namespace {

constexpr std::uint64_t kUnknowns = 25'000, kSide = 1000, kGroups = quotientUp(kUnknowns, kHalfTile);
constexpr double kWideLoads = 8 * 16;  // bytes per thread at once: eight rows, 16 bytes of each

template <class T>
DenseRows<T> dense()
{
    return {nullptr, kUnknowns, padded(kUnknowns)};
}
template <class T>
HalfRows<T> half()
{
    return {nullptr, nullptr, kUnknowns, kGroups};
}
// Poisson's equation, with five elements in most rows.
template <class T>
SparseRows<T> sparse()
{
    return {nullptr, nullptr, nullptr, kSide * kSide, 4};
}
template <class T>
PoissonRows<T> grid()
{
    return {kSide, kSide * kSide};
}

// Returns a product's traffic besides the vectors: A, and the contributions stored and gathered.
template <class T>
double bytesOf(const DenseRows<T>& a)
{
    return double(a.size) * double(a.pitch) * sizeof(T);
}
template <class T>
double bytesOf(const HalfRows<T>& a)
{
    const double shares = 2.0 * double(a.groups) * double(a.groups) * kHalfTile;
    return (double(tilesBefore(a.groups)) * kHalfTileElements + shares) * sizeof(T);
}
template <class T>
double bytesOf(const SparseRows<T>& a)
{
    const double elements = 5.0 * double(a.size) - 4 * kSide;
    return elements * (sizeof(T) + sizeof(std::uint32_t)) + double(a.size) * sizeof(std::uint64_t);
}
template <class T>
double bytesOf(const PoissonRows<T>&)
{
    return 0;
}

// Returns the minimum traffic: every element once.
template <class Matrix>
double floorOf(const Matrix& a)
{
    return bytesOf(a);
}
template <class T>
double floorOf(const DenseRows<T>& a)
{
    return double(a.size) * double(a.size) * sizeof(T);
}
template <class T>
double floorOf(const HalfRows<T>& a)
{
    return double(a.size) * double(a.size + 1) / 2 * sizeof(T);
}

class Plan
{
public:
    explicit Plan(const ResidentBlocks& resident) : resident_(resident) {}

    // Plans an iteration of a persistent launch: reads z and d, stores d and q; reads x, d, r and q, stores x and r.
    template <class Matrix>
    void iterate(const std::string& name, const Matrix& a, double bytesInFlight)
    {
        using T = typename Matrix::Element;
        const CgPersistentArguments<Matrix>* const arguments = nullptr;
        const KernelEntry kernel = kernelOf(arguments);
        const double vectors = 10.0 * double(a.size) * sizeof(T);
        add(name, a.size, kernel, iterateShape(a, resident_(kernel, kCgThreads)), bytesOf(a) + vectors,
            floorOf(a) + vectors, bytesInFlight);
    }

    template <class Matrix>
    void multiply(const std::string& name, const Matrix& a, double bytesInFlight)
    {
        using T = typename Matrix::Element;
        const MultiplyArguments<Matrix>* const arguments = nullptr;
        const double vectors = 2.0 * double(a.size) * sizeof(T);
        add(name, a.size, kernelOf(arguments), stridingShape(unitsOf(a), ~std::uint64_t(0)), bytesOf(a) + vectors,
            floorOf(a) + vectors, bytesInFlight);
    }

    // Plans a pass over vectors, two elements of which a thread loads at once.
    template <class Arguments>
    void pass(const std::string& name, std::uint64_t size, unsigned read, unsigned written, unsigned products = 1)
    {
        const Arguments* const arguments = nullptr;
        const double bytes = double(read + written) * double(size) * sizeof(double);
        add(name, size, kernelOf(arguments),
            stridingShape(piecesOf(size, kPieceStep).count(), ~std::uint64_t(0), products), bytes, bytes,
            2.0 * sizeof(double) * double(read) / double(products));
        if (size < kSide * kSide)
            note(fmt::format("a vector of {} KB: all of them take 1/1000 of a product's time",
                             size * sizeof(double) / 1000));
    }

    void note(const std::string& note) { launches_.back().note = note; }
    std::vector<PlannedLaunch> take() { return std::move(launches_); }

private:
    void add(const std::string& name, std::uint64_t size, const KernelEntry& kernel, const LaunchShape& shape,
             double bytes, double floorBytes, double bytesInFlight)
    {
        launches_.push_back({.name = name,
                             .size = fmt::format("n = {}", size),
                             .kernel = kernel,
                             .shape = shape,
                             .bytes = bytes,
                             .floorBytes = floorBytes,
                             .bytesInFlight = bytesInFlight});
    }

    const ResidentBlocks& resident_;
    std::vector<PlannedLaunch> launches_;
};

// Plans all passes except products: those of the paper's algorithm, or of Hestenes and Stiefel's step by step.
void planPasses(Plan& plan, const std::string& name, std::uint64_t size)
{
    plan.pass<InnerProductsArguments<double>>(name + ": five inner products", size, 10, 0, 5);
    plan.pass<CombineArguments<double>>(name + ": combine", size, 2, 1);
    plan.pass<AdvanceArguments<double>>(name + ": advance", size, 4, 2);
    plan.pass<RenewArguments<double>>(name + ": renew the residual", size, 2, 1);
    if (size > kUnknowns) plan.note("24 MB: 5 us of an H200, which is what a launch takes");
}

}  // namespace

std::vector<PlannedLaunch> plannedSolves(const ResidentBlocks& resident)
{
    Plan plan(resident);
    plan.iterate("hestenes-stiefel", dense<double>(), kWideLoads);
    plan.iterate("hestenes-stiefel, mixed", dense<float>(), kWideLoads);
    plan.iterate("symmetric-half", half<double>(), kWideLoads);
    plan.iterate("symmetric-half, mixed", half<float>(), kWideLoads / 2);
    plan.multiply("paper: a product", dense<double>(), kWideLoads);
    planPasses(plan, "paper", kUnknowns);
    // In flight: the first elements of four rows; their columns' elements of z and d follow.
    plan.iterate("hestenes-stiefel, sparse", sparse<double>(),
                 kRowsInFlight * (sizeof(double) + sizeof(std::uint32_t)));
    plan.note("beside them, z and d of the columns that have come");
    plan.iterate("hestenes-stiefel, sparse, mixed", sparse<float>(),
                 kRowsInFlight * (sizeof(float) + sizeof(std::uint32_t)));
    plan.note("beside them, z and d of the columns that have come");
    // In flight: z and d of some points; their neighbours' come from the cache.
    plan.iterate("hestenes-stiefel, grid", grid<double>(), 2 * kPointsInFlight<double> * sizeof(double));
    plan.iterate("hestenes-stiefel, grid, mixed", grid<float>(), 2 * kPointsInFlight<float> * sizeof(float));
    planPasses(plan, "hestenes-stiefel, sparse, step by step", kSide * kSide);
    return plan.take();
}

}  // namespace orogen::compute
