import Foundation
import Testing

/// A page of the manual as it is kept, or the README.
struct ManualPage: Sendable, CustomTestStringConvertible {
    /// The path from the top of the checkout.
    let path: String
    let text: String
    let fences: [ManualFence]

    var testDescription: String { path }

    init(_ path: String) throws {
        self.path = path
        text = try Folder.text(at: bundled + "/" + path)
        fences = manualFences(in: text)
    }

    static let folder = "Content/manual"

    /// The pages of the manual, in the order of their paths.
    static let all: [ManualPage] = {
        let names = (try? FileManager.default.subpathsOfDirectory(atPath: "\(bundled)/\(folder)")) ?? []
        return names.filter { $0.hasSuffix(".md") }.sorted().compactMap { try? ManualPage("\(folder)/\($0)") }
    }()

    /// The manual and the files at the top of the checkout whose examples must work too.
    static let allWithExamples = all + ["README.md", "CONTRIBUTING.md"].compactMap { try? ManualPage($0) }

    /// One page of the manual.
    static func named(_ name: String) throws -> ManualPage { try ManualPage("\(folder)/\(name).md") }

    /// The fences of a language.
    func fences(_ language: String) -> [ManualFence] { fences.filter { $0.language == language } }
}

/// A fenced block of a page.
struct ManualFence: Sendable {
    /// The first word after the fence.
    let language: String
    /// Whether a test runs what is in it.
    let isRun: Bool
    let body: String
    /// The line of the fence, counted from 1.
    let line: Int
}

private func manualFences(in text: String) -> [ManualFence] {
    var found: [ManualFence] = []
    var open: (ticks: String, words: [Substring], line: Int, body: [Substring])?
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
        if let fence = open {
            if line == fence.ticks {
                found.append(
                    ManualFence(
                        language: String(fence.words.first ?? ""), isRun: !fence.words.contains("no-run"),
                        body: fence.body.joined(separator: "\n") + "\n", line: fence.line))
                open = nil
            } else {
                open?.body.append(line)
            }
        } else if line.hasPrefix("```") {
            let ticks = String(line.prefix { $0 == "`" })
            open = (ticks, line.dropFirst(ticks.count).split(separator: " "), index + 1, [])
        }
    }
    return found
}
