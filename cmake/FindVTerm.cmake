# libvterm ships a pkg-config file and no CMake package; this makes the imported target VTerm::VTerm.
find_path(VTerm_INCLUDE_DIR vterm.h)
find_library(VTerm_LIBRARY vterm)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(VTerm REQUIRED_VARS VTerm_LIBRARY VTerm_INCLUDE_DIR)
if(VTerm_FOUND AND NOT TARGET VTerm::VTerm)
  add_library(VTerm::VTerm UNKNOWN IMPORTED)
  set_target_properties(VTerm::VTerm PROPERTIES
    IMPORTED_LOCATION ${VTerm_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${VTerm_INCLUDE_DIR})
endif()
