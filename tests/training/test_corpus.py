# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests the way from package lists and archives to a corpus and its manifest. Skipped without numpy."""

import gzip
import io
import json
import os
import random
import shutil
import string
import struct
import tarfile
import tempfile
import unittest
import zlib

import support

try:
    import corpus
except ImportError:
    raise unittest.SkipTest("numpy is not installed")
import archives
import fetching
import package_lists

INTEGRITY = "sha512-x"


def code(seed):
    """A file of its own: no near duplicate of another seed's."""
    picker = random.Random(seed)
    names = ["".join(picker.choices(string.ascii_lowercase, k=6)) for _ in range(90)]
    lines = [f"export const {a} = {b}({c});\n" for a, b, c in zip(*[iter(names)] * 3)]
    return "".join(lines)


def write_tar(path, members):
    with tarfile.open(path, "w:gz") as archive:
        for name, text in members.items():
            data = text.encode("utf-8")
            member = tarfile.TarInfo(name)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))


class PackageListTest(unittest.TestCase):
    def read(self, text):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "some.txt")
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            return package_lists.read(folder)

    def test_options_are_read(self):
        first, second, third = self.read(
            "# note\nbinary a cap=2.5\n\nsource b held-out  # why\n"
            "npm @c/d only=typescript,json version=1.2 integrity=sha512-e=\n"
        )
        self.assertEqual((first.kind, first.name), ("binary", "a"))
        self.assertEqual((first.held_out, first.cap_mb, first.only), (False, 2.5, frozenset()))
        self.assertEqual((second.kind, second.name, second.held_out), ("source", "b", True))
        self.assertEqual(third.only, {"typescript", "json"})
        self.assertEqual((third.version, third.integrity), ("1.2", "sha512-e="))

    def test_a_usual_cap_is_of_the_lines_below_it_that_have_none(self):
        packages = self.read("binary a\nusual cap=1.5\nbinary b\nbinary c cap=40\n")
        self.assertEqual([package.cap_mb for package in packages], [12.0, 1.5, 40.0])

    def test_a_wrong_line_is_named(self):
        for text in (
            "deb a\n", "binary\n", "binary a caps=2\n", "binary a cap=x\n", "npm a\n",
            "npm a version=1\n", "binary a version=1 integrity=x\n", "binary a only=cobol\n",
            "binary a cap=\n", "binary a held-out=yes\n", "usual\n", "usual cap=\n", "usual only=c\n",
            "usual cap=1 binary\n",
        ):  # fmt: skip
            with self.assertRaisesRegex(ValueError, "some.txt:1"):
                self.read(text)
        with self.assertRaisesRegex(ValueError, "some.txt:2.*twice"):
            self.read("binary a\nsource a\n")

    def test_the_shipped_lists_are_read_and_hold_projects_out(self):
        packages = package_lists.read(os.path.join(support.ROOT, "training", "packages"))
        held_out = [package.name for package in packages if package.held_out]
        self.assertGreater(len(held_out), 10)
        self.assertLess(len(held_out), 0.1 * len(packages))


class ManifestTest(unittest.TestCase):
    def test_the_shipped_manifest_names_listed_packages_and_permissive_licenses(self):
        listed = package_lists.read(os.path.join(support.ROOT, "training", "packages"))
        path = os.path.join(support.MODELS, "waferpair-mini.manifest.json")
        with open(path, encoding="utf-8") as file:
            manifest = json.load(file)
        packages, _ = corpus.pin(listed, manifest)
        self.assertEqual(len(packages), len(manifest["packages"]))
        splits = {entry["package"]: entry["split"] for entry in manifest["packages"]}
        for package in listed:
            if package.held_out:
                self.assertEqual(splits.pop(package.name), "held_out")
        self.assertEqual(set(splits.values()), {"train"})
        for entry in manifest["packages"]:
            for license in entry["licenses"]:
                self.assertTrue(corpus.licenses.is_permissive(license), license)


class BuildTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.cache = os.path.join(folder.name, "cache")
        self.output = os.path.join(folder.name, "corpus")
        self.fetcher = fetching.Fetcher(self.cache)

    def npm(self, name, members, license="MIT", **options):
        """An npm package in the cache, and its line in the lists."""
        path = os.path.join(self.cache, "npm", f"{name}-1.0.0.tgz")
        about = {"package/package.json": json.dumps({"license": license})}
        write_tar(path, {**about, **{f"package/{key}": text for key, text in members.items()}})
        options = {"held_out": False, "cap_mb": 1.0, "only": frozenset(), **options}
        integrity = fetching.integrity(path)
        return package_lists.Package("npm", name, **options, version="1.0.0", integrity=integrity)

    def build(self, *packages, pinned=None):
        manifest, lost = corpus.build(list(packages), pinned or {}, self.fetcher, self.output)
        return manifest, lost

    def paths(self, split):
        """{language: [(project, path)]} of what was written."""
        found = {}
        folder = os.path.join(self.output, split)
        for name in os.listdir(folder):
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                records = [json.loads(line) for line in file]
            found[name[:-6]] = sorted((record["project"], record["path"]) for record in records)
        return found

    def test_files_are_written_by_split_and_language(self):
        members = {"src/a.ts": code(1), "b.js": code(2), "c.yml": code(3), "LICENSE.md": code(7)}
        kept = self.npm("kept", members)
        held_out = self.npm("out", {"a.ts": code(4), "c.json": code(5)}, held_out=True)
        refused = self.npm("refused", {"a.ts": code(6)}, license="GPL-3.0")
        manifest, lost = self.build(kept, held_out, refused)
        self.assertEqual(
            self.paths("train"),
            {"typescript": [("kept", "src/a.ts")], "javascript": [("kept", "b.js")],
             "yaml": [("kept", "c.yml")]},
        )  # fmt: skip
        self.assertEqual(self.paths("held_out"), {"typescript": [("out", "a.ts")]})
        self.assertEqual([entry["package"] for entry in manifest["packages"]], ["out", "kept"])
        entry = manifest["packages"][1]
        self.assertEqual(entry["bytes"]["typescript"], len(code(1)))
        self.assertEqual(entry["integrity"], kept.integrity)
        self.assertEqual(list(entry["licenses"]), ["MIT"])
        self.assertEqual(manifest["totals"]["train"], entry["bytes"])
        self.assertEqual(lost["license"], len(code(6)))

    def test_near_duplicates_of_training_and_held_out_files_are_dropped(self):
        near = code(1).replace("export", "declare", 1)
        held_out = self.npm("out", {"a.ts": code(1), "b.ts": near}, held_out=True)
        first = self.npm("first", {"same.ts": code(1) + "\n", "near.ts": near + "// x\n"})
        second = self.npm("second", {"new.ts": code(2), "twice.ts": code(2) + "const tail = 1;\n"})
        _, lost = self.build(first, second, held_out)
        self.assertEqual(len(self.paths("held_out")["typescript"]), 2)
        self.assertEqual([name for name, _ in self.paths("train")["typescript"]], ["second"])
        self.assertEqual(lost["duplicate"], len(code(1)) + 1)
        self.assertGreater(lost["near duplicate"], len(near))

    def test_a_cap_takes_some_files_and_only_wanted_languages_are_read(self):
        members = {f"{i}.ts": code(i) for i in range(20)} | {"a.js": code(30)}
        package = self.npm("big", members, cap_mb=0.01, only=frozenset(["typescript"]))
        manifest, _ = self.build(package)
        self.assertEqual(list(manifest["packages"][0]["bytes"]), ["typescript"])
        self.assertLess(manifest["packages"][0]["bytes"]["typescript"], 10_000)
        self.assertGreater(manifest["packages"][0]["bytes"]["typescript"], 5_000)

    def test_a_manifest_pins_versions_and_files(self):
        package = self.npm("kept", {"a.ts": code(1)})
        other = self.npm("nothing", {"a.txt": "nothing"})
        manifest, _ = self.build(package, other)
        packages, pinned = corpus.pin([package._replace(version="2"), other], manifest)
        self.assertEqual(packages, [package])
        self.assertEqual(self.build(*packages, pinned=pinned)[0], manifest)

        changed = self.npm("kept", {"a.ts": code(2)})
        with self.assertRaisesRegex(ValueError, "kept: not the files that the manifest names"):
            self.build(changed, pinned=pinned)
        with self.assertRaisesRegex(ValueError, "not in the lists: kept"):
            corpus.pin([other], manifest)

    def test_an_npm_package_of_another_integrity_is_refused(self):
        package = self.npm("kept", {"a.ts": code(1)})
        with self.assertRaisesRegex(ValueError, "kept 1.0.0: its integrity is not the listed one"):
            self.build(package._replace(integrity=INTEGRITY))

    def test_paths_that_lead_out_of_an_archive_are_refused(self):
        for path in ("../a.ts", "src/../../a.ts", ".."):
            with self.assertRaisesRegex(ValueError, "leads out of the archive"):
                self.build(self.npm("bad", {path: code(1)}))
        with self.assertRaisesRegex(ValueError, "leads out"):
            archives.checked("/etc/passwd")
        self.assertEqual(archives.checked("./usr/a..b/c.py"), "usr/a..b/c.py")

    def test_links_are_not_followed(self):
        package = self.npm("linked", {"a.ts": code(1)})
        path = os.path.join(self.cache, "npm", "linked-1.0.0.tgz")
        with tarfile.open(path, "w:gz") as archive:
            member = tarfile.TarInfo("package/b.ts")
            member.type, member.linkname = tarfile.SYMTYPE, "/etc/passwd"
            archive.addfile(member)
        files, _, _ = archives.read(package, [path])
        self.assertEqual(files, [])

    def test_extra_fields_of_gzip_are_skipped(self):
        package = self.npm("extra", {"a.ts": code(1)})
        path = os.path.join(self.cache, "npm", "extra-1.0.0.tgz")
        with gzip.open(path) as file:
            data = file.read()
        packed = zlib.compressobj(wbits=-15)
        with open(path, "wb") as file:
            file.write(b"\x1f\x8b\x08\x04" + bytes(6) + b"\x06\x00" + b"WP\x02\x00ok")
            file.write(packed.compress(data) + packed.flush())
            file.write(struct.pack("<II", zlib.crc32(data), len(data)))
        files, _, _ = archives.read(package, [path])
        self.assertEqual([name for name, _ in files], ["a.ts"])

    def test_what_packs_well_is_read_in_time(self):
        zeros, text = bytes(48 << 20), code(1).encode("utf-8")
        package = package_lists.Package("source", "zeros", False, 1.0, frozenset(), "1.0", "")
        for ending in ("xz", "bz2"):
            path = os.path.join(self.cache, "zeros-1.0.tar." + ending)
            with tarfile.open(path, "w:" + ending) as archive:
                for name, data in (("zeros-1.0/zeros", zeros), ("zeros-1.0/a.ts", text)):
                    member = tarfile.TarInfo(name)
                    member.size = len(data)
                    archive.addfile(member, io.BytesIO(data))
            files, _, _ = archives.read(package, [path])
            self.assertEqual(files, [("a.ts", text)])


