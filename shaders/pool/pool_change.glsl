// Applies a round of splits and merges (lod_round.glsl) to the leaves of the pool (pool.glsl) and to the links around
// them.  Steps of a round, each a pass:
//     plan      poolNotePlan: lists changing leaves, and records the slots they need
//     ranks     pool_ranks.comp: sums up, for each word of 32 slots, the needs of all lower words
//     allot     poolAllot: stores a splitting leaf's rank (number of slots needed before it) in its plan, and hands
//               out its slots
//     connect   poolConnect: computes the links of all new leaves from the old state and the plans
//     commit    poolCommit: writes the links, geometry and ids of all new leaves, and the bits of slots in use
//
// A leaf that splits needs a slot for its child 1, and one for child 1 of each child that splits.  Child 0, or the
// child 0 of child 0, keeps the leaf's own slot.  The k-th need, counted over splitting leaves by slot, gets the k-th
// slot that was free before the round.  A merging pair leaves its parent in the slot of child 0.
//
// The changing leaves, over which these passes run, are leaves that split, and child 1 of each pair that merges.  Each
// changes at most one link of a neighbour that neither splits nor merges.  Writing that link is called a push.  The
// neighbour lies across edge 1 of a leaf that splits, or across the base of child 1 of a pair that merges.  Across edge
// 0 of a leaf that splits no push is needed: the new leaf there has the slot of the old one.
//
// Must be in scope: lod_buffers.glsl with OROGEN_POOL.
#ifndef OROGEN_POOL_CHANGE_GLSL
#define OROGEN_POOL_CHANGE_GLSL

layout(std430, binding = kChangedBinding) buffer ChangedBlock { uint changedGroups[3]; uint changedCount; uint changed[]; };

const uint kPoolRank = 4u;       // in a plan, the first bit of the rank of the first slot that the leaf needs
const uint kPoolPush = 30u;      // in a leaf's first new link, first bit of the neighbour's edge to push to; 3: no push
const uint kPoolNoPush = 3u;
const uint kPoolSlotMask = 0x3fffffffu;

uint poolChildBits(uint plan) { return uint(bitCount(plan & (kLodSplitChild0 | kLodSplitChild1))); }
bool poolSplits(uint plan) { return (plan & kLodKind) == kLodSplit; }

// Lists the leaf if it changes.  For a split, sets the bits of the slots that it needs.
void poolNotePlan(uint slot, uint plan)
{
    bool merges = plan == kLodMerge;
    if (!merges && !poolSplits(plan)) return;
    uint place = atomicAdd(changedCount, 1u);
    changed[place] = slot;
    uint group = place / kLeafGroupSize;
    if (place % kLeafGroupSize == 0u)
    {
        if (group < kMaxGroupsX) atomicAdd(changedGroups[0], 1u);
        else if (group % kMaxGroupsX == 0u) atomicAdd(changedGroups[1], 1u);
    }
    if (merges) return;
    uint word = poolWord(slot >> 5u), bit = 1u << (slot & 31u);
    atomicOr(pool[word], bit);
    if ((plan & kLodSplitChild0) != 0u) atomicOr(pool[word + 1u], bit);
    if ((plan & kLodSplitChild1) != 0u) atomicOr(pool[word + 2u], bit);
}

// Returns the number of slots that leaves of a word need; `mask` selects these leaves.
uint poolNeeds(uint word, uint mask)
{
    uint at = poolWord(word);
    return uint(bitCount(pool[at] & mask) + bitCount(pool[at + 1u] & mask) + bitCount(pool[at + 2u] & mask));
}

// Returns the number of slots that the splits in all lower words need.
uint poolRankBefore(uint word)
{
    return pool[poolWord(word) + kPoolBefore] + pool[poolWord(word / kSumBlock) + kPoolBlock];
}

void poolAllot(uint slot)
{
    uint plan = leafPlan[slot];
    if (!poolSplits(plan)) return;
    uint word = slot >> 5u;
    uint rank = poolRankBefore(word) + poolNeeds(word, (1u << (slot & 31u)) - 1u);
    leafPlan[slot] = plan | (rank << kPoolRank);
    uint end = rank + 1u + poolChildBits(plan);
    for (uint k = rank; k < end; k += 1u) pool[poolNext(k) + 3u] = cbtClearBit(k);
}

// Slots of a splitting leaf's children.  `of0`: the slot of child 0's own child 1 if child 0 splits, otherwise the slot
// of child 0.  `of1`: the corresponding slot for child 1.
struct PoolFamily
{
    uint child0, child1, of0, of1;
};

