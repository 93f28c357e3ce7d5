/// Where a diagnostic points to.
package enum Location: Hashable, Sendable, Codable, CustomStringConvertible {
    /// A place in a text file; line and column count from 1, the column in Unicode scalars.
    case file(path: String, line: Int? = nil, column: Int? = nil)
    /// A key path in the answer of an endpoint or in a document, such as `groups[3].totals`.
    case keyPath(document: String, path: String)
    /// A URL or another address, already free of secrets.
    case address(String)

    /// `path:line:column`, `document: key.path` or the address.
    package var description: String {
        switch self {
        case .file(let path, let line, let column):
            ([path] + [line, line == nil ? nil : column].compactMap { $0.map(String.init) }).joined(
                separator: ":")
        case .keyPath(let document, let path): path.isEmpty ? document : "\(document): \(path)"
        case .address(let text): text
        }
    }
}
