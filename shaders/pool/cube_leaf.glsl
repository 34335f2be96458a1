// A bisector of the cube's faces in three words.  core/leb/cube_leaf.h has the same functions and documents the
// encoding.  Needs core/gpu_layout.h in scope.
#ifndef OROGEN_CUBE_LEAF_GLSL
#define OROGEN_CUBE_LEAF_GLSL

const uint kMostCubeDepth = 58u;
const uint kDrawnCubeDepths = 60u;  // largest depth of a drawn triangle: its leaf's depth + 2 * patch level

struct CubeLeaf
{
    ivec2 apex;  // on the face, in lattice units
    uint shape;  // depth | turn << 6 | face << 8; turn: orientation in quarter turns, see cubeDirection()
};

uint cubeLeafDepth(uint shape) { return shape & 63u; }
uint cubeLeafTurn(uint shape) { return (shape >> 6u) & 3u; }
int cubeLeafFace(uint shape) { return int(shape >> 8u); }

// Returns the direction of turn 0, 1, 2 or 3: (1, 0), (0, 1), (-1, 0) or (0, -1).  cubeDiagonal() returns the sum of a
// turn's direction and the next one.
ivec2 cubeDirection(uint turn)
{
    int sign = 1 - int(turn & 2u);
    return (turn & 1u) == 0u ? ivec2(sign, 0) : ivec2(0, sign);
}
ivec2 cubeDiagonal(uint turn) { return cubeDirection(turn) + cubeDirection(turn + 1u); }

// Returns the distance of the base's ends from the apex along an axis (lattice units).
int cubeReach(uint depth) { return 1 << (kCubeLatticeBits - (depth + 1u) / 2u); }

// Returns an end of the base: from the apex along an axis at even depths, along a diagonal at odd depths.
ivec2 cubeEnd(CubeLeaf leaf, uint turn)
{
    uint depth = cubeLeafDepth(leaf.shape);
    return leaf.apex + cubeReach(depth) * ((depth & 1u) == 0u ? cubeDirection(turn) : cubeDiagonal(turn));
}
ivec2 cubeLeft(CubeLeaf leaf) { return cubeEnd(leaf, cubeLeafTurn(leaf.shape)); }
ivec2 cubeRight(CubeLeaf leaf) { return cubeEnd(leaf, cubeLeafTurn(leaf.shape) + 1u); }

// Returns a shape with the face of the shape `like`.
uint cubeShape(uint depth, uint turn, uint like) { return depth | ((turn & 3u) << 6u) | (like & 0xffffff00u); }

CubeLeaf cubeChild(CubeLeaf leaf, uint child)
{
    uint depth = cubeLeafDepth(leaf.shape), turn = cubeLeafTurn(leaf.shape);
    bool even = (depth & 1u) == 0u;
    CubeLeaf made;
    made.apex = leaf.apex + cubeReach(depth + 1u) * (even ? cubeDiagonal(turn) : cubeDirection(turn + 1u));
    made.shape = cubeShape(depth + 1u, turn + (even ? 2u : 3u) - child, leaf.shape);
    return made;
}

CubeLeaf cubeParentOfChild0(CubeLeaf leaf)
{
    uint depth = cubeLeafDepth(leaf.shape), turn = cubeLeafTurn(leaf.shape);
    CubeLeaf made;
    made.apex = cubeLeft(leaf);
    made.shape = cubeShape(depth - 1u, turn + ((depth & 1u) != 0u ? 2u : 1u), leaf.shape);
    return made;
}

#endif
