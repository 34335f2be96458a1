// Which GPU the current context runs on, by the number that CUDA and Vulkan know it by, too (GL_EXT_memory_object).
#pragma once

#include <array>
#include <optional>

#include "app/gl/context.h"

namespace orogen::app {

// Empty where the driver does not say.
std::optional<std::array<unsigned char, 16>> deviceUuid(const Context& context);

}  // namespace orogen::app
