#include "core/terrain/import/block_store.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <numeric>
#include <string_view>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "core/terrain/io/byte_source.h"
#include "core/terrain/io/geotiff_writer.h"
#include "core/terrain/raster/raster.h"

namespace orogen {
namespace {

constexpr std::string_view kMagic = "OROGENP1";
constexpr std::uint32_t kRecordMark = 0x4345524f;  // "OREC"
constexpr std::uint64_t kRecordHeader = 16;
constexpr std::uint64_t kUnflushed = 64u << 20;  // bytes after which append() flushes; a power cut may lose them
constexpr std::uint32_t kLargestDescription = 16u << 20;  // bytes

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

namespace {

constexpr int kDeflateLevel = 6;
constexpr std::size_t kSide = kBlockSide;

// Applies TIFF's predictor 2: stores the difference to the previous sample.
void difference(std::uint16_t* row)
{
    for (std::size_t i = kSide - 1; i > 0; --i)
        row[i] = std::uint16_t(row[i] - row[i - 1]);
}

void sum(std::uint16_t* row)
{
    for (std::size_t i = 1; i < kSide; ++i)
        row[i] = std::uint16_t(row[i] + row[i - 1]);
}

// Applies TIFF's predictor 3: stores the most significant bytes of all samples, then the next significant bytes, and so
// on, each as the difference to the byte before.
void difference(std::uint32_t* row)
{
    std::array<std::uint8_t, 4 * kSide> bytes;
    for (std::size_t i = 0; i < kSide; ++i)
        for (std::size_t b = 0; b < 4; ++b)
            bytes[b * kSide + i] = std::uint8_t(row[i] >> (24 - 8 * b));
    for (std::size_t i = bytes.size() - 1; i > 0; --i)
        bytes[i] = std::uint8_t(bytes[i] - bytes[i - 1]);
    std::memcpy(row, bytes.data(), bytes.size());
}

void sum(std::uint32_t* row)
{
    std::array<std::uint8_t, 4 * kSide> bytes;
    std::memcpy(bytes.data(), row, bytes.size());
    for (std::size_t i = 1; i < bytes.size(); ++i)
        bytes[i] = std::uint8_t(bytes[i] + bytes[i - 1]);
    for (std::size_t i = 0; i < kSide; ++i)
    {
        row[i] = 0;
        for (std::size_t b = 0; b < 4; ++b)
            row[i] |= std::uint32_t(bytes[b * kSide + i]) << (24 - 8 * b);
    }
}

std::uint16_t bitsOf(std::uint16_t, float sample) { return std::uint16_t(std::int16_t(sample)); }
std::uint32_t bitsOf(std::uint32_t, float sample)
{
    std::uint32_t bits;
    std::memcpy(&bits, &sample, sizeof bits);
    return bits;
}
float sampleOf(std::uint16_t bits) { return float(std::int16_t(bits)); }
float sampleOf(std::uint32_t bits)
{
    float sample;
    std::memcpy(&sample, &bits, sizeof sample);
    return sample;
}

}  // namespace

template <class T>
void BlockCodec::pack(std::span<const float, kBlockSamples> samples, bool predicted)
{
    raw_.resize(kBlockSamples * sizeof(T));
    const T missing = bitsOf(T{}, std::isnan(job_.nodata) ? kVoid : float(job_.nodata));
    std::array<T, kSide> row;
    for (std::size_t y = 0; y < kSide; ++y)
    {
        const float* from = samples.data() + y * kSide;
        std::transform(from, from + kSide, row.begin(),
                       [missing](float sample) { return std::isnan(sample) ? missing : bitsOf(T{}, sample); });
        if (predicted) difference(row.data());
        std::memcpy(raw_.data() + y * sizeof row, row.data(), sizeof row);
    }
}

template <class T>
void BlockCodec::unpack(BlockSamples samples, bool predicted) const
{
    const T missing = bitsOf(T{}, std::isnan(job_.nodata) ? kVoid : float(job_.nodata));
    std::array<T, kSide> row;
    for (std::size_t y = 0; y < kSide; ++y)
    {
        std::memcpy(row.data(), raw_.data() + y * sizeof row, sizeof row);
        if (predicted) sum(row.data());
        std::transform(row.begin(), row.end(), samples.data() + y * kSide,
                       [missing](T bits) { return bits == missing ? kVoid : sampleOf(bits); });
    }
}

std::uint32_t BlockCodec::encode(std::span<const float, kBlockSamples> samples, std::vector<std::byte>& out)
{
    if (std::all_of(samples.begin(), samples.end(), [](float sample) { return std::isnan(sample); })) return 0;
    const bool deflated = job_.compression == ImportCompression::kDeflate;
    if (job_.samples == StoredSamples::kInt16)
        pack<std::uint16_t>(samples, deflated);
    else
        pack<std::uint32_t>(samples, deflated);
    const std::size_t begin = out.size() + 4;
    uLongf length = uLongf(raw_.size());
    if (deflated) length = compressBound(uLong(raw_.size()));
    out.resize(begin + length);
    if (!deflated)
        std::copy(raw_.begin(), raw_.end(), out.begin() + std::ptrdiff_t(begin));
    else if (compress2(reinterpret_cast<Bytef*>(out.data() + begin), &length,
                       reinterpret_cast<const Bytef*>(raw_.data()), uLong(raw_.size()), kDeflateLevel) != Z_OK)
        throw std::bad_alloc();  // the only possible error, since the output buffer is large enough
    const auto bytes = std::uint32_t(length);
    std::memcpy(out.data() + begin - 4, &bytes, 4);
    out.resize(begin + length);
    std::array<std::byte, 4> last;
    std::copy_n(out.end() - 4, 4, last.begin());
    out.insert(out.end(), last.begin(), last.end());
    return bytes;
}

bool BlockCodec::decode(std::span<const std::byte> bytes, BlockSamples samples)
{
    const bool whole = job_.samples == StoredSamples::kInt16,
               deflated = job_.compression == ImportCompression::kDeflate;
    raw_.resize(kBlockSamples * (whole ? 2 : 4));
    uLongf length = uLongf(raw_.size());
    if (!deflated && bytes.size() == raw_.size())
        std::copy(bytes.begin(), bytes.end(), raw_.begin());
    else if (!deflated || uncompress(reinterpret_cast<Bytef*>(raw_.data()), &length,
                                     reinterpret_cast<const Bytef*>(bytes.data()), uLong(bytes.size())) != Z_OK)
        return false;
    if (length != raw_.size()) return false;
    if (whole)
        unpack<std::uint16_t>(samples, deflated);
    else
        unpack<std::uint32_t>(samples, deflated);
    return true;
}

std::uint64_t BlockRecord::bytes() const
{
    return std::accumulate(lengths.begin(), lengths.end(), std::uint64_t(0),
                           [](std::uint64_t sum, std::uint32_t length) { return sum + stored(length); });
}

Result<BlockRecord> blockRecord(const PartFile& part, std::uint64_t number, int count)
{
    BlockRecord record{std::vector<std::uint32_t>(std::size_t(count))};
    if (Status s = part.read(number, 0, std::as_writable_bytes(std::span(record.lengths))); !s) return s.error();
    if (record.begin() + record.bytes() != part.bytesOf(number))
        return inputError(part.path(), fmt::format("record {}: lengths that do not fit", number));
    return record;
}

Status BlockReader::load(Kept& place)
{
    place.samples.resize(kBlockSamples);
    const ImportPlan& plan = store_.plan;
    const int partNumber = plan.partOf(place.level, place.row);
    const PartFile& part = *store_.parts[std::size_t(partNumber)];
    const std::uint64_t number = plan.numberOf(place.level, place.row, place.column);
    const ImportRecord at = plan.record(partNumber, number);
    const Result<BlockRecord> record = blockRecord(part, number, at.count);
    if (!record) return record.error();
    const std::size_t index = std::size_t(place.column - at.first);
    std::uint64_t offset = record->begin();
    for (std::size_t i = 0; i < index; ++i)
        offset += BlockRecord::stored(record->lengths[i]);
    if (record->lengths[index] == 0)
    {
        std::fill(place.samples.begin(), place.samples.end(), kVoid);
        return Status::ok();
    }
    std::vector<std::byte> bytes(record->lengths[index]);
    if (Status s = part.read(number, offset + 4, bytes); !s) return s;
    if (!codec_.decode(bytes, BlockSamples(place.samples)))
        return inputError(part.path(), fmt::format("record {}: damaged (delete the file and import again)", number));
    return Status::ok();
}

Result<const float*> BlockReader::block(int level, int column, int row)
{
    const auto found = std::ranges::find_if(
        kept_, [&](const Kept& kept) { return kept.level == level && kept.column == column && kept.row == row; });
    if (found != kept_.end())
    {
        found->lastUse = ++uses_;
        return static_cast<const float*>(found->samples.data());
    }
    if (kept_.size() < kKept) kept_.emplace_back();
    Kept& place = *std::ranges::min_element(kept_, {}, &Kept::lastUse);
    place.level = level, place.column = column, place.row = row, place.lastUse = ++uses_;
    if (Status s = load(place); !s)
    {
        place.level = kBoundsLevel, place.lastUse = 0;  // marks the cache entry as empty
        return s.error();
    }
    return static_cast<const float*>(place.samples.data());
}

Status BlockReader::read(const TileWindow& window, std::span<float> out)
{
    assert(out.size() == std::size_t(window.width) * std::size_t(window.height));
    const int right = window.column + window.width, bottom = window.row + window.height;
    for (int y = window.row / kBlockSide; y * kBlockSide < bottom; ++y)
        for (int x = window.column / kBlockSide; x * kBlockSide < right; ++x)
        {
            const Result<const float*> samples = block(window.level, x, y);
            if (!samples) return samples.error();
            const int left = std::max(window.column, x * kBlockSide), end = std::min(right, (x + 1) * kBlockSide);
            for (int row = std::max(window.row, y * kBlockSide); row < std::min(bottom, (y + 1) * kBlockSide); ++row)
                std::copy_n(*samples + std::ptrdiff_t(row - y * kBlockSide) * kBlockSide + (left - x * kBlockSide),
                            end - left,
                            out.begin() + std::ptrdiff_t(row - window.row) * window.width + (left - window.column));
        }
    return Status::ok();
}

}  // namespace orogen
