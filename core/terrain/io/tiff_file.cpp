#include "core/terrain/io/tiff_file.h"

#include <algorithm>
#include <array>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/terrain/io/byte_source.h"

namespace orogen {
namespace {

// Some functions of libtiff have no handle for their errors and would print them.
void silenceGlobalHandlers()
{
    static const bool done = [] {
        TIFFSetErrorHandler(nullptr);
        TIFFSetWarningHandler(nullptr);
        return true;
    }();
    (void)done;
}

// Parser of a directory in the file, to check its claims before libtiff allocates memory for them.
class DirectoryLook
{
public:
    struct Entry
    {
        std::uint32_t tag = 0, type = 0;
        std::uint64_t count = 0;

        std::uint64_t valueBytes() const
        {
            constexpr std::array<std::uint8_t, 19> kBytes = {0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 0, 0, 8, 8, 8};
            return type < kBytes.size() ? kBytes[type] : 0;
        }
        bool listsChunks() const
        {
            return tag == TIFFTAG_STRIPOFFSETS || tag == TIFFTAG_STRIPBYTECOUNTS || tag == TIFFTAG_TILEOFFSETS ||
                   tag == TIFFTAG_TILEBYTECOUNTS;
        }
    };

    explicit DirectoryLook(const ByteSource& source) : source_(source)
    {
        std::array<unsigned char, 4> head{};
        source.read(0, head.data(), head.size());
        bigEndian_ = head[0] == 'M';
        big_ = head[bigEndian_ ? 3 : 2] == 43;
    }

    std::uint64_t first() const { return big_ ? number(8, 8) : number(4, 4); }
    // Returns the offset of the directory chained to the one at `directory`; 0 if there is none.
    std::uint64_t next(std::uint64_t directory) const
    {
        return number(directory + (big_ ? 8 : 2) + count(directory) * (big_ ? 20 : 12), big_ ? 8 : 4);
    }
    std::vector<Entry> entries(std::uint64_t directory) const
    {
        const std::size_t size = big_ ? 20 : 12;
        std::vector<unsigned char> table(std::size_t(std::min<std::uint64_t>(count(directory), kMostEntries)) * size);
        table.resize(source_.read(directory + (big_ ? 8 : 2), table.data(), table.size()) / size * size);
        std::vector<Entry> entries;
        for (const unsigned char* at = table.data(); at < table.data() + table.size(); at += size)
            entries.push_back(
                {std::uint32_t(number(at, 2)), std::uint32_t(number(at + 2, 2)), number(at + 4, big_ ? 8 : 4)});
        return entries;
    }

private:
    static constexpr std::uint64_t kMostEntries = 4096;

    std::uint64_t count(std::uint64_t directory) const { return number(directory, big_ ? 8 : 2); }
    std::uint64_t number(std::uint64_t at, std::size_t size) const
    {
        std::array<unsigned char, 8> bytes{};
        source_.read(at, bytes.data(), size);
        return number(bytes.data(), size);
    }
    std::uint64_t number(const unsigned char* bytes, std::size_t size) const
    {
        std::uint64_t value = 0;
        for (std::size_t i = 0; i < size; ++i)
            value = value << 8 | bytes[bigEndian_ ? i : size - 1 - i];
        return value;
    }

