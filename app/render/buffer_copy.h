// Copies of GPU buffers that outlive a frame.
#pragma once

#include <cstdint>

#include "app/gl/objects.h"

namespace orogen::app {

// Copies the first `bytes` of `from` to `to`, which is reallocated if its size differs.  Error kLimit: out of memory.
inline Status copyBuffer(const char* label, GLuint from, std::uint64_t bytes, Buffer& to)
{
    if (to.bytes() != bytes)
    {
        Result<Buffer> made = makeBuffer(label, bytes);
        if (!made) return made.error();
        to = std::move(*made);
    }
    glCopyNamedBufferSubData(from, to.id(), 0, 0, GLsizeiptr(bytes));
    return Status::ok();
}

}  // namespace orogen::app
