#include "core/terrain/mesh/mesh_file.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include <fmt/format.h>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include "core/base/atomic_file.h"
#include "core/base/json.h"
#include "core/base/text.h"

namespace orogen {

static_assert(std::endian::native == std::endian::little, "binary formats are written as the numbers lie in memory");

std::optional<MeshFormat> meshFormatOf(std::string_view path)
{
    const std::size_t dot = path.rfind('.');
    std::string suffix(dot == path.npos ? "" : path.substr(dot));
    std::ranges::transform(suffix, suffix.begin(), [](unsigned char c) { return char(std::tolower(c)); });
    if (suffix == ".glb") return MeshFormat::kGlb;
    if (suffix == ".stl") return MeshFormat::kStl;
    if (suffix == ".obj") return MeshFormat::kObj;
    if (suffix == ".ply") return MeshFormat::kPly;
    return std::nullopt;
}

MeshOrigin meshOriginOf(const Raster& raster, double column, double row)
{
    MeshOrigin origin;
    origin.source = raster.name;
    if (!raster.placement || !raster.placement->positioned) return origin;
    const Placement& place = *raster.placement;
    origin.crs = raster.crs;
    origin.map = MapPoint{place.x + column * place.column().x + row * place.row().x,
                          place.y + column * place.column().y + row * place.row().y};
    const double unit = place.geographic ? 1.0 : place.unit;
    if (raster.projection) origin.place = raster.projection->inverse({unit * origin.map->x, unit * origin.map->y});
    if (place.upright()) return origin;
    // Metres per map unit to the north, divided by those to the east. Not 1 for degrees.
    const double stretch = raster.pixelHeight / place.stepSouth * place.stepEast / raster.pixelWidth;
    origin.axes =
        glm::dmat2(place.eastward.x, place.eastward.y * stretch, -place.southward.x / stretch, -place.southward.y);
    return origin;
}

namespace {

// A mesh whose x and y run along the rows and columns of a raster, laid out so that they run east and north.
class MappedMesh final : public TriangleMesh
{
public:
    MappedMesh(const TriangleMesh& mesh, const glm::dmat2& axes)
        : mesh_(mesh), axes_(axes), ofNormals_(glm::transpose(glm::inverse(axes))),
          mirrored_(glm::determinant(axes) < 0)
    {
    }

    std::uint64_t triangles() const override { return mesh_.triangles(); }
    std::uint64_t vertices() const override { return mesh_.vertices(); }
    bool closed() const override { return mesh_.closed(); }
    bool normals() const override { return mesh_.normals(); }
    std::optional<double> largestError() const override { return mesh_.largestError(); }
    void forVertices(const VisitVector& visit) const override
    {
        mesh_.forVertices([&](const glm::dvec3& p) { return visit(mapped(p)); });
    }
    void forNormals(const VisitVector& visit) const override
    {
        mesh_.forNormals([&](const glm::dvec3& normal) {
            return visit(glm::normalize(glm::dvec3(ofNormals_ * glm::dvec2(normal), normal.z)));
        });
    }
    void forTriangles(const Visit& visit) const override
    {
        mesh_.forTriangles([&](const MeshCorner& a, const MeshCorner& b, const MeshCorner& c) {
            const MeshCorner p = mapped(a), q = mapped(b), r = mapped(c);
            return mirrored_ ? visit(p, r, q) : visit(p, q, r);
        });
    }

private:
    glm::dvec3 mapped(const glm::dvec3& p) const { return {axes_ * glm::dvec2(p), p.z}; }
    MeshCorner mapped(const MeshCorner& corner) const { return {corner.vertex, mapped(corner.position)}; }

    const TriangleMesh& mesh_;
    glm::dmat2 axes_, ofNormals_;
    bool mirrored_;
};

std::string originText(const MeshOrigin& origin)
{
    std::string text = "metres, x east, y north, z up";
    if (origin.map) text += fmt::format("; origin {} {} {}", origin.map->x, origin.map->y, origin.crs);
    if (origin.place)
        text += fmt::format("; {} {} (latitude, longitude)", origin.place->latitude, origin.place->longitude);
    return printable(text);
}

// Output to a file in pieces of about a mebibyte. Keeps the first error.
class Output
{
public:
    Output(AtomicFile& file, std::uint64_t steps, const LoadProgress& progress)
        : file_(file), steps_(steps), progress_(progress)
    {
    }

    template <class T>
    void number(T value)
    {
        bytes(std::as_bytes(std::span(&value, 1)));
    }
    void vector(const glm::dvec3& v)
    {
        for (int i = 0; i < 3; ++i)
            number(float(v[i]));
    }
    void text(std::string_view text) { bytes(std::as_bytes(std::span(text))); }

    // Counts a vertex, a normal or a triangle. Returns false on an error, or if interrupted.
    bool step()
    {
        if ((++done_ & 0xffff) == 0 && progress_ && status_ && !progress_(double(done_) / double(steps_), "writing"))
            status_ = Error{ExitCode::kInterrupted, "interrupted"};
        return bool(status_);
    }

