import Foundation
import Platform
import Synchronization
import Testing

/// Commands at the same time, and readers while sites are replaced.
@Suite(.serialized)
struct AttackTogetherTests {
    /// Half of what the matrix leaves.
    private static let minutes = Attack.minutes.map { $0 * 0.1 }

    private static let publish = "publish: [{to: folder, path: public}]\n"

    private static func project(_ more: String = "") async throws -> Folder {
        let folder = try Folder()
        try folder.write("plimsoll.yml", Quay.configuration(day: 19) + publish + more)
        try folder.write("data/buoy/2026-11-19.json", Quay.snapshot(of: "buoy", day: 19))
        try folder.write("more/lamp/2026-11-19.json", Quay.snapshot(of: "lamp", day: 19))
        let run = try await Program.run("run", in: folder)
        #expect(run.status == 0, "\(run.printed)")
        return folder
    }

    /// Whatever runs next to what else: each ends well or says that another holds what it needs, and the archive, the site
    /// and what is published are those of one run after the other.
    @Test func commandsAtTheSameTimeLeaveWhatOneAfterTheOtherWould() async throws {
        let template = try await Self.project()
        let day = Quay.configuration(day: 20) + Self.publish
        try template.write("plimsoll.yml", day)
        try template.write("data/buoy/2026-11-20.json", Quay.snapshot(of: "buoy", day: 20))
        let alone = try Folder(copyOf: template)
        for _ in 0..<2 { #expect(try await Program.run("run", in: alone).status == 0) }
        let commands = [
            ["run"], ["fetch"], ["build"], ["publish"], ["archive", "backup", "--replace", "copy.sqlite"],
        ]
        let end = Date(timeIntervalSinceNow: (Self.minutes ?? 0) * 60)
        var (tried, violated) = (0, 0)
        repeat {
            tried += 1
            let folder = try Folder(copyOf: template)
            let started = try commands.map { try Started(Program.path, $0 + waiting($0), in: folder.path) }
            var problems: [String] = []
            for (command, one) in zip(commands, started) {
                let run = try await one.end()
                let isHeld = run.errors.contains("[archive.held]") || run.errors.contains("[site.held]")
                let isOld = run.errors.contains("[archive.older-format]") || run.errors.contains("[publish.")
                if run.status != 0, !isHeld, !isOld { problems.append("\(command): \(run.printed)") }
            }
            for _ in 0..<2 {
                let last = try await Program.run("run", in: folder)
                if last.status != 0 { problems.append("then: \(last.printed)") }
            }
            let sound = try await Program.run("archive", "check", in: folder)
            if sound.status != 0 { problems.append(sound.printed) }
            let differences = try folder.tree("site").differences(from: try alone.tree("site"))
            if differences != [] { problems.append("another site: \(differences)") }
            if try folder.names().contains(where: { $0.hasPrefix(".site.") }) { problems.append("leftovers") }
            if !problems.isEmpty { violated += 1 }
            #expect(problems == [])
        } while Date() < end
        print("attack at the same time: \(commands.count) commands, tried \(tried), violated \(violated)")
    }

    private func waiting(_ command: [String]) -> [String] {
        ["run", "fetch", "build"].contains(command[0]) ? ["--wait", "50"] : []
    }

    /// What readers find while builds replace the site again and again: each file is that of the one site or of the other,
    /// and none is ever missing.
    @Test(arguments: ["", "swap: link\n"]) func readersFindWholeFiles(more: String) async throws {
        let folder = try await Self.project(more)
        func built(_ day: Int) async throws -> Tree {
            try folder.write("plimsoll.yml", Quay.configuration(day: day) + Self.publish + more)
            let run = try await Program.run("build", in: folder)
            #expect(run.status == 0, "\(run.printed)")
            return try folder.tree("site")
        }
        // Each twice: the first build after another day may say what that one left to say.
        for day in [20, 19] { _ = try await built(day) }
        let (other, one) = (try await built(20), try await built(19))
        let files = Set(one.files.keys).intersection(other.files.keys).sorted()
        let isOver = Mutex(false)
        let site = folder.path + "/site/"
        let reading = Task.detached { () -> (reads: Int, wrong: [String]) in
            var (reads, wrong) = (0, [String]())
            while !isOver.withLock(\.self) {
                let file = files[reads % files.count]
                reads += 1
                let bytes = FileManager.default.contents(atPath: site + file)
                if bytes == nil || (bytes != one.files[file] && bytes != other.files[file]) {
                    wrong.append(file)
                }
            }
            return (reads, wrong)
        }
        let end = Date(timeIntervalSinceNow: (Self.minutes ?? 0) * 30)
        var builds = 0
        repeat {
            for day in [20, 19] {
                _ = try await built(day)
                builds += 1
            }
        } while builds < 6 || Date() < end
        isOver.withLock { $0 = true }
        let (reads, wrong) = await reading.value
        #expect(wrong == [] && reads > 0)
        print(
            "attack readers\(more.isEmpty ? "" : ", link"): \(builds) swaps, tried \(reads), violated \(wrong.count)"
        )
    }
}
