package import AppHealth
import Diagnostics
import Transport

extension ClickHouseProvider: Warehouse {
    package func statements(for app: App, at now: Instant) -> [WarehouseStatement] {
        let values = configuration.parameters(of: app, configuration.window(at: now, last: nil))
        return WarehouseQuery.allCases.compactMap { query in
            configuration.text(query).map { file in
                let used = Set((try? ClickHouseText(file.text))?.parameters ?? [])
                return WarehouseStatement(
                    name: query.rawValue, place: file.shown, text: file.text,
                    parameters: values.filter { used.contains($0.key) }.mapValues(\.parameter))
            }
        }
    }

    package func trials(of app: App, at now: Instant) async -> [WarehouseTrial] {
        var run = ClickHouseRun(configuration, sender: sender, app: app, now: now, kept: nil)
        return await run.trials()
    }
}

extension ClickHouseRun {
    /// Each query for ten rows; one that fails leaves the others.
    fileprivate mutating func trials() async -> [WarehouseTrial] {
        do throws(ServiceFault) {
            try await meetServer()
        } catch {
            return [WarehouseTrial(name: "", rows: .failure(error.diagnostic), warnings: [])]
        }
        var trials: [WarehouseTrial] = []
        for query in WarehouseQuery.allCases {
            guard let file = configuration.text(query) else { continue }
            do throws(ServiceFault) {
                let table = try await table(query, file, most: WarehouseTrial.mostRows)
                trials.append(
                    WarehouseTrial(
                        name: query.rawValue, rows: .success(table.shown), warnings: table.losses.warnings))
            } catch {
                trials.append(
                    WarehouseTrial(name: query.rawValue, rows: .failure(error.diagnostic), warnings: []))
                if error.isCancelled { break }
            }
        }
        return trials
    }
}
