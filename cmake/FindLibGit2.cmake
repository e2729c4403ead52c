# The distributions' libgit2 ships no CMake package; this makes the imported target LibGit2::LibGit2.
find_path(LibGit2_INCLUDE_DIR git2.h)
find_library(LibGit2_LIBRARY git2)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(LibGit2 REQUIRED_VARS LibGit2_LIBRARY LibGit2_INCLUDE_DIR)
if(LibGit2_FOUND AND NOT TARGET LibGit2::LibGit2)
  add_library(LibGit2::LibGit2 UNKNOWN IMPORTED)
  set_target_properties(LibGit2::LibGit2 PROPERTIES
    IMPORTED_LOCATION ${LibGit2_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${LibGit2_INCLUDE_DIR})
endif()
