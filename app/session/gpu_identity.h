// Which GPU a context runs on, so that CUDA can be given the same: by the number that CUDA and Vulkan know it by, too
// (GL_EXT_memory_object), and by its name.
#pragma once

#include "app/gl/context.h"
#include "compute/device/discovery.h"

namespace orogen::app {

// Of the current context.  Without a UUID where the driver does not say it.
compute::GpuIdentity gpuOf(const Context& context);

}  // namespace orogen::app
