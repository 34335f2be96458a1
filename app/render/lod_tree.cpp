#include "app/render/lod_tree.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <glm/geometric.hpp>

#include "core/base/text.h"

namespace orogen::app {
namespace {

constexpr int kMinDepth = 6;
constexpr std::uint32_t kPairBlock = 1024;         // must equal kLodBlock in shaders/lod/lod_round.glsl
constexpr double kMostReading = (1 << 30) - 1;     // kVerdictReadings in shaders/tree/leaf_list.glsl
constexpr double kOdometerUnitsPerSide = 1 << 18;  // resolution of travelled distances: 20 cm for a side of 50 km

// Returns the bytes of leafChanges[] (shaders/tree/leaf_changes.glsl): 16 for every eight leaves, and 16 more.
std::uint64_t leafChangesBytes(std::uint32_t capacity) { return 16 * (std::uint64_t(capacity) / 8 + 1); }

// Writes the bits of the nodes 2 and 3, the halves of the square.  The reduction computes the counts.
void writeHalves(const Buffer& heap, int depth)
{
    const std::uint64_t wordCount = std::uint64_t(1) << (depth - 5);
    zero(heap);
    put(heap, 0, std::uint32_t(depth));
    put(heap, wordCount, 1u);
    put(heap, wordCount + wordCount / 2, 1u);
}

}  // namespace

LodPrograms::LodPrograms(ShaderLibrary& library, const ShaderDefine& reduceThreads)
    : RoundPrograms(library, reduceThreads, {}), mark(library.add("mark", {"shaders/lod/lod_mark.comp"})),
      markByError(library.add("mark by error", {"shaders/lod/lod_mark.comp"}, {{"OROGEN_BY_ERROR", "1"}})),
      due(library.add("due", {"shaders/lod/lod_due.comp"}, {reduceThreads})),
      offsets(library.add("offsets", {"shaders/lod/lod_offsets.comp"}, {reduceThreads})),
      list(library.add("list leaves", {"shaders/lod/lod_list.comp"})),
      reencode(library.add("re-encode", {"shaders/lod/cbt_reencode.comp"}))
{
}

std::uint64_t leafBytes(std::uint32_t capacity)
{
    return bytesOf({capacity, capacity, gpu::kListWords}) + words(capacity / kPairBlock + 1) +
           words(std::uint64_t(gpu::kListWords) * capacity) + leafChangesBytes(capacity);
}

std::uint32_t effectiveCapacity(int depth, std::uint32_t capacity)
{
    return std::uint32_t(std::min<std::uint64_t>(capacity, std::uint64_t(1) << depth));
}

int largestDepth(const Limits& limits)
{
    int depth = kMinDepth;
    while (depth < 30 && treeBytes(depth + 1) <= std::uint64_t(limits.shaderStorageBytes))
        ++depth;
    return depth;
}

Status checkDepth(const Limits& limits, int depth)
{
    const int largest = largestDepth(limits);
    if (depth <= largest) return Status::ok();
    return Error{ExitCode::kLimit,
                 fmt::format("cbt.depth {}: the tree takes {} MiB, but this driver's storage blocks hold {} MiB; the "
                             "largest depth here is {}",
                             depth, treeBytes(depth) >> 20, limits.shaderStorageBytes >> 20, largest)};
}

Result<LodTree> LodTree::create(const ShaderLibrary& library, const LodPrograms& programs, const Limits& limits,
                                int depth, std::uint32_t capacity)
{
    LodTree tree(library, programs, limits);
    if (Status status = checkDepth(limits, depth); !status) return status.error();
    if (Status status = tree.makeCommon(); !status) return status.error();
    Result<Buffer> heap = tree.makeHeap(depth);
    if (!heap) return heap.error();
    Result<Buffer> state = makeState(depth);
    if (!state) return state.error();
    const std::uint32_t leaves = effectiveCapacity(depth, capacity);
    Result<LeafBuffers> leaf = tree.makeLeafBuffers({leaves, leaves, gpu::kListWords});
    if (!leaf) return leaf.error();
    Result<OwnBuffers> own = makeOwnBuffers(leaves);
    if (!own) return own.error();
    Result<Buffer> changes = makeChanges(depth);
    if (!changes) return changes.error();
    tree.changes_ = std::move(*changes);
    tree.heap_ = std::move(*heap);
    tree.state_ = std::move(*state);
    tree.leaf_ = std::move(*leaf);
    tree.own_ = std::move(*own);
    tree.depth_ = depth;
    tree.capacity_ = capacity;
    return tree;
}

Result<Buffer> LodTree::makeHeap(int depth) const
{
    Result<Buffer> heap = makeBuffer(fmt::format("tree, depth {}", depth), treeBytes(depth));
    if (heap) writeHalves(*heap, depth);
    return heap;
}

Result<Buffer> LodTree::makeChanges(int depth)
{
    Result<Buffer> changes = makeBuffer("tree changes", treeBytes(depth) / 2);
    if (changes) zero(*changes);
    return changes;
}

Result<LodTree::OwnBuffers> LodTree::makeOwnBuffers(std::uint32_t capacity)
{
    Result<Buffer> prefix = makeBuffer("pair prefix", words(capacity / kPairBlock + 1));
    if (!prefix) return prefix.error();
    Result<Buffer> next = makeBuffer("next leaf list", words(std::uint64_t(gpu::kListWords) * capacity));
    if (!next) return next.error();
    Result<Buffer> changes = makeBuffer("leaf list changes", leafChangesBytes(capacity));
    if (!changes) return changes.error();
    zero(*changes);
    return OwnBuffers{std::move(*prefix), std::move(*next), std::move(*changes)};
}

MakeTriangulation implicitTree(ShaderLibrary& library, const ContextInfo& info)
{
    return [&library, programs = LodPrograms(library, reduceThreads(info))](
               const Limits& limits, int depth, std::uint32_t capacity) -> Result<std::unique_ptr<Triangulation>> {
        Result<LodTree> tree = LodTree::create(library, programs, limits, depth, capacity);
        if (!tree) return tree.error();
        return std::unique_ptr<Triangulation>(std::make_unique<LodTree>(std::move(*tree)));
    };
}

Status LodTree::resize(int depth, std::uint32_t capacity)
{
    if (depth == depth_ && capacity == capacity_) return Status::ok();
    if (Status status = checkDepth(limits_, depth); !status) return status;
    Result<Buffer> heap = makeHeap(depth);
    if (!heap) return heap.error();
    Result<Buffer> state = makeState(depth);
    if (!state) return state.error();
    Result<Buffer> changes = makeChanges(depth);
    if (!changes) return changes.error();
    LeafBuffers leaf;
    OwnBuffers own;
    const std::uint32_t wanted = effectiveCapacity(depth, capacity);
    const bool newLeaves = wanted != effectiveCapacity(depth_, capacity_);
    if (newLeaves)
    {
        Result<LeafBuffers> made = makeLeafBuffers({wanted, wanted, gpu::kListWords});
        if (!made) return made.error();
        leaf = std::move(*made);
        Result<OwnBuffers> madeOwn = makeOwnBuffers(wanted);
        if (!madeOwn) return madeOwn.error();
        own = std::move(*madeOwn);
    }
    const int deepest = newLeaves ? std::min(depth, deepestThatFits(wanted)) : depth;
    reencode(*heap, depth, deepest);
    heap_ = std::move(*heap);
    state_ = std::move(*state);
    changes_ = std::move(*changes);
    if (newLeaves)
    {
        leaf_ = std::move(leaf);
        own_ = std::move(own);
    }
    depth_ = depth;
    capacity_ = capacity;
    zero(own_.leafChanges);
    forgetVerdicts();
    relist();
    return Status::ok();
}

void LodTree::reset()
{
    finishShaderWrites();
    writeHalves(heap_, depth_);
    zero(state_);
    zero(changes_);
    zero(own_.leafChanges);
    forgetVerdicts();
    relist();
}

// Returns the largest depth at which the tree can be cut to fit into the capacity.  Counts distinct ancestors: leaves
// are listed from left to right, so those with a common ancestor are adjacent.
int LodTree::deepestThatFits(std::uint32_t capacity) const
{
    const std::vector<std::uint32_t> leaves = readLeaves();
    const auto depthOf = [](std::uint32_t node) { return int(std::bit_width(node)) - 1; };
    for (int depth = depth_; depth > 1; --depth)
    {
        std::uint32_t count = 0, previous = 0;
        for (std::uint32_t leaf : leaves)
        {
            const std::uint32_t node = depthOf(leaf) > depth ? leaf >> (depthOf(leaf) - depth) : leaf;
            count += node != previous;
            previous = node;
        }
        if (count <= capacity) return depth;
    }
    return 1;
}

void LodTree::reencode(const Buffer& heap, int depth, int deepest)
{
    bind();
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, gpu::kTreeBinding, heap.id());
    const std::uint64_t wordCount = std::uint64_t(1) << (depth - 5);
    glClearNamedBufferSubData(heap.id(), GL_R32UI, GLintptr(words(wordCount)), GLsizeiptr(words(wordCount)),
                              GL_RED_INTEGER, GL_UNSIGNED_INT, nullptr);
    use(programs_.reencode);
    glUniform1ui(0, GLuint(deepest));
    dispatchLeaves();
    afterDispatch(kBetweenPasses);
}

