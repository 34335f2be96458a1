// orogen cbt: operations on the tree without a renderer.
#include <array>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/base/process.h"
#include "app/cli/command.h"
#include "core/base/atomic_file.h"
#include "core/base/clock.h"
#include "core/base/json.h"
#include "core/base/status.h"
#include "core/base/text.h"
#include "core/base/text_file.h"
#include "core/cbt/cbt.h"
#include "core/cbt/packed_cbt.h"
#include "core/cbt/tree.h"
#include "core/leb/conformity.h"
#include "core/leb/edited_tree.h"
#include "core/leb/leb.h"

namespace orogen::app {
namespace {

struct CbtNodeOptions
{
    std::string node;  // decimal
    int depth = 0;     // maximum depth of the tree
    bool json = false;
};

std::string pathOf(NodeId node)
{
    std::string path;
    for (int level = depthOf(node) - 1; level >= 0; --level)
        path += char('0' + (node >> level & 1u));
    return path;
}

Json verticesOf(NodeId node)
{
    if (node == 1) return nullptr;
    Json corners = Json::array();
    const leb::Triangle t = leb::vertices(node);
    for (const leb::Point p : {t.apex, t.base0, t.base1})
        corners.push_back({std::ldexp(p.x, -leb::kLatticeBits), std::ldexp(p.y, -leb::kLatticeBits)});
    return corners;
}

Json nodeJson(NodeId node, int maxDepth)
{
    const leb::Neighbours n = leb::neighbours(node);
    return {{"node", node},
            {"depth", depthOf(node)},
            {"max_depth", maxDepth},
            {"bit", firstBit(node, maxDepth)},
            {"path", pathOf(node)},
            {"vertices", verticesOf(node)},
            {"edge_neighbour", n.edge},
            {"left_neighbour", n.left},
            {"right_neighbour", n.right}};
}

std::string neighbourText(NodeId node) { return node == 0 ? "none" : std::to_string(node); }

std::string nodeText(NodeId node, int maxDepth)
{
    std::string text = fmt::format("node {}, depth {} of {}\n", node, depthOf(node), maxDepth);
    text += fmt::format("path        {}\n", node == 1 ? "(the root)" : pathOf(node));
    text += fmt::format("bit         {}\n", firstBit(node, maxDepth));
    if (node == 1) return text + "the whole square; nodes 2 and 3 are its halves\n";
    const leb::Triangle t = leb::vertices(node);
    const auto corner = [](leb::Point p) {
        return fmt::format("({}, {})", std::ldexp(p.x, -leb::kLatticeBits), std::ldexp(p.y, -leb::kLatticeBits));
    };
    const leb::Neighbours n = leb::neighbours(node);
    text += fmt::format("apex        {}\n", corner(t.apex));
    text += fmt::format("base        {} to {}\n", corner(t.base0), corner(t.base1));
    text += fmt::format("neighbours  edge {}, left {}, right {}\n", neighbourText(n.edge), neighbourText(n.left),
                        neighbourText(n.right));
    return text;
}

// Prints path, bit, triangle and neighbours of a node.  Error kUsage if a tree of that depth does not contain the node.
Result<ExitCode> runCbtNode(const CbtNodeOptions& options)
{
    const auto start = std::chrono::steady_clock::now();
    const std::uint64_t count = std::uint64_t(2) << options.depth;
    const std::optional<std::uint64_t> node = numberIn<std::uint64_t>(options.node);
    if (!node || *node < 1 || *node >= count)
        return Error{ExitCode::kUsage, fmt::format("K: {}: expected a node from 1 to {} (depth {})", options.node,
                                                   count - 1, options.depth)};
    if (!options.json)
    {
        print(nodeText(NodeId(*node), options.depth));
        return ExitCode::kDone;
    }
    Json json = nodeJson(NodeId(*node), options.depth);
    json["algorithm"] = "longest-edge-bisection";
    json["backend"] = "cpu";
    const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - start;
    json["time_ms"] = {{"total", time.count()}};
    print(json.dump(2) + "\n");
    return ExitCode::kDone;
}

struct CbtReplayOptions
{
    std::string file;
    int depth = 0;
    int initialDepth = 0;
    bool packed = false;      // layout of paper 002 (PackedCbt) instead of the wide one (Cbt)
    std::string dump;         // file for the layout's words; empty: none
    bool allowInner = false;  // a split of an inner node changes nothing instead of being refused
    bool json = false;
};

// Answers of a replay besides the resulting tree.
struct ReplayAnswers
{
    std::vector<std::pair<std::uint64_t, NodeId>> leaves = {};  // number and node of each query `leaf L`
    std::uint64_t innerSplits = 0;
};

// Reader of lines.  Leaves out comments, which may have any length.
class Lines
{
public:
    explicit Lines(InputFile file) : file_(std::move(file)) {}