    Result<std::uint64_t> finish()
    {
        flush();
        if (status_) status_ = file_.commit();
        if (!status_) return status_.error();
        return written_;
    }

private:
    void bytes(std::span<const std::byte> bytes)
    {
        buffer_.insert(buffer_.end(), bytes.begin(), bytes.end());
        if (buffer_.size() >= (1 << 20)) flush();
    }
    void flush()
    {
        if (status_) status_ = file_.write(buffer_);
        written_ += buffer_.size();
        buffer_.clear();
    }

    AtomicFile& file_;
    std::uint64_t steps_, done_ = 0, written_ = 0;
    const LoadProgress& progress_;
    std::vector<std::byte> buffer_;
    Status status_;
};

// Returns the header of a binary STL file: 80 bytes. Leaves out the map position or the place if it does not fit.
std::string stlHeader(const MeshOrigin& origin)
{
    constexpr std::size_t kBytes = 80;
    std::string header = "Orogen: m, z up";  // programs take a file that begins with "solid" for text
    const auto add = [&header](const std::string& part) {
        if (header.size() + part.size() <= kBytes) header += part;
    };
    if (origin.map) add(printable(fmt::format("; {:.10g} {:.10g} {}", origin.map->x, origin.map->y, origin.crs)));
    if (origin.place) add(fmt::format("; {:.5f} {:.5f}", origin.place->latitude, origin.place->longitude));
    header.resize(kBytes, ' ');
    return header;
}

Status writeStl(const TriangleMesh& mesh, const MeshOrigin& origin, Output& out)
{
    if (mesh.triangles() > std::numeric_limits<std::uint32_t>::max())
        return Error{ExitCode::kOutput,
                     fmt::format("STL files count at most 2^32 - 1 triangles, and this one has {}", mesh.triangles())};
    out.text(stlHeader(origin));
    out.number(std::uint32_t(mesh.triangles()));
    mesh.forTriangles([&](const MeshCorner& a, const MeshCorner& b, const MeshCorner& c) {
        const glm::dvec3 normal = glm::cross(b.position - a.position, c.position - a.position);
        const double length = glm::length(normal);
        out.vector(length > 0 ? normal / length : glm::dvec3(0));
        for (const MeshCorner* corner : {&a, &b, &c})
            out.vector(corner->position);
        out.number(std::uint16_t(0));
        return out.step();
    });
    return Status::ok();
}

void writeObj(const TriangleMesh& mesh, const MeshOrigin& origin, Output& out)
{
    out.text("# Orogen: " + originText(origin) + "\n");
    mesh.forVertices([&](const glm::dvec3& p) {
        out.text(fmt::format("v {} {} {}\n", float(p.x), float(p.y), float(p.z)));
        return out.step();
    });
    mesh.forTriangles([&](const MeshCorner& a, const MeshCorner& b, const MeshCorner& c) {
        out.text(fmt::format("f {} {} {}\n", a.vertex + 1, b.vertex + 1, c.vertex + 1));
        return out.step();
    });
}

void writePly(const TriangleMesh& mesh, const MeshOrigin& origin, Output& out)
{
    out.text(
        fmt::format("ply\nformat binary_little_endian 1.0\ncomment Orogen: {}\nelement vertex {}\nproperty float x\n"
                    "property float y\nproperty float z\nelement face {}\nproperty list uchar uint vertex_indices\n"
                    "end_header\n",
                    originText(origin), mesh.vertices(), mesh.triangles()));
    mesh.forVertices([&](const glm::dvec3& p) {
        out.vector(p);
        return out.step();
    });
    mesh.forTriangles([&](const MeshCorner& a, const MeshCorner& b, const MeshCorner& c) {
        out.number(std::uint8_t(3));
        for (const MeshCorner* corner : {&a, &b, &c})
            out.number(corner->vertex);
        return out.step();
    });
}

// Returns the JSON chunk of a glTF file, padded with spaces.
std::string gltfText(const TriangleMesh& mesh, const MeshOrigin& origin)
{
    glm::dvec3 low(std::numeric_limits<double>::max()), high(-low);
    mesh.forVertices([&](const glm::dvec3& p) {
        low = glm::min(low, p);
        high = glm::max(high, p);
        return true;
    });
    const std::uint64_t positions = mesh.vertices() * 12, normals = mesh.normals() ? positions : 0;
    const auto three = [](const glm::dvec3& v) { return Json{float(v.x), float(v.y), float(v.z)}; };
    Json json;
    json["asset"] = {{"version", "2.0"}, {"generator", "Orogen"}};
    Json& about = json["asset"]["extras"];
    about["source"] = origin.source;
    if (const std::optional<double> error = mesh.largestError()) about["error_max_m"] = *error;
    if (!origin.crs.empty()) about["crs"] = origin.crs;
    if (origin.map) about["origin"] = {origin.map->x, origin.map->y};
    if (origin.place) about["latitude"] = origin.place->latitude, about["longitude"] = origin.place->longitude;
    json["scene"] = 0;
    json["scenes"] = Json::array({{{"nodes", {0}}}});
    const double half = 0.70710678118654752;  // sine of half a quarter turn, by which z up becomes y up
    json["nodes"] = Json::array({{{"name", "terrain"}, {"mesh", 0}, {"rotation", {-half, 0, 0, half}}}});
    Json attributes = {{"POSITION", 0}};
    if (normals > 0) attributes["NORMAL"] = 2;
    json["meshes"] =
        Json::array({{{"name", "terrain"},
                      {"primitives", Json::array({{{"attributes", attributes}, {"indices", 1}, {"material", 0}}})}}});
    json["materials"] =
        Json::array({{{"pbrMetallicRoughness",
                       {{"baseColorFactor", {0.6, 0.57, 0.5, 1.0}}, {"metallicFactor", 0}, {"roughnessFactor", 1}}}}});
    const std::uint64_t indices = mesh.triangles() * 12;
    json["buffers"] = Json::array({{{"byteLength", positions + normals + indices}}});
    json["bufferViews"] =
        Json::array({{{"buffer", 0}, {"byteOffset", 0}, {"byteLength", positions}, {"target", 34962}},
                     {{"buffer", 0}, {"byteOffset", positions + normals}, {"byteLength", indices}, {"target", 34963}}});
    json["accessors"] = Json::array(
        {{{"bufferView", 0},
          {"componentType", 5126},
          {"count", mesh.vertices()},
          {"type", "VEC3"},
          {"min", three(low)},
          {"max", three(high)}},
         {{"bufferView", 1}, {"componentType", 5125}, {"count", mesh.triangles() * 3}, {"type", "SCALAR"}}});
    if (normals > 0)
    {
        json["bufferViews"].push_back(
            {{"buffer", 0}, {"byteOffset", positions}, {"byteLength", normals}, {"target", 34962}});
        json["accessors"].push_back(
            {{"bufferView", 2}, {"componentType", 5126}, {"count", mesh.vertices()}, {"type", "VEC3"}});
    }
    std::string text = json.dump();
    text.resize((text.size() + 3) / 4 * 4, ' ');
    return text;
}

Status writeGlb(const TriangleMesh& mesh, const MeshOrigin& origin, Output& out)
{
    const std::string text = gltfText(mesh, origin);
    const std::uint64_t data = mesh.vertices() * (mesh.normals() ? 24 : 12) + mesh.triangles() * 12;
    const std::uint64_t whole = 12 + 8 + text.size() + 8 + data;
    if (whole > std::numeric_limits<std::uint32_t>::max())
        return Error{ExitCode::kOutput,
                     fmt::format("glTF files hold at most 4 GiB, and this one has {} bytes: write PLY "
                                 "or STL, or allow a larger error",
                                 whole)};
    out.text("glTF");
    out.number(std::uint32_t(2));
    out.number(std::uint32_t(whole));
    out.number(std::uint32_t(text.size()));
    out.text("JSON");
    out.text(text);
    out.number(std::uint32_t(data));
    out.text(std::string_view("BIN\0", 4));
    mesh.forVertices([&](const glm::dvec3& p) {
        out.vector(p);
        return out.step();
    });
    if (mesh.normals())
        mesh.forNormals([&](const glm::dvec3& normal) {
            out.vector(normal);
            return out.step();
        });
    mesh.forTriangles([&](const MeshCorner& a, const MeshCorner& b, const MeshCorner& c) {
        for (const MeshCorner* corner : {&a, &b, &c})
            out.number(corner->vertex);
        return out.step();
    });
    return Status::ok();
}

}  // namespace

Result<std::uint64_t> writeMesh(const TriangleMesh& mesh, MeshFormat format, const MeshOrigin& origin,
                                const std::string& path, const LoadProgress& progress)
{
    if (std::abs(glm::determinant(origin.axes)) < 1e-9)
        return inputError(origin.source, "columns and rows that run in one direction, expected a raster");
    if (origin.axes != glm::dmat2(1.0))
    {
        MeshOrigin mapped = origin;
        mapped.axes = glm::dmat2(1.0);
        return writeMesh(MappedMesh(mesh, origin.axes), format, mapped, path, progress);
    }
    Result<AtomicFile> file = AtomicFile::create(path);
    if (!file) return file.error();
    const bool normals = format == MeshFormat::kGlb && mesh.normals();
    const std::uint64_t vectors = format == MeshFormat::kStl ? 0 : mesh.vertices() * (normals ? 2 : 1);
    Output out(*file, mesh.triangles() + vectors, progress);
    Status status;
    switch (format)
    {
    case MeshFormat::kGlb:
        status = writeGlb(mesh, origin, out);
        break;
    case MeshFormat::kStl:
        status = writeStl(mesh, origin, out);
        break;
    case MeshFormat::kObj:
        writeObj(mesh, origin, out);
        break;
    case MeshFormat::kPly:
        writePly(mesh, origin, out);
        break;
    }
    if (!status) return Error{status.error().code, printable(path) + ": " + status.error().message};
    return out.finish();
}

}  // namespace orogen
