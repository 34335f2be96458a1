// Passes of the terrain model over the cells of a raster.  OpenGL (model.comp), CUDA and the host executor
// (compute/terrain_model/kernels/model_kernels.h, with core/glsl_types.h) share this source.  The algorithms and their
// CPU form are in compute/terrain_model/.
//
// Each pass is a function of a cell i.  Except for atomic counts, no cell writes an element that another cell reads in
// the pass.  So any order of the cells gives the same bits.  Must be in scope:
//   uint columns, rows            size of the raster, or of a level of the multigrid hierarchy
//   uint otherColumns             columns of the next coarser level; in sumTerms the number of sums
//   uint otherRows                unused
//   uint number                   colour of a sweep; in sumTerms the number of terms
//   double alongX, alongY, diagonal   distances between neighbours (metres)
//   double a, b                   see the passes
//   double heights[] (metres), given[], made[]   given: input of a pass; made: its output
//   double terms[]                values whose sum the caller needs, see sumTerms
//   uint kinds[]                  a cell's kind in bits 0 and 1, then a bit for each Link of diffusion.h
//   uint pointers[], nextPointers[], counts[], nextCounts[], found[]   found: one counter, 0 before a pass
//   float stencil[]               per cell of a level: weights to east and south, diagonal, 1 / diagonal
//   float right[], answer[]       right side and solution on a level
//   float coarse[]                right[] or answer[] of the next coarser level
// and OROGEN_CELL, a function's qualifier.  Arrays of a level have guard cells at the border, see GridLevel.
//
// OpenGL 4 and CUDA store doubles as IEEE 754 does, in 64 bits.  So heights keep their remainders without compensated
// arithmetic, and the conjugate gradients converge as on the CPU.

const uint kNowhere = 0xffffffffu;  // no cell: downstream of an outlet, or outside the raster
const uint kKindMask = 3u, kOutsideKind = 0u, kFreeKind = 1u, kFixedKind = 2u;  // CellKind; fixed cells are outlets
const uint kWestLink = 4u, kEastLink = 8u, kNorthLink = 16u, kSouthLink = 32u;
const uint kStencilSize = 4u;  // floats of stencil[] per cell

OROGEN_CELL uint kindOf(uint i) { return kinds[i] & kKindMask; }

// Returns cell k of the 3 x 3 cells around i, counted row by row (4: i itself); kNowhere outside the raster.
OROGEN_CELL uint neighbourOf(uint i, uint k)
{
    int x = int(i % columns) + int(k % 3u) - 1;
    int y = int(i / columns) + int(k / 3u) - 1;
    if (x < 0 || y < 0 || x >= int(columns) || y >= int(rows)) return kNowhere;
    return uint(y) * columns + uint(x);
}

// Returns the distance to cell k of the 3 x 3 cells (metres).
OROGEN_CELL double distanceTo(uint k) { return k % 3u == 1u ? alongY : k / 3u == 1u ? alongX : diagonal; }

// ---- drainage ----

// Points each free cell to its neighbour of steepest descent, the first among equals.  All other cells, and pits, point
// to themselves.  Counts pits in found[0].
OROGEN_CELL void descend(uint i)
{
    uint best = i;
    if (kindOf(i) == kFreeKind)
    {
        double steepest = double(0);
        for (uint k = 0u; k < 9u; ++k)
        {
            uint j = neighbourOf(i, k);
            if (k == 4u || j == kNowhere) continue;
            if (kindOf(j) == kOutsideKind) continue;
            double slope = (heights[i] - heights[j]) / distanceTo(k);
            if (slope > steepest)
            {
                steepest = slope;
                best = j;
            }
        }
        if (best == i) atomicAdd(found[0], 1u);
    }
    pointers[i] = best;
}

// Starts to count the cells upstream of each cell, including itself.  pointers[]: receivers (downstream neighbours).
OROGEN_CELL void startCounts(uint i)
{
    nextPointers[i] = pointers[i] == i ? kNowhere : pointers[i];
    counts[i] = 1u;
}

// Doubles the length of the paths downstream (pointer jumping).  Before run r (0, 1, ...), counts[i] is the number of
// cells that reach i in fewer than 2^r steps.  pointers[i] is the cell 2^r steps downstream.  nextCounts[] must begin
// as a copy of counts[].  Sets found[0] to 1 if another run is needed.
OROGEN_CELL void doubleCounts(uint i)
{
    uint to = pointers[i];
    uint next = kNowhere;
    if (to != kNowhere)
    {
        atomicAdd(nextCounts[to], counts[i]);
        next = pointers[to];
        if (next != kNowhere) atomicOr(found[0], 1u);
    }
    nextPointers[i] = next;
}

// ---- incision ----
//
// A cell's new height is a function of x, the new height of its receiver: min(h, (h + r x) / (1 + r)).  Here h is the
// old height and r = a sqrt(counts) / distance.  Functions min(C, A + B x) with B >= 0 are closed under composition;
// made[] holds A, B and C of each cell.

