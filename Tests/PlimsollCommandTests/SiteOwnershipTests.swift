import Foundation
import Platform
import Testing

/// What a build may replace, over real folders.
struct SiteOwnershipTests {
    /// A project with a site, after a good morning.
    private func project(_ more: String = "") async throws -> Folder {
        let folder = try Folder(copyOf: try await FirstMorning.shared.folder)
        if !more.isEmpty { try folder.write("plimsoll.yml", Quay.configuration(day: 19) + more) }
        return folder
    }

    @Test(arguments: [
        ("status.json", "{}", "[site.foreign-folder]", "would go: status.json"),
        ("thesis.txt", "mine", "[site.foreign-folder]", "would go: thesis.txt"),
    ])
    func foreignFolderIsRefusedUntilAdopted(file: String, text: String, id: String, listed: String)
        async throws
    {
        let folder = try await project()
        try folder.write("home/thesis.txt", "mine")
        try folder.write("home/\(file)", text)
        let before = try folder.tree("home")
        let refused = try await Program.run("build", "--output", "home", in: folder)
        #expect(refused.status == 4, "\(refused.printed)")
        #expect(refused.errors.contains(id) && refused.errors.contains(listed), "\(refused.errors)")
        #expect(refused.errors.contains("  hint: list what is to stay under 'keep' in the configuration"))
        #expect(try folder.tree("home") == before)

        let adopted = try await Program.run("build", "--output", "home", "--adopt", in: folder)
        #expect(adopted.status == 0, "\(adopted.printed)")
        #expect(adopted.errors.contains("[site.adopted]") && adopted.errors.contains("would go: thesis.txt"))
        #expect(try folder.tree("home").differences(from: try await FirstMorning.shared.tree) == [])
    }

    @Test func handMadeChangesAreRefusedUntilAdopted() async throws {
        let folder = try await project()
        try folder.write("site/notes/mine.txt", "mine")
        try folder.write("site/robots.txt", "mine")
        let before = try folder.tree("site")
        for command in ["build", "run"] {
            let refused = try await Program.run(command, in: folder)
            #expect(refused.status == 4, "\(refused.printed)")
            for words in ["[site.changed-files]", "  added: notes/mine.txt", "  changed: robots.txt"] {
                #expect(refused.errors.contains(words), "\(refused.errors)")
            }
            #expect(try folder.tree("site") == before)
        }
        let adopted = try await Program.run("run", "--adopt", in: folder)
        #expect(adopted.status == 0, "\(adopted.printed)")
        #expect(try folder.tree("site").differences(from: try await FirstMorning.shared.tree) == [])
    }

