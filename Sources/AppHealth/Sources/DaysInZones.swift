extension AppHistory {
    /// With the days of releases and issues as the zones of their sources have them, where these are known.
    package var withDaysInZones: AppHistory {
        var history = self
        history.sources = sources.map(\.withDaysInItsZone)
        return history
    }
}

extension SourceHistory {
    fileprivate var withDaysInItsZone: SourceHistory {
        guard let zoneOffsets else { return self }
        var history = self
        for place in releases.indices {
            history.releases[place].releasedOn = releases[place].releasedAt.map {
                source.datesReleasesByDay ? $0.date : zoneOffsets.day(of: $0)
            }
        }
        for place in issues.indices {
            history.issues[place].firstSeenOn = issues[place].firstSeen.map(zoneOffsets.day)
            history.issues[place].lastSeenOn = issues[place].lastSeen.map(zoneOffsets.day)
        }
        return history
    }
}
