// What this machine offers the program: OpenGL, EGL, CUDA, the CPU.  Finding out never fails; what is missing has a
// reason.
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
    ContextInfo info;    // of the context that the viewer would get, where available
    std::string reason;  // why there is none, or why it has no window; may be empty
};

struct CpuReport
{
    std::string model;
    unsigned threads = 0;
    std::string simd;  // the widest that this program uses: "AVX-512", "AVX2" or "portable"
};

struct SystemReport
{
    OpenGlReport opengl;
    std::vector<EglDevice> eglDevices;
    std::string eglReason;  // why there is no device; else empty
    compute::CudaReport cuda;
    CpuReport cpu;
};

// Makes a context (hidden window, or headless) and destroys it again: up to a second.
SystemReport systemReport();

}  // namespace orogen::app