    /// A page that is edited in place where it is published is changed in the site too.
    @Test func anEditAtAFolderTargetIsExplained() async throws {
        let folder = try await project("publish: [{to: folder, path: web}]\n")
        let first = try await Program.run("run", in: folder)
        #expect(first.status == 0, "\(first.printed)")
        for (command, isShared) in [
            ("echo note >>web/404.html", true), ("rm site/404.html && echo note >site/404.html", false),
        ] {
            #expect(try await Program.run("/bin/sh", ["-c", command], in: folder.path).status == 0)
            let refused = try await Program.run("run", in: folder)
            #expect(
                refused.status == 4 && refused.errors.contains("  changed: 404.html"), "\(refused.printed)")
            let hint =
                "  hint: if one was edited in the folder of a publish target 'to: folder', which shares"
            #expect(refused.errors.contains(hint) == isShared, "\(refused.errors)")
        }
        try folder.write(
            "plimsoll.yml",
            Quay.configuration(day: 19) + "publish: [{to: folder, path: web, copies: true}]\n")
        let adopted = try await Program.run("build", "--adopt", in: folder)
        #expect(adopted.status == 0, "\(adopted.printed)")
    }

    /// A path that leaves `keep` is refused each night, also by a run, which publishes nothing then.
    @Test func whatIsNoLongerKeptStaysInTheSiteAndWhereItIsPublished() async throws {
        let target = "publish: [{to: folder, path: public}]\n"
        let folder = try await project(target + "keep: [docs]\n")
        try folder.write("site/docs/handbook.html", "mine")
        for command in ["build", "publish"] {
            let run = try await Program.run(command, in: folder)
            #expect(run.status == 0, "\(run.printed)")
        }
        try folder.write("plimsoll.yml", Quay.configuration(day: 19) + target + "keep: [doc]\n")
        for command in ["build", "build", "run"] {
            let run = try await Program.run(command, in: folder)
            #expect(run.status == 4, "\(command): \(run.printed)")
            #expect(run.errors.contains("[site.changed-files]"))
            #expect(run.errors.contains("  added: docs/handbook.html"), "\(run.errors)")
            for place in ["site", "public"] { #expect(folder.text("\(place)/docs/handbook.html") == "mine") }
        }
    }

    /// Pages of a night with a closed umask are opened by the next one.
    @Test func pagesAreOpenAfterANightWithAClosedUmask() async throws {
        let folder = try await project()
        for (umask, isOpen) in [("077", false), ("022", true), ("022", true)] {
            let run = try await Program.run(
                "/bin/sh", ["-c", "umask \(umask); exec \"$0\" build", Program.path], in: folder.path)
            #expect(run.status == 0, "\(run.printed)")
            let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path + "/site")
            let closed = try paths.filter { path in
                let file = folder.path + "/site/" + path
                let rights = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
                return (rights ?? 0) & 0o044 == 0
            }
            #expect(closed.isEmpty == isOpen, "\(umask): \(closed.prefix(3))")
        }
        #expect(try folder.tree("site").differences(from: try await FirstMorning.shared.tree) == [])
    }

    /// A site is the same one however its path ends, and is named from where it is built.
    @Test func aSiteIsTheSameHoweverItsPathEnds() async throws {
        let folder = try await project()
        try folder.write("other/mine.txt", "mine")
        for (place, inner, expected) in [
            ("site/.", "", "site/index.html"), ("other/../site/apps/..", "", "/site/index.html"),
            ("../site/./", "/other", "/site/index.html"), (".", "/site", "/site/index.html"),
        ] {
            let config = inner.isEmpty ? "plimsoll.yml" : "../plimsoll.yml"
            let run = try await Program.run(
                Program.path, ["build", "--config", config, "--output", place], in: folder.path + inner)
            #expect(run.status == 0, "\(place): \(run.printed)")
            let named = run.output.split(separator: "\n").last { $0.hasPrefix("Site: ") } ?? ""
            #expect(named.hasSuffix(expected) && !named.contains("/./"), "\(place): \(run.output)")
        }
        #expect(try folder.tree("site").differences(from: try await FirstMorning.shared.tree) == [])
    }

    @Test func aSiteIsNamedFromTheFolderOfTheCommand() async throws {
        let folder = try await project()
        try folder.write("other/mine.txt", "mine")
        for (inner, config, expected) in [
            ("", "plimsoll.yml", "Site: site/index.html"),
            ("/other", "../plimsoll.yml", "Site: ../site/index.html"),
            ("", "plimsoll.yml", "Site: site/index.html"),
        ] {
            let run = try await Program.run(
                Program.path, ["build", "--config", config], in: folder.path + inner)
            #expect(run.status == 0 && run.output.contains(expected + "\n"), "\(run.printed)")
        }
    }

    @Test func keptFilesAreCarriedOver() async throws {
        let folder = try await project("keep: [docs/, logo.png]\n")
        let kept = [
            ".git/HEAD", ".git/refs/heads/main", "CNAME", ".nojekyll", ".well-known/a", "docs/b", "logo.png",
        ]
        for file in kept { try folder.write("site/\(file)", "mine: \(file)") }
        for _ in 0..<2 {
            let run = try await Program.run("build", in: folder)
            #expect(run.status == 0, "\(run.printed)")
            for file in kept { #expect(folder.text("site/\(file)") == "mine: \(file)") }
        }
        let (old, new) = (try await FirstMorning.shared.tree, try folder.tree("site"))
        #expect(new.differences(from: old) == kept.sorted())
    }

    @Test(arguments: ["../archive.sqlite", "/etc", ".", "a//b", ""])
    func keptPathOutsideTheSiteIsAUsageError(path: String) async throws {
        let folder = try await project("keep: [\"\(path)\"]\n")
        let run = try await Program.run("build", in: folder)
        #expect(run.status == 2, "\(run.printed)")
    }

    @Test func singleFileInASiteIsNoForeignFile() async throws {
        let folder = try await project()
        let single = try await Program.run("build", "--single-file", "--app", "buoy", in: folder)
        #expect(single.status == 0, "\(single.printed)")
        #expect(folder.text("site/buoy.html").contains("Buoy"))
        let next = try await Program.run("build", in: folder)
        #expect(next.status == 0, "\(next.printed)")
        #expect(try folder.tree("site").differences(from: try await FirstMorning.shared.tree) == [])
    }

    @Test func manifestListsEveryFile() async throws {
        let tree = try await FirstMorning.shared.tree
        let listed = tree["manifest.json"].matches(of: /"path":"([^"]+)","size":(\d+)/)
        #expect(
            listed.map { String($0.1) }.sorted() == tree.files.keys.filter { $0 != "manifest.json" }.sorted())
        for match in listed { #expect(tree.files[String(match.1)]?.count == Int(match.2)) }
    }
}

