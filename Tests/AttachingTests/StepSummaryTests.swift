import AppHealth
import Foundation
import Publishing
import Testing

@testable import Attaching

struct StepSummaryTests {
    @Test func addsARegionForEachSubjectToTheFileOfTheStep() async throws {
        let path = NSTemporaryDirectory() + "plimsoll-step-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: path) }
        func text() -> String {
            FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) } ?? ""
        }
        try Data("# Others\n".utf8).write(to: URL(fileURLWithPath: path))
        let target = try AttachDescriptor.stepSummary.make(
            testSetup(environment: ["GITHUB_STEP_SUMMARY": path]))
        let ledger = TestLedger()
        #expect(await attaching(.sample(), to: target, ledger, isDryRun: true) == "planned")
        #expect(text() == "# Others\n")
        #expect(await attaching(.sample(), to: target, ledger) == "attached")
        #expect(await attaching(.sample(.release, "4.3.1"), to: target, ledger) == "attached")
        #expect(await attaching(.sample(.release, "4.3.1"), to: target, ledger) == "unchanged")
        #expect(
            text().hasPrefix("# Others\n\n<!-- plimsoll:begin app=lamp release=4.3.0 ")
                && text().contains("<!-- plimsoll:begin app=lamp release=4.3.1 ")
                && text().hasSuffix("end -->\n"))
        #expect(await attaching(.sample(rows: 30_000), to: target, ledger) == "updated")
        #expect(text().utf8.count <= 1024 << 10 && text().contains("1,024 KiB is the most"))
        #expect(text().contains("release=4.3.1 ") && !target.holdsNewestOnly)
    }

    /// A file that stays would grow with each night.
    @Test func aFileOfYourOwnHasARegionForEachApp() async throws {
        let path = NSTemporaryDirectory() + "plimsoll-step-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: path) }
        let target = try AttachDescriptor.stepSummary.make(testSetup(["file": path]))
        let ledger = TestLedger()
        #expect(await attaching(.sample(), to: target, ledger) == "attached")
        #expect(await attaching(.sample(.release, "4.3.1"), to: target, ledger) == "updated")
        let text = String(decoding: try #require(FileManager.default.contents(atPath: path)), as: UTF8.self)
        #expect(text.matches(of: /plimsoll:begin/).count == 1 && target.holdsNewestOnly)
    }

    @Test func twoTargetsShareAFile() async throws {
        let path = NSTemporaryDirectory() + "plimsoll-step-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: path) }
        func target(_ id: String) throws -> any AttachTarget {
            var setup = testSetup(["file": path])
            setup.id = id
            return try AttachDescriptor.stepSummary.make(setup)
        }
        let (day, verdict) = (try target("day"), try target("ver"))
        let (ledger, other) = (TestLedger(), TestLedger())
        #expect(await attaching(.sample(.day, "2026-11-19"), to: day, ledger) == "attached")
        #expect(await attaching(.sample(), to: verdict, other) == "attached")
        #expect(await attaching(.sample(.day, "2026-11-19"), to: day, ledger) == "unchanged")
        #expect(await attaching(.sample(.day, "2026-11-20"), to: day, ledger) == "updated")
        let text = String(decoding: try #require(FileManager.default.contents(atPath: path)), as: UTF8.self)
        #expect(text.matches(of: /plimsoll:begin/).count == 2)
        #expect(text.contains("Lamp 2026-11-20") && text.contains("Lamp 4.3.0"))
    }

    /// Most of a file of one's own is somebody else's: it is replaced as a whole, and what cannot be kept byte for byte is
    /// not written to.
    @Test func aFileOfYourOwnStaysWhatItIs() async throws {
        let folder = NSTemporaryDirectory() + "plimsoll-step-" + UUID().uuidString
        let (file, link) = (folder + "/real.md", folder + "/link.md")
        let files = FileManager.default
        try files.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? files.removeItem(atPath: folder) }
        try Data("# Mine\n".utf8).write(to: URL(fileURLWithPath: file))
        try files.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file)
        try files.createSymbolicLink(atPath: link, withDestinationPath: "real.md")
        let before = try files.attributesOfItem(atPath: file)
        let target = try AttachDescriptor.stepSummary.make(testSetup(["file": link]))
        #expect(await attaching(.sample(), to: target, TestLedger()) == "attached")
        let after = try files.attributesOfItem(atPath: file)
        #expect(after[.posixPermissions] as? Int == 0o640)
        #expect(after[.systemFileNumber] as? UInt64 != before[.systemFileNumber] as? UInt64)
        #expect(try files.destinationOfSymbolicLink(atPath: link) == "real.md")
        #expect(try files.contentsOfDirectory(atPath: folder).sorted() == ["link.md", "real.md"])
        let odd = Data("# Caf".utf8) + Data([0xE9, 0x0A])
        try odd.write(to: URL(fileURLWithPath: file))
        #expect(await attaching(.sample(), to: target, TestLedger()) == "attach.not-utf8")
        #expect(files.contents(atPath: file) == odd)
    }

    /// GitHub drops all of what is longer, so what is there is left as it is.
    @Test(arguments: [
        (1024 << 10, "attach.no-room"), ((1024 << 10) - 200, "attach.no-room"),
        ((1024 << 10) - 4000, "attached"),
    ])
    func fileOfAStepStaysWithinItsLimit(row: (others: Int, word: String)) async throws {
        let path = NSTemporaryDirectory() + "plimsoll-step-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: path) }
        let others = Data(repeating: UInt8(ascii: "x"), count: row.others - 1) + Data("\n".utf8)
        try others.write(to: URL(fileURLWithPath: path))
        let target = try AttachDescriptor.stepSummary.make(
            testSetup(environment: ["GITHUB_STEP_SUMMARY": path]))
        #expect(
            await attaching(.sample(), to: target, TestLedger(), isDryRun: true)
                == (row.word == "attached" ? "planned" : row.word))
        #expect(await attaching(.sample(), to: target, TestLedger()) == row.word)
        let data = try #require(FileManager.default.contents(atPath: path))
        #expect(data.count <= 1024 << 10 && data.starts(with: others))
        #expect((data == others) == (row.word != "attached"))
    }

    @Test func knowsFromTheEventWhetherTheRepositoryIsPublic() async throws {
        let path = NSTemporaryDirectory() + "plimsoll-event-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: path) }
        for (text, isPublic) in [
            (#"{"repository":{"private":false}}"#, true), (#"{"repository":{"private":true}}"#, false),
            ("{}", nil),
        ] {
            try Data(text.utf8).write(to: URL(fileURLWithPath: path))
            let target = try AttachDescriptor.stepSummary.make(
                testSetup(environment: ["GITHUB_STEP_SUMMARY": path + ".md", "GITHUB_EVENT_PATH": path]))
            #expect(try await target.isPublic() == isPublic)
        }
    }

    /// Where it is not known who reads, the public might; the owner of the target says it. A schedule of an older GitHub
    /// names no repository.
    @Test(arguments: [nil, "no", #"{"schedule":"0 6 * * *"}"#] as [String?])
    func whatIsForTheTeamNeedsAnEventThatSaysWhoReads(event: String?) async throws {
        let path = NSTemporaryDirectory() + "plimsoll-event-" + UUID().uuidString
        defer { for path in [path, path + ".md"] { try? FileManager.default.removeItem(atPath: path) } }
        if let event { try Data(event.utf8).write(to: URL(fileURLWithPath: path)) }
        let target = try AttachDescriptor.stepSummary.make(
            testSetup(environment: ["GITHUB_STEP_SUMMARY": path + ".md", "GITHUB_EVENT_PATH": path]))
        #expect(
            await attaching(.sample(), to: target, TestLedger(), namesReader: false)
                == "attach.readers-unknown")
        #expect(!FileManager.default.fileExists(atPath: path + ".md"))
        #expect(
            await attaching(.sample(isForTeam: false), to: target, TestLedger(), namesReader: false)
                == "attached")
        try FileManager.default.removeItem(atPath: path + ".md")
        #expect(await attaching(.sample(), to: target, TestLedger()) == "attached")
    }

    @Test func saysWhatIsMissingOutsideOfAWorkflow() {
        #expect(throws: (any Error).self) { try AttachDescriptor.stepSummary.make(testSetup()) }
    }
}
