# Fails if a file includes what its room may not see. A room is a folder with its subfolders, except subfolders that are
# rooms themselves. Files directly in core/, compute/ or app/ form rooms, too, and so does a file with its own line. Run
# with -DROOT=the source tree.
#
# Quoted includes, which are root-relative, are checked against the table of rooms, and angle includes against a list of
# forbidden headers per layer. A room may see itself, rooms above it in the table that its line names, and single files.
# Rooms therefore form no cycle.
cmake_minimum_required(VERSION 3.25)

set(rooms "")
function(room name)
    foreach(seen IN LISTS ARGN)
        if(NOT seen MATCHES "\\.h$" AND NOT seen IN_LIST rooms)
            message(FATAL_ERROR "tests/layering.cmake: ${name} may see ${seen}, which is not a room above it")
        endif()
    endforeach()
    set(rooms ${rooms} ${name} PARENT_SCOPE)
    set(seen_from_${name} ${ARGN} PARENT_SCOPE)
endfunction()

# ---- core: no OpenGL, no CUDA, no ImGui, no window ----
room(core/base)
room(core/planet core/base core/gpu_layout.h)  # the Earth's figure and air
room(core core/base core/planet)  # settings, scripts, the layout that the GPU shares
room(core/colour core/base core/settings.h)  # colours by height
room(core/cbt core/base)
room(core/leb core/base core/planet core/cbt)
room(core/terrain/raster core/base)  # height data
room(core/terrain/overlays core/base core/terrain/raster)  # lines and points on the ground
room(core/terrain/detail core/base core/planet core core/leb core/terrain/raster core/terrain/tiles/tile_grid.h
    core/terrain/tiles/tile.h)  # procedural detail
room(core/terrain/bounds core/base core/leb core/planet core/terrain/raster core/terrain/detail core/terrain/tiles/tile_grid.h)
room(core/terrain/synthetic core/base core/terrain/raster)
room(core/terrain/io core/base core/terrain/raster core/terrain/synthetic)  # file readers, loader of any kind
room(core/terrain/tiles core/base core/planet core/terrain/raster core/terrain/detail core/terrain/bounds core/gpu_layout.h)  # tile cache for terrains of any size
room(core/terrain/sources core/base core/terrain/raster core/terrain/synthetic core/terrain/io core/terrain/tiles
    core/settings.h)
room(core/terrain/earth core/base core/planet core/terrain/raster core/terrain/detail core/terrain/io core/terrain/tiles
    core/terrain/sources core/settings.h)  # the Earth's relief with its insets
room(core/terrain/imagery core/base core/planet core/gpu_layout.h core/terrain/raster core/terrain/io core/terrain/tiles
    core/terrain/earth)  # pictures in tiles
room(core/terrain/mesh core/base core/planet core/terrain/earth core/terrain/raster core/terrain/tiles)  # triangle meshes for other programs
room(core/terrain/import core/base core/terrain/raster core/terrain/io core/terrain/tiles core/terrain/sources)
room(core/budget core/base)
room(core/view core/base core core/planet)
room(core/scene core/base core/view)
room(core/frames/sample core/base core/terrain/tiles/tile_stats.h)
room(core/frames/machine core/base core/frames/sample)
room(core/frames/statistics core/base core/frames/sample)
room(core/frames/report core/base core/frames/sample core/frames/statistics)
room(core/frames/compare core/base core/frames/sample core/frames/statistics core/frames/report)
room(core/frames/pages core/base core/frames/sample core/frames/statistics core/frames/report core/frames/compare)
room(core/frames/baseline core/base core/frames/sample core/frames/statistics core/frames/report core/frames/compare
    core/frames/pages)
room(core/frames/capture core/base core/frames/sample core/frames/statistics core/frames/report core/frames/compare
    core/frames/pages)
room(core/frames/sweep core/base core/frames/sample core/frames/statistics core/frames/report core/frames/pages
    core/frames/capture)
