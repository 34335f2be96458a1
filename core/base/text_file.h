// Reading of text files with a size limit.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "core/base/memory.h"
#include "core/base/status.h"

namespace orogen {

// Polled while a read waits, at least ten times a second; true ends the read.
using StopReading = std::function<bool()>;

// A file open for reading.  Errors name it: kInput, or kInterrupted after a stop.
class InputFile
{
public:
    // Opens a regular file; with `stop` also pipes, terminals and devices, where read() may wait for a writer.
    static Result<InputFile> open(const std::string& path, StopReading stop = {});
    // Opens the program's standard input, from where it is read now; errors name it "standard input".
    static Result<InputFile> standardInput(StopReading stop);
    InputFile(InputFile&& other) noexcept;
    InputFile& operator=(InputFile&&) = delete;
    ~InputFile();

    std::uint64_t size() const { return size_; }  // in bytes; 0 if unknown

    Result<std::size_t> read(std::span<char> to);  // bytes read; 0 at the end

    // Reads from here to the end.  Error kInput if that exceeds `limit` bytes; if size() does, nothing is read.  If the
    // size is unknown and the text is long, reserves address space for `limit` bytes, at most kLongestPipe.
    Result<std::string> readAll(std::uint64_t limit);

private:
    InputFile(std::string path, int file, StopReading stop)
        : path_(std::move(path)), file_(file), stop_(std::move(stop))
    {
    }
    friend Result<std::string> readOperandFile(const std::string&, const StopReading&, const AvailableMemory&);

    // Called with each piece read and its offset in the text; an error ends reading.  Must fail for a piece that ends
    // beyond `limit` bytes, since nothing else stops the reading there.
    using Check = std::function<Status(std::string_view piece, std::uint64_t offset)>;
    Result<std::string> readAll(std::uint64_t limit, const Check& check);
    Status awaitBytes() const;

    std::string path_;
    int file_;
    StopReading stop_;
    std::uint64_t size_ = 0;
};

// Reads a whole file.  Errors: those of InputFile; kInput for more than `limit` bytes.
Result<std::string> readTextFile(const std::string& path, std::uint64_t limit, const StopReading& stop = {});

inline constexpr std::uint64_t kLongestPipe = 256u << 20;  // bytes
// Reads an operand of a computation from a file, a pipe or a device, or from standard input if `path` is "-".  Error
// kLimit: longer than a quarter of the available memory; a regular file is then not read.  If the length is unknown,
// the limit is an eighth of the available memory, at most kLongestPipe.  Error kInput: a byte 0, which no text
// contains.  Further errors: those of InputFile.
Result<std::string> readOperandFile(const std::string& path, const StopReading& stop,
                                    const AvailableMemory& available = availableMemoryOf(memorySources()));

// Unpacking of gzip files (RFC 1952) in memory.

// Returns the unpacked bytes of all members.  `name` starts messages.  Errors: kInput for bytes that are not gzip, are
// damaged or end early; kLimit for more than `limit` bytes, or no memory for zlib; kInterrupted after a stop.
Result<std::string> unpackGzip(std::string_view packed, const std::string& name, std::uint64_t limit,
                               const StopReading& stop = {});

}  // namespace orogen
