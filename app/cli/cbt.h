// orogen cbt: the tree without a renderer.
#pragma once

#include <string>

#include "core/base/status.h"
#include "core/cbt/node.h"

namespace orogen::app {

// What a node is: path, bit, triangle, neighbours.  Printed.  Error (kUsage) if the node is not in a tree of that
// depth.
struct CbtNodeOptions
{
    std::string node;  // decimal
    int depth = 0;     // the tree's
    bool json = false;
};
Result<ExitCode> runCbtNode(const CbtNodeOptions& options);

// Applies a file of edits (core/leb/edit.h) to a uniform tree and prints what came of it.
struct CbtReplayOptions
{
    std::string file;
    int depth = 0;
    int initialDepth = 0;
    bool packed = false;  // the paper's layout instead of the wide one
    std::string dump;     // the layout's words go here; empty: nowhere
    bool json = false;
};
Result<ExitCode> runCbtReplay(const CbtReplayOptions& options);

}  // namespace orogen::app
