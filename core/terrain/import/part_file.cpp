#include "core/terrain/import/part_file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <zlib.h>

#include <fmt/format.h>

#include "core/terrain/io/byte_source.h"
#include "core/terrain/io/geotiff_writer.h"

namespace orogen {
namespace {

constexpr std::string_view kMagic = "OROGENP1";
constexpr std::uint32_t kRecordMark = 0x4345524f;  // "OREC"
constexpr std::uint64_t kRecordHeader = 16;
constexpr std::uint64_t kUnflushed = 64u << 20;  // bytes that may be lost in a power cut
constexpr std::uint32_t kLargestDescription = 16u << 20;

std::uint32_t checksum(std::span<const std::byte> bytes)
{
    return std::uint32_t(crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

bool readAt(int file, std::uint64_t offset, std::span<std::byte> to)
{
    while (!to.empty())
    {
        const ssize_t count = ::pread(file, to.data(), to.size(), off_t(offset));
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return false;
        offset += std::uint64_t(count);
        to = to.subspan(std::size_t(count));
    }
    return true;
}

struct RecordHeader
{
    std::uint32_t mark, checksum;
    std::uint64_t bytes;
};
static_assert(sizeof(RecordHeader) == kRecordHeader);

}  // namespace

PartFile::PartFile(PartFile&& other) noexcept
    : path_(std::move(other.path_)), description_(std::move(other.description_)), file_(std::exchange(other.file_, -1)),
      calls_(other.calls_), places_(std::move(other.places_)), end_(other.end_), flushed_(other.flushed_)
{
}

PartFile::~PartFile()
{
    if (file_ >= 0) calls_->close(file_);
}

Error PartFile::failed(const char* what) const
{
    return {ExitCode::kOutput, fmt::format("{}: {}: {}", path_, what, std::strerror(errno))};
}

Error PartFile::ofAnotherImport(const std::string& path)
{
    return {ExitCode::kOutput, path + ": belongs to another import: another source, one that has changed, or other "
                                      "options (--force starts over)"};
}

Error PartFile::foreign() const
{
    return {ExitCode::kOutput, path_ + ": is a link, not a file or has a second name, expected a file of its own or a "
                                       "free name"};
}

Result<PartFile> PartFile::openToWrite(std::string path, const std::string& description, bool replace,
                                       const FileCalls& calls)
{
    // O_NONBLOCK: opening a named pipe must not block.
    constexpr int kFlags = O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
    const int file = calls.open(path.c_str(), kFlags, 0666);
    PartFile part(std::move(path), file, calls);
    if (file < 0 && errno == ELOOP) return part.foreign();
    if (file < 0) return part.failed("cannot be written");
    if (struct stat found = {}; ::fstat(file, &found) != 0 || !S_ISREG(found.st_mode) || found.st_nlink != 1)
        return part.foreign();
    if (::flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        return Error{ExitCode::kOutput, part.path_ + ": another process is writing it"};
    const Result<bool> whole = part.readHeader();
    if (!whole) return Error{ExitCode::kOutput, whole.error().message};
    if (*whole && part.description_ != description && !replace) return ofAnotherImport(part.path_);
    if (!*whole || part.description_ != description)
    {
        if (Status s = part.begin(description); !s) return s.error();
        return part;
    }
    part.scan();
    if (::ftruncate(file, off_t(part.end_)) != 0) return part.failed("cannot be written");
    return part;
}

Result<PartFile> PartFile::openToRead(std::string path)
{
    PartFile part(std::move(path), -1, systemFileCalls());
    const Result<bool> whole = part.openHeader();
    if (!whole) return whole.error();
    if (!*whole) return inputError(part.path_, "its header is not complete yet");
    part.scan();
    return part;
}

Result<std::string> PartFile::descriptionAt(std::string path)
{
    PartFile part(std::move(path), -1, systemFileCalls());
    const Result<bool> whole = part.openHeader();
    if (!whole) return whole.error();
    return part.description_;
}

Result<bool> PartFile::openHeader()
{
    file_ = ::open(path_.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (file_ < 0) return inputError(path_, std::strerror(errno));
    return readHeader();
}

// Returns false without a complete header: the file is new, or its process was killed while writing it.
Result<bool> PartFile::readHeader()
{
    struct stat found = {};
    if (::fstat(file_, &found) != 0 || !S_ISREG(found.st_mode)) return inputError(path_, "is not a regular file");
    std::vector<std::byte> head(16);
    const std::size_t there = std::size_t(std::min<std::int64_t>(found.st_size, 16));
    if (!readAt(file_, 0, std::span(head).first(there))) return inputError(path_, "cannot be read");
    if (std::memcmp(head.data(), kMagic.data(), std::min(there, kMagic.size())) != 0)
        return inputError(path_, "is not part of an import");
    std::uint32_t length = 0, sum = 0;
    std::memcpy(&length, head.data() + 8, 4);
    std::memcpy(&sum, head.data() + 12, 4);
    if (there < 16) return false;
    if (length > kLargestDescription) return inputError(path_, "is not part of an import");
    if (found.st_size < 16 + std::int64_t(length)) return false;
    description_.resize(length);
    const std::span text = std::as_writable_bytes(std::span(description_));
    if (!readAt(file_, 16, text)) return inputError(path_, "cannot be read");
    if (checksum(text) != sum) return inputError(path_, "is not part of an import");
    end_ = 16 + length;
    return true;
}

Status PartFile::begin(const std::string& description)
{
    description_ = description;
    places_.clear();
    end_ = flushed_ = 0;
    if (::ftruncate(file_, 0) != 0) return failed("cannot be written");
    std::vector<std::byte> head;
    for (const char c : kMagic)
        appendBytes(head, c);
    const auto text = std::as_bytes(std::span(description));
    appendBytes(head, std::uint32_t(text.size()));
    appendBytes(head, checksum(text));
    head.insert(head.end(), text.begin(), text.end());
    return write(head);
}

// Finds the complete records. A power cut can lose data but keep the file's length. So the checksums of records near
// the end, which may not have been flushed, are verified.
void PartFile::scan()
{
    struct stat found = {};
    if (::fstat(file_, &found) != 0) return;
    const std::uint64_t size = std::uint64_t(found.st_size);
    RecordHeader header{};
    while (end_ + kRecordHeader <= size && readAt(file_, end_, std::as_writable_bytes(std::span(&header, 1))) &&
           header.mark == kRecordMark && header.bytes <= size - end_ - kRecordHeader)
    {
        places_.push_back({end_ + kRecordHeader, header.bytes});
        end_ += kRecordHeader + header.bytes;
        if (size - (end_ - header.bytes) > 2 * kUnflushed + header.bytes || readChecked(records() - 1)) continue;
        places_.pop_back();
        end_ -= kRecordHeader + header.bytes;
        break;
    }
    flushed_ = end_;
}

Status PartFile::write(std::span<const std::byte> bytes)
{
    const std::uint64_t before = end_;
    while (!bytes.empty())
    {
        const ssize_t count = calls_->write(file_, bytes.data(), bytes.size());
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0)
        {
            if (count == 0) errno = ENOSPC;
            const Error error = failed("cannot be written");
            end_ = before;
            (void)!::ftruncate(file_, off_t(before));
            return error;
        }
        end_ += std::uint64_t(count);
        bytes = bytes.subspan(std::size_t(count));
    }
    return Status::ok();
}

Status PartFile::append(std::span<const std::byte> payload)
{
    const RecordHeader header = {kRecordMark, checksum(payload), payload.size()};
    std::vector<std::byte> bytes(kRecordHeader);
    std::memcpy(bytes.data(), &header, kRecordHeader);
    bytes.insert(bytes.end(), payload.begin(), payload.end());
    const std::uint64_t place = end_ + kRecordHeader;
    if (Status s = write(bytes); !s) return s;
    places_.push_back({place, payload.size()});
    return end_ - flushed_ < kUnflushed ? Status::ok() : flush();
}

Status PartFile::flush()
{
    int result = 0;
    do
        result = calls_->fsync(file_);
    while (result != 0 && errno == EINTR);
    if (result != 0) return failed("cannot be flushed to the disk");
    flushed_ = end_;
    return Status::ok();
}

Status PartFile::read(std::uint64_t record, std::uint64_t offset, std::span<std::byte> to) const
{
    const Place& place = places_[record];
    if (offset > place.bytes || to.size() > place.bytes - offset || !readAt(file_, place.offset + offset, to))
        return inputError(path_, fmt::format("record {}: cannot be read", record));
    return Status::ok();
}

Result<std::vector<std::byte>> PartFile::readChecked(std::uint64_t record) const
{
    const Place& place = places_[record];
    std::vector<std::byte> bytes(place.bytes);
    RecordHeader header{};
    if (!readAt(file_, place.offset - kRecordHeader, std::as_writable_bytes(std::span(&header, 1))) ||
        !readAt(file_, place.offset, bytes) || header.checksum != checksum(bytes))
        return inputError(path_, fmt::format("record {}: damaged (delete the file and import again)", record));
    return bytes;
}

}  // namespace orogen
