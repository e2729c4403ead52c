# The files that `cmake --install` puts below a prefix, which may be moved as a whole afterwards:
#
#   bin/                    waferpair, waferd, waferctl
#   lib/waferpair/          KSyntaxHighlighting, where scripts/setup.sh built it
#   share/waferpair/        the model, the sample project and the schema of settings.json, which the programs find beside themselves
#   share/applications, icons, metainfo: what a desktop shows of the program
#   share/doc/waferpair     the license
#
# In the build folder share/waferpair is a link to resources/, so that programs there find the same.
set(data share/waferpair)
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/share)
file(CREATE_LINK ${CMAKE_SOURCE_DIR}/resources ${CMAKE_BINARY_DIR}/${data} SYMBOLIC)

install(TARGETS waferd waferctl RUNTIME DESTINATION bin)
install(DIRECTORY resources/models DESTINATION ${data} FILES_MATCHING PATTERN "*.gguf" PATTERN "README.md")
install(FILES LICENSE DESTINATION share/doc/waferpair)
if(NOT WAFERPAIR_GUI)
  return()
endif()

# The program brings a copy of each library that it takes from build/deps, and looks for it there, not in the build folder.
get_target_property(highlighting SyntaxHighlighting ALIASED_TARGET)
get_target_property(library ${highlighting} LOCATION)
cmake_path(IS_PREFIX CMAKE_SOURCE_DIR "${library}" NORMALIZE is_ours)
if(is_ours)
  set_target_properties(waferpair PROPERTIES INSTALL_RPATH "$ORIGIN/../lib/waferpair")
  install(IMPORTED_RUNTIME_ARTIFACTS ${highlighting} LIBRARY DESTINATION lib/waferpair)
endif()
install(TARGETS waferpair RUNTIME DESTINATION bin)
install(DIRECTORY resources/sample_project DESTINATION ${data})
install(FILES resources/settings.schema.json DESTINATION ${data})
install(DIRECTORY resources/shell DESTINATION ${data})
install(FILES resources/desktop/waferpair.desktop DESTINATION share/applications)
install(FILES resources/desktop/org.waferpair.waferpair.metainfo.xml DESTINATION share/metainfo)
install(FILES resources/icons/waferpair.svg DESTINATION share/icons/hicolor/scalable/apps)