set(all_of_core ${rooms})

room(shaders/model)  # passes of the terrain model, which compute compiles as C++, too

# ---- compute: CUDA and CPU, no OpenGL. Modules see each other only through the named files. ----
room(compute/device core/base)
room(compute/job core/base compute/device)
room(compute/multiword core/base compute/device compute/job)
room(compute/signed_digit core/base compute/device compute/job compute/multiword/limbs.h)
room(compute/linear_algebra core/base compute/device compute/job compute/exact/cpu_sums.h
    compute/exact/kernels/exact_device.h)
room(compute/terrain_model core/base compute/device shaders/model core/terrain/raster/raster.h core/terrain/synthetic/noise.h
    compute/linear_algebra/conjugate_gradients.h compute/linear_algebra/grid_multigrid.h compute/linear_algebra/operators.h)
room(compute/voids core/base core/terrain/raster compute/device compute/job
    compute/linear_algebra/conjugate_gradients.h)
file(GLOB folders RELATIVE ${ROOT} LIST_DIRECTORIES true ${ROOT}/compute/*)
foreach(folder IN LISTS folders)  # modules without a line of their own
    if(IS_DIRECTORY ${ROOT}/${folder} AND NOT folder IN_LIST rooms)
        room(${folder} core/base compute/device compute/job)
    endif()
endforeach()
set(modules ${rooms})
list(FILTER modules INCLUDE REGEX "^compute/")
room(compute core/base ${modules})  # the list of modules
set(all_of_compute ${rooms})
list(REMOVE_ITEM all_of_compute ${all_of_core})

# ---- shaders: libraries and programs, and the layout that they share with core ----
room(shaders core/gpu_layout.h)  # included by every program
set(of_all core/gpu_layout.h shaders)
room(shaders/tree ${of_all})  # CBT, longest-edge bisection, the lattice of vertices
room(shaders/pool ${of_all} shaders/tree)  # bisectors of the Earth
room(shaders/heights ${of_all} shaders/tree)
room(shaders/imagery ${of_all} shaders/heights)  # lookup of imagery
room(shaders/surface ${of_all} shaders/tree shaders/pool shaders/heights)  # the surface that is drawn
room(shaders/lod ${of_all} shaders/tree shaders/pool shaders/heights shaders/surface)  # criteria and rounds
room(shaders/lab ${of_all} shaders/tree shaders/lod)
room(shaders/shading/tone.glsl ${of_all})
room(shaders/air ${of_all} shaders/shading/tone.glsl)  # scattering of light, and the sky
room(shaders/shading ${of_all} shaders/tree shaders/heights shaders/imagery shaders/surface shaders/air
    shaders/shading/tone.glsl)
room(shaders/earth ${of_all} shaders/pool shaders/heights shaders/imagery shaders/surface shaders/air shaders/shading
    shaders/shading/tone.glsl)
room(shaders/checks ${of_all} shaders/tree shaders/pool shaders/heights shaders/surface shaders/lod shaders/air
    shaders/shading shaders/earth)

# ---- app: no CUDA ----
room(app/base core/base)
room(app/gl core/base core core/frames/sample app/base)
room(app/film core/base app/base app/gl)  # films of pictures
room(app/render ${all_of_core} app/base app/gl)
set(measured ${all_of_core} ${all_of_compute} app/base app/gl app/render/lod_tree.h)
room(app/bench/harness ${measured})
room(app/bench ${measured} app/bench/harness)  # the list of benches and figures
set(measured ${measured} app/bench/harness app/bench)
room(app/bench/multiword ${measured})
room(app/bench/signed_digit ${measured})
room(app/bench/linear_algebra ${measured})
room(app/bench/exact ${measured})
room(app/bench/figures ${measured} app/bench/signed_digit)
room(app/bench/tree ${measured} app/bench/figures)
room(app/bench/render ${measured} app/render)  # whole frames
set(all_of_bench app/bench app/bench/harness app/bench/multiword app/bench/signed_digit app/bench/exact app/bench/linear_algebra
    app/bench/figures app/bench/tree app/bench/render)
room(app/model ${all_of_core} ${all_of_compute} app/base app/bench/tree/experiment.h)  # data of the panels, and their requests
room(app/ui ${all_of_core} ${all_of_compute} app/base app/model app/gl/window.h)
# A session owns the panels, and scripts click their items; nothing else of a session knows them.
room(app/session ${all_of_core} ${all_of_compute} app/base app/gl app/film app/render ${all_of_bench} app/model
    app/ui/ui.h app/ui/input.h app/ui/items.h)
room(app ${all_of_core} ${all_of_compute} app/base app/gl app/film app/render ${all_of_bench} app/model app/ui app/session)  # the viewer
room(app/cli ${all_of_core} ${all_of_compute} app/base app/gl app/film app/render ${all_of_bench} app/model app/ui app/session app)
room(app/main.cpp core/base app/base app/cli)

set(core_deny "GL/|glad/|GLFW/|EGL/|imgui|backends/imgui|cuda|cooperative_groups|cublas|cusolver")
set(compute_deny "GL/|glad/|GLFW/|EGL/|imgui|backends/imgui")
set(app_deny "cuda|cooperative_groups|cublas|cusolver")
set(shaders_deny ".")

# Finds the innermost room that contains a file; empty if there is none.
function(room_of file result)
    set(found "")
    if(file IN_LIST rooms)
        set(${result} ${file} PARENT_SCOPE)
        return()
    endif()
    string(FIND ${file} "/" at REVERSE)
    string(SUBSTRING ${file} 0 ${at} folder)
    string(FIND ${folder} "/" slash)
    if(slash EQUAL -1)  # directly in a layer
        set(found ${folder})
    else()
        foreach(name IN LISTS rooms)
            string(FIND "${folder}/" "${name}/" at)
            string(FIND ${name} "/" slash)
            string(LENGTH "${found}" longest)
            string(LENGTH ${name} length)
            if(at EQUAL 0 AND NOT slash EQUAL -1 AND length GREATER longest)
                set(found ${name})
            endif()
        endforeach()
    endif()
    if(NOT found IN_LIST rooms)
        set(found "")
    endif()
    set(${result} "${found}" PARENT_SCOPE)
endfunction()

function(check_quoted file room included)
    if(included STREQUAL "orogen_version.h" AND room MATCHES "^app")  # generated
        return()
    endif()
    room_of(${included} from)
    if(from STREQUAL "" OR NOT (from STREQUAL room OR from IN_LIST seen_from_${room} OR included IN_LIST seen_from_${room}))
        list(JOIN seen_from_${room} ", " allowed)
        message(SEND_ERROR "${file}: includes ${included}, which ${room} may not see (it may: ${allowed})")
    endif()
endfunction()

foreach(layer core compute app shaders)
    file(GLOB_RECURSE files RELATIVE ${ROOT} ${ROOT}/${layer}/*)
    foreach(file IN LISTS files)
        file(STRINGS ${ROOT}/${file} lines REGEX "^[ \t]*#[ \t]*include[ \t]*[\"<]")
        if(NOT lines)
            continue()
        endif()
        room_of(${file} room)
        if(room STREQUAL "")
            message(SEND_ERROR "${file}: lies in no room that tests/layering.cmake knows")
            continue()
        endif()
        foreach(line IN LISTS lines)
            if(line MATCHES "include[ \t]*\"([^\"]*)\"")
                check_quoted(${file} ${room} ${CMAKE_MATCH_1})
            elseif(line MATCHES "include[ \t]*<(${${layer}_deny})")
                message(SEND_ERROR "${file}: ${line} is not allowed from ${layer}/")
            endif()
        endforeach()
    endforeach()
endforeach()
