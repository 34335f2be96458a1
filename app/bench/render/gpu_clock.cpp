#include "app/bench/render/gpu_clock.h"

#include <chrono>

namespace orogen::app::bench {
namespace {

double valueOf(const Query& query)
{
    GLuint64 nanoseconds = 0;
    glGetQueryObjectui64v(query.id(), GL_QUERY_RESULT, &nanoseconds);
    return double(nanoseconds);
}

Json jsonOf(const Timing& timing) { return {{"minimum", timing.minimumMs}, {"median", timing.medianMs}}; }

}  // namespace

GpuClock::GpuClock() : begin_(makeQuery(GL_TIMESTAMP)), end_(makeQuery(GL_TIMESTAMP))
{
    GLint bits = 0;
    glGetQueryiv(GL_TIMESTAMP, GL_QUERY_COUNTER_BITS, &bits);
    stamps_ = bits > 0;
}

void GpuClock::time(const std::function<void()>& section)
{
    using Clock = std::chrono::steady_clock;
    glFinish();
    const Clock::time_point began = Clock::now();
    if (stamps_) glQueryCounter(begin_.id(), GL_TIMESTAMP);
    section();
    if (stamps_) glQueryCounter(end_.id(), GL_TIMESTAMP);
    glFinish();
    cpu_.push_back(std::chrono::duration<double, std::milli>(Clock::now() - began).count());
    if (stamps_) gpu_.push_back((valueOf(end_) - valueOf(begin_)) / 1e6);
}

std::optional<Timing> GpuClock::byGpu() const
{
    if (gpu_.empty()) return std::nullopt;
    return timingOf(gpu_);
}

void GpuClock::addTo(Json& row) const
{
    const Timing cpu = byCpu();
    const std::optional<Timing> gpu = byGpu();
    row["time_ms"] = jsonOf(cpu);
    row["gpu_ms"] = gpu ? jsonOf(*gpu) : Json(nullptr);
    row["spread"] = cpu.spread();
    row["rounds"] = cpu.rounds;
}

}  // namespace orogen::app::bench
