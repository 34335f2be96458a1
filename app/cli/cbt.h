// orogen cbt: operations on the tree without a renderer.
#pragma once

#include <string>

#include "core/base/status.h"
#include "core/cbt/node.h"

namespace orogen::app {

// Prints path, bit, triangle and neighbours of a node.  Error kUsage if a tree of that depth does not contain the node.
struct CbtNodeOptions
{
    std::string node;  // decimal
    int depth = 0;     // maximum depth of the tree
    bool json = false;
};
Result<ExitCode> runCbtNode(const CbtNodeOptions& options);

// Applies a file of edits (core/leb/edit.h) to a uniform tree and prints the result.
struct CbtReplayOptions
{
    std::string file;
    int depth = 0;
    int initialDepth = 0;
    bool packed = false;  // the paper's layout instead of the wide one
    std::string dump;     // file for the layout's words; empty: none
    bool json = false;
};
Result<ExitCode> runCbtReplay(const CbtReplayOptions& options);

}  // namespace orogen::app
