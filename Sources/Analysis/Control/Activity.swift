package import AppHealth

/// The events of an app, parted into what is told and what is not.
package struct Activity: Hashable, Sendable {
    /// What is told, newest first.
    package var shown: [Event] = []
    /// What is muted, newest first.
    package var muted: [MutedEvent] = []
    /// What the settings leave out, newest day first, then in the order of the kinds.
    package var leftOut: [LeftOut] = []
    /// What became of each mute that may concern the app, in their order.
    package var uses: [MuteUse] = []

    /// The mutes that stand now.
    package var standing: [MuteUse] { uses.filter { $0.ended == nil } }
}

/// An event that is muted.
package struct MutedEvent: Hashable, Sendable {
    /// The event.
    package let event: Event
    /// The first mute that holds for it.
    package let mute: Mute

    /// Makes one.
    package init(event: Event, mute: Mute) {
        self.event = event
        self.mute = mute
    }
}

/// Events of one kind and day that the settings leave out.
package struct LeftOut: Hashable, Sendable {
    /// Why they are left out.
    package enum Reason: Hashable, Sendable {
        /// The kind is turned off.
        case off
        /// They are less grave than the least level.
        case belowLevel(AlertLevel)
        /// There were more than so many on the day.
        case limit(Int)
    }

    /// The kind.
    package let kind: EventKind
    /// The day.
    package let day: CivilDate
    /// Why.
    package let reason: Reason
    /// How many.
    package let count: Int
}

/// What became of a mute in one app.
package struct MuteUse: Hashable, Sendable {
    /// The mute.
    package let mute: Mute
    /// How many events it fits, whether it still stood or not.
    package let fitting: Int
    /// How many events it mutes.
    package let muting: Int
    /// When it ended; nil while it stands.
    package let ended: Instant?
    /// The issue that was probably meant, when the app has none with the id of the mute.
    package let near: String?
}
