// Driver messages (KHR_debug): counted and kept; printed only if OROGEN_GL_DEBUG is set in the environment.
#pragma once

#include <cstdint>
#include <deque>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include <glad/gl.h>

namespace orogen::app {

struct DebugMessage
{
    std::uint64_t number = 0;  // from 1
    GLenum type = 0, severity = 0;
    GLuint id = 0;
    std::string text;
};

// The context must be current for install() and poll(), and be destroyed before the log.
class DebugLog
{
public:
    DebugLog() = default;
    DebugLog(const DebugLog&) = delete;
    DebugLog& operator=(const DebugLog&) = delete;

    void install(bool synchronous);

    // Call once per frame.  Finds and counts errors for which the driver sent no debug message.
    void poll();

    std::uint64_t errors() const;  // error messages, except those of shader compilers, plus those found by poll()
    std::vector<DebugMessage> messages() const;  // the last kKept, without notifications, oldest first

    static constexpr std::size_t kKept = 64;

private:
    static void GLAD_API_PTR callback(GLenum source, GLenum type, GLuint id, GLenum severity, GLsizei length,
                                      const GLchar* text, const void* log);
    void add(GLenum source, GLenum type, GLuint id, GLenum severity, std::string_view text);
    void countError();
    void keep(GLenum type, GLuint id, GLenum severity, std::string_view text);

    mutable std::mutex mutex_;  // drivers may call from their own threads
    std::deque<DebugMessage> messages_;
    std::uint64_t count_ = 0, errors_ = 0, errorsAtPoll_ = 0;
    std::uint64_t awaited_ = 0;  // errors that poll() found before their messages arrived
    bool print_ = false;
};

// Named group of commands for graphics debuggers.
class DebugGroup
{
public:
    explicit DebugGroup(std::string_view name)
    {
        glPushDebugGroup(GL_DEBUG_SOURCE_APPLICATION, 0, GLsizei(name.size()), name.data());
    }
    ~DebugGroup() { glPopDebugGroup(); }
    DebugGroup(const DebugGroup&) = delete;
    DebugGroup& operator=(const DebugGroup&) = delete;
};

}  // namespace orogen::app
