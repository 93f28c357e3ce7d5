import Foundation
import Testing

/// A file of reference values; they lie next to the checkout on some machines.
struct ReferenceValues<Row: Decodable>: Decodable {
    let tol: Double
    let cases: [Row]

    init(_ name: String) throws {
        self = try JSONDecoder().decode(Self.self, from: Data(contentsOf: referenceFile(name)))
        #expect(!cases.isEmpty)
    }
}

/// Whether reference values are at hand.
let hasReferenceValues = FileManager.default.fileExists(atPath: referenceFile("special_functions").path)

private func referenceFile(_ name: String) -> URL {
    (0..<4).reduce(URL(fileURLWithPath: #filePath)) { url, _ in url.deletingLastPathComponent() }
        .appendingPathComponent("shared/statistics/reference-values/\(name).json")
}

/// Expects two numbers to agree relatively, or absolutely below the floor.
func expectClose(
    _ actual: Double?, _ expected: Double, within tolerance: Double, floor: Double = 0,
    _ comment: @autoclosure () -> Comment = "", sourceLocation: SourceLocation = #_sourceLocation
) {
    let miss = abs((actual ?? .nan) - expected)
    let holds = actual == expected || miss <= max(tolerance * abs(expected), floor)
    #expect(
        holds, "\(String(describing: actual)) is not \(expected): \(comment())",
        sourceLocation: sourceLocation)
}
