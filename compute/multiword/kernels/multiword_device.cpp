// One addition on a target: allocation, transfers and kernels, each timed separately, in pieces with a stop check
// between them. If the sum overwrites an operand on the host, it also does so on the target, so that tests cover it.
#include "compute/multiword/kernels/multiword_device.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "compute/device/kernel_target.h"
#include "compute/multiword/kernels/add_method.h"
#include "core/base/clock.h"

namespace orogen::compute {
namespace {

class Addition
{
public:
    Addition(KernelTarget& target, AddKernel algorithm, const AddOperands& operands, const AddKernelOptions& options)
        : target_(target), operands_(operands), options_(options), method_(makeAddMethod(algorithm, options)),
          bytes_(operands.x.size() * sizeof(std::uint64_t))
    {
    }

    Result<AddKernelRun> run()
    {
        using Step = Status (Addition::*)();
        for (const Step step : {&Addition::allocate, &Addition::upload, &Addition::launch, &Addition::download})
            if (Status status = (this->*step)(); !status) return status.error();
        const HostLaunch launched = target_.hostLaunches();
        run_.executor = launched.counts;
        run_.barriers = launched.barriers;
        return std::move(run_);
    }

private:
    bool inPlace(const std::span<const std::uint64_t>& operand) const
    {
        return operand.data() == operands_.result.data();
    }
    const TargetMemory& yMemory() const { return operands_.y.data() == operands_.x.data() ? x_ : y_; }
    const TargetMemory& resultMemory() const
    {
        return inPlace(operands_.x) ? x_ : inPlace(operands_.y) ? yMemory() : result_;
    }

    Status goesOn() const
    {
        if (options_.stop.stop_requested()) return Error{ExitCode::kInterrupted, "addition: cancelled"};
        return Status::ok();
    }

    Status take(TargetMemory& memory, std::size_t bytes)
    {
        if (Status status = goesOn(); !status) return status;
        Result<TargetMemory> made = target_.allocate(bytes);
        if (!made) return made.error();
        memory = std::move(*made);
        return Status::ok();
    }

    Status allocate()
    {
        const Clock::time_point start = Clock::now();
        if (Status status = take(x_, bytes_); !status) return status;
        if (&yMemory() == &y_)
            if (Status status = take(y_, bytes_); !status) return status;
        if (&resultMemory() == &result_)
            if (Status status = take(result_, bytes_); !status) return status;
        if (Status status = take(control_, sizeof(AddControl)); !status) return status;
        if (Status status = target_.fill(control_, 0); !status) return status;
        if (Status status = method_->allocate(target_, operands_.x.size()); !status) return status;
        if (Status status = target_.finish(); !status) return status;
        run_.ms.allocate = millisecondsSince(start);
        return Status::ok();
    }

    Status upload()
    {
        if (Status status = target_.startClock(); !status) return status;
        if (Status status = upload(x_, operands_.x); !status) return status;
        if (&yMemory() == &y_)
            if (Status status = upload(y_, operands_.y); !status) return status;
        return stopClock(run_.ms.upload);
    }

    Status upload(const TargetMemory& to, std::span<const std::uint64_t> from)
    {
        return inPieces([&](std::size_t first, std::size_t limbs) {
            return target_.upload(to.as<std::uint64_t>() + first, from.data() + first, limbs * sizeof(std::uint64_t));
        });
    }

    // Calls `move` for all limbs, piece by piece.
    template <class Move>
    Status inPieces(const Move& move) const
    {
        // Limbs: 32 MiB, which take 20 ms with slow memory.
        constexpr std::size_t kPiece = (std::size_t(32) << 20) / sizeof(std::uint64_t);
        for (std::size_t first = 0; first < operands_.x.size(); first += kPiece)
        {
            if (Status status = goesOn(); !status) return status;
            if (Status status = move(first, std::min(kPiece, operands_.x.size() - first)); !status) return status;
        }
        return Status::ok();
    }

    Status launch()
    {
        const std::uint32_t carryIn = operands_.carryIn != operands_.subtract;  // x - y - b = x + ~y + (1 - b)
        const Summands sum = {x_.as<std::uint64_t>(),
                              yMemory().as<std::uint64_t>(),
                              resultMemory().as<std::uint64_t>(),
                              operands_.x.size(),
                              operands_.subtract ? ~std::uint64_t(0) : 0,
                              carryIn};
        for (int repeat = 0; repeat < options_.repeats; ++repeat)
        {
            double took = 0;
            if (Status status = goesOn(); !status) return status;
            if (Status status = target_.startClock(); !status) return status;
            if (Status status = method_->run(target_, sum, control_.as<AddControl>(), options_.stop); !status)
                return status;
            if (Status status = stopClock(took); !status) return status;
            run_.ms.kernelSamples.push_back(took);
        }
        run_.ms.kernel = std::ranges::min(run_.ms.kernelSamples);
        return Status::ok();
    }

    Status download()
    {
        AddControl control = {};
        if (Status status = target_.startClock(); !status) return status;
        const auto move = [&](std::size_t first, std::size_t limbs) {
            return target_.download(operands_.result.data() + first, resultMemory().as<std::uint64_t>() + first,
                                    limbs * sizeof(std::uint64_t));
        };
        if (Status status = inPieces(move); !status) return status;
        if (Status status = target_.download(&control, control_.as<void>(), sizeof(control)); !status) return status;
        run_.carryOut = (control.carryOut != 0) != operands_.subtract;
        run_.operations = {control.halves / 2, control.words, control.vectors, control.barriers};
        run_.steps = method_->steps(run_.operations);
        return stopClock(run_.ms.download);
    }

    Status stopClock(double& took)
    {
        Result<double> time = target_.stopClock();
        if (!time) return time.error();
        took = *time;
        return Status::ok();
    }

    KernelTarget& target_;
    const AddOperands& operands_;
    const AddKernelOptions& options_;
    const std::unique_ptr<AddMethod> method_;
    const std::size_t bytes_;
    TargetMemory x_, y_, result_, control_;
    AddKernelRun run_;
};

void checkOperands([[maybe_unused]] const AddOperands& operands, [[maybe_unused]] const AddKernelOptions& options)
{
    assert(!operands.x.empty() && operands.x.size() == operands.y.size());
    assert(operands.x.size() == operands.result.size());
    assert(options.repeats >= 1);
    assert(options.repeats == 1 ||
           (operands.x.data() != operands.result.data() && operands.y.data() != operands.result.data()));
}

}  // namespace

std::string_view nameOf(AddKernel algorithm)
{
    constexpr std::string_view names[] = {"paper-3", "recursive", "lookback", "two-pass"};
    static_assert(std::size(names) == std::size(kAddKernels));
    return names[int(algorithm)];
}

Result<AddKernelRun> addOnTarget(KernelTarget& target, AddKernel algorithm, const AddOperands& operands,
                                 const AddKernelOptions& options)
{
    checkOperands(operands, options);
    return Addition(target, algorithm, operands, options).run();
}

Result<AddKernelRun> addOnHostKernel(AddKernel algorithm, const AddOperands& operands, const HostSchedule& schedule,
                                     const AddKernelOptions& options)
{
    return addOnTarget(*makeHostTarget(schedule), algorithm, operands, options);
}

Result<AddKernelRun> addOnCuda(AddKernel algorithm, const AddOperands& operands, int gpu,
                               const AddKernelOptions& options, Cuda& cuda)
{
    const Result<std::unique_ptr<KernelTarget>> target = makeCudaTarget(cuda, gpu);
    if (!target) return target.error();
    return addOnTarget(**target, algorithm, operands, options);
}

}  // namespace orogen::compute
