// Move-only owners of OpenGL objects, created with direct state access.  Their context must be current when they are
// created and destroyed, and must outlive them.
//
// All storage is allocated in allocateStorage(), which turns "out of memory" into a Status.  Tests can make the k-th
// allocation fail there.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <glad/gl.h>

#include "core/base/status.h"

namespace orogen::app {

// Numbers of live OpenGL objects and of live fences, to find leaks.
inline std::atomic<int> liveGlObjects{0};
inline std::atomic<int> liveGlFences{0};

// Owner of one object; `Delete` is one of the functions below.
template <void (*Delete)(GLuint)>
class GlName
{
public:
    GlName() = default;
    explicit GlName(GLuint id) : id_(id) { liveGlObjects += id_ != 0; }
    GlName(GlName&& other) noexcept : id_(std::exchange(other.id_, 0)) {}
    GlName& operator=(GlName&& other) noexcept
    {
        if (this != &other)
        {
            reset();
            id_ = std::exchange(other.id_, 0);
        }
        return *this;
    }
    ~GlName() { reset(); }

    GLuint id() const { return id_; }
    explicit operator bool() const { return id_ != 0; }
    void reset()
    {
        if (id_ == 0) return;
        Delete(std::exchange(id_, 0));
        --liveGlObjects;
    }

private:
    GLuint id_ = 0;
};

inline void deleteBuffer(GLuint id) { glDeleteBuffers(1, &id); }
inline void deleteTexture(GLuint id) { glDeleteTextures(1, &id); }
inline void deleteFramebuffer(GLuint id) { glDeleteFramebuffers(1, &id); }
inline void deleteVertexArray(GLuint id) { glDeleteVertexArrays(1, &id); }
void deleteProgram(GLuint id);
inline void deleteShader(GLuint id) { glDeleteShader(id); }
inline void deleteQuery(GLuint id) { glDeleteQueries(1, &id); }
inline void deleteSampler(GLuint id) { glDeleteSamplers(1, &id); }

using Framebuffer = GlName<deleteFramebuffer>;
using VertexArray = GlName<deleteVertexArray>;
using Program = GlName<deleteProgram>;
using Shader = GlName<deleteShader>;
using Query = GlName<deleteQuery>;
using Sampler = GlName<deleteSampler>;

// Memory of this process that a driver uses as a buffer's storage.  Its release waits until the driver is idle.
struct UnmapWhenIdle
{
    std::uint64_t bytes = 0;
    void operator()(void* memory) const;
};
using StorageMemory = std::unique_ptr<void, UnmapWhenIdle>;

// Storage of fixed size.
class Buffer : public GlName<deleteBuffer>
{
public:
    Buffer() = default;
    Buffer(GLuint id, std::uint64_t bytes, StorageMemory memory = {})
        : GlName(id), bytes_(bytes), memory_(std::move(memory))
    {
    }
    Buffer(Buffer&&) noexcept = default;
    Buffer& operator=(Buffer&&) noexcept = default;
    ~Buffer() { reset(); }  // before its memory
    std::uint64_t bytes() const { return bytes_; }

private:
    std::uint64_t bytes_ = 0;
    StorageMemory memory_;  // empty if the driver allocated the storage
};

// Storage of a texture.  `depth`: layers of GL_TEXTURE_2D_ARRAY or GL_TEXTURE_3D.  `samples` > 1 selects
// GL_TEXTURE_2D_MULTISAMPLE.
struct TextureShape
{
    GLenum target = GL_TEXTURE_2D;
    GLenum format = GL_RGBA8;  // sized internal format
    int width = 1, height = 1, depth = 1;
    int levels = 1;
    int samples = 1;
};

class Texture : public GlName<deleteTexture>
{
public:
    Texture() = default;
    Texture(GLuint id, const TextureShape& shape) : GlName(id), shape_(shape) {}
    const TextureShape& shape() const { return shape_; }
    std::uint64_t bytes() const;  // size of all levels; 0 without a texture

private:
    TextureShape shape_;
};

// Fence in the command stream.
class Sync
{
public:
    Sync() = default;
    static Sync fence();  // creates a fence after all commands so far
    Sync(Sync&& other) noexcept : sync_(std::exchange(other.sync_, nullptr)) {}
    Sync& operator=(Sync&& other) noexcept;
    ~Sync() { reset(); }

