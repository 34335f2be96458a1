// Determines which workgroup of a pass finishes last, so that this group can process the results of all others.  Each
// group takes a ticket (a number from a counter) when it is done; no group waits.
//
// The last group sees the writes of all others if the buffers are declared coherent.  The order is: each thread's
// writes, the barrier, the ticket, the reads of the last group.
//
// Must be in scope: uint roundCounters[], coherent.  Its word `ticket`, the counter, must be 0 before the pass.  The
// last group resets the counter to 0.
#ifndef OROGEN_LAST_GROUP_GLSL
#define OROGEN_LAST_GROUP_GLSL

shared bool isTheLastGroup;

// Returns whether this group finishes last.  Call it from all threads of every group of the pass, which has `groups`
// groups.
bool isLastGroup(uint ticket, uint groups)
{
    memoryBarrierBuffer();
    barrier();
    if (gl_LocalInvocationIndex == 0u)
    {
        isTheLastGroup = atomicAdd(roundCounters[ticket], 1u) + 1u == groups;
        if (isTheLastGroup) roundCounters[ticket] = 0u;
    }
    barrier();
    memoryBarrierBuffer();
    return isTheLastGroup;
}

#endif
