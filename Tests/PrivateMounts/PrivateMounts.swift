#if os(Linux)
    import Foundation

    /// The shell could not mount what it was to mount.
    package struct MountsMissing: Error {}

    /// A namespace of mounts of its own, in which things are mounted below a folder. The files of the folder as they are
    /// in there have a path here too, so that nothing is mounted for the tests themselves.
    package final class PrivateMounts {
        private let keeper: Process
        private let door: Pipe

        /// - Parameter script: lines for the shell, run in the folder.
        package init(_ script: String, in folder: String) throws {
            (keeper, door) = (Process(), Pipe())
            let answer = Pipe()
            keeper.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            keeper.arguments = ["unshare", "--mount", "sh", "-e", "-c", script + "\necho ready\nexec cat"]
            keeper.currentDirectoryURL = URL(fileURLWithPath: folder)
            (keeper.standardInput, keeper.standardOutput) = (door, answer)
            try keeper.run()
            guard answer.fileHandleForReading.availableData == Data("ready\n".utf8) else {
                throw MountsMissing()
            }
        }

        /// The mounts end with the program. The end of its input, which it waits for, comes no sooner than that of all
        /// programs that were started meanwhile: they have it open too.
        deinit {
            kill(keeper.processIdentifier, SIGKILL)
            keeper.waitUntilExit()
        }

        /// A path as it is in there.
        package func path(_ path: String) -> String { "/proc/\(keeper.processIdentifier)/root\(path)" }

        /// Whether the system lets this process make one.
        package static let areAllowed: Bool = {
            let probe = Process()
            probe.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            probe.arguments = ["unshare", "--mount", "mount", "--bind", "/proc", "/proc"]
            (probe.standardOutput, probe.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
            guard (try? probe.run()) != nil else { return false }
            probe.waitUntilExit()
            return probe.terminationStatus == 0
        }()
    }
#endif