/// Inputs that an output would touch.
struct OutputPlaceTests {
    private func project() async throws -> Folder {
        let folder = try Folder(copyOf: try await FirstMorning.shared.folder)
        try folder.write("Content/pages/about.md", "# About\n")
        try folder.write("tokens/ferry", token)
        try folder.write("other/kept.txt", "mine")
        return folder
    }

    /// What is built where, after some links were made.
    @Test(arguments: [
        (["build", "--output", "Content/pages"], ""), (["build", "--output", "Content"], ""),
        (["build", "--output", "Content/new"], ""), (["build", "--output", "data"], ""),
        (["build", "--output", "data/deep/er"], ""), (["build", "--output", "."], ""),
        (["build", "--output", "alias/pages"], "ln -s Content alias"),
        (["build", "--output", "other/../Content/pages"], ""),
        (["build"], "mv archive.sqlite site/ && ln -s site/archive.sqlite archive.sqlite"),
        (["build"], "mv data site/ && ln -s site/data data"),
        (["build"], "rm -r site && ln -s Content site"),
        (["fetch"], "rm -r site && ln -s data site"),
        (["build", "--single-file", "--app", "buoy", "--output", "archive.sqlite"], ""),
        (["build", "--single-file", "--app", "buoy", "--output", "archive.sqlite.lock"], ""),
        (["build", "--single-file", "--app", "buoy", "--output", "plimsoll.yml"], ""),
        (["build", "--single-file", "--app", "buoy", "--output", "hard"], "ln archive.sqlite hard"),
        (["build", "--single-file", "--app", "buoy", "--output", "Content/pages/about.md"], ""),
        (["build", "--single-file", "--app", "buoy", "--output", "data/buoy/2026-11-19.json"], ""),
        (["fetch", "--record", "Content/pages"], ""), (["fetch", "--record", "site"], ""),
        (["run", "--record", "site/recorded"], ""), (["fetch", "--record", "data"], ""),
    ])
    func inputInAnOutputIsRefused(arguments: [String], preparation: String) async throws {
        let folder = try await project()
        if !preparation.isEmpty {
            _ = try await Program.run("/bin/sh", ["-c", preparation], in: folder.path)
        }
        let before = try folder.tree()
        let run = try await Program.run(Program.path, arguments, in: folder.path)
        #expect(run.status == 2, "\(run.printed)")
        #expect(run.errors.contains("[config.output]") && run.errors.contains("  hint: "), "\(run.errors)")
        #expect(try folder.tree() == before)
    }

