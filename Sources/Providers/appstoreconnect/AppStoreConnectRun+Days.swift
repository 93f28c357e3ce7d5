import AppHealth
import Diagnostics

extension AppStoreConnectRun {
    /// The days of one report; nil and a warning when none of it came.
    mutating func days(
        of report: AppStoreConnectReport, in entries: [AppStoreConnectReportEntry], app: String
    ) async throws(ServiceFault) -> AppStoreConnectDays? {
        do throws(ServiceFault) {
            let entry = try entry(of: report, in: entries)
            return try await days(of: report, id: entry.id.text, app: app)
        } catch {
            try missing(report.part, error)
            return nil
        }
    }

    private func entry(
        of report: AppStoreConnectReport, in entries: [AppStoreConnectReportEntry]
    ) throws(ServiceFault) -> AppStoreConnectReportEntry {
        for name in report.names {
            let found = entries.first { $0.attributes.name.text.lowercased() == name.lowercased() }
            if let found { return found }
        }
        throw parts.client.fault(
            .notFound(what: "report", name: report.names[0], among: entries.map(\.attributes.name.text)))
    }

    private mutating func days(
        of report: AppStoreConnectReport, id: String, app: String
    ) async throws(ServiceFault) -> AppStoreConnectDays {
        let pages = try await pages(
            AppStoreConnectPage<AppStoreConnectInstance>.self, .instances(report: id))
        let daily = pages.elements.filter { $0.attributes.granularity?.text ?? "DAILY" == "DAILY" }
        let newest = daily.sorted { later($0, $1) }.prefix(configuration.mostInstances)
        var losses = SkippedValues(provider: AppStoreConnectProvider.name, endpoint: report.names[0])
        var days = AppStoreConnectDays()
        var faults: [ServiceFault] = []
        for instance in newest {
            do throws(ServiceFault) {
                days.add(olderThanAll: try await rows(of: instance, report, app: app, losses: &losses))
            } catch {
                guard !error.isCancelled else { throw error }
                faults.append(error)
            }
        }
        if let first = faults.first, faults.count == newest.count { throw first }
        parts.came(pages.warnings + losses.warnings)
        addMissing(faults, of: report, among: newest.count)
        return days
    }

    /// All rows of an instance: when one of its segments fails, it is not whole and tells nothing.
    private mutating func rows(
        of instance: AppStoreConnectInstance, _ report: AppStoreConnectReport, app: String,
        losses: inout SkippedValues
    ) async throws(ServiceFault) -> [AppStoreConnectRow] {
        let processed = instance.attributes.processingDate.date
        var rows: [AppStoreConnectRow] = []
        var found = losses
        let (files, isNew) = try await files(of: instance)
        for text in files.texts {
            let table = AppStoreConnectTable(text)
            try check(table, report, processed)
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
        _ faults: [ServiceFault], of report: AppStoreConnectReport, among count: Int
    ) {
        if count == 0 {
            warn(
                "no-instances", "the report '\(report.names[0])' has no daily instance yet",
                hints: [
                    "the first comes one to two days after the report request, and only with enough people"
                ])
        }
        guard let why = faults.first?.diagnostic else { return }
        warn(
            "instances-missing",
            "\(faults.count) of \(count) instances of '\(report.names[0])' couldn't be fetched",
            details: [why.summary] + why.details, at: why.location, hints: why.hints)
    }
}

/// Whether an instance was processed after another; of two of one day, which should not be, the id decides.
private func later(_ first: AppStoreConnectInstance, _ second: AppStoreConnectInstance) -> Bool {
    let (left, right) = (first.attributes.processingDate.date, second.attributes.processingDate.date)
    return (left, first.id.text) > (right, second.id.text)
}
