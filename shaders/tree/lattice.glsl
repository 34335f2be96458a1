// The draw lattice of possible vertices.  A point is a `Lattice`:
//     on a plane    ivec2, 0 ... 2^kDrawLatticeBits along the square's sides
//     on the Earth  ivec3: x, y in 0 ... 2^kDrawLatticeBits on a face of the cube, z the face
// Bisection, diamonds and tiles use x and y alone, onSquare().  A point on an edge or corner of the cube has one
// `Lattice` for each face that touches it.  It has a single cube point, which is its integer coordinates in space,
// cubePoint().  Drawn heights are functions of the cube point.
#ifndef OROGEN_LATTICE_GLSL
#define OROGEN_LATTICE_GLSL

#include "shaders/tree/lattice_@world.glsl"

// Returns the middle between two points of one face.  The sum is unsigned, because two coordinates may add up to 2^31.
Lattice latticeMiddle(Lattice p, Lattice q) { return beside(p, (onSquare(p) + onSquare(q)) / 2u); }

#endif
