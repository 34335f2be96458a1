// The bodies of vector_kernels.h, included by one file for each instruction set after "core/base/target_NAME.h".  No
// headers here: their inline functions must run on any processor.  OROGEN_KERNELS names the table.

namespace orogen::compute {
namespace {

constexpr std::size_t kLanes = 8;
#if defined(__AVX512F__)
constexpr std::size_t kRowsAtOnce = 8;
#else
constexpr std::size_t kRowsAtOnce = 4;  // more would not stay in registers
#endif
typedef double Lanes __attribute__((vector_size(64)));
typedef double LooseLanes __attribute__((vector_size(64), aligned(8), may_alias));

#define OROGEN_LOAD(from) (*reinterpret_cast<const LooseLanes*>(from))
#define OROGEN_STORE(to, lanes) (*reinterpret_cast<LooseLanes*>(to) = (lanes))

inline double total(const Lanes& s) { return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7])); }

double dot(const double* a, const double* b, std::size_t count)
{
    Lanes s = {}, t = {};
    std::size_t i = 0;
    for (; i + 2 * kLanes <= count; i += 2 * kLanes)
    {
        s += OROGEN_LOAD(a + i) * OROGEN_LOAD(b + i);
        t += OROGEN_LOAD(a + i + kLanes) * OROGEN_LOAD(b + i + kLanes);
    }
    s += t;
    double sum = total(s);
    for (; i < count; ++i)
        sum += a[i] * b[i];
    return sum;
}

double sum(const double* a, std::size_t count)
{
    Lanes s[8] = {};
    std::size_t i = 0;
    for (; i + 8 * kLanes <= count; i += 8 * kLanes)
        for (std::size_t k = 0; k < 8; ++k)
            s[k] += OROGEN_LOAD(a + i + k * kLanes);
    double sum = total(((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7])));
    for (; i < count; ++i)
        sum += a[i];
    return sum;
}

// Without fetching ahead: what the processor does by itself is faster, from memory and from its caches (EPYC 9004).
template <std::size_t kRows>
void someRows(const double* a, std::size_t stride, std::size_t columns, const double* x, double* y)
{
    Lanes sums[kRows] = {};
    std::size_t j = 0;
    for (; j + kLanes <= columns; j += kLanes)
    {
        const Lanes w = OROGEN_LOAD(x + j);
        for (std::size_t q = 0; q < kRows; ++q)
            sums[q] += OROGEN_LOAD(a + q * stride + j) * w;
    }
    for (std::size_t q = 0; q < kRows; ++q)
        y[q] = total(sums[q]);
    for (; j < columns; ++j)
        for (std::size_t q = 0; q < kRows; ++q)
            y[q] += a[q * stride + j] * x[j];
}

void rowProducts(const double* a, std::size_t stride, std::size_t columns, const double* x, double* y,
                 std::size_t first, std::size_t last)
{
    std::size_t i = first;
    for (; i + kRowsAtOnce <= last; i += kRowsAtOnce)
        someRows<kRowsAtOnce>(a + i * stride, stride, columns, x, y + i);
    for (; i < last; ++i)
        someRows<1>(a + i * stride, stride, columns, x, y + i);
}

// kRows rows of a strip, a multiple of four, and their mirror images, left of the diagonal block.
template <std::size_t kRows, std::size_t kAhead>
void stripRows(const double* a, std::size_t width, std::size_t columns, const double* own, const double* x, double* y,
               double* totals)
{
    Lanes sums[kRows] = {};
    for (std::size_t j = 0; j < columns; j += kLanes)
    {
        const Lanes w = OROGEN_LOAD(x + j);
        Lanes mirrored = OROGEN_LOAD(y + j);
        for (std::size_t q = 0; q < kRows; q += 4)
        {
            const double* const at = a + q * width + j;
            if (kAhead > 0)
                for (std::size_t k = 0; k < 4; ++k)
                    __builtin_prefetch(at + k * width + kAhead);
            const Lanes e = OROGEN_LOAD(at), f = OROGEN_LOAD(at + width), g = OROGEN_LOAD(at + 2 * width),
                        h = OROGEN_LOAD(at + 3 * width);
            sums[q] += e * w;
            sums[q + 1] += f * w;
            sums[q + 2] += g * w;
            sums[q + 3] += h * w;
            mirrored += (e * own[q] + f * own[q + 1]) + (g * own[q + 2] + h * own[q + 3]);
        }
        OROGEN_STORE(y + j, mirrored);
    }
    for (std::size_t q = 0; q < kRows; ++q)
        totals[q] = total(sums[q]);
}

void stripProducts(const double* strip, std::size_t width, std::size_t i, std::size_t rows, const double* x, double* y)
{
    // From about here on a half does not fit into 2nd-level caches, and fetching early is 1.1 times as fast; before, it
    // is 0.9 times (EPYC 9004).
    constexpr std::size_t kLong = 1024, kFar = 64;
    double own[kStripRows] = {}, sums[kStripRows];
    for (std::size_t q = 0; q < rows; ++q)
        own[q] = x[i + q];
    const auto some = i < kLong ? stripRows<kRowsAtOnce, 0> : stripRows<kRowsAtOnce, kFar>;
    for (std::size_t q = 0; q < kStripRows; q += kRowsAtOnce)
        some(strip + q * width, width, i, own + q, x, y, sums + q);
    for (std::size_t q = 0; q < rows; ++q)
    {
        const double* const row = strip + q * width;
        for (std::size_t j = i; j < i + q; ++j)
        {
            sums[q] += row[j] * x[j];
            y[j] += row[j] * own[q];
        }
        sums[q] += row[i + q] * own[q];
    }
    for (std::size_t q = 0; q < rows; ++q)
        y[i + q] += sums[q];
}

void subtractTile(double* c, std::size_t strideC, const double* l, std::size_t strideL, const double* p,
                  std::size_t strideP, std::size_t depth)
{
    Lanes sums[4][2] = {};
    for (std::size_t k = 0; k < depth; ++k)
    {
        const Lanes left = OROGEN_LOAD(p + k * strideP), right = OROGEN_LOAD(p + k * strideP + kLanes);
        for (std::size_t q = 0; q < 4; ++q)
        {
            const double factor = l[q * strideL + k];
            sums[q][0] += left * factor;
            sums[q][1] += right * factor;
        }
    }
    for (std::size_t q = 0; q < 4; ++q)
        for (std::size_t half = 0; half < 2; ++half)
        {
            double* const to = c + q * strideC + half * kLanes;
            OROGEN_STORE(to, OROGEN_LOAD(to) - sums[q][half]);
        }
}

}  // namespace

const VectorKernels OROGEN_KERNELS = {OROGEN_KERNELS_NAME, dot, sum, rowProducts, stripProducts, subtractTile};

}  // namespace orogen::compute
