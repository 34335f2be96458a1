// Matrices on the host executor and on the fake GPU: the paper's interface, its kernels and ours.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "compute/linear_algebra/dev_matrix.h"
#include "compute/linear_algebra/kernels/matrix_kernels.h"
#include "compute/linear_algebra/matrix.h"
#include "tests/compute/fake_cuda.h"
#include "tests/compute/host_schedules.h"

namespace orogen::test {
namespace {

using namespace compute;

constexpr const char* kProductNames[] = {"paper", "by terms", "by blocks", "tiled", "tensor"};

Matrix made(std::size_t rows, std::size_t columns, std::uint64_t seed)
{
    Matrix matrix(rows, columns);
    for (double& value : matrix.values())
        value = double(std::int64_t(seed = seed * 6364136223846793005u + 1442695040888963407u) >> 11) / 3e15;
    return matrix;
}

bool sameElements(const Matrix& a, const Matrix& b)
{
    return a.rows() == b.rows() && a.columns() == b.columns() &&
           std::memcmp(a.values().data(), b.values().data(), a.values().size_bytes()) == 0;
}

// Returns whether `found` is a times b: bit-identical where sums follow the order of the inner index.
bool isProduct(const Matrix& a, const Matrix& b, const Matrix& found, ProductKernel kernel)
{
    const Matrix expected = a * b;
    if (kernel == ProductKernel::kPaper || kernel == ProductKernel::kTiled) return sameElements(found, expected);
    if (found.rows() != a.rows() || found.columns() != b.columns()) return false;
    for (std::size_t i = 0; i < a.rows(); ++i)
        for (std::size_t j = 0; j < b.columns(); ++j)
        {
            double size = 0;
            for (std::size_t d = 0; d < a.columns(); ++d)
                size += std::abs(a(i, d) * b(d, j));
            if (!(std::abs(found(i, j) - expected(i, j)) <= 1e-14 * size)) return false;
        }
    return true;
}

TEST(DevMatrix, AddsSubtractsAndScalesInEverySchedule)
{
    for (const auto& [rows, columns] : {std::pair<std::size_t, std::size_t>{1, 1}, {31, 33}, {65, 3}, {2, 100}})
        for (const HostSchedule& schedule : hostSchedules())
        {
            const std::unique_ptr<KernelTarget> target = makeHostTarget(schedule);
            const Matrix a = made(rows, columns, 1), b = made(rows, columns, 2);
            const DevMatrix left(*target, a), right(*target, b), filled(*target, rows, columns, 2.5);
            EXPECT_TRUE(sameElements(*(left + right).toMatrix(), a + b)) << textOf(schedule);
            EXPECT_TRUE(sameElements(*(left - right).toMatrix(), a - b));
            EXPECT_TRUE(sameElements(*(left * -3.0).toMatrix(), a * -3.0));
            EXPECT_TRUE(sameElements(*(left.copy() + right - filled).toMatrix(), a + b - Matrix(rows, columns, 2.5)));
            EXPECT_TRUE(sameElements(*(left.copy() * 2.0).toMatrix(), a * 2.0));
            EXPECT_TRUE(sameElements(*left.toMatrix(), a)) << "the operands stay";
            EXPECT_GT(target->hostLaunches().counts.blocks, 0u);
        }
}

TEST(DevMatrixLong, MultipliesByEveryKernelInEverySchedule)
{
    const struct
    {
        std::size_t rows, inner, columns;
    } shapes[] = {{1, 1, 1}, {3, 300, 2}, {33, 31, 65}, {70, 9, 1}, {65, 17, 130}};
    for (const ProductKernel kernel : kProductKernels)
        for (const auto& [rows, inner, columns] : shapes)
        {
            if (kernel == ProductKernel::kTensor && inner > 30) continue;  // slow on the host executor
            const Matrix a = made(rows, inner, 3), b = made(inner, columns, 4);
            for (const HostSchedule& schedule : hostSchedules())
            {
                if (kernel == ProductKernel::kByBlocks && rows * columns > 200)
                    continue;  // one block per element: slow
                const std::unique_ptr<KernelTarget> target = makeHostTarget(schedule);
                const Result<Matrix> found = product({*target, a}, {*target, b}, kernel).toMatrix();
                ASSERT_TRUE(found) << found.error().message;
                ASSERT_TRUE(isProduct(a, b, *found, kernel)) << kProductNames[int(kernel)] << ", " << rows << " x "
                                                             << inner << " x " << columns << ", " << textOf(schedule);
            }
        }
}

// Varies the cuts of the rows of tiles into launches, and the previous content of the result's memory.
TEST(DevMatrix, LaunchesOfAnyLengthGiveTheSameBits)
{
    const Matrix a = made(150, 40, 3), b = made(40, 70, 4), c = made(150, 40, 5);
    for (const ProductKernel kernel : {ProductKernel::kPaper, ProductKernel::kTiled, ProductKernel::kTensor})
        for (const LaunchPacer& pacer : {LaunchPacer(1, 1), LaunchPacer(2, 3), LaunchPacer(1000)})
        {
            const std::unique_ptr<KernelTarget> target = makeHostTarget({});
            const DevMatrix left(*target, a), right(*target, b), other(*target, c);
            DevMatrix out(*target, 150, 70, 99.0), sum(*target, 150, 40, 99.0);
            ASSERT_TRUE(out.assignProduct(left, right, kernel, {}, pacer));
            EXPECT_TRUE(sameElements(*out.toMatrix(), *product(left, right, kernel).toMatrix()));
            ASSERT_TRUE(sum.assignSum(left, other, {}, pacer));
            EXPECT_TRUE(sameElements(*sum.toMatrix(), a + c));
        }
}

TEST(DevMatrix, AStopIsSeenBetweenLaunches)
{
    std::stop_source source;
    source.request_stop();
    const std::unique_ptr<KernelTarget> target = makeHostTarget({});
    const DevMatrix a(*target, 100, 100, 1);
    DevMatrix out(*target, 100, 100);
    for (const Status& status :
         {out.assignProduct(a, a, ProductKernel::kTiled, source.get_token()), out.assignSum(a, a, source.get_token())})
    {
        ASSERT_FALSE(status);
        EXPECT_EQ(status.error().code, ExitCode::kInterrupted);
    }
    Matrix onCpu(100, 100);
    EXPECT_EQ(productInto(onCpu, Matrix(100, 100, 1), Matrix(100, 100, 1), source.get_token()).error().code,
              ExitCode::kInterrupted);
}

TEST(DevMatrix, ShapesThatDoNotFitAreErrorsThatNameBoth)
{
    const std::unique_ptr<KernelTarget> target = makeHostTarget({});
    const DevMatrix a(*target, 2, 3, 1), b(*target, 3, 2, 1), c(*target, 4, 4, 1);
    for (const DevMatrix& made : {a + b, a - b, a * c, a.copy() + c, a.copy() - c, (a + b) * 2.0, (a + c) + (a + b)})
    {
        ASSERT_FALSE(made.status());
        EXPECT_EQ(made.status().error().code, ExitCode::kInput);
        EXPECT_NE(made.status().error().message.find("2 x 3"), std::string::npos) << made.status().error().message;
        EXPECT_FALSE(made.toMatrix());
    }
    EXPECT_NE((a * c).status().error().message.find("as many columns"), std::string::npos);
    EXPECT_TRUE((a * b).status());
    EXPECT_TRUE(DevMatrix().status());
    EXPECT_EQ(DevMatrix().toMatrix()->elements(), 0u);
}

// ---- memory ----

// Fake GPU that counts allocations of at least `bytes`.
class CountingGpu
{
public:
    explicit CountingGpu(std::size_t bytes) : cuda_(counted(bytes)), target_(std::move(*makeCudaTarget(cuda_, 0))) {}

