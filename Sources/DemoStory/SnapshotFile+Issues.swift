import AppHealth

extension SnapshotFile {
    /// The issues that were seen before the capture and, in a nightly file, on a day that it carries.
    var issueRecords: [String] {
        plan.issues.indices.compactMap { position in
            let issue = plan.issues[position]
            guard let firstSeen = firstSeen(of: position), firstSeen < capture else { return nil }
            let isNightly = capture != DemoCalendar.captures.first
            let isQuiet = carried.allSatisfy { $0.count(ofIssue: position).events == 0 }
            if isNightly, isQuiet, strayKey(of: issue) == nil { return nil }
            return issueRecord(issue, at: position, firstSeen: firstSeen)
        }
    }

    private func issueRecord(_ issue: IssuePlan, at position: Int, firstSeen: Instant) -> String {
        let lastSeen = lastSeen(of: position, after: firstSeen).description
        let total = total(of: position)
        var record = JSONRecord()
        record.add("id", issue.id)
        record.add("title", issue.title)
        record.add("kind", issue.kind.rawValue)
        record.add("state", state(of: issue).rawValue)
        record.add("file", issue.place?.file)
        record.add("line", issue.place?.line)
        record.add("firstSeen", firstSeen.description)
        record.add("lastSeen", lastSeen)
        if let key = strayKey(of: issue) { record.add(key, lastSeen) }
        addVersions(of: issue, at: position, to: &record)
        record.add("events", total.events)
        record.add("users", total.users)
        record.add("url", issue.url ?? "https://telemetry.example/\(plan.app)/issues/\(issue.id)")
        let days = dayRecords(of: position, since: firstSeen.date)
        record.addRaw("days", jsonList(days, indentation: 4))
        return record.text
    }

    private func addVersions(of issue: IssuePlan, at position: Int, to record: inout JSONRecord) {
        let first = plan.position(of: issue.firstVersion).map { plan.releases[$0].version }
        record.add("firstVersion", first?.label ?? issue.firstVersion)
        record.add("firstBuild", first?.build)
        let last = lastRelease(of: position).map { plan.releases[$0].version }
        record.add("lastVersion", last?.label)
        record.add("lastBuild", last?.build)
        let fixed = plan.position(of: issue.fixedIn).map { plan.releases[$0].version }
        record.add("fixedIn", fixed?.label)
        record.add("fixedInBuild", fixed?.build)
    }

    private func dayRecords(of position: Int, since first: CivilDate) -> [String] {
        let isDetailed = plan.issues[position].isDetailed
        return carried.filter { $0.date >= first }.flatMap { day in
            let all = dayRecord(day.count(ofIssue: position), on: day.date, release: nil)
            guard plan.capabilities.contains(.releaseHealth),
                isDetailed || day.date >= DemoCalendar.firstDetailedDay
            else { return [all] }
            let used = day.cells.filter { $0.issues[position].events > 0 }
            return [all]
                + used.map {
                    dayRecord($0.issues[position], on: day.date, release: plan.releases[$0.release])
                }
        }
    }

    private func dayRecord(_ count: IssueCount, on date: CivilDate, release: ReleasePlan?) -> String {
        var record = JSONRecord()
        record.add("date", date.description)
        record.add("release", release?.version.label)
        record.add("events", count.events)
        record.add("users", count.users)
        return record.text
    }
}
