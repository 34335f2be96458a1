# Installation layout for `cmake --install` and `cpack -G DEB`. The program finds its data in ../share/orogen.
include(GNUInstallDirs)

# Writes man pages and completions with the program itself, from the tables behind its --help.
set(reference ${PROJECT_BINARY_DIR}/reference)
add_custom_command(OUTPUT ${reference}/written
    COMMAND ${CMAKE_COMMAND} -E rm -rf ${reference}
    COMMAND orogen man-pages ${reference}/man
    COMMAND ${CMAKE_COMMAND} -DPROGRAM=$<TARGET_FILE:orogen> -DOUT=${reference}
            -P ${PROJECT_SOURCE_DIR}/assets/cmake/write_reference.cmake
    COMMAND ${CMAKE_COMMAND} -E touch ${reference}/written
    DEPENDS orogen ${PROJECT_SOURCE_DIR}/assets/cmake/write_reference.cmake
    COMMENT "Man pages and shell completions" VERBATIM)
add_custom_target(orogen_reference ALL DEPENDS ${reference}/written)

# Builds the reference if only the program has been built.
install(CODE "execute_process(COMMAND \"${CMAKE_COMMAND}\" --build \"${PROJECT_BINARY_DIR}\" --target orogen_reference
    OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)")

set(data ${CMAKE_INSTALL_DATADIR}/orogen)
# A tarball (tarball.sh) has its libraries in lib/. The older tag, DT_RPATH, also holds for the libraries of libraries.
set_target_properties(orogen PROPERTIES INSTALL_RPATH "\$ORIGIN/../lib")
target_link_options(orogen PRIVATE LINKER:--disable-new-dtags)
install(TARGETS orogen RUNTIME)
install(DIRECTORY shaders DESTINATION ${data})
install(FILES core/gpu_layout.h DESTINATION ${data}/core)
install(DIRECTORY assets/heightmaps assets/earth assets/camera_paths assets/presets assets/scenes DESTINATION ${data}/assets)
install(FILES assets/LICENSES.md DESTINATION ${data}/assets)
install(DIRECTORY assets/docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES README.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright)
install(DIRECTORY ${reference}/man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 FILES_MATCHING PATTERN *.1.gz)
install(FILES ${reference}/orogen.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME orogen)
install(FILES ${reference}/orogen.zsh DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions RENAME _orogen)
install(FILES ${reference}/orogen.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
install(FILES assets/desktop/orogen.desktop DESTINATION ${CMAKE_INSTALL_DATADIR}/applications)
install(FILES assets/desktop/orogen.svg DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps)
install(FILES assets/desktop/org.orogen.Orogen.metainfo.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/metainfo)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME orogen)
set(CPACK_PACKAGE_VENDOR "The Orogen authors")
set(CPACK_PACKAGE_CONTACT "The Orogen authors <orogen@invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "terrain renderer and measuring instrument for levels of detail")
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_OUTPUT_FILE_PREFIX ${PROJECT_BINARY_DIR}/packages)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION graphics)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "fonts-dejavu-core, libgl1-mesa-dri | libgl1-nvidia-glvnd-glx, libegl1, libgl1, libopengl0")
if(OROGEN_GDAL_LIBRARY)  # loaded by name, so the program's list of libraries lacks it
    execute_process(COMMAND dpkg -S */${OROGEN_GDAL_LIBRARY} OUTPUT_VARIABLE gdal_package ERROR_QUIET)
    if(gdal_package MATCHES "^([^:]+):")
        string(APPEND CPACK_DEBIAN_PACKAGE_DEPENDS ", ${CMAKE_MATCH_1}")
    endif()
endif()
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "libopenblas0-pthread")
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)  # adds the libraries that the program is linked with
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION "A concurrent binary tree on the GPU refines an elevation model by longest-edge bisection while it is flown
 over; depth and thresholds are tuned while it runs, and frame-time reports are captured and compared.")
include(CPack)
