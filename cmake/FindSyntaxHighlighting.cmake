# KSyntaxHighlighting for Qt 6 under one name, SyntaxHighlighting: KDE Frameworks 6 where packaged,
# else the copy that scripts/setup.sh builds (KDE Frameworks 5 against Qt 6 keeps the KF5 names).
find_package(KF6SyntaxHighlighting QUIET)
if(KF6SyntaxHighlighting_FOUND)
  add_library(SyntaxHighlighting ALIAS KF6::SyntaxHighlighting)
else()
  set(QT_MAJOR_VERSION 6)
  # Nothing younger than 5.50 is called (where comments begin).
  set(oldest 5.50)
  find_package(KF5SyntaxHighlighting ${oldest} QUIET HINTS ${CMAKE_SOURCE_DIR}/build/deps)
  set(found "")
  foreach(config version IN ZIP_LISTS KF5SyntaxHighlighting_CONSIDERED_CONFIGS
                                      KF5SyntaxHighlighting_CONSIDERED_VERSIONS)
    string(APPEND found "\n  found: ${version} in ${config}")
  endforeach()
  if(KF5SyntaxHighlighting_FOUND)
    get_target_property(links KF5::SyntaxHighlighting INTERFACE_LINK_LIBRARIES)
    if(NOT "${links}" MATCHES "Qt6::")
      set(KF5SyntaxHighlighting_FOUND FALSE)
      string(APPEND found ", which is for Qt 5")
    endif()
  endif()
  if(NOT KF5SyntaxHighlighting_FOUND)
    if(found)
      message(FATAL_ERROR "KSyntaxHighlighting for Qt 6 is to be ${oldest} or later.${found}\n"
        "Remove that copy (build/deps, if it lies there) so that scripts/setup.sh builds one from your "
        "release's source, or set CMAKE_PREFIX_PATH to where KDE Frameworks 6 is installed.")
    endif()
    message(FATAL_ERROR "KSyntaxHighlighting for Qt 6 was found neither as a package "
      "(libkf6syntaxhighlighting-dev) nor in ${CMAKE_SOURCE_DIR}/build/deps.\n"
      "'rm build/setup*.stamp', then scripts/setup.sh, looks for it anew and builds it; or set "
      "CMAKE_PREFIX_PATH to where it is installed.")
  endif()
  add_library(SyntaxHighlighting ALIAS KF5::SyntaxHighlighting)
endif()
