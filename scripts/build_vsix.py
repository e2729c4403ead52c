#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Packs extensions/vscode as an extension that VS Code installs: build_vsix.py [OUT], build/waferpair.vsix if not said.

A .vsix is a ZIP file with the extension's folder, a manifest made of its package.json, and the types of its files. The
same files give the same bytes.
"""

import json
import pathlib
import sys
import zipfile
from xml.sax.saxutils import escape, quoteattr

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDER = ROOT / "extensions" / "vscode"
TYPES = {"json": "application/json", "js": "application/javascript", "md": "text/markdown", "txt": "text/plain",
         "vsixmanifest": "text/xml"}


def manifest(package):
    properties = "".join(
        f"<Property Id={quoteattr('Microsoft.VisualStudio.Code.' + name)} Value={quoteattr(value)}/>"
        for name, value in (("Engine", package["engines"]["vscode"]), ("ExtensionDependencies", ""),
                            ("ExtensionPack", ""), ("ExtensionKind", "workspace")))
    assets = "".join(
        f'<Asset Type={quoteattr(kind)} Path={quoteattr("extension/" + name)} Addressable="true"/>'
        for kind, name in (("Microsoft.VisualStudio.Code.Manifest", "package.json"),
                           ("Microsoft.VisualStudio.Services.Content.Details", "README.md"),
                           ("Microsoft.VisualStudio.Services.Content.License", "LICENSE.txt")))
    return f"""<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
<Metadata>
<Identity Language="en-US" Id={quoteattr(package["name"])} Version={quoteattr(package["version"])} Publisher={quoteattr(package["publisher"])}/>
<DisplayName>{escape(package["displayName"])}</DisplayName>
<Description xml:space="preserve">{escape(package["description"])}</Description>
<Categories>{escape(",".join(package["categories"]))}</Categories>
<License>extension/LICENSE.txt</License>
<Properties>{properties}</Properties>
</Metadata>
<Installation><InstallationTarget Id="Microsoft.VisualStudio.Code"/></Installation>
<Dependencies/>
<Assets>{assets}</Assets>
</PackageManifest>
"""


def main():
    out = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "build" / "waferpair.vsix"
    package = json.loads((FOLDER / "package.json").read_text(encoding="utf-8"))
    files = {f"extension/{path.name}": path.read_bytes() for path in sorted(FOLDER.iterdir())}
    files["extension/LICENSE.txt"] = (ROOT / "LICENSE").read_bytes()
    types = "".join(f'<Default Extension=".{name}" ContentType="{kind}"/>' for name, kind in TYPES.items())
    files["[Content_Types].xml"] = (
        '<?xml version="1.0" encoding="utf-8"?>\n<Types xmlns="http://schemas.openxmlformats.org/package/2006/'
        f'content-types">{types}</Types>\n').encode()
    files["extension.vsixmanifest"] = manifest(package).encode()
    out.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in sorted(files):
            archive.writestr(zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0)), files[name], zipfile.ZIP_DEFLATED)
    print(out)


if __name__ == "__main__":
    main()
