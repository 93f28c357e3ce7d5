package import AppHealth

/// What of the activity of an app is reported.
package struct AlertSettings: Hashable, Codable, Sendable {
    /// What is reported when nothing is said of a kind.
    package enum Show: String, Codable, Sendable, CaseIterable {
        /// Events of every kind.
        case everything
        /// Only the kinds that need somebody's attention.
        case alerts
    }

    /// What of one kind of event is reported.
    package struct OfKind: Hashable, Codable, Sendable {
        /// Whether it is reported at all; nil when `show` decides.
        package var isOn: Bool?
        /// How many of a day are reported at most; nil when nothing is said.
        package var limit: Int?
        /// How grave an event must be; a figure that is not known keeps none away.
        package var least: AlertLevel

        /// Nothing said, or something.
        package init(isOn: Bool? = nil, limit: Int? = nil, least: AlertLevel = AlertLevel()) {
            self.isOn = isOn
            self.limit = limit
            self.least = least
        }
    }

    /// What is reported when nothing is said of a kind.
    package var show: Show
    /// What is said of single kinds.
    package var kinds: [EventKind: OfKind]

    /// Settings.
    package init(show: Show = .everything, kinds: [EventKind: OfKind] = [:]) {
        self.show = show
        self.kinds = kinds
    }

    /// Everything is reported.
    package static let standard = AlertSettings()

    /// What of a kind is reported.
    package subscript(kind: EventKind) -> OfKind {
        get { kinds[kind] ?? OfKind() }
        set { kinds[kind] = newValue }
    }

    /// How many events of a kind that only informs are reported of a day, when nothing is said: a day that thousands of
    /// issues begin on is no list to read.
    package static let usualLimit = 100

    /// How many of a kind are reported of a day at most; nil for all of them.
    package func limit(of kind: EventKind) -> Int? {
        self[kind].limit ?? (kind.isAlert ? nil : Self.usualLimit)
    }

    /// Whether a kind is reported at all.
    package func isOn(_ kind: EventKind) -> Bool {
        self[kind].isOn ?? (show == .everything || kind.isAlert)
    }
}

/// What the owner of a site says of the activity of its apps.
package struct AlertControl: Hashable, Codable, Sendable {
    /// The mutes in the order of their file: of two that hold for an event the first counts.
    package var mutes: [Mute]
    /// The settings of each app; an app that is missing has the standard ones.
    package var settings: [Slug: AlertSettings]

    /// Control over some apps; without any, everything is reported.
    package init(mutes: [Mute] = [], settings: [Slug: AlertSettings] = [:]) {
        self.mutes = mutes
        self.settings = settings
    }
}
