// Files of text, read with a limit.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "core/base/memory.h"
#include "core/base/status.h"

namespace orogen {

// Asked while a read waits, at least ten times a second; true ends it.
using StopReading = std::function<bool()>;

// A file that is open for reading.  Errors name it: kInput with the system's reason, kInterrupted after a stop.
class InputFile
{
public:
    // Regular files; with `stop` also pipes, terminals and devices, whose open and reads wait for a writer.
    static Result<InputFile> open(const std::string& path, StopReading stop = {});
    InputFile(InputFile&& other) noexcept;
    InputFile& operator=(InputFile&&) = delete;
    ~InputFile();

    std::uint64_t size() const { return size_; }  // in bytes; 0 where it is not known before the end

    Result<std::size_t> read(std::span<char> to);  // bytes read; 0 at the end

    // From here to the end.  Error kInput where that is more than `limit` bytes: of a regular file before it is read.
    // Takes at most twice the memory of what it returns, for a moment.
    Result<std::string> readAll(std::uint64_t limit);

private:
    InputFile(std::string path, int file, StopReading stop)
        : path_(std::move(path)), file_(file), stop_(std::move(stop))
    {
    }
    friend Result<std::string> readOperandFile(const std::string&, const StopReading&, const AvailableMemory&);

    // Called with what has just been read; an error ends the reading.
    using Check = std::function<Status(std::string_view piece, std::uint64_t offset)>;
    Result<std::string> readAll(const Check& check);
    Status awaitBytes() const;

    std::string path_;
    int file_;
    StopReading stop_;
    std::uint64_t size_ = 0;
};

// The whole file, as InputFile reads it.
Result<std::string> readTextFile(const std::string& path, std::uint64_t limit, const StopReading& stop = {});

// Text that may be as long as memory allows: the operand of a computation, from a file, a pipe or a device.  Errors:
// kLimit beyond a quarter of what is available (a regular file: before it is read), or beyond an eighth of it and
// kLongestPipe where a length is not known before the end; kInput at the first byte 0, which no text has.
inline constexpr std::uint64_t kLongestPipe = 256u << 20;  // bytes
Result<std::string> readOperandFile(const std::string& path, const StopReading& stop,
                                    const AvailableMemory& available = availableMemoryOf(memorySources()));

}  // namespace orogen