    KernelTarget& target() { return *target_; }
    FakeCuda& fake() { return fake_; }
    std::size_t most() const { return most_; }
    void resetMost() { most_ = large_.size(); }

private:
    CudaCalls counted(std::size_t least)
    {
        CudaCalls calls = fake_.table();
        calls.allocate = [this, least, allocate = calls.allocate](void** memory, std::size_t bytes) {
            const CudaCode code = allocate(memory, bytes);
            if (code == 0 && bytes >= least) large_.insert(*memory);
            most_ = std::max(most_, large_.size());
            return code;
        };
        calls.free = [this, free = calls.free](void* memory) {
            large_.erase(memory);
            return free(memory);
        };
        return calls;
    }

    FakeCuda fake_;
    std::set<void*> large_;
    std::size_t most_ = 0;
    Cuda cuda_;
    std::unique_ptr<KernelTarget> target_;
};

// The paper allows two live matrices in an addition, not three.
TEST(DevMatrix, MovesLeaveTwoAliveInAnAddition)
{
    CountingGpu gpu(64 * sizeof(double));
    {
        DevMatrix a(gpu.target(), 8, 8, 1), b(gpu.target(), 8, 8, 2);
        gpu.resetMost();
        a = std::move(a) + b;
        a = std::move(a) - b;
        a = std::move(a) * 3.0;
        EXPECT_EQ(gpu.most(), 2u);
        const DevMatrix c = a + b;
        EXPECT_EQ(gpu.most(), 3u) << "a result of its own is the third, and nothing else";
        DevMatrix d = a * b;
        EXPECT_EQ(gpu.most(), 4u);
        DevMatrix nothing;
        d = std::move(nothing);
        gpu.resetMost();
        const DevMatrix e = a - b;
        EXPECT_EQ(gpu.most(), 4u) << "what is assigned to gives its memory back";
        EXPECT_EQ((*c.toMatrix())(7, 7), 5);
        EXPECT_EQ((*e.toMatrix())(0, 7), 1);
    }
    EXPECT_EQ(gpu.fake().misuse, std::vector<std::string>{});
}

// Eq. 3: 4.66 GiB per matrix of n = 25,000; this GPU has 4 GiB.
TEST(DevMatrix, ASizeThatDoesNotFitIsRefusedWithWhatItWouldNeed)
{
    CountingGpu gpu(1);
    const DevMatrix refused(gpu.target(), 25'000, 25'000);
    ASSERT_FALSE(refused.status());
    EXPECT_EQ(refused.status().error().code, ExitCode::kLimit);
    EXPECT_NE(refused.status().error().message.find("a matrix of 25000 x 25000 needs 4.66 GiB"), std::string::npos)
        << refused.status().error().message;
    EXPECT_TRUE(DevMatrix(gpu.target(), 10, 10).status()) << "the GPU can still be used";
    const DevMatrix beyond(gpu.target(), std::uint64_t(1) << 40, std::uint64_t(1) << 40);
    EXPECT_EQ(beyond.status().error().code, ExitCode::kLimit);
    const std::unique_ptr<KernelTarget> host = makeHostTarget({});
    const DevMatrix onHost(*host, 5'000'000, 5'000'000);
    ASSERT_FALSE(onHost.status());
    EXPECT_EQ(onHost.status().error().code, ExitCode::kLimit) << "asked before it is taken";
}

TEST(DevMatrix, EveryCallMayFail)
{
    const Matrix a = made(40, 3, 1), b = made(3, 40, 2);
    for (const CudaCode code : {cuda_code::kOutOfMemory, cuda_code::kIllegalAddress})
    {
        bool failed = true;
        for (std::uint64_t call = 1; failed; ++call)
        {
            FakeCuda fake;
            fake.failAt = call;
            fake.failWith = code;
            Cuda cuda(fake.table());
            {
                Result<std::unique_ptr<KernelTarget>> target = makeCudaTarget(cuda, 0);
                if (target)
                {
                    const DevMatrix left(**target, a), right(**target, b), ones(**target, 40, 40, 1.0);
                    const Result<Matrix> found = (left * right + ones).toMatrix();
                    EXPECT_TRUE(!found || sameElements(*found, a * b + Matrix(40, 40, 1.0))) << "call " << call;
                    EXPECT_TRUE(found || found.error().message.find("fake error") != std::string::npos);
                }
            }
            failed = fake.made >= call;
            EXPECT_EQ(fake.misuse, std::vector<std::string>{}) << "call " << call;
            ASSERT_LT(call, 500u);
        }
    }
}

// ---- sizes above 31 or 32 bits ----

// 65,535 blocks in y: the parts must cover every element exactly once.
TEST(DevMatrix, LaunchesCoverMatricesOfAnySize)
{
    const struct
    {
        std::uint64_t rows, columns;
        unsigned tileRows, tileColumns;
        std::size_t parts;
    } cases[] = {{1, 1, 32, 32, 1},
                 {65'535 * 32, 1, 32, 32, 1},
                 {65'535 * 32 + 1, 1, 32, 32, 2},
                 {46'341, 46'341, 32, 32, 1},
                 {65'536, 32'769, 32, 32, 1},
                 {65'536, 32'769, 1, 1, 2},
                 {std::uint64_t(1) << 33, 5, 64, 64, 2049},
                 {3, std::uint64_t(1) << 38, 32, 32, 5},
                 {0, 5, 32, 32, 0}};
    for (const auto& [rows, columns, tileRows, tileColumns, parts] : cases)
    {
        const std::vector<GridPart> found = gridParts(rows, columns, tileRows, tileColumns);
        EXPECT_EQ(found.size(), parts) << rows << " x " << columns;
        std::uint64_t tiles = 0;
        std::set<std::pair<std::uint64_t, std::uint64_t>> places;
        for (const GridPart& part : found)
        {
            EXPECT_LE(part.grid.y, 65'535u);
            EXPECT_LE(part.grid.count(), 0x7fffffffu);
            EXPECT_TRUE(part.first.row < rows && part.first.column < columns);
            EXPECT_EQ(part.first.row % tileRows + part.first.column % tileColumns, 0u);
            EXPECT_TRUE(places.insert({part.first.row, part.first.column}).second);
            tiles += part.grid.count();
        }
        EXPECT_EQ(tiles, (rows + tileRows - 1) / tileRows * ((columns + tileColumns - 1) / tileColumns));
    }
}

// Address space of a matrix; only the touched pages use memory.
class Expanse
{
public:
    Expanse(std::uint64_t rows, std::uint64_t columns)
        : columns_(columns), bytes_(rows * columns * sizeof(double)),
          memory_(mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0))
    {
        if (memory_ != MAP_FAILED) madvise(memory_, bytes_, MADV_NOHUGEPAGE);
    }
    Expanse(const Expanse&) = delete;
    Expanse& operator=(const Expanse&) = delete;
    ~Expanse()
    {
        if (memory_ != MAP_FAILED) munmap(memory_, bytes_);
    }

    bool there() const { return memory_ != MAP_FAILED; }
    double* data() const { return static_cast<double*>(memory_); }
    double& operator()(std::uint64_t i, std::uint64_t j) const { return data()[i * columns_ + j]; }

private:
    std::uint64_t columns_;
    std::size_t bytes_;
    void* memory_;
};

constexpr std::pair<std::uint64_t, std::uint64_t> kHugeShapes[] = {
    {46'341, 46'341}, {65'536, 32'769}, {65'538, 65'537}};

TEST(DevMatrix, ElementsAreFoundIn64Bits)
{
    for (const auto& [rows, columns] : kHugeShapes)
    {
        const Expanse a(rows, columns), b(rows, columns), out(rows, columns);
        if (!a.there() || !b.there() || !out.there()) GTEST_SKIP() << "no address space for it";
        a(rows - 1, columns - 1) = 5;
        b(rows - 1, columns - 1) = 7;
        const MatrixPlace first = {rows - 3, columns - 3};  // the block extends past both edges
        const ElementsArguments arguments = {a.data(), b.data(), out.data(), rows, columns, first, 2, 3};
        const LaunchShape shape = {{1}, {kPaperSide, kPaperSide}};
        ASSERT_TRUE(launchOnHost(combineElementsKernel(), shape, &arguments));
        EXPECT_EQ(out(rows - 1, columns - 1), 31);
        const ElementsArguments fill = {nullptr, nullptr, out.data(), rows, columns, first, 4, 0};
        ASSERT_TRUE(launchOnHost(fillElementsKernel(), shape, &fill));
        EXPECT_EQ(out(rows - 1, columns - 1), 4);
        EXPECT_EQ(out(rows - 3, columns - 3), 4);
        EXPECT_EQ(out(rows - 4, columns - 1), 0);
    }
}

TEST(DevMatrix, ProductsAreFoundIn64Bits)
{
    for (const auto& [rows, columns] : kHugeShapes)
    {
        constexpr std::uint64_t kInner = 3;  // a tall and a wide factor with a huge product
        const Expanse a(rows, kInner), b(kInner, columns), out(rows, columns);
        // Huge factors with a small product.
        const Expanse tall(rows, columns), column(columns, 1), sums(rows, 1);
        if (!out.there() || !tall.there()) GTEST_SKIP() << "no address space for it";
        for (std::uint64_t d = 0; d < kInner; ++d)
            a(rows - 1, d) = double(d + 1), b(d, columns - 1) = 10;
        tall(rows - 1, 0) = 2, tall(rows - 1, columns - 1) = 3, column(0, 0) = 5, column(columns - 1, 0) = 7;
        const ProductArguments toHuge = {
            a.data(), b.data(), out.data(), rows, kInner, columns, {rows - 2, columns - 2}};
        const ProductArguments ofHuge = {tall.data(), column.data(), sums.data(), rows, columns, 1, {rows - 1, 0}};
        const struct
        {
            KernelEntry kernel;
            LaunchShape shape;
        } launches[] = {{multiplyPaperKernel(), {{1}, {kPaperSide, kPaperSide}}},
                        {multiplyByTermsKernel(), {{1, 1, 2}, {kPaperSide, kPaperSide}}},
                        {multiplyByBlocksKernel(), {{2, 2}, {kBlockSumThreads}}},
                        {multiplyTiledKernel(), {{1}, {kTiledThreads}}}};
        for (const auto& [kernel, shape] : launches)
        {
            out(rows - 1, columns - 1) = sums(rows - 1, 0) = 0;
            ASSERT_TRUE(launchOnHost(kernel, shape, &toHuge)) << kernel.name;
            EXPECT_EQ(out(rows - 1, columns - 1), 60) << kernel.name;
            LaunchShape one = shape;
            one.grid.x = one.grid.y = 1;
            ASSERT_TRUE(launchOnHost(kernel, one, &ofHuge)) << kernel.name;
            EXPECT_EQ(sums(rows - 1, 0), 31) << kernel.name;
        }
    }
}

// ---- necessity of barriers ----

bool isSoundInAChild(ProductKernel kernel, const Matrix& a, const Matrix& b, const HostSchedule& schedule)
{
    const pid_t child = fork();
    if (child == 0)
    {
        close(STDERR_FILENO);
        const std::unique_ptr<KernelTarget> target = makeHostTarget(schedule);
        const Result<Matrix> found = product({*target, a}, {*target, b}, kernel).toMatrix();
        _exit(found && isProduct(a, b, *found, kernel) ? 0 : 1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

TEST(DevMatrix, EachBarrierIsMissed)
{
    const Matrix a = made(70, 300, 5), b = made(300, 3, 6);
    for (const auto& [kernel, barriers] : {std::pair<ProductKernel, std::size_t>{ProductKernel::kPaper, 0},
                                           {ProductKernel::kByTerms, 0},
                                           {ProductKernel::kByBlocks, 1},
                                           {ProductKernel::kTiled, 1},
                                           {ProductKernel::kTensor, 1}})
    {
        const std::unique_ptr<KernelTarget> target = makeHostTarget({});
        ASSERT_TRUE(product({*target, a}, {*target, b}, kernel).toMatrix());
        const std::vector<BarrierSite> met = target->hostLaunches().barriers;
        EXPECT_EQ(met.size(), barriers) << kProductNames[int(kernel)];
        for (const BarrierSite& barrier : met)
        {
            bool missed = false;
            for (HostSchedule schedule : hostSchedules())
            {
                EXPECT_TRUE(isSoundInAChild(kernel, a, b, schedule)) << textOf(schedule);
                schedule.skipped = barrier;
                missed = missed || !isSoundInAChild(kernel, a, b, schedule);
                if (missed) break;
            }
            EXPECT_TRUE(missed) << "without the barrier of " << barrier.file << ":" << barrier.line;
        }
    }
}

// ---- the paper's figure 5, with these tools ----

double dot(const DevMatrix& u, const DevMatrix& v)
{
    const Matrix a = std::move(*u.toMatrix()), b = std::move(*v.toMatrix());
    double sum = 0;
    for (std::size_t i = 0; i < a.elements(); ++i)
        sum += a(i, 0) * b(i, 0);
    return sum;
}

TEST(DevMatrix, ThePapersFigure5IsWrittenWithIt)
{
    const std::size_t n = 12;
    const std::unique_ptr<KernelTarget> target = makeHostTarget({});
    const Matrix a = randomSpd(n, 5, 4);
    const DevMatrix deviceA(*target, a), b = deviceA * DevMatrix(*target, n, 1, 1.0);
    DevMatrix r = b * -1.0;  // residual at X0 = 0
    DevMatrix delta = r * (-dot(r, r) / dot(deviceA * r, r));
    DevMatrix x = delta.copy();
    for (std::size_t k = 1; k < n; ++k)
    {
        r = deviceA * x - b;
        const DevMatrix ar = deviceA * r, ad = deviceA * delta;
        const double rr = dot(r, r), rd = dot(r, delta), rAd = dot(ar, delta), rAr = dot(ar, r), dAd = dot(ad, delta);
        const double bottom = dAd * rAr - rAd * rAd;
        delta = std::move(delta) * ((rr * rAd - rd * rAr) / bottom) + r * ((rd * rAd - rr * dAd) / bottom);
        x = std::move(x) + delta;
    }
    const Result<Matrix> found = x.toMatrix();
    ASSERT_TRUE(found) << found.error().message;
    for (const double value : found->values())
        EXPECT_NEAR(value, 1, 1e-9);
}

}  // namespace
}  // namespace orogen::test
