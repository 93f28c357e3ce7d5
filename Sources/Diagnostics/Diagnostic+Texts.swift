extension Diagnostic {
    /// The same diagnostic with every text changed, those of its location too; the id stays.
    package func mapTexts(_ change: (String) -> String) -> Diagnostic {
        Diagnostic(
            severity, id: id, change(summary), details: details.map(change),
            location: location?.mapTexts(change), hints: hints.map(change), gravity: gravity)
    }
}

extension Location {
    fileprivate func mapTexts(_ change: (String) -> String) -> Location {
        switch self {
        case .file(let path, let line, let column): .file(path: change(path), line: line, column: column)
        case .keyPath(let document, let path): .keyPath(document: change(document), path: path)
        case .address(let text): .address(change(text))
        }
    }
}
