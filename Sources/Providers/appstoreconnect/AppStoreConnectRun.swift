import AppHealth
import Diagnostics
import Tokens
import Transport

/// One fetch of one app.
struct AppStoreConnectRun {
    var parts: PartialFetch
    let configuration: AppStoreConnectConfiguration
    /// For the files, which are elsewhere and need no credential.
    let plainSender: any Sender
    /// The files of instances that earlier fetches read; nil when every file is to be requested.
    let keptFiles: KeptBytes?
    let today: CivilDate

    init(
        _ configuration: AppStoreConnectConfiguration, sender: TokenSender, plainSender: any Sender,
        kept: KeptBytes?, at now: Instant
    ) {
        self.configuration = configuration
        self.plainSender = plainSender
        self.keptFiles = kept
        today = now.date
        parts = PartialFetch(
            ServiceClient(
                .appStoreConnect, base: configuration.base, limits: configuration.limits,
                most: configuration.mostRequests, over: .tokens(sender)))
    }

    mutating func snapshot(
        of app: App, source: Source, at now: Instant
    ) async throws(ServiceFault) -> Snapshot {
        var snapshot = Snapshot(app: app, source: source, capturedAt: now)
        let id = try await appID()
        var days: [AppStoreConnectReport: AppStoreConnectDays] = [:]
        if let reports = try await reports(of: id) {
            for report in AppStoreConnectReport.allCases {
                days[report] = try await self.days(of: report, in: reports, app: id)
            }
        }
        let builds = try await builds(of: id, for: app)
        try parts.checkParts()
        let (sessions, crashes) = (days[.sessions] ?? .init(), days[.crashes] ?? .init())
        snapshot.usage = appStoreConnectUsage(sessions: sessions, installs: days[.installs] ?? .init())
        (snapshot.issues, snapshot.issueDays) = appStoreConnectCrashes(crashes)
        snapshot.health = appStoreConnectHealth(crashes)
        snapshot.deviceDays = appStoreConnectDevices(crashes)
        snapshot.releases = appStoreConnectReleases(
            builds, seen: sessions.versions.union(crashes.versions))
        snapshot.coverage = appStoreConnectCoverage(
            days, users: snapshot.issueDays.filter { $0.users != nil }.map(\.date))
        snapshot.warnings = parts.warnings
        return snapshot
    }

    /// Names a part that did not come; a run that was called off ends.
    ///
    /// - Parameter isNeeded: Whether the fetch has failed without it.
    mutating func missing(
        _ part: String, _ fault: ServiceFault, isNeeded: Bool = false
    ) throws(ServiceFault) {
        parts.addMissing(part, fault, isNeeded: isNeeded)
        try parts.checkRun()
    }

    /// The elements of a list over its pages.
    mutating func pages<Page: WirePage>(
        _ type: Page.Type, _ endpoint: AppStoreConnectEndpoint
    ) async throws(ServiceFault) -> ServicePages<Page.Element> {
        try await parts.client.pages(
            from: endpoint, by: .linkInBody(type), most: configuration.mostPages)
    }

    mutating func warn(
        _ id: String, _ summary: String, details: [String] = [], quotes: [String] = [],
        at location: Location? = nil,
        hints: [String] = []
    ) {
        let name = AppStoreConnectProvider.name
        parts.add(
            .warning(
                "\(name).\(id)", "\(name): \(summary)", details: details, quotes: quotes, at: location,
                hints: hints)
        )
    }

    private mutating func appID() async throws(ServiceFault) -> String {
        let wanted = configuration.app
        if isAppleID(wanted) { return wanted }
        let pages = try await pages(
            AppStoreConnectPage<AppStoreConnectApp>.self, .apps(bundleID: wanted))
        // The filter finds ids that begin alike too.
        let found = pages.elements.first { $0.attributes?.bundleId?.text == wanted }
        if let found { return found.id.text }
        let known = pages.elements.compactMap { $0.attributes?.bundleId?.nonEmpty }
        throw parts.client.fault(.notFound(what: "app", name: wanted, among: known))
    }

    private mutating func builds(
        of id: String, for app: App
    ) async throws(ServiceFault) -> AppStoreConnectBuildList {
        let wanted = appStoreConnectPlatforms(namedIn: app.platform)
        do throws(ServiceFault) {
            let pages = try await pages(AppStoreConnectBuilds.self, .builds(app: id))
            parts.came(pages.warnings)
            let builds = AppStoreConnectBuildList(pages.elements, of: wanted)
            warn(about: builds, of: app)
            return builds
        } catch {
            try missing("builds", error)
            return AppStoreConnectBuildList([], of: wanted)
        }
    }

