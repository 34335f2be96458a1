// Who wants to know what the GPU says of each frame.
#pragma once

#include "core/frames/sample/frame_stats.h"

namespace orogen::app {

// Gets counters and times as they arrive, a few frames late.
class FrameObserver
{
public:
    virtual ~FrameObserver() = default;
    virtual void work(const WorkCounters& work) = 0;
    virtual void times(const GpuTimes& times) = 0;
    virtual void mesh(const MeshVerdict& verdict) = 0;  // of frames that were validated
};

}  // namespace orogen::app
