package import Diagnostics

/// Why a recording cannot be made or replayed.
package enum RecordingError: Error, Hashable, Sendable {
    /// The folder cannot be written, and why.
    case notWritable(path: String, reason: String)
    /// The folder holds a recording already.
    case notEmpty(path: String)
    /// The folder cannot be read.
    case notReadable(path: String)
    /// There is no exchange in the folder.
    case empty(path: String)
    /// The file is no exchange.
    case damaged(path: String, reason: String)
    /// The file has a form that this version does not know.
    case format(path: String, number: Int)
}

extension RecordingError: DiagnosticConvertible {
    package var diagnostic: Diagnostic {
        switch self {
        case .notWritable(let path, let reason):
            .error(
                "transport.recording", "Recording cannot be written", details: [printable(reason)],
                at: .file(path: path), hints: ["name a folder that may be written"])
        case .notEmpty(let path):
            .error(
                "transport.recording", "Folder already holds a recording", at: .file(path: path),
                hints: ["name a new folder, or remove the old recording"])
        case .notReadable(let path):
            .error(
                "transport.recording", "Recording cannot be read", at: .file(path: path),
                hints: ["name the folder that a recording was written to"])
        case .empty(let path):
            .error(
                "transport.recording", "Folder holds no exchange", at: .file(path: path),
                hints: ["name the folder that a recording was written to"])
        case .damaged(let path, let reason):
            .error(
                "transport.recording", "File is no exchange", details: [printable(reason)],
                at: .file(path: path), hints: ["record again, or remove the file"])
        case .format(let path, let number):
            .error(
                "transport.recording", "Exchange has form \(number), and only form 1 is known",
                at: .file(path: path), hints: ["record again with this version"])
        }
    }
}
