# The files that `cmake --install` puts below a prefix, which may be moved as a whole afterwards:
#
#   bin/                    waferpair, waferd, waferctl
#   lib/waferpair/          KSyntaxHighlighting, where scripts/setup.sh built it
#   share/waferpair/        the model, the sample project, the user's guide and the schema of settings.json, which the programs find
#                           beside themselves; python/, by which scripts and tests drive the window
#   share/applications, icons, metainfo, mime: what a desktop shows of the program
#   share/man, bash-completion, zsh, fish: the manual pages and what shells complete (scripts/make_man_pages.py)
#   share/doc/waferpair     the license and what is new
#
# In the build folder share/waferpair is a link to resources/, so that programs there find the same.
set(data share/waferpair)
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/share)
file(CREATE_LINK ${CMAKE_SOURCE_DIR}/resources ${CMAKE_BINARY_DIR}/${data} SYMBOLIC)

# The manual page of a program, and what shells complete.
function(waferpair_install_words program)
  install(FILES resources/man/${program}.1 DESTINATION share/man/man1)
  install(FILES resources/completions/bash/${program} DESTINATION share/bash-completion/completions)
  install(FILES resources/completions/zsh/_${program} DESTINATION share/zsh/vendor-completions)
  install(FILES resources/completions/fish/${program}.fish DESTINATION share/fish/vendor_completions.d)
endfunction()

install(TARGETS waferd waferctl RUNTIME DESTINATION bin)
install(DIRECTORY resources/models DESTINATION ${data} FILES_MATCHING PATTERN "*.gguf" PATTERN "README.md")
install(FILES LICENSE CHANGELOG.md DESTINATION share/doc/waferpair)
foreach(program waferd waferctl)
  waferpair_install_words(${program})
endforeach()
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
  # It says where it was built, too.
  file(REAL_PATH "${library}" library)
  cmake_path(GET library FILENAME file)
  install(CODE "file(RPATH_REMOVE FILE \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/lib/waferpair/${file}\")")
endif()
install(TARGETS waferpair RUNTIME DESTINATION bin)
waferpair_install_words(waferpair)
install(DIRECTORY docs/guide DESTINATION ${data} FILES_MATCHING PATTERN "*.md" PATTERN "*.png")
install(DIRECTORY resources/sample_project DESTINATION ${data})
install(FILES resources/settings.schema.json DESTINATION ${data})
install(DIRECTORY resources/shell DESTINATION ${data})
install(DIRECTORY resources/python DESTINATION ${data} FILES_MATCHING PATTERN "*.py" PATTERN __pycache__ EXCLUDE)
install(FILES resources/desktop/waferpair.desktop DESTINATION share/applications)
install(FILES resources/desktop/org.waferpair.waferpair.metainfo.xml DESTINATION share/metainfo)
install(FILES resources/desktop/waferpair.mime.xml DESTINATION share/mime/packages RENAME waferpair.xml)
install(FILES resources/icons/waferpair.svg DESTINATION share/icons/hicolor/scalable/apps)
install(FILES resources/icons/waferpair-trace.svg DESTINATION share/icons/hicolor/scalable/mimetypes
        RENAME application-x-waferpair-trace.svg)
