import Foundation
import LoopbackServer
import Testing

/// What outlasts a power cut, shown by the order of system calls: nothing takes a name before its bytes are on the
/// disk, and every new name is brought there too.
struct DurabilityTests {
    private static let tracer = "/usr/bin/strace"
    private static let isPossible = FileManager.default.isExecutableFile(atPath: tracer)

    /// Calls of a run on files below its folder, in order, without those that failed.
    private func trace(
        _ folder: Folder, _ arguments: String..., environment: [String: String] = [:]
    ) async throws -> [Call] {
        let log = folder.path + ".strace"
        defer { try? FileManager.default.removeItem(atPath: log) }
        let traced = "openat,write,pwrite64,fsync,fdatasync,rename,renameat,renameat2"
        let run = try await Program.run(
            Self.tracer,
            ["-f", "-y", "-s", "0", "-o", log, "-e", "trace=\(traced)", Program.path] + arguments,
            in: folder.path, environment: environment)
        #expect(run.status == 0, "\(run.printed)")
        return try Folder.text(at: log).split(separator: "\n").compactMap { Call(String($0), folder.path) }
    }

    /// Each rename of a file must come after the last of its bytes was brought to the disk, and before its folder was.
    private func expectDurableRenames(_ calls: [Call]) {
        for (index, call) in calls.enumerated() {
            guard case .rename(let from, let to) = call else { continue }
            let before = calls[..<index]
            let written = before.lastIndex(of: .write(from)) ?? before.startIndex
            #expect(before[written...].contains(.sync(from)), "\(from) was not on the disk")
            let folder = (to as NSString).deletingLastPathComponent
            #expect(calls[index...].contains(.sync(folder)), "the name \(to) was not on the disk")
        }
    }

    @Test(.enabled(if: isPossible, "strace is needed to see the calls"))
    func firstFetchIsOnTheDiskWhenItEnds() async throws {
        let server = try await BugsnagStub.startTagging(lastDay: 18)
        let folder = try Folder()
        try folder.write("plimsoll.yml", Quay.configuration(bugsnag: server.origin, day: 19))
        try folder.write("data/buoy/2026-11-19.json", Quay.snapshot(of: "buoy", day: 19))
        let calls = try await trace(folder, "fetch", environment: ["QUAY_TOKEN": token])
        await server.stop()
        expectDurableRenames(calls)
        let names = calls.compactMap { if case .rename(_, let to) = $0 { to } else { nil } }
        #expect(names.contains(folder.path + "/archive.sqlite"))
        #expect(names.contains { $0.contains("/archive.sqlite.cache/") })
        // Each commit ends with the log on the disk, and at the end the archive has taken it up.
        for file in ["archive.sqlite-wal", "archive.sqlite"].map({ "\(folder.path)/\($0)" }) {
            let last = try #require(calls.lastIndex(of: .write(file)), "\(file)")
            #expect(calls[last...].contains(.sync(file)), "\(file)")
        }
        // A commit for the snapshots, and one for the alerts or the removal of old hours, at least.
        #expect(calls.count { $0 == .sync(folder.path + "/archive.sqlite-wal") } >= 2)
    }

    @Test(.enabled(if: isPossible, "strace is needed to see the calls"))
    func recordingIsOnTheDiskWhenTheFetchEnds() async throws {
        let server = try await BugsnagStub.startTagging(lastDay: 18)
        let folder = try Folder()
        try folder.write("plimsoll.yml", Quay.configuration(bugsnag: server.origin, day: 19))
        try folder.write("data/buoy/2026-11-19.json", Quay.snapshot(of: "buoy", day: 19))
        let calls = try await trace(
            folder, "fetch", "--record", "record", environment: ["QUAY_TOKEN": token])
        await server.stop()
        expectDurableRenames(calls)
        #expect(calls.contains { if case .rename(_, let to) = $0 { to.contains("/record/") } else { false } })
    }
}

/// A system call on a file, as `strace -y` writes it.
private enum Call: Equatable {
    case write(String), sync(String), rename(String, String)

    init?(_ line: String, _ folder: String) {
        guard !line.contains(" = -1 ") else { return nil }
        func absolute(_ path: Substring) -> String {
            path.hasPrefix("/") ? String(path) : "\(folder)/\(path.trimmingPrefix("./"))"
        }
        if let match = line.firstMatch(of: /(write|pwrite64|fsync|fdatasync)\(\d+<([^>]*)>/) {
            let path = String(match.2)
            guard path.hasPrefix(folder) else { return nil }
            self = match.1.hasSuffix("sync") ? .sync(path) : .write(path)
        } else if line.contains(" rename"), case let names = line.matches(of: /"([^"]*)"/), names.count == 2 {
            self = .rename(absolute(names[0].1), absolute(names[1].1))
        } else {
            return nil
        }
    }
}