    /// Says where the platform of the app has to be written, or is another one than that of its builds.
    private mutating func warn(about builds: AppStoreConnectBuildList, of app: App) {
        let names = builds.platforms.map(printable).joined(separator: " and ")
        if builds.isMixed {
            warn(
                "platforms", "'\(app.id)' has builds of \(names), and names none of them as its platform",
                details: ["versions that several platforms have get neither build nor date"],
                hints: ["write the app's 'platform': ios, macos, tvos or visionos, or several of them"])
        } else if builds.isOfOthers {
            warn(
                "other-platform",
                "no build is of the platform '\(printable(app.platform))' of '\(app.id)'; all are of \(names)",
                details: ["the releases are those of all builds"],
                hints: ["correct the app's 'platform': ios, macos, tvos or visionos"])
        }
    }
}

extension AppStoreConnectRun {
    /// The days of one report; nil and a warning when none of it came.
    mutating func days(
        of report: AppStoreConnectReport, in entries: [AppStoreConnectReportEntry], app: String
    ) async throws(ServiceFault) -> AppStoreConnectDays? {
        guard let entry = entry(of: report, in: entries) else {
            let listed = entries.map(\.attributes.name.text)
            try missing(
                report.part,
                parts.client.fault(.notListed(what: "report", name: report.names[0], among: listed)))
            return nil
        }
        do throws(ServiceFault) {
            return try await days(of: report, id: entry.id.text, app: app)
        } catch {
            try missing(report.part, error, isNeeded: report.isMain)
            return nil
        }
    }

    private func entry(
        of report: AppStoreConnectReport, in entries: [AppStoreConnectReportEntry]
    ) -> AppStoreConnectReportEntry? {
        for name in report.names {
            let found = entries.first { $0.attributes.name.text.lowercased() == name.lowercased() }
            if let found { return found }
        }
        return nil
    }

    private mutating func days(
        of report: AppStoreConnectReport, id: String, app: String
    ) async throws(ServiceFault) -> AppStoreConnectDays {
        let pages = try await pages(
            AppStoreConnectPage<AppStoreConnectInstance>.self, .instances(report: id))
        // What was processed last may be on a page that did not come.
        if pages.isCut, var why = pages.warnings.last {
            why.severity = .warning
            throw parts.client.fault(.reported(why))
        }
        let daily = pages.elements.filter { $0.attributes.granularity?.text ?? "DAILY" == "DAILY" }
        let newest = daily.sorted { later($0, $1) }.prefix(configuration.mostInstances)
        var losses = SkippedValues(provider: AppStoreConnectProvider.name, endpoint: report.names[0])
        var days = AppStoreConnectDays()
        var unread = AppStoreConnectUnread()
        var lacking = AppStoreConnectLackingColumns(report: report)
        for instance in newest {
            do throws(ServiceFault) {
                guard
                    let rows = try await rows(
                        of: instance, report, app: app, losses: &losses, lacking: &lacking)
                else {
                    unread.addGone(instance.lastDay)
                    continue
                }
                days.add(olderThanAll: rows, until: instance.lastDay)
                unread.addedRead()
            } catch {
                guard !error.isCanceled else { throw error }
                if error.status == 404, isNewlyGone(instance) {
                    unread.addGone(instance.lastDay)
                } else {
                    unread.add(instance.lastDay, because: error)
                }
            }
        }
        if let first = unread.faults.first, unread.lastDays.count == newest.count { throw first }
        for day in unread.lastDays { days.remove(coveredUntil: day) }
        parts.came(pages.warnings + losses.warnings + lacking.warnings)
        if days.dates.isEmpty, unread.lastDays.isEmpty, let last = newest.first, let first = newest.last {
            // The day before its processing is the last that an instance can cover.
            days.suppressed = first.lastDay...last.lastDay
        }
        addMissing(unread, of: report, among: newest.count)
        return days
    }

    /// All rows of an instance: when one of its segments fails, it is not whole and says nothing. Nil where no segment is
    /// listed: it has none yet, as a day without rows has a file without rows.
    private mutating func rows(
        of instance: AppStoreConnectInstance, _ report: AppStoreConnectReport, app: String,
        losses: inout SkippedValues, lacking: inout AppStoreConnectLackingColumns
    ) async throws(ServiceFault) -> [AppStoreConnectRow]? {
        let processed = instance.attributes.processingDate.date
        var rows: [AppStoreConnectRow] = []
        var found = losses
        let (files, isNew) = try await files(of: instance)
        guard !files.marks.isEmpty else { return nil }
        for text in files.texts {
            let table = AppStoreConnectTable(text)
            try check(table, report, processed)
            lacking.add(table, processed)
            rows += AppStoreConnectRow.rows(
                of: table, report, app: app, at: "processed \(processed)", losses: &found)
        }
        losses = found
        if isNew { keep(files, of: instance.id.text) }
        return rows
    }

