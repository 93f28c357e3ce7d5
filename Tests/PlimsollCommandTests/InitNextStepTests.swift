import Foundation
import Testing

@testable import PlimsollCommand

/// What `init --schedule` says is to be done next.
struct InitNextStepTests {
    private func nextStep(_ schedule: Schedule, into target: String, in folder: Folder) async throws -> String
    {
        let run = try await Program.run(
            "init", target, "--schedule", schedule.rawValue, "--program", "/usr/bin/plimsoll", in: folder)
        #expect(run.status == 0, "\(run.errors)")
        let steps = run.output.split(separator: "\n").compactMap { $0.wholeMatch(of: /Next: (read .*)/)?.1 }
        return String(try #require(steps.first))
    }

    /// The folder as it is given, and the file that is to be read as a word of a shell.
    @Test(arguments: [
        (Schedule.systemd, "report", "report/schedule/plimsoll.service"),
        (.systemd, ".", "./schedule/plimsoll.service"),
        (.gitHubActions, "my report", "'my report/.github/workflows/plimsoll.yml'"),
        (.gitLabCI, "report", "report/.gitlab-ci.yml"),
    ])
    func namesTheFileThatWasWritten(schedule: Schedule, target: String, file: String) async throws {
        let step = try await nextStep(schedule, into: target, in: Folder())
        #expect(step.hasPrefix("read \(file)"), "\(step)")
    }

    @Test(arguments: [".", "report", "my report's"]) func commandForCronCanBePasted(target: String)
        async throws
    {
        let folder = try Folder()
        try folder.write(
            "bin/crontab", "#!/bin/sh\nif [ \"$1\" = -l ]; then echo '# before'; else cat >crontab.new; fi\n")
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755], ofItemAtPath: folder.path + "/bin/crontab")
        let step = try await nextStep(.cron, into: target, in: folder)
        let command = try #require(step.firstMatch(of: /then: (.*)/)).1
        let run = try await Program.run(
            "/bin/sh", ["-c", String(command)], in: folder.path,
            environment: ["PATH": "\(folder.path)/bin:/usr/bin:/bin"])
        #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
        let text = folder.text("\(target)/schedule/plimsoll.cron")
        #expect(!text.isEmpty && folder.text("crontab.new") == "# before\n" + text)
    }
}