// Computes each cell's function.  pointers[]: receivers; a: K t sqrt(area of a cell), with the rate K of incision (per
// year) and the duration t (years).
OROGEN_CELL void startCuts(uint i)
{
    uint to = pointers[i];
    double height = heights[i];
    double rate = double(0);
    if (to != i)
    {
        double apart = to / columns == i / columns ? alongX : to % columns == i % columns ? alongY : diagonal;
        rate = a * sqrt(double(counts[i])) / apart;
    }
    made[3u * i] = height / (double(1) + rate);
    made[3u * i + 1u] = rate / (double(1) + rate);
    made[3u * i + 2u] = height;
    nextPointers[i] = to == i ? kNowhere : to;
}

// Doubles the length of the paths: composes each cell's function, given[], with that of the cell it points to.  Sets
// found[0] to 1 if another run is needed.
OROGEN_CELL void doubleCuts(uint i)
{
    uint to = pointers[i];
    double base = given[3u * i];
    double share = given[3u * i + 1u];
    double most = given[3u * i + 2u];
    uint next = kNowhere;
    if (to != kNowhere)
    {
        double below = base + share * given[3u * to + 2u];
        most = below < most ? below : most;
        base += share * given[3u * to];
        share *= given[3u * to + 1u];
        next = pointers[to];
        if (next != kNowhere) atomicOr(found[0], 1u);
    }
    made[3u * i] = base;
    made[3u * i + 1u] = share;
    made[3u * i + 2u] = most;
    nextPointers[i] = next;
}

// Sets the heights to min(C, A), after all paths have reached cells without a receiver, where B = 0.  terms[]: by how
// much the cells were lowered (metres).
OROGEN_CELL void cut(uint i)
{
    double base = given[3u * i];
    double most = given[3u * i + 2u];
    double lowered = base < most ? base : most;
    terms[i] = heights[i] - lowered;
    heights[i] = lowered;
}

// ---- failing slopes ----
//
// a: steepest stable slope; b: excess of height above it that is stable, too (metres).

// Returns by how much a cell stands above the steepest stable slope towards its neighbour k (metres); never negative.
OROGEN_CELL double excessOf(uint from, uint to, uint k)
{
    double excess = heights[from] - heights[to] - a * distanceTo(k);
    return excess > double(0) ? excess : double(0);
}

// Computes in made[] the share of each excess that a cell gives away; 0 if the cell is stable.  Counts failing cells in
// found[0].
OROGEN_CELL void shareFailures(uint i)
{
    double most = double(0);
    double all = double(0);
    if (kindOf(i) == kFreeKind)
        for (uint k = 0u; k < 9u; ++k)
        {
            uint j = neighbourOf(i, k);
            if (k == 4u || j == kNowhere) continue;
            if (kindOf(j) == kOutsideKind) continue;
            double excess = excessOf(i, j, k);
            most = excess > most ? excess : most;
            all += excess;
        }
    bool fails = most > b;
    made[i] = fails ? most / (double(3) * all) : double(0);
    if (fails) atomicAdd(found[0], 1u);
}

// Computes in made[] the heights after material has moved by the shares in given[].  Adds to terms[2 i] what cell i
// lost, and to terms[2 i + 1] what it gained if it is an outlet (metres).
OROGEN_CELL void fail(uint i)
{
    double gained = double(0);
    double lost = double(0);
    if (kindOf(i) != kOutsideKind)
        for (uint k = 0u; k < 9u; ++k)
        {
            uint j = neighbourOf(i, k);
            if (k == 4u || j == kNowhere) continue;
            if (kindOf(j) == kOutsideKind) continue;
            if (given[i] > double(0)) lost += given[i] * excessOf(i, j, k);
            if (given[j] > double(0)) gained += given[j] * excessOf(j, i, k);
        }
    made[i] = kindOf(i) == kFreeKind ? heights[i] + (gained - lost) : heights[i];
    terms[2u * i] += lost;
    if (kindOf(i) == kFixedKind) terms[2u * i + 1u] += gained;
}

// ---- creep ----
//
// One implicit step of diffusion: conjugate gradients solve (1 + t L) x = -t L h, and x is added to the heights h.  L
// is the negative Laplacian over linked cells, see flowFrom().  In products with t L, a and b are t / alongX^2 and
// t / alongY^2.

// Returns (t L v)_i, the sum of t (v[i] - v[j]) / d^2 over linked neighbours j at distance d.  v is heights[] or
// given[].
OROGEN_CELL double flowFrom(uint i, bool ofHeights)
{
    uint links = kinds[i];
    double here = ofHeights ? heights[i] : given[i];
    double sum = double(0);
    if ((links & kWestLink) != 0u) sum += a * (here - (ofHeights ? heights[i - 1u] : given[i - 1u]));
    if ((links & kEastLink) != 0u) sum += a * (here - (ofHeights ? heights[i + 1u] : given[i + 1u]));
    if ((links & kNorthLink) != 0u) sum += b * (here - (ofHeights ? heights[i - columns] : given[i - columns]));
    if ((links & kSouthLink) != 0u) sum += b * (here - (ofHeights ? heights[i + columns] : given[i + columns]));
    return sum;
}

