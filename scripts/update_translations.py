#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Brings resources/translations/waferpair_en.ts up to date with the texts in the code that have a plural
("%n file(s)"). A new one is left unfinished there: write its two forms, by hand or with Qt Linguist.

    scripts/update_translations.py [--check]     --check: says what is missing, and changes nothing
"""

import pathlib
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parent.parent
FORMS = ROOT / "resources/translations/waferpair_en.ts"
FOLDERS = ["editor", "gui", "pairing", "wafer_view"]


def lupdate():
    for name in ("lupdate6", "lupdate-qt6", "/usr/lib/qt6/bin/lupdate"):
        if found := shutil.which(name):
            return found
    return None


def messages(path):
    """The forms of each text in the file, by context and text; no forms for an unfinished one."""
    found = {}
    for context in xml.etree.ElementTree.parse(path).getroot().iter("context"):
        for message in context.iter("message"):
            translation = message.find("translation")
            unfinished = translation.get("type") == "unfinished"
            forms = [] if unfinished else [form.text or "" for form in translation.iter("numerusform")]
            found[context.findtext("name"), message.findtext("source")] = forms
    return found


def main():
    program = lupdate()
    if not program:
        print("update_translations: lupdate not found, plural forms not checked")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        fresh = pathlib.Path(folder) / FORMS.name
        if FORMS.exists():
            shutil.copy(FORMS, fresh)
        options = ["-silent", "-pluralonly", "-no-obsolete", "-locations", "none", "-source-language", "en",
                   "-target-language", "en", "-I", str(ROOT)]
        subprocess.run([program, *options, *FOLDERS, "-ts", str(fresh)], cwd=ROOT, check=True,
                       stderr=subprocess.DEVNULL)
        wanted = messages(fresh)
        known = messages(FORMS) if FORMS.exists() else {}
        if "--check" not in sys.argv[1:] and wanted != known:
            shutil.copy(fresh, FORMS)
    where = FORMS.relative_to(ROOT)
    unfinished = [f"{where}: \"{text}\" of {context} lacks its two forms"
                  for (context, text), forms in wanted.items() if len(forms) != 2 or not all(forms)]
    gone = [f"{where}: \"{text}\" of {context} is in no file" for context, text in known.keys() - wanted.keys()]
    print("\n".join(unfinished + gone), end="\n" if unfinished or gone else "")
    if "--check" in sys.argv[1:] and (unfinished or gone):
        print("update_translations: run scripts/update_translations.py, and write the forms")
    return 1 if unfinished or (gone and "--check" in sys.argv[1:]) else 0


if __name__ == "__main__":
    sys.exit(main())