void LodTree::bindOwn() const { glBindBufferBase(GL_SHADER_STORAGE_BUFFER, gpu::kPrefixBinding, own_.prefix.id()); }

void LodTree::bindChanges() const
{
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, gpu::kChangesBinding, changes_.id());
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, gpu::kLeafChangesBinding, own_.leafChanges.id());
}

LodTree::Passes LodTree::applyPasses()
{
    return {{Pass::Over::kOnce, [this] {
                 bindChanges();
                 use(programs_.offsets);
                 const std::uint32_t words = mostLeaves() / 8 + 1;
                 glDispatchCompute((words + gpu::kSumBlock - 1) / gpu::kSumBlock, 1, 1);
                 afterDispatch(kBetweenPasses);
             }}};
}

void LodTree::listLeaves(bool everything)
{
    if (!everything) return;  // the decode derives the list from the last one
    use(programs_.list);
    dispatchLeaves();
    afterDispatch(kBetweenPasses);
}

void LodTree::bindList() const
{
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, gpu::kNextLeavesBinding, own_.nextLeaves.id());
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, gpu::kLeafChangesBinding, own_.leafChanges.id());
}

void LodTree::takeList() { std::swap(leaf_.leaves, own_.nextLeaves); }

LodTree::Passes LodTree::planPasses()
{
    return {{Pass::Over::kLeaves, [this] {
                 bindChanges();
                 use(rounds_.plan);
             }}};
}

