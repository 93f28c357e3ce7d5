package import AppHealth

extension Issue {
    /// How sentences name it: `Atomic.swift line 54`, else its title in quotation marks, else its id.
    package var label: String {
        if let place, !place.fileName.isEmpty {
            return place.line.map { "\(place.fileName) line \($0)" } ?? place.fileName
        }
        return title.isEmpty ? "issue \(id)" : "“\(title)”"
    }
}
