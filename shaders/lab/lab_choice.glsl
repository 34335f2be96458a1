// Selects the nodes that a cycle of a measurement changes: about one in 32, by a hash of the node.  So all measured
// variants change equal nodes, whatever the order of their threads.  Cycles alternate: one splits the selected leaves,
// the next merges the children of the selected nodes.
#ifndef OROGEN_LAB_CHOICE_GLSL
#define OROGEN_LAB_CHOICE_GLSL

bool labChosen(uint node)
{
    uint x = node * 0x9e3779b9u;
    x = (x ^ (x >> 16u)) * 0x85ebca6bu;
    return ((x ^ (x >> 13u)) & 31u) == 0u;
}

#endif