// Computes the right side, -t L h, in made[].  terms[]: squares of made[].
OROGEN_CELL void startCreep(uint i)
{
    double value = -flowFrom(i, true);
    made[i] = value;
    terms[i] = value * value;
}

// Computes made = (1 + t L) given.  terms[]: products of given[] and made[].
OROGEN_CELL void multiply(uint i)
{
    double value = given[i] + flowFrom(i, false);
    made[i] = value;
    terms[i] = value * given[i];
}

// Computes made = a made + b given.
OROGEN_CELL void combine(uint i) { made[i] = a * made[i] + b * given[i]; }

// Does combine(), and computes the squares of made[] in terms[].
OROGEN_CELL void combineSquares(uint i)
{
    double value = a * made[i] + b * given[i];
    made[i] = value;
    terms[i] = value * value;
}

// Adds the solution, given[], to the heights.  terms[]: absolute values of given[].
OROGEN_CELL void crept(uint i)
{
    heights[i] += given[i];
    terms[i] = given[i] < double(0) ? -given[i] : given[i];
}

// Computes in terms[] the flow from each cell to neighbouring outlets (metres of height).
OROGEN_CELL void flowOut(uint i)
{
    uint links = kinds[i];
    double sum = double(0);
    if ((links & kWestLink) != 0u && kindOf(i - 1u) == kFixedKind) sum += a * (heights[i] - heights[i - 1u]);
    if ((links & kEastLink) != 0u && kindOf(i + 1u) == kFixedKind) sum += a * (heights[i] - heights[i + 1u]);
    if ((links & kNorthLink) != 0u && kindOf(i - columns) == kFixedKind) sum += b * (heights[i] - heights[i - columns]);
    if ((links & kSouthLink) != 0u && kindOf(i + columns) == kFixedKind) sum += b * (heights[i] - heights[i + columns]);
    terms[i] = sum;
}

// ---- multigrid, as compute/linear_algebra/grid_multigrid.h: i counts the cells of a level ----

// Both functions return the index of a cell in a level's arrays.
OROGEN_CELL uint guarded(uint x, uint y, uint width) { return (y + 1u) * width + x + 1u; }
OROGEN_CELL uint placeOf(uint i) { return guarded(i % columns, i / columns, columns); }

// Returns the weighted sum of the four neighbours' answers.
OROGEN_CELL float aroundOf(uint at)
{
    return (stencil[kStencilSize * at] * answer[at + 1u] + stencil[kStencilSize * (at - 1u)] * answer[at - 1u]) +
           (stencil[kStencilSize * at + 1u] * answer[at + columns] +
            stencil[kStencilSize * (at - columns) + 1u] * answer[at - columns]);
}

// Sets the right side of the finest level: given[] times a.
OROGEN_CELL void startCycle(uint i) { right[placeOf(i)] = float(given[i] * a); }

// Both functions do half of a red-black Gauss-Seidel iteration, over the cells of colour `number` (0 or 1).
// startSweep() starts from an answer of 0 in all cells, sweep() from answer[].
OROGEN_CELL void startSweep(uint i)
{
    uint at = placeOf(i);
    bool mine = ((i % columns + i / columns + number) & 1u) == 0u;
    answer[at] = mine ? right[at] * stencil[kStencilSize * at + 3u] : 0.0f;
}
OROGEN_CELL void sweep(uint i)
{
    if (((i % columns + i / columns + number) & 1u) != 0u) return;
    uint at = placeOf(i);
    answer[at] = (right[at] + aroundOf(at)) * stencil[kStencilSize * at + 3u];
}

// Returns the residual of a cell; 0 outside the level.
OROGEN_CELL float residualAt(uint x, uint y)
{
    if (x >= columns || y >= rows) return 0.0f;
    uint at = guarded(x, y, columns);
    return right[at] - stencil[kStencilSize * at + 2u] * answer[at] + aroundOf(at);
}

// Sums the residual over 2 x 2 cells.  i counts the cells of the next coarser level; coarse[] is its right side.
OROGEN_CELL void restrictResidual(uint i)
{
    uint x = i % otherColumns;
    uint y = i / otherColumns;
    float upper = residualAt(2u * x, 2u * y) + residualAt(2u * x + 1u, 2u * y);
    coarse[guarded(x, y, otherColumns)] = (upper + residualAt(2u * x, 2u * y + 1u)) + residualAt(2u * x + 1u, 2u * y + 1u);
}

// Adds the answer of the next coarser level, coarse[], to the answer.
OROGEN_CELL void prolong(uint i)
{
    answer[placeOf(i)] += coarse[guarded(i % columns / 2u, i / columns / 2u, otherColumns)];
}

// Stores the answer of the finest level, times a, in made[].  terms[]: products of made[] and given[].
OROGEN_CELL void endCycle(uint i)
{
    double value = double(answer[placeOf(i)]) * a;
    made[i] = value;
    terms[i] = value * given[i];
}

// ---- sums ----

// Sums every otherColumns-th of `number` terms, from the i-th on, in made[i].
OROGEN_CELL void sumTerms(uint i)
{
    double sum = double(0);
    for (uint k = i; k < number; k += otherColumns)
        sum += terms[k];
    made[i] = sum;
}
