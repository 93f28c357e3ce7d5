import DemoStory
import Foundation

/// `generate-demo [OUTPUT-DIRECTORY]` writes the data of the demo, to `Content/demo/data` unless a directory
/// is given.
@main
enum GenerateDemo {
    static func main() {
        let arguments = CommandLine.arguments.dropFirst()
        guard arguments.count <= 1, arguments.first?.hasPrefix("-") != true else {
            fail("usage: generate-demo [OUTPUT-DIRECTORY]", code: 2)
        }
        let directory = URL(fileURLWithPath: arguments.first ?? "Content/demo/data", isDirectory: true)
        do {
            for file in DemoStory.files() { try write(file, in: directory) }
        } catch {
            fail(
                "error: the demo could not be written to \(directory.path): \(error.localizedDescription)",
                code: 4)
        }
    }

    private static func write(_ file: DemoFile, in directory: URL) throws {
        let url = directory.appendingPathComponent(file.path)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(file.bytes).write(to: url, options: .atomic)
    }

    private static func fail(_ message: String, code: Int32) -> Never {
        FileHandle.standardError.write(Data((message + "\n").utf8))
        exit(code)
    }
}