void LodTree::moveTo(const glm::dvec3& position, double side)
{
    if (position_) travelled_ += glm::distance(*position_, position);
    odometerUnit_ = side / kOdometerUnitsPerSide;
    // Clears the cached decisions (verdicts) before the travelled distance exceeds the bits in which they store it.
    if (travelled_ / odometerUnit_ > kMostReading - 2) forgetVerdicts();
    position_ = position;
}

void LodTree::forgetVerdicts()
{
    finishShaderWrites();
    const std::uint64_t part = leaf_.leaves.bytes() / gpu::kListWords;
    glClearNamedBufferSubData(leaf_.leaves.id(), GL_R32UI, GLintptr(4 * part), GLsizeiptr(part), GL_RED_INTEGER,
                              GL_UNSIGNED_INT, nullptr);
    travelled_ = 0;
    ++verdictVoids_;
}

void LodTree::markUniforms(bool listed) const
{
    const double reading = travelled_ / odometerUnit_;
    glUniform1ui(0, listed);
    glUniform1ui(1, GLuint(std::floor(reading)));
    glUniform1ui(2, GLuint(std::ceil(reading)));
    glUniform1f(3, float(odometerUnit_));
}

// Binds the list of leaves to be evaluated.  It lies in the buffer of visible leaves, which the next cull rewrites.
void LodTree::bindForMark() const { glBindBufferBase(GL_SHADER_STORAGE_BUFFER, gpu::kDueBinding, leaf_.visible.id()); }

LodTree::Passes LodTree::markPasses()
{
    const bool byError = criterion_ == gpu::kCriterionError;
    const bool listed = keepVerdicts_ && position_;
    Passes passes;
    if (listed)
    {
        passes.push_back({Pass::Over::kOnce, [this] { beginDue(); }});
        passes.push_back({Pass::Over::kLeaves, [this] {
                              bindForMark();
                              use(programs_.due);
                              markUniforms(true);
                          }});
    }
    passes.push_back({listed ? Pass::Over::kDue : Pass::Over::kLeaves, [this, byError, listed] {
                          bindForMark();
                          use(byError ? programs_.markByError : programs_.mark);
                          markUniforms(listed);
                      }});
    passes.push_back({Pass::Over::kOnce, [this] { bind(); }});
    return passes;
}

