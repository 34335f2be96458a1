// Identifies a context's GPU, so that CUDA can use the same one: by the UUID shared with CUDA and Vulkan
// (GL_EXT_memory_object), and by name.
#pragma once

#include "app/gl/context.h"
#include "compute/device/discovery.h"

namespace orogen::app {

// Returns the identity of the current context's GPU; without a UUID if the driver does not report one.
compute::GpuIdentity gpuOf(const Context& context);

}  // namespace orogen::app
