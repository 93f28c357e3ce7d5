import AppHealth

/// The instances of a report that could not be read, newest first.
struct AppStoreConnectUnread {
    /// The last day that each can cover.
    private(set) var lastDays: [CivilDate] = []
    /// Why, of those that are not only gone or not there yet.
    private(set) var faults: [ServiceFault] = []
    /// The newest that failed, where none newer than it was read: nothing new of the report came. One that is not there
    /// (404) counts as gone, for the next instance has its days.
    private(set) var newest: (why: ServiceFault, lastDay: CivilDate)?
    private var isAnyRead = false

    /// Adds one that has no segment yet, or that is not there for the first time.
    mutating func addGone(_ lastDay: CivilDate) { lastDays.append(lastDay) }

    /// Adds one that failed.
    mutating func add(_ lastDay: CivilDate, because why: ServiceFault) {
        lastDays.append(lastDay)
        faults.append(why)
        if !isAnyRead, newest == nil, why.status != 404 { newest = (why, lastDay) }
    }

    /// Notes that one was read, after those that were added.
    mutating func addedRead() { isAnyRead = true }
}
