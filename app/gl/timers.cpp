#include "app/gl/timers.h"

#include <algorithm>
#include <cassert>
#include <chrono>
#include <limits>

namespace orogen::app {
namespace {

double steadyMs()
{
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// Returns the shift from the GPU's clock to the CPU's (ms).
double clockShiftMs()
{
    GLint64 gpu = 0;
    const double before = steadyMs();
    glGetInteger64v(GL_TIMESTAMP, &gpu);
    return (before + steadyMs()) / 2 - double(gpu) * 1e-6;
}

}  // namespace

GpuTimers::GpuTimers(bool software)
{
    GLint bits = 0;
    glGetQueryiv(GL_TIMESTAMP, GL_QUERY_COUNTER_BITS, &bits);
    offered_ = bits > 0;
    hardware_ = offered_ && !software;
}

void GpuTimers::beginFrame(std::uint64_t frame)
{
    assert(!open_);
    current_ = nullptr;  // possibly left from a discarded frame
    if (!offered_) return;
    Slot& slot = slots_[std::size_t(next_)];
    if (slot.busy)
    {
        ++dropped_;
        return;
    }
    slot.frame = frame;
    slot.spans.clear();
    slot.shiftMs = keepsSpans_ ? std::optional(clockShiftMs()) : std::nullopt;
    current_ = &slot;
}

void GpuTimers::begin(GpuPass pass)
{
    assert(!open_);
    open_ = true;
    if (observer_) observer_(pass, true);
    if (!current_) return;
    const std::size_t first = 2 * current_->spans.size();
    while (current_->queries.size() < first + 2)
        current_->queries.push_back(makeQuery(GL_TIMESTAMP));
    current_->spans.push_back({pass, first, current_->shiftMs ? steadyMs() : 0.0});
    glQueryCounter(current_->queries[first].id(), GL_TIMESTAMP);
}

void GpuTimers::end(GpuPass pass)
{
    assert(open_);
    open_ = false;
    if (observer_) observer_(pass, false);
    if (!current_) return;
    Span& span = current_->spans.back();
    assert(span.pass == pass);
    (void)pass;
    if (current_->shiftMs) span.cpuEndMs = steadyMs();
    glQueryCounter(current_->queries[span.first + 1].id(), GL_TIMESTAMP);
}

void GpuTimers::endFrame()
{
    assert(!open_);
    if (!current_) return;
    current_->busy = true;
    current_ = nullptr;
    next_ = (next_ + 1) % kFrames;
}

bool GpuTimers::arrived(const Slot& slot) const
{
    // Checks all queries: results need not become available in order.
    for (std::size_t i = 0; i < 2 * slot.spans.size(); ++i)
    {
        GLint available = GL_FALSE;
        glGetQueryObjectiv(slot.queries[i].id(), GL_QUERY_RESULT_AVAILABLE, &available);
        if (available != GL_TRUE) return false;
    }
    return true;
}

GpuTimes GpuTimers::read(const Slot& slot) const
{
    GpuTimes times;
    times.frame = slot.frame;
    GLuint64 begin = std::numeric_limits<GLuint64>::max(), end = 0;
    for (const Span& span : slot.spans)
    {
        GLuint64 from = 0, to = 0;
        glGetQueryObjectui64v(slot.queries[span.first].id(), GL_QUERY_RESULT, &from);
        glGetQueryObjectui64v(slot.queries[span.first + 1].id(), GL_QUERY_RESULT, &to);
        std::optional<double>& ms = times.ms[std::size_t(span.pass)];
        ms = ms.value_or(0.0) + (to > from ? double(to - from) * 1e-6 : 0.0);
        if (slot.shiftMs)
            times.spans.push_back({span.pass, span.cpuBeginMs, span.cpuEndMs - span.cpuBeginMs,
                                   double(from) * 1e-6 + *slot.shiftMs, to > from ? double(to - from) * 1e-6 : 0.0});
        begin = std::min(begin, from);
        end = std::max(end, to);
    }
    if (!slot.spans.empty()) times.wholeMs = end > begin ? double(end - begin) * 1e-6 : 0.0;
    return times;
}

std::optional<GpuTimes> GpuTimers::poll()
{
    Slot& slot = slots_[std::size_t(oldest_)];
    if (!slot.busy || !arrived(slot)) return std::nullopt;
    slot.busy = false;
    oldest_ = (oldest_ + 1) % kFrames;
    return read(slot);
}

}  // namespace orogen::app
