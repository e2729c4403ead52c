# Packages, made by CPack of what `cmake --install` puts below a prefix:
#
#   cpack -G DEB --config build/release/CPackConfig.cmake -B FOLDER     (scripts/release.sh does that)
#
# With SOURCE_DATE_EPOCH in the environment the same build tree gives the same bytes.
set(CPACK_PACKAGE_NAME waferpair)
set(CPACK_PACKAGE_VENDOR "The Waferpair maintainers")
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "code editor with a model that runs on an emulated wafer")
set(CPACK_PACKAGE_DESCRIPTION
    "Suggestions of a code model stream into the text as you type; you ask, and it\n"
    "edits, plans and explains. The model runs on this computer, as a program on an\n"
    "emulated Cerebras WSE-3, and a view beside the code shows what the wafer's\n"
    "893,064 cores do. Nothing leaves the computer unless you send it.\n"
    "\n"
    "The package has the editor (waferpair), the model server (waferd), the command\n"
    "line (waferctl) and a small model.")
list(JOIN CPACK_PACKAGE_DESCRIPTION "" CPACK_PACKAGE_DESCRIPTION)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_GENERATOR DEB)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_SOURCE_DIR}/cmake/PrepareDebianPackage.cmake)

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION editors)
set(WAFERPAIR_MAINTAINER "Waferpair maintainers <maintainers@users.noreply.waferpair.org>" CACHE STRING
    "Who answers for the packages that are made here")
set(CPACK_DEBIAN_PACKAGE_MAINTAINER ${WAFERPAIR_MAINTAINER})
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
if(EXISTS ${CMAKE_SOURCE_DIR}/build/deps/lib)
  # KSyntaxHighlighting, which the package brings along.
  file(GLOB_RECURSE own_libraries ${CMAKE_SOURCE_DIR}/build/deps/lib*/*SyntaxHighlighting.so*)
  list(TRANSFORM own_libraries REPLACE "/[^/]*$" "")
  list(REMOVE_DUPLICATES own_libraries)
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${own_libraries})
endif()
# Qt loads these as plugins; the fonts are those that the editor asks for first.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS
    "git, universal-ctags, fonts-jetbrains-mono, fonts-inter, qt6-wayland, libqt6svg6 (<< 6.6) | qt6-svg-plugins, hunspell-en-us | hunspell-dictionary")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "clangd, python3-pylsp")
include(CPack)
