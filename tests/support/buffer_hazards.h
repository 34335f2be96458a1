// Finds missing barriers between shader writes to a buffer and later accesses to it. A software rasteriser runs
// everything in order and never shows them, so this class inspects the calls themselves.
//
// Rule of OpenGL (4.6 core, 7.13.2): an access sees a shader's writes only after glMemoryBarrier with the bit of that
// kind of access. Calls that change a buffer (clear, copy, upload) need no barrier after them. Every storage block of a
// program counts as written by a dispatch, since drivers do not report which are read-only, and as read by a draw.
//
// Textures, images, mapped buffers and uniform blocks are not tracked.
#pragma once

#include <array>
#include <cassert>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <glad/gl.h>

#include "app/gl/objects.h"

namespace orogen::test {

// Interposes itself on the OpenGL functions of the current context for its lifetime. Only one may exist at a time.
// Earlier shader writes are not known to it. Turns on the barriers that llvmpipe does not need (afterDispatch()).
class BufferHazards
{
public:
    BufferHazards()
    {
        assert(!current());
        current() = this;
        app::dispatchesBlock = false;
        put(standIns());
    }
    ~BufferHazards()
    {
        put(real_);
        app::dispatchesBlock = blocked_;
        current() = nullptr;
    }
    BufferHazards(const BufferHazards&) = delete;
    BufferHazards& operator=(const BufferHazards&) = delete;

    // One line for each pair of call and buffer: the access, the buffer and the missing barrier.
    const std::set<std::string>& found() const { return found_; }
    std::string text() const
    {
        std::string all;
        for (const std::string& line : found_)
            all += line + "\n";
        return all;
    }
    int calls(const std::string& name) const { return calls_.contains(name) ? calls_.at(name) : 0; }

private:
    // Tracked bits of glMemoryBarrier.
    static constexpr GLbitfield kFollowed =
        GL_BUFFER_UPDATE_BARRIER_BIT | GL_SHADER_STORAGE_BARRIER_BIT | GL_COMMAND_BARRIER_BIT;

    struct Functions
    {
        PFNGLMEMORYBARRIERPROC memoryBarrier;
        PFNGLDISPATCHCOMPUTEPROC dispatchCompute;
        PFNGLDISPATCHCOMPUTEINDIRECTPROC dispatchComputeIndirect;
        PFNGLDRAWELEMENTSINDIRECTPROC drawElementsIndirect;
        PFNGLDRAWARRAYSPROC drawArrays;
        PFNGLDRAWARRAYSINDIRECTPROC drawArraysIndirect;
        PFNGLCLEARNAMEDBUFFERDATAPROC clearNamedBufferData;
        PFNGLCLEARNAMEDBUFFERSUBDATAPROC clearNamedBufferSubData;
        PFNGLCOPYNAMEDBUFFERSUBDATAPROC copyNamedBufferSubData;
        PFNGLNAMEDBUFFERSUBDATAPROC namedBufferSubData;
        PFNGLGETNAMEDBUFFERSUBDATAPROC getNamedBufferSubData;
        PFNGLDELETEBUFFERSPROC deleteBuffers;
    };

    static Functions inUse()
    {
        return {glad_glMemoryBarrier,
                glad_glDispatchCompute,
                glad_glDispatchComputeIndirect,
                glad_glDrawElementsIndirect,
                glad_glDrawArrays,
                glad_glDrawArraysIndirect,
                glad_glClearNamedBufferData,
                glad_glClearNamedBufferSubData,
                glad_glCopyNamedBufferSubData,
                glad_glNamedBufferSubData,
                glad_glGetNamedBufferSubData,
                glad_glDeleteBuffers};
    }
    static void put(const Functions& f)
    {
        glad_glMemoryBarrier = f.memoryBarrier;
        glad_glDispatchCompute = f.dispatchCompute;
        glad_glDispatchComputeIndirect = f.dispatchComputeIndirect;
        glad_glDrawElementsIndirect = f.drawElementsIndirect;
        glad_glDrawArrays = f.drawArrays;
        glad_glDrawArraysIndirect = f.drawArraysIndirect;
        glad_glClearNamedBufferData = f.clearNamedBufferData;
        glad_glClearNamedBufferSubData = f.clearNamedBufferSubData;
        glad_glCopyNamedBufferSubData = f.copyNamedBufferSubData;
        glad_glNamedBufferSubData = f.namedBufferSubData;
        glad_glGetNamedBufferSubData = f.getNamedBufferSubData;
        glad_glDeleteBuffers = f.deleteBuffers;
    }

    static BufferHazards*& current()
    {
        static BufferHazards* hazards = nullptr;
        return hazards;
    }
    static BufferHazards& self() { return *current(); }