def deb(data):
    """A .deb whose files are those of the tar archive `data`."""
    parts = [("debian-binary", b"2.0\n"), ("control.tar.gz", data), ("data.tar.gz", data)]
    packed = b"!<arch>\n"
    for name, content in parts:
        header = f"{name:<16}{0:<12}{0:<6}{0:<6}{100644:<8}{len(content):<10}`\n"
        packed += header.encode("ascii") + content + b"\n" * (len(content) % 2)
    return packed


@unittest.skipIf(shutil.which("dpkg-deb") is None, "dpkg-deb is not installed")
class BinaryPackageTest(unittest.TestCase):
    def test_files_are_named_as_in_their_project_and_damage_is_noticed(self):
        package = package_lists.Package("binary", "b", False, 1.0, frozenset())
        members = {"./usr/lib/python3/dist-packages/b/a.py": code(1)}
        members["./usr/share/doc/b/copyright"] = "Format: 1.0\n"
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "data.tar.gz")
            write_tar(path, members)
            with open(path, "rb") as file:
                whole = deb(file.read())
            path = os.path.join(folder, "b_1_all.deb")
            for data in (whole, whole[:-200]):
                with open(path, "wb") as file:
                    file.write(data)
                if data is whole:
                    files, notices, _ = archives.read(package, [path])
                    self.assertEqual([name for name, _ in files], ["b/a.py"])
                    self.assertEqual(notices[0][1], b"Format: 1.0\n")
                else:
                    with self.assertRaises((ValueError, tarfile.TarError)):
                        archives.read(package, [path])