std::vector<std::uint32_t> LodTree::readPlan() const { return readWords(leaf_.plan, 0, readState().leaves); }

std::vector<std::uint32_t> LodTree::readChanges() const { return readWords(changes_, 0, changes_.bytes() / words(1)); }

std::vector<std::uint32_t> LodTree::readCorners() const
{
    const std::uint64_t part = leaf_.leaves.bytes() / words(gpu::kListWords), count = readState().leaves;
    std::vector<std::uint32_t> corners;
    for (std::uint64_t i = 1; i <= 3; ++i)
    {
        const std::vector<std::uint32_t> words = readWords(leaf_.leaves, i * part, count);
        corners.insert(corners.end(), words.begin(), words.end());
    }
    return corners;
}

std::vector<BufferUse> LodTree::memory() const
{
    std::vector<BufferUse> uses = commonMemory();
    uses.insert(uses.begin(), {fmt::format("tree (depth {})", depth_), heap_.bytes() + changes_.bytes()});
    uses.push_back({"pair bookkeeping", leaf_.pairs.bytes() + own_.prefix.bytes()});
    uses.push_back({"next leaf list", own_.nextLeaves.bytes() + own_.leafChanges.bytes()});
    return uses;
}

namespace {

// Must match shaders/pool/pool.glsl: sizes in 32-bit words, and slots per word of the bit field.
constexpr std::uint64_t kFacts = 4, kSlotWords = 8, kNextWords = 4, kSlotsPerWord = 32, kWordWords = 8;
constexpr int kLeastSlotBits = 10;

int slotBitsFor(std::uint32_t capacity) { return std::max(kLeastSlotBits, int(std::bit_width(capacity - 1))); }

std::uint64_t poolBufferBytes(int slotBits)
{
    const std::uint64_t slots = std::uint64_t(1) << slotBits;
    return words(kFacts + (kSlotWords + kNextWords) * slots + kWordWords * slots / kSlotsPerWord);
}

// Returns the heap of a pool whose first `used` slots are in use: the bit field, and counts of 0.
std::vector<std::uint32_t> wordsOfBits(int slotBits, std::uint32_t used)
{
    const std::size_t fieldWords = std::size_t(1) << (slotBits - 5);
    std::vector<std::uint32_t> heap(2 * fieldWords);
    heap[0] = std::uint32_t(slotBits);
    std::fill_n(heap.begin() + std::ptrdiff_t(fieldWords), used / 32, 0xffffffffu);
    if (used % 32 != 0) heap[fieldWords + used / 32] = (1u << used % 32) - 1;
    return heap;
}

std::vector<std::uint32_t> wordsOfSlots(const leb::PoolLeaves& leaves)
{
    std::vector<std::uint32_t> all;
    all.reserve(kSlotWords * leaves.size());
    for (std::size_t slot = 0; slot < leaves.size(); ++slot)
    {
        const leb::CubeLeaf& leaf = leaves.geometry[slot];
        const leb::LeafId id = leaves.ids[slot];
        all.insert(all.end(), leaves.links[slot].begin(), leaves.links[slot].end());
        all.insert(all.end(), {std::uint32_t(leaf.x), std::uint32_t(leaf.y), leaf.shape});
        all.insert(all.end(), {std::uint32_t(id), std::uint32_t(id >> 32)});
    }
    return all;
}

void upload(const Buffer& buffer, std::uint64_t first, const std::vector<std::uint32_t>& data)
{
    glNamedBufferSubData(buffer.id(), GLintptr(words(first)), GLsizeiptr(words(data.size())), data.data());
}

}  // namespace

PoolPrograms::PoolPrograms(ShaderLibrary& library, const ShaderDefine& reduceThreads, const std::string& markFile)
    : RoundPrograms(library, reduceThreads, {{"OROGEN_POOL", "1"}})
{
    const ShaderDefine world{"OROGEN_POOL", "1"};
    const auto add = [&](const char* name) {
        return library.add(fmt::format("pool {}", name), {fmt::format("shaders/lod/pool_{}.comp", name)}, {world});
    };
    mark = library.add("mark", {markFile}, {world});
    markByError = library.add("mark by error", {markFile}, {world, {"OROGEN_BY_ERROR", "1"}});
    ranks = library.add("pool ranks", {"shaders/lod/pool_ranks.comp"}, {world, reduceThreads});
    allot = add("allot");
    connect = add("connect");
    commit = add("commit");
    list = add("list");
}

