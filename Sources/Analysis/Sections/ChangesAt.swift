package import AppHealth

/// The first instant after that of the report at which an analysis of the same history under the same settings may
/// find something else: the day is over, the hour where hours are counted, an instant is reached that a note, an issue or a
/// release of the history names, or a source was silent for too long, or has not brought its last days.
package func changesAt(_ index: HistoryIndex, _ history: AppHistory) -> Instant {
    let named =
        history.notes.map(\.at) + history.sources.flatMap { $0.notes.map(\.at) }
        + history.sources.flatMap { $0.issues.flatMap { [$0.firstSeen, $0.lastSeen].compactMap(\.self) } }
        + history.sources.flatMap { [$0.staleAt, $0.awaitedUntil].compactMap(\.self) }
        // A release may be announced for later, and end a mute then.
        + history.sources.flatMap { $0.releases.compactMap(\.releasedAt) }
        // West of UTC a day ends later.
        + history.sources.compactMap { $0.zoneOffsets?.nextEnd(after: index.asOf) }
    let day = Instant(startOf: index.asOf.date.advanced(by: 1))
    let hour = index.issues.hours.map { _ in UTCHour(of: index.asOf).advanced(by: 1).start }
    return (named + [day] + [hour].compactMap(\.self)).filter { $0 > index.asOf }.min() ?? day
}
