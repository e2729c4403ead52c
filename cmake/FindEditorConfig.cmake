# The distributions' libeditorconfig names PCRE2's link library in its CMake package and may not bring it; this makes
# the imported target EditorConfig::EditorConfig of the header and the library alone.
find_path(EditorConfig_INCLUDE_DIR editorconfig/editorconfig.h)
find_library(EditorConfig_LIBRARY editorconfig)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(EditorConfig REQUIRED_VARS EditorConfig_LIBRARY EditorConfig_INCLUDE_DIR)
if(EditorConfig_FOUND AND NOT TARGET EditorConfig::EditorConfig)
  add_library(EditorConfig::EditorConfig UNKNOWN IMPORTED)
  set_target_properties(EditorConfig::EditorConfig PROPERTIES
    IMPORTED_LOCATION ${EditorConfig_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${EditorConfig_INCLUDE_DIR})
endif()
