// Headless OpenGL context through EGL.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/gl/driver.h"
#include "core/base/status.h"

namespace orogen::app {

struct EglDevice
{
    int index = 0;  // in the order of eglQueryDevicesEXT, as for --gpu
    bool software = false;
    int cudaDevice = -1;  // -1: unknown to EGL
    std::string name;     // renderer or device file; empty if unknown
};

// Returns the devices that EGL lists; empty without a driver.  `reason`, if given, receives why the list is empty.
std::vector<EglDevice> eglDevices(std::string* reason = nullptr);

class EglContext
{
public:
    // Creates a context that is current on this thread.  Arguments: see ContextOptions.  Errors as Context::create().
    static Result<std::unique_ptr<EglContext>> create(int gpu, int cudaDevice, bool debug);
    ~EglContext();
    EglContext(const EglContext&) = delete;
    EglContext& operator=(const EglContext&) = delete;

    const std::string& path() const { return path_; }  // as ContextInfo::path
    const ContextAttempt& got() const { return got_; }

private:
    EglContext() = default;
    Status open(void* display, bool debug);
    bool make(const ContextAttempt& attempt);
    bool makeAny();
    void destroy();

    void* display_ = nullptr;
    void* config_ = nullptr;
    void* context_ = nullptr;
    bool robustnessOffered_ = false;
    std::string path_;
    ContextAttempt got_;
};

}  // namespace orogen::app
