import Foundation
import Glibc

let exchangeSuffix = ".json"

/// The most bytes of one exchange: a body at the usual limit of 64 MiB, escaped at its worst, fits.
private let mostBytes = 512 << 20

/// The names of the files of a recording, in the order of their numbers.
func exchangeFiles(in folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder)
        .filter { $0.hasSuffix(exchangeSuffix) && !$0.hasPrefix(".") }.sorted()
}

/// Reads one file of a recording.
func exchange(at path: String) throws(RecordingError) -> Exchange {
    var facts = stat()
    guard unsafe stat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG, facts.st_size <= mostBytes,
        let data = FileManager.default.contents(atPath: path)
    else { throw .notReadable(path: path) }
    let exchange: Exchange
    do {
        exchange = try JSONDecoder().decode(Exchange.self, from: data)
    } catch {
        if let form = try? JSONDecoder().decode(Form.self, from: data), form.format != Exchange.currentFormat
        {
            throw .format(path: path, number: form.format)
        }
        throw .damaged(path: path, reason: "it lacks what an exchange has, or is not JSON")
    }
    guard exchange.format == Exchange.currentFormat else {
        throw .format(path: path, number: exchange.format)
    }
    guard (exchange.response == nil) != (exchange.failure == nil) else {
        throw .damaged(path: path, reason: "it must have either a response or a failure")
    }
    return exchange
}

private struct Form: Decodable {
    var format: Int
}
