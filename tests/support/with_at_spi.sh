#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs a program in an X server with assistive technology listening: Qt then tells of every change.
#   with_at_spi.sh PROGRAM [ARGUMENT...]
if [ "${WITH_AT_SPI_SESSION:-}" != yes ]; then
  WITH_AT_SPI_SESSION=yes exec dbus-run-session -- "$0" "$@"
fi
# Asking for its address starts the bus.
dbus-send --session --print-reply --dest=org.a11y.Bus /org/a11y/bus org.a11y.Bus.GetAddress \
  >/dev/null || exit 1
QT_QPA_PLATFORM=xcb QT_LINUX_ACCESSIBILITY_ALWAYS_ON=1 \
  exec xvfb-run -a -s "-screen 0 1920x1200x24" "$@"
