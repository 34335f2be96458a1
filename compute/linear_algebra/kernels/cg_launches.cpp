#include "compute/linear_algebra/kernels/cg_launches.h"

#include <array>

#include "compute/linear_algebra/kernels/cg_persistent.h"
#include "core/base/clock.h"

namespace orogen::compute {

template <class T>
CgLaunches<T>::CgLaunches(CgMemory& memory, CgAlgorithm algorithm, TargetMatrix<T>& matrix,
                          const CgKernelOptions& options)
    : memory_(memory), algorithm_(algorithm), matrix_(matrix), options_(options), size_(matrix.size()),
      pacer_(options.stepsALaunch != 0 ? LaunchPacer(options.stepsALaunch, std::min(options.stepsALaunch, kMostSteps))
                                       : LaunchPacer(1, kMostSteps))
{
}

template <class T>
Status CgLaunches<T>::place(std::span<const T> inverse)
{
    const std::size_t bytes = padded(size_) * sizeof(T);
    for (TargetMemory* vector : {&b_, &x_, &r_, &d_, &next_, &q_})
        if (Status status = memory_.allocateZeros(*vector, bytes); !status) return status;
    if (isPaper())
        if (Status status = memory_.allocateZeros(az_, bytes); !status) return status;
    for (TargetMemory* vector : {&z_, &inverse_})
        if (Status status = inverse.empty() ? Status::ok() : memory_.allocateZeros(*vector, bytes); !status)
            return status;
    if (!inverse.empty())
        if (Status status = memory_.upload(inverse_.as<void>(), inverse.data(), inverse.size_bytes()); !status)
            return status;
    const std::uint64_t curvatures = std::visit([](const auto& a) { return curvaturesOf(a); }, matrix_.view());
    if (Status status = memory_.allocate(sums_, (kMostInnerProducts * pieces() + curvatures) * sizeof(double)); !status)
        return status;
    if (Status status = memory_.allocate(history_, kMostSteps * sizeof(double)); !status) return status;
    if (Status status = memory_.allocateZeros(state_, sizeof(CgState)); !status) return status;
    const CgCoefficients coefficients = {.length = 0, .ofD = 0, .ofZ = 0, .one = 1};
    if (Status status = memory_.place<CgCoefficients>(coefficients_, {&coefficients, 1}); !status) return status;
    return isPaper() || options_.plain ? Status::ok() : choosePersistent();
}

template <class T>
Status CgLaunches<T>::choosePersistent()
{
    const auto ask = [&]<class Rows>(const Rows&) {
        const CgPersistentArguments<Rows>* const arguments = nullptr;
        return memory_.target().residentBlocks(kernelOf(arguments), kCgThreads);
    };
    const Result<unsigned> resident = std::visit(ask, matrix_.view());
    if (!resident) return resident.error().code == ExitCode::kLimit ? Status::ok() : Status(resident.error());
    resident_ = std::min(*resident, options_.mostBlocks);
    persistent_ = true;
    return Status::ok();
}

template <class T>
CgVectors<T> CgLaunches<T>::vectors() const
{
    return {b_.as<T>(), inverse_.as<T>(), x_.as<T>(), r_.as<T>(), z(), sums(), sums() + pieces(), size_};
}

template <class T>
Status CgLaunches<T>::takeSums(CgResidual residual, double enough, std::uint64_t step)
{
    return memory_.launch(oneBlock(), TakeSumsArguments{state(), sums(), preconditioned() ? sums() + pieces() : nullptr,
                                                        pieces(), history_.as<double>() + step, enough, residual});
}

template <class T>
Result<CgState> CgLaunches<T>::takeState()
{
    CgState state = {};
    if (Status status = memory_.download<CgState>({&state, 1}, state_.as<void>()); !status) return status.error();
    return state;
}

template <class T>
Result<double> CgLaunches<T>::takeResidual(CgResidual residual)
{
    if (Status status = takeSums(residual, 0); !status) return status.error();
    const Result<CgState> state = takeState();
    if (!state) return state.error();
    return state->rr;
}

template <class T>
Result<double> CgLaunches<T>::refresh()
{
    if (Status status = multiply(x_.as<T>(), q(), nullptr); !status) return status.error();
    ++products_;
    if (Status status = memory_.launch(overPieces(), RenewArguments<T>{vectors(), q(), nullptr}); !status)
        return status.error();
    if (algorithm_ == CgAlgorithm::kPaperOneProduct) haveDelta_ = false;
    return takeResidual(CgResidual::kAnew);
}

template <class T>
Result<double> CgLaunches<T>::takeReplaced()
{
    const bool first = !std::exchange(begun_, true);
    return takeResidual(first ? CgResidual::kAnew : CgResidual::kReplaced);
}

template <class T>
Result<CgSteps> CgLaunches<T>::iterate(std::uint64_t most, double enough)
{
    const std::uint64_t asked = std::min(pacer_.next(), most);
    const bool hadDelta = haveDelta_;
    const Clock::time_point start = Clock::now();
    if (Status status = takeSteps(asked, enough); !status) return status.error();
    const Result<CgState> state = takeState();
    if (!state) return state.error();
    const std::uint64_t done = state->done - std::exchange(done_, state->done);
    pacer_.took(std::max<std::uint64_t>(done, 1), millisecondsSince(start));
    taken_.resize(done);
    if (Status status = memory_.download<double>(taken_, history_.as<void>()); !status) return status.error();
    if (persistent_ && done % 2 == 1) std::swap(d_, next_);
    const bool triedMore = state->end == CgEnd::kNotPositive || state->end == CgEnd::kNotFinite;
    const std::uint64_t tried = done + (triedMore ? 1 : 0);
    products_ +=
        algorithm_ != CgAlgorithm::kPaper ? tried : 3 * done + (triedMore ? 2 : 0) - (hadDelta || tried == 0 ? 0 : 1);
    return CgSteps{state->end, state->rr, taken_};
}

template <class T>
Status CgLaunches<T>::takeSteps(std::uint64_t steps, double enough)
{
    if (persistent_)
    {
        const Status launched = persistentSteps(steps, enough);
        if (launched || launched.error().code != ExitCode::kLimit) return launched;
        persistent_ = false;  // no grid barriers on this device
    }
    for (std::uint64_t step = 0; step < steps; ++step)
    {
        if (Status status = singleStep(); !status) return status;
        if (Status status = takeSums(CgResidual::kAdvanced, enough, step); !status) return status;
    }
    return Status::ok();
}

template <class T>
Status CgLaunches<T>::persistentSteps(std::uint64_t steps, double enough)
{
    double* const curvatures = sums() + kMostInnerProducts * pieces();
    const auto launch = [&]<class Rows>(const Rows& a) {
        const CgPersistentArguments<Rows> arguments = {
            a, vectors(), d(), next_.as<T>(), q(), curvatures, history_.as<double>(), state(), enough, steps};
        return memory_.launch(iterateShape(a, resident_), arguments);
    };
    return std::visit(launch, matrix_.view());
}

template <class T>
Status CgLaunches<T>::singleStep()
{
    return algorithm_ == CgAlgorithm::kHestenesStiefel ? plainStep()
           : algorithm_ == CgAlgorithm::kPaper         ? paperStep()
                                                       : oneProductStep();
}

template <class T>
Status CgLaunches<T>::multiply(const T* x, T* y, const CgState* state)
{
    return matrix_.multiply(x, y, options_.mostBlocks, state);
}

// Computes the partial sums of up to five inner products, stored one product after another.
template <class T>
Status CgLaunches<T>::innerProducts(std::span<const std::pair<const T*, const T*>> factors)
{
    InnerProductsArguments<T> arguments = {{}, {}, size_, sums(), state()};
    for (std::size_t i = 0; i < factors.size(); ++i)
    {
        arguments.u[i] = factors[i].first;
        arguments.v[i] = factors[i].second;
    }
    return memory_.launch(overPieces(unsigned(factors.size())), arguments);
}

template <class T>
Status CgLaunches<T>::combine(T* v, const T* w, const double* ofV, const double* ofW)
{
    return memory_.launch(overPieces(), CombineArguments<T>{v, w, size_, ofV, ofW, state()});
}

// Updates x and r by a step along d, given q = A d.
template <class T>
Status CgLaunches<T>::advance(const double* length)
{
    return memory_.launch(overPieces(), AdvanceArguments<T>{vectors(), d(), q(), length, state()});
}

template <class T>
Status CgLaunches<T>::plainStep()
{
    auto* const coefficients = coefficients_.as<CgCoefficients>();
    const std::array<std::pair<const T*, const T*>, 1> factors = {{{d(), q()}}};
    if (Status status = combine(d(), z(), &state()->beta, &coefficients->one); !status) return status;
    if (Status status = multiply(d(), q(), state()); !status) return status;
    if (Status status = innerProducts(factors); !status) return status;
    if (Status status = memory_.launch(oneBlock(), TakeLengthArguments{state(), coefficients, sums(), pieces()});
        !status)
        return status;
    return advance(&coefficients->length);
}

// ---- algorithms of paper 003 (cg_vectors.h): d holds the paper's delta, q holds A delta ----

// Evaluates eqs. 8 and 9 with up to five inner products computed by one kernel.
template <class T>
Status CgLaunches<T>::chooseCoefficients()
{
    const T *const r = r_.as<T>(), *const az = az_.as<T>();
    const std::array<std::pair<const T*, const T*>, kMostInnerProducts> factors = {
        {{r, z()}, {az, z()}, {r, d()}, {az, d()}, {q(), d()}}};
    if (Status status = innerProducts(std::span(factors).first(haveDelta_ ? 5 : 2)); !status) return status;
    return memory_.launch(oneBlock(), TakeCoefficientsArguments{state(), coefficients_.as<CgCoefficients>(), sums(),
                                                                pieces(), haveDelta_, kCgRounding<T>});
}

template <class T>
Status CgLaunches<T>::paperStep()
{
    auto* const coefficients = coefficients_.as<CgCoefficients>();
    T* const x = x_.as<T>();
    if (Status status = multiply(z(), az_.as<T>(), state()); !status) return status;
    if (haveDelta_)
        if (Status status = multiply(d(), q(), state()); !status) return status;
    if (Status status = chooseCoefficients(); !status) return status;
    haveDelta_ = true;
    if (Status status = combine(d(), z(), &coefficients->ofD, &coefficients->ofZ); !status) return status;
    if (Status status = combine(x, d(), &coefficients->one, &coefficients->one); !status) return status;
    if (Status status = multiply(x, q(), state()); !status) return status;
    return memory_.launch(overPieces(), RenewArguments<T>{vectors(), q(), state()});
}

template <class T>
Status CgLaunches<T>::oneProductStep()
{
    auto* const coefficients = coefficients_.as<CgCoefficients>();
    if (Status status = multiply(z(), az_.as<T>(), state()); !status) return status;
    if (Status status = chooseCoefficients(); !status) return status;
    haveDelta_ = true;
    if (Status status = combine(d(), z(), &coefficients->ofD, &coefficients->ofZ); !status) return status;
    if (Status status = combine(q(), az_.as<T>(), &coefficients->ofD, &coefficients->ofZ); !status) return status;
    return advance(&coefficients->one);
}

template class CgLaunches<double>;
template class CgLaunches<float>;

}  // namespace orogen::compute
