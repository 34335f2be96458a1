// Longest-edge bisection of the unit square.  core/leb/leb.h does the same on the CPU.  Needs nothing in scope.
//
// A bisector is a node of depth 1 .. 30 of the binary tree (cbt.glsl).  It is a right isosceles triangle of area
// 2^-depth with a base (its longest edge), an opposite apex, and two legs.  Nodes 2 and 3 are the halves of the square
// on either side of the diagonal (0,1)-(1,0).  A split joins the apex to the midpoint of the base, which is the apex of
// both children.  Child 0 keeps base0, child 1 keeps base1.  A child's base is one of its parent's legs.  (apex, base0,
// base1) runs clockwise (y up) at odd depths and counter-clockwise at even ones.  Dupuy's libleb uses the same
// convention, so its trees stay conforming here.
#ifndef OROGEN_LEB_GLSL
#define OROGEN_LEB_GLSL

const uint kLebLatticeBits = 15u;  // the square's side is 2^15 units: every vertex to depth 31 is an exact integer

// Nodes of equal depth across each edge, or 0 at the square's border.  They need not be leaves.
struct LebNeighbours
{
    uint left;   // across the leg apex-base1
    uint right;  // across the leg apex-base0
    uint edge;   // across the base, which both nodes share
    uint node;   // the node itself
};

struct LebTriangle
{
    uvec2 apex;
    uvec2 base0;
    uvec2 base1;
};

// An edge in canonical order: low precedes high by x, then by y.  So the triangles on both sides compute equal values.
struct LebEdge
{
    uvec2 low;
    uvec2 high;
};

struct LebBox
{
    uvec2 low;
    uvec2 high;
};

uint lebDepth(uint node) { return uint(findMSB(node)); }
uint lebChildOf(uint node, uint bit) { return node == 0u ? 0u : 2u * node + bit; }

// Returns a node's neighbours; the root has none.  O(depth), without memory accesses.
LebNeighbours lebNeighbours(uint node)
{
    LebNeighbours n;
    n.left = 0u;
    n.right = 0u;
    n.edge = 0u;
    n.node = 1u;
    if (node < 2u) return n;
    uint bit = lebDepth(node) - 1u;  // remaining bits of the path
    n.node = node >> bit;            // 2 or 3
    n.edge = n.node ^ 1u;
    while (bit > 0u)
    {
        bit -= 1u;
        uint left = n.left;
        uint right = n.right;
        uint edge = n.edge;
        if (((node >> bit) & 1u) == 0u)
        {
            n.left = 2u * n.node + 1u;
            n.right = lebChildOf(edge, 1u);
            n.edge = lebChildOf(right, 1u);
            n.node = 2u * n.node;
        }
        else
        {
            n.left = lebChildOf(edge, 0u);
            n.right = 2u * n.node;
            n.edge = lebChildOf(left, 0u);
            n.node = 2u * n.node + 1u;
        }
    }
    return n;
}

// Returns the vertices of child 0 or 1 of a node with these vertices.
LebTriangle lebChild(LebTriangle t, uint child)
{
    uvec2 middle = (t.base0 + t.base1) / 2u;
    if (child == 0u)
        t.base1 = t.apex;
    else
        t.base0 = t.apex;
    t.apex = middle;
    return t;
}

// Returns the vertices of the parent of a node's child 0, given those of child 0.
LebTriangle lebParentOfChild0(LebTriangle t)
{
    LebTriangle parent;
    parent.apex = t.base1;
    parent.base0 = t.base0;
    parent.base1 = 2u * t.apex - t.base0;
    return parent;
}

// Returns a node's exact vertices on the lattice; node > 1.  O(depth).
LebTriangle lebVertices(uint node)
{
    uint side = 1u << kLebLatticeBits;
    uint bit = lebDepth(node) - 1u;
    LebTriangle t;
    bool second = ((node >> bit) & 1u) != 0u;
    t.apex = second ? uvec2(side, side) : uvec2(0u, 0u);
    t.base0 = second ? uvec2(side, 0u) : uvec2(0u, side);
    t.base1 = second ? uvec2(0u, side) : uvec2(side, 0u);
    while (bit > 0u)
    {
        bit -= 1u;
        t = lebChild(t, (node >> bit) & 1u);
    }
    return t;
}

// Packs a vertex into one word, as the lists of leaves store it, and unpacks it.
uint lebPacked(uvec2 vertex) { return vertex.x | (vertex.y << 16u); }
uvec2 lebUnpacked(uint bits) { return uvec2(bits & 0xffffu, bits >> 16u); }

LebEdge lebEdge(uvec2 p, uvec2 q)
{
    bool ordered = p.x < q.x || (p.x == q.x && p.y < q.y);
    LebEdge e;
    e.low = ordered ? p : q;
    e.high = ordered ? q : p;
    return e;
}

LebEdge lebBaseEdge(LebTriangle triangle) { return lebEdge(triangle.base0, triangle.base1); }

// Returns the base of the node's parent.  The children of both triangles at this base can only merge together.
// `triangle`: the node's vertices; node > 3.
LebEdge lebParentBaseEdge(uint node, LebTriangle triangle)
{
    uvec2 kept = (node & 1u) == 0u ? triangle.base0 : triangle.base1;
    return lebEdge(kept, 2u * triangle.apex - kept);
}

uvec2 lebMidpoint(LebEdge edge) { return (edge.low + edge.high) / 2u; }

// Returns the bounding box of the two triangles that share this base, clipped to the square.
LebBox lebDiamond(LebEdge base)
{
    uint side = 1u << kLebLatticeBits;
    uint width = base.high.x - base.low.x;
    uint height = max(base.low.y, base.high.y) - min(base.low.y, base.high.y);
    uint radius = max(width, height) / 2u;
    uvec2 middle = lebMidpoint(base);
    LebBox box;
    box.low = middle - min(middle, uvec2(radius, radius));
    box.high = min(middle + uvec2(radius, radius), uvec2(side, side));
    return box;
}

#endif
