// The extension is used only here, so its function is looked up directly instead of in the generated loader.
#include "app/session/gpu_identity.h"

#include <array>
#include <string>
#include <string_view>

#define EGL_NO_X11
#include <EGL/egl.h>
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

namespace orogen::app {
namespace {

constexpr GLenum kDeviceUuids = 0x9596, kDeviceUuid = 0x9597;  // GL_NUM_DEVICE_UUIDS_EXT, GL_DEVICE_UUID_EXT
using GetUnsignedBytes = void(GLAD_API_PTR*)(GLenum target, GLuint index, GLubyte* data);

bool hasMemoryObjects()
{
    GLint count = 0;
    glGetIntegerv(GL_NUM_EXTENSIONS, &count);
    for (GLint i = 0; i < count; ++i)
        if (std::string_view(reinterpret_cast<const char*>(glGetStringi(GL_EXTENSIONS, GLuint(i)))) ==
            "GL_EXT_memory_object")
            return true;
    return false;
}

std::string deviceUuid(const Context& context)
{
    if (!hasMemoryObjects()) return {};
    const char* const name = "glGetUnsignedBytei_vEXT";
    const auto get =
        reinterpret_cast<GetUnsignedBytes>(context.window() ? glfwGetProcAddress(name) : eglGetProcAddress(name));
    GLint count = 0;
    glGetIntegerv(kDeviceUuids, &count);
    if (!get || count < 1) return {};
    std::array<unsigned char, 16> uuid = {};
    get(kDeviceUuid, 0, uuid.data());
    return compute::uuidText(uuid.data());
}

}  // namespace

compute::GpuIdentity gpuOf(const Context& context) { return {deviceUuid(context), context.info().renderer}; }

}  // namespace orogen::app
