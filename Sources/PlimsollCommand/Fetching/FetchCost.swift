import AppHealth
import Diagnostics
import Formatting
import Providers

/// What the queries of a source would read and cost, as text, with those that would be refused or are unknown.
func costText(
    _ forecasts: [WarehouseForecast], of warehouse: any Warehouse, for job: SourceJob
) -> (text: String, problems: [Diagnostic]) {
    var lines = ["\(job.app.id) from \(job.source.id): what one fetch would read"]
    var (bytes, rows, problems): (Int, Int, [Diagnostic]) = (0, 0, [])
    var isWhole = true
    for forecast in forecasts {
        do throws(Diagnostic) {
            switch try forecast.amount.get() {
            case .bytes(let count):
                bytes += count
                lines.append("  \(forecast.name): \(sizeText(count))")
                if let most = warehouse.mostBytes, count > most {
                    problems.append(tooMuch(forecast.name, count, most, job))
                }
            case .rows(let count):
                rows += count
                lines.append("  \(forecast.name): \(countText(count)) rows")
            case .unknown(let why):
                isWhole = false
                lines.append("  \(forecast.name): unknown, \(why)")
            }
        } catch {
            isWhole = false
            problems.append(error)
        }
    }
    let least = isWhole ? "" : "at least "
    if bytes > 0 {
        lines.append(
            "  total: \(least)\(sizeText(bytes))\(warehouse.price.map { "; \(cost(bytes, $0))" } ?? "")")
    }
    if rows > 0 { lines.append("  total: \(least)\(countText(rows)) rows") }
    return (lines.joined(separator: "\n"), problems)
}

private func tooMuch(_ name: String, _ count: Int, _ most: Int, _ job: SourceJob) -> Diagnostic {
    .warning(
        "fetch.over-bytes",
        "\(job.app.id) from \(job.source.id): \(name) would read \(sizeText(count)), more than \(sizeText(most))",
        details: ["it would be refused before it runs"],
        hints: ["raise 'maximumBytes', or request fewer days"])
}

private func cost(_ bytes: Int, _ price: WarehousePrice) -> String {
    let amount = price.cost(of: bytes)
    let currency = price.currency.isEmpty ? "" : " \(price.currency)"
    let text = amount > 0 && amount < 0.01 ? "less than 0.01" : decimalText(amount, decimals: 2)
    return "\(text)\(currency) at \(trimmedDecimalText(price.amount, decimals: 4))\(currency) for 2^40 bytes"
}
