// Interface for receivers of per-frame GPU counters and times.
#pragma once

#include "core/frames/sample/frame_stats.h"

namespace orogen::app {

// Receives counters and times as they arrive, a few frames late.
class FrameObserver
{
public:
    virtual ~FrameObserver() = default;
    virtual void work(const WorkCounters& work) = 0;
    virtual void times(const GpuTimes& times) = 0;
    virtual void mesh(const MeshVerdict& verdict) = 0;  // validated frames only
};

}  // namespace orogen::app
