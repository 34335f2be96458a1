#include "app/gl/objects.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>
#include <utility>

#include <fmt/format.h>
#include <sys/mman.h>

namespace orogen::app {
namespace {

// Clears pending GL errors.  Bounded, as a lost context returns GL_CONTEXT_LOST forever.
void forgetErrors()
{
    for (int i = 0; i < 16 && glGetError() != GL_NO_ERROR; ++i)
    {
    }
}

Error refused(std::string_view label, std::uint64_t bytes, GLenum error)
{
    const char* what = error == GL_OUT_OF_MEMORY ? "out of graphics memory" : "refused by the driver";
    return {ExitCode::kLimit, fmt::format("{}: {} needs {:.1f} MiB (OpenGL error 0x{:04x})", what, label,
                                          double(bytes) / (1024.0 * 1024.0), unsigned(error))};
}

// Returns bytes per texel; 4 for formats not listed here.
std::uint64_t texelBytes(GLenum format)
{
    switch (format)
    {
    case GL_R8:
    case GL_R8UI:
        return 1;
    case GL_R16:
    case GL_R16UI:
    case GL_R16F:
    case GL_RG8:
        return 2;
    case GL_RGBA16F:
    case GL_RG32F:
    case GL_RG32UI:
    case GL_DEPTH32F_STENCIL8:  // 5 bytes, in whole words
        return 8;
    case GL_RGB32F:
        return 12;
    case GL_RGBA32F:
    case GL_RGBA32UI:
        return 16;
    default:
        return 4;
    }
}

std::uint64_t textureBytes(const TextureShape& shape)
{
    std::uint64_t bytes = 0;
    for (int level = 0; level < shape.levels; ++level)
    {
        const auto side = [level](int size) { return std::uint64_t(std::max(size >> level, 1)); };
        bytes += side(shape.width) * side(shape.height);
    }
    return bytes * std::uint64_t(shape.depth) * std::uint64_t(shape.samples) * texelBytes(shape.format);
}

void textureStorage(GLuint id, const TextureShape& s)
{
    if (s.target == GL_TEXTURE_2D_MULTISAMPLE)
        glTextureStorage2DMultisample(id, s.samples, s.format, s.width, s.height, GL_TRUE);
    else if (s.target == GL_TEXTURE_2D_ARRAY || s.target == GL_TEXTURE_3D)
        glTextureStorage3D(id, s.levels, s.format, s.width, s.height, s.depth);
    else
        glTextureStorage2D(id, s.levels, s.format, s.width, s.height);
}

constexpr GLenum kOwnMemoryTarget = 0x9160;            // GL_EXTERNAL_VIRTUAL_MEMORY_BUFFER_AMD
constexpr std::uint64_t kLeastOwnMemory = 256u << 10;  // bytes; clearing less takes no time worth a mapping

}  // namespace

void UnmapWhenIdle::operator()(void* memory) const
{
    glFinish();
    munmap(memory, bytes);
}

AllocationFaults& allocationFaults()
{
    static AllocationFaults faults;
    return faults;
}

Status allocateStorage(std::string_view label, std::uint64_t bytes, const std::function<void()>& allocate)
{
    AllocationFaults& faults = allocationFaults();
    if (++faults.count == faults.failAt) return refused(label, bytes, GL_OUT_OF_MEMORY);
    forgetErrors();
    allocate();
    if (const GLenum error = glGetError(); error != GL_NO_ERROR) return refused(label, bytes, error);
    return Status::ok();
}

void labelObject(GLenum kind, GLuint id, std::string_view label)
{
    glObjectLabel(kind, id, GLsizei(label.size()), label.data());
}

void afterDispatch(GLbitfield uses)
{
    if (!dispatchesBlock) glMemoryBarrier(uses);
}

Result<Buffer> makeBuffer(std::string_view label, std::uint64_t bytes, GLbitfield flags, const void* data)
{
    assert(bytes > 0);
    const bool mapped = (flags & (GL_MAP_READ_BIT | GL_MAP_WRITE_BIT)) != 0;
    StorageMemory memory;
    if (buffersInOwnMemory && !data && !mapped && bytes >= kLeastOwnMemory)
    {
        void* const mapping = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (mapping == MAP_FAILED) return refused(label, bytes, GL_OUT_OF_MEMORY);
        memory = StorageMemory(mapping, UnmapWhenIdle{bytes});
    }
    GLuint id = 0;
    glCreateBuffers(1, &id);
    void* const own = memory.get();
    Buffer buffer(id, bytes, std::move(memory));
    labelObject(GL_BUFFER, id, label);
    const auto allocate = [&] {
        if (!own) return glNamedBufferStorage(id, GLsizeiptr(bytes), data, flags);
        glBindBuffer(kOwnMemoryTarget, id);
        glBufferData(kOwnMemoryTarget, GLsizeiptr(bytes), own, GL_DYNAMIC_COPY);
        glBindBuffer(kOwnMemoryTarget, 0);
    };
    if (Status status = allocateStorage(label, bytes, allocate); !status) return status.error();
    return buffer;
}

void readBuffer(const Buffer& buffer, std::uint64_t offset, std::uint64_t bytes, void* to)
{
    if (bytes == 0) return;
    constexpr std::uint64_t kMostAtOnce = 16u << 20;
    glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
    const std::uint64_t atOnce = std::min(bytes, kMostAtOnce);
    const Result<MappedBuffer> copy = makeMappedBuffer("copy that the CPU reads", atOnce, GL_MAP_READ_BIT);
    if (!copy) return glGetNamedBufferSubData(buffer.id(), GLintptr(offset), GLsizeiptr(bytes), to);
    for (std::uint64_t done = 0; done < bytes; done += atOnce)
    {
        const std::uint64_t part = std::min(bytes - done, atOnce);
        glCopyNamedBufferSubData(buffer.id(), copy->buffer.id(), GLintptr(offset + done), 0, GLsizeiptr(part));
        glFinish();
        std::memcpy(static_cast<std::byte*>(to) + done, copy->data, part);
    }
}

Result<MappedBuffer> makeMappedBuffer(std::string_view label, std::uint64_t bytes, GLbitfield flags)
{
    assert((flags & ~GLbitfield(GL_MAP_READ_BIT | GL_MAP_WRITE_BIT)) == 0 && flags != 0);
    const GLbitfield access = flags | GL_MAP_PERSISTENT_BIT | GL_MAP_COHERENT_BIT;
    Result<Buffer> buffer = makeBuffer(label, bytes, access);
    if (!buffer) return buffer.error();
    void* data = glMapNamedBufferRange(buffer->id(), 0, GLsizeiptr(bytes), access);
    if (!data) return refused(label, bytes, glGetError());
    return MappedBuffer{std::move(*buffer), static_cast<std::byte*>(data)};
}

Result<Texture> makeTexture(std::string_view label, const TextureShape& wanted)
{
    TextureShape shape = wanted;
    assert(shape.width > 0 && shape.height > 0 && shape.depth > 0 && shape.levels > 0 && shape.samples > 0);
    if (shape.samples > 1) shape.target = GL_TEXTURE_2D_MULTISAMPLE;
    GLuint id = 0;
    glCreateTextures(shape.target, 1, &id);
    Texture texture(id, shape);
    labelObject(GL_TEXTURE, id, label);
    const auto allocate = [&] { textureStorage(id, shape); };
    if (Status status = allocateStorage(label, textureBytes(shape), allocate); !status) return status.error();
    return texture;
}

Framebuffer makeFramebuffer(std::string_view label)
{
    GLuint id = 0;
    glCreateFramebuffers(1, &id);
    labelObject(GL_FRAMEBUFFER, id, label);
    return Framebuffer(id);
}

VertexArray makeVertexArray(std::string_view label)
{
    GLuint id = 0;
    glCreateVertexArrays(1, &id);
    labelObject(GL_VERTEX_ARRAY, id, label);
    return VertexArray(id);
}

Query makeQuery(GLenum target)
{
    GLuint id = 0;
    glCreateQueries(target, 1, &id);
    return Query(id);
}

Sampler makeSampler(std::string_view label)
{
    GLuint id = 0;
    glCreateSamplers(1, &id);
    labelObject(GL_SAMPLER, id, label);
    return Sampler(id);
}

Sampler makeSampler(std::string_view label, GLenum minFilter, GLenum magFilter)
{
    Sampler sampler = makeSampler(label);
    glSamplerParameteri(sampler.id(), GL_TEXTURE_MIN_FILTER, GLint(minFilter));
    glSamplerParameteri(sampler.id(), GL_TEXTURE_MAG_FILTER, GLint(magFilter));
    for (const GLenum axis : {GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T, GL_TEXTURE_WRAP_R})
        glSamplerParameteri(sampler.id(), axis, GL_CLAMP_TO_EDGE);
    return sampler;
}

void setAnisotropy(const Sampler& sampler, float taps)
{
    if (GLAD_GL_VERSION_4_6 || GLAD_GL_ARB_texture_filter_anisotropic || GLAD_GL_EXT_texture_filter_anisotropic)
        glSamplerParameterf(sampler.id(), GL_TEXTURE_MAX_ANISOTROPY, taps);
}

int mipLevels(int width, int height) { return int(std::bit_width(unsigned(std::max(width, height)))); }

std::uint64_t Texture::bytes() const { return *this ? textureBytes(shape_) : 0; }

// A current program lives on after its deletion, but cannot be made current again.  ImGui does that: it restores the
// program that was current before it drew.
void deleteProgram(GLuint id)
{
    GLint current = 0;
    glGetIntegerv(GL_CURRENT_PROGRAM, &current);
    if (GLuint(current) == id) glUseProgram(0);
    glDeleteProgram(id);
}

Sync Sync::fence()
{
    Sync sync;
    sync.sync_ = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
    liveGlFences += sync.sync_ != nullptr;
    return sync;
}

Sync& Sync::operator=(Sync&& other) noexcept
{
    if (this != &other)
    {
        reset();
        sync_ = std::exchange(other.sync_, nullptr);
    }
    return *this;
}

bool Sync::passed(std::uint64_t nanoseconds) const
{
    assert(sync_);
    const GLenum answer = glClientWaitSync(sync_, GL_SYNC_FLUSH_COMMANDS_BIT, nanoseconds);
    return answer == GL_ALREADY_SIGNALED || answer == GL_CONDITION_SATISFIED;
}

void Sync::reset()
{
    if (!sync_) return;
    glDeleteSync(std::exchange(sync_, nullptr));
    --liveGlFences;
}

Result<ReadbackRing> ReadbackRing::create(std::string_view label, std::uint64_t bytes, int slots)
{
    ReadbackRing ring;
    ring.bytes_ = bytes;
    ring.stride_ = (bytes + 63) / 64 * 64;
    Result<MappedBuffer> mapped = makeMappedBuffer(label, ring.stride_ * std::uint64_t(slots), GL_MAP_READ_BIT);
    if (!mapped) return mapped.error();
    ring.mapped_ = std::move(*mapped);
    ring.slots_.resize(std::size_t(slots));
    return ring;
}

bool ReadbackRing::enqueue(GLuint source, std::uint64_t offset, std::uint64_t frame)
{
    if (count_ == int(slots_.size()))
    {
        ++dropped_;
        return false;
    }
    const std::size_t index = (oldest_ + std::size_t(count_)) % slots_.size();
    glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
    glCopyNamedBufferSubData(source, mapped_.buffer.id(), GLintptr(offset), GLintptr(index * stride_),
                             GLsizeiptr(bytes_));
    slots_[index].frame = frame;
    slots_[index].sync = Sync::fence();
    ++count_;
    return true;
}

std::optional<Readback> ReadbackRing::poll(std::uint64_t nanoseconds)
{
    if (count_ == 0 || !slots_[oldest_].sync || !slots_[oldest_].sync.passed(nanoseconds)) return std::nullopt;
    Slot& slot = slots_[oldest_];
    const std::byte* data = mapped_.data + oldest_ * stride_;
    Readback readback{slot.frame, {data, data + bytes_}};
    slot.sync.reset();
    oldest_ = (oldest_ + 1) % slots_.size();
    --count_;
    return readback;
}

}  // namespace orogen::app
