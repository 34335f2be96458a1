#include <array>
#include <bit>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/base/interrupt.h"
#include "app/cli/cbt.h"
#include "app/cli/command.h"
#include "core/base/atomic_file.h"
#include "core/base/clock.h"
#include "core/base/output_file.h"
#include "core/base/text_file.h"
#include "core/cbt/cbt.h"
#include "core/cbt/packed_cbt.h"
#include "core/leb/conformity.h"
#include "core/leb/edit.h"
#include "core/leb/edited_tree.h"

namespace orogen::app {
namespace {

using Json = nlohmann::ordered_json;

// Reader of lines without comments.  Comments may have any length.
class Lines
{
public:
    explicit Lines(InputFile file) : file_(std::move(file)) {}

    // Returns false at the end of the file or on a read error; see status().  Stops reading at a line that is too long,
    // as it might never end.
    bool next(std::string& line)
    {
        line.clear();
        bool comment = false, any = false;
        for (int c = character(); c != kEnd; c = character())
        {
            if (c == '\n') return ++number_, true;
            any = true;
            comment = comment || c == '#';
            if (comment) continue;
            if (line.size() == kLongest) return ++number_, tooLong_ = true;
            line += char(c);
        }
        const bool last = any && status_;  // a last line without newline
        return number_ += last, last;
    }
    std::uint64_t number() const { return number_; }
    bool tooLong() const { return tooLong_; }  // the newest line; nothing can be read after it
    const Status& status() const { return status_; }

private:
    static constexpr std::size_t kLongest = 200;
    static constexpr int kEnd = -1;

    int character()
    {
        if (at_ == read_)
        {
            const Result<std::size_t> count = file_.read(piece_);
            if (!count) status_ = count.error();
            at_ = 0;
            read_ = count ? *count : 0;
        }
        return read_ > 0 ? static_cast<unsigned char>(piece_[at_++]) : kEnd;
    }

    InputFile file_;
    std::array<char, std::size_t(1) << 16> piece_;
    std::size_t at_ = 0, read_ = 0;
    Status status_;
    std::uint64_t number_ = 0;
    bool tooLong_ = false;
};

template <class Tree>
Status applyFile(leb::EditedTree<Tree>& tree, const std::string& path)
{
    Result<InputFile> file = InputFile::open(path, interrupted);
    if (!file) return file.error();
    Lines lines(std::move(*file));
    const auto at = [&](const Error& error) {
        return Error{error.code, fmt::format("{}:{}: {}", path, lines.number(), error.message)};
    };
    for (std::string line; lines.next(line);)
    {
        if (const std::optional<Error> stop = interruption()) return *stop;
        if (lines.tooLong()) return at({ExitCode::kInput, "a line of more than 200 characters, expected an edit"});
        const Result<std::optional<leb::Edit>> edit = leb::parseEdit(line);
        if (!edit) return at(edit.error());
        if (!*edit) continue;
        if (Status status = tree.apply(**edit); !status) return at(status.error());
    }
    return lines.status();
}

Status dumpWords(const std::string& path, std::span<const std::uint32_t> words)
{
    static_assert(std::endian::native == std::endian::little, "words are written as they lie in memory");
    const std::span<const std::byte> bytes = std::as_bytes(words);
    return writeFileAtomically(path, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

std::string textOf(const Json& result)
{
    return fmt::format("{} layout, maximum depth {}, {} bytes\n{} leaves, hash {}\n{}\n",
                       result["layout"].get<std::string>(), result["max_depth"].get<int>(),
                       result["bytes"].get<std::uint64_t>(), result["leaves"].get<NodeId>(),
                       result["leaf_hash"].get<std::string>(),
                       result["conforming"].get<bool>() ? "conforming" : "not conforming: the mesh has T-junctions");
}

template <class Tree>
Result<ExitCode> replay(const CbtReplayOptions& options)
{
    const Clock::time_point start = Clock::now();
    leb::EditedTree<Tree> edited(options.depth, options.initialDepth);
    if (Status status = applyFile(edited, options.file); !status) return status.error();
    edited.reduce();
    const double editing = millisecondsSince(start);
    const Clock::time_point asked = Clock::now();
    const bool conforming = edited.conforming();
    const double conformity = millisecondsSince(asked);
    const Tree& tree = edited.tree();
    if (!options.dump.empty())
        if (Status status = dumpWords(options.dump, tree.words()); !status) return status.error();
    const Json result = {
        {"algorithm", "concurrent-binary-tree"},
        {"backend", "cpu"},
        {"max_depth", options.depth},
        {"layout", options.packed ? "packed" : "wide"},
        {"leaves", tree.leafCount()},
        {"leaf_hash", fmt::format("{:016x}", edited.leafHash())},
        {"conforming", conforming},
        {"bytes", tree.words().size_bytes()},
        {"time_ms", {{"edits", editing}, {"conformity", conformity}, {"total", millisecondsSince(start)}}}};
    print(options.json ? result.dump(2) + "\n" : textOf(result));
    return ExitCode::kDone;
}

}  // namespace

Result<ExitCode> runCbtReplay(const CbtReplayOptions& options)
{
    if (options.initialDepth > options.depth)
        return Error{ExitCode::kUsage, fmt::format("--initial-depth: {}: expected an integer from 0 to {} (--depth)",
                                                   options.initialDepth, options.depth)};
    if (!options.dump.empty())
        if (Status status = checkOutputFile(options.dump, {{options.file}}, Existing::kReplace); !status)
            return status.error();
    return options.packed ? replay<PackedCbt>(options) : replay<Cbt>(options);
}

}  // namespace orogen::app
