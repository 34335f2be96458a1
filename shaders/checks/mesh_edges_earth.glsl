// Edges of leaves on the Earth: see leaf_border.glsl.
#ifndef OROGEN_MESH_EDGES_EARTH_GLSL
#define OROGEN_MESH_EDGES_EARTH_GLSL

bool onBorder(BorderEdge edge) { return false; }

// Finds the leaf's edge that equals `wanted`.  Returns false if there is none.
bool hasEdge(CubeLeaf leaf, BorderEdge wanted, out uint edge)
{
    for (edge = 0u; edge < 3u; ++edge)
        if (sameEdge(borderEdge(leaf, edge), wanted)) return true;
    return false;
}

// Checks that each slot is listed once and that the leaf is where its id says.  Also checks that the leaf's links lead
// to leaves that share its edges.
uint checkPlace(uint place, uint number, MeshLeaf leaf)
{
    if (place > 0u && leaves[place - 1u] >= number) fault(kFaultOverlap, number);
    if (place == 0u && cbtLeafCount() != state.leaves) fault(kFaultHole, number);
    CubeLeaf said;
    if (!placeOfId(meshId(number), said) || said.apex != leaf.apex || said.shape != leaf.shape)
        fault(kFaultOrientation, number);
    for (uint i = 0u; i < 3u; ++i)
    {
        CubeLeaf across;
        uint edge;
        if (!meshLeaf(meshLink(number, i), across) || !hasEdge(across, borderEdge(leaf, i), edge)) fault(kFaultLink, number);
    }
    atomicAdd(check.leavesOfDepth[cubeLeafDepth(leaf.shape)], 1u);
    return 0u;
}

bool ownerAcross(uint number, uint edge, BorderEdge wanted, out Owner owner)
{
    uint found;
    owner.number = meshLink(number, edge);
    if (!meshLeaf(owner.number, owner.leaf) || !hasEdge(owner.leaf, wanted, found)) return false;
    owner.edge = borderEdge(owner.leaf, found);
    return true;
}

#endif
