import AppHealth

/// Which dataset of the preset the sessions of a source are of. Sessions of the other one are counted otherwise, and may not
/// take the place of stored ones.
enum BigQuerySessionOrigin: CaseIterable, Sendable {
    /// The exported sessions.
    case sessions
    /// The events of Google Analytics.
    case analytics

    /// That of stored sessions, by the description of their source; nil where it does not say.
    init?(of source: Source) {
        guard let origin = Self.allCases.first(where: { $0.definition == source.sessionDefinition }) else {
            return nil
        }
        self = origin
    }

    /// What a session is.
    var definition: String {
        switch self {
        case .sessions:
            "A session of Firebase, counted once by its id; it crashed when a fatal event names it."
        case .analytics: "A session of Google Analytics; it crashed when it has a fatal app_exception."
        }
    }

    /// What a session is where it is not known yet which dataset is there.
    static var eitherDefinition: String {
        """
        \(sessions.definition) Where no sessions are exported, a session of Google Analytics; it crashed when it has \
        a fatal app_exception.
        """
    }
}
