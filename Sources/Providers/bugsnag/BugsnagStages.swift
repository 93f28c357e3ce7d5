/// The release stages of a source, as its definitions name them.
struct BugsnagStages: Equatable, Sendable {
    /// That of sessions and users: the project's primary one.
    let counted: String
    /// The configured one, as long as days of it may take the place of these; else the same.
    let configured: String

    private static let start = "release stage '"
    private static let middle = "', not the configured '"
    private static let end = "'."

    init(counted: String, configured: String) {
        (self.counted, self.configured) = (counted, configured)
    }

    /// Reads them from a definition; nil where it names none.
    init?(in definition: String) {
        guard let start = definition.firstRange(of: Self.start), definition.hasSuffix(Self.end) else {
            return nil
        }
        let names = definition[start.upperBound...].dropLast(Self.end.count)
        guard let middle = names.firstRange(of: Self.middle) else {
            self.init(counted: String(names), configured: String(names))
            return
        }
        self.init(
            counted: String(names[..<middle.lowerBound]), configured: String(names[middle.upperBound...]))
    }

    /// Whether days of another stage would take the place of these, which they may not.
    func areReplaced(by counted: String, configured: String) -> Bool {
        // Where the first fetch found another primary stage, its warning advised to make the configured one that.
        let isAdvised = counted == configured && configured == self.configured
        return counted != self.counted && !isAdvised
    }

    /// The end of a definition that names them.
    var words: String {
        Self.start + counted + (counted == configured ? "" : Self.middle + configured) + Self.end
    }
}

extension BugsnagConfiguration {
    /// The stages where the project's primary one is the configured one.
    var stages: BugsnagStages { BugsnagStages(counted: releaseStage, configured: releaseStage) }
}
