// Capabilities of this machine: OpenGL, EGL, CUDA, CPU.  Never fails; missing ones have a reason.
#pragma once

#include <string>
#include <vector>

#include "app/gl/context.h"
#include "app/gl/egl_context.h"
#include "compute/device/discovery.h"

namespace orogen::app {

struct OpenGlReport
{
    bool available = false;
    ContextInfo info;    // context that the viewer would get, if available
    std::string reason;  // why there is none, or no window; may be empty
};

struct CpuReport
{
    std::string model;
    unsigned threads = 0;
    std::string simd;  // widest used by this program: "AVX-512", "AVX2" or "portable"
};

struct SystemReport
{
    OpenGlReport opengl;
    std::vector<EglDevice> eglDevices;
    std::string eglReason;  // why there are no devices; else empty
    compute::CudaReport cuda;
    CpuReport cpu;
};

// Creates and destroys a context (hidden window, or headless).  Takes up to a second.
SystemReport systemReport();

}  // namespace orogen::app