Status checkPoolCapacity(const Limits& limits, std::uint32_t capacity)
{
    int slotBits = leb::kMostPoolBits;
    while (slotBits > kLeastSlotBits && poolBufferBytes(slotBits) > std::uint64_t(limits.shaderStorageBytes))
        --slotBits;
    if (capacity <= 1u << slotBits) return Status::ok();
    const char* reason = slotBits == leb::kMostPoolBits ? "the Earth's triangulation holds"
                                                        : "this driver's storage "
                                                          "blocks hold";
    return Error{ExitCode::kLimit,
                 fmt::format("cbt.leaf_capacity {}: {} {} leaves at most", capacity, reason, 1u << slotBits)};
}

// Depth, capacity, and buffers that depend on them; created together before they replace the old ones.
struct PoolTree::Storage
{
    int depth = 0, slotBits = 0;
    std::uint32_t capacity = 0;
    Buffer heap, state, pool;
    LeafBuffers leaf;
};

Result<PoolTree::Storage> PoolTree::makeStorage(int depth, std::uint32_t capacity) const
{
    if (Status status = checkPoolCapacity(limits_, capacity); !status) return status.error();
    Storage made;
    made.depth = depth;
    made.slotBits = slotBitsFor(capacity);
    made.capacity = capacity;
    Result<Buffer> heap = makeBuffer("slots in use", treeBytes(made.slotBits), GL_DYNAMIC_STORAGE_BIT);
    if (!heap) return heap.error();
    Result<Buffer> pool = makeBuffer("bisectors", poolBufferBytes(made.slotBits), GL_DYNAMIC_STORAGE_BIT);
    if (!pool) return pool.error();
    Result<Buffer> state = makeState(made.slotBits);
    if (!state) return state.error();
    Result<LeafBuffers> leaf = makeLeafBuffers({1u << made.slotBits, capacity});
    if (!leaf) return leaf.error();
    made.heap = std::move(*heap);
    made.pool = std::move(*pool);
    made.state = std::move(*state);
    made.leaf = std::move(*leaf);
    return made;
}

// Uploads leaves and bit field.  relist() computes the counts afterwards.
void PoolTree::write(const Storage& storage, const leb::PoolLeaves& leaves)
{
    zero(storage.pool);
    upload(storage.heap, 0, wordsOfBits(storage.slotBits, leaves.size()));
    upload(storage.pool, 0, {std::uint32_t(storage.depth), 0, 0, 0});
    upload(storage.pool, kFacts, wordsOfSlots(leaves));
}

void PoolTree::take(Storage storage)
{
    depth_ = storage.depth;
    capacity_ = storage.capacity;
    slotBits_ = storage.slotBits;
    heap_ = std::move(storage.heap);
    state_ = std::move(storage.state);
    pool_ = std::move(storage.pool);
    leaf_ = std::move(storage.leaf);
}

Result<PoolTree> PoolTree::create(const ShaderLibrary& library, const PoolPrograms& programs, const Limits& limits,
                                  int depth, std::uint32_t capacity)
{
    PoolTree tree(library, programs, limits);
    if (Status status = tree.makeCommon(); !status) return status.error();
    Result<Storage> storage = tree.makeStorage(depth, capacity);
    if (!storage) return storage.error();
    write(*storage, leb::rootLeaves(leb::PoolRoots::kCube));
    tree.take(std::move(*storage));
    return tree;
}

MakeTriangulation poolTree(ShaderLibrary& library, const ContextInfo& info)
{
    return [&library, programs = PoolPrograms(library, reduceThreads(info))](
               const Limits& limits, int depth, std::uint32_t capacity) -> Result<std::unique_ptr<Triangulation>> {
        Result<PoolTree> tree = PoolTree::create(library, programs, limits, depth, capacity);
        if (!tree) return tree.error();
        return std::unique_ptr<Triangulation>(std::make_unique<PoolTree>(std::move(*tree)));
    };
}

