// Algorithm 3 of paper 001 as printed, with a correction of each of its four errors as an option, for the
// counter-examples. The program uses the corrected form in compute/multiword/kernels/paper3.h.
#pragma once

#include <cstdint>

#include "compute/device/kernel.h"

namespace orogen::test {

struct Mended
{
    bool ownCarry = false;       // step 1: p does not clear C_p, which p - 1 may have written
    bool barrierBefore = false;  // barrier before the loop
    bool barrierAfter = false;   // barrier between step 19 and the next step 16
    bool iterations = false;     // k iterations instead of k - 1
};

struct PrintedArguments
{
    const std::uint16_t* x;
    const std::uint16_t* y;
    std::uint16_t* z;
    std::uint32_t* c;  // k + 1 elements, initially arbitrary
    unsigned k;
    Mended mended;
};

// Runs steps 1 to 27 for one group of 16 words per thread.
inline void printedAlgorithm3(const PrintedArguments& a)
{
    using namespace compute::onHost;
    const unsigned p = blockIndex().x * blockSize().x + threadIndex().x;
    std::uint16_t m[16];
    std::uint32_t c1 = 0, t1 = 0;
    if (!a.mended.ownCarry) storeRelease(&a.c[p], 0);
    if (!a.mended.ownCarry) storeRelease(&a.c[a.k], 0);
    if (a.mended.ownCarry && p == 0) storeRelease(&a.c[0], 0);
    for (unsigned i = 0; i < 16; ++i)
    {
        m[i] = std::uint16_t(a.x[16 * p + i] + a.y[16 * p + i]);
        c1 |= std::uint32_t(m[i] < a.x[16 * p + i]) << (i + 1);
        t1 |= std::uint32_t(m[i] == 0xffff) << i;
    }
    storeRelease(&a.c[p + 1], c1 >> 16);
    c1 &= 0xffff;
    std::uint32_t f1 = c1;
    if (a.mended.barrierBefore) syncGrid();
    for (unsigned i = 0; i < (a.mended.iterations ? a.k : a.k - 1); ++i)
    {
        f1 |= loadAcquire(&a.c[p]) & 1u;
        const std::uint32_t carry = (f1 + t1) >> 16;
        syncGrid();
        storeRelease(&a.c[p + 1], loadAcquire(&a.c[p + 1]) | carry);
        if (a.mended.barrierAfter) syncGrid();
    }
    syncGrid();
    c1 |= loadAcquire(&a.c[p]);
    for (int i = 0; i < 16; ++i)
        c1 |= (c1 & t1) << 1 & 0xffffu;
    for (unsigned i = 0; i < 16; ++i)
        a.z[16 * p + i] = std::uint16_t(m[i] + (c1 >> i & 1u));
}

}  // namespace orogen::test
