import AppHealth
import DemoStory
import Foundation
import Testing

struct GenerateDemoTests {
    private var files: [DemoFile] { Self.made }
    private static let made = DemoStory.files()
    private let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    @Test func twoRunsGiveTheSameBytes() {
        #expect(files == DemoStory.files())
    }

    @Test func committedFilesAreWhatTheGeneratorMakes() throws {
        let data = root.appendingPathComponent("Content/demo/data")
        for file in files {
            let committed = try Data(contentsOf: data.appendingPathComponent(file.path))
            #expect(Array(committed) == file.bytes, "\(file.path) differs: run generate-demo")
        }
    }

    @Test func nothingElseIsCommitted() throws {
        let data = root.appendingPathComponent("Content/demo/data")
        let found = try FileManager.default.subpathsOfDirectory(atPath: data.path).filter {
            $0.hasSuffix(".json")
        }
        #expect(found.sorted() == files.map(\.path).sorted())
    }

    @Test func everyAppHasAFileForEachOfEightMornings() {
        #expect(files.count == 32)
        #expect(files.map(\.path) == files.map(\.path).sorted())
        #expect(files.first?.path == "lighthouse/2026-11-13.json")
        #expect(files.last?.path == "tidepool/2026-11-20.json")
    }

    @Test func sizeStaysSmall() {
        #expect(files.reduce(0) { $0 + $1.bytes.count } < 1_300_000)
    }

    @Test func oneRecordIsOnALine() {
        for file in files {
            let lines = String(decoding: file.bytes, as: UTF8.self).split(separator: "\n")
            #expect(lines.allSatisfy { $0.utf8.count < 1200 }, "\(file.path)")
        }
    }

    @Test func signsThatTurnTheDirectionOfWritingAreEscaped() {
        for file in files {
            let text = String(decoding: file.bytes, as: UTF8.self)
            #expect(!text.unicodeScalars.contains("\u{202E}"), "\(file.path)")
        }
    }

    @Test func onlyTheLastFileOfTidepoolIsCutOff() {
        let unreadable = files.filter {
            (try? JSONDecoder().decode(WrittenSnapshot.self, from: Data($0.bytes))) == nil
        }
        #expect(unreadable.map(\.path) == [WrittenSnapshot.truncatedPath])
        #expect(unreadable.first?.bytes.last != UInt8(ascii: "\n"))
    }

    @Test(arguments: ["2026-10-12"..."2026-10-23", "2026-11-15"..."2026-11-19"])
    func storyStatesTheNumbersOfTheData(dates: ClosedRange<String>) throws {
        let story = try String(
            contentsOf: root.appendingPathComponent("Content/demo/STORY.md"), encoding: .utf8)
        let snapshots = WrittenSnapshot.all.filter { $0.app == "sketchbook" }
        for date in DemoCalendar.days.map(\.description) where dates.contains(date) {
            let day = try #require(snapshots.last { $0.health(on: date) != nil }?.health(on: date)?.rates)
            let row = "| \(date) | \(day.users) | \(day.crashedUsers) | \(crashFree(day)) |"
            #expect(story.contains(row), "\(row)")
        }
    }

    @Test func storyNamesTheSeed() throws {
        let story = try String(
            contentsOf: root.appendingPathComponent("Content/demo/STORY.md"), encoding: .utf8)
        #expect(story.contains("`\(DemoCalendar.seed)`"))
    }

    /// In per cent with two digits, rounded half up with whole numbers.
    private func crashFree(_ day: (sessions: Int, crashedSessions: Int, users: Int, crashedUsers: Int))
        -> String
    {
        let share = (20_000 * (day.users - day.crashedUsers) + day.users) / (2 * day.users)
        return "\(share / 100).\(share % 100 < 10 ? "0" : "")\(share % 100)"
    }
}