PoolFamily poolFamily(uint slot, uint plan)
{
    uint rank = plan >> kPoolRank;
    bool splits0 = (plan & kLodSplitChild0) != 0u, splits1 = (plan & kLodSplitChild1) != 0u;
    PoolFamily family;
    family.child0 = slot;
    family.child1 = poolHandedOut(rank);
    family.of0 = splits0 ? poolHandedOut(rank + 1u) : family.child0;
    family.of1 = splits1 ? poolHandedOut(rank + (splits0 ? 2u : 1u)) : family.child1;
    return family;
}

// Returns the slot of the new leaf that touches the end of an old leaf's edge if `atEnd`, otherwise its beginning.
// pool.glsl gives the directions of edges.
uint poolLeafOn(uint slot, uint edge, bool atEnd)
{
    uint plan = leafPlan[slot];
    if (plan == kLodMerge) return poolLink(slot, 1u);
    if (!poolSplits(plan)) return slot;
    PoolFamily family = poolFamily(slot, plan);
    if (edge == 0u) return atEnd ? family.of0 : family.child0;
    if (edge == 1u) return atEnd ? family.of1 : family.child1;
    return atEnd ? family.child1 : family.of0;
}

// Returns the edge of `from` across which `to` lies.
uint poolEdgeTo(uint from, uint to) { return poolLink(from, 0u) == to ? 0u : poolLink(from, 1u) == to ? 1u : 2u; }

// Returns whether the leaf keeps its place, its slot and all links that are not pushed.
bool poolStays(uint slot)
{
    uint plan = leafPlan[slot];
    if (plan == kLodMerge || poolSplits(plan)) return false;
    uint sibling = poolLink(slot, 0u);
    return !(leafPlan[sibling] == kLodMerge && poolLink(sibling, 1u) == slot);  // child 0's slot becomes the parent's
}

// Returns the push to an edge of a neighbour, as the bits to add to a first new link.
uint poolPushTo(uint slot, uint edge) { return (poolStays(slot) ? edge : kPoolNoPush) << kPoolPush; }

void poolStoreNext(uint slot, uint across0, uint across1, uint across2)
{
    uint at = poolNext(slot);
    pool[at] = across0;
    pool[at + 1u] = across1;
    pool[at + 2u] = across2;
}

// Returns the slot of the new leaf across the base that touches the base's left or right end.
uint poolLeafBeyondBase(uint slot, bool atLeft)
{
    uint beyond = poolLink(slot, 2u);
    return poolLeafOn(beyond, poolEdgeTo(beyond, slot), atLeft);
}

// Computes the links of child 0 and of its children.  For the leaf on the other side of an edge, the edge has
// the opposite direction, so the edge's ends are swapped.  `push`: from poolConnectChild1().
void poolConnectChild0(uint slot, uint plan, PoolFamily family, uint push)
{
    uint beyond = poolLink(slot, 0u), edge = poolEdgeTo(beyond, slot);
    uint atLeft = poolLeafBeyondBase(slot, true);
    if ((plan & kLodSplitChild0) == 0u)
    {
        poolStoreNext(family.child0, family.of1 | push, atLeft, poolLeafOn(beyond, edge, true));
        return;
    }
    poolStoreNext(family.child0, family.of0 | push, poolLeafOn(beyond, edge, true), family.of1);
    poolStoreNext(family.of0, poolLeafOn(beyond, edge, false), family.child0, atLeft);
}

// Computes the links of child 1 and of its children.  Returns poolPushTo() for the neighbour across edge 1.
uint poolConnectChild1(uint slot, uint plan, PoolFamily family)
{
    uint beyond = poolLink(slot, 1u), edge = poolEdgeTo(beyond, slot);
    uint atRight = poolLeafBeyondBase(slot, false);
    if ((plan & kLodSplitChild1) == 0u)
        poolStoreNext(family.child1, atRight, family.child0, poolLeafOn(beyond, edge, true));
    else
    {
        poolStoreNext(family.child1, family.of1, poolLeafOn(beyond, edge, true), atRight);
        poolStoreNext(family.of1, poolLeafOn(beyond, edge, false), family.child1, family.child0);
    }
    return poolPushTo(beyond, edge);
}

// Computes the links of the parent of a pair that merges, given child 1.  The parent gets the slot of child 0.  Across
// the parent's base lies the parent of the diamond's other pair, in the slot of that pair's child 0.
void poolConnectParent(uint child1)
{
    uint child0 = poolLink(child1, 1u);
    uint left = poolLink(child0, 2u), right = poolLink(child1, 2u);
    uint toRight = poolEdgeTo(right, child1);
    uint across0 = poolLeafOn(left, poolEdgeTo(left, child0), true);
    poolStoreNext(child0, across0 | poolPushTo(right, toRight), poolLeafOn(right, toRight, true), poolLink(child1, 0u));
}

