package import AppHealth

/// Where an event is in a feed: what changed last comes first, the id parts those of one instant.
package struct FeedPlace: Comparable, Sendable {
    /// When it last changed.
    private let changed: Instant
    private let id: String
    /// When what needs attention would have to have changed to get room with it.
    private let yielding: Instant

    /// The place of an event.
    package init(_ kind: EventKind, changed: Instant, id: String) {
        self.changed = changed
        self.id = id
        yielding = changed.advanced(bySeconds: -kind.daysYielded * 86_400)
    }

    package static func < (left: FeedPlace, right: FeedPlace) -> Bool {
        left.changed != right.changed ? left.changed > right.changed : left.id < right.id
    }

    private func getsRoom(before other: FeedPlace) -> Bool {
        yielding != other.yielding ? yielding > other.yielding : self < other
    }

    /// Those of some events that a feed has room for, in their order: of many apps the summaries of one night are more than
    /// it holds, and an alert is not to be pushed out by them.
    package static func chosen<Event>(
        from events: [Event], limit: Int, _ place: (Event) -> FeedPlace
    ) -> [Event] {
        let placed = events.map { (place: place($0), event: $0) }
        return placed.sorted { $0.place.getsRoom(before: $1.place) }.prefix(limit)
            .sorted { $0.place < $1.place }.map(\.event)
    }
}

extension EventKind {
    /// By how many days an event gives way to older ones where there is no room for all; what needs attention, and what
    /// became of it, gives way to nothing.
    fileprivate var daysYielded: Int {
        switch self {
        case .stability, .velocity, .usage, .regressed, .recovery, .sourceTrouble, .releaseVerdict,
            .withdrawn:
            0
        case .newIssue, .newNote: 7
        case .topIssues: 28
        }
    }
}
