import Foundation
import Testing

/// The data of a case of the Mustache specification.
enum SpecValue: Decodable, Sendable {
    case object([String: SpecValue])
    case array([SpecValue])
    case text(String)
    case flag(Bool)
    case null

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let flag = try? container.decode(Bool.self) {
            self = .flag(flag)
        } else if let number = try? container.decode(Int.self) {
            self = .text(String(number))
        } else if let number = try? container.decode(Double.self) {
            self = .text("\(number)")
        } else if let text = try? container.decode(String.self) {
            self = .text(text)
        } else if let array = try? container.decode([SpecValue].self) {
            self = .array(array)
        } else {
            self = .object(try container.decode([String: SpecValue].self))
        }
    }

    subscript(name: String) -> SpecValue? {
        guard case .object(let members) = self else { return nil }
        return members[name]
    }
}

/// One case of the specification.
struct SpecCase: Decodable, Sendable, CustomTestStringConvertible {
    let name: String
    let data: SpecValue
    let template: String
    let partials: [String: String]?
    let expected: String
    var file = ""
    /// Counts from 1 among the cases of the file.
    var number = 0

    enum CodingKeys: CodingKey { case name, data, template, partials, expected }

    var id: String { "\(file) \(number) \(name)" }
    var testDescription: String { id }

    /// All cases next to the checkout, or none when they are not there.
    static let all: [SpecCase] = {
        struct File: Decodable { var tests: [SpecCase] }
        let folder = URL(filePath: #filePath).appending(path: "../../../../../shared/mustache-spec")
            .standardized
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return files.filter { $0.hasSuffix(".json") }.sorted().flatMap { file -> [SpecCase] in
            guard let data = try? Data(contentsOf: folder.appending(path: file)),
                let cases = try? JSONDecoder().decode(File.self, from: data).tests
            else { return [] }
            return cases.enumerated().map { number, test in
                var test = test
                test.file = String(file.dropLast(5))
                test.number = number + 1
                return test
            }
        }
    }()
}
