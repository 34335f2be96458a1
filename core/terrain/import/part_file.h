// Part of an import: a file beside the import's output, to which records are appended. A killed process loses at most
// the record that it was writing.
//
// Format: a header (description of the import), then records. A record has 4 bytes that mark its start, the CRC-32 of
// its payload, 8 bytes with the payload's length, and the payload.
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
    // Opens or creates the part with this description, for one process alone. Removes incomplete data after the last
    // complete record. `replace`: overwrites a part of another import. Errors, kOutput: it cannot be written, another
    // process writes it, it belongs to another import, or is not a part. Links, pipes and files with several hard links
    // are errors, too, and stay untouched.
    static Result<PartFile> openToWrite(std::string path, const std::string& description, bool replace,
                                        const FileCalls& calls = systemFileCalls());
    // Opens a part for reading. Errors, kInput: it is missing or not a part.
    static Result<PartFile> openToRead(std::string path);
    // Returns a part's description; empty if its process was killed before writing it. Errors as for openToRead().
    static Result<std::string> descriptionAt(std::string path);

    // Returns the error for a part that belongs to another import.
    static Error ofAnotherImport(const std::string& path);

    PartFile(PartFile&& other) noexcept;
    PartFile& operator=(PartFile&&) = delete;
    ~PartFile();

    const std::string& path() const { return path_; }
    const std::string& description() const { return description_; }
    std::uint64_t records() const { return places_.size(); }
    std::uint64_t size() const { return end_; }  // bytes

    // Appends a record. After an error, kOutput, the file ends with the last complete record. Records are on the disk
    // when flush() has returned, or at the latest when another 64 MiB have been appended.
    Status append(std::span<const std::byte> payload);
    Status flush();

    // Access to a record's payload, from any thread, but not during append(). Errors, kInput.
    std::uint64_t bytesOf(std::uint64_t record) const { return places_[record].bytes; }
    Status read(std::uint64_t record, std::uint64_t offset, std::span<std::byte> to) const;
    Result<std::vector<std::byte>> readChecked(std::uint64_t record) const;  // whole payload, checksum verified

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