    private func check(
        _ table: AppStoreConnectTable, _ report: AppStoreConnectReport, _ processed: CivilDate
    ) throws(ServiceFault) {
        // A day on which too few people did anything has an empty file.
        guard !table.columns.isEmpty,
            let missing = report.neededColumns.first(where: { !table.has($0) })
        else {
            return
        }
        let (name, known) = (
            AppStoreConnectProvider.name, table.columns.prefix(30).map { String($0.prefix(60)) }
        )
        let nearest = nearestName(to: missing, among: known)
        throw parts.client.fault(
            .reported(
                .error(
                    "\(name).column", "\(name): the report '\(report.names[0])' has no column '\(missing)'",
                    details: ["columns: \(known.map(printable).joined(separator: ", "))"],
                    at: .keyPath(document: report.names[0], path: "processed \(processed)"),
                    hints: [
                        nearest.map { "report this; the column may be called '\(printable($0))' now" }
                            ?? "report this, with a recording: --record"
                    ])))
    }

    private mutating func addMissing(
        _ unread: AppStoreConnectUnread, of report: AppStoreConnectReport, among count: Int
    ) {
        if count == 0 {
            warn(
                "no-instances", "the report '\(report.names[0])' has no daily instance yet",
                hints: [
                    "the first comes one to two days after the report request, and only with enough people"
                ])
        }
        if report.isMain, let (why, lastDay) = unread.newest {
            parts.fail(why, without: "\(report.part) up to \(lastDay)")
        }
        guard let why = unread.faults.first?.diagnostic else { return }
        warn(
            "instances-missing",
            "\(unread.faults.count) of \(count) instances of '\(report.names[0])' couldn't be fetched",
            details: [why.summary] + why.details, quotes: why.quotes, at: why.location, hints: why.hints)
    }
}

/// Whether an instance was processed after another; of two of one day, which should not be, the id decides.
private func later(_ first: AppStoreConnectInstance, _ second: AppStoreConnectInstance) -> Bool {
    let (left, right) = (first.attributes.processingDate.date, second.attributes.processingDate.date)
    return (left, first.id.text) > (right, second.id.text)
}

extension AppStoreConnectRun {
    /// All files of an instance, from an earlier night where they cannot have changed; `isNew` says whether they
    /// were requested now.
    mutating func files(
        of instance: AppStoreConnectInstance
    ) async throws(ServiceFault) -> (files: AppStoreConnectKept, isNew: Bool) {
        let id = instance.id.text
        let known = kept(id)
        if let known, known.isSettled(instance) { return (known, false) }
        let pages = try await pages(
            AppStoreConnectPage<AppStoreConnectSegment>.self, .segments(instance: id))
        if let why = pages.warnings.first {
            throw parts.client.fault(.reported(why))
        }
        if var known, known.holds(pages.elements) {
            known.listedOn = today.daysSinceEpoch
            return (known, true)
        }
        var read = AppStoreConnectKept(
            listedOn: today.daysSinceEpoch, marks: pages.elements.map(\.mark), texts: [])
        for segment in pages.elements {
            let download = AppStoreConnectDownload(segment: segment, configuration: configuration)
            read.texts.append(try await download.text(by: &parts.client, through: plainSender))
        }
        return (read, true)
    }

    private func kept(_ instance: String) -> AppStoreConnectKept? {
        let kept = keptFiles?[name(of: instance)].flatMap(AppStoreConnectKept.init)
        return kept.flatMap { $0.marks.isEmpty ? nil : $0 }
    }

    /// Keeps what was read whole and is as it should be.
    func keep(_ read: AppStoreConnectKept, of instance: String) {
        guard let bytes = read.bytes else { return }
        keptFiles?.keep(bytes, as: name(of: instance))
    }

    /// Whether an instance that is listed and not there was there, or not requested, until tonight: it may have been
    /// listed too early or have run out, and is requested again. Without a place to keep that, every night is the first.
    private func isNewlyGone(_ instance: AppStoreConnectInstance) -> Bool {
        let name = name(of: instance.id.text) + " gone"
        if let first = keptFiles?[name] { return first == Array(today.description.utf8) }
        keptFiles?.keepStep(Array(today.description.utf8), as: name)
        return true
    }

    private func name(of instance: String) -> String {
        AppStoreConnectEndpoint.segments(instance: instance).text(below: configuration.base)
    }
}

extension AppStoreConnectInstance {
    /// The last day that it can cover.
    fileprivate var lastDay: CivilDate { attributes.processingDate.date.advanced(by: -1) }
}