    static Functions standIns()
    {
        return {[](GLbitfield bits) { self().barrier(bits); },
                [](GLuint x, GLuint y, GLuint z) {
                    self().dispatch("glDispatchCompute", false);
                    self().real_.dispatchCompute(x, y, z);
                },
                [](GLintptr offset) {
                    self().dispatch("glDispatchComputeIndirect", true);
                    self().real_.dispatchComputeIndirect(offset);
                },
                [](GLenum mode, GLenum type, const void* offset) {
                    self().draw("glDrawElementsIndirect", true);
                    self().real_.drawElementsIndirect(mode, type, offset);
                },
                [](GLenum mode, GLint first, GLsizei count) {
                    self().draw("glDrawArrays", false);
                    self().real_.drawArrays(mode, first, count);
                },
                [](GLenum mode, const void* offset) {
                    self().draw("glDrawArraysIndirect", true);
                    self().real_.drawArraysIndirect(mode, offset);
                },
                [](GLuint buffer, GLenum internal, GLenum format, GLenum type, const void* data) {
                    self().update("glClearNamedBufferData", buffer);
                    self().real_.clearNamedBufferData(buffer, internal, format, type, data);
                },
                [](GLuint buffer, GLenum internal, GLintptr offset, GLsizeiptr size, GLenum format, GLenum type,
                   const void* data) {
                    self().update("glClearNamedBufferSubData", buffer);
                    self().real_.clearNamedBufferSubData(buffer, internal, offset, size, format, type, data);
                },
                [](GLuint from, GLuint to, GLintptr read, GLintptr write, GLsizeiptr size) {
                    self().update("glCopyNamedBufferSubData", from);
                    self().update("glCopyNamedBufferSubData", to);
                    self().real_.copyNamedBufferSubData(from, to, read, write, size);
                },
                [](GLuint buffer, GLintptr offset, GLsizeiptr size, const void* data) {
                    self().update("glNamedBufferSubData", buffer);
                    self().real_.namedBufferSubData(buffer, offset, size, data);
                },
                [](GLuint buffer, GLintptr offset, GLsizeiptr size, void* data) {
                    self().update("glGetNamedBufferSubData", buffer);
                    self().real_.getNamedBufferSubData(buffer, offset, size, data);
                },
                [](GLsizei count, const GLuint* names) {
                    for (GLsizei i = 0; i < count; ++i)
                        self().unseen_.erase(names[i]);  // the name may be reused
                    self().real_.deleteBuffers(count, names);
                }};
    }

    static GLuint binding(GLenum name)
    {
        GLint value = 0;
        glGetIntegerv(name, &value);
        return GLuint(value);
    }

    // Returns the buffers bound to the storage blocks of the current program.
    static std::vector<GLuint> blocks()
    {
        const GLuint program = binding(GL_CURRENT_PROGRAM);
        GLint count = 0;
        glGetProgramInterfaceiv(program, GL_SHADER_STORAGE_BLOCK, GL_ACTIVE_RESOURCES, &count);
        std::vector<GLuint> buffers;
        for (GLint i = 0; i < count; ++i)
        {
            const GLenum property = GL_BUFFER_BINDING;
            GLint point = 0, buffer = 0;
            glGetProgramResourceiv(program, GL_SHADER_STORAGE_BLOCK, GLuint(i), 1, &property, 1, nullptr, &point);
            glGetIntegeri_v(GL_SHADER_STORAGE_BUFFER_BINDING, GLuint(point), &buffer);
            if (buffer != 0) buffers.push_back(GLuint(buffer));
        }
        return buffers;
    }

    void barrier(GLbitfield bits)
    {
        ++calls_["glMemoryBarrier"];
        for (auto& [buffer, missing] : unseen_)
            missing &= ~bits;
        real_.memoryBarrier(bits);
    }
    void dispatch(const char* call, bool indirect)
    {
        ++calls_[call];
        if (indirect) use(call, binding(GL_DISPATCH_INDIRECT_BUFFER_BINDING), GL_COMMAND_BARRIER_BIT);
        const std::vector<GLuint> buffers = blocks();
        for (const GLuint buffer : buffers)
            use(call, buffer, GL_SHADER_STORAGE_BARRIER_BIT);
        for (const GLuint buffer : buffers)
            unseen_[buffer] = kFollowed;
    }
    void draw(const char* call, bool indirect)
    {
        ++calls_[call];
        if (indirect) use(call, binding(GL_DRAW_INDIRECT_BUFFER_BINDING), GL_COMMAND_BARRIER_BIT);
        for (const GLuint buffer : blocks())
            use(call, buffer, GL_SHADER_STORAGE_BARRIER_BIT);
    }
    void update(const char* call, GLuint buffer)
    {
        ++calls_[call];
        use(call, buffer, GL_BUFFER_UPDATE_BARRIER_BIT);
    }

    void use(const char* call, GLuint buffer, GLbitfield needed)
    {
        const auto written = unseen_.find(buffer);
        if (written == unseen_.end() || (written->second & needed) == 0) return;
        const char* bit = needed == GL_BUFFER_UPDATE_BARRIER_BIT    ? "GL_BUFFER_UPDATE_BARRIER_BIT"
                          : needed == GL_SHADER_STORAGE_BARRIER_BIT ? "GL_SHADER_STORAGE_BARRIER_BIT"
                                                                    : "GL_COMMAND_BARRIER_BIT";
        std::array<char, 128> label{};
        glGetObjectLabel(GL_BUFFER, buffer, GLsizei(label.size()), nullptr, label.data());
        found_.insert(fmt::format("{}: \"{}\" was written by a shader, and no {} came since", call, label.data(), bit));
    }

    Functions real_ = inUse();
    const bool blocked_ = app::dispatchesBlock;
    std::map<GLuint, GLbitfield> unseen_;  // by buffer: barrier bits missing since a shader wrote it
    std::set<std::string> found_;
    std::map<std::string, int> calls_;
};

}  // namespace orogen::test
