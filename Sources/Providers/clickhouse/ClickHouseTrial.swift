package import AppHealth
import Diagnostics
import Transport

extension ClickHouseProvider: Warehouse {
    package func statements(for app: App, at now: Instant) -> [WarehouseStatement] {
        let values = configuration.parameters(of: app, configuration.window(at: now, last: nil))
        let texts = configuration.queries()
        return WarehouseQuery.allCases.compactMap { query in
            texts[query].map { file in
                let used = Set((try? ClickHouseText(file.text))?.parameters ?? [])
                return WarehouseStatement(
                    name: query.rawValue, place: file.shown, text: file.text,
                    parameters: values.filter { used.contains($0.key) }.mapValues(\.clickHouseText))
            }
        }
    }

    package func trials(of app: App, at now: Instant) async -> [WarehouseTrial] {
        var run = ClickHouseRun(configuration, sender: sender, app: app, now: now, kept: nil)
        return await run.trials()
    }

    package func forecasts(for app: App, at now: Instant) async -> [WarehouseForecast] {
        var run = ClickHouseRun(configuration, sender: sender, app: app, now: now, kept: kept)
        return await run.forecasts()
    }

    package var mostBytes: Int? { configuration.maximumBytes }
    package var price: WarehousePrice? { nil }
}