    // Returns false at the end of the file or on a read error; see status().  Does not read the rest of a line that is
    // too long, as it might never end: returns true, and tooLong() from then on.
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
    bool tooLong() const { return tooLong_; }  // whether a line had more than kLongest characters
    const Status& status() const { return status_; }

private:
    static constexpr std::size_t kLongest = 200;  // characters
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

// Parses `leaf L`, L decimal; empty for a line that begins with another word.  Error kInput.
Result<std::optional<std::uint64_t>> parseQuery(std::string_view line)
{
    line = line.substr(0, line.find('#'));
    if (takeWord(line) != "leaf") return std::optional<std::uint64_t>{};
    const std::string_view word = takeWord(line);
    const std::optional<std::uint64_t> number = numberIn<std::uint64_t>(word);
    if (!number || !takeWord(line).empty())
        return Error{ExitCode::kInput, fmt::format("leaf: found '{}', expected the number of one leaf, from 0",
                                                   printableStart(word, 32))};
    return number;
}

// Returns the node of leaf `number`, counted from 0 and from left to right.  Error kInput: the tree has fewer leaves.
template <class Tree>
Result<NodeId> leafNumbered(leb::EditedTree<Tree>& tree, std::uint64_t number)
{
    tree.reduce();
    if (number < tree.tree().leafCount()) return tree.tree().leaf(NodeId(number));
    return Error{ExitCode::kInput, fmt::format("leaf {}: expected at most {}", number, tree.tree().leafCount() - 1)};
}

template <class Tree>
bool isSplitOfInner(const leb::EditedTree<Tree>& tree, const leb::Edit& edit)
{
    const bool splits = edit.kind == leb::EditKind::kSplit || edit.kind == leb::EditKind::kSplitConforming;
    return splits && edit.node >> tree.maxDepth() == 0 && isInnerNow(tree, NodeId(edit.node));
}

template <class Tree>
Status applyFile(leb::EditedTree<Tree>& tree, const std::string& path, bool allowInner, ReplayAnswers& answers)
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
        const Result<std::optional<std::uint64_t>> query = parseQuery(line);
        if (!query) return at(query.error());
        if (*query)
        {
            const Result<NodeId> leaf = leafNumbered(tree, **query);
            if (!leaf) return at(leaf.error());
            answers.leaves.emplace_back(**query, *leaf);
            continue;
        }
        const Result<std::optional<leb::Edit>> edit = leb::parseEdit(line);
        if (!edit) return at(edit.error());
        if (!*edit) continue;
        if (allowInner && isSplitOfInner(tree, **edit))
        {
            ++answers.innerSplits;
            continue;
        }
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
    const auto leaves = result["leaves"].get<NodeId>();
    return fmt::format("{} layout, maximum depth {}, {} bytes\n{} {}, hash {}\n{}\n",
                       result["layout"].get<std::string>(), result["max_depth"].get<int>(),
                       result["bytes"].get<std::uint64_t>(), leaves, leaves == 1 ? "leaf" : "leaves",
                       result["leaf_hash"].get<std::string>(),
                       result["conforming"].get<bool>() ? "conforming" : "not conforming: the mesh has T-junctions");
}

template <class Tree>
Result<ExitCode> replay(const CbtReplayOptions& options)
{
    const Clock::time_point start = Clock::now();
    leb::EditedTree<Tree> edited(options.depth, options.initialDepth);
    ReplayAnswers answers;
    if (Status status = applyFile(edited, options.file, options.allowInner, answers); !status) return status.error();
    edited.reduce();
    const double editing = millisecondsSince(start);
    const Clock::time_point asked = Clock::now();
    const bool conforming = edited.conforming();
    const double conformity = millisecondsSince(asked);
    const Tree& tree = edited.tree();
    if (!options.dump.empty())
        if (Status status = dumpWords(options.dump, tree.words()); !status) return status.error();
    Json leaves = Json::array();
    std::string lines;
    for (const auto& [number, node] : answers.leaves)
    {
        leaves.push_back({{"leaf", number}, {"node", node}});
        lines += fmt::format("leaf {}: node {}\n", number, node);
    }
    const Json result = {
        {"algorithm", "concurrent-binary-tree"},
        {"backend", "cpu"},
        {"max_depth", options.depth},
        {"layout", options.packed ? "packed" : "wide"},
        {"leaves", tree.leafCount()},
        {"leaf_hash", fmt::format("{:016x}", edited.leafHash())},
        {"conforming", conforming},
        {"bytes", tree.words().size_bytes()},
        {"queries", leaves},
        {"inner_splits", answers.innerSplits},
        {"time_ms", {{"edits", editing}, {"conformity", conformity}, {"total", millisecondsSince(start)}}}};
    print(options.json ? result.dump(2) + "\n" : lines + textOf(result));
    return ExitCode::kDone;
}

// Applies a file of edits (core/leb/edited_tree.h) to a uniform tree and prints the result.
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

CLI::Option* addInteger(CLI::App& command, const std::string& name, int& value, int low, int high,
                        const std::string& text)
{
    const auto set = [&value, name, low, high](const std::string& given) {
        const std::optional<int> parsed = numberIn<int>(given);
        if (!parsed || *parsed < low || *parsed > high)
            throw CLI::ValidationError(name, fmt::format("{}: expected an integer from {} to {}", given, low, high));
        value = *parsed;
    };
    return command.add_option_function<std::string>(name, set, fmt::format("{}, {} to {}", text, low, high))
        ->type_name("N");
}

template <class Options>
void addDepth(CLI::App& command, Options& options)
{
    addInteger(command, "--depth", options.depth, kMinTreeDepth, kMaxTreeDepth, "maximum depth of the tree")
        ->required();
    command.add_flag("--json", options.json, "one JSON object");
}

void addNodeCommand(CLI::App& root, Command& chosen)
{
    CLI::App* command = root.add_subcommand("node", "describe a node: path, bit, triangle, neighbours");
    const auto options = std::make_shared<CbtNodeOptions>();
    command->add_option("K", options->node, "the node's number; the root is 1")->required();
    addDepth(*command, *options);
    command->callback([options, &chosen] { chosen = [options] { return runCbtNode(*options); }; });
}

void addReplayCommand(CLI::App& root, Command& chosen)
{
    CLI::App* command = root.add_subcommand("replay", "apply a file of splits and merges");
    const auto options = std::make_shared<CbtReplayOptions>();
    command->add_option("OPS", options->file, "split K, merge K, leb-split K, leb-merge K, reduce, leaf L: one a line")
        ->required();
    addDepth(*command, *options);
    addInteger(*command, "--initial-depth", options->initialDepth, 0, kMaxTreeDepth,
               "depth of all leaves at first (0)");
    command
        ->add_option_function<std::string>(
            "--layout", [options](const std::string& text) { options->packed = text == "packed"; },
            "packed or wide (wide)")
        ->type_name("packed/wide")
        ->check(CLI::IsMember({"packed", "wide"}));
    command->add_flag("--allow-inner", options->allowInner, "a split of a node that is split already changes nothing");
    command->add_option("--dump", options->dump, "write the words of the layout, 32 bits each, little-endian")
        ->type_name("FILE");
    command->callback([options, &chosen] { chosen = [options] { return runCbtReplay(*options); }; });
}

}  // namespace

void addCbtCommand(CLI::App& root, Command& chosen)
{
    CLI::App* command = root.add_subcommand("cbt", "the concurrent binary tree");
    command->require_subcommand(1);
    addNodeCommand(*command, chosen);
    addReplayCommand(*command, chosen);
}

}  // namespace orogen::app