    explicit operator bool() const { return sync_ != nullptr; }
    // Returns whether the GPU has reached the fence; waits at most `nanoseconds` (0: no wait).  False on a lost
    // context.
    bool passed(std::uint64_t nanoseconds = 0) const;
    void reset();

private:
    GLsync sync_ = nullptr;
};

// Error of makeBuffer(), makeTexture(), makeMappedBuffer() and allocateStorage(): kLimit with `label` and the requested
// size.  Labels appear in debuggers and messages.

// Whether large buffers lie in memory of this process (GL_AMD_pinned_memory).  Context sets it for Mesa's software
// rasteriser, which clears all storage that it allocates.  Memory of this process is paid for when it is first used,
// and most of a list of leaves never is.
inline std::atomic<bool> buffersInOwnMemory{false};

// Whether a dispatch has ended when the call that starts it returns.  Context sets it for Mesa's llvmpipe.
inline std::atomic<bool> dispatchesBlock{false};

// Orders dispatches and draws that follow after the writes of earlier dispatches, for these uses (the bits of
// glMemoryBarrier).  Not for what fragments read or write.  Where dispatches block, nothing is left to order, and
// glMemoryBarrier() would wake all threads of llvmpipe: some 0.1 ms, fifty times a frame.
void afterDispatch(GLbitfield uses);

// Creates a buffer.  `flags` as in glNamedBufferStorage; `data` may be null (contents undefined).  bytes > 0.
Result<Buffer> makeBuffer(std::string_view label, std::uint64_t bytes, GLbitfield flags = 0,
                          const void* data = nullptr);
Result<Texture> makeTexture(std::string_view label, const TextureShape& shape);
// Copies `bytes` from `offset` of a buffer that shaders may have written; waits until the GPU is idle.  The GPU copies
// the data to memory that the CPU reads.  On an H200 (driver 580.159), glGetNamedBufferSubData() missed the last
// dispatch's atomic operations, even after all barriers and glFinish().
void readBuffer(const Buffer& buffer, std::uint64_t offset, std::uint64_t bytes, void* to);
// Persistently mapped buffer.  Flags: GL_MAP_READ_BIT and/or GL_MAP_WRITE_BIT; persistent and coherent are added.
struct MappedBuffer
{
    Buffer buffer;
    std::byte* data = nullptr;
};
Result<MappedBuffer> makeMappedBuffer(std::string_view label, std::uint64_t bytes, GLbitfield flags);

Framebuffer makeFramebuffer(std::string_view label);
VertexArray makeVertexArray(std::string_view label);
Query makeQuery(GLenum target);
Sampler makeSampler(std::string_view label);
// Creates a sampler with these filters that clamps coordinates to the edge.
Sampler makeSampler(std::string_view label, GLenum minFilter, GLenum magFilter);
// Sets the anisotropy of a sampler (maximum taps) if the driver supports it.
void setAnisotropy(const Sampler& sampler, float taps);
// Returns the number of mip levels down to one texel.
int mipLevels(int width, int height);

void labelObject(GLenum kind, GLuint id, std::string_view label);

// Runs `allocate`, which makes the one GL call that takes memory, and checks the GL error.
Status allocateStorage(std::string_view label, std::uint64_t bytes, const std::function<void()>& allocate);

// Counter of allocations in allocateStorage(); the failAt-th (from 1) fails as if the driver had refused it.  For
// tests; process-wide, on the context's thread.
struct AllocationFaults
{
    int count = 0;
    int failAt = 0;  // 0: never
};
AllocationFaults& allocationFaults();

// Asynchronous readback of GPU buffers: data arrives some frames later, without a wait.

struct Readback
{
    std::uint64_t frame = 0;
    std::vector<std::byte> data;
};

class ReadbackRing
{
public:
    // Creates a ring with `slots` payloads of `bytes` each in flight.
    static Result<ReadbackRing> create(std::string_view label, std::uint64_t bytes, int slots = 8);

    // Queues a copy of `bytes` from `offset` of `source`, ordered after all earlier commands and shader writes. Returns
    // false, and increments dropped(), if all slots are in flight.  Later writes to `source` need their own barrier.
    bool enqueue(GLuint source, std::uint64_t offset, std::uint64_t frame);

    // Returns the oldest payload in flight; empty if it has not arrived within `nanoseconds` (0: no wait).
    std::optional<Readback> poll(std::uint64_t nanoseconds = 0);

    int inFlight() const { return count_; }
    std::uint64_t dropped() const { return dropped_; }

private:
    struct Slot
    {
        std::uint64_t frame = 0;
        Sync sync;
    };

    MappedBuffer mapped_;
    std::uint64_t bytes_ = 0, stride_ = 0;
    std::vector<Slot> slots_;
    std::size_t oldest_ = 0;
    int count_ = 0;
    std::uint64_t dropped_ = 0;
};

}  // namespace orogen::app