    const ByteSource& source_;
    bool big_ = false, bigEndian_ = false;
};

struct OptionsDeleter
{
    void operator()(TIFFOpenOptions* options) const { TIFFOpenOptionsFree(options); }
};

}  // namespace

tmsize_t TiffFile::readProc(thandle_t io, void* to, tmsize_t count)
{
    Io& self = *static_cast<Io*>(io);
    const std::size_t done = self.source->read(self.position, to, std::size_t(std::max<tmsize_t>(count, 0)));
    self.position += done;
    self.read += done;
    return tmsize_t(done);
}

toff_t TiffFile::seekProc(thandle_t io, toff_t offset, int whence)
{
    Io& self = *static_cast<Io*>(io);
    const std::uint64_t base = whence == SEEK_CUR ? self.position : whence == SEEK_END ? self.source->size() : 0;
    self.position = base + offset;
    return self.position;
}

int TiffFile::complain(TIFF*, void* io, const char*, const char* format, va_list arguments)
{
    char text[256];
    std::vsnprintf(text, sizeof text, format, arguments);
    Io& self = *static_cast<Io*>(io);
    if (self.complaint.empty()) self.complaint = printable(text);
    return 1;  // handled: suppresses libtiff's printing handler
}

Result<TiffFile> TiffFile::open(const ByteSource& source, Index index)
{
    silenceGlobalHandlers();
    TiffFile file;
    file.io_->source = &source;
    file.index_ = index;
    if (Status status = file.checkTags(DirectoryLook(source).first()); !status) return status.error();
    const std::unique_ptr<TIFFOpenOptions, OptionsDeleter> options(TIFFOpenOptionsAlloc());
    if (!options) return inputError(source.name(), "libtiff cannot be set up");
    TIFFOpenOptionsSetErrorHandlerExtR(options.get(), complain, file.io_.get());
    TIFFOpenOptionsSetWarningHandlerExtR(
        options.get(), [](TIFF*, void*, const char*, const char*, va_list) { return 1; }, nullptr);
    // Limit of one allocation (bytes): all arrays that libtiff needs come from the file. A list of strips takes at most
    // 8 times as much memory as in the file.
    TIFFOpenOptionsSetMaxSingleMemAlloc(options.get(), tmsize_t(source.size() * 8 + (1u << 20)));
    const auto refuseWrite = [](thandle_t, void*, tmsize_t) -> tmsize_t { return 0; };
    const auto close = [](thandle_t) { return 0; };
    const auto size = [](thandle_t io) -> toff_t { return static_cast<Io*>(io)->source->size(); };
    // "m": no memory mapping, because a file that shrinks would cause a bus error. "O": offsets of strips on demand;
    // "c": strips as stored.
    const char* const mode = index == Index::kOnDemand ? "rmOc" : "rm";
    file.handle_.reset(TIFFClientOpenExt(source.name().c_str(), mode, file.io_.get(), readProc, refuseWrite, seekProc,
                                         close, size, nullptr, nullptr, options.get()));
    if (!file.handle_) return inputError(source.name(), "TIFF header: " + file.takeComplaint("not readable"));
    file.io_->complaint.clear();
    return file;
}

Result<std::vector<std::uint64_t>> TiffFile::directories(std::size_t most)
{
    std::vector<std::uint64_t> found;
    while (true)
    {
        const std::uint64_t here = TIFFCurrentDirOffset(handle_.get());
        if (std::find(found.begin(), found.end(), here) != found.end())
            return inputError(name(), fmt::format("directory at offset {}: chained to itself", here));
        found.push_back(here);
        if (found.size() == most || TIFFLastDirectory(handle_.get()) != 0) break;
        io_->complaint.clear();
        if (Status status = checkTags(DirectoryLook(*io_->source).next(here)); !status) return status.error();
        if (TIFFReadDirectory(handle_.get()) != 1) return error(fmt::format("directory {}", found.size()));
    }
    if (Status status = select(found.front()); !status) return status.error();
    return found;
}

Status TiffFile::select(std::uint64_t directory)
{
    io_->complaint.clear();
    if (Status status = checkTags(directory); !status) return status;
    if (TIFFSetSubDirectory(handle_.get(), directory) != 1)
        return error(fmt::format("directory at offset {}", directory));
    io_->complaint.clear();
    return Status::ok();
}

Status TiffFile::checkTags(std::uint64_t directory) const
{
    std::uint64_t bytes = 0;
    for (const DirectoryLook::Entry& entry : DirectoryLook(*io_->source).entries(directory))
    {
        if (entry.listsChunks())
        {
            if (index_ == Index::kWhole && entry.count > kMostListed)
                return inputError(name(), fmt::format("tag {}: {} strips or tiles, expected at most {}", entry.tag,
                                                      entry.count, kMostListed));
            continue;
        }
        const std::uint64_t most = kMostTagBytes / std::max<std::uint64_t>(entry.valueBytes(), 1);
        bytes += std::min(entry.count, most + 1) * entry.valueBytes();
        if (bytes > kMostTagBytes)
            return inputError(name(), fmt::format("tag {}: {} values of {} bytes, expected all tags of a directory to "
                                                  "have at most {} MiB",
                                                  entry.tag, entry.count, entry.valueBytes(), kMostTagBytes >> 20));
    }
    return Status::ok();
}

std::uint64_t TiffFile::valueCount(std::uint64_t directory, std::uint32_t tag) const
{
    for (const DirectoryLook::Entry& entry : DirectoryLook(*io_->source).entries(directory))
        if (entry.tag == tag) return entry.count;
    return 0;
}

std::string TiffFile::takeComplaint(const std::string& otherwise)
{
    const std::string complaint = std::exchange(io_->complaint, {});
    return complaint.empty() ? otherwise : complaint;
}

Error TiffFile::error(const std::string& place)
{
    return inputError(name(), place + ": " + takeComplaint("cannot be decoded"));
}

const void* TiffFile::values(std::uint32_t tag, TIFFDataType type, std::uint32_t& count) const
{
    const TIFFField* field = TIFFFindField(handle_.get(), tag, TIFF_ANY);
    if (!field || TIFFFieldDataType(field) != type) return nullptr;
    const void* data = nullptr;
    count = 0;
    // Once GDAL is initialised, it registers the geographic tags with libtiff in a different form.
    if (!TIFFFieldPassCount(field))
    {
        if (type != TIFF_ASCII || TIFFGetField(handle_.get(), tag, &data) != 1 || !data) return nullptr;
        count = std::uint32_t(std::strlen(static_cast<const char*>(data)));
        return data;
    }
    if (TIFFFieldReadCount(field) == TIFF_VARIABLE)
    {
        std::uint16_t few = 0;
        if (TIFFGetField(handle_.get(), tag, &few, &data) != 1) return nullptr;
        count = few;
        return data;
    }
    if (TIFFFieldReadCount(field) != TIFF_VARIABLE2) return nullptr;
    return TIFFGetField(handle_.get(), tag, &count, &data) == 1 ? data : nullptr;
}

std::vector<double> TiffFile::doubles(std::uint32_t tag) const
{
    std::uint32_t count = 0;
    const auto* data = static_cast<const double*>(values(tag, TIFF_DOUBLE, count));
    return data ? std::vector<double>(data, data + count) : std::vector<double>();
}

std::vector<std::uint16_t> TiffFile::shorts(std::uint32_t tag) const
{
    std::uint32_t count = 0;
    const auto* data = static_cast<const std::uint16_t*>(values(tag, TIFF_SHORT, count));
    return data ? std::vector<std::uint16_t>(data, data + count) : std::vector<std::uint16_t>();
}

std::string TiffFile::text(std::uint32_t tag) const
{
    std::uint32_t count = 0;
    const auto* data = static_cast<const char*>(values(tag, TIFF_ASCII, count));
    if (!data) return {};
    return std::string(data, std::find(data, data + count, '\0'));
}

GeoTags TiffFile::geoTags() const
{
    GeoTags tags;
    tags.pixelScale = doubles(33550);
    tags.tiePoints = doubles(33922);
    tags.transformation = doubles(34264);
    tags.directory = shorts(34735);
    tags.doubles = doubles(34736);
    tags.ascii = text(34737);
    return tags;
}

}  // namespace orogen
