// A part of an import beside its output: records that are appended one by one, so that a process that is killed loses
// at most the one that it was writing.
//
// A header (what is imported), then records: 4 bytes of mark, CRC-32 of the payload, 8 bytes of its length, payload.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/base/atomic_file.h"
#include "core/base/status.h"

namespace orogen {

class PartFile
{
public:
    // Opens or begins the part of this description, for one process alone; what follows the last complete record is cut
    // off.  `replace`: also a part of another import, which is lost.  Errors, kOutput: it cannot be written, another
    // process writes it, it belongs to another import, is no part at all, or is a link, a pipe or a hard link: what
    // lies behind it stays as it is.
    static Result<PartFile> openToWrite(std::string path, const std::string& description, bool replace,
                                        const FileCalls& calls = systemFileCalls());
    // Errors, kInput: it is missing or no part.
    static Result<PartFile> openToRead(std::string path);
    // What a part describes itself as; empty: its process was killed before that was written.  Errors as above.
    static Result<std::string> descriptionAt(std::string path);

    static Error ofAnotherImport(const std::string& path);

    PartFile(PartFile&& other) noexcept;
    PartFile& operator=(PartFile&&) = delete;
    ~PartFile();

    const std::string& path() const { return path_; }
    const std::string& description() const { return description_; }
    std::uint64_t records() const { return places_.size(); }
    std::uint64_t size() const { return end_; }  // bytes

    // After an error, kOutput, the file ends with the last complete record.  What has been appended is on the disk at
    // the latest when flush() returns, and 64 MiB later at the latest.
    Status append(std::span<const std::byte> payload);
    Status flush();

    // Of a record's payload.  Any thread, also while another appends.  Errors, kInput.
    std::uint64_t bytesOf(std::uint64_t record) const { return places_[record].bytes; }
    Status read(std::uint64_t record, std::uint64_t offset, std::span<std::byte> to) const;
    Result<std::vector<std::byte>> readChecked(std::uint64_t record) const;  // all of it

private:
    struct Place
    {
        std::uint64_t offset, bytes;
    };

    PartFile(std::string path, int file, const FileCalls& calls) : path_(std::move(path)), file_(file), calls_(&calls)
    {
    }
    Error failed(const char* what) const;
    Error foreign() const;
    Result<bool> openHeader();
    Status begin(const std::string& description);
    Result<bool> readHeader();
    void scan();
    Status write(std::span<const std::byte> bytes);

    std::string path_, description_;
    int file_ = -1;
    const FileCalls* calls_;
    std::vector<Place> places_;
    std::uint64_t end_ = 0, flushed_ = 0;
};

}  // namespace orogen