void poolConnect(uint slot)
{
    uint plan = leafPlan[slot];
    if (plan == kLodMerge)
    {
        poolConnectParent(slot);
        return;
    }
    PoolFamily family = poolFamily(slot, plan);
    uint push = poolConnectChild1(slot, plan, family);
    poolConnectChild0(slot, plan, family, push);
}

// Replaces the links of a slot by its new links.
void poolTakeLinks(uint slot)
{
    uint from = poolNext(slot);
    pool[8u * slot] = pool[from] & kPoolSlotMask;
    pool[8u * slot + 1u] = pool[from + 1u];
    pool[8u * slot + 2u] = pool[from + 2u];
}

void poolPush(uint slot, uint edge, uint across)
{
    if (edge != kPoolNoPush) pool[8u * slot + edge] = across;
}

void poolStoreLeaf(uint slot, CubeLeaf leaf, uvec2 id)
{
    uint at = 8u * slot + kPoolPlace;
    pool[at] = uint(leaf.apex.x);
    pool[at + 1u] = uint(leaf.apex.y);
    pool[at + 2u] = leaf.shape;
    pool[at + 3u] = id.x;
    pool[at + 4u] = id.y;
}

uvec2 poolIdOf(uint slot) { return uvec2(pool[8u * slot + kPoolId], pool[8u * slot + kPoolId + 1u]); }
uvec2 poolChildId(uvec2 id, uint child) { return uvec2((id.x << 1u) | child, (id.y << 1u) | (id.x >> 31u)); }
uvec2 poolParentId(uvec2 id) { return uvec2((id.x >> 1u) | (id.y << 31u), id.y >> 1u); }

// Sets the bit of a slot that was handed out, and takes its links.
void poolUse(uint slot)
{
    atomicOr(heap[cbtWordCount() + (slot >> 5u)], 1u << (slot & 31u));
    touchChunk(slot);
    poolTakeLinks(slot);
}

// Stores a child of a leaf that splits, or the child's two children if the child splits, too.  `other`: slot of the
// child's child 1.
void poolStoreChildren(uint slot, uint other, bool splits, CubeLeaf leaf, uvec2 id)
{
    if (!splits)
    {
        poolStoreLeaf(slot, leaf, id);
        return;
    }
    poolStoreLeaf(slot, cubeChild(leaf, 0u), poolChildId(id, 0u));
    poolStoreLeaf(other, cubeChild(leaf, 1u), poolChildId(id, 1u));
    poolUse(other);
}

void poolCommitSplit(uint slot, uint plan)
{
    PoolFamily family = poolFamily(slot, plan);
    poolPush(poolLink(slot, 1u), pool[poolNext(slot)] >> kPoolPush, family.child1);
    CubeLeaf leaf = poolLeaf(slot);
    uvec2 id = poolIdOf(slot);
    poolTakeLinks(slot);
    poolUse(family.child1);
    poolStoreChildren(slot, family.of0, (plan & kLodSplitChild0) != 0u, cubeChild(leaf, 0u), poolChildId(id, 0u));
    poolStoreChildren(family.child1, family.of1, (plan & kLodSplitChild1) != 0u, cubeChild(leaf, 1u), poolChildId(id, 1u));
    uint word = poolWord(slot >> 5u);  // cleared for the next round; the leaves of a word all store zeros
    for (uint i = 0u; i < 3u; i += 1u) pool[word + i] = 0u;
}

void poolCommitMerge(uint child1)
{
    uint child0 = poolLink(child1, 1u);
    poolPush(poolLink(child1, 2u), pool[poolNext(child0)] >> kPoolPush, child0);
    poolTakeLinks(child0);
    poolStoreLeaf(child0, cubeParentOfChild0(poolLeaf(child0)), poolParentId(poolIdOf(child0)));
    pool[8u * child1 + kPoolId] = 0u;
    pool[8u * child1 + kPoolId + 1u] = 0u;
    atomicAnd(heap[cbtWordCount() + (child1 >> 5u)], ~(1u << (child1 & 31u)));
    touchChunk(child1);
}

void poolCommit(uint slot)
{
    uint plan = leafPlan[slot];
    if (plan == kLodMerge) poolCommitMerge(slot);
    else poolCommitSplit(slot, plan);
}

#endif
