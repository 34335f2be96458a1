// Which work group is the last of a pass to be done, so that it may go on with what needs the results of all others.
// Every group takes a ticket when its work is done; nobody waits for anybody.
//
// What the others have written is seen by the last one if it lies in buffers that the program declares coherent: each
// thread's writes come before the barrier, the barrier before the ticket, and the ticket before the reads of the last.
//
// Must be in scope: uint roundCounters[], coherent; the ticket in it is 0 before the pass, and after it.
#ifndef OROGEN_LAST_GROUP_GLSL
#define OROGEN_LAST_GROUP_GLSL

shared bool isTheLastGroup;

// Called by all threads of every group of the pass, of which there are `groups`.
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
