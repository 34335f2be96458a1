// Blocks of samples of an import: their codec, and a reader of written blocks, from which coarser levels and bounds are
// computed. Blocks are written to parts: files that are joined at the end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/base/atomic_file.h"
#include "core/base/status.h"
#include "core/terrain/import/import_job.h"
#include "core/terrain/tiles/tile_source.h"

namespace orogen {

// Part of an import: a file beside the import's output, to which records are appended. A killed process loses at most
// the record that it was writing.
//
// Format: a header (description of the import), then records. A record has 4 bytes that mark its start, the CRC-32 of
// its payload, 8 bytes with the payload's length, and the payload.
class PartFile
{
public:
    // Opens or creates the part with this description, for one process alone. Removes incomplete data after the last
    // complete record. `replace`: overwrites a part of another import. Errors, kOutput: it cannot be written, another
    // process writes it, it belongs to another import, or is not a part. Links, pipes and files with several hard links
    // are errors, too, and stay untouched.
    static Result<PartFile> openToWrite(std::string path, const std::string& description, bool replace,
                                        const FileCalls& calls = systemFileCalls());
    // Opens a part for reading. Errors, kInput: it is missing, not a part, or has no complete header yet.
    static Result<PartFile> openToRead(std::string path);
    // Returns a part's description; empty without a complete header. Errors, kInput: the file is missing or is not a
    // part.
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

    // Access to a record's payload, from any thread, but not during append(). Errors: kInput.
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

// Samples as floats, NaN where missing. Both stored sample types round-trip exactly.
using BlockSamples = std::span<float, kBlockSamples>;

// Codec for blocks of samples in the file, which TIFF calls tiles.
class BlockCodec
{
public:
    explicit BlockCodec(const ImportJob& job) : job_(job) {}

    // Appends the block in its stored form: 4 bytes of length, its bytes, and its last 4 bytes again (GDAL's
    // BLOCK_LEADER and BLOCK_TRAILER). Returns the length without these 8 bytes. If all samples are missing, appends
    // nothing and returns 0, and the file omits the block.
    std::uint32_t encode(std::span<const float, kBlockSamples> samples, std::vector<std::byte>& out);

    // Decodes a block; `bytes` excludes leader and trailer. Returns false if the result is not a whole block.
    [[nodiscard]] bool decode(std::span<const std::byte> bytes, BlockSamples samples);

private:
    template <class T>
    void pack(std::span<const float, kBlockSamples> samples, bool predicted);
    template <class T>
    void unpack(BlockSamples samples, bool predicted) const;

    const ImportJob& job_;
    std::vector<std::byte> raw_;
};

// Parts and plan of an import, shared by all readers. parts[i] is part i, or null if it is not needed.
struct BlockStore
{
    const ImportJob& job;
    const ImportPlan& plan;
    std::vector<const PartFile*> parts;
};

// A row of blocks in a record: their lengths, then the blocks with leader and trailer.
struct BlockRecord
{
    std::vector<std::uint32_t> lengths;  // 0: omitted

    // Returns the bytes of a block with leader and trailer.
    static std::uint64_t stored(std::uint32_t length) { return length == 0 ? 0 : std::uint64_t(length) + 8; }
    std::uint64_t begin() const { return 4 * lengths.size(); }  // offset of the first block in the payload
    std::uint64_t bytes() const;                                // size of all blocks
};
// Reads the lengths of the `count` blocks in record `number` of a part.
Result<BlockRecord> blockRecord(const PartFile& part, std::uint64_t number, int count);

// Block reader with a cache of the kKept blocks used last. Not thread-safe; each thread has its own.
class BlockReader
{
public:
    static constexpr std::size_t kKept = 80;  // blocks of 256 KiB

    explicit BlockReader(const BlockStore& store) : store_(store), codec_(store.job) {}

    // Reads samples as stored, not metres, of a window within the level; NaN where missing. Errors, kInput: a part that
    // cannot be read, or is damaged.
    Status read(const TileWindow& window, std::span<float> out);

private:
    struct Kept
    {
        int level = 0, column = 0, row = 0;
        std::uint64_t lastUse = 0;
        std::vector<float> samples;
    };

    Result<const float*> block(int level, int column, int row);
    Status load(Kept& place);

    const BlockStore& store_;
    BlockCodec codec_;
    std::vector<Kept> kept_;
    std::uint64_t uses_ = 0;
};

}  // namespace orogen
