import Diagnostics
import Foundation
import Platform
import Testing
import Transport

@testable import Publishing

/// What is left of a program and its files when the process that started it is killed.
struct ChildProcessTests {
    /// A program that waits for what never comes; nil where it cannot be started.
    private func waiting() throws -> (number: pid_t, other: Int32) {
        var pair: [Int32] = [-1, -1]
        #expect(cplatform_socket_pair(&pair) == 0)
        defer { close(pair[0]) }
        let number = spawn(
            ProgramStart(
                path: "/bin/cat", arguments: [], environment: [:], folder: "/", input: pair[0],
                output: pair[0], errors: pair[0]))
        return (try #require(number), pair[1])
    }

    @Test(arguments: [true, false]) func aProgramEndsWithWhatStartedIt(isKilled: Bool) throws {
        let (number, other) = try waiting()
        let watch = try #require(GroupWatch(over: number))
        if isKilled {
            // As the kernel does at the end of a process.
            close(watch.line)
            #expect(endStatus(of: number) == 128 + SIGTERM)
            close(other)
            // A process that has ended and was not waited for would hide the ends of others from the testing library.
            kill(-watch.shell, SIGKILL)
            #expect(endStatus(of: watch.shell) == 128 + SIGKILL)
        } else {
            close(other)
            #expect(endStatus(of: number) == 0)
            watch.end()
        }
    }

    /// A secret that goes over the end of what is shown of a line leaves no part of it.
    @Test(arguments: 285...300) func whatIsShownOfALineHasNoPartOfASecret(length: Int) throws {
        let secret = try #require(Secret("s3cr3t/t0ken+value"))
        let result = ChildProcess.Result(
            status: 1, output: [], errors: String(repeating: "x", count: length) + "s3cr3t%2ft0ken%2Bvalue\n")
        let shown = try #require(result.lastLines(Redaction([secret])).first)
        #expect(shown.count <= 300 && !shown.contains("s3"), "\(shown)")
    }

    /// Output that cannot be read is not the same as none, but a program whose output no one reads may print any.
    @Test func outputThatIsTooLongIsNoEmptyOutput() async throws {
        let folder = try TestFolder()
        var program = ChildProcess(
            program: "/bin/sh", arguments: ["-c", "printf 123456; printf 1234567 >&2"], environment: [:],
            folder: folder.path, mostBytes: 6)
        let result = try await program.run()
        #expect(String(decoding: result.output, as: UTF8.self) == "123456" && result.errors.isEmpty)
        program.mostBytes = 5
        let unread = await problem { _ = try await program.run() }
        #expect(unread?.id == "publish.output")
        program.isRead = false
        #expect(try await program.run().output.isEmpty)
    }

    /// What ignores the polite signal ends when the program that started it does.
    @Test func whatACanceledProgramStartedEndsWithIt() async throws {
        let folder = try TestFolder()
        let line = folder.path + "/line"
        #expect(mkfifo(line, 0o600) == 0)
        let program = ChildProcess(
            program: "/bin/sh", arguments: ["-c", "(trap '' TERM; exec sleep 100000 > line) & wait"],
            environment: ["PATH": "/usr/bin:/bin"], folder: folder.path)
        let run = Task { await problem { _ = try await program.run() } }
        let isAtItsEnd = await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                // It opens when the inner program has opened its side, and ends with that.
                let side = open(line, O_RDONLY | O_CLOEXEC)
                run.cancel()
                var byte: UInt8 = 0
                continuation.resume(returning: read(side, &byte, 1) == 0)
                close(side)
            }
        }
        #expect(isAtItsEnd)
        #expect(await run.value?.id == interrupted.id)
    }

    /// The number of a program that has ended may be another's.
    @Test func nothingIsSentToAGroupThatIsOver() async throws {
        let (number, other) = try waiting()
        let group = ProgramGroup(number)
        group.isOver()
        await group.end()
        close(other)
        #expect(endStatus(of: number) == 0)
    }

    /// Secrets of a process that was killed are removed by the next one, those of one that lives are not.
    @Test func whatAKilledProcessLeftIsRemoved() throws {
        let folder = NSTemporaryDirectory() + "/plimsoll-leftovers-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let names = ["plimsoll-scratch-gone", "plimsoll-scratch-lives", "plimsoll-other", "mine"]
        for name in names {
            try FileManager.default.createDirectory(
                atPath: "\(folder)/\(name)", withIntermediateDirectories: true)
            try Data("secret".utf8).write(to: URL(fileURLWithPath: "\(folder)/\(name)/token"))
        }
        let lives = open("\(folder)/plimsoll-scratch-lives", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        #expect(flock(lives, LOCK_EX | LOCK_NB) == 0)
        ScratchFolder.removeLeftovers(in: folder)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 4)
        ScratchFolder.removeLeftovers(in: folder, olderThanSeconds: 0)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
                == ["mine", "plimsoll-other", "plimsoll-scratch-lives"])
        close(lives)
    }
}
