# KSyntaxHighlighting for Qt 6 under one name, SyntaxHighlighting: KDE Frameworks 6 where packaged,
# else the copy that scripts/setup.sh builds (5.116 against Qt 6 keeps the KF5 names).
find_package(KF6SyntaxHighlighting QUIET)
if(KF6SyntaxHighlighting_FOUND)
  add_library(SyntaxHighlighting ALIAS KF6::SyntaxHighlighting)
else()
  set(QT_MAJOR_VERSION 6)
  find_package(KF5SyntaxHighlighting 5.116 QUIET HINTS ${CMAKE_SOURCE_DIR}/build/deps)
  if(NOT KF5SyntaxHighlighting_FOUND)
    message(FATAL_ERROR "KSyntaxHighlighting for Qt 6 not found: run scripts/setup.sh once, it builds it.")
  endif()
  add_library(SyntaxHighlighting ALIAS KF5::SyntaxHighlighting)
endif()