Status PoolTree::resize(int depth, std::uint32_t capacity)
{
    if (depth == depth_ && capacity == capacity_) return Status::ok();
    Result<Storage> storage = makeStorage(depth, capacity);
    if (!storage) return storage.error();
    const std::vector<leb::LeafId> ids = readIds();
    write(*storage, leb::leavesAbove(ids, readLinks(), leb::deepestThatFits(ids, depth, capacity)));
    take(std::move(*storage));
    relist();
    return Status::ok();
}

void PoolTree::reset()
{
    finishShaderWrites();
    const leb::PoolLeaves roots = leb::rootLeaves(leb::PoolRoots::kCube);
    zero(pool_);
    upload(heap_, 0, wordsOfBits(slotBits_, roots.size()));
    upload(pool_, 0, {std::uint32_t(depth_), 0, 0, 0});
    upload(pool_, kFacts, wordsOfSlots(roots));
    zero(state_);
    relist();
}

void PoolTree::bindOwn() const { glBindBufferBase(GL_SHADER_STORAGE_BUFFER, gpu::kPoolBinding, pool_.id()); }

PoolTree::Passes PoolTree::markPasses()
{
    const bool byError = criterion_ == gpu::kCriterionError;
    return {pass(Pass::Over::kLeaves, byError ? programs_.markByError : programs_.mark)};
}

PoolTree::Passes PoolTree::planPasses()
{
    return {{Pass::Over::kOnce, [this] { beginDue(); }}, pass(Pass::Over::kLeaves, programs_.plan)};
}

PoolTree::Passes PoolTree::applyPasses()
{
    const auto ranks = [this] {
        use(programs_.ranks);
        glDispatchCompute(GLuint((slots() / kSlotsPerWord + gpu::kSumBlock - 1) / gpu::kSumBlock), 1, 1);
        afterDispatch(kBetweenPasses);
    };
    return {{Pass::Over::kOnce, ranks},
            pass(Pass::Over::kDue, programs_.allot),
            pass(Pass::Over::kDue, programs_.connect),
            pass(Pass::Over::kDue, programs_.commit)};
}

void PoolTree::listLeaves(bool everything)
{
    use(programs_.list);
    glUniform1ui(0, everything);
    const std::uint32_t perGroup = kSlotsPerWord * gpu::kLeafGroupSize;
    glDispatchCompute((slots() + perGroup - 1) / perGroup, 1, 1);
    afterDispatch(kBetweenPasses);
}

std::vector<std::uint32_t> PoolTree::readSlots() const { return readWords(pool_, kFacts, kSlotWords * slots()); }

std::vector<leb::LeafId> PoolTree::readIds() const
{
    const std::vector<std::uint32_t> all = readSlots();
    std::vector<leb::LeafId> ids(slots());
    for (std::size_t slot = 0; slot < ids.size(); ++slot)
        ids[slot] = all[kSlotWords * slot + 6] | leb::LeafId(all[kSlotWords * slot + 7]) << 32;
    return ids;
}

std::vector<leb::CubeLeaf> PoolTree::readGeometry() const
{
    const std::vector<std::uint32_t> all = readSlots();
    std::vector<leb::CubeLeaf> leaves(slots());
    for (std::size_t slot = 0; slot < leaves.size(); ++slot)
    {
        const std::uint32_t* place = &all[kSlotWords * slot + 3];
        leaves[slot] = {std::int32_t(place[0]), std::int32_t(place[1]), place[2]};
    }
    return leaves;
}

std::vector<leb::PoolLinks> PoolTree::readLinks() const
{
    const std::vector<std::uint32_t> all = readSlots();
    std::vector<leb::PoolLinks> links(slots());
    for (std::size_t slot = 0; slot < links.size(); ++slot)
        std::copy_n(&all[kSlotWords * slot], 3, links[slot].begin());
    return links;
}

std::vector<std::uint32_t> PoolTree::readBits() const { return readWords(heap_, slots() / 32, slots() / 32); }

std::vector<std::uint32_t> PoolTree::readPlan() const { return readWords(leaf_.plan, 0, slots()); }

std::vector<BufferUse> PoolTree::memory() const
{
    std::vector<BufferUse> uses = commonMemory();
    uses.insert(uses.begin(), {fmt::format("bisectors ({} slots)", grouped(slots())), pool_.bytes() + heap_.bytes()});
    uses.push_back({"pair bookkeeping", leaf_.pairs.bytes()});
    return uses;
}

}  // namespace orogen::app