class SourcePackageTest(unittest.TestCase):
    def test_a_source_is_its_tar_files_and_its_debian_copyright_decides(self):
        with tempfile.TemporaryDirectory() as cache:
            fetcher = fetching.Fetcher(cache)
            folder = os.path.join(cache, "source")
            names = ["s_2.0.orig.tar.gz", "s_2.0-1.debian.tar.gz"]
            write_tar(os.path.join(folder, names[0]), {"s-2.0/src/a.c": code(1)})
            dep5 = "Format: 1.0\n\nFiles: *\nLicense: Expat\n"
            write_tar(os.path.join(folder, names[1]), {"debian/copyright": dep5})
            with open(os.path.join(folder, "s_2.0-1.dsc"), "w", encoding="utf-8") as file:
                lines = "".join(f" {'0' * 64} 1 {name}\n" for name in names)
                file.write(f"Version: 1:2.0-1\nChecksums-Sha256:\n{lines}")
            output = os.path.join(cache, "corpus")
            package = package_lists.Package("source", "s", False, 1.0, frozenset())
            manifest, _ = corpus.build([package], {}, fetcher, output)
            (entry,) = manifest["packages"]
            self.assertEqual(entry["version"], "1:2.0-1")
            self.assertEqual(sorted(entry["sha256"]), sorted(names))
            self.assertEqual(entry["bytes"], {"c": len(code(1))})
            # Older manifests name the version without its epoch.
            self.assertEqual(fetcher.archives(package._replace(version="2.0-1"))[0], "1:2.0-1")

    def test_what_no_mirror_has_is_left_out_unless_it_is_pinned(self):
        def package(name, version=""):
            return package_lists.Package("source", name, False, 1.0, frozenset(), version=version)

        with tempfile.TemporaryDirectory() as cache:
            fetcher = fetching.Fetcher(cache)
            asked = []

            def download(kind, packages):
                """A mirror that lacks "gone", and stops at it."""
                asked.append([package.name for package in packages])
                if "gone" in asked[-1]:
                    return False
                for wanted in packages:
                    folder = os.path.join(cache, "source")
                    write_tar(os.path.join(folder, f"{wanted.name}_1.tar.gz"), {"a.c": code(1)})
                    with open(os.path.join(folder, f"{wanted.name}_1.dsc"), "w", encoding="utf-8") as file:
                        file.write(f"Version: 1\n {'0' * 64} 1 {wanted.name}_1.tar.gz\n")
                return True

            fetcher._download = download
            packages = [package("a"), package("gone"), package("b")]
            self.assertEqual([lost.name for lost in fetcher.fetch(packages)], ["gone"])
            self.assertEqual(asked, [["a", "gone", "b"], ["a"], ["gone"], ["b"]])
            self.assertEqual(fetcher.archives(packages[2])[0], "1")
            with self.assertRaisesRegex(SystemExit, "gone"):
                fetcher.fetch([package("gone", version="1")])


if __name__ == "__main__":
    unittest.main()
