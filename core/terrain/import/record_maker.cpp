#include "core/terrain/import/record_maker.h"

#include <algorithm>

#include "core/terrain/io/tiff_directory.h"

namespace orogen {

Status RecordMaker::make(const ImportRecord& first, int rows, std::vector<std::vector<std::byte>>& payloads)
{
    payloads.clear();
    if (first.level == 0) return makeFinest(first, rows, payloads);
    ImportRecord record = first;
    for (; record.row < first.row + rows; ++record.row)
    {
        Result<std::vector<std::byte>> made = record.level == kBoundsLevel ? makeBounds(record) : makeCoarse(record);
        if (!made) return made.error();
        payloads.push_back(std::move(*made));
    }
    return Status::ok();
}

std::vector<std::byte> RecordMaker::payload(std::span<const std::uint32_t> lengths,
                                            std::span<const std::byte> blocks) const
{
    const auto head = std::as_bytes(lengths);
    std::vector<std::byte> bytes(head.begin(), head.end());
    bytes.insert(bytes.end(), blocks.begin(), blocks.end());
    return bytes;
}

Status RecordMaker::makeFinest(const ImportRecord& first, int rows, std::vector<std::vector<std::byte>>& payloads)
{
    if (!tiles_)
    {
        Result<std::unique_ptr<TileReader>> reader = source_->openReader();
        if (!reader) return reader.error();
        tiles_ = std::move(*reader);
    }
    const int left = first.first * kBlockSide, top = first.row * kBlockSide;
    const TileWindow window = {0, left, top, std::min(first.count * kBlockSide, store_.job.width - left),
                               std::min(rows * kBlockSide, store_.job.height - top)};
    window_.resize(std::size_t(window.width) * std::size_t(window.height));
    if (Status s = tiles_->read(window, window_); !s) return s;
    if (Status s = toSamples(store_.job, source_->raster().name, window, window_); !s) return s;
    for (int row = 0; row < rows; ++row)
    {
        std::vector<std::uint32_t> lengths;
        std::vector<std::byte> blocks;
        for (int column = 0; column < first.count; ++column)
        {
            // Outside the raster, repeat its last samples, which compresses best.
            for (int y = 0; y < kBlockSide; ++y)
            {
                const int line = std::min(row * kBlockSide + y, window.height - 1);
                const float* from = window_.data() + std::ptrdiff_t(line) * window.width;
                for (int x = 0; x < kBlockSide; ++x)
                    block_[std::size_t(y * kBlockSide + x)] = from[std::min(column * kBlockSide + x, window.width - 1)];
            }
            lengths.push_back(codec_.encode(std::span<const float, kBlockSamples>(block_), blocks));
        }
        payloads.push_back(payload(lengths, blocks));
    }
    return Status::ok();
}

// Sets block_ to every second sample of the next finer level, beginning with the first; repeats its last one outside.
Status RecordMaker::decimate(int level, int column, int row)
{
    const int lastColumn = TileGrid::samplesOf(store_.job.width, level - 1) - 1;
    const int lastRow = TileGrid::samplesOf(store_.job.height, level - 1) - 1;
    const auto finer = [](int coarse, int last) { return std::min(2 * coarse, last); };
    const int left = finer(column * kBlockSide, lastColumn), top = finer(row * kBlockSide, lastRow);
    const int right = finer((column + 1) * kBlockSide - 1, lastColumn);
    const int bottom = finer((row + 1) * kBlockSide - 1, lastRow);
    const TileWindow window = {level - 1, left, top, right - left + 1, bottom - top + 1};
    window_.resize(std::size_t(window.width) * std::size_t(window.height));
    if (Status s = reader_.read(window, window_); !s) return s;
    for (int y = 0; y < kBlockSide; ++y)
    {
        const float* from = window_.data() + std::ptrdiff_t(finer(row * kBlockSide + y, lastRow) - top) * window.width;
        for (int x = 0; x < kBlockSide; ++x)
            block_[std::size_t(y * kBlockSide + x)] = from[finer(column * kBlockSide + x, lastColumn) - left];
    }
    return Status::ok();
}

Result<std::vector<std::byte>> RecordMaker::makeCoarse(const ImportRecord& record)
{
    std::vector<std::uint32_t> lengths;
    std::vector<std::byte> blocks;
    for (int column = record.first; column < record.first + record.count; ++column)
    {
        if (Status s = decimate(record.level, column, record.row); !s) return s.error();
        lengths.push_back(codec_.encode(std::span<const float, kBlockSamples>(block_), blocks));
    }
    return payload(lengths, blocks);
}

Result<std::vector<std::byte>> RecordMaker::makeBounds(const ImportRecord& record)
{
    if (!bounder_) bounder_ = std::make_unique<UnitBounder>(store_, *coarsest_);
    std::vector<std::byte> bytes;
    for (int column = record.first; column < record.first + record.count; ++column)
    {
        const Result<UnitBounds> bounds = bounder_->bound(column, record.row);
        if (!bounds) return bounds.error();
        bounds->pack(bytes);
    }
    return bytes;
}

}  // namespace orogen
