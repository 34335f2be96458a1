#include "compute/linear_algebra/several_systems.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

namespace orogen::compute {
namespace {

// Operator that multiplies the vectors of all solves between join() and leave() at once, when each has called apply().
class JointOperator final : public LinearOperator
{
public:
    JointOperator(const LinearOperator& a, ThreadPool& pool) : a_(a), pool_(pool) {}

    std::size_t size() const override { return a_.size(); }
    void diagonal(double* d) const override { a_.diagonal(d); }
    std::unique_ptr<SingleOperator> inSingle(double scale, ThreadPool& pool) const override
    {
        const std::lock_guard lock(mutex_);  // operators may keep scratch memory
        return a_.inSingle(scale, pool);
    }

    void apply(const double* x, double* y, ThreadPool&) const override
    {
        std::unique_lock lock(mutex_);
        x_.push_back(x);
        y_.push_back(y);
        const std::uint64_t mine = round_;
        if (x_.size() == solves_)
            multiply();
        else
            done_.wait(lock, [&] { return round_ != mine; });
        if (failure_) std::rethrow_exception(failure_);
    }

    void join() const
    {
        const std::lock_guard lock(mutex_);
        x_.reserve(solves_ + 1);  // so that apply() adds to both or to none
        y_.reserve(solves_ + 1);
        ++solves_;
    }
    void leave() const
    {
        const std::lock_guard lock(mutex_);
        --solves_;
        if (!x_.empty() && x_.size() == solves_) multiply();
    }

private:
    // Ends the round even if the product fails.  Then apply() throws in every solve.
    void multiply() const
    {
        try
        {
            a_.applyAll(x_, y_, pool_);
        }
        catch (...)
        {
            failure_ = std::current_exception();
        }
        x_.clear();
        y_.clear();
        ++round_;
        done_.notify_all();
    }

    const LinearOperator& a_;
    ThreadPool& pool_;
    mutable std::mutex mutex_;
    mutable std::condition_variable done_;
    mutable std::vector<const double*> x_;  // vectors of the solves that wait
    mutable std::vector<double*> y_;
    mutable std::size_t solves_ = 0;
    mutable std::uint64_t round_ = 0;
    mutable std::exception_ptr failure_;
};

class LockedPreconditioner final : public Preconditioner
{
public:
    explicit LockedPreconditioner(const Preconditioner& preconditioner) : preconditioner_(preconditioner) {}
    std::uint64_t products() const override { return preconditioner_.products(); }
    void apply(const double* r, double* z, ThreadPool& pool) const override
    {
        const std::lock_guard lock(mutex_);
        preconditioner_.apply(r, z, pool);
    }

private:
    const Preconditioner& preconditioner_;
    mutable std::mutex mutex_;
};

// Right-hand sides (columns), which threads take one after another.
class Columns
{
public:
    Columns(CgAlgorithm algorithm, const LinearOperator& a, std::span<const std::vector<double>> b,
            const SolveOptions& options, ThreadPool& pool, std::span<const std::vector<double>> starts)
        : algorithm_(algorithm), matrix_(a, pool), b_(b), options_(options), starts_(starts), solutions_(b.size()),
          newest_(b.size(), 0.0)
    {
        if (options.preconditioner) options_.preconditioner = &locked_.emplace(*options.preconditioner);
        if (options.dot)
            options_.dot = [this, dot = options.dot](std::span<const double> u, std::span<const double> v) {
                const std::lock_guard lock(calls_);
                return dot(u, v);
            };
    }

    std::vector<Solution> solveAll()
    {
        std::vector<std::jthread> threads;
        const std::size_t most = std::min(b_.size(), kMostSideBySide);
        for (std::size_t i = 0; i < most; ++i)
            matrix_.join();
        std::size_t started = 1;
        try
        {
            for (; started < most; ++started)
                threads.emplace_back([this] { work(); });
        }
        catch (const std::exception&)  // no more threads, or no memory: those started so far do the work
        {
            for (std::size_t i = started; i < most; ++i)
                matrix_.leave();
        }
        work();
        threads.clear();
        if (failure_) std::rethrow_exception(failure_);
        return std::move(solutions_);
    }

private:
    void work()
    {
        try
        {
            ThreadPool alone(1);
            for (std::size_t i = next_++; i < b_.size(); i = next_++)
            {
                SolveOptions options = options_;
                if (options_.watch)
                    options.watch = [this, i](std::uint64_t iteration, double residual) {
                        const std::lock_guard lock(calls_);
                        newest_[i] = residual;
                        options_.watch(iteration, std::ranges::max(newest_));
                    };
                const std::span<const double> start = starts_.empty() ? std::span<const double>() : starts_[i];
                solutions_[i] = solveByConjugateGradients(algorithm_, matrix_, b_[i], options, alone, start);
            }
        }
        catch (...)
        {
            const std::lock_guard lock(calls_);
            if (!failure_) failure_ = std::current_exception();
        }
        matrix_.leave();
    }

    const CgAlgorithm algorithm_;
    const JointOperator matrix_;
    const std::span<const std::vector<double>> b_;
    SolveOptions options_;
    const std::span<const std::vector<double>> starts_;
    std::optional<LockedPreconditioner> locked_;
    std::vector<Solution> solutions_;
    std::atomic<std::size_t> next_ = 0;
    std::mutex calls_;
    std::vector<double> newest_;  // newest relative residual of each column
    std::exception_ptr failure_;
};

}  // namespace

std::vector<Solution> solveSeveral(CgAlgorithm algorithm, const LinearOperator& a,
                                   std::span<const std::vector<double>> b, const SolveOptions& options,
                                   ThreadPool& pool, std::span<const std::vector<double>> starts)
{
    return Columns(algorithm, a, b, options, pool, starts).solveAll();
}

}  // namespace orogen::compute
