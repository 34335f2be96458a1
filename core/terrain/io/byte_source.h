// Input of the readers: a regular file, or memory (for tests and fuzzers).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "core/base/status.h"

namespace orogen {

class ByteSource
{
public:
    // Opens a file. Error: kInput if it does not exist, cannot be read or is not a regular file.
    static Result<ByteSource> open(const std::string& path);
    static ByteSource view(std::string name, std::span<const std::byte> bytes);  // the bytes are not owned
    ByteSource(ByteSource&& other) noexcept;
    ByteSource& operator=(ByteSource&&) = delete;
    ~ByteSource();

    const std::string& name() const { return name_; }
    std::uint64_t size() const { return size_; }

    // Returns the bytes copied; fewer than `count` only at the end of the source or after a read error.
    std::size_t read(std::uint64_t offset, void* to, std::size_t count) const;

private:
    ByteSource(std::string name, std::uint64_t size) : name_(std::move(name)), size_(size) {}

    std::string name_;
    std::uint64_t size_ = 0;
    int file_ = -1;
    const std::byte* memory_ = nullptr;
};

}  // namespace orogen
