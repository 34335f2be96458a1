#include "app/gl/gl_calls.h"

#include <utility>

#include <glad/gl.h>

namespace orogen::app {
namespace {

std::uint64_t calls = 0;

// Replaces the loader's pointer to a function by a function that counts.
template <auto* pointer>
struct Counted;

template <typename R, typename... A, R (**pointer)(A...)>
struct Counted<pointer>
{
    static inline R (*function)(A...) = nullptr;
    static R call(A... arguments)
    {
        ++calls;
        return function(arguments...);
    }
    static void install()
    {
        function = *pointer;
        if (function) *pointer = &call;
    }
    // After a lost context the loader's pointers are new ones.
    static void remove()
    {
        if (*pointer == &call) *pointer = function;
    }
};

// All functions that app/ calls; tests/gl/gl/gl_calls_test.cpp finds one that is missing.
// clang-format off
#define OROGEN_GL_FUNCTIONS(F) \
    F(glAttachShader) F(glBindBuffer) F(glBindBufferBase) F(glBindBufferRange) F(glBindFramebuffer)                    \
    F(glBindImageTexture) F(glBindSampler) F(glBindTextureUnit) F(glBindVertexArray) F(glBlendFunc)                    \
    F(glBlitFramebuffer) F(glBlitNamedFramebuffer) F(glClearBufferfv) F(glClearNamedBufferData)                        \
    F(glClearNamedBufferSubData) F(glClearTexImage) F(glClientWaitSync) F(glClipControl) F(glCompileShader)            \
    F(glCopyNamedBufferSubData) F(glCreateBuffers) F(glCreateFramebuffers) F(glCreateProgram) F(glCreateQueries)       \
    F(glCreateSamplers) F(glCreateShader) F(glCreateTextures) F(glCreateVertexArrays) F(glDebugMessageCallback)        \
    F(glDebugMessageControl) F(glDeleteBuffers) F(glDeleteFramebuffers) F(glDeleteProgram) F(glDeleteQueries)          \
    F(glDeleteSamplers) F(glDeleteShader) F(glDeleteSync) F(glDeleteTextures) F(glDeleteVertexArrays) F(glDepthFunc)   \
    F(glDepthMask) F(glDetachShader) F(glDisable) F(glDispatchCompute) F(glDispatchComputeIndirect) F(glDrawArrays)    \
    F(glDrawArraysIndirect) F(glDrawArraysInstanced) F(glDrawElementsIndirect) F(glEnable)                             \
    F(glEnableVertexArrayAttrib) F(glFenceSync) F(glFinish) F(glFlush) F(glGenerateTextureMipmap) F(glGetError)        \
    F(glGetGraphicsResetStatus) F(glGetInteger64v) F(glGetIntegerv) F(glGetMultisamplefv) F(glGetNamedBufferSubData)   \
    F(glGetProgramInfoLog) F(glGetProgramiv) F(glGetQueryObjectiv) F(glGetQueryObjectui64v) F(glGetQueryiv)            \
    F(glGetShaderInfoLog) F(glGetShaderiv) F(glGetString) F(glGetStringi) F(glGetTextureLevelParameteriv)              \
    F(glLinkProgram) F(glMapNamedBufferRange) F(glMaxShaderCompilerThreadsKHR) F(glMemoryBarrier)                      \
    F(glNamedBufferStorage) F(glNamedBufferSubData) F(glNamedFramebufferDrawBuffer) F(glNamedFramebufferReadBuffer)    \
    F(glNamedFramebufferTexture) F(glObjectLabel) F(glPixelStorei) F(glProgramUniform1i) F(glProgramUniform2fv)        \
    F(glProgramUniform2i) F(glProgramUniform3f) F(glProgramUniform3fv) F(glProgramUniform4f)                           \
    F(glProgramUniformMatrix3fv) F(glQueryCounter) F(glReadPixels) F(glSamplerParameterf) F(glSamplerParameteri)       \
    F(glScissor) F(glShaderSource) F(glTextureBarrier) F(glTextureParameteri) F(glTextureStorage2D)                    \
    F(glTextureStorage2DMultisample) F(glTextureStorage3D) F(glTextureSubImage2D) F(glTextureSubImage3D)               \
    F(glUniform1d) F(glUniform1f) F(glUniform1i) F(glUniform1ui) F(glUniform2f) F(glUniform2i) F(glUniform2ui) F(glUniform3f) F(glUniform3fv)         \
    F(glUniform3i) F(glUniform4f) F(glUniform4fv) F(glUniform4i) F(glUniformMatrix4fv) F(glUseProgram)                 \
    F(glVertexArrayAttribBinding) F(glVertexArrayAttribFormat) F(glVertexArrayAttribIFormat)                           \
    F(glVertexArrayBindingDivisor)                                                                                     \
    F(glVertexArrayElementBuffer) F(glVertexArrayVertexBuffer) F(glViewport)
// clang-format on

}  // namespace

GlCallCounter::GlCallCounter()
{
    calls = 0;
#define OROGEN_INSTALL(name) Counted<&glad_##name>::install();
    OROGEN_GL_FUNCTIONS(OROGEN_INSTALL)
}

GlCallCounter::~GlCallCounter()
{
#define OROGEN_REMOVE(name) Counted<&glad_##name>::remove();
    OROGEN_GL_FUNCTIONS(OROGEN_REMOVE)
}

std::uint64_t GlCallCounter::take() { return std::exchange(calls, 0); }

}  // namespace orogen::app
