#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Makes an AppDir of what is built: a folder that runs where neither Qt nor any other library of ours is
# installed, on a C library at least as new as this one's. The graphics driver, fontconfig's files and
# what belongs to the C library stay the system's. With appimagetool in PATH it becomes an AppImage.
#   scripts/make_appdir.sh [FOLDER]      build/waferpair.AppDir, unless another is named
set -euo pipefail
cd "$(dirname "$0")/.."
folder=${1:-build/waferpair.AppDir}
[ -x build/release/bin/waferpair ] || { echo "make_appdir: nothing is built yet: scripts/run.sh" >&2; exit 1; }
command -v patchelf >/dev/null || { echo "make_appdir: patchelf is missing: apt-get install patchelf" >&2; exit 1; }
rm -rf "$folder"
cmake --install build/release --prefix "$folder/usr" --strip >/dev/null
libraries=$folder/usr/lib
plugins=$(qmake6 -query QT_INSTALL_PLUGINS)
for kind in platforms platforminputcontexts imageformats iconengines xcbglintegrations wayland-shell-integration \
  wayland-graphics-integration-client wayland-decoration-client tls platformthemes; do
  [ -d "$plugins/$kind" ] || continue
  mkdir -p "$folder/usr/plugins/$kind"
  cp "$plugins/$kind"/*.so "$folder/usr/plugins/$kind/"
done
# Only what the plugins that are of use here need; others would bring their desktop along.
rm -f "$folder"/usr/plugins/platforms/libq{eglfs,linuxfb,minimalegl,vnc,vkkhrdisplay}.so \
  "$folder"/usr/plugins/platformthemes/libqgtk3.so

# What every Linux has, or what must be the driver's own.
system='^(ld-linux.*|lib(c|m|dl|rt|pthread|resolv|util|anl|GL|EGL|GLX|OpenGL|GLdispatch|drm|gbm|vulkan)\.so.*)$'
needed() {
  find "$folder/usr/bin" "$folder/usr/plugins" "$libraries" -type f \( -perm -u+x -o -name '*.so*' \) -exec \
    env LD_LIBRARY_PATH="$libraries:$libraries/waferpair" ldd {} + 2>/dev/null |
    sed -nE 's/^\t.* => (\/[^ ]+) .*/\1/p' | sort -u
}
for library in $(needed); do
  name=$(basename "$library")
  [[ $name =~ $system ]] && continue
  [ -e "$libraries/$name" ] || [ -e "$libraries/waferpair/$name" ] || cp -L "$library" "$libraries/$name"
done
# Programs and plugins find them by a path of their own. (LD_LIBRARY_PATH would reach git, shells and all else that is
# started from the window; a newer RUNPATH would not reach the libraries of libraries.)
for program in waferpair waferd waferctl; do
  patchelf --force-rpath --set-rpath '$ORIGIN/../lib:$ORIGIN/../lib/waferpair' "$folder/usr/bin/$program"
done
cat >"$folder/usr/bin/qt.conf" <<'CONF'
[Paths]
Prefix = ..
Plugins = plugins
CONF
cat >"$folder/AppRun" <<'RUN'
#!/bin/sh
here=$(dirname "$(readlink -f "$0")")
# Called by another name, it is that program: waferctl, waferd.
name=$(basename "${ARGV0:-$0}")
[ -x "$here/usr/bin/$name" ] || name=waferpair
exec "$here/usr/bin/$name" "$@"
RUN
chmod 755 "$folder/AppRun"
cp "$folder/usr/share/applications/waferpair.desktop" "$folder/usr/share/icons/hicolor/scalable/apps/waferpair.svg" "$folder"
ln -sf waferpair.svg "$folder/.DirIcon"
echo "make_appdir: $folder, $(du -sm "$folder" | cut -f1) MB"
if command -v appimagetool >/dev/null; then
  appimagetool "$folder" "build/Waferpair-$(uname -m).AppImage"
fi
