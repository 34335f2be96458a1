#include "app/cli/cbt.h"

#include <chrono>
#include <cmath>
#include <memory>
#include <optional>
#include <string_view>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/command.h"
#include "core/base/text.h"
#include "core/leb/leb.h"

namespace orogen::app {
namespace {

using Json = nlohmann::ordered_json;

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

// Adds an option for a decimal integer in [low, high].
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
    command->add_option("OPS", options->file, "split K, merge K, leb-split K, leb-merge K, reduce: one a line")
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
    command->add_option("--dump", options->dump, "write the words of the layout, 32 bits each, little-endian")
        ->type_name("FILE");
    command->callback([options, &chosen] { chosen = [options] { return runCbtReplay(*options); }; });
}

}  // namespace

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

void addCbtCommand(CLI::App& root, Command& chosen)
{
    CLI::App* command = root.add_subcommand("cbt", "the concurrent binary tree");
    command->require_subcommand(1);
    addNodeCommand(*command, chosen);
    addReplayCommand(*command, chosen);
}

}  // namespace orogen::app
