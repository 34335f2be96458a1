#include "app/session/terrain_model/model_gpu.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/base/clock.h"

namespace orogen::app {

using compute::ModelArray;

ModelGpu::ModelGpu(const std::filesystem::path& root, const Context& context)
    : library_(root, {.glsl460 = context.info().glsl460}),
      mostBytes_(std::uint64_t(context.limits().shaderStorageBytes))
{
    constexpr const char* passes[] = {
#define OROGEN_NAME_OF_PASS(name) #name,
        OROGEN_MODEL_PASSES(OROGEN_NAME_OF_PASS)
#undef OROGEN_NAME_OF_PASS
    };
    for (const char* const pass : passes)
        programs_.push_back(library_.add(fmt::format("terrain model, {}", pass), {"shaders/model/model.comp"},
                                         {{"OROGEN_PASS", pass}}));
}

Result<std::shared_ptr<ModelGpu>> ModelGpu::create(const std::filesystem::path& root, const Context& context)
{
    std::shared_ptr<ModelGpu> gpu(new ModelGpu(root, context));
    if (Status s = gpu->library_.finish(); !s) return s.error();
    return gpu;
}

Result<ModelArray> ModelGpu::allocate(std::size_t bytes)
{
    if (bytes > mostBytes_)
        return Error{ExitCode::kLimit, fmt::format("terrain model: a buffer of {} bytes is more than this driver's {}",
                                                   bytes, mostBytes_)};
    Result<Buffer> made = makeBuffer("terrain model", bytes, GL_DYNAMIC_STORAGE_BIT);
    if (!made) return made.error();
    buffers_.push_back(std::move(*made));
    const ModelArray array{std::uint32_t(buffers_.size() - 1)};
    if (Status s = clear(array); !s) return s.error();
    return array;
}

Status ModelGpu::clear(ModelArray array)
{
    glClearNamedBufferData(buffer(array).id(), GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT, nullptr);
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
    return Status::ok();
}

Status ModelGpu::upload(ModelArray to, const void* from, std::size_t bytes)
{
    glNamedBufferSubData(buffer(to).id(), 0, GLsizeiptr(bytes), from);
    return Status::ok();
}

Status ModelGpu::download(void* to, ModelArray from, std::size_t bytes)
{
    readBuffer(buffer(from), 0, bytes, to);
    return Status::ok();
}

Status ModelGpu::copy(ModelArray to, ModelArray from)
{
    glCopyNamedBufferSubData(buffer(from).id(), buffer(to).id(), 0, 0, GLsizeiptr(buffer(to).bytes()));
    return Status::ok();
}

Status ModelGpu::run(compute::ModelPass pass, const compute::ModelValues& values, const compute::ModelArrays& arrays)
{
    constexpr std::uint32_t kGroup = 64, kMostGroups = 32'768;  // OpenGL guarantees 65,535 groups per dimension
    glUseProgram(library_.program(programs_[std::size_t(pass)]));
    for (std::size_t slot = 0; slot < arrays.size(); ++slot)
        if (arrays[slot] != compute::kNoArray)
            glBindBufferBase(GL_SHADER_STORAGE_BUFFER, GLuint(slot), buffer(arrays[slot]).id());
    const std::uint32_t words[] = {values.cells,        values.columns,   values.rows,
                                   values.otherColumns, values.otherRows, values.number};
    for (GLint i = 0; i < GLint(std::size(words)); ++i)
        glUniform1ui(i, words[i]);
    const double numbers[] = {values.alongX, values.alongY, values.diagonal, values.a, values.b};
    for (GLint i = 0; i < GLint(std::size(numbers)); ++i)
        glUniform1d(GLint(std::size(words)) + 2 * i, numbers[i]);
    const std::uint32_t groups = std::max((values.cells + kGroup - 1) / kGroup, 1u);
    glDispatchCompute(std::min(groups, kMostGroups), (groups + kMostGroups - 1) / kMostGroups, 1);
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_BUFFER_UPDATE_BARRIER_BIT);
    return Status::ok();
}

// ---- queue ----

void ModelGpuQueue::serve(double milliseconds)
{
    const Clock::time_point until = Clock::now() + std::chrono::microseconds(std::int64_t(1000 * milliseconds));
    std::uint64_t cells = 0;
    std::unique_lock lock(mutex_);
    while (gpu_ && cells < kMostCells && Clock::now() < until &&
           asked_.wait_until(lock, until, [this] { return !jobs_.empty(); }))
    {
        const Job job = std::move(jobs_.front());
        lock.unlock();
        const Status status = job.work(*gpu_);
        lock.lock();
        jobs_.pop_front();
        cells += job.cells;
        if (status_ && !status) status_ = status;
        if (jobs_.empty()) done_.notify_all();
    }
}

void ModelGpuQueue::close()
{
    const std::lock_guard lock(mutex_);
    gpu_.reset();
    jobs_.clear();
    done_.notify_all();
}

Status ModelGpuQueue::post(Job job)
{
    const std::lock_guard lock(mutex_);
    if (!gpu_) return Error{ExitCode::kInterrupted, "terrain model: interrupted"};
    if (!status_) return status_;
    jobs_.push_back(std::move(job));
    asked_.notify_all();
    return Status::ok();
}

Status ModelGpuQueue::perform(std::function<Status(ModelGpu&)> work)
{
    if (Status s = post({std::move(work)}); !s) return s;
    std::unique_lock lock(mutex_);
    done_.wait(lock, [this] { return jobs_.empty() || !gpu_; });
    if (!gpu_) return Error{ExitCode::kInterrupted, "terrain model: interrupted"};
    return status_;
}

Status ModelGpuQueue::begin()
{
    std::unique_lock lock(mutex_);
    done_.wait(lock, [this] { return jobs_.empty() || !gpu_; });
    status_ = Status::ok();
    return Status::ok();
}

Result<ModelArray> ModelGpuQueue::allocate(std::size_t bytes)
{
    ModelArray array = compute::kNoArray;
    const Status status = perform([&](ModelGpu& gpu) -> Status {
        const Result<ModelArray> made = gpu.allocate(bytes);
        if (!made) return made.error();
        array = *made;
        return Status::ok();
    });
    if (!status) return status.error();
    return array;
}

Status ModelGpuQueue::clear(ModelArray array)
{
    return post({[=](ModelGpu& gpu) { return gpu.clear(array); }});
}

Status ModelGpuQueue::upload(ModelArray to, const void* from, std::size_t bytes)
{
    return perform([=](ModelGpu& gpu) { return gpu.upload(to, from, bytes); });
}

Status ModelGpuQueue::download(void* to, ModelArray from, std::size_t bytes)
{
    return perform([=](ModelGpu& gpu) { return gpu.download(to, from, bytes); });
}

Status ModelGpuQueue::copy(ModelArray to, ModelArray from)
{
    return post({[=](ModelGpu& gpu) { return gpu.copy(to, from); }});
}

Status ModelGpuQueue::run(compute::ModelPass pass, const compute::ModelValues& values,
                          const compute::ModelArrays& arrays)
{
    return post({[=](ModelGpu& gpu) { return gpu.run(pass, values, arrays); }, values.cells});
}

}  // namespace orogen::app
