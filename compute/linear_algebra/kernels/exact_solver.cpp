// Conjugate gradients with exact inner products: the recurrences of the CPU over vectors that stay on the target.
#include <bit>
#include <cassert>
#include <cmath>
#include <map>
#include <utility>

#include "compute/exact/kernels/exact_device.h"
#include "compute/linear_algebra/cg_recurrences.h"
#include "compute/linear_algebra/kernels/cg_ordered.h"
#include "compute/linear_algebra/kernels/target_matrix.h"
#include "compute/linear_algebra/kernels/target_solvers.h"

namespace orogen::compute {
namespace {

// Operations on a system's matrix and vectors on a target, like CpuVectors<double> with exact inner products.  After
// an error, inner products are NaN, which ends the recurrences; status() returns the first error.
class ExactTargetVectors
{
public:
    using Element = double;
    using Vector = TargetMemory;  // padded with zeros, which exact sums read

    ExactTargetVectors(CgMemory& memory, const KernelSystem& system, const LinearOperator& a,
                       const SolveOptions& options, const CgKernelOptions& kernels)
        : memory_(memory), matrix_(system, memory), a_(a), mostBlocks_(kernels.mostBlocks),
          dots_(memory.target(), exactOptions_)
    {
        check(matrix_.place(options.stop));
        check(dots_.place());
    }

    const Status& status() const { return status_; }
    double dotsMs() const { return dots_.kernelMs(); }
    double dotsDownloadMs() const { return dots_.downloadMs(); }

    Vector zeros()
    {
        Vector made;
        check(memory_.allocateZeros(made, ExactTargetDots::padded(a_.size()) * sizeof(double)));
        return made;
    }
    Vector placed(std::span<const double> values)
    {
        Vector made = zeros();
        if (status_) check(memory_.upload(made.as<void>(), values.data(), values.size_bytes()));
        return made;
    }
    static bool isEmpty(const Vector& v) { return v.bytes() == 0; }
    std::vector<double> download(const Vector& v)
    {
        std::vector<double> values(a_.size());
        if (status_) check(memory_.download<double>(values, v.as<void>()));
        return values;
    }

    void multiply(const Vector& x, Vector& y)
    {
        const auto launch = [&]<class Rows>(const Rows& a) {
            if constexpr (!std::is_same_v<Rows, HalfRows<double>>)
            {
                constexpr std::uint64_t kRows = std::is_same_v<Rows, DenseRows<double>> ? kOrderedRows : kCgThreads;
                run(kRows, OrderedMultiplyArguments<Rows>{a, x.as<double>(), y.as<double>()});
            }
        };
        std::visit(launch, matrix_.view());
    }
    void combine(Vector& v, const Vector& w, double ofV, double ofW)
    {
        run(kCgThreads, OrderedCombineArguments{v.as<double>(), w.as<double>(), a_.size(), ofV, ofW});
    }
    double subtract(Vector& r, const Vector& b)
    {
        combine(r, b, 1, -1);
        return dot(r, r);
    }
    double advance(double length, const Vector& d, const Vector& q, Vector& x, Vector& r)
    {
        combine(x, d, 1, length);
        combine(r, q, 1, length);
        return dot(r, r);
    }

    std::optional<StopReason> prepareJacobi()
    {
        std::vector<double> inverse;
        const std::optional<StopReason> unsuited = invertDiagonal(a_, inverse);
        if (!unsuited) inverse_ = placed(inverse);
        return unsuited;
    }
    double precondition(const Vector& r, Vector& z)
    {
        run(kCgThreads, ScaleArguments{z.as<double>(), inverse_.as<double>(), r.as<double>(), a_.size()});
        return dot(r, z);
    }

    // Returns (u, v).  Chooses the sum's window (exact_terms.h) by the last result for these two vectors.
    double dot(const Vector& u, const Vector& v)
    {
        constexpr int kSpareBits = 8;  // terms that cancel are larger than their sum
        int& unit = units_.try_emplace({u.as<double>(), v.as<double>()}, unitForLargest(1)).first->second;
        ExactTotal total;
        check(memory_.pauseKernels());
        if (status_) check(dots_.add(u.as<double>(), v.as<double>(), a_.size(), unit, total));
        if (!status_) return std::numeric_limits<double>::quiet_NaN();
        const double sum = total.rounded() + 0.0;  // never -0, as in ExactDot
        if (sum != 0 && std::isfinite(sum)) unit = unitForLargest(std::ldexp(std::abs(sum), kSpareBits));
        return sum;
    }
    CgProducts products(const Vector& r, const Vector& z, const Vector& az, const Vector& d, const Vector& q,
                        bool haveDelta)
    {
        if (!haveDelta) return {dot(r, z), dot(az, z), 0, 0, 0};
        return {dot(r, z), dot(az, z), dot(r, d), dot(az, d), dot(q, d)};
    }

private:
    void check(const Status& status)
    {
        if (status_ && !status) status_ = status;
    }

    // Launches a kernel whose blocks take `each` elements at a time.
    template <class Arguments>
    void run(std::uint64_t each, const Arguments& arguments)
    {
        if (status_) check(memory_.launch(stridingShape(quotientUp(a_.size(), each), mostBlocks_), arguments));
    }

    CgMemory& memory_;
    TargetMatrix<double> matrix_;
    const LinearOperator& a_;
    const unsigned mostBlocks_;
    const ExactKernelOptions exactOptions_ = {};  // no stop token: a stop ends the solve between steps
    ExactTargetDots dots_;
    Vector inverse_;                                                // inverse diagonal
    std::map<std::pair<const double*, const double*>, int> units_;  // units of windows, by the pair of vectors
    Status status_ = Status::ok();
};

}  // namespace

Result<CgKernelRun> solveExactlyOnTarget(KernelTarget& target, CgAlgorithm algorithm, const KernelSystem& system,
                                         const LinearOperator& a, std::span<const double> b,
                                         const SolveOptions& options, ThreadPool& pool,
                                         const CgKernelOptions& kernelOptions, std::span<const double> start)
{
    assert(!system.half && options.precision == Precision::kDouble);
    if (options.preconditioner)
        return Error{ExitCode::kUsage, "preconditioner: in kernels none and jacobi can be applied, found another one"};
    CgMemory memory(target);
    ExactTargetVectors vectors(memory, system, a, options, kernelOptions);
    if (!vectors.status()) return vectors.status().error();
    CgKernelRun found;
    found.solution =
        solveScaled(a, b, options, pool, start, [&](ScaledSystem& scaled, CgEnding& ending, Solution& solution) {
            CgRecurrences<ExactTargetVectors> run(vectors, vectors.placed(scaled.b),
                                                  scaled.start.empty() ? TargetMemory() : vectors.placed(scaled.start),
                                                  options, ending, solution);
            run.run(algorithm);
            solution.lanczos = run.takeLanczos();
            scaled.start = vectors.download(run.x());
            return false;
        });
    if (!vectors.status()) return vectors.status().error();
    const HostLaunch launched = target.hostLaunches();
    const CgTimes& times = memory.times();
    found.executor = launched.counts;
    found.barriers = launched.barriers;
    found.allocateMs = times.allocateMs;
    found.uploadMs = times.uploadMs;
    found.kernelMs = times.kernelMs + vectors.dotsMs();
    found.downloadMs = times.downloadMs + vectors.dotsDownloadMs();
    return found;
}

}  // namespace orogen::compute
