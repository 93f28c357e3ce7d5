import AppHealth
import Diagnostics
import Files
import Foundation
import Publishing
import Settings

extension AttachDescriptor {
    /// The summary of a step of GitHub Actions.
    package static let stepSummary = AttachDescriptor(
        BlockSchema(
            "github-step", title: "GitHub Actions step summary",
            summary: "The summary of the workflow's step that runs plimsoll",
            keys: [
                .written("file", example: "summary.md", "file (default: that of GITHUB_STEP_SUMMARY)"),
                AttachSchedule.key,
            ], usesTLS: false),
        needs: "A step of GitHub Actions, or a file of your own"
    ) { setup throws(Diagnostic) in
        let named = setup.text("file") ?? setup.environment["GITHUB_STEP_SUMMARY"]
        guard let named, !named.isEmpty else {
            throw .error(
                "attach.no-step", "GITHUB_STEP_SUMMARY is not set",
                hints: ["run plimsoll in a step of GitHub Actions, or add 'file' to the target"])
        }
        return StepSummaryTarget(
            id: setup.id, path: named,
            event: setup.text("file") == nil ? setup.environment["GITHUB_EVENT_PATH"] : nil,
            holdsNewestOnly: setup.text("file") != nil,
            schedule: setup.text("when").flatMap(AttachSchedule.init) ?? .daily)
    }
}

/// A file of Markdown that a workflow shows. The file of a step begins empty with each run and has a region for each app
/// and subject; one of the owner's own stays, and has a region for each app. Other targets have their own regions in both.
struct StepSummaryTarget: AttachTarget {
    let id: String
    let path: String
    /// The file that describes what started the workflow; nil when there is none.
    let event: String?
    let holdsNewestOnly: Bool
    let schedule: AttachSchedule?

    /// What a step may have; more is dropped without an error.
    static let mostBytes = 1024 << 10

    var place: String { path }
    /// A file is read before it is written, and moves with its project.
    var address: String { "file" }
    var repetition: Repetition { .replaces }

    private func region(_ summary: AttachedSummary) -> SummaryRegion {
        SummaryRegion(
            app: summary.app.isEmpty ? "*" : summary.app, release: summary.subject,
            isOfSubject: !holdsNewestOnly, target: id, keepsMixed: summary.isForReadersOfBefore)
    }

    private func text(_ summary: AttachedSummary, next other: Int) -> String {
        // The limit counts bytes; a UTF-16 unit has three at most.
        let room = max(0, (Self.mostBytes - other - region(summary).overhead) / 3)
        return summary.markdown(room, "1,024 KiB is the most that a step's summary holds")
    }

    func draft(_ summary: AttachedSummary) throws(Diagnostic) -> String {
        region(summary).text(text(summary, next: 0)) + "\n"
    }

    func isPublic() async throws(AttachFailure) -> Bool? {
        struct Event: Decodable {
            struct Repository: Decodable { let `private`: Bool? }
            let repository: Repository?
            /// That of the workflow; an older GitHub Enterprise Server says nothing else of what started on time.
            let schedule: String?
        }
        guard let event else { return nil }
        let bytes: [UInt8]
        do throws(FileFailure) {
            bytes = try readFile(event, limit: 1 << 26)
        } catch {
            throw AttachFailure(readersUnknown(error.diagnostic.summary, event))
        }
        guard let read = try? JSONDecoder().decode(Event.self, from: Data(bytes)) else {
            throw AttachFailure(readersUnknown("it is not the JSON of an event", event))
        }
        if let isPrivate = read.repository?.private { return !isPrivate }
        guard read.schedule == nil else {
            throw AttachFailure(readersUnknown("it names no repository", event))
        }
        return nil
    }

    private func readersUnknown(_ reason: String, _ event: String) -> Diagnostic {
        .error(
            "attach.readers-unknown",
            "Cannot tell from the event of the workflow whether the repository is public; nothing was attached",
            details: [reason], at: .file(path: event),
            hints: [
                "add 'audience: team' to the target '\(id)' to attach all of it, or 'audience: public' to hide what the public must not see"
            ])
    }

    func send(
        _ summary: AttachedSummary, over remotes: Set<String>, isDryRun: Bool
    ) async throws(AttachFailure) -> AttachReceipt {
        let old = try text()
        let region = region(summary)
        let (change, new): (AttachReceipt.Change, String)
        do throws(SummaryRegion.Fault) {
            let there = try region.current(in: old)
            change = there == nil ? .created : .replaced
            let kept = try region.kept(in: old).reduce(0) { $0 + $1.utf8.count + 2 }
            let others = old.utf8.count - (there ?? "").utf8.count + kept
            let placed = try region.placed(text(summary, next: others), in: old)
            new = placed.hasSuffix("\n") ? placed : placed + "\n"
        } catch {
            throw AttachFailure(error.diagnostic(at: path))
        }
        if new == old { return AttachReceipt(.none) }
        guard new.utf8.count <= Self.mostBytes else { throw AttachFailure(noRoom) }
        if isDryRun { return AttachReceipt(change) }
        do throws(FileFailure) {
            if holdsNewestOnly {
                // Most of it is somebody else's.
                try replaceFile(path, Array(new.utf8), keepsRights: true)
            } else {
                // Written in place: the runner has named this very file.
                try writeFile(path, Array(new.utf8))
            }
        } catch {
            throw AttachFailure(error.diagnostic)
        }
        return AttachReceipt(change)
    }

    private var noRoom: Diagnostic {
        .error(
            "attach.no-room", "The step's summary at \(path) has no room for another one",
            details: ["1,024 KiB is the most; GitHub drops all of what is longer"],
            hints: ["attach in a step of its own, or write less into the summary of this one"])
    }

    /// What is there already; empty where there is no file.
    private func text() throws(AttachFailure) -> String {
        let bytes: [UInt8]
        do throws(FileFailure) {
            bytes = try readFile(path, limit: 1 << 26)
        } catch {
            if error.isMissing { return "" }
            throw AttachFailure(error.diagnostic)
        }
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        throw AttachFailure(
            .error(
                "attach.not-utf8", "The file is not UTF-8 text; nothing was written", at: .file(path: path),
                hints: ["save it as UTF-8, or name another file"]))
    }
}