    /// A part goes into a new or empty folder, or that of a part; a single file replaces a single file.
    @Test(arguments: [
        (["build", "--shard", "1/2", "--output", "."], 2, ""),
        (["build", "--shard", "1/1", "--output", "site"], 2, ""),
        (["build", "--shard", "1/1", "--output", "site/parts/1"], 2, ""),
        (["build", "--shard", "1/2", "--output", "other"], 4, ""),
        (
            ["build", "--shard", "1/2", "--output", "mine"], 4,
            "mkdir -p mine/kept && echo a > mine/kept/notes"
        ),
        (["build", "--single-file", "--app", "buoy", "--output", "other/kept.txt"], 4, ""),
        (["build", "--single-file", "--app", "buoy", "--output", "link"], 4, "ln -s other/kept.txt link"),
        (["build", "--single-file", "--app", "buoy", "--output", "site/index.html"], 4, ""),
    ])
    func filesOfOthersAreNeverReplaced(arguments: [String], status: Int32, preparation: String) async throws {
        let folder = try await project()
        if !preparation.isEmpty {
            _ = try await Program.run("/bin/sh", ["-c", preparation], in: folder.path)
        }
        let before = try folder.tree()
        let run = try await Program.run(Program.path, arguments, in: folder.path)
        #expect(run.status == status && run.errors.contains("  hint: "), "\(run.printed)")
        #expect(try folder.tree() == before)
    }

    @Test(arguments: [
        ["build", "--shard", "1/2", "--output", "parts/1"],
        ["build", "--single-file", "--app", "buoy", "--output", "buoy.html"],
    ])
    func whatTheCommandMadeIsReplaced(arguments: [String]) async throws {
        let folder = try await project()
        for _ in 0..<2 {
            let run = try await Program.run(Program.path, arguments, in: folder.path)
            #expect(run.status == 0, "\(run.printed)")
        }
    }

    @Test(arguments: [
        ("tokenFile: site/token", "a file of a credential"),
        ("tokenFile: alias/token", "a file of a credential"),
        ("token: ${T}\n        certificateAuthority: site/ca.pem", "a file of a credential"),
        (
            "token: ${T}\n        clientCertificate: {certificate: a.pem, key: site/key.pem}",
            "a file of a credential"
        ),
    ])
    func credentialInTheSiteIsRefused(lines: String, reported: String) async throws {
        let folder = try await project()
        try folder.write(
            "plimsoll.yml", Quay.configuration(bugsnag: "http://127.0.0.1:1", day: 19, secret: lines))
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/alias", withDestinationPath: "site")
        let run = try await Program.run("build", in: folder)
        #expect(run.status == 2 && run.errors.contains("[config.output]"), "\(run.printed)")
        #expect(run.errors.contains(reported), "\(run.errors)")
    }

    @Test(.enabled("mounting is not allowed here") { await DiskTests.canMount() })
    func mountedInputIsRefused() async throws {
        let folder = try await project()
        let script = "mkdir m && mount --bind Content m && '\(Program.path)' build --output m/pages; echo $?"
        let run = try await Program.run(
            "/usr/bin/env", ["unshare", "-m", "sh", "-c", script], in: folder.path,
            environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"])
        #expect(run.output == "2\n" && run.errors.contains("[config.output]"), "\(run.printed)")
    }

    @Test func archiveOverAnotherInputIsRefused() async throws {
        let folder = try await project()
        try folder.write("empty.lock", "")
        let sources = "archive: empty\napps: [{id: a, sources: [{provider: files, path: empty.lock}]}]\n"
        try folder.write("plimsoll.yml", sources)
        let run = try await Program.run("fetch", in: folder)
        #expect(run.status == 2 && run.errors.contains("[config.archive]"), "\(run.printed)")
    }
}
