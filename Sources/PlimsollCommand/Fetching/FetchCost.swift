import AppHealth
import Diagnostics
import Formatting
import Providers

/// What the queries of a source would read and cost, as text, with those that would be refused or are unknown.
func costText(
    _ forecasts: [WarehouseForecast], of warehouse: any Warehouse, for job: SourceJob
) -> (text: String, problems: [Diagnostic]) {
    var lines = ["\(job.app.id) from \(job.source.id): what one fetch would read"]
    var (sums, problems): (CostSums, [Diagnostic]) = (CostSums(), [])
    for forecast in forecasts {
        do throws(Diagnostic) {
            let amount = try forecast.amount.get()
            let size = sums.add(amount)
            lines.append("  \(forecast.name): \(costText(amount))")
            if let size, let most = warehouse.mostBytes, size > most {
                problems.append(tooMuch(forecast.name, size, most, job))
            }
        } catch {
            sums.areAllKnown = false
            problems.append(error)
        }
    }
    return ((lines + sums.lines(warehouse.price)).joined(separator: "\n"), problems)
}

private func costText(_ amount: WarehouseForecast.Amount) -> String {
    switch amount {
    case .bytes(let count): sizeText(count)
    case .reading(let rows, let bytes):
        "\(countText(rows)) rows" + (bytes.map { ", about \(sizeText($0))" } ?? "")
    case .atMost(let bytes): "at most \(sizeText(bytes)), all rows of the columns that it names"
    case .unknown(let why): "unknown, \(why)"
    }
}

/// What all queries of a source read together.
struct CostSums {
    private var bytes = 0
    private var rows = 0
    private var isAbout = false
    private var isBound = false
    private var areAllSized = true
    var areAllKnown = true

    /// Adds what one query reads; the bytes that it is refused for, where they are known.
    mutating func add(_ amount: WarehouseForecast.Amount) -> Int? {
        switch amount {
        case .bytes(let count):
            bytes = sum(bytes, count)
            return count
        case .reading(let count, let size):
            rows = sum(rows, count)
            if let size { (bytes, isAbout) = (sum(bytes, size), true) } else { areAllSized = false }
            return size
        case .atMost(let size): (bytes, isBound) = (sum(bytes, size), true)
        case .unknown: areAllKnown = false
        }
        return nil
    }

    func lines(_ price: WarehousePrice?) -> [String] {
        let least = areAllKnown && areAllSized ? "" : isBound ? "without what is unknown, " : "at least "
        let how = isBound ? "at most " : isAbout ? "about " : ""
        let size = "  total: \(least)\(how)\(sizeText(bytes))\(price.map { "; \(cost(bytes, $0))" } ?? "")"
        let count = "  total: \(areAllKnown ? "" : "at least ")\(countText(rows)) rows"
        return (bytes > 0 ? [size] : []) + (rows > 0 ? [count] : [])
    }
}

/// A sum that no estimate of a server can take beyond what a number holds.
private func sum(_ first: Int, _ second: Int) -> Int {
    let (sum, overflows) = first.addingReportingOverflow(second)
    return overflows ? .max : sum
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
