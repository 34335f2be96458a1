#include "app/gl/debug.h"

#include <cstdio>
#include <cstdlib>

#include <fmt/format.h>

#include "app/base/output.h"

namespace orogen::app {

void DebugLog::install(bool synchronous)
{
    print_ = std::getenv("OROGEN_GL_DEBUG") != nullptr;
    glEnable(GL_DEBUG_OUTPUT);
    if (synchronous) glEnable(GL_DEBUG_OUTPUT_SYNCHRONOUS);
    glDebugMessageControl(GL_DONT_CARE, GL_DONT_CARE, GL_DONT_CARE, 0, nullptr, GL_TRUE);
    glDebugMessageControl(GL_DONT_CARE, GL_DONT_CARE, GL_DEBUG_SEVERITY_NOTIFICATION, 0, nullptr, GL_FALSE);
    glDebugMessageCallback(&DebugLog::callback, this);
}

void GLAD_API_PTR DebugLog::callback(GLenum source, GLenum type, GLuint id, GLenum severity, GLsizei length,
                                     const GLchar* text, const void* log)
{
    const std::string_view view = length < 0 ? std::string_view(text) : std::string_view(text, std::size_t(length));
    const_cast<DebugLog*>(static_cast<const DebugLog*>(log))->add(source, type, id, severity, view);
}

void DebugLog::add(GLenum source, GLenum type, GLuint id, GLenum severity, std::string_view text)
{
    if (type == GL_DEBUG_TYPE_PUSH_GROUP || type == GL_DEBUG_TYPE_POP_GROUP) return;
    while (!text.empty() && (text.back() == '\n' || text.back() == '\0'))
        text.remove_suffix(1);
    const std::lock_guard lock(mutex_);
    // Shader compile errors are not counted: the caller reads the compiler's log.
    if (type == GL_DEBUG_TYPE_ERROR && source != GL_DEBUG_SOURCE_SHADER_COMPILER) countError();
    keep(type, id, severity, text);
}

// Skips errors that poll() has already counted; an asynchronous message may arrive later.
void DebugLog::countError()
{
    if (awaited_ > 0)
        --awaited_;
    else
        ++errors_;
}

void DebugLog::keep(GLenum type, GLuint id, GLenum severity, std::string_view text)
{
    messages_.push_back({++count_, type, severity, id, std::string(text)});
    if (messages_.size() > kKept) messages_.pop_front();
    if (print_) tell(fmt::format("OpenGL {} {}: {}", type == GL_DEBUG_TYPE_ERROR ? "error" : "message", id, text));
}

void DebugLog::poll()
{
    const GLenum error = glGetError();
    const std::lock_guard lock(mutex_);
    if (error != GL_NO_ERROR && errors_ == errorsAtPoll_)
    {
        ++errors_;
        ++awaited_;
        keep(GL_DEBUG_TYPE_ERROR, error, GL_DEBUG_SEVERITY_HIGH, fmt::format("glGetError: 0x{:04x}", unsigned(error)));
    }
    errorsAtPoll_ = errors_;
}

std::uint64_t DebugLog::errors() const
{
    const std::lock_guard lock(mutex_);
    return errors_;
}

std::vector<DebugMessage> DebugLog::messages() const
{
    const std::lock_guard lock(mutex_);
    return {messages_.begin(), messages_.end()};
}

}  // namespace orogen::app
