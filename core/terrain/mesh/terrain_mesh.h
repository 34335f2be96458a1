// Triangle meshes of elevation models, for other programs and for 3D printers.
//
// Longest-edge bisection on the samples' own lattice: a square of 2^k intervals per side covers the raster, and two
// right triangles cover the square. A triangle is split at the middle of its longest side, its base. The triangle on
// the other side of the base is split, too; the two are a diamond. So the mesh conforms: no vertex lies inside a side.
// Triangles that reach beyond the raster are cut at its border. Their sides have eight directions, so the cuts fall on
// samples, and all vertices are samples.
//
// An error is the largest vertical distance between a triangle and the samples under it. Errors are exact, not sums of
// distances at middles: each triangle of each size is compared with all its samples. A diamond's error is at least
// those of the four finer diamonds that exist only once it is split. So a mesh conforms if just those diamonds are
// split whose error is too large.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <unordered_map>
#include <vector>

#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

#include "core/base/status.h"
#include "core/base/thread_pool.h"
#include "core/terrain/mesh/triangle_mesh.h"
#include "core/terrain/raster/raster.h"
#include "core/terrain/tiles/tile_source.h"

namespace orogen {

// Samples of a mesh: a part of an elevation model, voids filled.
struct MeshSamples
{
    int width = 0, height = 0;
    double pixelWidth = 1, pixelHeight = 1;  // metres between samples
    std::vector<float> heights;              // metres, row by row from the north
    std::vector<bool> voids;                 // samples that were filled, and count in no error; empty: none

    float at(int x, int y) const { return heights[std::size_t(y) * std::size_t(width) + std::size_t(x)]; }
};

// Samples of a part of a raster. Columns and rows are inclusive. In a raster all around the Earth, columns beyond its
// last one continue with its first.
struct SampleWindow
{
    int west = 0, north = 0, east = 0, south = 0;
};

// Returns the samples in a rectangle of the raster's coordinate system, widened to the nearest samples at or beyond its
// sides. In a raster all around the Earth, a rectangle whose west exceeds its east crosses the date line. Errors,
// kUsage: a raster without a position or rotated in its map; a rectangle outside it, or with fewer than 2 x 2 samples.
Result<SampleWindow> windowOf(const Raster& raster, double west, double south, double east, double north);

// Reads samples of level 0 and fills voids by fillVoids(). A map in degrees has the pixel size of the window's middle.
// Errors: those of the reader, kLimit (memory), kInterrupted.
Result<MeshSamples> readSamples(const TileSource& source, const SampleWindow& window, const LoadProgress& progress);

// Distances between a mesh and the samples (metres), at all samples but voids.
struct MeshError
{
    double largest = 0, rootMeanSquare = 0;
};

// Mesh of an elevation model. Positions are relative to the middle of the samples; z counts from the source's datum.
class TerrainMesh final : public TriangleMesh
{
public:
    // Measures the errors of all diamonds. O(n log n) in the samples, on all processors; memory: 8 bytes per sample.
    // Errors: kInterrupted, kLimit (memory).
    static Result<TerrainMesh> measure(MeshSamples samples, const LoadProgress& progress);

    // Choose the triangles: the coarsest mesh whose unsplit diamonds have errors of at most `error` (metres). With
    // `base` the mesh also has walls and a floor, `base` metres below the lowest sample. The function chooseMost()
    // takes the smallest error whose mesh has at most `triangles`, walls and floor included. Errors, kUsage: no mesh
    // has so few; kLimit: 2^32 vertices or more.
    Status choose(double error, std::optional<double> base);
    Status chooseMost(std::uint64_t triangles, std::optional<double> base);

    // The chosen mesh:
    std::uint64_t triangles() const override { return triangles_; }
    std::uint64_t vertices() const override { return topVertices_ + baseVertices(); }
    bool closed() const override { return floor_.has_value(); }
    bool normals() const override { return !closed(); }
    std::optional<double> largestError() const override { return error_.largest; }
    double allowed() const { return double(allowed_); }  // limit on the error of unsplit diamonds (metres)
    const MeshSamples& samples() const { return samples_; }
    const MeshError& error() const { return error_; }

    // Normals are those of the surface through the samples. forNormals() leaves out the vertices of a floor.
    void forVertices(const VisitVector& visit) const override;
    void forNormals(const VisitVector& visit) const override;
    void forTriangles(const Visit& visit) const override;

private:
    explicit TerrainMesh(MeshSamples samples);

    using Point = glm::ivec2;  // column and row
    struct Diamond
    {
        Point a, b, c, d;  // base a b, apexes c and d
    };
    template <class Do>
    void forCut(Point a, Point b, Point c, const Do& triangle) const;
    template <class Do>
    bool forTop(float error, const Do& triangle) const;
    template <class Do>
    bool forUsed(const Do& visit) const;
    MeshError measuredError() const;
    template <class Do>
    bool descend(float error, Point a, Point b, Point c, const Do& triangle) const;

    bool inside(Point p) const { return p.x >= 0 && p.y >= 0 && p.x < samples_.width && p.y < samples_.height; }
    Diamond diamondOf(Point middle, int half, bool diagonal) const;
    float errorOf(Point middle) const;
    float ownError(Point a, Point b, Point c) const;
    float measured(Point middle, int half, bool diagonal) const;
    void measureLevel(ThreadPool& pool, int half, bool diagonal);

    std::uint64_t trianglesFor(float error, bool base, std::uint64_t most) const;
    Status take(float error, std::optional<double> base);
    std::uint64_t baseVertices() const { return floor_ ? border_.size() + 1 : 0; }
    glm::dvec3 place(Point p, double height) const;
    glm::dvec3 normalAt(Point p) const;
    MeshCorner corner(Point p) const;

    MeshSamples samples_;
    int side_ = 1;                                     // intervals of the square
    std::vector<float> errors_;                        // diamonds with their middle at a sample
    std::unordered_map<std::uint64_t, float> beyond_;  // diamonds with their middle beyond the raster

    float allowed_ = 0;
    MeshError error_;
    std::optional<double> floor_;  // height of the floor (metres); empty: none
    std::uint64_t triangles_ = 0, topVertices_ = 0;
    std::vector<std::uint64_t> used_;   // one bit per sample: 1 for a vertex
    std::vector<std::uint32_t> ranks_;  // number of the first vertex in each word of used_
    std::vector<Point> border_;         // with a floor: vertices on the border, clockwise from the north-west
};

}  // namespace orogen
