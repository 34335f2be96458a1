#include "core/terrain/sources/folder_tiles.h"

#include <algorithm>
#include <cmath>
#include <list>

#include "core/terrain/io/source_files.h"
#include "core/terrain/raster/raster_making.h"
#include "core/terrain/sources/folder_file.h"
#include "core/terrain/sources/tile_glance.h"

namespace orogen {
namespace {

constexpr std::size_t kMostOpen = 48;     // files per reader
constexpr std::size_t kMostUnpacked = 2;  // 52 MB each

// The part of the requested positions along one side that lies in a file: indices from `begin`, positions in the file.
struct Overlap
{
    std::size_t begin = 0;
    std::vector<int> positions;
};

Overlap overlapOf(std::span<const int> at, std::int64_t first, int side)
{
    Overlap overlap;
    overlap.begin = std::size_t(std::lower_bound(at.begin(), at.end(), first) - at.begin());
    for (std::size_t i = overlap.begin; i < at.size() && at[i] < first + side; ++i)
        overlap.positions.push_back(int(at[i] - first));
    return overlap;
}

}  // namespace

class FolderTileReader : public TileReader
{
public:
    explicit FolderTileReader(const FolderTiles& source) : source_(source)
    {
        levels_.images.push_back({source.raster_.width, source.raster_.height, 0});
    }

    Status read(const TileWindow& window, std::span<float> out) override
    {
        return readLevel(levels_, window, out,
                         [this](std::size_t, std::span<const int> columns, std::span<const int> rows,
                                std::span<float> heights) { return gather(columns, rows, heights); });
    }

    std::uint64_t bytesRead() const override
    {
        std::uint64_t bytes = closedBytes_;
        for (const Open& open : open_)
            bytes += open.file->bytesRead();
        return bytes;
    }

private:
    struct Open
    {
        std::size_t tile;
        std::unique_ptr<FolderFile> file;
    };

    Status gather(std::span<const int> columns, std::span<const int> rows, std::span<float> out)
    {
        std::ranges::fill(out, kVoid);
        for (std::size_t i = 0; i < source_.tiles_.size(); ++i)
        {
            const FolderTile& tile = source_.tiles_[i];
            const Overlap x = overlapOf(columns, tile.column, tile.header.width);
            const Overlap y = overlapOf(rows, tile.row, tile.header.height);
            if (x.positions.empty() || y.positions.empty()) continue;
            if (Status status = copy(i, x, y, out, columns.size()); !status) return status;
        }
        return Status::ok();
    }

    // Heights replace voids, and the file with the later name wins.
    Status copy(std::size_t tile, const Overlap& x, const Overlap& y, std::span<float> out, std::size_t stride)
    {
        const Result<FolderFile*> file = fileOf(tile);
        if (!file) return file.error();
        part_.resize(x.positions.size() * y.positions.size());
        if (Status status = (*file)->gather(x.positions, y.positions, part_); !status)
        {
            close(open_.begin());
            return status;
        }
        const float* from = part_.data();
        for (std::size_t row = 0; row < y.positions.size(); ++row)
            for (std::size_t column = 0; column < x.positions.size(); ++column, ++from)
                if (!std::isnan(*from)) out[(y.begin + row) * stride + x.begin + column] = *from;
        return Status::ok();
    }

    // Returns a file, opened if necessary, and moves it to the front of the list.
    Result<FolderFile*> fileOf(std::size_t tile)
    {
        const auto known = std::ranges::find(open_, tile, &Open::tile);
        if (known != open_.end())
        {
            open_.splice(open_.begin(), open_, known);
            return open_.front().file.get();
        }
        Result<std::unique_ptr<FolderFile>> file = FolderFile::open(source_.tiles_[tile], source_.overrides_);
        if (!file) return file.error();
        const std::size_t most = (*file)->isUnpacked() ? kMostUnpacked : kMostOpen;
        while (open_.size() >= most)
            close(std::prev(open_.end()));
        open_.push_front({tile, std::move(*file)});
        return open_.front().file.get();
    }

    void close(std::list<Open>::iterator open)
    {
        closedBytes_ += open->file->bytesRead();
        open_.erase(open);
    }

    const FolderTiles& source_;
    StoredLevels levels_;
    std::list<Open> open_;
    std::vector<float> part_;
    std::uint64_t closedBytes_ = 0;
};

Result<std::shared_ptr<const FolderTiles>> FolderTiles::open(const std::string& folder,
                                                             const SourceOverrides& overrides)
{
    Result<TileFolder> look = lookAtFolder(folder, kMaxTiledSide);
    if (!look) return look.error();
    const std::shared_ptr<FolderTiles> tiles(new FolderTiles);
    tiles->raster_ = std::move(look->raster);
    tiles->tiles_ = std::move(look->tiles);
    tiles->overrides_ = overrides;
    if (Status status = settleDescription(tiles->raster_, overrides); !status) return status.error();
    if (tiles->grid().levels() > 2) tiles->raster_.warnings.push_back(kSlowWithoutOverviews);
    StoredLevels levels;
    levels.images.push_back({tiles->raster_.width, tiles->raster_.height, 0});
    if (Status status = glanceAt(*tiles, levels, tiles->raster_); !status) return status.error();
    return std::shared_ptr<const FolderTiles>(tiles);
}

Result<std::string> FolderTiles::version() const
{
    std::vector<std::string> files;
    for (const FolderTile& tile : tiles_)
        files.push_back(tile.path);
    return filesVersion(files);
}

Result<std::unique_ptr<TileReader>> FolderTiles::openReader() const
{
    return std::unique_ptr<TileReader>(std::make_unique<FolderTileReader>(*this));
}

}  // namespace orogen
